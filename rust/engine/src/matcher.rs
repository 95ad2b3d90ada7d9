//! One request's place in a grammar.

use std::sync::Arc;

use crate::automaton::{Fuel, Position};
use crate::compiled::{CompiledGrammar, Generation, Spot, Steps};
use crate::error::Error;
use crate::ids::TokenId;
use crate::vocabulary::Vocabulary;

/// Forced text is cut here; the caller asks again after accepting it.
const FORCED: usize = 4096;

/// One request's place in a grammar: which tokens may follow, accepting them, and taking them back.
///
/// Cloning it is how a text is forked.
#[derive(Clone)]
pub struct Matcher {
    compiled: CompiledGrammar,
    generation: Arc<Generation>,
    stop: Arc<[TokenId]>,
    /// Where the text stood before each accepted step, and now. Never empty.
    history: Vec<Spot>,
    terminated: bool,
}

/// A mask that was made before, where it lies: what [`Matcher::fill_mask`] would write.
#[derive(Clone, Copy, Debug)]
pub struct ReadyMask<'m> {
    words: Option<&'m [u32]>,
    tokens: &'m [TokenId],
    stops: &'m [TokenId],
}

impl<'m> ReadyMask<'m> {
    /// The bits of most of the tokens; all 0 if there is none.
    pub fn words(&self) -> Option<&'m [u32]> {
        self.words
    }

    /// Tokens that are allowed besides.
    pub fn tokens(&self) -> impl Iterator<Item = TokenId> + 'm {
        self.tokens.iter().chain(self.stops).copied()
    }
}

impl std::fmt::Debug for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matcher")
            .field("num_accepted", &self.num_accepted())
            .field("is_completed", &self.is_completed())
            .field("is_terminated", &self.terminated)
            .finish_non_exhaustive()
    }
}

impl CompiledGrammar {
    /// A matcher at the start of a text, with the vocabulary's stop tokens.
    pub fn matcher(&self) -> Matcher {
        self.begin(self.vocabulary().stop_token_ids().into())
    }

    /// A matcher with stop tokens of its own.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] if there is none or one is outside the vocabulary.
    pub fn matcher_with_stops(&self, stop: &[TokenId]) -> Result<Matcher, Error> {
        let size = self.vocabulary().vocab_size();
        if let Some(id) = stop.iter().find(|&&id| id as usize >= size) {
            return Err(Error::Vocabulary(format!(
                "stop token id {id} is outside the vocabulary of {size} tokens"
            )));
        }
        if stop.is_empty() {
            return Err(Error::Vocabulary("no stop token id: at least one is needed".into()));
        }
        Ok(self.begin(stop.into()))
    }

    fn begin(&self, stop: Arc<[TokenId]>) -> Matcher {
        let generation = self.inner.generation();
        let history = vec![generation.start];
        Matcher { compiled: self.clone(), generation, stop, history, terminated: false }
    }

    fn fuel(&self) -> Fuel {
        Fuel::new(self.inner.core.limits.step_work)
    }

    /// Where a token leads from a position, or `None` if it cannot follow. Stop tokens are not looked at.
    pub(crate) fn follow(
        &self,
        generation: &Generation,
        from: Spot,
        id: TokenId,
        fuel: &mut Fuel,
    ) -> Result<Option<Spot>, Error> {
        let machine = self.inner.machine(generation);
        if machine.wants_special(from.position) {
            let position = machine.step_special(from.position, id, fuel)?;
            if position != Position::DEAD {
                return Ok(Some(Spot { position, ..from }));
            }
        }
        let Some(bytes) = self.vocabulary().token_bytes(id) else { return Ok(None) };
        self.inner.follow(generation, from, bytes, fuel)
    }
}

impl Matcher {
    /// Writes the mask of allowed tokens to `words`: token `t` is bit `t % 32` of word `t / 32`, 1 is allowed. Words
    /// past the vocabulary are zeroed. Returns whether any token of the vocabulary is not allowed.
    ///
    /// # Errors
    /// [`Error::Matcher`] if `words` is too short; [`Error::TooComplex`] past a limit. Then nothing is written.
    pub fn fill_mask(&mut self, words: &mut [u32]) -> Result<bool, Error> {
        let size = self.vocabulary().vocab_size();
        let needed = size.div_ceil(32);
        if words.len() < needed {
            let given = words.len();
            return Err(Error::Matcher(format!("the mask has {given} words, {needed} are needed")));
        }
        let (own, rest) = words.split_at_mut(needed);
        if self.terminated {
            own.fill(0);
            self.add_stops(own);
        } else {
            let mut fuel = self.compiled.fuel();
            let inner = &self.compiled.inner;
            let masks = inner.masks(&self.generation);
            let spot = self.spot();
            let keys = inner.keys(&self.generation);
            // Before anything is written.
            keys.map_or(Ok(()), |keys| keys.check())?;
            if let Some(keys) = keys {
                // A mask that was never made may be the first to come to keys that run out.
                let ready = masks.known(spot.position).is_some();
                let endless = inner.known_endless(&self.generation, spot);
                let scoped = inner.grammar.scoped_keys;
                if let (true, Some(endless)) = (ready, endless) {
                    masks.fill(spot.position, own, &mut fuel)?;
                    keys.clear(spot.keys, &inner.vocabulary, own, scoped);
                    for &id in endless {
                        own[id as usize / 32] &= !(1 << (id % 32));
                    }
                } else {
                    let mut mask = vec![0; needed];
                    masks.fill(spot.position, &mut mask, &mut fuel)?;
                    keys.clear(spot.keys, &inner.vocabulary, &mut mask, scoped);
                    inner.clear_endless(&self.generation, spot, &mut mask, &mut fuel)?;
                    own.copy_from_slice(&mask);
                }
            } else {
                masks.fill(spot.position, own, &mut fuel)?;
            }
            if masks.machine.is_done(spot.position) {
                self.add_stops(own);
            }
        }
        rest.fill(0);
        let full = own[..size / 32].iter().all(|&w| w == u32::MAX)
            && (size.is_multiple_of(32) || own[needed - 1] == (1 << (size % 32)) - 1);
        Ok(!full)
    }

    /// The mask, if it was made before and is the same whichever keys objects and items arrays have had.
    #[inline]
    pub fn ready_mask(&self) -> Option<ReadyMask<'_>> {
        if self.terminated {
            return Some(ReadyMask { words: None, tokens: &[], stops: &self.stop });
        }
        let inner = &self.compiled.inner;
        let Spot { position, .. } = self.spot();
        if !inner.clears_nothing(&self.generation, self.spot()) {
            return None;
        }
        let masks = inner.masks(&self.generation);
        let (words, tokens) = masks.known(position)?.parts();
        let done = masks.machine.is_done(position);
        Some(ReadyMask { words, tokens, stops: if done { &self.stop } else { &[] } })
    }

    fn add_stops(&self, words: &mut [u32]) {
        for &id in self.stop.iter() {
            words[id as usize / 32] |= 1 << (id % 32);
        }
    }

    fn spot(&self) -> Spot {
        *self.history.last().expect("the start stays")
    }

    fn check_id(&self, id: TokenId) -> Result<(), Error> {
        let size = self.vocabulary().vocab_size();
        if (id as usize) < size {
            return Ok(());
        }
        Err(Error::Matcher(format!("token id {id} is outside the vocabulary of {size} tokens")))
    }

    /// Where a step with a token leads, and whether the text is terminated by it; `None` if it is refused.
    fn after(
        &self,
        from: Spot,
        id: TokenId,
        fuel: &mut Fuel,
    ) -> Result<Option<(Spot, bool)>, Error> {
        if let Some(next) = self.compiled.follow(&self.generation, from, id, fuel)? {
            return Ok(Some((next, false)));
        }
        let done = self.compiled.inner.machine(&self.generation).is_done(from.position);
        Ok((done && self.stop.contains(&id)).then_some((from, true)))
    }

    /// Accepts a token; a refused one returns false and changes nothing.
    ///
    /// # Errors
    /// [`Error::Matcher`] for an id outside the vocabulary; [`Error::TooComplex`] past a limit. Nothing is changed.
    pub fn accept_token(&mut self, id: TokenId) -> Result<bool, Error> {
        self.check_id(id)?;
        if self.terminated {
            return Ok(false);
        }
        let Some((next, terminated)) = self.after(self.spot(), id, &mut self.compiled.fuel())?
        else {
            return Ok(false);
        };
        self.history.push(next);
        self.terminated = terminated;
        Ok(true)
    }

    /// Accepts tokens up to the first that is refused, or to termination; returns how many.
    ///
    /// # Errors
    /// As [`Self::accept_token`], for any of the ids; then nothing is changed.
    pub fn accept_tokens(&mut self, ids: &[TokenId]) -> Result<usize, Error> {
        let (steps, terminated) = self.run(ids)?;
        self.history.extend_from_slice(&steps);
        self.terminated |= terminated;
        Ok(steps.len())
    }

    /// How many of these tokens [`Self::accept_tokens`] would accept. Changes nothing.
    ///
    /// # Errors
    /// As [`Self::accept_tokens`].
    pub fn validate_tokens(&self, ids: &[TokenId]) -> Result<usize, Error> {
        Ok(self.run(ids)?.0.len())
    }

    fn run(&self, ids: &[TokenId]) -> Result<(Vec<Spot>, bool), Error> {
        for &id in ids {
            self.check_id(id)?;
        }
        let (mut at, mut terminated) = (self.spot(), self.terminated);
        let mut steps = Vec::new();
        for &id in ids {
            if terminated {
                break;
            }
            let Some((next, stop)) = self.after(at, id, &mut self.compiled.fuel())? else { break };
            steps.push(next);
            (at, terminated) = (next, stop);
        }
        Ok((steps, terminated))
    }

    /// Accepts the longest prefix of `bytes` that fits, as one step; returns its length. Taking none is no step.
    ///
    /// # Errors
    /// [`Error::TooComplex`] past a limit. Nothing is changed.
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        if self.terminated {
            return Ok(0);
        }
        let inner = &self.compiled.inner;
        let mut best = (0, self.spot());
        for (length, &byte) in bytes.iter().enumerate() {
            let mut fuel = self.compiled.fuel();
            let Some(next) = inner.step(&self.generation, best.1, byte, &mut fuel)? else { break };
            best = (length + 1, next);
        }
        if best.0 > 0 {
            self.history.push(best.1);
        }
        Ok(best.0)
    }

    /// Whether [`Self::accept_token`] would accept the token.
    ///
    /// # Errors
    /// As [`Self::accept_token`].
    pub fn is_token_allowed(&self, id: TokenId) -> Result<bool, Error> {
        self.check_id(id)?;
        if self.terminated {
            return Ok(self.stop.contains(&id));
        }
        Ok(self.after(self.spot(), id, &mut self.compiled.fuel())?.is_some())
    }

    /// Takes back the last `steps` accepted steps, a stop token included.
    ///
    /// # Errors
    /// [`Error::Rollback`] if fewer were accepted; nothing is changed.
    pub fn rollback(&mut self, steps: usize) -> Result<(), Error> {
        let available = self.num_accepted();
        if steps > available {
            return Err(Error::Rollback { asked: steps, available });
        }
        if steps > 0 {
            self.history.truncate(self.history.len() - steps);
            self.terminated = false;
        }
        Ok(())
    }

    /// Back to the start of a text, as a new matcher.
    pub fn reset(&mut self) {
        *self = self.compiled.begin(self.stop.clone());
    }

    /// Steps accepted and not taken back.
    pub fn num_accepted(&self) -> usize {
        self.history.len() - 1
    }

    /// Whether the text so far is complete.
    pub fn is_completed(&self) -> bool {
        self.compiled.inner.machine(&self.generation).is_done(self.spot().position)
    }

    /// Whether a stop token was accepted.
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// The bytes that every continuation begins with, up to a bound of 4,096; none if the text may end here.
    ///
    /// # Errors
    /// [`Error::TooComplex`] past a limit.
    pub fn forced_bytes(&self) -> Result<Vec<u8>, Error> {
        let machine = self.compiled.inner.machine(&self.generation);
        let mut fuel = self.compiled.fuel();
        let mut at = self.spot();
        let mut bytes = Vec::new();
        while !self.terminated
            && bytes.len() < FORCED
            && !machine.is_done(at.position)
            && !machine.wants_special(at.position)
        {
            let mut only = None;
            for byte in 0..=255 {
                let next = self.compiled.inner.step(&self.generation, at, byte, &mut fuel)?;
                if let Some(next) = next {
                    if only.is_some() {
                        return Ok(bytes);
                    }
                    only = Some((byte, next));
                }
            }
            let Some((byte, next)) = only else { break };
            bytes.push(byte);
            at = next;
        }
        Ok(bytes)
    }

    /// The tokens that follow while just one is allowed.
    ///
    /// # Errors
    /// [`Error::TooComplex`] past a limit.
    pub fn forced_tokens(&self) -> Result<Vec<TokenId>, Error> {
        let mut ahead = self.clone();
        let mut words = vec![0; self.vocabulary().vocab_size().div_ceil(32)];
        let mut tokens = Vec::new();
        while tokens.len() < FORCED && !ahead.terminated {
            ahead.fill_mask(&mut words)?;
            let mut set = words.iter().enumerate().filter(|(_, w)| **w != 0);
            let (Some((at, &word)), None) = (set.next(), set.next()) else { break };
            if word.count_ones() != 1 {
                break;
            }
            let id = at as u32 * 32 + word.trailing_zeros();
            tokens.push(id);
            ahead.accept_token(id)?;
        }
        Ok(tokens)
    }

    /// A shortest text that completes the one so far.
    ///
    /// # Errors
    /// [`Error::Matcher`] if only a special token leads on; [`Error::TooComplex`] past a limit.
    pub fn shortest_completion(&self) -> Result<Vec<u8>, Error> {
        let inner = &self.compiled.inner;
        let Spot { position, keys } = self.spot();
        let machine = inner.machine(&self.generation);
        let found = machine.shortest(
            (position, keys),
            &Steps::to_end(inner, &self.generation),
            &mut self.compiled.fuel(),
        )?;
        found.ok_or_else(|| Error::Matcher("no text of bytes alone completes this one".into()))
    }

    /// Tokens that write [`Self::shortest_completion`], each the longest that fits.
    ///
    /// # Errors
    /// As [`Self::shortest_completion`].
    pub fn shortest_completion_tokens(&self) -> Result<Vec<TokenId>, Error> {
        let bytes = self.shortest_completion()?;
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (id, length) =
                self.vocabulary().trie().longest_prefix(&bytes[at..]).ok_or_else(|| {
                    Error::Vocabulary(format!("no token begins with the byte 0x{:02X}", bytes[at]))
                })?;
            tokens.push(id);
            at += length;
        }
        Ok(tokens)
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.compiled.vocabulary()
    }
}
