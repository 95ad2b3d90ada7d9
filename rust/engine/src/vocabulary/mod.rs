//! The tokens of a model: the bytes of each id, the ids that end a text, and those that are no text.

use crate::error::Error;
use crate::ids::TokenId;

/// A model's tokens.
#[derive(Debug)]
pub struct Vocabulary {}

#[allow(unused_variables, missing_docs)]
impl Vocabulary {
    pub fn new(tokens: Vec<Option<Vec<u8>>>, stop: &[TokenId], special: &[TokenId], vocab_size: Option<usize>) -> Result<Self, Error> { unimplemented!() }
    pub fn byte_level() -> Self { unimplemented!() }
    pub fn from_tokenizer_json(text: &str, stop: Option<&[TokenId]>, special: Option<&[TokenId]>, vocab_size: Option<usize>) -> Result<Self, Error> { unimplemented!() }
    pub fn vocab_size(&self) -> usize { unimplemented!() }
    pub fn stop_token_ids(&self) -> &[TokenId] { unimplemented!() }
    pub fn special_token_ids(&self) -> &[TokenId] { unimplemented!() }
    pub fn missing_bytes(&self) -> &[u8] { unimplemented!() }
    /// None for a special token, a hole or an id outside the vocabulary.
    pub fn token_bytes(&self, id: TokenId) -> Option<&[u8]> { unimplemented!() }
    pub fn decode(&self, ids: &[TokenId]) -> Result<Vec<u8>, Error> { unimplemented!() }
    pub fn fingerprint(&self) -> &str { unimplemented!() }
}
