//! The tables of a compiled grammar and the view that works on them.

use std::sync::Mutex;

use super::context::{ContextId, Contexts, ReturnId};
use super::core::Core;
use super::ends::Ends;
use super::lexer::{Lexer, Run};
use super::local::{Item, LocalId, LocalState, Move, MoveId, Point, Scratch};
use super::made::Made;
use super::obligation::{ObligationId, Obligations};
use super::position::{Popped, Position, Reach, Strand};
use super::stack::{Stack, StackId};
use super::table::{Listed, Memo, Meter, Table};
use crate::error::Error;
use crate::limits::Limits;

/// Everything that is made on demand. Shared by all matchers of a compiled grammar; it only grows, within
/// [`crate::Limits::state_bytes`], and is dropped as a whole when no matcher needs it any more.
pub(crate) struct Tables {
    pub(crate) lexer: Lexer,
    pub(crate) contexts: Contexts,
    pub(crate) obligations: Obligations,
    pub(crate) locals: Table<LocalState>,
    pub(crate) local_unions: Memo<(LocalId, LocalId), LocalId>,
    pub(crate) moves: Table<(Move, ())>,
    pub(crate) points: Memo<Point, MoveId>,
    pub(crate) stacks: Stack,
    pub(crate) context_rests: Memo<ContextId, u32>,
    pub(crate) stack_rests: Memo<StackId, u32>,
    /// Steps that do more than lead from one local state to another in the same frame, or in a new one.
    pub(crate) steps: Memo<(Position, u8), (Position, Reach)>,
    pub(crate) live: Memo<Position, bool>,
    /// Local states of indented grammars in blocks of which nothing is known.
    pub(crate) forgotten: Memo<LocalId, LocalId>,
    /// Whether newline terminals in these states can only go on with spaces and tabs.
    pub(crate) last_lines: Memo<u32, bool>,
    /// Ends of frames, by an item in them and by a place in them that is returned to. See [`super::liveness`].
    pub(crate) item_ends: Memo<Item, Ends>,
    pub(crate) return_ends: Memo<(ReturnId, ObligationId), Ends>,
    /// Whether stacks can go on after such ends, and those that were relied on.
    pub(crate) goes_on: Memo<(StackId, ObligationId), bool>,
    pub(crate) relied: Table<(ObligationId, ())>,
    pub(crate) good_stacks: Memo<(StackId, usize), bool>,
    pub(crate) popped: Table<((StackId, u32), Popped)>,
    pub(crate) strands: Table<Listed<Strand, ()>>,
    /// What sources made.
    pub(crate) made: Option<Box<Made>>,
    pub(crate) meter: Meter,
    /// Buffers for making a move, lent to one thread at a time.
    pub(crate) scratch: Mutex<Vec<Scratch>>,
}

impl Tables {
    pub(crate) fn new(core: &Core) -> Self {
        let tables = Self {
            lexer: Lexer::new(),
            contexts: Contexts::new(),
            obligations: Obligations::new(core.layout.map(|layout| layout.tab)),
            locals: Table::new(),
            local_unions: Memo::new(),
            moves: Table::new(),
            points: Memo::new(),
            stacks: Stack::new(),
            context_rests: Memo::new(),
            stack_rests: Memo::new(),
            steps: Memo::new(),
            live: Memo::new(),
            forgotten: Memo::new(),
            last_lines: Memo::new(),
            item_ends: Memo::new(),
            return_ends: Memo::new(),
            goes_on: Memo::new(),
            relied: Table::new(),
            good_stacks: Memo::new(),
            popped: Table::new(),
            strands: Table::new(),
            made: Made::new(core),
            meter: Meter::default(),
            scratch: Mutex::new(Vec::new()),
        };
        // Number 0 of each stands for "none".
        tables.locals.insert(LocalState::default());
        tables.strands.insert(Listed(Box::default(), ()));
        tables
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.meter.bytes()
    }

    /// Whether a source made keys that may run out.
    pub(crate) fn has_scarce_keys(&self) -> bool {
        self.made.as_ref().is_some_and(|made| made.has_scarce_keys())
    }

    /// Whether a source made an array whose items must differ.
    pub(crate) fn has_distinct_items(&self) -> bool {
        self.made.as_ref().is_some_and(|made| made.has_distinct_items())
    }

    /// Whether it is time for new matchers to begin with empty tables.
    pub(crate) fn are_half_full(&self, limits: &Limits) -> bool {
        self.bytes() > limits.state_bytes / 2
            || self.made.as_ref().is_some_and(|m| m.is_half_full(limits))
    }
}

/// A compiled grammar's core with its tables.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'a> {
    pub(crate) core: &'a Core,
    pub(crate) tables: &'a Tables,
}

impl<'a> Machine<'a> {
    /// What the lexer needs.
    pub(crate) fn run(&self) -> Run<'a> {
        let program = match &self.tables.made {
            Some(made) => &made.program,
            None => &*self.core.program,
        };
        Run { program, ordered: self.core.is_ordered(), meter: &self.tables.meter }
    }

    /// Fails if the tables are full.
    pub(crate) fn check_memory(&self) -> Result<(), Error> {
        let limit = self.core.limits.state_bytes as u64;
        crate::limits::check("bytes of states", "state_bytes", limit, self.tables.bytes() as u64)
    }
}
