//! Takes from a mask the tokens that the tracker lets lead nowhere: they come to a key or an item that cannot end, or
//! to an item that equals an earlier one.
//!
//! Close by, the token trie is walked: where keys and items can run out or turn out to be old ones, and outside of
//! strings wherever items are compared. Beyond the first string that is new, only few tokens come to a further key or
//! item, and each that the mask allows is tried.

use super::endings::Endings;
use super::steps::Joint;
use super::{Generation, Inner, Spot};
use crate::automaton::{Fuel, Reach};
use crate::error::Error;
use crate::ids::TokenId;
use crate::keys::{Keys, KeysId};

impl Inner {
    /// Whether there are such tokens at a spot, perhaps.
    pub(crate) fn may_lack_ends(&self, generation: &Generation, spot: Spot) -> bool {
        let Some(keys) = self.keys(generation) else { return false };
        let tables = &generation.tables;
        self.grammar.scoped_keys
            || tables.has_scarce_keys()
            || tables.has_distinct_items()
                && (keys.notes(spot.keys) || self.vocabulary.pairs().next().is_some())
    }

    /// Whether nothing of a mask has to be cleared, as far as is known.
    pub(crate) fn clears_nothing(&self, generation: &Generation, spot: Spot) -> bool {
        let Some(keys) = self.keys(generation) else { return true };
        keys.clears_nothing(spot.keys, &self.vocabulary, self.grammar.scoped_keys)
            && self.known_endless(generation, spot).is_some_and(<[_]>::is_empty)
    }

    /// These tokens, if they were found out before, or there are none.
    pub(crate) fn known_endless<'a>(
        &self,
        generation: &'a Generation,
        spot: Spot,
    ) -> Option<&'a [TokenId]> {
        if !self.may_lack_ends(generation, spot) {
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
        let Some(keys) = self.keys(generation).filter(|_| self.may_lack_ends(generation, from))
        else {
            return Ok(());
        };
        let before = words.to_vec();
        self.clear_near(generation, &keys, from, words, fuel)?;
        if self.grammar.scoped_keys {
            let tokens = keys.leaving(from.keys, &self.vocabulary, words);
            self.clear_tried(generation, tokens.into_iter(), from, words, fuel)?;
        }
        if generation.tables.has_scarce_keys() {
            let tokens = keys.candidates(from.keys, &self.vocabulary).copied();
            self.clear_tried(generation, tokens, from, words, fuel)?;
        }
        if generation.tables.has_distinct_items() {
            if keys.notes(from.keys) {
                self.clear_tried(generation, self.vocabulary.item_ends(), from, words, fuel)?;
            } else {
                self.clear_tried(generation, self.vocabulary.pairs(), from, words, fuel)?;
            }
        }
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

    /// Clears the bits of those of these tokens that cannot follow.
    fn clear_tried(
        &self,
        generation: &Generation,
        tokens: impl Iterator<Item = TokenId>,
        from: Spot,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let in_string = self.keys(generation).is_some_and(|keys| keys.in_string(from.keys));
        for id in tokens {
            let word = &mut words[id as usize / 32];
            if *word >> (id % 32) & 1 == 0 {
                continue;
            }
            let Some(bytes) = self.vocabulary.token_bytes(id) else { continue };
            // Without a quotation mark it stays in the string.
            if in_string && !bytes.contains(&b'"') {
                continue;
            }
            if self.follow(generation, from, bytes, fuel)?.is_none() {
                *word &= !(1 << (id % 32));
            }
        }
        Ok(())
    }

    /// The same for all tokens, as far as they stay close by.
    fn clear_near(
        &self,
        generation: &Generation,
        keys: &Keys<'_>,
        from: Spot,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let scarce = generation.tables.has_scarce_keys();
        let is_near =
            |at: KeysId| keys.left(at, scarce).is_some() || keys.notes(at) && !keys.in_string(at);
        if !is_near(from.keys) {
            return Ok(());
        }
        let machine = self.machine(generation);
        let trie = self.vocabulary.trie();
        let mut path = vec![from];
        let mut node = 1;
        while node < trie.byte.len() {
            let depth = trie.depth[node] as usize;
            let after = trie.skip[node] as usize;
            fuel.spend(1)?;
            let refused = match self.joint(generation, path[depth - 1], trie.byte[node], fuel)? {
                Joint::Dead => false,
                Joint::Refused => true,
                Joint::On(next)
                    if !machine.is_live(next.position, &mut Reach(u32::MAX), fuel)? =>
                {
                    false
                }
                Joint::On(next) if !self.can_end(generation, next, fuel)? => true,
                Joint::On(next) if is_near(next.keys) => {
                    path.truncate(depth);
                    path.push(next);
                    node += 1;
                    continue;
                }
                Joint::On(_) => false,
            };
            if refused {
                for &id in &trie.order[trie.first[node] as usize..trie.first[after] as usize] {
                    words[id as usize / 32] &= !(1 << (id % 32));
                }
            }
            node = after;
        }
        Ok(())
    }
}
