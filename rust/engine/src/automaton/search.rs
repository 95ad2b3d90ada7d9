//! Ways to the end: the fewest bytes that complete a text.
//!
//! A best-first search (A*). Its estimate is the fewest bytes that the grammar asks for, which is exact where no
//! obligation is open, so that the search then walks straight to the end. Obligations can make it far too low; then
//! the search goes on by the estimate alone, and what it finds may not be shortest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::context::{ContextId, Contexts};
use super::fuel::Fuel;
use super::local::{Await, Item};
use super::machine::Machine;
use super::position::{Position, Reach};
use super::stack::StackId;
use crate::error::Error;

impl Machine<'_> {
    fn context_rest(&self, context: ContextId) -> u32 {
        if context == 0 {
            return 0;
        }
        if let Some(known) = self.tables.context_rests.get(context) {
            return known;
        }
        let (mut rest, mut at) = (0u32, context);
        while at != 0 {
            let link = self.tables.contexts.link(at);
            rest = rest.saturating_add(self.node_rest(link.node));
            at = link.below;
        }
        self.tables.meter.add(32);
        self.tables.context_rests.set(context, rest)
    }

    fn stack_rest(&self, stack: StackId) -> u32 {
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
                let own = self.node_rest(node).saturating_add(self.context_rest(context));
                best = best.min(own.saturating_add(under));
            }
            if todo.len() == open {
                memo.set(node, best);
            }
        }
        memo.get(stack).unwrap_or(u32::MAX)
    }

    /// At least this many bytes complete the text from here; `u32::MAX` if bytes alone cannot.
    fn rest(&self, position: Position) -> u32 {
        let mut best = u32::MAX;
        for strand in self.strands(position) {
            let below = self.stack_rest(strand.stack);
            for item in &self.tables.locals.get(strand.local).items {
                if item.awaits == Await::Nothing {
                    return 0;
                }
                best = best.min(self.item_rest(item).saturating_add(below));
            }
        }
        best
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
    /// `beside` steps a value of the caller's along with the position, and can refuse a byte.
    pub(crate) fn shortest(
        &self,
        from: (Position, u32),
        beside: &dyn Beside,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.search_beside(from, &|m, p| m.is_done(p), beside, fuel)
    }

    /// The bytes of a way to a position that is a goal.
    pub(super) fn search(
        &self,
        from: Position,
        is_goal: impl Fn(&Self, Position) -> bool,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.search_beside((from, 0), &is_goal, &Nothing, fuel)
    }

    fn search_beside(
        &self,
        from: (Position, u32),
        is_goal: &impl Fn(&Self, Position) -> bool,
        beside: &dyn Beside,
        fuel: &mut Fuel,
    ) -> Result<Option<Vec<u8>>, Error> {
        // By the length of the whole way first; if that spreads out, by what is left of it alone.
        match self.search_within(from, is_goal, beside, (EXACT, 1), fuel)? {
            Outcome::Found(bytes) => Ok(Some(bytes)),
            Outcome::None => Ok(None),
            Outcome::Spread => {
                match self.search_within(from, is_goal, beside, (usize::MAX, 0), fuel)? {
                    Outcome::Found(bytes) => Ok(Some(bytes)),
                    Outcome::None | Outcome::Spread => Ok(None),
                }
            }
        }
    }

    /// Looks at up to `most` positions; lengths count `weight` times.
    fn search_within(
        &self,
        from: (Position, u32),
        is_goal: &impl Fn(&Self, Position) -> bool,
        beside: &dyn Beside,
        (most, weight): (usize, u32),
        fuel: &mut Fuel,
    ) -> Result<Outcome, Error> {
        let mut looked = 0;
        // Each reached position: its best known distance, and the step that led to it.
        let mut reached: FxHashMap<Spot, (u32, Spot, u8)> = FxHashMap::default();
        reached.insert(from, (0, from, 0));
        // Among equals the one further on, then the older one, so that the answer depends on nothing else.
        let mut queue = BinaryHeap::new();
        let mut order = 0u64;
        let estimate = |position| match self.rest(position) {
            u32::MAX => None,
            rest => Some(rest),
        };
        if let Some(rest) = estimate(from.0) {
            queue.push(Reverse((rest, Reverse(0), Reverse(order), Keyless(from))));
        }
        while let Some(Reverse((_, Reverse(length), _, Keyless(position)))) = queue.pop() {
            if reached[&position].0 < length {
                continue;
            }
            if is_goal(self, position.0) {
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
            // A straight way looks at one position for each of its bytes.
            looked += 1;
            if looked > most.saturating_add(length as usize) {
                return Ok(Outcome::Spread);
            }
            let (bounds, live) = self.alphabet(position.0);
            // One byte of those that the grammar does not tell apart, and all if someone else may.
            let all = beside.tells_apart(position.1).then_some(0..=255);
            let bytes = bounds.firsts().chain(all.into_iter().flatten());
            for byte in bytes.filter(|&b| live.has(b)) {
                fuel.spend(1)?;
                let next = self.step(position.0, byte, &mut Reach(u32::MAX), fuel)?;
                if next == Position::DEAD {
                    continue;
                }
                let Some(value) = beside.step(position.1, byte)? else { continue };
                let next = (next, value);
                if reached.get(&next).is_some_and(|known| known.0 <= length + 1) {
                    continue;
                }
                if let Some(rest) = estimate(next.0) {
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
type Spot = (Position, u32);

/// A value that is stepped along with a position.
pub(crate) trait Beside {
    /// The value after a byte; `None` if the byte cannot follow.
    fn step(&self, value: u32, byte: u8) -> Result<Option<u32>, Error>;

    /// Whether bytes that the grammar does not tell apart may lead to different values.
    fn tells_apart(&self, value: u32) -> bool;
}

struct Nothing;

impl Beside for Nothing {
    fn step(&self, value: u32, _: u8) -> Result<Option<u32>, Error> {
        Ok(Some(value))
    }

    fn tells_apart(&self, _: u32) -> bool {
        false
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
