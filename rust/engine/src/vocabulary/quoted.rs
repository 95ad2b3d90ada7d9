//! Tokens with several quotation marks: the only ones that can hold a whole string of JSON.

use super::Vocabulary;
use crate::ids::TokenId;

impl Vocabulary {
    /// The tokens with at least two quotation marks, each with how many, those with most first.
    pub(crate) fn quoted(&self) -> &[(u32, TokenId)] {
        self.quoted.get_or_init(|| {
            let marks = |bytes: &[u8]| bytes.iter().filter(|&&b| b == b'"').count() as u32;
            let ids = 0..self.vocab_size() as TokenId;
            let all = ids.filter_map(|id| Some((marks(self.token_bytes(id)?), id)));
            let mut several: Vec<_> = all.filter(|t| t.0 >= 2).collect();
            several.sort_unstable_by_key(|&(marks, id)| (std::cmp::Reverse(marks), id));
            several.into()
        })
    }
}
