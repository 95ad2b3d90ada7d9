//! Whether a text can still be completed.
//!
//! Without obligations every position can: the networks hold nothing that cannot end. With them, a terminal may be
//! followed only by what its longer matches begin with too, and then nothing can follow it. That is found out by
//! searching for a way to the end. To search once and not for each stack, the question is split: a local state is
//! *sound* if its frame can end owing nothing, a stack is sound if each place that it returns to can do the same.
//! Where both hold the position is live; only otherwise the whole of it is searched.

use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;

use super::context::{Contexts, ReturnId};
use super::fuel::Fuel;
use super::local::{Await, LocalId, Point};
use super::machine::Machine;
use super::position::{Position, Reach, Strand};
use super::stack::{Stack, StackId};
use crate::error::Error;

/// What is known of a local state.
const UNKNOWN: u8 = 0;
const SOUND: u8 = 1;
const UNSOUND: u8 = 2;

impl Machine<'_> {
    /// Whether some text goes on from here to a complete one. `reach` is lowered if that depends on more of the stack
    /// than that all of it is sound.
    pub(crate) fn is_live(
        &self,
        position: Position,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        if position == Position::DEAD {
            return Ok(false);
        }
        if !self.core.has_obligations() {
            return Ok(true);
        }
        for strand in self.strands(position) {
            let local = self.tables.locals.get(strand.local);
            if local.done || local.tokens {
                return Ok(true);
            }
        }
        for strand in self.strands(position) {
            if self.is_sound(strand.local, fuel)? && self.is_sound_stack(strand.stack, fuel)? {
                return Ok(true);
            }
        }
        reach.0 = 0;
        if let Some(known) = self.tables.live.get(position) {
            return Ok(known);
        }
        let goal = |m: &Self, p: Position| {
            m.is_done(p) || m.wants_special(p) || m.tables.live.get(p) == Some(true)
        };
        let found = self.search(position, goal, fuel)?.is_some();
        Ok(self.tables.live.set(position, found))
    }

    /// Whether a frame in this state can end owing nothing.
    fn is_sound(&self, local: LocalId, fuel: &mut Fuel) -> Result<bool, Error> {
        let known = &self.tables.locals.get(local).sound;
        match known.load(Ordering::Acquire) {
            UNKNOWN => {}
            known => return Ok(known == SOUND),
        }
        let alone = Position::single(Strand { local, stack: Stack::ROOT });
        let sound = self.search(alone, Self::owes_nothing, fuel)?.is_some();
        known.store(if sound { SOUND } else { UNSOUND }, Ordering::Release);
        Ok(sound)
    }

    /// Whether every frame of the stack, once returned to, can end owing nothing.
    pub(crate) fn is_sound_stack(&self, stack: StackId, fuel: &mut Fuel) -> Result<bool, Error> {
        let memo = &self.tables.sound_stacks;
        let mut todo = vec![stack];
        // Edges looked at so far of each open node.
        let mut open: FxHashMap<StackId, bool> = FxHashMap::default();
        while let Some(&node) = todo.last() {
            if memo.get(node).is_some() {
                todo.pop();
                continue;
            }
            let edges = self.tables.stacks.edges(node);
            if let Entry::Vacant(entry) = open.entry(node) {
                let mut sound = true;
                for &(at, below) in edges {
                    if at != Contexts::DONE {
                        sound &= self.is_sound_return(at, fuel)?;
                        todo.push(below);
                    }
                }
                entry.insert(sound);
                continue;
            }
            let below = edges.iter().all(|e| e.0 == Contexts::DONE || memo.get(e.1) == Some(true));
            memo.set(node, open[&node] && below);
        }
        Ok(memo.get(stack) == Some(true))
    }

    fn is_sound_return(&self, at: ReturnId, fuel: &mut Fuel) -> Result<bool, Error> {
        if let Some(known) = self.tables.sound_returns.get(at) {
            return Ok(known);
        }
        let (node, context) = self.tables.contexts.place(at);
        let made = self.close_point(Point { node, context, obligation: 0 }, fuel)?;
        let made = self.parts(made);
        let sound = made.pops.contains(&0) || (made.stay != 0 && self.is_sound(made.stay, fuel)?);
        Ok(self.tables.sound_returns.set(at, sound))
    }

    fn owes_nothing(&self, position: Position) -> bool {
        self.strands(position).any(|s| {
            let items = &self.tables.locals.get(s.local).items;
            items.iter().any(|i| i.awaits == Await::Nothing && i.obligation == 0)
        })
    }
}
