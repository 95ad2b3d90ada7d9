//! Where a walk writes a mask: into its words, and beside them into a list, as long as that stays short.

use std::sync::Arc;

use crate::ids::TokenId;
use crate::vocabulary::split::Tokens;

/// A mask is remembered as a ready bitmap and so many tokens more, or else as a bitmap of its own.
pub(super) const FEW: usize = 128;

pub(super) struct Out<'w> {
    pub(super) words: &'w mut [u32],
    /// The first ready bitmap, if it is shared.
    pub(super) base: Option<Arc<[u32]>>,
    /// Tokens that were added one by one, as long as there are few.
    pub(super) more: Option<Vec<TokenId>>,
    /// Whether nothing was written yet.
    blank: bool,
}

impl<'w> Out<'w> {
    /// Clears the words.
    pub(super) fn new(words: &'w mut [u32]) -> Self {
        words.fill(0);
        Self { words, base: None, more: Some(Vec::new()), blank: true }
    }

    pub(super) fn add(&mut self, tokens: &[TokenId]) {
        for &token in tokens {
            self.words[token as usize / 32] |= 1 << (token % 32);
        }
        self.blank &= tokens.is_empty();
        if let Some(more) = &mut self.more {
            if more.len() + tokens.len() <= FEW {
                more.extend_from_slice(tokens);
            } else {
                self.more = None;
            }
        }
    }

    /// Takes tokens out again.
    pub(super) fn clear(&mut self, tokens: &[TokenId]) {
        for &token in tokens {
            self.words[token as usize / 32] &= !(1 << (token % 32));
        }
        self.more = None;
    }

    /// Adds the tokens of another mask.
    pub(super) fn merge(&mut self, mask: &[u32]) {
        for (word, more) in self.words.iter_mut().zip(mask) {
            *word |= more;
        }
        (self.more, self.blank) = (None, false);
    }

    pub(super) fn add_tokens(&mut self, tokens: &Tokens) {
        match tokens {
            Tokens::List(list) => self.add(list),
            Tokens::Bitmap(bits) if self.blank => {
                self.words.copy_from_slice(bits);
                self.base = Some(bits.clone());
                self.blank = false;
            }
            Tokens::Bitmap(bits) => {
                self.more = None;
                for (word, bits) in self.words.iter_mut().zip(bits.iter()) {
                    *word |= bits;
                }
            }
        }
    }
}
