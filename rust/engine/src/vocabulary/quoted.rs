//! Tokens by their quotation marks and brackets, for those who follow the strings and items of JSON.

use super::Vocabulary;
use crate::ids::TokenId;

impl Vocabulary {
    /// The tokens with at least two quotation marks, each with how many, those with most first: the only ones that
    /// can hold a whole string.
    pub(crate) fn quoted(&self) -> &[(u32, TokenId)] {
        let all = self.punctuated();
        &all[..all.partition_point(|token| token.0 >= 2)]
    }

    /// The tokens with a quotation mark or a comma, in the same way: the only ones that can come to another string
    /// or to another item.
    pub(crate) fn punctuated(&self) -> &[(u32, TokenId)] {
        self.punctuated.get_or_init(|| {
            let marks = |bytes: &[u8]| bytes.iter().filter(|&&b| b == b'"').count() as u32;
            let mut found = Vec::new();
            for id in 0..self.vocab_size() as TokenId {
                let Some(bytes) = self.token_bytes(id) else { continue };
                let marks = marks(bytes);
                if marks > 0 || bytes.contains(&b',') {
                    found.push((marks, id));
                }
            }
            found.sort_unstable_by_key(|&(marks, id)| (std::cmp::Reverse(marks), id));
            found.into()
        })
    }

    /// The tokens with a closing bracket, or with a comma and the beginning of a value or key behind it: the only ones
    /// that can end a container, or go from an item into the next.
    pub(crate) fn item_ends(&self) -> impl Iterator<Item = TokenId> + '_ {
        self.bracketed().iter().map(|token| token.1)
    }

    /// Those that can do so within an array that they begin.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = TokenId> + '_ {
        self.bracketed().iter().take_while(|token| token.0).map(|token| token.1)
    }

    /// The tokens of [`Self::item_ends`], those of [`Self::pairs`] first, with whether they are of these.
    fn bracketed(&self) -> &[(bool, TokenId)] {
        self.bracketed.get_or_init(|| {
            let begins = |bytes: &[u8]| {
                let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
                first.is_some_and(|first| b"\"[{-0123456789tfn".contains(first))
            };
            let begins_behind = |bytes: &[u8], mark: u8| {
                (1..bytes.len()).find(|&at| bytes[at - 1] == mark && begins(&bytes[at..]))
            };
            let goes_on = |bytes: &[u8]| begins_behind(bytes, b',').is_some();
            let begun = |bytes: &[u8]| {
                begins_behind(bytes, b'[').is_some_and(|inside| goes_on(&bytes[inside..]))
            };
            let mut found = Vec::new();
            for id in 0..self.vocab_size() as TokenId {
                let Some(bytes) = self.token_bytes(id) else { continue };
                if goes_on(bytes) || bytes.iter().any(|byte| matches!(byte, b']' | b'}')) {
                    found.push((begun(bytes), id));
                }
            }
            found.sort_unstable_by_key(|&(begun, id)| (!begun, id));
            found.into()
        })
    }
}
