//! Tokens by their quotation marks, for those who follow the strings of JSON.

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
}
