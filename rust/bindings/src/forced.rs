//! The tokens of a forced text that no continuation of it could change.

use crate::convert::token_ids;
use crate::errors::MatcherError;
use crate::vocabulary::Vocabulary;
use pyo3::prelude::*;
use stackmask::TokenId;

fn matcher_error(text: String) -> PyErr {
    MatcherError::new_err(text)
}

/// Encodes the whole characters of `forced` and drops the tail that longer text could merge
/// differently.
pub(crate) fn tokens(
    forced: &[u8],
    encode: &Bound<'_, PyAny>,
    vocabulary: &Vocabulary,
) -> PyResult<Vec<TokenId>> {
    // Forced bytes may end within a character, and `encode` takes text.
    let text = match std::str::from_utf8(forced) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&forced[..error.valid_up_to()]).unwrap_or_default(),
    };
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut ids = token_ids(&encode.call1((text,))?, matcher_error)?;
    let ends = token_ends(&ids, text, vocabulary)?;
    let stable = stable_length(text.as_bytes(), vocabulary);
    ids.truncate(ends.partition_point(|&end| end <= stable));
    Ok(ids)
}

/// Where each token ends in `text`. An encoding that spells anything else would put text before
/// the model that the grammar did not force.
fn token_ends(ids: &[TokenId], text: &str, vocabulary: &Vocabulary) -> PyResult<Vec<usize>> {
    let mut rest = text.as_bytes();
    let mut ends = Vec::with_capacity(ids.len());
    for &id in ids {
        let bytes = vocabulary.inner.token_bytes(id);
        let Some(shorter) = bytes.and_then(|bytes| rest.strip_prefix(bytes)) else {
            return Err(matcher_error(format!(
                "encode({text:?}) gives token {id}, which does not spell the text"
            )));
        };
        rest = shorter;
        ends.push(text.len() - rest.len());
    }
    if rest.is_empty() {
        return Ok(ends);
    }
    Err(matcher_error(format!("encode({text:?}) leaves out its last {} bytes", rest.len())))
}

/// The length of the part of `text` that no token can reach into from beyond the end: a token
/// that starts at or after it may also take bytes that are not known yet.
fn stable_length(text: &[u8], vocabulary: &Vocabulary) -> usize {
    (0..text.len()).find(|&start| vocabulary.extends(&text[start..])).unwrap_or(text.len())
}
