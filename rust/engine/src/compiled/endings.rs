//! A key that is begun must be able to end, as one that its object has not had; and so must an item, where items
//! differ.
//!
//! That matters where some beginning of a key leaves finitely many ways to complete it: all of them may be used up.
//! The answer is found by walking the used keys along the position. Most often the first byte that none of them has
//! ends the walk. Items are looked at wherever they can still turn out to equal an earlier one.

use rustc_hash::FxHashSet;

use super::steps::Steps;
use super::{Generation, Inner, Spot};
use crate::automaton::{Arena, Fuel, Memo, Position};
use crate::error::Error;
use crate::ids::TokenId;
use crate::keys::{KeysId, Left};

/// What was found out of keys and their ends.
pub(super) struct Endings {
    /// Whether keys and items can end.
    known: Memo<(Position, Left), bool>,
    /// The tokens that cannot follow for that reason, by their number. See `clear`.
    pub(super) cleared: Memo<Spot, u32>,
    pub(super) lists: Arena<Box<[TokenId]>>,
}

impl Endings {
    pub(super) fn new() -> Self {
        Self { known: Memo::new(), cleared: Memo::new(), lists: Arena::new() }
    }
}

impl Inner {
    /// Whether the key that the text stands in, or comes to next, can be one that its object has not had, and the item
    /// one that its array has not had.
    pub(crate) fn can_end(
        &self,
        generation: &Generation,
        spot: Spot,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        let Some(keys) = self.keys(generation) else { return Ok(true) };
        let scarce = generation.tables.has_scarce_keys();
        let of = |spot| keys.left(spot, scarce);
        let Some(left) = of(spot.keys) else { return Ok(true) };
        let known = &generation.endings.known;
        if let Some(known) = known.get((spot.position, left)) {
            return Ok(known);
        }
        let found = self.search_ending(generation, of, spot, fuel)?;
        generation.tables.meter.add(64);
        Ok(known.set((spot.position, left), found))
    }

    /// Keys are few where they run out, so that all their ends are looked at. Items need a way to an end.
    fn search_ending(
        &self,
        generation: &Generation,
        left: impl Fn(KeysId) -> Option<Left>,
        from: Spot,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        if matches!(left(from.keys), Some(Left::Items(_))) {
            let steps = Steps::live(self, generation);
            let is_new = |(_, keys)| left(keys).is_none();
            let from = (from.position, from.keys);
            let machine = self.machine(generation);
            let found = machine.search_beside(from, &is_new, &steps, usize::MAX, fuel)?;
            return Ok(found.is_some());
        }
        let mut seen = FxHashSet::from_iter([from]);
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            let live = self.machine(generation).live_bytes(at.position);
            for byte in (0..=255).filter(|&byte| live.has(byte)) {
                fuel.spend(1)?;
                let Some(next) = self.step_freely(generation, at, byte, fuel)? else { continue };
                if left(next.keys).is_none() {
                    return Ok(true);
                }
                if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        Ok(false)
    }
}
