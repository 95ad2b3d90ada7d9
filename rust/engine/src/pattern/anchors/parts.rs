//! Patterns under construction that know their depth.

use crate::pattern::Pattern;

use super::measure;
use super::node::{append, concat};

/// Number of states of [`super::resolve`].
pub(super) const STATES: usize = 6;

/// A pattern and how many levels it has below its first, so that no chain of steps nests it without bound.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) pattern: Pattern,
    pub(super) depth: u32,
}

impl Part {
    pub(super) fn new(pattern: Pattern) -> Self {
        Self { depth: measure::depth(&pattern), pattern }
    }

    pub(super) fn empty() -> Self {
        Self { pattern: Pattern::Empty, depth: 0 }
    }

    /// This, then `next`. A sequence is extended in place.
    pub(super) fn then(self, next: Part) -> Part {
        match (&self.pattern, &next.pattern) {
            (Pattern::Empty, _) => return next,
            (_, Pattern::Empty) => return self,
            _ => {}
        }
        let (mut parts, depth) = match self.pattern {
            Pattern::Concat(parts) => (parts, self.depth),
            pattern => (vec![pattern], self.depth + 1),
        };
        append(&mut parts, next.pattern);
        if let [Pattern::Bytes(_)] = parts[..] {
            return Part { pattern: concat(parts), depth: 0 };
        }
        Part { pattern: concat(parts), depth: depth.max(next.depth + 1) }
    }
}

/// What may be read from a state (first index) to a state (second). On the heap, for the stack holds one per level of
/// the pattern.
pub(super) type Matrix = Vec<[Option<Part>; STATES]>;

/// A matrix by which nothing can be read.
pub(super) fn no_matrix() -> Matrix {
    (0..STATES).map(|_| Default::default()).collect()
}

/// Alternatives, the shortest of them once only: they are most of what anchors leave behind.
#[derive(Default)]
pub(super) struct Union {
    members: Vec<Pattern>,
    depth: u32,
    empty: bool,
    line_feed: bool,
}

impl Union {
    pub(super) fn add(&mut self, part: Part) {
        let Part { pattern, depth } = part;
        match pattern {
            // Moving more than a few members at every level of nesting would add up.
            Pattern::Alt(members) if members.len() <= 64 => {
                let depth = depth.saturating_sub(1);
                members.into_iter().for_each(|pattern| self.add(Part { pattern, depth }));
            }
            Pattern::Empty if self.empty => {}
            Pattern::Bytes(bytes) if bytes == b"\n" && self.line_feed => {}
            pattern => {
                self.empty |= pattern == Pattern::Empty;
                self.line_feed |= matches!(&pattern, Pattern::Bytes(bytes) if bytes == b"\n");
                self.members.push(pattern);
                self.depth = self.depth.max(depth);
            }
        }
    }

    pub(super) fn finish(mut self) -> Option<Part> {
        match self.members.len() {
            0 => None,
            1 => Some(Part { pattern: self.members.swap_remove(0), depth: self.depth }),
            _ => Some(Part { pattern: Pattern::Alt(self.members), depth: self.depth + 1 }),
        }
    }
}

/// A matrix while alternatives are added to it.
pub(super) struct Sums(Vec<[Union; STATES]>);

impl Sums {
    pub(super) fn new() -> Self {
        Self((0..STATES).map(|_| Default::default()).collect())
    }

    /// Adds one alternative of what is read between two states.
    pub(super) fn add(&mut self, from: usize, to: usize, part: Part) {
        self.0[from][to].add(part);
    }

    /// Adds all of a matrix.
    pub(super) fn add_all(&mut self, matrix: Matrix) {
        for (sums, row) in self.0.iter_mut().zip(matrix) {
            for (sum, part) in sums.iter_mut().zip(row) {
                part.into_iter().for_each(|part| sum.add(part));
            }
        }
    }

    pub(super) fn finish(self) -> Matrix {
        self.0.into_iter().map(|row| row.map(Union::finish)).collect()
    }
}
