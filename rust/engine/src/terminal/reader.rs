//! Reads many texts by one automaton of the whole process: each state's transitions are laid out when it is first come to.

use rustc_hash::FxHashMap;

use super::table::{Bounds, ByteSet};
use crate::error::Error;
use crate::pattern::Stepper;

/// See the module.
pub(crate) struct Reader<'a> {
    automaton: &'a dyn Stepper,
    states: FxHashMap<u32, Box<Laid>>,
}

/// A state, laid out.
pub(crate) struct Laid {
    /// Where each byte leads; 0 if nowhere.
    pub(crate) next: [u32; 256],
    /// Bytes at which that may change.
    pub(crate) bounds: Bounds,
    /// Bytes that lead on.
    pub(crate) live: ByteSet,
    /// Whether what was read so far is a whole match.
    pub(crate) accepts: bool,
}

impl<'a> Reader<'a> {
    /// Of an automaton whose states are one word each.
    pub(crate) fn new(automaton: &'a dyn Stepper) -> Self {
        Self { automaton, states: FxHashMap::default() }
    }

    /// # Errors
    /// [`Error::TooComplex`] past a limit.
    pub(crate) fn state(&mut self, state: u32) -> Result<&Laid, Error> {
        if !self.states.contains_key(&state) {
            let laid = Box::new(self.lay_out(state)?);
            self.states.insert(state, laid);
        }
        Ok(&self.states[&state])
    }

    fn lay_out(&self, state: u32) -> Result<Laid, Error> {
        let mut laid = Laid {
            next: [0; 256],
            bounds: Bounds::default(),
            live: ByteSet::NONE,
            accepts: self.automaton.accepts(&[state]),
        };
        for (first, last, to) in self.automaton.edges(&[state])? {
            laid.next[usize::from(first)..=usize::from(last)].fill(to[0]);
            laid.bounds.add(first, last);
            laid.live.add_range(first, last);
        }
        Ok(laid)
    }
}
