//! A pattern that is run once for the whole process: its states are shared by all grammars, as a lazy automaton.
//!
//! For patterns that are known ahead, such as formats. Their states are made as texts come to them and stay, so they
//! have to be few.

use std::fmt;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::Program;
use super::table::Meter;
use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::{Edge, Lazy, Pattern, SharedState, Stepper, Words, automaton_number, ranges};

/// So many patterns are shared by what they are. The others of a process that makes more have states of their own in
/// each grammar.
const MOST: usize = 256;

static BY_PATTERN: LazyLock<Mutex<FxHashMap<Pattern, Lazy>>> = LazyLock::new(Mutex::default);

fn by_pattern() -> MutexGuard<'static, FxHashMap<Pattern, Lazy>> {
    BY_PATTERN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The states of one pattern.
pub(crate) struct Shared {
    number: u32,
    program: Program,
    lexer: Lexer,
    meter: Meter,
    start: u32,
    bytes: Vec<(u8, u8)>,
}

impl Shared {
    /// Of a pattern that matches something, and not the empty string.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if it is too large.
    pub(crate) fn new(pattern: &Pattern) -> Result<Self, Error> {
        let limits = Limits::default();
        let program = Program::new(&limits);
        let pc = program.add(pattern, None)?;
        let (lexer, meter) = (Lexer::new(), Meter::default());
        let run = Run { program: &program, ordered: false, meter: &meter };
        let start = lexer.start(run, pc, &mut Fuel::new(limits.step_work))?;
        let bytes = ranges(&program.used_bytes());
        let number = automaton_number();
        Ok(Self { number, program, lexer, meter, start, bytes })
    }

    /// That of a pattern, the same for all who ask; `None` if there are too many already.
    ///
    /// # Errors
    /// As [`Shared::new`].
    pub(crate) fn of(pattern: &Pattern) -> Result<Option<Lazy>, Error> {
        let known = by_pattern();
        if let Some(lazy) = known.get(pattern) {
            return Ok(Some(lazy.clone()));
        }
        if known.len() >= MOST {
            return Ok(None);
        }
        drop(known);
        // Made without the lock; of two that are made at the same time, the first stays.
        let fresh = Lazy::new(Self::new(pattern)?);
        Ok(Some(by_pattern().entry(pattern.clone()).or_insert(fresh).clone()))
    }

    fn run(&self) -> Run<'_> {
        Run { program: &self.program, ordered: false, meter: &self.meter }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("start", &self.start).finish_non_exhaustive()
    }
}

impl Stepper for Shared {
    fn start(&self) -> Words {
        [self.start].into()
    }

    fn accepts(&self, state: &[u32]) -> bool {
        self.lexer.get(state[0]).accepts()
    }

    fn rest(&self, state: &[u32]) -> u32 {
        self.lexer.get(state[0]).rest()
    }

    fn edges(&self, state: &[u32]) -> Result<Vec<Edge>, Error> {
        let mut fuel = Fuel::new(Limits::default().step_work);
        let from = self.lexer.get(state[0]);
        let mut edges: Vec<Edge> = Vec::new();
        if !from.goes_on() {
            return Ok(edges);
        }
        for first in from.bounds.firsts() {
            let to = self.lexer.step(self.run(), state[0], first, &mut fuel)?;
            if to == Lexer::DEAD {
                continue;
            }
            let last = from.bounds.last_of_class(first);
            match edges.last_mut() {
                Some(edge) if edge.1 + 1 == first && *edge.2 == [to] => edge.1 = last,
                _ => edges.push((first, last, [to].into())),
            }
        }
        Ok(edges)
    }

    fn bytes(&self) -> &[(u8, u8)] {
        &self.bytes
    }

    fn shared(&self, state: &[u32]) -> Option<SharedState<'_>> {
        Some(SharedState {
            automaton: self,
            number: self.number,
            state: state[0],
            except: [None; 2],
        })
    }
}
