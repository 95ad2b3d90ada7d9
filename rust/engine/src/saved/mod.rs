//! Grammars and compiled grammars as bytes, to be loaded again by the same release.
//!
//! A compiled grammar is saved as its grammar and its limits, and compiled anew when it is loaded, which takes a fraction
//! of what reading its source takes; what sources make on demand is described by what the source was made from. So what
//! is loaded is exactly what was saved. A hash at the end tells damage of any kind.

mod read;
mod write;

use std::sync::Arc;

use crate::codec::{Reader, Writer, damaged, refused};
use crate::compiled::CompiledGrammar;
use crate::error::Error;
use crate::grammar::Grammar;
use crate::vocabulary::Vocabulary;

const GRAMMAR: &[u8; 8] = b"stkmskG\n";
const COMPILED: &[u8; 8] = b"stkmskC\n";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Bytes of the hash at the end.
const HASH: usize = 32;

impl Grammar {
    /// The grammar as bytes, for [`Grammar::from_bytes`].
    ///
    /// # Errors
    /// [`Error::Grammar`] if a source of it cannot be saved, or a pattern is nested too deeply.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut out = begin(GRAMMAR);
        write::grammar(&mut out, self)?;
        Ok(seal(out))
    }

    /// The grammar that [`Grammar::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Grammar`] if the bytes are no saved grammar, of another release, or damaged.
    pub fn from_bytes(saved: &[u8]) -> Result<Self, Error> {
        let mut left = open(saved, GRAMMAR)?;
        let grammar = read::grammar(&mut left)?;
        left.end()?;
        Ok(grammar)
    }
}

impl CompiledGrammar {
    /// The compiled grammar as bytes, for [`CompiledGrammar::from_bytes`]. The vocabulary is not among them.
    ///
    /// # Errors
    /// As [`Grammar::to_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut out = begin(COMPILED);
        out.text(self.vocabulary().fingerprint());
        out.limits(&self.inner.core.limits);
        write::grammar(&mut out, &self.inner.grammar)?;
        Ok(seal(out))
    }

    /// The compiled grammar that [`CompiledGrammar::to_bytes`] wrote, for the vocabulary that it was compiled for.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] if the vocabulary is another one; [`Error::Grammar`] if the bytes are no saved compiled
    /// grammar, of another release, or damaged.
    pub fn from_bytes(saved: &[u8], vocabulary: Arc<Vocabulary>) -> Result<Self, Error> {
        let mut left = open(saved, COMPILED)?;
        if left.text()? != vocabulary.fingerprint() {
            return Err(Error::Vocabulary(
                "the compiled grammar was saved with another vocabulary: their fingerprints differ"
                    .into(),
            ));
        }
        let limits = left.limits()?;
        let grammar = Arc::new(read::grammar(&mut left)?);
        left.end()?;
        Self::of(grammar, vocabulary, &limits)
    }
}

fn begin(magic: &[u8; 8]) -> Writer {
    let mut out = Writer { bytes: magic.to_vec() };
    out.text(VERSION);
    out
}

fn seal(out: Writer) -> Vec<u8> {
    let mut bytes = out.bytes;
    let hash = blake3::hash(&bytes);
    bytes.extend_from_slice(hash.as_bytes());
    bytes
}

/// What stands behind the version. The version is looked at first, so that bytes of other releases are told as such.
fn open<'a>(saved: &'a [u8], magic: &[u8; 8]) -> Result<Reader<'a>, Error> {
    let mut whole = Reader { left: saved };
    if whole.take(magic.len())? != magic {
        return Err(refused("they do not begin as one"));
    }
    let version = whole.text()?;
    if version != VERSION {
        return Err(refused(&format!(
            "they are of release {version:?}, and this is release {VERSION:?}: save the grammar anew"
        )));
    }
    let Some((left, hash)) = whole.left.split_last_chunk::<HASH>() else {
        return Err(damaged());
    };
    if blake3::hash(&saved[..saved.len() - HASH]).as_bytes() != hash {
        return Err(damaged());
    }
    Ok(Reader { left })
}

#[cfg(test)]
mod tests;
