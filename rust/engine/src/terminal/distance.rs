//! The shortest way from a conditional state to a match, or that there is none.
//!
//! A best-first search (A*) over transitions to states that may be dead. Its estimate is what each thread has to read
//! at least. What it finds is kept with the states on the way, so that a text that goes on along it searches no more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use crate::error::Error;

impl Lexer {
    /// Whether some rest of the text leads from a state to a match. Also finds out whether a non-empty one does.
    pub(super) fn is_live(&self, run: Run<'_>, id: u32, fuel: &mut Fuel) -> Result<bool, Error> {
        let state = self.get(id);
        let Some(conditional) = &state.conditional else {
            return Ok(state.ends_here() || !state.is_dead());
        };
        if self.distance(run, id, fuel)? == u32::MAX {
            return Ok(false);
        }
        if state.ends_here() && conditional.goes_on.get().is_none() {
            let mut goes_on = false;
            for byte in state.bounds.firsts() {
                let next = self.raw_step(run, id, byte, fuel)?;
                if self.distance(run, next, fuel)? != u32::MAX {
                    goes_on = true;
                    break;
                }
            }
            conditional.goes_on.get_or_init(|| goes_on);
        }
        Ok(true)
    }

    /// Fewest bytes from a state to a match; `u32::MAX` if there is none.
    pub(crate) fn distance(&self, run: Run<'_>, id: u32, fuel: &mut Fuel) -> Result<u32, Error> {
        if let Some(known) = self.known_distance(id) {
            return Ok(known);
        }
        // Each reached state: its best known distance from here, and the one before it.
        let mut reached: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        reached.insert(id, (0, id));
        let mut queue = BinaryHeap::from([Reverse((self.get(id).least, Reverse(0), id))]);
        while let Some(Reverse((_, Reverse(length), at))) = queue.pop() {
            fuel.spend(1)?;
            if reached[&at].0 < length {
                continue;
            }
            if let Some(rest) = self.known_distance(at) {
                let total = length + rest;
                let mut on = at;
                loop {
                    let (length, before) = reached[&on];
                    self.set_distance(on, total - length);
                    if on == id {
                        return Ok(total);
                    }
                    on = before;
                }
            }
            for byte in self.get(at).bounds.firsts() {
                fuel.spend(1)?;
                let next = self.raw_step(run, at, byte, fuel)?;
                let length = length + 1;
                let least = match self.known_distance(next) {
                    Some(u32::MAX) => continue,
                    Some(known) => known,
                    None => self.get(next).least,
                };
                if reached.get(&next).is_none_or(|known| known.0 > length) {
                    reached.insert(next, (length, at));
                    queue.push(Reverse((length.saturating_add(least), Reverse(length), next)));
                }
            }
        }
        // No state that was reached leads to a match.
        let mut dead: Vec<u32> = reached.into_keys().collect();
        dead.sort_unstable();
        dead.into_iter().for_each(|state| self.set_distance(state, u32::MAX));
        Ok(u32::MAX)
    }

    fn known_distance(&self, id: u32) -> Option<u32> {
        let state = self.get(id);
        match &state.conditional {
            _ if state.ends_here() => Some(0),
            None => Some(state.least),
            Some(conditional) => conditional.distance(),
        }
    }

    fn set_distance(&self, id: u32, distance: u32) {
        if let Some(conditional) = &self.get(id).conditional {
            conditional.set_distance(distance);
        }
    }
}
