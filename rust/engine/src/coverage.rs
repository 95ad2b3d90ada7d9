//! Whether a vocabulary can write every text of a grammar without running into a dead end.
//!
//! A vocabulary with a token for each single byte always can. On another, a text may come to a place where only bytes
//! can follow that no token begins with, or go round without ever reaching its end. It
//! cannot if each terminal can be finished without the missing bytes from wherever it stands; that is decided first.
//! Otherwise small grammars are followed through all their positions, and where that would take too long, the byte
//! counts as needed. Terminals that are made on demand are looked at when they are made.

use rustc_hash::FxHashMap;

use crate::automaton::Fuel;
use crate::compiled::{CompiledGrammar, Spot};
use crate::error::Error;

/// Positions that are followed before giving up.
const POSITIONS: usize = 256;

/// Steps that are taken before giving up.
const STEPS: usize = 20_000;

impl CompiledGrammar {
    /// # Errors
    /// [`Error::Vocabulary`] that names a byte which may be needed and which no token writes alone.
    pub(crate) fn check_bytes(&self) -> Result<(), Error> {
        let generation = self.inner.generation();
        let mut fuel = Fuel::new(self.inner.core.limits.step_work);
        match self.inner.machine(&generation).needed_byte(&mut fuel)? {
            Some(byte) if !self.never_runs_dry()? => Err(Error::unwritable(byte)),
            _ => Ok(()),
        }
    }

    /// Whether every position that tokens lead to was looked at, and tokens complete the text from each of them.
    fn never_runs_dry(&self) -> Result<bool, Error> {
        // The keys that an object had are not looked at here.
        if self.inner.unique_keys {
            return Ok(false);
        }
        let generation = self.inner.generation();
        let masks = self.inner.masks(&generation);
        let mut fuel = Fuel::new(self.inner.core.limits.step_work);
        let mut numbers: FxHashMap<Spot, usize> = FxHashMap::from_iter([(generation.start, 0)]);
        let mut positions = vec![generation.start];
        // For each position those that a token leads from.
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut words = vec![0; self.vocabulary().vocab_size().div_ceil(32)];
        let mut steps = 0;
        let mut at = 0;
        while at < positions.len() {
            masks.fill(positions[at].position, &mut words, &mut fuel)?;
            for (index, &word) in words.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let id = index as u32 * 32 + left.trailing_zeros();
                    left &= left - 1;
                    steps += 1;
                    let from = positions[at];
                    let next = self.follow(&generation, from, id, &mut fuel)?.unwrap_or(from);
                    let number = *numbers.entry(next).or_insert_with(|| {
                        positions.push(next);
                        before.push(Vec::new());
                        positions.len() - 1
                    });
                    before[number].push(at);
                }
            }
            if positions.len() > POSITIONS || steps > STEPS {
                return Ok(false);
            }
            at += 1;
        }
        let mut completes = vec![false; positions.len()];
        let done = |&at: &usize| masks.machine.is_done(positions[at].position);
        let mut todo: Vec<usize> = (0..positions.len()).filter(done).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut completes[at], true) {
                todo.extend(&before[at]);
            }
        }
        Ok(completes.into_iter().all(|completes| completes))
    }
}
