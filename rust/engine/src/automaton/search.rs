//! Ways to the end: the fewest bytes that complete a text.
//!
//! A best-first search (A*). Its estimate is the fewest bytes that the grammar asks for: each frame's way to its end,
//! composed. Where no obligation is open and no key is repeated, it is exact once [`super::ways`] has settled it, so
//! that the search walks straight to the end. Obligations and keys can make it far too low; then the search goes on by
//! the estimate alone, and what it finds may not be shortest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::context::{ContextId, Contexts};
use super::fuel::Fuel;
use super::local::{Await, Item};
use super::machine::Machine;
use super::network::NodeId;
use super::position::{Position, Reach};
use super::stack::StackId;
use super::table::ByteSet;
use crate::error::Error;
use crate::limits::check;

impl Machine<'_> {
    /// The nodes that a context returns to.
    pub(super) fn returns(&self, context: ContextId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = context;
        std::iter::from_fn(move || {
            let link = (at != 0).then(|| self.tables.contexts.link(at))?;
            at = link.below;
            Some(link.node)
        })
    }

    pub(super) fn context_rest(&self, context: ContextId) -> u32 {
        if context == 0 {
            return 0;
        }
        // The bounds of made nodes become better.
        let fixed = self.tables.made.is_none();
        if fixed && let Some(known) = self.tables.context_rests.get(context) {
            return known;
        }
        let rests = self.returns(context).map(|node| self.node_rest(node));
        let rest = rests.fold(0, u32::saturating_add);
        if !fixed {
            return rest;
        }
        self.tables.meter.add(32);
        self.tables.context_rests.set(context, rest)
    }

    /// Makes the bounds of a node and of all in its context exact.
    fn settle_place(&self, node: NodeId, context: ContextId, fuel: &mut Fuel) -> Result<(), Error> {
        for node in std::iter::once(node).chain(self.returns(context)) {
            self.settle_way(node, fuel)?;
        }
        Ok(())
    }

    fn stack_rest(&self, stack: StackId, fuel: &mut Fuel) -> Result<u32, Error> {
        let memo = &self.tables.stack_rests;
        let mut todo = vec![stack];
        while let Some(&node) = todo.last() {
            if memo.get(node).is_some() {
                todo.pop();
                continue;
            }
            let open = todo.len();
            let mut best = u32::MAX;
            for &(at, below) in self.tables.stacks.edges(node) {
                if at == Contexts::DONE {
                    best = 0;
                    continue;
                }
                let Some(under) = memo.get(below) else {
                    todo.push(below);
                    continue;
                };
                let (node, context) = self.tables.contexts.place(at);
                self.settle_place(node, context, fuel)?;
                let own = self.node_rest(node).saturating_add(self.context_rest(context));
                best = best.min(own.saturating_add(under));
            }
            if todo.len() == open {
                memo.set(node, best);
            }
        }
        Ok(memo.get(stack).unwrap_or(u32::MAX))
    }

    /// At least this many bytes complete the text from here, and the item that it hangs on; `u32::MAX` if bytes alone
    /// cannot.
    fn rest(&self, position: Position, fuel: &mut Fuel) -> Result<(u32, Option<Item>), Error> {
        let mut best = (u32::MAX, None);
        for strand in self.strands(position) {
            let below = self.stack_rest(strand.stack, fuel)?;
            for item in &self.tables.locals.get(strand.local).items {
                if item.awaits == Await::Nothing {
                    return Ok((0, None));
                }
                let rest = self.item_rest(item).saturating_add(below);
                if rest < best.0 {
                    best = (rest, Some(*item));
                }
            }
        }
        Ok(best)
    }

    /// As [`Self::rest`], with exact bounds of what it hangs on.
    fn settled_rest(&self, position: Position, fuel: &mut Fuel) -> Result<u32, Error> {
        let mut before = None;
        loop {
            let (rest, item) = self.rest(position, fuel)?;
            match item {
                Some(item) if self.tables.made.is_some() && before != Some((rest, item)) => {
                    self.settle_place(item.node, item.context, fuel)?;
                    before = Some((rest, item));
                }
                _ => return Ok(rest),
            }
        }
    }

    /// At least this many bytes lead to the end of an item's frame; `u32::MAX` if bytes alone cannot.
    pub(super) fn item_rest(&self, item: &Item) -> u32 {
        let own = match item.awaits {
            Await::Nothing => return 0,
            Await::Token(_) => return u32::MAX,
            Await::Lexer(state, _) => self.tables.lexer.get(state).rest(),
        };
        let after = self.node_rest(item.node);
        own.saturating_add(after).saturating_add(self.context_rest(item.context))
    }

    /// A shortest text that completes the one at `position`; `None` if bytes alone cannot.
    ///
    /// `beside` steps the position along with a value of the caller's, and can refuse a byte. A text that is found
    /// only after a long search may be longer than the shortest.
    pub(crate) fn shortest(
        &self,
        from: Spot,
        beside: &dyn Beside,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<u8>>, Error> {
        let most = self.core.limits.state_bytes / 16;
        self.search_beside(from, &|(p, _)| self.is_done(p), beside, most, fuel)
    }

    /// The bytes of a way to a position that is a goal.
    pub(super) fn search(
        &self,
        from: Position,
        is_goal: impl Fn(Position) -> bool,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<u8>>, Error> {
        let is_goal = |(position, _)| is_goal(position);
        self.search_beside((from, 0), &is_goal, &Nothing(*self), usize::MAX, fuel)
    }

    /// The same for positions and what is beside them. Makes states of up to `most` bytes, beyond those on the way to
    /// what it finds.
    pub(crate) fn search_beside(
        &self,
        from: Spot,
        is_goal: &dyn Fn(Spot) -> bool,
        beside: &dyn Beside,
        most: usize,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<u8>>, Error> {
        // By the length of the whole way first; if that spreads out, by what is left of it alone.
        match self.search_within(from, is_goal, beside, (EXACT, usize::MAX, 1), fuel)? {
            Outcome::Found(bytes) => Ok(Some(bytes)),
            Outcome::None => Ok(None),
            Outcome::Spread => {
                match self.search_within(from, is_goal, beside, (usize::MAX, most, 0), fuel)? {
                    Outcome::Found(bytes) => Ok(Some(bytes)),
                    Outcome::None | Outcome::Spread => Ok(None),
                }
            }
        }
    }

    /// Looks at up to `most` positions, and makes states of up to `bytes`; lengths count `weight` times.
    fn search_within(
        &self,
        from: (Position, u32),
        is_goal: &dyn Fn(Spot) -> bool,
        beside: &dyn Beside,
        (most, bytes, weight): (usize, usize, u32),
        fuel: &mut Fuel,
    ) -> Result<Outcome, Error> {
        let mut looked = 0;
        let before = self.tables.bytes();
        // Each reached position: its best known distance, and the step that led to it.
        let mut reached: FxHashMap<Spot, (u32, Spot, u8)> = FxHashMap::default();
        reached.insert(from, (0, from, 0));
        // Among equals the one further on, then the older one, so that the answer depends on nothing else.
        let mut queue = BinaryHeap::new();
        let mut order = 0u64;
        let (rest, _) = self.rest(from.0, fuel)?;
        if rest != u32::MAX {
            queue.push(Reverse((rest, Reverse(0), Reverse(order), Keyless(from))));
        }
        while let Some(Reverse((total, Reverse(length), age, Keyless(position)))) = queue.pop() {
            if reached[&position].0 < length {
                continue;
            }
            if is_goal(position) {
                let mut bytes = Vec::with_capacity(length as usize);
                let mut at = position;
                while at != from {
                    let (_, before, byte) = reached[&at];
                    bytes.push(byte);
                    at = before;
                }
                bytes.reverse();
                return Ok(Outcome::Found(bytes));
            }
            // What made it come first may have been a poor estimate.
            let rest = self.settled_rest(position.0, fuel)?;
            if rest == u32::MAX {
                continue;
            }
            let settled = length.saturating_mul(weight).saturating_add(rest);
            if settled > total {
                queue.push(Reverse((settled, Reverse(length), age, Keyless(position))));
                continue;
            }
            // A straight way looks at one position for each of its bytes.
            looked += 1;
            if looked > most.saturating_add(length as usize) {
                return Ok(Outcome::Spread);
            }
            if looked > length as usize + EXACT {
                let made = self.tables.bytes().saturating_sub(before) as u64;
                check("bytes of states of a search for an end", "state_bytes", bytes as u64, made)?;
            }
            let (bounds, live) = self.alphabet(position.0);
            // One byte of those that nobody tells apart.
            let apart = beside.tells_apart(position.1);
            let alike = bounds
                .firsts()
                .filter_map(|b| (b..=bounds.last_of_class(b)).find(|&b| !apart.has(b)));
            let bytes = alike.chain((0..=255).filter(|&b| apart.has(b)));
            for byte in bytes.filter(|&b| live.has(b)) {
                fuel.spend(1)?;
                let Some(next) = beside.step(position, byte, fuel)? else { continue };
                if reached.get(&next).is_some_and(|known| known.0 <= length + 1) {
                    continue;
                }
                let (rest, _) = self.rest(next.0, fuel)?;
                if rest != u32::MAX {
                    reached.insert(next, (length + 1, position, byte));
                    order += 1;
                    let total = (length + 1).saturating_mul(weight).saturating_add(rest);
                    queue.push(Reverse((
                        total,
                        Reverse(length + 1),
                        Reverse(order),
                        Keyless(next),
                    )));
                }
            }
        }
        Ok(Outcome::None)
    }
}

/// Positions beyond those on the way that a search by length may look at.
const EXACT: usize = 2_000;

/// A position and the caller's value.
pub(crate) type Spot = (Position, u32);

/// A value that is stepped along with a position.
pub(crate) trait Beside {
    /// Both after a byte; `None` if the byte cannot follow.
    fn step(&self, from: Spot, byte: u8, fuel: &mut Fuel) -> Result<Option<Spot>, Error>;

    /// The bytes that may lead to other values than most bytes do.
    fn tells_apart(&self, value: u32) -> ByteSet;
}

struct Nothing<'a>(Machine<'a>);

impl Beside for Nothing<'_> {
    fn step(&self, from: Spot, byte: u8, fuel: &mut Fuel) -> Result<Option<Spot>, Error> {
        let next = self.0.step(from.0, byte, &mut Reach(u32::MAX), fuel)?;
        Ok((next != Position::DEAD).then_some((next, from.1)))
    }

    fn tells_apart(&self, _: u32) -> ByteSet {
        ByteSet::default()
    }
}

enum Outcome {
    Found(Vec<u8>),
    /// There is no way.
    None,
    /// Too many positions were looked at.
    Spread,
}

/// A position that takes no part in comparisons: its number depends on the order in which tables were filled.
#[derive(Clone, Copy, Debug)]
struct Keyless(Spot);

impl PartialEq for Keyless {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Keyless {}

impl PartialOrd for Keyless {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Keyless {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}
