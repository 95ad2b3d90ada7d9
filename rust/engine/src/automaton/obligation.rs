//! Obligations: matches that would outrank a terminal's end, and therefore must not come about.

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::table::{Bounds, Memo, Table};
use crate::error::Error;

/// The number of a set of lexer states of which none may match; 0 is the empty set.
pub(crate) type ObligationId = u32;

pub(crate) struct Obligations {
    sets: Table<(Box<[u32]>, Bounds)>,
    steps: Memo<(ObligationId, u8), Option<ObligationId>>,
}

impl Obligations {
    pub(crate) fn new() -> Self {
        let obligations = Self { sets: Table::new(), steps: Memo::new() };
        obligations.sets.insert((Box::default(), Bounds::default()));
        obligations
    }

    pub(crate) fn bounds(&self, id: ObligationId) -> Bounds {
        self.sets.get(id).1
    }

    fn set(&self, lexer: &Lexer, mut states: Vec<u32>) -> ObligationId {
        states.sort_unstable();
        states.dedup();
        let mut bounds = Bounds::default();
        for &state in &states {
            bounds.merge(&lexer.get(state).bounds);
        }
        self.sets.insert((states.into(), bounds)).0
    }

    /// The set with one more state, if that state can still match.
    pub(crate) fn with(&self, lexer: &Lexer, id: ObligationId, state: u32) -> ObligationId {
        if !lexer.get(state).goes_on() {
            return id;
        }
        let mut states = self.sets.get(id).0.to_vec();
        states.push(state);
        self.set(lexer, states)
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
        if let Some(known) = self.steps.get((id, byte)) {
            return Ok(known);
        }
        let mut next = Vec::new();
        for &state in &self.sets.get(id).0 {
            let to = lexer.step(run, state, byte, fuel)?;
            if lexer.get(to).accepts() {
                return Ok(self.steps.set((id, byte), None));
            }
            if lexer.get(to).goes_on() {
                next.push(to);
            }
        }
        Ok(self.steps.set((id, byte), Some(self.set(lexer, next))))
    }
}
