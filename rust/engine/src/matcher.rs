//! One request's place in a grammar.

#![allow(unused_variables, missing_docs)]
use crate::error::{Diagnostic, Error};
use crate::grammar::Grammar;
use crate::ids::TokenId;
use crate::limits::Limits;
use crate::vocabulary::Vocabulary;
use std::sync::Arc;

/// A grammar compiled for a vocabulary. Cheap to clone; shared by threads.
#[derive(Clone, Debug)]
pub struct CompiledGrammar {}

impl CompiledGrammar {
    pub fn new(grammar: &Grammar, vocabulary: Arc<Vocabulary>, limits: &Limits) -> Result<Self, Error> { unimplemented!() }
    pub fn matcher(&self) -> Matcher { unimplemented!() }
    /// With its own stop tokens. Errors name an id outside the vocabulary.
    pub fn matcher_with_stops(&self, stop: &[TokenId]) -> Result<Matcher, Error> { unimplemented!() }
    pub fn warnings(&self) -> &[Diagnostic] { unimplemented!() }
    pub fn memory_bytes(&self) -> usize { unimplemented!() }
    pub fn vocabulary(&self) -> &Arc<Vocabulary> { unimplemented!() }
}

/// One request's place in a grammar. `Clone` is `fork`.
#[derive(Clone, Debug)]
pub struct Matcher {}

impl Matcher {
    /// words.len() >= ceil(V/32), the rest is zeroed. True if any of the first V bits is 0.
    pub fn fill_mask(&mut self, words: &mut [u32]) -> Result<bool, Error> { unimplemented!() }
    pub fn accept_token(&mut self, id: TokenId) -> Result<bool, Error> { unimplemented!() }
    pub fn accept_tokens(&mut self, ids: &[TokenId]) -> Result<usize, Error> { unimplemented!() }
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> { unimplemented!() }
    pub fn validate_tokens(&mut self, ids: &[TokenId]) -> Result<usize, Error> { unimplemented!() }
    pub fn is_token_allowed(&mut self, id: TokenId) -> Result<bool, Error> { unimplemented!() }
    pub fn rollback(&mut self, steps: usize) -> Result<(), Error> { unimplemented!() }
    pub fn reset(&mut self) { unimplemented!() }
    pub fn num_accepted(&self) -> usize { unimplemented!() }
    pub fn is_completed(&self) -> bool { unimplemented!() }
    pub fn is_terminated(&self) -> bool { unimplemented!() }
    pub fn forced_bytes(&mut self) -> Result<Vec<u8>, Error> { unimplemented!() }
    pub fn forced_tokens(&mut self) -> Result<Vec<TokenId>, Error> { unimplemented!() }
    pub fn shortest_completion(&mut self) -> Result<Vec<u8>, Error> { unimplemented!() }
    pub fn shortest_completion_tokens(&mut self) -> Result<Vec<TokenId>, Error> { unimplemented!() }
    pub fn vocabulary(&self) -> &Arc<Vocabulary> { unimplemented!() }
}
