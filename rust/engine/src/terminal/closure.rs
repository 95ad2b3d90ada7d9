//! Makes a lexer state: what threads come to without reading.

use super::duty::{Duties, DutyId};
use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::{Inst, Pc, Program};
use super::state::{Around, Conditional, Counters, Key, LexerState, Mode, Thread};
use super::table::{Bounds, ByteSet, Seen};
use crate::error::Error;
use crate::limits::check;

/// Conditions may hang on conditions that hang on conditions, up to here.
const DEPTH: u32 = 300;

/// A counter's value inside its loop, or the state of a lazy automaton inside of it, and the counters around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub(super) head: Pc,
    pub(super) rounds: u32,
    pub(super) outer: Counters,
}

pub(super) struct Builder<'a> {
    lexer: &'a Lexer,
    run: Run<'a>,
    mode: Mode,
    threads: Vec<Thread>,
    todo: Vec<Thread>,
    seen: Seen<Thread>,
    /// Under which duties the match can end here.
    ends: Vec<DutyId>,
    /// What lower threads owe since a match that outranks them hangs on a duty: that the duty is not met.
    guard: DutyId,
    /// The runs that look behind, by where they start, each with its state at this place.
    behind: Vec<(Pc, u32)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(lexer: &'a Lexer, run: Run<'a>, mode: Mode, behind: Vec<(Pc, u32)>) -> Self {
        Self {
            lexer,
            run,
            mode,
            threads: Vec::new(),
            todo: Vec::new(),
            seen: Seen::default(),
            ends: Vec::new(),
            guard: Duties::NONE,
            behind,
        }
    }

    /// As [`Self::close`] for a first state: the empty match neither counts nor cuts what it outranks, since a
    /// terminal that is taken has at least one byte.
    pub(super) fn start(&mut self, thread: Thread, fuel: &mut Fuel) -> Result<(), Error> {
        let mode = std::mem::replace(&mut self.mode, Mode::Free);
        self.close(thread, fuel)?;
        self.mode = mode;
        self.ends.clear();
        Ok(())
    }

    /// Threads at the end of a condition's run, one for each duty.
    pub(super) fn all(&mut self, duties: &[DutyId]) {
        self.threads.extend(duties.iter().map(|&duty| Self::at_end(duty)));
    }

    /// A thread at the end of a condition's run.
    fn at_end(duty: DutyId) -> Thread {
        Thread { pc: Program::ALL, counters: 0, duty }
    }

    /// Threads of another state.
    pub(super) fn copy(&mut self, threads: &[Thread]) {
        self.threads.extend_from_slice(threads);
    }

    /// Adds what can be reached without reading, in order; true if the rest is outranked by a match.
    pub(super) fn close(&mut self, thread: Thread, fuel: &mut Fuel) -> Result<bool, Error> {
        self.todo.clear();
        self.todo.push(thread);
        while let Some(mut thread) = self.todo.pop() {
            if self.guard != Duties::NONE {
                let Some(duty) = self.lexer.both(self.run, thread.duty, self.guard) else {
                    continue;
                };
                thread.duty = duty;
            }
            if !self.seen.insert(thread) {
                continue;
            }
            fuel.spend(1)?;
            let Thread { pc, counters, duty } = thread;
            match self.run.program.inst(pc) {
                Inst::Match if self.mode == Mode::Open => self.threads.push(Self::at_end(duty)),
                Inst::Match => {
                    self.ends.push(duty);
                    if self.mode == Mode::Ranked {
                        if duty == Duties::NONE {
                            return Ok(true);
                        }
                        self.guard_against(duty)?;
                    }
                }
                Inst::Bytes(_) | Inst::All => self.threads.push(thread),
                Inst::Split(targets) => {
                    self.todo.extend(targets.iter().rev().map(|&pc| Thread { pc, ..thread }))
                }
                &Inst::Enter { head } => {
                    let counters =
                        self.lexer.cell(Cell { head, rounds: 0, outer: counters }, self.run.meter);
                    self.todo.push(Thread { pc: head, counters, duty });
                }
                &Inst::Begin { inside } => {
                    let counters = self.lexer.begin_lazy(self.run, inside, counters)?;
                    self.todo.push(Thread { pc: inside, counters, duty });
                }
                &Inst::Lazy { next, .. } => {
                    let cell = self.lexer.cells.get(counters).0;
                    let residual = self.lexer.residuals.get(cell.rounds);
                    if !residual.edges.is_empty() {
                        self.threads.push(thread);
                    }
                    if residual.accepts {
                        self.todo.push(Thread { pc: next, counters: cell.outer, duty });
                    }
                }
                &Inst::Loop { min, max, greedy, body, exit, .. } => {
                    let cell = self.lexer.cells.get(counters).0;
                    let out = (cell.rounds >= min).then_some(Thread {
                        pc: exit,
                        counters: cell.outer,
                        duty,
                    });
                    let into = max.is_none_or(|max| cell.rounds < max).then(|| {
                        // Without an upper bound, rounds past the lower one are all alike.
                        let rounds = if max.is_none() {
                            (cell.rounds + 1).min(min)
                        } else {
                            cell.rounds + 1
                        };
                        let counters = self.lexer.cell(Cell { rounds, ..cell }, self.run.meter);
                        Thread { pc: body, counters, duty }
                    });
                    let (first, second) = if greedy { (into, out) } else { (out, into) };
                    self.todo.extend(second.into_iter().chain(first));
                }
                &Inst::Ahead { negative, body, next } => {
                    let behind = self.needed(body);
                    let state = self.lexer.begin(self.run, body, behind, fuel)?;
                    let added = self.lexer.duty(self.run, vec![(state, negative)]);
                    let added = added.and_then(|added| self.lexer.both(self.run, duty, added));
                    self.todo.extend(added.map(|duty| Thread { pc: next, counters, duty }));
                }
                &Inst::Behind { negative, run, next } => {
                    let added = self.looked_behind(run, negative)?;
                    let added = added.and_then(|added| self.lexer.both(self.run, duty, added));
                    self.todo.extend(added.map(|duty| Thread { pc: next, counters, duty }));
                }
            }
        }
        Ok(false)
    }

    /// The runs that look behind for the sake of what follows `pc`.
    fn needed(&self, pc: Pc) -> Vec<(Pc, u32)> {
        let needs = self.run.program.needs(pc);
        self.behind.iter().filter(|b| needs.has_behind(b.0)).copied().collect()
    }

    /// What the rest of the text owes if a run that looks behind must have matched here, or must not; `None` if that
    /// is not so whatever follows.
    fn looked_behind(&self, run: Pc, negative: bool) -> Result<Option<DutyId>, Error> {
        let at = self.behind.iter().find(|b| b.0 == run).expect("a state has the runs it needs");
        let state = self.lexer.get(at.1);
        if state.ends_for_sure() || state.ends().is_empty() {
            return Ok((state.ends_for_sure() != negative).then_some(Duties::NONE));
        }
        let any = self.lexer.any_of(self.run, state.ends())?;
        Ok(self.lexer.duty(self.run, vec![(any, negative)]))
    }

    fn guard_against(&mut self, duty: DutyId) -> Result<(), Error> {
        let any = self.lexer.any_of(self.run, &[duty])?;
        let none = self.lexer.duty(self.run, vec![(any, true)]);
        let guard = none.and_then(|none| self.lexer.both(self.run, self.guard, none));
        // If the duty is met whatever follows, it would have been none.
        self.guard = guard.unwrap_or(self.guard);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<u32, Error> {
        let duties = &self.lexer.duties;
        if self.mode != Mode::Ranked {
            if self.threads.contains(&Self::at_end(Duties::NONE)) {
                return Ok(Lexer::ALL);
            }
            self.threads.sort_unstable();
        }
        if self.threads.iter().any(|t| t.duty != Duties::NONE) {
            self.drop_implied();
        }
        let mut accepts = self.ends.iter().any(|&duty| duties.get(duty).met);
        if self.ends.contains(&Duties::NONE) {
            self.ends.clear();
        }
        let program = self.run.program;
        let (mut bounds, mut live) = (Bounds::default(), ByteSet::default());
        let (mut least, mut depth) = (u32::MAX, 0);
        for &thread in &self.threads {
            let duty = duties.get(thread.duty);
            match program.inst(thread.pc) {
                Inst::Bytes(ranges) => {
                    for &(lo, hi, _) in ranges.iter() {
                        bounds.add(lo, hi);
                        live.add_range(lo, hi);
                    }
                }
                Inst::Lazy { .. } => {
                    for &(lo, hi, _) in &self.lexer.residual_of(thread.counters).edges {
                        bounds.add(lo, hi);
                        live.add_range(lo, hi);
                    }
                }
                _ => {
                    live = ByteSet::ALL;
                    accepts |= duty.met;
                }
            }
            bounds.merge(&duty.bounds);
            depth = depth.max(duty.depth);
            least = least.min(duty.least.max(self.lexer.thread_rest(program, thread)));
        }
        self.ends.sort_unstable();
        self.ends.dedup();
        depth = self.ends.iter().map(|&duty| duties.get(duty).depth).fold(depth, u32::max);
        let conditional = Lexer::is_conditional(program, &self.threads);
        if conditional {
            self.keep_needed();
            for &(_, state) in &self.behind {
                let state = self.lexer.get(state);
                bounds.merge(&state.bounds);
                depth = depth.max(state.depth);
            }
            let what = "conditions of a pattern that hang on one another";
            check(what, "source_nesting", u64::from(DEPTH), u64::from(depth))?;
        } else {
            self.behind.clear();
        }
        let around = (!self.ends.is_empty() || !self.behind.is_empty())
            .then(|| Box::new(Around { ends: self.ends.into(), behind: self.behind.into() }));
        let key =
            Key { threads: self.threads.into_boxed_slice(), accepts, mode: self.mode, around };
        let mut state = LexerState::new(key, bounds, live, if accepts { 0 } else { least });
        state.depth = depth;
        state.conditional = conditional.then(|| Box::new(Conditional::default()));
        if self.mode == Mode::Free {
            state.common = self.lexer.common(program, &state.key.threads);
        }
        Ok(self.lexer.insert(self.run, state))
    }

    /// Drops threads that owe more than an equal one that comes before them.
    fn drop_implied(&mut self) {
        let duties = &self.lexer.duties;
        let threads = std::mem::take(&mut self.threads);
        for (place, &thread) in threads.iter().enumerate() {
            let same = |other: &Thread| (other.pc, other.counters) == (thread.pc, thread.counters);
            let stronger = |other: &Thread| {
                same(other) && *other != thread && duties.implies(thread.duty, other.duty)
            };
            let considered =
                if self.mode == Mode::Ranked { &threads[..place] } else { &threads[..] };
            if !considered.iter().any(stronger) {
                self.threads.push(thread);
            }
        }
    }

    /// Keeps the runs that look behind for the sake of some thread.
    fn keep_needed(&mut self) {
        let program = self.run.program;
        let threads = &self.threads;
        self.behind.retain(|b| threads.iter().any(|t| program.needs(t.pc).has_behind(b.0)));
    }
}
