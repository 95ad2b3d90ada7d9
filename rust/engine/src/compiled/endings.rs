//! A key that is begun must be able to end, as one that its object has not had.
//!
//! That matters where some beginning of a key leaves finitely many ways to complete it: all of them may be used up.
//! The answer is found by walking the used keys along the position. Most often the first byte that none of them has
//! ends the walk.

use rustc_hash::FxHashSet;

use super::{Generation, Inner, Spot};
use crate::automaton::{Arena, Beside, Fuel, Memo, Position, Reach};
use crate::error::Error;
use crate::ids::TokenId;
use crate::keys::{Keys, Left};

/// What was found out of keys and their ends.
pub(super) struct Endings {
    /// Whether keys can end.
    known: Memo<(Position, Left), bool>,
    /// The tokens that cannot follow for that reason, by their number.
    cleared: Memo<Spot, u32>,
    lists: Arena<Box<[TokenId]>>,
}

impl Endings {
    pub(super) fn new() -> Self {
        Self { known: Memo::new(), cleared: Memo::new(), lists: Arena::new() }
    }
}

impl Inner {
    /// What follows keys, if keys may run out here.
    pub(crate) fn scarce_keys<'a>(&'a self, generation: &'a Generation) -> Option<Keys<'a>> {
        self.keys(generation).filter(|_| generation.tables.has_scarce_keys())
    }

    /// Whether the key that the text stands in, or comes to next, can be one that its object has not had.
    pub(crate) fn key_can_end(
        &self,
        generation: &Generation,
        spot: Spot,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        let Some(keys) = self.scarce_keys(generation) else { return Ok(true) };
        let Some(left) = keys.left(spot.keys) else { return Ok(true) };
        let known = &generation.endings.known;
        if let Some(known) = known.get((spot.position, left)) {
            return Ok(known);
        }
        let found = self.search_ending(generation, &keys, spot, fuel)?;
        generation.tables.meter.add(64);
        Ok(known.set((spot.position, left), found))
    }

    fn search_ending(
        &self,
        generation: &Generation,
        keys: &Keys<'_>,
        from: Spot,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        let mut seen = FxHashSet::from_iter([from]);
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            let live = self.machine(generation).live_bytes(at.position);
            for byte in (0..=255).filter(|&byte| live.has(byte)) {
                fuel.spend(1)?;
                let Some(next) = self.step_freely(generation, at, byte, fuel)? else { continue };
                if keys.left(next.keys).is_none() {
                    return Ok(true);
                }
                if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        Ok(false)
    }

    /// A step that does not ask whether a key can end.
    fn step_freely(
        &self,
        generation: &Generation,
        from: Spot,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<Spot>, Error> {
        let machine = self.machine(generation);
        let position = machine.step(from.position, byte, &mut Reach(u32::MAX), fuel)?;
        if position == Position::DEAD || !machine.is_live(position, &mut Reach(u32::MAX), fuel)? {
            return Ok(None);
        }
        let keys = self.beside(generation).step(from.keys, byte)?;
        Ok(keys.map(|keys| Spot { position, keys }))
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
        Ok(self.key_can_end(generation, next, fuel)?.then_some(next))
    }

    /// The tokens of the mask at a spot after which the text would stand in a key that cannot end, if that was found
    /// out before, or nothing has to be.
    pub(crate) fn known_endless<'a>(
        &self,
        generation: &'a Generation,
        spot: Spot,
    ) -> Option<&'a [TokenId]> {
        if self.scarce_keys(generation).is_none() {
            return Some(&[]);
        }
        let Endings { cleared, lists, .. } = &generation.endings;
        cleared.get(spot).map(|list| &**lists.get(list))
    }

    /// Clears their bits in the mask, and remembers them.
    pub(crate) fn clear_endless(
        &self,
        generation: &Generation,
        from: Spot,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let Some(keys) = self.scarce_keys(generation) else { return Ok(()) };
        let before = words.to_vec();
        self.clear_within(generation, &keys, from, words, fuel)?;
        self.clear_beyond(generation, &keys, from, words, fuel)?;
        let mut list = Vec::new();
        for (at, (before, after)) in before.iter().zip(&*words).enumerate() {
            let mut gone = before & !after;
            while gone != 0 {
                list.push(at as u32 * 32 + gone.trailing_zeros());
                gone &= gone - 1;
            }
        }
        generation.tables.meter.add(96 + list.len() * size_of::<TokenId>());
        let Endings { cleared, lists, .. } = &generation.endings;
        cleared.set(from, lists.push(list.into()));
        Ok(())
    }

    /// Clears the bits of tokens that come to another key, and cannot end it.
    fn clear_beyond(
        &self,
        generation: &Generation,
        keys: &Keys<'_>,
        from: Spot,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        for &id in keys.candidates(from.keys, &self.vocabulary) {
            if words[id as usize / 32] >> (id % 32) & 1 == 0 {
                continue;
            }
            let Some(bytes) = self.vocabulary.token_bytes(id) else { continue };
            let Some(after) = keys.follow(from.keys, bytes)? else { continue };
            if keys.left(after).is_none() {
                continue;
            }
            let mut at = Some(from);
            for &byte in bytes {
                let Some(before) = at else { break };
                at = self.step_freely(generation, before, byte, fuel)?;
            }
            let dead = match at {
                Some(spot) => !self.key_can_end(generation, spot, fuel)?,
                None => false,
            };
            if dead {
                words[id as usize / 32] &= !(1 << (id % 32));
            }
        }
        Ok(())
    }

    /// The same for tokens that stay within the key that the text stands in, or comes to next.
    fn clear_within(
        &self,
        generation: &Generation,
        keys: &Keys<'_>,
        from: Spot,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        if keys.left(from.keys).is_none() {
            return Ok(());
        }
        let trie = self.vocabulary.trie();
        let mut path = vec![from];
        let mut node = 1;
        while node < trie.byte.len() {
            let depth = trie.depth[node] as usize;
            let after = trie.skip[node] as usize;
            fuel.spend(1)?;
            let next = self.step_freely(generation, path[depth - 1], trie.byte[node], fuel)?;
            if let Some(next) = next
                && keys.left(next.keys).is_some()
            {
                if self.key_can_end(generation, next, fuel)? {
                    path.truncate(depth);
                    path.push(next);
                    node += 1;
                    continue;
                }
                for &id in &trie.order[trie.first[node] as usize..trie.first[after] as usize] {
                    words[id as usize / 32] &= !(1 << (id % 32));
                }
            }
            node = after;
        }
        Ok(())
    }
}
