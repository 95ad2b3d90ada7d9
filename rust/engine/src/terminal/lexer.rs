//! Terminals run lazily: a state is a list of threads of the [`Program`], made on first use.
//!
//! For Lark's endings the list is ordered as a backtracking matcher prefers, and cut after the first thread that
//! matched: what remains outranks the match (Thompson's simulation with priorities, after Pike and Cox). For the
//! other endings it is a sorted set.
//!
//! Conditions on the text around make it an alternating automaton. A thread that passed a look-ahead carries a
//! [`super::duty`]; a state whose threads may come to look behind carries the states of the runs that read the text
//! from its start for that. Such *conditional* states can be dead without showing it, so each is followed by a search
//! for a match ([`super::distance`]) before any transition leads to it.

use super::closure::{Builder, Cell};
use super::duty::{Duties, DutyId, Term};
use super::fuel::Fuel;
use super::lazy::Residual;
use super::program::{Inst, Pc, Program};
use super::state::{Conditional, Counters, Key, LexerState, Mode, Thread};
use super::table::{Bounds, ByteSet, Memo, Meter, Table};
use crate::error::Error;

/// What the lexer needs of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Program,
    /// Whether threads have an order of preference.
    pub(crate) ordered: bool,
    pub(crate) meter: &'a Meter,
}

impl Run<'_> {
    fn mode(&self) -> Mode {
        if self.ordered { Mode::Ranked } else { Mode::Free }
    }
}

/// The states of all terminals.
pub(crate) struct Lexer {
    pub(super) states: Table<LexerState>,
    pub(super) cells: Table<(Cell, ())>,
    pub(super) residuals: Table<Residual>,
    pub(super) duties: Duties,
    starts: Memo<Pc, u32>,
}

impl Lexer {
    /// Nothing more can be read and nothing has matched.
    pub(crate) const DEAD: u32 = 0;
    /// Any rest of the text matches.
    pub(super) const ALL: u32 = 1;

    pub(crate) fn new() -> Self {
        let lexer = Self {
            states: Table::new(),
            cells: Table::new(),
            residuals: Table::new(),
            duties: Duties::new(),
            starts: Memo::new(),
        };
        // Number 0 of the tables stands for "none".
        let state = |key, live, least| LexerState::new(key, Bounds::default(), live, least);
        lexer.states.insert(state(Key::default(), ByteSet::default(), u32::MAX));
        let all = Thread { pc: Program::ALL, counters: 0, duty: Duties::NONE };
        let all = Key { threads: [all].into(), accepts: true, ..Key::default() };
        lexer.states.insert(state(all, ByteSet::ALL, 0));
        lexer.cells.insert((Cell { head: 0, rounds: 0, outer: 0 }, ()));
        lexer
    }

    #[inline]
    pub(crate) fn get(&self, state: u32) -> &LexerState {
        self.states.get(state)
    }

    /// The state before the first byte of the terminal that starts at `pc`. An empty match is not its business.
    pub(crate) fn start(&self, run: Run<'_>, pc: Pc, fuel: &mut Fuel) -> Result<u32, Error> {
        if let Some(state) = self.starts.get(pc) {
            return Ok(state);
        }
        let behind = self.behind_at_start(run, pc, fuel)?;
        let mut builder = Builder::new(self, run, run.mode(), behind);
        builder.start(Thread { pc, counters: 0, duty: Duties::NONE }, fuel)?;
        let state = builder.finish()?;
        let state = if self.is_live(run, state, fuel)? { state } else { Self::DEAD };
        Ok(self.starts.set(pc, state))
    }

    /// As [`Self::start`], behind a text that runs have read that look behind.
    pub(crate) fn start_behind(
        &self,
        run: Run<'_>,
        pc: Pc,
        runs: &[(Pc, u32)],
        fuel: &mut Fuel,
    ) -> Result<u32, Error> {
        let needs = run.program.needs(pc);
        let behind = runs.iter().filter(|(pc, _)| needs.has_behind(*pc)).copied().collect();
        let mut builder = Builder::new(self, run, run.mode(), behind);
        builder.start(Thread { pc, counters: 0, duty: Duties::NONE }, fuel)?;
        let state = builder.finish()?;
        Ok(if self.is_live(run, state, fuel)? { state } else { Self::DEAD })
    }

    /// The runs that look behind for the sake of what follows the places, before the first byte of a text.
    pub(crate) fn runs_behind(
        &self,
        run: Run<'_>,
        places: &[Pc],
        fuel: &mut Fuel,
    ) -> Result<Vec<(Pc, u32)>, Error> {
        let mut all = Vec::new();
        for &pc in places {
            all.extend(self.behind_at_start(run, pc, fuel)?);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// The runs after one more byte.
    pub(crate) fn step_runs(
        &self,
        run: Run<'_>,
        runs: &[(Pc, u32)],
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Vec<(Pc, u32)>, Error> {
        runs.iter().map(|&(pc, at)| Ok((pc, self.raw_step(run, at, byte, fuel)?))).collect()
    }

    /// The state before the first byte of a text that is read from `pc` on and may be empty. It may be dead.
    pub(super) fn begin_text(&self, run: Run<'_>, pc: Pc, fuel: &mut Fuel) -> Result<u32, Error> {
        let behind = self.behind_at_start(run, pc, fuel)?;
        self.begin(run, pc, behind, fuel)
    }

    /// The runs that look behind for the sake of what follows `pc`, before the first byte.
    fn behind_at_start(
        &self,
        run: Run<'_>,
        pc: Pc,
        fuel: &mut Fuel,
    ) -> Result<Vec<(Pc, u32)>, Error> {
        let mut all = Vec::new();
        for &pc in run.program.needs(pc).behinds() {
            let behind = self.behind_at_start(run, pc, fuel)?;
            all.push((pc, self.begin(run, pc, behind, fuel)?));
        }
        Ok(all)
    }

    /// The state of a condition's run before it has read anything.
    pub(super) fn begin(
        &self,
        run: Run<'_>,
        pc: Pc,
        behind: Vec<(Pc, u32)>,
        fuel: &mut Fuel,
    ) -> Result<u32, Error> {
        let mut builder = Builder::new(self, run, Mode::Free, behind);
        builder.close(Thread { pc, counters: 0, duty: Duties::NONE }, fuel)?;
        builder.finish()
    }

    /// The state after one more byte.
    #[inline]
    pub(crate) fn step(
        &self,
        run: Run<'_>,
        state: u32,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<u32, Error> {
        let from = self.get(state);
        if !from.live.has(byte) {
            return Ok(Self::DEAD);
        }
        match from.next.get(byte) {
            Some(next) => Ok(next),
            None => self.make(run, state, byte, fuel),
        }
    }

    /// The bytes after which a match is whole.
    pub(crate) fn matching(
        &self,
        run: Run<'_>,
        state: u32,
        fuel: &mut Fuel,
    ) -> Result<ByteSet, Error> {
        let from = self.get(state);
        if let Some(&known) = from.matching.get() {
            return Ok(known);
        }
        let mut matching = ByteSet::default();
        for byte in from.bounds.firsts() {
            if from.live.has(byte)
                && self.get(self.step(run, state, byte, fuel)?).endings() == [Duties::NONE]
            {
                matching.add_range(byte, from.bounds.last_of_class(byte));
            }
        }
        Ok(*from.matching.get_or_init(|| matching))
    }

    #[cold]
    fn make(&self, run: Run<'_>, state: u32, byte: u8, fuel: &mut Fuel) -> Result<u32, Error> {
        let from = self.get(state);
        let mut next = self.raw_step(run, state, byte, fuel)?;
        if from.conditional.is_some() {
            if !self.is_live(run, next, fuel)? {
                next = Self::DEAD;
            }
            run.meter.add(from.next.fill(from.bounds.class(byte), next));
        }
        Ok(next)
    }

    /// The state after one more byte, which may be dead without showing it.
    pub(super) fn raw_step(
        &self,
        run: Run<'_>,
        state: u32,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<u32, Error> {
        let from = self.get(state);
        let table = from.conditional.as_ref().map_or(&from.next, |c| &c.raw);
        if let Some(next) = table.get(byte) {
            return Ok(next);
        }
        let mut behind = Vec::with_capacity(from.behind().len());
        for &(pc, state) in from.behind() {
            behind.push((pc, self.raw_step(run, state, byte, fuel)?));
        }
        let mut builder = Builder::new(self, run, from.key.mode, behind);
        for thread in &from.key.threads {
            fuel.spend(1)?;
            let Some((pc, counters)) = self.read(run, *thread, byte)? else { continue };
            let Some(duty) = self.step_duty(run, thread.duty, byte, fuel)? else { continue };
            if builder.close(Thread { pc, counters, duty }, fuel)? {
                break;
            }
        }
        let next = builder.finish()?;
        run.meter.add(table.fill(from.bounds.class(byte), next));
        Ok(next)
    }

    /// A duty after one more byte; `None` if it cannot be met any more.
    pub(crate) fn step_duty(
        &self,
        run: Run<'_>,
        duty: DutyId,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<DutyId>, Error> {
        if duty == Duties::NONE {
            return Ok(Some(duty));
        }
        let from = self.duties.get(duty);
        if let Some(next) = from.next.get(byte) {
            return Ok(next.checked_sub(1));
        }
        let mut terms: Vec<Term> = Vec::new();
        for &(state, negative) in self.duties.terms(duty) {
            fuel.spend(1)?;
            terms.push((self.raw_step(run, state, byte, fuel)?, negative));
        }
        let next = self.duty(run, terms);
        let stored = next.map_or(0, |duty| duty + 1);
        run.meter.add(from.next.fill(from.bounds.class(byte), stored));
        Ok(next)
    }

    /// The duty of all these terms; `None` if it cannot be met.
    pub(super) fn duty(&self, run: Run<'_>, terms: Vec<Term>) -> Option<DutyId> {
        let (duty, bytes) = self.duties.set(self, terms)?;
        run.meter.add(bytes);
        Some(duty)
    }

    /// Both duties at once.
    pub(crate) fn both(&self, run: Run<'_>, a: DutyId, b: DutyId) -> Option<DutyId> {
        if a == Duties::NONE || a == b {
            return Some(b);
        }
        if b == Duties::NONE {
            return Some(a);
        }
        self.duty(run, [self.duties.terms(a), self.duties.terms(b)].concat())
    }

    /// The duty that none of these is met; `None` if one always is.
    pub(crate) fn none_of(&self, run: Run<'_>, duties: &[DutyId]) -> Result<Option<DutyId>, Error> {
        let any = self.any_of(run, duties)?;
        Ok(self.duty(run, vec![(any, true)]))
    }

    /// Whether a duty is met if the text ends here, and the bytes at which its transitions may change.
    pub(crate) fn duty_at(&self, duty: DutyId) -> (bool, Bounds) {
        let duty = self.duties.get(duty);
        (duty.met, duty.bounds)
    }

    /// The state that accepts if one of these duties is met, from here to the end of the text.
    pub(super) fn any_of(&self, run: Run<'_>, duties: &[DutyId]) -> Result<u32, Error> {
        let mut builder = Builder::new(self, run, Mode::Free, Vec::new());
        builder.all(duties);
        builder.finish()
    }

    /// The duty that a match goes on from a state and comes about; `None` if none can.
    pub(crate) fn match_to_come(&self, run: Run<'_>, state: u32) -> Result<Option<DutyId>, Error> {
        let from = self.get(state);
        let mut builder = Builder::new(self, run, Mode::Open, from.behind().to_vec());
        builder.copy(&from.key.threads);
        let open = builder.finish()?;
        Ok(self.duty(run, vec![(open, false)]))
    }

    pub(super) fn cell(&self, cell: Cell, meter: &Meter) -> Counters {
        let (id, new) = self.cells.insert((cell, ()));
        if new {
            meter.add(size_of::<Cell>() + 16);
        }
        id
    }

    /// Fewest bytes from a thread to a match, its conditions left out: the open rounds of each counter are still to
    /// be read.
    pub(super) fn thread_rest(&self, program: &Program, thread: Thread) -> u32 {
        let mut rest = program.rest(thread.pc);
        let mut counters = thread.counters;
        while counters != 0 {
            let cell = self.cells.get(counters).0;
            let more = match *program.inst(cell.head) {
                Inst::Loop { min, body_len, .. } => {
                    min.saturating_sub(cell.rounds).saturating_mul(body_len)
                }
                Inst::Lazy { .. } => self.residuals.get(cell.rounds).rest,
                _ => 0,
            };
            rest = rest.saturating_add(more);
            counters = cell.outer;
        }
        rest
    }

    pub(super) fn is_conditional(program: &Program, threads: &[Thread]) -> bool {
        threads.iter().any(|t| t.duty != Duties::NONE || !program.needs(t.pc).is_none())
    }

    pub(super) fn insert(&self, run: Run<'_>, state: LexerState) -> u32 {
        let around = if state.key.around.is_some() { 96 } else { 0 };
        let bytes = size_of::<LexerState>()
            + state.conditional.as_ref().map_or(0, |_| size_of::<Conditional>())
            + state.key.threads.len() * size_of::<Thread>()
            + around
            + 32;
        let (id, new) = self.states.insert(state);
        if new {
            run.meter.add(bytes);
        }
        id
    }
}
