//! States of lazy automata: numbered as texts come to them, and kept in a counter's place.

use super::closure::Cell;
use super::duty::Duties;
use super::lexer::{Lexer, Run};
use super::program::{Inst, Pc, Program};
use super::state::{Common, Counters, Thread};
use super::table::{ByteSet, Keyed};
use crate::error::Error;
use crate::pattern::{Edge, SharedState, Stepper, Words};

/// A state, and what is known of it.
pub(super) struct Residual {
    /// Inside of which instruction, and the state itself.
    key: (Pc, Words),
    pub(super) accepts: bool,
    pub(super) rest: u32,
    pub(super) edges: Box<[Edge]>,
}

impl Keyed for Residual {
    type Key = (Pc, Words);
    fn key(&self) -> &(Pc, Words) {
        &self.key
    }
}

impl Lexer {
    /// The state of an automaton of the whole process that these threads are in, if that is all they are in.
    fn shared<'p>(&self, program: &'p Program, threads: &[Thread]) -> Option<SharedState<'p>> {
        let &[Thread { pc, counters, duty: Duties::NONE }] = threads else { return None };
        let Inst::Lazy { lazy, next } = program.inst(pc) else { return None };
        let cell = self.cells.get(counters).0;
        if cell.outer != 0 || !matches!(program.inst(*next), Inst::Match) {
            return None;
        }
        lazy.stepper().shared(&self.residuals.get(cell.rounds).key.1)
    }

    pub(super) fn common(&self, program: &Program, threads: &[Thread]) -> Option<Common> {
        let SharedState { number, state, except, .. } = self.shared(program, threads)?;
        Some(Common { automaton: number, state, except })
    }

    /// The automaton that a common state is of.
    pub(crate) fn automaton<'p>(&self, run: Run<'p>, state: u32) -> Option<&'p dyn Stepper> {
        Some(self.shared(run.program, &self.get(state).key.threads)?.automaton)
    }

    /// The bytes that lead to the same from two states of one lazy automaton; `None` if they are not of one alone.
    pub(crate) fn agreed(&self, run: Run<'_>, a: u32, b: u32) -> Option<ByteSet> {
        let [a, b] = [a, b].map(|state| match self.get(state).key.threads[..] {
            [Thread { pc, counters, duty: Duties::NONE }] => Some((pc, counters)),
            _ => None,
        });
        let (a, b) = (a?, b?);
        if a.0 != b.0 || !matches!(run.program.inst(a.0), Inst::Lazy { .. }) {
            return None;
        }
        let [a, b] = [a.1, b.1].map(|counters| &self.residual_of(counters).edges);
        let mut agreed = ByteSet::NONE;
        let mut others = b.iter().peekable();
        for (lo, hi, to) in a {
            while others.next_if(|other| other.1 < *lo).is_some() {}
            for other in others.clone().take_while(|other| other.0 <= *hi) {
                if other.2 == *to {
                    agreed.add_range(*lo.max(&other.0), *hi.min(&other.1));
                }
            }
        }
        Some(agreed)
    }

    /// Whether a state is that of lazy automata alone.
    pub(crate) fn is_lazy(&self, run: Run<'_>, state: u32) -> bool {
        let mut threads = self.get(state).key.threads.iter();
        threads.all(|thread| matches!(run.program.inst(thread.pc), Inst::Lazy { .. }))
    }

    /// Whether a byte may lead back to a state; false where that is easily seen.
    pub(crate) fn may_loop(&self, run: Run<'_>, state: u32) -> bool {
        self.get(state).key.threads.iter().all(|thread| match run.program.inst(thread.pc) {
            Inst::Lazy { .. } => {
                let residual = self.residual_of(thread.counters);
                residual.edges.iter().any(|edge| edge.2 == residual.key.1)
            }
            _ => true,
        })
    }

    /// The state of the lazy automaton that a thread with these counters is inside of.
    pub(super) fn residual_of(&self, counters: Counters) -> &Residual {
        self.residuals.get(self.cells.get(counters).0.rounds)
    }

    /// The counters of a thread that begins the lazy automaton at `inside`.
    pub(super) fn begin_lazy(
        &self,
        run: Run<'_>,
        inside: Pc,
        outer: Counters,
    ) -> Result<Counters, Error> {
        let Inst::Lazy { lazy, .. } = run.program.inst(inside) else { return Ok(outer) };
        let rounds = self.residual(run, inside, lazy.stepper(), lazy.stepper().start())?;
        Ok(self.cell(Cell { head: inside, rounds, outer }, run.meter))
    }

    /// Where a thread stands after it has read a byte.
    pub(super) fn read(
        &self,
        run: Run<'_>,
        thread: Thread,
        byte: u8,
    ) -> Result<Option<(Pc, Counters)>, Error> {
        let Thread { pc, counters, .. } = thread;
        match run.program.inst(pc) {
            Inst::Bytes(ranges) => {
                let found = ranges.get(ranges.partition_point(|r| r.1 < byte));
                Ok(found.filter(|range| range.0 <= byte).map(|range| (range.2, counters)))
            }
            Inst::Lazy { lazy, .. } => {
                let edges = &self.residual_of(counters).edges;
                let found = edges.get(edges.partition_point(|edge| edge.1 < byte));
                let Some(edge) = found.filter(|edge| edge.0 <= byte) else { return Ok(None) };
                let rounds = self.residual(run, pc, lazy.stepper(), edge.2.clone())?;
                let cell = Cell { rounds, ..self.cells.get(counters).0 };
                Ok(Some((pc, self.cell(cell, run.meter))))
            }
            _ => Ok(Some((pc, counters))),
        }
    }

    fn residual(
        &self,
        run: Run<'_>,
        inside: Pc,
        stepper: &dyn Stepper,
        state: Words,
    ) -> Result<u32, Error> {
        let key = (inside, state);
        if let Some(known) = self.residuals.lookup(&key) {
            return Ok(known);
        }
        let edges = stepper.edges(&key.1)?.into_boxed_slice();
        let words: usize = edges.iter().map(|edge| edge.2.len() * 4 + 16).sum();
        let bytes = size_of::<Residual>() + 32 + key.1.len() * 4 + edges.len() * 24 + words;
        let (accepts, rest) = (stepper.accepts(&key.1), stepper.rest(&key.1));
        let (id, new) = self.residuals.insert(Residual { key, accepts, rest, edges });
        if new {
            run.meter.add(bytes);
        }
        Ok(id)
    }
}
