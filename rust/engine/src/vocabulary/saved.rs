//! Vocabularies as bytes, to be loaded again without the tokenizer.
//!
//! A saved vocabulary begins with a magic word and a version. The fingerprint at its end is made anew on loading, so
//! that damaged bytes are refused whatever was damaged.

use super::{MAX_SIZE, Vocabulary};
use crate::error::Error;
use crate::ids::TokenId;

const MAGIC: &[u8; 8] = b"stkmskV\n";
const VERSION: u32 = 1;

impl Vocabulary {
    /// The vocabulary as bytes, for [`Vocabulary::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = self.offsets.len() + self.stop.len() + self.special.len() + 4;
        let mut out = Vec::with_capacity(self.bytes.len() + 4 * numbers + 96);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        for list in [&self.offsets, &self.stop, &self.special] {
            out.extend_from_slice(&(list.len() as u32).to_le_bytes());
            for number in list {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
        out.extend_from_slice(&self.bytes);
        out.extend_from_slice(self.fingerprint.as_bytes());
        out
    }

    /// The vocabulary that [`Vocabulary::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] if the bytes are no saved vocabulary, of another version, or damaged.
    pub fn from_bytes(saved: &[u8]) -> Result<Self, Error> {
        let mut left = Reader(saved);
        if left.take(MAGIC.len())? != MAGIC {
            return Err(refused("they do not begin as one"));
        }
        let version = left.number()?;
        if version != VERSION {
            return Err(refused(&format!(
                "they are of version {version}, and this release reads version {VERSION}"
            )));
        }
        let offsets = left.list()?;
        let (stop, special): (Vec<TokenId>, Vec<TokenId>) = (left.list()?, left.list()?);
        let ascending = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let size = offsets.len().saturating_sub(1);
        if !ascending || offsets.first() != Some(&0) || size == 0 || size > MAX_SIZE {
            return Err(damaged());
        }
        let length = offsets.last().copied().unwrap_or_default() as usize;
        let bytes = left.take(length)?.to_vec();
        let fingerprint = left.0;
        let outside = |ids: &[TokenId]| ids.iter().any(|&id| id as usize >= size);
        if bytes.is_empty() || stop.is_empty() || outside(&stop) || outside(&special) {
            return Err(damaged());
        }
        let vocabulary = Self::assemble(bytes, offsets, stop, special);
        if vocabulary.fingerprint.as_bytes() != fingerprint {
            return Err(damaged());
        }
        Ok(vocabulary)
    }
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?.first_chunk().ok_or_else(damaged)?;
        Ok(u32::from_le_bytes(*bytes))
    }

    /// A list preceded by its length. Its bytes are taken before anything is allocated for them.
    fn list(&mut self) -> Result<Vec<u32>, Error> {
        let length = self.number()? as usize;
        let bytes = self.take(length.checked_mul(4).ok_or_else(damaged)?)?;
        let (numbers, _) = bytes.as_chunks::<4>();
        Ok(numbers.iter().map(|n| u32::from_le_bytes(*n)).collect())
    }
}

fn refused(why: &str) -> Error {
    Error::Vocabulary(format!("the bytes are no saved vocabulary: {why}"))
}

fn damaged() -> Error {
    refused("they are damaged or cut off")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vocabulary {
        let tokens = vec![Some(b"a".to_vec()), None, Some("é\0".into()), Some(b"</s>".to_vec())];
        Vocabulary::new(tokens, &[3], &[1], Some(6)).expect("a vocabulary")
    }

    #[test]
    fn what_was_saved_is_loaded() {
        for vocabulary in [sample(), Vocabulary::byte_level()] {
            let loaded =
                Vocabulary::from_bytes(&vocabulary.to_bytes()).expect("a saved vocabulary");
            assert_eq!(loaded.fingerprint(), vocabulary.fingerprint());
            assert_eq!(loaded.to_bytes(), vocabulary.to_bytes());
            for id in 0..vocabulary.vocab_size() as TokenId {
                assert_eq!(loaded.token_bytes(id), vocabulary.token_bytes(id));
            }
        }
    }

    #[test]
    fn any_change_is_refused() {
        let saved = sample().to_bytes();
        for at in 0..saved.len() {
            for bit in 0..8 {
                let mut bytes = saved.clone();
                bytes[at] ^= 1 << bit;
                assert!(Vocabulary::from_bytes(&bytes).is_err(), "bit {bit} of byte {at}");
            }
            assert!(Vocabulary::from_bytes(&saved[..at]).is_err(), "cut at {at}");
        }
        let longer = [saved, vec![0]].concat();
        assert!(Vocabulary::from_bytes(&longer).is_err());
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = sample().to_bytes();
        bytes[8] = 9;
        let error = Vocabulary::from_bytes(&bytes).expect_err("a version of the future");
        assert!(error.to_string().contains("version 9"), "{error}");
    }
}
