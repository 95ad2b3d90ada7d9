//! States that differ in nothing but how often they have been round one counted loop.
//!
//! Threads ask a counter one thing, at the head of its loop: whether it has reached the bounds. So two states with the
//! same threads in different rounds read the next character in the same way, if no bound lies within the rounds that
//! it may take.

use super::closure::{Builder, Cell};
use super::duty::Duties;
use super::lexer::{Lexer, Run};
use super::program::Inst;
use super::state::{Counters, Mode, Thread};
use crate::error::Error;

/// No character has more bytes, and each round of a loop reads one at least.
const CHARACTER: u32 = 4;

/// The round that a state is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) at: u32,
    /// From this round to the last, the next character is read in the same way.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Lexer {
    /// The round of a state whose threads are in one counted loop, or in none.
    pub(crate) fn rounds(&self, run: Run<'_>, state: u32) -> Option<Rounds> {
        let state = self.get(state);
        let key = &state.key;
        if state.conditional.is_some()
            || key.around.is_some()
            || key.mode != Mode::Free
            || key.accepts
            || key.threads.windows(2).any(|pair| pair[0].pc == pair[1].pc)
        {
            return None;
        }
        let mut counters: Counters = 0;
        for thread in &key.threads {
            if thread.duty != Duties::NONE
                || thread.counters != 0 && counters != 0 && thread.counters != counters
            {
                return None;
            }
            counters = counters.max(thread.counters);
        }
        if counters == 0 {
            return None;
        }
        let cell = self.cells.get(counters).0;
        let &Inst::Loop { min, max, body_len, .. } = run.program.inst(cell.head) else {
            return None;
        };
        if cell.outer != 0 || body_len == 0 {
            return None;
        }
        let (first, last) = match max {
            _ if cell.rounds < min => (1, min - 1),
            Some(max) if cell.rounds < max => (min.max(1), max - 1),
            _ => return None,
        };
        let last = last.checked_sub(CHARACTER - 1)?;
        (first..=last).contains(&cell.rounds).then_some(Rounds { at: cell.rounds, first, last })
    }

    /// The state with the same threads in another round, where the next character is read in the same way, or one
    /// past the last such.
    pub(crate) fn in_round(&self, run: Run<'_>, state: u32, rounds: u32) -> Result<u32, Error> {
        let key = &self.get(state).key;
        let threads: Vec<Thread> = key
            .threads
            .iter()
            .map(|thread| match thread.counters {
                0 => *thread,
                counters => {
                    let cell = Cell { rounds, ..self.cells.get(counters).0 };
                    Thread { counters: self.cell(cell, run.meter), ..*thread }
                }
            })
            .collect();
        let mut builder = Builder::new(self, run, key.mode, Vec::new());
        builder.copy(&threads);
        builder.finish()
    }
}
