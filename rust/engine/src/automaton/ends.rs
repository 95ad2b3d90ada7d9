//! How frames can end: of a local state some obligations under which its frame can, found by following its items.
//!
//! See [`super::liveness`] for what they are needed for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::context::{ReturnId, ReturnsId};
use super::fuel::Fuel;
use super::local::{Await, Item, LocalId, MoveId, Point};
use super::machine::Machine;
use super::obligation::ObligationId;
use super::table::Seen;
use crate::error::Error;

/// Items that are followed before whole positions are, those that are followed once an end was found, and frames on one
/// another.
const EASY: usize = 1000;
const MORE: usize = 24;
const DEEP: usize = 8;

/// Ends that are kept of each state.
const MOST: usize = 3;

const NONE: ObligationId = ObligationId::MAX;

/// What a search has done: items followed, and the states that are being looked at, each for the sake of the one before.
#[derive(Default)]
pub(super) struct Work {
    looked: usize,
    open: Vec<LocalId>,
}

/// Obligations under which a frame can end. Some of them: there may be more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// Between newlines. Those under which nothing is owed come first.
    settled: [ObligationId; MOST],
    /// At a newline whose dedent is to come; only where that is in the frames of the same search are they of use.
    shallower: [ObligationId; MOST],
}

impl Ends {
    const EMPTY: Self = Self { settled: [NONE; MOST], shallower: [NONE; MOST] };

    pub(super) fn settled(&self) -> impl Iterator<Item = ObligationId> + '_ {
        self.settled.iter().copied().take_while(|&end| end != NONE)
    }

    fn shallower(&self) -> impl Iterator<Item = ObligationId> + '_ {
        self.shallower.iter().copied().take_while(|&end| end != NONE)
    }

    fn all(&self) -> impl Iterator<Item = ObligationId> + '_ {
        self.settled().chain(self.shallower())
    }

    /// Whether there is none after which anything can go on.
    fn is_empty(&self) -> bool {
        self.settled[0] == NONE
    }
}

impl Machine<'_> {
    /// Obligations under which a frame in this state can end, where it takes little work to see.
    pub(super) fn ends(
        &self,
        local: LocalId,
        work: &mut Work,
        fuel: &mut Fuel,
    ) -> Result<Ends, Error> {
        if local == 0 {
            return Ok(Ends::EMPTY);
        }
        let known = &self.tables.locals.get(local).ends;
        if let Some(&known) = known.get() {
            return Ok(known);
        }
        let plain = self.forget(local, fuel)?;
        if work.open.len() > DEEP || work.open.contains(&plain) {
            return Ok(Ends::EMPTY);
        }
        let found = if plain == local {
            work.open.push(local);
            let found = self.find_ends(local, work, fuel)?;
            work.open.pop();
            found
        } else {
            self.ends(plain, work, fuel)?
        };
        // Deeper down the search was cut short by what was looked at before.
        Ok(if work.open.is_empty() || !found.is_empty() {
            *known.get_or_init(|| found)
        } else {
            found
        })
    }

    fn ends_of_move(&self, made: MoveId, work: &mut Work, fuel: &mut Fuel) -> Result<Ends, Error> {
        let parts = self.parts(made);
        let mut ends = Ends::EMPTY;
        self.add_ends(&mut ends, parts.pops.iter().copied());
        if !self.is_enough(&ends) {
            let others = self.ends(parts.stay, work, fuel)?;
            self.add_ends(&mut ends, others.all());
        }
        Ok(ends)
    }

    /// A frame that ends where the text must end is left to the search.
    fn add_ends(&self, ends: &mut Ends, more: impl Iterator<Item = ObligationId>) {
        let owed = &self.tables.obligations;
        for end in more {
            let settled = owed.is_settled(end);
            let list = if settled { &mut ends.settled } else { &mut ends.shallower };
            if list.contains(&end) || !settled && !owed.is_shallower(end) {
                continue;
            }
            if settled && owed.is_free(end) {
                list.rotate_right(1);
                list[0] = end;
            } else if let Some(place) = list.iter_mut().find(|place| **place == NONE) {
                *place = end;
            }
        }
    }

    /// Whether no more ends need be looked for.
    fn is_enough(&self, ends: &Ends) -> bool {
        self.core.layout.is_none()
            && !ends.is_empty()
            && self.tables.obligations.is_free(ends.settled[0])
    }

    /// The ends of what goes on at a place to return to, after a frame that ended like this.
    pub(super) fn ends_of_return(
        &self,
        at: ReturnId,
        owed: ObligationId,
        work: &mut Work,
        fuel: &mut Fuel,
    ) -> Result<Ends, Error> {
        if let Some(known) = self.tables.return_ends.get((at, owed)) {
            return Ok(known);
        }
        let (node, context) = self.tables.contexts.place(at);
        let made = self.close_point(Point { node, context, obligation: owed }, fuel)?;
        let ends = self.ends_of_move(made, work, fuel)?;
        if work.open.is_empty() || !ends.is_empty() {
            self.tables.meter.add(48);
            self.tables.return_ends.set((at, owed), ends);
        }
        Ok(ends)
    }

    /// The ends of the frame on which new ones are pushed, once those have ended.
    fn ends_of_push(
        &self,
        returns: ReturnsId,
        inner: MoveId,
        work: &mut Work,
        fuel: &mut Fuel,
    ) -> Result<Ends, Error> {
        let mut ends = self.ends_of_move(inner, work, fuel)?;
        for &at in self.tables.contexts.list(returns).iter().rev() {
            let mut next = Ends::EMPTY;
            // What a newline with its dedent leads to is near; what goes on at the same column may go round.
            for end in ends.shallower().chain(ends.settled()) {
                if !next.is_empty() {
                    break;
                }
                let after = self.ends_of_return(at, end, work, fuel)?;
                self.add_ends(&mut next, after.all());
            }
            ends = next;
        }
        Ok(ends)
    }

    /// Items are followed one by one within their frame, those nearest to its end first. What those on the way lead to
    /// is remembered.
    fn find_ends(&self, local: LocalId, work: &mut Work, fuel: &mut Fuel) -> Result<Ends, Error> {
        let known = &self.tables.item_ends;
        let mut ends = Ends::EMPTY;
        let mut ways = Ways::default();
        for &item in &self.tables.locals.get(local).items {
            ways.add(Step::Item(item), self.item_rest(&item), usize::MAX);
        }
        let mut most = EASY;
        while let Some(Reverse((_, at))) = ways.queue.pop() {
            work.looked += 1;
            if work.looked > most {
                break;
            }
            let own = match ways.all[at].step {
                Step::Push(returns, inner) => self.ends_of_push(returns, inner, work, fuel)?,
                Step::Item(item) => match known.get(item) {
                    Some(known) => known,
                    None => self.follow(item, at, &mut ways, fuel)?,
                },
            };
            if own == Ends::EMPTY {
                continue;
            }
            let mut on = at;
            while let Some(way) = ways.all.get_mut(on) {
                self.add_ends(&mut way.ends, own.all());
                on = way.before;
            }
            self.add_ends(&mut ends, own.all());
            if self.is_enough(&ends) {
                break;
            }
            if !ends.is_empty() {
                most = most.min(work.looked + MORE);
            }
        }
        for way in ways.all {
            if let Step::Item(item) = way.step
                && !way.ends.is_empty()
                && known.get(item).is_none()
            {
                self.tables.meter.add(64);
                known.set(item, way.ends);
            }
        }
        Ok(ends)
    }

    /// Adds what an item leads to with one byte more; returns the ends of its frame at once.
    fn follow(
        &self,
        item: Item,
        at: usize,
        ways: &mut Ways,
        fuel: &mut Fuel,
    ) -> Result<Ends, Error> {
        let mut ends = Ends::EMPTY;
        let Await::Lexer(lexer, _) = item.awaits else { return Ok(ends) };
        let state = self.tables.lexer.get(lexer);
        let owed = self.tables.obligations.get(item.obligation);
        let live = state.live.without(&owed.matching);
        let mut bounds = state.bounds;
        bounds.merge(&owed.bounds);
        for byte in bounds.firsts().filter(|&b| live.has(b)) {
            fuel.spend(1)?;
            let Some((next, points)) = self.step_item(item, byte, fuel)? else { continue };
            if let Some(next) = next {
                ways.add(Step::Item(next), self.item_rest(&next), at);
            }
            for point in points {
                let parts = self.parts(self.close_point(point, fuel)?);
                self.add_ends(&mut ends, parts.pops.iter().copied());
                for &(returns, inner) in parts.pushes {
                    ways.add(Step::Push(returns, inner), self.push_rest(returns, inner), at);
                }
                for &next in &self.tables.locals.get(parts.stay).items {
                    ways.add(Step::Item(next), self.item_rest(&next), at);
                }
            }
            if self.is_enough(&ends) {
                break;
            }
        }
        Ok(ends)
    }

    /// At least this many bytes lead to the end of the frame on which new ones are pushed.
    fn push_rest(&self, returns: ReturnsId, inner: MoveId) -> u32 {
        let parts = self.parts(inner);
        let items = self.tables.locals.get(parts.stay).items.iter();
        let inner = items.map(|item| self.item_rest(item)).min().unwrap_or(u32::MAX);
        let inner = if parts.pops.is_empty() { inner } else { 0 };
        self.tables.contexts.list(returns).iter().fold(inner, |rest, &at| {
            let (node, context) = self.tables.contexts.place(at);
            let own = self.node_rest(node).saturating_add(self.context_rest(context));
            rest.saturating_add(own)
        })
    }
}

/// What is followed: an item, or frames that are pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Item(Item),
    Push(ReturnsId, MoveId),
}

/// A step with the place of the one before, and the ends that it was found to lead to.
struct Way {
    step: Step,
    before: usize,
    ends: Ends,
}

/// Steps reached so far, and a queue of those to follow, by the bytes that are left, then in order.
#[derive(Default)]
struct Ways {
    all: Vec<Way>,
    queue: BinaryHeap<Reverse<(u32, usize)>>,
    seen: Seen<Step>,
}

impl Ways {
    fn add(&mut self, step: Step, rest: u32, before: usize) {
        if rest != u32::MAX && self.seen.insert(step) {
            self.queue.push(Reverse((rest, self.all.len())));
            self.all.push(Way { step, before, ends: Ends::EMPTY });
        }
    }
}
