//! States of lazy automata: numbered as texts come to them, and kept in a counter's place.

use super::closure::Cell;
use super::lexer::{Lexer, Run};
use super::program::{Inst, Pc};
use super::state::{Counters, Thread};
use super::table::Keyed;
use crate::pattern::{Edge, Stepper, Words};

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
    /// The state of the lazy automaton that a thread with these counters is inside of.
    pub(super) fn residual_of(&self, counters: Counters) -> &Residual {
        self.residuals.get(self.cells.get(counters).0.rounds)
    }

    /// The counters of a thread that begins the lazy automaton at `inside`.
    pub(super) fn begin_lazy(&self, run: Run<'_>, inside: Pc, outer: Counters) -> Counters {
        let Inst::Lazy { lazy, .. } = run.program.inst(inside) else { return outer };
        let rounds = self.residual(run, inside, lazy.stepper(), lazy.stepper().start());
        self.cell(Cell { head: inside, rounds, outer }, run.meter)
    }

    /// Where a thread stands after it has read a byte.
    pub(super) fn read(&self, run: Run<'_>, thread: Thread, byte: u8) -> Option<(Pc, Counters)> {
        let Thread { pc, counters, .. } = thread;
        match run.program.inst(pc) {
            Inst::Bytes(ranges) => {
                let &(lo, _, to) = ranges.get(ranges.partition_point(|r| r.1 < byte))?;
                (lo <= byte).then_some((to, counters))
            }
            Inst::Lazy { lazy, .. } => {
                let edges = &self.residual_of(counters).edges;
                let (lo, _, to) = edges.get(edges.partition_point(|edge| edge.1 < byte))?;
                if byte < *lo {
                    return None;
                }
                let rounds = self.residual(run, pc, lazy.stepper(), to.clone());
                let cell = Cell { rounds, ..self.cells.get(counters).0 };
                Some((pc, self.cell(cell, run.meter)))
            }
            _ => Some((pc, counters)),
        }
    }

    fn residual(&self, run: Run<'_>, inside: Pc, stepper: &dyn Stepper, state: Words) -> u32 {
        let key = (inside, state);
        if let Some(known) = self.residuals.lookup(&key) {
            return known;
        }
        let edges = stepper.edges(&key.1).into_boxed_slice();
        let words: usize = edges.iter().map(|edge| edge.2.len() * 4 + 16).sum();
        let bytes = size_of::<Residual>() + 32 + key.1.len() * 4 + edges.len() * 24 + words;
        let (accepts, rest) = (stepper.accepts(&key.1), stepper.rest(&key.1));
        let (id, new) = self.residuals.insert(Residual { key, accepts, rest, edges });
        if new {
            run.meter.add(bytes);
        }
        id
    }
}
