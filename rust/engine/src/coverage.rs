//! Whether a vocabulary can write every text of a grammar without running into a dead end.
//!
//! A vocabulary with a token for each single byte always can. On another, a text may come to a place where only bytes
//! can follow that no token begins with. Small grammars are followed through all their positions; where that would
//! take too long, a byte that is missing and that some terminal reads counts as needed.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::automaton::{Fuel, Position};
use crate::compiled::CompiledGrammar;
use crate::error::Error;

/// Positions that are followed before giving up.
const POSITIONS: usize = 256;

/// Steps that are taken before giving up.
const STEPS: usize = 20_000;

impl CompiledGrammar {
    /// # Errors
    /// [`Error::Vocabulary`] that names a byte which may be needed and which no token writes alone.
    pub(crate) fn check_bytes(&self) -> Result<(), Error> {
        let used = self.inner.core.program.used_bytes();
        let missing = self.vocabulary().missing_bytes().iter().find(|&&b| used[usize::from(b)]);
        let Some(&byte) = missing else { return Ok(()) };
        if self.never_runs_dry()? {
            return Ok(());
        }
        Err(Error::Vocabulary(format!(
            "the grammar can need the byte 0x{byte:02X}, which no token of the vocabulary writes alone"
        )))
    }

    /// Whether every position that tokens lead to was looked at, and none was a dead end.
    fn never_runs_dry(&self) -> Result<bool, Error> {
        let generation = self.inner.generation();
        let masks = self.inner.masks(&generation);
        let mut fuel = Fuel::new(self.inner.core.limits.step_work);
        let mut seen: FxHashSet<Position> = FxHashSet::from_iter([generation.start]);
        let mut todo = VecDeque::from([generation.start]);
        let mut words = vec![0; self.vocabulary().vocab_size().div_ceil(32)];
        let mut steps = 0;
        while let Some(position) = todo.pop_front() {
            masks.fill(position, &mut words, &mut fuel)?;
            if words.iter().all(|&w| w == 0) && !masks.machine.is_done(position) {
                return Ok(false);
            }
            for (at, &word) in words.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let id = at as u32 * 32 + left.trailing_zeros();
                    left &= left - 1;
                    steps += 1;
                    let next =
                        self.follow(&generation, position, id, &mut fuel)?.unwrap_or(position);
                    if seen.insert(next) {
                        todo.push_back(next);
                    }
                }
            }
            if seen.len() > POSITIONS || steps > STEPS {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
