//! A finished mask: a bitmap, which masks share, or a few tokens, on top of such a bitmap or alone.

use std::sync::Arc;

use super::out::{FEW, Out};
use crate::ids::TokenId;
use crate::vocabulary::{Bitmap, Vocabulary};

#[derive(Debug)]
pub(crate) enum Stored {
    Few(Box<[TokenId]>),
    Over(Arc<[u32]>, Box<[TokenId]>),
    Bitmap(Arc<Bitmap>),
}

impl Stored {
    pub(super) fn new(out: Out<'_>, vocabulary: &Vocabulary) -> Self {
        match (out.base, out.more) {
            (base, Some(mut ids)) => {
                ids.sort_unstable();
                ids.dedup();
                match base {
                    Some(base) => Self::Over(base, ids.into()),
                    None => Self::Few(ids.into()),
                }
            }
            (_, None) => Self::Bitmap(vocabulary.bitmap(out.words)),
        }
    }

    /// A mask of which no more than its words is known.
    pub(super) fn of(words: &[u32], vocabulary: &Vocabulary) -> Self {
        let count: u32 = words.iter().map(|w| w.count_ones()).sum();
        if count as usize > FEW {
            return Self::Bitmap(vocabulary.bitmap(words));
        }
        let mut ids = Vec::with_capacity(count as usize);
        for (at, &word) in words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                ids.push(at as u32 * 32 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        Self::Few(ids.into())
    }

    /// The bitmap, if there is one, and the tokens on top of it.
    #[inline]
    pub(crate) fn parts(&self) -> (Option<&[u32]>, &[TokenId]) {
        match self {
            Self::Few(ids) => (None, ids),
            Self::Over(base, ids) => (Some(base), ids),
            Self::Bitmap(bits) => (Some(bits.words()), &[]),
        }
    }

    /// Writes the mask over `words`, which is exactly as long as one.
    #[inline]
    pub(crate) fn write(&self, words: &mut [u32]) {
        let (base, ids) = self.parts();
        match base {
            Some(base) => words.copy_from_slice(base),
            None => words.fill(0),
        }
        for &id in ids {
            words[id as usize / 32] |= 1 << (id % 32);
        }
    }

    /// Adds the mask to `words`.
    pub(super) fn add_to(&self, words: &mut [u32]) {
        let (base, ids) = self.parts();
        for (to, from) in words.iter_mut().zip(base.unwrap_or_default()) {
            *to |= from;
        }
        for &id in ids {
            words[id as usize / 32] |= 1 << (id % 32);
        }
    }

    /// Without the bitmap.
    pub(crate) fn bytes(&self) -> usize {
        self.parts().1.len() * 4 + 48
    }
}
