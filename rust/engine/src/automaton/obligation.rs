//! Obligations: matches that would outrank a terminal's end, and therefore must not come about.

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::table::{Bounds, ByteSet, Listed, Memo, Table};
use crate::error::Error;

/// The number of a set of lexer states of which none may match; 0 is the empty set.
pub(crate) type ObligationId = u32;

/// What is known of a set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Owed {
    /// Bytes at which transitions may change.
    pub(crate) bounds: Bounds,
    /// Bytes after which one of them has matched.
    pub(crate) matching: ByteSet,
}

pub(crate) struct Obligations {
    sets: Table<Listed<u32, Owed>>,
    steps: Memo<(ObligationId, u8), ObligationId>,
}

impl Obligations {
    pub(crate) fn new() -> Self {
        let obligations = Self { sets: Table::new(), steps: Memo::new() };
        obligations.sets.insert(Listed(Box::default(), Owed::default()));
        obligations
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Owed {
        &self.sets.get(id).1
    }

    fn set(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        mut states: Vec<u32>,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        states.sort_unstable();
        states.dedup();
        if let Some(known) = self.sets.lookup(&states[..]) {
            return Ok(known);
        }
        let mut owed = Owed::default();
        for &state in &states {
            owed.bounds.merge(&lexer.get(state).bounds);
            owed.matching.merge(&lexer.matching(run, state, fuel)?);
        }
        run.meter.add(96 + states.len() * 4);
        Ok(self.sets.insert(Listed(states.into(), owed)).0)
    }

    /// The set with one more state, if that state can still match.
    pub(crate) fn with(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        state: u32,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        if !lexer.get(state).goes_on() {
            return Ok(id);
        }
        let mut states = self.sets.get(id).0.to_vec();
        states.push(state);
        self.set(lexer, run, states, fuel)
    }

    /// After one more byte: `None` if one of them has matched.
    pub(crate) fn step(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<ObligationId>, Error> {
        if id == 0 {
            return Ok(Some(0));
        }
        if self.get(id).matching.has(byte) {
            return Ok(None);
        }
        if let Some(known) = self.steps.get((id, byte)) {
            return Ok(Some(known));
        }
        let mut next = Vec::new();
        for &state in &self.sets.get(id).0 {
            let to = lexer.step(run, state, byte, fuel)?;
            if lexer.get(to).goes_on() {
                next.push(to);
            }
        }
        let next = self.set(lexer, run, next, fuel)?;
        Ok(Some(self.steps.set((id, byte), next)))
    }
}
