//! Stacks: interned, immutable, shared from the bottom up.
//!
//! A node is a set of edges, each a place to return to and the node below. It stands for all stacks that can be read
//! from it downwards. At most one edge of a node has a given return: the nodes below are merged, so that equal sets of
//! stacks are equal nodes.

use super::context::{Contexts, ReturnId};
use super::fuel::Fuel;
use super::table::{Memo, Meter, Table};
use crate::error::Error;
use crate::limits::check;

/// The number of a node.
pub(crate) type StackId = u32;

/// Edges, sorted by return, and the height of the lowest stack: a merged node is as low as the lowest of what it was
/// merged from, so that whoever reads it is known to have read that.
type Node = (Box<[(ReturnId, StackId)]>, u32);

pub(crate) struct Stack {
    nodes: Table<Node>,
    singles: Memo<(ReturnId, StackId), StackId>,
    unions: Memo<(StackId, StackId), StackId>,
}

impl Stack {
    /// The bottom: its only return is "done".
    pub(crate) const ROOT: StackId = 1;

    pub(crate) fn new() -> Self {
        let stack = Self { nodes: Table::new(), singles: Memo::new(), unions: Memo::new() };
        stack.nodes.insert((Box::default(), 0));
        stack.nodes.insert(([(Contexts::DONE, 0)].into(), 1));
        stack
    }

    pub(crate) fn edges(&self, id: StackId) -> &[(ReturnId, StackId)] {
        &self.nodes.get(id).0
    }

    pub(crate) fn height(&self, id: StackId) -> u32 {
        self.nodes.get(id).1
    }

    /// `below` with one more frame.
    #[inline]
    pub(crate) fn push(&self, at: ReturnId, below: StackId, meter: &Meter) -> StackId {
        if let Some(known) = self.singles.get((at, below)) {
            return known;
        }
        let id = self.node(vec![(at, below)], meter);
        self.singles.set((at, below), id)
    }

    fn node(&self, edges: Vec<(ReturnId, StackId)>, meter: &Meter) -> StackId {
        let height = 1 + edges.iter().map(|e| self.height(e.1)).min().unwrap_or(0);
        let bytes = 96 + edges.len() * 8;
        let (id, new) = self.nodes.insert((edges.into(), height));
        if new {
            meter.add(bytes);
        }
        id
    }

    /// All stacks of both. Nodes below are merged first, on a list of its own instead of the machine's stack.
    ///
    /// # Errors
    /// Past the work of a step, or past `most` bytes of states: ambiguity can make many unions of one.
    pub(crate) fn union(
        &self,
        a: StackId,
        b: StackId,
        meter: &Meter,
        most: usize,
        fuel: &mut Fuel,
    ) -> Result<StackId, Error> {
        let mut todo = vec![(a, b)];
        let mut result = a;
        while let Some(&(a, b)) = todo.last() {
            if let Some(known) = self.known_union(a, b) {
                result = known;
                todo.pop();
                continue;
            }
            fuel.spend(1 + (self.edges(a).len() + self.edges(b).len()) as u64)?;
            check("bytes of states", "state_bytes", most as u64, meter.bytes() as u64)?;
            let mut edges = Vec::new();
            let missing = todo.len();
            let (mut left, mut right) =
                (self.edges(a).iter().peekable(), self.edges(b).iter().peekable());
            loop {
                match (left.peek(), right.peek()) {
                    (Some(x), Some(y)) if x.0 == y.0 => {
                        match self.known_union(x.1, y.1) {
                            Some(below) => edges.push((x.0, below)),
                            None => todo.push((x.1, y.1)),
                        }
                        left.next();
                        right.next();
                    }
                    (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => edges.extend(left.next()),
                    (_, Some(_)) => edges.extend(right.next()),
                    _ => break,
                }
            }
            if todo.len() == missing {
                let id = self.node(edges, meter);
                meter.add(32);
                self.unions.set((a.min(b), a.max(b)), id);
            }
        }
        Ok(result)
    }

    fn known_union(&self, a: StackId, b: StackId) -> Option<StackId> {
        if a == b { Some(a) } else { self.unions.get((a.min(b), a.max(b))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stacks of equal returns on different bottoms: their union takes a new node on each level.
    fn united(height: u32, work: u64, bytes: usize) -> Result<StackId, Error> {
        let (stack, meter) = (Stack::new(), Meter::default());
        let tall = |bottom| (0..height).fold(bottom, |below, _| stack.push(7, below, &meter));
        let a = tall(stack.push(1, Stack::ROOT, &meter));
        let b = tall(stack.push(2, Stack::ROOT, &meter));
        stack.union(a, b, &meter, bytes, &mut Fuel::new(work))
    }

    #[test]
    fn unions_are_charged() {
        assert!(united(1_000, 10_000, 1 << 20).is_ok());
        let name = |result| match result {
            Err(Error::TooComplex { name, .. }) => name,
            other => panic!("expected a limit, not {other:?}"),
        };
        assert_eq!(name(united(1_000, 999, 1 << 20)), "step_work");
        assert_eq!(name(united(1_000, 10_000, 1 << 12)), "state_bytes");
    }
}
