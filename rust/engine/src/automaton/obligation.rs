//! Obligations: what the text after a terminal's end owes it.
//!
//! Matches that would outrank the end must not come about; and what the terminal's look-ahead asked of the rest of the
//! text, a duty, must come true, up to the end of the text. With them goes what indentation asks of the text, and what
//! matches against pieces of the text do.

use super::columns::{Columns, ColumnsId};
use super::duty::DutyId;
use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::pieces::{Pieces, PiecesId};
use super::program::Pc;
use super::table::{Bounds, ByteSet, Listed, Memo, Table};
use crate::error::Error;

/// The number of a set of lexer states of which none may match, with a duty and columns; 0 is the empty set without.
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
    /// How many members of the list are lexer states.
    states: u32,
    rest: Rest,
}

/// Mark members of a list behind the lexer states as a duty, as columns, as runs, and as pieces.
const DUTY: u32 = 1 << 31;
const COLUMNS: u32 = 1 << 30;
const BEFORE: u32 = 1 << 29;
const PIECES: u32 = 1 << 28;

/// The number of a list of runs that look at the text so far, for terminals to come; 0 is none.
type BeforeId = u32;

/// What goes with the states of an obligation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    duty: DutyId,
    columns: ColumnsId,
    before: BeforeId,
    pub(super) pieces: PiecesId,
}

impl Rest {
    /// The marked members of the list.
    fn marked(self) -> impl Iterator<Item = u32> {
        let Self { duty, columns, before, pieces } = self;
        let all = [(duty, DUTY), (columns, COLUMNS), (before, BEFORE), (pieces, PIECES)];
        all.into_iter().filter(|&(number, _)| number != 0).map(|(number, mark)| number | mark)
    }
}

/// Stands for an obligation that is broken.
const BROKEN: ObligationId = u32::MAX;

pub(crate) struct Obligations {
    sets: Table<Listed<u32, Owed>>,
    steps: Memo<(ObligationId, u8), ObligationId>,
    columns: Columns,
    before: Table<Listed<(Pc, u32), ()>>,
    pub(super) pieces: Pieces,
    /// How many columns a tab is wide, if the grammar is indented.
    tab: Option<u32>,
}

impl Obligations {
    pub(crate) fn new(tab: Option<u32>) -> Self {
        let columns = Columns::new();
        let (sets, steps, before) = (Table::new(), Memo::new(), Table::new());
        before.insert(Listed(Box::default(), ()));
        let obligations = Self { sets, steps, columns, before, pieces: Pieces::new(), tab };
        let nothing = Owed { met: true, ..Owed::default() };
        obligations.sets.insert(Listed(Box::default(), nothing));
        obligations
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Owed {
        &self.sets.get(id).1
    }

    /// Whether nothing is owed, between newlines.
    #[inline]
    pub(crate) fn is_free(&self, id: ObligationId) -> bool {
        id == 0
            || self.owes_nothing(id)
                && self.columns.is_settled(self.get(id).rest.columns)
                && self.get(id).rest.before == 0
    }

    fn owes_nothing(&self, id: ObligationId) -> bool {
        let owed = self.get(id);
        owed.states == 0 && owed.rest.duty == 0 && owed.rest.pieces == 0
    }

    /// Whether this is between newlines.
    pub(crate) fn is_settled(&self, id: ObligationId) -> bool {
        self.columns.is_settled(self.get(id).rest.columns)
    }

    /// Whether this is at a newline whose dedent is to come.
    pub(crate) fn is_shallower(&self, id: ObligationId) -> bool {
        self.columns.is_shallower(self.get(id).rest.columns)
    }

    /// The columns, if the grammar is indented.
    pub(crate) fn columns(&self, id: ObligationId) -> Option<(&Columns, ColumnsId)> {
        self.tab.is_some().then(|| (&self.columns, self.get(id).rest.columns))
    }

    pub(super) fn set(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        mut states: Vec<u32>,
        rest: Rest,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        states.sort_unstable();
        states.dedup();
        let count = states.len();
        states.extend(rest.marked());
        if let Some(known) = self.sets.lookup(&states[..]) {
            return Ok(known);
        }
        let (met, mut bounds) = lexer.duty_at(rest.duty);
        bounds.merge(&self.columns.bounds(rest.columns));
        for &(_, state) in &self.before.get(rest.before).0 {
            bounds.merge(&lexer.get(state).bounds);
        }
        bounds.merge(&self.bounds_of_pieces(lexer, rest.pieces));
        let met = met && self.columns.can_end(rest.columns) && rest.pieces == 0;
        let mut owed = Owed { met, bounds, states: count as u32, rest, ..Owed::default() };
        for &state in &states[..count] {
            owed.bounds.merge(&lexer.get(state).bounds);
            owed.matching.merge(&lexer.matching(run, state, fuel)?);
        }
        run.meter.add(96 + states.len() * 4);
        Ok(self.sets.insert(Listed(states.into(), owed)).0)
    }

    /// The states of which none may match, and what goes with them.
    pub(super) fn split(&self, id: ObligationId) -> (&[u32], Rest) {
        let Listed(list, owed) = self.sets.get(id);
        (&list[..owed.states as usize], owed.rest)
    }

    /// The same with other columns.
    pub(crate) fn with_columns(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        columns: ColumnsId,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        let (states, rest) = self.split(id);
        if rest.columns == columns {
            return Ok(id);
        }
        self.set(lexer, run, states.to_vec(), Rest { columns, ..rest }, fuel)
    }

    /// Nothing but these runs.
    pub(crate) fn of_runs(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        runs: Vec<(Pc, u32)>,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        let before = self.runs(runs, run);
        self.set(lexer, run, Vec::new(), Rest { before, ..Rest::default() }, fuel)
    }

    fn runs(&self, runs: Vec<(Pc, u32)>, run: Run<'_>) -> BeforeId {
        let bytes = 32 + runs.len() * 8;
        let (id, new) = self.before.insert(Listed(runs.into(), ()));
        if new {
            run.meter.add(bytes);
        }
        id
    }

    /// The runs that look at the text so far.
    pub(crate) fn before(&self, id: ObligationId) -> &[(Pc, u32)] {
        &self.before.get(self.get(id).rest.before).0
    }

    /// The same in blocks of which nothing is known.
    pub(crate) fn forget(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        let columns = self.columns.forget(self.get(id).rest.columns, run.meter);
        self.with_columns(lexer, run, id, columns, fuel)
    }

    /// The same once a terminal has ended; `None` if it is a newline with the wrong column.
    pub(crate) fn end(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        fuel: &mut Fuel,
    ) -> Result<Option<ObligationId>, Error> {
        if self.tab.is_none() {
            return Ok(Some(id));
        }
        match self.columns.end(self.get(id).rest.columns, run.meter) {
            Some(columns) => self.with_columns(lexer, run, id, columns, fuel).map(Some),
            None => Ok(None),
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
        let (states, rest) = self.split(id);
        let Some(duty) = lexer.both(run, rest.duty, duty) else { return Ok(None) };
        self.set(lexer, run, states.to_vec(), Rest { duty, ..rest }, fuel).map(Some)
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
        let (states, rest) = self.split(id);
        let states = [states, &[state]].concat();
        self.set(lexer, run, states, rest, fuel)
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
        if self.is_free(id) {
            return Ok(Some(id));
        }
        if self.get(id).matching.has(byte) {
            return Ok(None);
        }
        if let Some(known) = self.steps.get((id, byte)) {
            return Ok((known != BROKEN).then_some(known));
        }
        let next = self.make_step(lexer, run, id, byte, fuel)?;
        self.steps.set((id, byte), next.unwrap_or(BROKEN));
        Ok(next)
    }

    fn make_step(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<ObligationId>, Error> {
        let (states, rest) = self.split(id);
        let before = match rest.before {
            0 => 0,
            before => self.runs(lexer.step_runs(run, &self.before.get(before).0, byte, fuel)?, run),
        };
        let columns = self.columns.step(rest.columns, byte, self.tab.unwrap_or(0), run.meter);
        let Some((pieces, duty)) =
            self.step_pieces(lexer, run, (rest.pieces, rest.duty), byte, fuel)?
        else {
            return Ok(None);
        };
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
        let Some(duty) = duty else { return Ok(None) };
        let rest = Rest { duty, columns, before, pieces };
        self.set(lexer, run, next, rest, fuel).map(Some)
    }
}
