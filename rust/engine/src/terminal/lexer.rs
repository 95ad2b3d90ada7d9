//! Terminals run lazily: a state is a list of threads of the [`Program`], made on first use.
//!
//! For Lark's endings the list is ordered as a backtracking matcher prefers, and cut after the first thread that
//! matched: what remains outranks the match (Thompson's simulation with priorities, after Pike and Cox). For the
//! other endings it is a sorted set.

use rustc_hash::FxHashSet;

use super::fuel::Fuel;
use super::program::{Inst, Pc, Program};
use super::table::{Bounds, ByteTable, Keyed, Memo, Meter, Table};
use crate::error::Error;

/// The number of a [`Cell`]; 0 is none.
type Counters = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Thread {
    pc: Pc,
    counters: Counters,
}

/// A counter's value inside its loop, and the counters around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cell {
    head: Pc,
    rounds: u32,
    outer: Counters,
}

/// Where a terminal stands.
pub(crate) struct LexerState {
    /// The threads, and whether what was read so far is a whole match.
    key: (Box<[Thread]>, bool),
    /// Bytes at which transitions may change.
    pub(crate) bounds: Bounds,
    /// Fewest bytes to a match.
    pub(crate) rest: u32,
    next: ByteTable,
}

impl LexerState {
    /// Whether what was read so far is a whole match.
    pub(crate) fn accepts(&self) -> bool {
        self.key.1
    }

    /// Whether more can be read.
    pub(crate) fn goes_on(&self) -> bool {
        !self.key.0.is_empty()
    }
}

impl Keyed for LexerState {
    type Key = (Box<[Thread]>, bool);
    fn key(&self) -> &Self::Key {
        &self.key
    }
}

/// What the lexer needs of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Program,
    /// Whether threads have an order of preference.
    pub(crate) ordered: bool,
    pub(crate) meter: &'a Meter,
}

/// The states of all terminals.
pub(crate) struct Lexer {
    states: Table<LexerState>,
    cells: Table<(Cell, ())>,
    starts: Memo<Pc, u32>,
}

impl Lexer {
    /// Nothing more can be read and nothing has matched.
    pub(crate) const DEAD: u32 = 0;

    pub(crate) fn new() -> Self {
        let lexer = Self { states: Table::new(), cells: Table::new(), starts: Memo::new() };
        // Number 0 of both tables stands for "none".
        lexer.states.insert(LexerState {
            key: (Box::default(), false),
            bounds: Bounds::default(),
            rest: u32::MAX,
            next: ByteTable::default(),
        });
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
        let mut builder = Builder::new(self, run);
        builder.start(Thread { pc, counters: 0 }, fuel)?;
        Ok(self.starts.set(pc, builder.finish()))
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
        match self.get(state).next.get(byte) {
            Some(next) => Ok(next),
            None => self.make(run, state, byte, fuel),
        }
    }

    #[cold]
    fn make(&self, run: Run<'_>, state: u32, byte: u8, fuel: &mut Fuel) -> Result<u32, Error> {
        let from = self.get(state);
        let mut builder = Builder::new(self, run);
        for thread in &from.key.0 {
            fuel.spend(1)?;
            let Inst::Bytes(ranges) = run.program.inst(thread.pc) else { continue };
            let at = ranges.partition_point(|r| r.1 < byte);
            if let Some(&(lo, _, pc)) = ranges.get(at)
                && lo <= byte
                && builder.close(Thread { pc, counters: thread.counters }, fuel)?
            {
                break;
            }
        }
        let next = builder.finish();
        run.meter.add(from.next.fill(from.bounds.class(byte), next));
        Ok(next)
    }

    fn cell(&self, cell: Cell, meter: &Meter) -> Counters {
        let (id, new) = self.cells.insert((cell, ()));
        if new {
            meter.add(size_of::<Cell>() + 16);
        }
        id
    }
}

struct Builder<'a> {
    lexer: &'a Lexer,
    run: Run<'a>,
    threads: Vec<Thread>,
    seen: FxHashSet<Thread>,
    accepts: bool,
}

impl<'a> Builder<'a> {
    fn new(lexer: &'a Lexer, run: Run<'a>) -> Self {
        Self { lexer, run, threads: Vec::new(), seen: FxHashSet::default(), accepts: false }
    }

    /// As [`Self::close`] for a first state: the empty match neither counts nor cuts what it outranks, since a
    /// terminal that is taken has at least one byte.
    fn start(&mut self, thread: Thread, fuel: &mut Fuel) -> Result<(), Error> {
        let ordered = std::mem::replace(&mut self.run.ordered, false);
        self.close(thread, fuel)?;
        self.run.ordered = ordered;
        self.accepts = false;
        Ok(())
    }

    /// Adds what can be reached without reading, in order; true if the rest is outranked by a match.
    fn close(&mut self, thread: Thread, fuel: &mut Fuel) -> Result<bool, Error> {
        let mut todo = vec![thread];
        while let Some(thread) = todo.pop() {
            if !self.seen.insert(thread) {
                continue;
            }
            fuel.spend(1)?;
            let Thread { pc, counters } = thread;
            match self.run.program.inst(pc) {
                Inst::Match => {
                    self.accepts = true;
                    if self.run.ordered {
                        return Ok(true);
                    }
                }
                Inst::Bytes(_) => self.threads.push(thread),
                Inst::Split(targets) => {
                    todo.extend(targets.iter().rev().map(|&pc| Thread { pc, counters }))
                }
                &Inst::Enter { head } => {
                    let counters =
                        self.lexer.cell(Cell { head, rounds: 0, outer: counters }, self.run.meter);
                    todo.push(Thread { pc: head, counters });
                }
                &Inst::Loop { min, max, greedy, body, exit, .. } => {
                    let cell = self.lexer.cells.get(counters).0;
                    let out =
                        (cell.rounds >= min).then_some(Thread { pc: exit, counters: cell.outer });
                    let into = max.is_none_or(|max| cell.rounds < max).then(|| {
                        // Without an upper bound, rounds past the lower one are all alike.
                        let rounds = if max.is_none() {
                            (cell.rounds + 1).min(min)
                        } else {
                            cell.rounds + 1
                        };
                        let counters = self.lexer.cell(Cell { rounds, ..cell }, self.run.meter);
                        Thread { pc: body, counters }
                    });
                    let (first, second) = if greedy { (into, out) } else { (out, into) };
                    todo.extend(second.into_iter().chain(first));
                }
            }
        }
        Ok(false)
    }

    fn finish(mut self) -> u32 {
        if !self.run.ordered {
            self.threads.sort_unstable();
        }
        let mut bounds = Bounds::default();
        let mut rest = if self.accepts { 0 } else { u32::MAX };
        for &thread in &self.threads {
            if let Inst::Bytes(ranges) = self.run.program.inst(thread.pc) {
                for &(lo, hi, _) in ranges {
                    bounds.add(lo, hi);
                }
            }
            rest = rest.min(self.rest(thread));
        }
        let threads = self.threads.into_boxed_slice();
        let bytes = size_of::<LexerState>() + threads.len() * size_of::<Thread>() + 32;
        let state =
            LexerState { key: (threads, self.accepts), bounds, rest, next: ByteTable::default() };
        let (id, new) = self.lexer.states.insert(state);
        if new {
            self.run.meter.add(bytes);
        }
        id
    }

    /// Fewest bytes from a thread to a match: the open rounds of each counter are still to be read.
    fn rest(&self, thread: Thread) -> u32 {
        let mut rest = self.run.program.rest(thread.pc);
        let mut counters = thread.counters;
        while counters != 0 {
            let cell = self.lexer.cells.get(counters).0;
            if let Inst::Loop { min, body_len, .. } = *self.run.program.inst(cell.head) {
                rest =
                    rest.saturating_add(min.saturating_sub(cell.rounds).saturating_mul(body_len));
            }
            counters = cell.outer;
        }
        rest
    }
}
