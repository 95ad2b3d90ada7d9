//! Takes from a mask the tokens that would repeat a key.
//!
//! A token with one quotation mark repeats a key only from inside of one, by closing it. Such tokens are found by
//! walking the token trie along what is left of the object's keys, and remembered by that. Tokens with more quotation
//! marks may hold keys of their own; they are few, and each that the mask allows is tried.

use super::escape::Read;
use super::{Escape, Keys, KeysId, Place, State, Step, UsedId, stays};
use crate::ids::TokenId;
use crate::vocabulary::Vocabulary;
use crate::vocabulary::trie::Trie;

impl Keys<'_> {
    /// Whether no token can repeat a key here. `scoped` is for keys that are followed within values alone: what begins
    /// outside of them is left to [`Keys::leaving`].
    pub(crate) fn clears_nothing(
        &self,
        keys: KeysId,
        vocabulary: &Vocabulary,
        scoped: bool,
    ) -> bool {
        let state = self.state(keys);
        let closes = matches!(state.place, Place::Text { key: true, left, .. } if left != 0);
        let most = vocabulary.quoted().first().map_or(0, |token| token.0);
        scoped && keys == Self::START || !closes && most < self.least(state)
    }

    /// How many quotation marks it takes at least to close a second key of one object.
    fn least(&self, state: State) -> u32 {
        match (state.place, self.top(state.open).any) {
            (Place::Text { key: true, .. }, _)
            | (Place::Value { .. } | Place::Text { .. }, true) => 3,
            (Place::Value { .. } | Place::Text { .. }, false) => 5,
            (Place::Outside { .. } | Place::Bare { .. }, true) => 2,
            (Place::Outside { .. } | Place::Bare { .. }, false) => 4,
        }
    }

    /// Clears the bits of tokens that cannot follow since they would repeat a key; where keys are `scoped`, one of a value
    /// that they do not leave.
    pub(crate) fn clear(
        &self,
        keys: KeysId,
        vocabulary: &Vocabulary,
        words: &mut [u32],
        scoped: bool,
    ) {
        let state = self.state(keys);
        if let Place::Text { key: true, left, escape, .. } = state.place
            && left != 0
        {
            let trie = vocabulary.trie();
            for &(from, to) in self.closing(left, escape, trie) {
                for &id in &trie.order[from as usize..to as usize] {
                    words[id as usize / 32] &= !(1 << (id % 32));
                }
            }
        }
        if scoped && keys == Self::START {
            return;
        }
        for (id, bytes) in self.doubtful(keys, vocabulary) {
            let word = &mut words[id as usize / 32];
            if *word >> (id % 32) & 1 == 1 && self.repeats(keys, bytes, scoped) == Some(true) {
                *word &= !(1 << (id % 32));
            }
        }
    }

    /// The tokens of a mask that can repeat a key outside of the value that they begin in, if any.
    pub(crate) fn leaving(
        &self,
        keys: KeysId,
        vocabulary: &Vocabulary,
        words: &[u32],
    ) -> Vec<TokenId> {
        self.doubtful(keys, vocabulary)
            .filter(|&(id, _)| words[id as usize / 32] >> (id % 32) & 1 == 1)
            .filter(|&(_, bytes)| self.repeats(keys, bytes, true).is_none())
            .map(|(id, _)| id)
            .collect()
    }

    /// The tokens that can repeat a key which they themselves begin.
    fn doubtful<'v>(
        &self,
        keys: KeysId,
        vocabulary: &'v Vocabulary,
    ) -> impl Iterator<Item = (TokenId, &'v [u8])> {
        let least = self.least(self.state(keys));
        let tokens = vocabulary.quoted().iter().take_while(move |token| token.0 >= least);
        tokens.filter_map(|&(_, id)| Some((id, vocabulary.token_bytes(id)?)))
    }

    /// Tokens behind which another key of some object may be begun or due, where its object has had keys.
    pub(crate) fn candidates<'v>(
        &self,
        keys: KeysId,
        vocabulary: &'v Vocabulary,
    ) -> impl Iterator<Item = &'v TokenId> {
        let least = self.least(self.state(keys));
        // Two marks fewer than a second key takes: neither its own two nor the one before.
        let tokens = vocabulary.punctuated().iter();
        tokens.take_while(move |token| token.0 + 2 >= least).map(|token| &token.1)
    }

    /// Whether a token repeats a key; where keys are `scoped`, `None` if it is outside of all values before it does.
    fn repeats(&self, keys: KeysId, bytes: &[u8], scoped: bool) -> Option<bool> {
        let mut at = keys;
        for &byte in bytes {
            if scoped && at == Self::START {
                return None;
            }
            if stays(self.state(at).place, byte) {
                continue;
            }
            // Of items nothing is asked.
            let steps = &self.table.steps;
            match steps.get((at, byte, false)).unwrap_or_else(|| self.make_step(at, byte, false)) {
                Step::On(next) | Step::Equal(next) => at = next,
                Step::Repeated => return Some(true),
            }
        }
        Some(false)
    }

    /// The runs of tokens, in the order of the trie, that complete one of these keys.
    fn closing(&self, left: UsedId, escape: Escape, trie: &Trie) -> &[(u32, u32)] {
        let table = self.table;
        if let Some(known) = table.closing.get((left, escape)) {
            return table.runs.get(known);
        }
        let mut runs = Vec::new();
        let mut path = vec![(left, escape)];
        let mut node = 1;
        while node < trie.byte.len() {
            let depth = trie.depth[node] as usize;
            let (left, escape) = path[depth - 1];
            let after = trie.skip[node] as usize;
            match escape.read(trie.byte[node]) {
                Read::On(escape, decoded) => {
                    let left = table.used.behind(left, decoded.as_slice());
                    if left != 0 {
                        path.truncate(depth);
                        path.push((left, escape));
                        node += 1;
                        continue;
                    }
                }
                Read::End(decoded) => {
                    if table.used.ends(table.used.behind(left, decoded.as_slice())) {
                        runs.push((trie.first[node], trie.first[after]));
                    }
                }
            }
            node = after;
        }
        self.meter.add(48 + runs.len() * 8);
        let id = table.closing.set((left, escape), table.runs.push(runs.into()));
        table.runs.get(id)
    }
}
