//! A finished mask, as a short list of ids or as a bitmap.

use crate::ids::TokenId;

/// Masks of up to this many tokens are kept as a list: clearing a row and setting a few bits touches less memory than
/// copying a bitmap.
const FEW: usize = 32;

#[derive(Debug)]
pub(crate) enum Stored {
    Few(Box<[TokenId]>),
    Bitmap(Box<[u32]>),
}

impl Stored {
    pub(crate) fn new(words: &[u32]) -> Self {
        let count: u32 = words.iter().map(|w| w.count_ones()).sum();
        if count as usize > FEW {
            return Self::Bitmap(words.into());
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

    /// Writes the mask over `words`, which is exactly as long as one.
    #[inline]
    pub(crate) fn write(&self, words: &mut [u32]) {
        match self {
            Self::Few(ids) => {
                words.fill(0);
                for &id in ids {
                    words[id as usize / 32] |= 1 << (id % 32);
                }
            }
            Self::Bitmap(bits) => words.copy_from_slice(bits),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Few(ids) => ids.len() * 4 + 32,
            Self::Bitmap(bits) => bits.len() * 4 + 32,
        }
    }
}
