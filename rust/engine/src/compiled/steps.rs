//! Steps of a position and of the tracker beside it, which masks and accepting both go through.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use super::{Generation, Inner, Spot};
use crate::automaton::{Beside, ByteSet, Fuel, Position, Reach};
use crate::error::Error;
use crate::keys::{Keys, Step};

/// Where a byte leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// Nowhere, by the grammar.
    Dead,
    /// Nowhere, since a key or an item would come a second time.
    Refused,
    On(Spot),
}

impl Inner {
    /// Where one more byte leads from a spot, whether or not the text can be completed from there.
    #[inline]
    pub(super) fn joint(
        &self,
        generation: &Generation,
        from: Spot,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Joint, Error> {
        let machine = self.machine(generation);
        let step =
            |position, fuel: &mut Fuel| machine.step(position, byte, &mut Reach(u32::MAX), fuel);
        let mut position = step(from.position, fuel)?;
        if position == Position::DEAD {
            return Ok(Joint::Dead);
        }
        let Some(keys) = self.keys(generation) else {
            return Ok(Joint::On(Spot { position, ..from }));
        };
        if keys.ends_equal(from.keys, byte) {
            let left = machine.without_distinct(from.position, fuel)?;
            position = if left == Position::DEAD { left } else { step(left, fuel)? };
        }
        let distinct = keys.opens_array(from.keys, byte) && machine.is_distinct(position);
        let keys = match keys.step(from.keys, byte, distinct)? {
            Step::On(keys) => keys,
            Step::Repeated => return Ok(Joint::Refused),
            Step::Equal(keys) => {
                position = machine.without_distinct(position, fuel)?;
                keys
            }
        };
        let scoped = self.grammar.scoped_keys
            && !(machine.is_in_source(from.position) && machine.is_in_source(position));
        let keys = if scoped { Keys::START } else { keys };
        Ok(match position {
            Position::DEAD => Joint::Refused,
            position => Joint::On(Spot { position, keys }),
        })
    }

    /// A step that does not ask whether what was begun can end as something new.
    pub(super) fn step_freely(
        &self,
        generation: &Generation,
        from: Spot,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<Spot>, Error> {
        let Joint::On(next) = self.joint(generation, from, byte, fuel)? else { return Ok(None) };
        let machine = self.machine(generation);
        let live = machine.is_live(next.position, &mut Reach(u32::MAX), fuel)?;
        Ok(live.then_some(next))
    }

    /// Where one more byte leads from a spot; `None` if it cannot follow.
    pub(crate) fn step(
        &self,
        generation: &Generation,
        from: Spot,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<Spot>, Error> {
        let Some(next) = self.step_freely(generation, from, byte, fuel)? else { return Ok(None) };
        Ok(self.can_end(generation, next, fuel)?.then_some(next))
    }

    /// Where a token's bytes lead from a spot; `None` if they cannot follow.
    pub(crate) fn follow(
        &self,
        generation: &Generation,
        from: Spot,
        bytes: &[u8],
        fuel: &mut Fuel,
    ) -> Result<Option<Spot>, Error> {
        let mut at = from;
        for &byte in bytes {
            let Joint::On(next) = self.joint(generation, at, byte, fuel)? else { return Ok(None) };
            at = next;
        }
        let machine = self.machine(generation);
        if !machine.is_live(at.position, &mut Reach(u32::MAX), fuel)? {
            return Ok(None);
        }
        Ok(self.can_end(generation, at, fuel)?.then_some(at))
    }
}

/// Steps for a search.
pub(crate) struct Steps<'a> {
    inner: &'a Inner,
    generation: &'a Generation,
    /// Whether each must lead to where the text can be completed.
    live: bool,
    /// The places of numbers that were passed, where it does not matter which number it is.
    passed: RefCell<FxHashSet<Spot>>,
}

impl<'a> Steps<'a> {
    /// Towards the end of the text.
    pub(crate) fn to_end(inner: &'a Inner, generation: &'a Generation) -> Self {
        Self { inner, generation, live: false, passed: RefCell::default() }
    }

    /// Through places from which the text can be completed.
    pub(super) fn live(inner: &'a Inner, generation: &'a Generation) -> Self {
        Self { live: true, ..Self::to_end(inner, generation) }
    }

    /// Whether nothing is gained by going there: numbers can go on and on without coming to another place.
    fn is_idle(&self, from: Spot, byte: u8, next: Spot) -> bool {
        let Some(tracker) = self.inner.keys(self.generation) else { return false };
        match tracker.new_number(next.keys) {
            Some(keys) if !self.live => !self.passed.borrow_mut().insert(Spot { keys, ..next }),
            // Of zeros the grammar knows only so many.
            _ => byte == b'0' && next.position == from.position && next.keys != from.keys,
        }
    }
}

impl Beside for Steps<'_> {
    fn step(
        &self,
        (position, keys): (Position, u32),
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<(Position, u32)>, Error> {
        let from = Spot { position, keys };
        let next = if self.live {
            self.inner.step_freely(self.generation, from, byte, fuel)?
        } else {
            match self.inner.joint(self.generation, from, byte, fuel)? {
                Joint::On(next) => Some(next),
                Joint::Dead | Joint::Refused => None,
            }
        };
        let next = next.filter(|next| !self.is_idle(from, byte, *next));
        Ok(next.map(|next| (next.position, next.keys)))
    }

    fn tells_apart(&self, keys: u32) -> ByteSet {
        let tracker = self.inner.keys(self.generation);
        tracker.map_or_else(ByteSet::default, |tracker| tracker.tells_apart(keys))
    }
}
