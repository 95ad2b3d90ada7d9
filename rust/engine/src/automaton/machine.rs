//! The tables of a compiled grammar and the view that works on them.

use super::context::{Contexts, ReturnId};
use super::core::Core;
use super::lexer::Lexer;
use super::local::{LocalId, LocalState, Move, MoveId, Point};
use super::obligation::Obligations;
use super::position::{Popped, Position, Strand};
use super::stack::{Stack, StackId};
use super::table::{Memo, Meter, Table};
use crate::error::Error;

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
    pub(crate) stack_rests: Memo<StackId, u32>,
    pub(crate) live: Memo<Position, bool>,
    pub(crate) sound_locals: Memo<LocalId, bool>,
    pub(crate) sound_stacks: Memo<StackId, bool>,
    pub(crate) sound_returns: Memo<ReturnId, bool>,
    pub(crate) popped: Table<((StackId, u32), Popped)>,
    pub(crate) strands: Table<(Box<[Strand]>, ())>,
    pub(crate) meter: Meter,
}

impl Tables {
    pub(crate) fn new() -> Self {
        let tables = Self {
            lexer: Lexer::new(),
            contexts: Contexts::new(),
            obligations: Obligations::new(),
            locals: Table::new(),
            local_unions: Memo::new(),
            moves: Table::new(),
            points: Memo::new(),
            stacks: Stack::new(),
            stack_rests: Memo::new(),
            live: Memo::new(),
            sound_locals: Memo::new(),
            sound_stacks: Memo::new(),
            sound_returns: Memo::new(),
            popped: Table::new(),
            strands: Table::new(),
            meter: Meter::default(),
        };
        // Number 0 of each stands for "none".
        tables.locals.insert(LocalState::default());
        tables.moves.insert((Move::default(), ()));
        tables.strands.insert((Box::default(), ()));
        tables
    }
}

/// A compiled grammar's core with its tables.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'a> {
    pub(crate) core: &'a Core,
    pub(crate) tables: &'a Tables,
}

impl Machine<'_> {
    /// Fails if the tables are full.
    pub(crate) fn check_memory(&self) -> Result<(), Error> {
        let limit = self.core.limits.state_bytes as u64;
        crate::limits::check(
            "bytes of states",
            "state_bytes",
            limit,
            self.tables.meter.bytes() as u64,
        )
    }
}
