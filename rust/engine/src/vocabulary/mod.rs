//! The tokens of a model: the bytes of each id, the ids that end a text, and those that are no text.

mod bitmaps;
mod quoted;
pub(crate) mod readings;
mod runs;
mod saved;
mod spelling;
pub(crate) mod split;
mod stops;
mod tokenizer_json;
pub(crate) mod trie;

pub(crate) use bitmaps::Bitmap;
pub use spelling::Spelling;
pub use stops::known_stops;

use std::sync::{Arc, OnceLock};

use crate::error::Error;
use crate::ids::TokenId;

/// Most ids of a vocabulary: far above any model's, and low enough that a mistaken id allocates no gigabytes.
const MAX_SIZE: usize = 1 << 24;

/// A model's tokens. Immutable, so that one can be shared by all that uses it.
pub struct Vocabulary {
    /// The bytes of all text tokens, in the order of their ids.
    bytes: Vec<u8>,
    /// Where the bytes of each id begin, and one more for the end. An id without any is not text.
    offsets: Vec<u32>,
    /// Sorted, without duplicates.
    stop: Vec<TokenId>,
    /// Sorted, without duplicates.
    special: Vec<TokenId>,
    missing: Vec<u8>,
    fingerprint: String,
    /// Made when a grammar is first compiled for it.
    trie: OnceLock<Arc<trie::Trie>>,
    splits: split::Splits,
    /// Of finished masks.
    bitmaps: bitmaps::Bitmaps,
    /// Made when first asked for.
    punctuated: OnceLock<Box<[(u32, TokenId)]>>,
    bracketed: OnceLock<Box<[(bool, TokenId)]>>,
}

impl Vocabulary {
    /// The vocabulary where `tokens[id]` are the bytes of each id.
    ///
    /// `vocab_size` is the width of the model's logits, the length of `tokens` if it is not given: tokens from there
    /// on are dropped, and ids up to there without a token are holes. Neither `stop` nor `special` ids ever stand for
    /// text, nor do tokens without any byte. Several ids may have the same bytes.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] if there is no text token or no stop id, or if an id is outside the vocabulary.
    pub fn new(
        tokens: Vec<Option<Vec<u8>>>,
        stop: &[TokenId],
        special: &[TokenId],
        vocab_size: Option<usize>,
    ) -> Result<Self, Error> {
        let size = vocab_size.unwrap_or(tokens.len());
        check_size(size)?;
        if stop.is_empty() {
            return Err(Error::Vocabulary(
                "no stop token id is given: at least one token must end a text (stop_token_ids)"
                    .into(),
            ));
        }
        check_ids("stop", stop, size)?;
        check_ids("special", special, size)?;
        let mut is_text = vec![true; size];
        for &id in stop.iter().chain(special) {
            is_text[id as usize] = false;
        }
        let mut bytes = Vec::with_capacity(tokens.len() * 8);
        let mut offsets = Vec::with_capacity(size + 1);
        offsets.push(0);
        for (token, is_text) in tokens.iter().zip(is_text) {
            if let Some(token) = token.as_ref().filter(|_| is_text) {
                bytes.extend_from_slice(token);
            }
            let end = u32::try_from(bytes.len()).map_err(|_| {
                Error::Vocabulary(format!("the tokens have more than {} bytes in total", u32::MAX))
            })?;
            offsets.push(end);
        }
        if bytes.is_empty() {
            return Err(Error::Vocabulary(format!(
                "no token of the {size} in the vocabulary stands for text"
            )));
        }
        offsets.resize(size + 1, bytes.len() as u32);
        Ok(Self::assemble(bytes, offsets, stop.to_vec(), special.to_vec()))
    }

    /// Every byte as a token of its own, with the byte as its id, and 256 as the stop token.
    pub fn byte_level() -> Self {
        let mut offsets: Vec<u32> = (0..=256).collect();
        offsets.push(256);
        Self::assemble((0..=255).collect(), offsets, vec![256], Vec::new())
    }

    fn assemble(
        bytes: Vec<u8>,
        offsets: Vec<u32>,
        mut stop: Vec<TokenId>,
        mut special: Vec<TokenId>,
    ) -> Self {
        for ids in [&mut stop, &mut special] {
            ids.sort_unstable();
            ids.dedup();
        }
        let mut present = [false; 256];
        for pair in offsets.windows(2) {
            if pair[1] - pair[0] == 1 {
                present[bytes[pair[0] as usize] as usize] = true;
            }
        }
        let missing = (0..=255).filter(|&b| !present[b as usize]).collect();
        let fingerprint = fingerprint(&bytes, &offsets, &stop, &special);
        let (trie, punctuated, bracketed) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let splits = split::Splits::default();
        let bitmaps = bitmaps::Bitmaps::default();
        Self {
            bytes,
            offsets,
            stop,
            special,
            missing,
            fingerprint,
            trie,
            splits,
            bitmaps,
            punctuated,
            bracketed,
        }
    }

    /// The number of ids, holes included: the width of a mask.
    pub fn vocab_size(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The ids that end a text, sorted.
    pub fn stop_token_ids(&self) -> &[TokenId] {
        &self.stop
    }

    /// The ids that were declared special, sorted. A stop id is among them only if it was declared so.
    pub fn special_token_ids(&self) -> &[TokenId] {
        &self.special
    }

    /// The bytes, ascending, that no token has as its whole text: a text with one of them may be out of reach.
    pub fn missing_bytes(&self) -> &[u8] {
        &self.missing
    }

    /// None for a special token, a stop token, a hole or an id outside the vocabulary.
    pub fn token_bytes(&self, id: TokenId) -> Option<&[u8]> {
        let (&start, &end) = (self.offsets.get(id as usize)?, self.offsets.get(id as usize + 1)?);
        (start < end).then(|| &self.bytes[start as usize..end as usize])
    }

    /// The bytes of these tokens, one after the other. Tokens that are not text contribute none.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] for an id outside the vocabulary.
    pub fn decode(&self, ids: &[TokenId]) -> Result<Vec<u8>, Error> {
        check_ids("token", ids, self.vocab_size())?;
        Ok(ids.iter().filter_map(|&id| self.token_bytes(id)).flatten().copied().collect())
    }

    /// Bytes of memory, the token trie and what masks share of it included.
    pub fn memory_bytes(&self) -> usize {
        let trie = self.trie().memory_bytes();
        self.bytes.len() + self.offsets.len() * 4 + trie + self.splits.bytes()
    }

    /// The bitmap of these words, which all masks with the same share.
    pub(crate) fn bitmap(&self, words: &[u32]) -> Arc<Bitmap> {
        self.bitmaps.intern(words)
    }

    /// The tokens as a trie.
    pub(crate) fn trie(&self) -> &Arc<trie::Trie> {
        self.trie.get_or_init(|| {
            let ids = 0..self.vocab_size() as TokenId;
            let tokens = ids.filter_map(|id| Some((self.token_bytes(id)?, id)));
            Arc::new(trie::Trie::new(0, tokens.collect()))
        })
    }

    /// The same for two vocabularies only if they have the same size and the same text, stop and special tokens.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary")
            .field("vocab_size", &self.vocab_size())
            .field("stop", &self.stop)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}

fn check_size(size: usize) -> Result<(), Error> {
    match size {
        0 => Err(Error::Vocabulary("the vocabulary is empty: its size is 0".into())),
        1..=MAX_SIZE => Ok(()),
        _ => Err(Error::Vocabulary(format!(
            "a vocabulary of {size} ids exceeds the {MAX_SIZE} supported"
        ))),
    }
}

fn check_ids(kind: &str, ids: &[TokenId], size: usize) -> Result<(), Error> {
    match ids.iter().find(|&&id| id as usize >= size) {
        Some(id) => Err(Error::Vocabulary(format!(
            "{kind} id {id} is outside the vocabulary of {size} ids (0 to {})",
            size - 1
        ))),
        None => Ok(()),
    }
}

fn fingerprint(bytes: &[u8], offsets: &[u32], stop: &[TokenId], special: &[TokenId]) -> String {
    let mut hasher = blake3::Hasher::new();
    // Each part is preceded by its length, so that no two vocabularies are written the same.
    for numbers in [offsets, stop, special] {
        hasher.update(&(numbers.len() as u64).to_le_bytes());
        let mut flat = vec![0; numbers.len() * 4];
        for (bytes, number) in flat.chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        hasher.update(&flat);
    }
    hasher.update(bytes);
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests;
