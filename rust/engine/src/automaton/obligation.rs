//! Obligations: what the text after a terminal's end owes it.
//!
//! Matches that would outrank the end must not come about; and what the terminal's look-ahead asked of the rest of the
//! text, a duty, must come true, up to the end of the text.

use super::duty::DutyId;
use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::table::{Bounds, ByteSet, Listed, Memo, Table};
use crate::error::Error;

/// The number of a set of lexer states of which none may match, with a duty; 0 is the empty set without one.
pub(crate) type ObligationId = u32;

/// What is known of a set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Owed {
    /// Bytes at which transitions may change.
    pub(crate) bounds: Bounds,
    /// Bytes after which one of them has matched.
    pub(crate) matching: ByteSet,
    /// Whether nothing is owed any more if the text ends here.
    pub(crate) met: bool,
}

/// Marks the last member of a list as a duty.
const DUTY: u32 = 1 << 31;

/// Stands for an obligation that is broken.
const BROKEN: ObligationId = u32::MAX;

pub(crate) struct Obligations {
    sets: Table<Listed<u32, Owed>>,
    steps: Memo<(ObligationId, u8), ObligationId>,
}

impl Obligations {
    pub(crate) fn new() -> Self {
        let obligations = Self { sets: Table::new(), steps: Memo::new() };
        obligations.sets.insert(Listed(Box::default(), Owed { met: true, ..Owed::default() }));
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
        duty: DutyId,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        states.sort_unstable();
        states.dedup();
        let count = states.len();
        states.extend((duty != 0).then_some(duty | DUTY));
        if let Some(known) = self.sets.lookup(&states[..]) {
            return Ok(known);
        }
        let (met, bounds) = lexer.duty_at(duty);
        let mut owed = Owed { met, bounds, ..Owed::default() };
        for &state in &states[..count] {
            owed.bounds.merge(&lexer.get(state).bounds);
            owed.matching.merge(&lexer.matching(run, state, fuel)?);
        }
        run.meter.add(96 + states.len() * 4);
        Ok(self.sets.insert(Listed(states.into(), owed)).0)
    }

    /// The states of which none may match, and the duty.
    fn split(&self, id: ObligationId) -> (&[u32], DutyId) {
        match &*self.sets.get(id).0 {
            [states @ .., last] if last & DUTY != 0 => (states, last & !DUTY),
            states => (states, 0),
        }
    }

    /// The set with one more duty; `None` if that cannot be met.
    pub(crate) fn with_duty(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        duty: DutyId,
        fuel: &mut Fuel,
    ) -> Result<Option<ObligationId>, Error> {
        if duty == 0 {
            return Ok(Some(id));
        }
        let (states, old) = self.split(id);
        let Some(duty) = lexer.both(run, old, duty) else { return Ok(None) };
        self.set(lexer, run, states.to_vec(), duty, fuel).map(Some)
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
        let (states, duty) = self.split(id);
        let states = [states, &[state]].concat();
        self.set(lexer, run, states, duty, fuel)
    }

    /// After one more byte: `None` if one of them has matched, or the duty cannot be met any more.
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
            return Ok((known != BROKEN).then_some(known));
        }
        let (states, duty) = self.split(id);
        let mut duty = lexer.step_duty(run, duty, byte, fuel)?;
        let mut next = Vec::new();
        for &state in states {
            let to = lexer.step(run, state, byte, fuel)?;
            if lexer.get(to).goes_on() {
                next.push(to);
            }
            // A match that hangs on what follows must not come true.
            if let (Some(old), ends @ [_, ..]) = (duty, lexer.get(to).endings()) {
                let none = lexer.none_of(run, ends)?;
                duty = none.and_then(|none| lexer.both(run, old, none));
            }
        }
        let next = match duty {
            Some(duty) => self.set(lexer, run, next, duty, fuel)?,
            None => BROKEN,
        };
        self.steps.set((id, byte), next);
        Ok((next != BROKEN).then_some(next))
    }
}
