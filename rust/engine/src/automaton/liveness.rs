//! Whether a text can still be completed.
//!
//! Without obligations every position can: the networks hold nothing that cannot end. With them, a terminal may be
//! followed only by what its longer matches begin with too, and then nothing can follow it. That is found out by
//! searching for a way to the end. To search once and not for each stack, the question is split: a local state is
//! *sound* if its frame can end owing nothing, a stack is sound if each place that it returns to can do the same.
//! Where both hold the position is live; only otherwise the whole of it is searched.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;

use super::context::{Contexts, ReturnId, ReturnsId};
use super::fuel::Fuel;
use super::local::{Await, Item, LocalId, MoveId, Point};
use super::machine::Machine;
use super::position::{Position, Reach, Strand};
use super::stack::{Stack, StackId};
use super::table::Seen;
use crate::error::Error;

/// What is known of a local state.
const UNKNOWN: u8 = 0;
const SOUND: u8 = 1;
const UNSOUND: u8 = 2;
/// Not known, and not easily found out.
const HARD: u8 = 3;

/// Items that are followed before whole positions are, and frames on one another.
const EASY: usize = 1000;
const DEEP: u32 = 8;

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

    /// Whether that is so, where it takes little work to see.
    pub(crate) fn is_easily_live(&self, strand: Strand, fuel: &mut Fuel) -> Result<bool, Error> {
        Ok(!self.core.has_obligations()
            || self.is_easily_sound(strand.local, 0, &mut 0, fuel)? == Some(true)
                && self.is_sound_stack(strand.stack, fuel)?)
    }

    /// Whether a frame in this state can end owing nothing.
    fn is_sound(&self, local: LocalId, fuel: &mut Fuel) -> Result<bool, Error> {
        let known = &self.tables.locals.get(local).sound;
        match known.load(Ordering::Acquire) {
            UNKNOWN | HARD => {}
            known => return Ok(known == SOUND),
        }
        if let Some(found) = self.is_easily_sound(local, 0, &mut 0, fuel)? {
            return Ok(found);
        }
        let alone = Position::single(Strand { local, stack: Stack::ROOT });
        let sound = self.search(alone, Self::owes_nothing, fuel)?.is_some();
        known.store(if sound { SOUND } else { UNSOUND }, Ordering::Release);
        Ok(sound)
    }

    /// As [`Self::is_sound`], where that takes little work.
    fn is_easily_sound(
        &self,
        local: LocalId,
        depth: u32,
        looked: &mut usize,
        fuel: &mut Fuel,
    ) -> Result<Option<bool>, Error> {
        let known = &self.tables.locals.get(local).sound;
        match known.load(Ordering::Acquire) {
            UNKNOWN if depth > DEEP => return Ok(None),
            UNKNOWN => {}
            HARD => return Ok(None),
            known => return Ok(Some(known == SOUND)),
        }
        let found = self.has_sound_item(local, depth, looked, fuel)?;
        match found {
            Some(sound) => known.store(if sound { SOUND } else { UNSOUND }, Ordering::Release),
            None if depth == 0 => known.store(HARD, Ordering::Release),
            None => {}
        }
        Ok(found)
    }

    /// Whether it is easily seen that new frames can end owing nothing, and then the frame that they were pushed on.
    fn is_sound_push(
        &self,
        returns: ReturnsId,
        inner: MoveId,
        depth: u32,
        looked: &mut usize,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        if !self.ends_easily(inner, depth, looked, fuel)? {
            return Ok(false);
        }
        for &at in self.tables.contexts.list(returns) {
            if let Some(known) = self.tables.sound_returns.get(at) {
                if !known {
                    return Ok(false);
                }
                continue;
            }
            let (node, context) = self.tables.contexts.place(at);
            let made = self.close_point(Point { node, context, obligation: 0 }, fuel)?;
            if !self.ends_easily(made, depth, looked, fuel)? {
                return Ok(false);
            }
            self.tables.sound_returns.set(at, true);
        }
        Ok(true)
    }

    fn ends_easily(
        &self,
        made: MoveId,
        depth: u32,
        looked: &mut usize,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        let parts = self.parts(made);
        Ok(parts.pops.contains(&0)
            || parts.stay != 0
                && self.is_easily_sound(parts.stay, depth, looked, fuel)? == Some(true))
    }

    /// Whether one of the items alone makes its frame end owing nothing; `None` if that is not easily seen. Items are
    /// followed one by one within their frame, those nearest to its end first. Those on the way to the end are
    /// remembered.
    fn has_sound_item(
        &self,
        local: LocalId,
        depth: u32,
        looked: &mut usize,
        fuel: &mut Fuel,
    ) -> Result<Option<bool>, Error> {
        let known = &self.tables.sound_items;
        let items = &self.tables.locals.get(local).items;
        if items.iter().any(|&item| known.get(item).is_some()) {
            return Ok(Some(true));
        }
        // Items with the place of the one before, by the bytes that are left, then in order.
        let mut way: Vec<(Item, usize)> = Vec::new();
        let mut queue = BinaryHeap::new();
        let mut seen = Seen::default();
        let mut reach = |item: Item, before: usize, way: &mut Vec<_>, queue: &mut BinaryHeap<_>| {
            let rest = self.item_rest(&item);
            if rest != u32::MAX && seen.insert(item) {
                queue.push(Reverse((rest, way.len())));
                way.push((item, before));
            }
        };
        for &item in items {
            reach(item, usize::MAX, &mut way, &mut queue);
        }
        // Whether all ways were followed to their end.
        let mut within = true;
        while let Some(Reverse((_, at))) = queue.pop() {
            let (item, _) = way[at];
            *looked += 1;
            if *looked > EASY {
                return Ok(None);
            }
            let mut sound =
                known.get(item).is_some() || item.awaits == Await::Nothing && item.obligation == 0;
            if !sound && let Await::Lexer(lexer, _) = item.awaits {
                let state = self.tables.lexer.get(lexer);
                let owed = self.tables.obligations.get(item.obligation);
                let live = state.live.without(&owed.matching);
                let mut bounds = state.bounds;
                bounds.merge(&owed.bounds);
                for byte in bounds.firsts().filter(|&b| live.has(b)) {
                    fuel.spend(1)?;
                    let Some((next, points)) = self.step_item(item, byte, fuel)? else { continue };
                    if let Some(next) = next {
                        reach(next, at, &mut way, &mut queue);
                    }
                    for point in points {
                        let parts = self.parts(self.close_point(point, fuel)?);
                        sound |= parts.pops.contains(&0);
                        for &(returns, inner) in parts.pushes {
                            if sound {
                                break;
                            }
                            sound = self.is_sound_push(returns, inner, depth + 1, looked, fuel)?;
                            within &= sound;
                        }
                        if !sound {
                            for &next in &self.tables.locals.get(parts.stay).items {
                                reach(next, at, &mut way, &mut queue);
                            }
                        }
                    }
                    if sound {
                        break;
                    }
                }
            }
            if sound {
                let mut on = at;
                while let Some(&(item, before)) = way.get(on) {
                    self.tables.meter.add(40);
                    known.set(item, ());
                    on = before;
                }
                return Ok(Some(true));
            }
        }
        Ok(within.then_some(false))
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
