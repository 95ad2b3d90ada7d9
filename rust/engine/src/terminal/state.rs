//! What a lexer state is: threads, and what is asked of the text around them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::duty::{Duties, DutyId};
use super::program::Pc;
use super::table::{Bounds, ByteSet, ByteTable, Keyed};

/// The number of a counter's value with those around it; 0 is none.
pub(super) type Counters = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Thread {
    pub(super) pc: Pc,
    pub(super) counters: Counters,
    /// What the rest of the text must and must not match for the thread's sake.
    pub(super) duty: DutyId,
}

/// What a match does to the threads of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// Nothing; they are a set.
    #[default]
    Free,
    /// They are in order of preference, and it cuts those that it outranks.
    Ranked,
    /// They are a set, and it holds whatever follows.
    Open,
}

#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(super) threads: Box<[Thread]>,
    /// Whether what was read so far is a whole match if the text ends here.
    pub(super) accepts: bool,
    pub(super) mode: Mode,
    pub(super) around: Option<Box<Around>>,
}

/// What few states have.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Around {
    /// What must come true of the rest of the text if the match ends here; empty if nothing is to.
    pub(super) ends: Box<[DutyId]>,
    /// The runs that look behind, by where they start, each with its state.
    pub(super) behind: Box<[(Pc, u32)]>,
}

/// A state of an automaton that all grammars of the process share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Common {
    pub(crate) automaton: u32,
    pub(crate) state: u32,
    /// What stands for it reads something else behind these bytes.
    pub(crate) except: [Option<u8>; 2],
}

impl Common {
    pub(crate) fn is_exact(&self) -> bool {
        self.except == [None; 2]
    }
}

/// Where a terminal stands.
pub(crate) struct LexerState {
    pub(super) key: Key,
    /// Bytes at which transitions may change.
    pub(crate) bounds: Bounds,
    /// Bytes that may lead on; all others lead to [`super::Lexer::DEAD`].
    pub(crate) live: ByteSet,
    /// At least so many bytes to a match; exactly, if not conditional.
    pub(super) least: u32,
    /// Levels of conditions within conditions.
    pub(super) depth: u32,
    pub(super) next: ByteTable,
    /// Bytes after which a match is whole, made on first use.
    pub(super) matching: OnceLock<ByteSet>,
    /// Characters that lead back here, made on first use. See [`crate::mask`].
    pub(crate) loops: OnceLock<u128>,
    /// Characters that lead to a state that loops on them.
    pub(crate) before_loops: OnceLock<u128>,
    pub(super) conditional: Option<Box<Conditional>>,
    /// What it is in all grammars, if it is that and nothing else.
    pub(crate) common: Option<Common>,
}

/// Of a state whose threads hang on conditions, so that it can be dead without showing it.
#[derive(Default)]
pub(super) struct Conditional {
    /// Transitions to states that may be dead.
    pub(super) raw: ByteTable,
    /// One more than the fewest bytes to a match; 0 if not known yet.
    distance: AtomicU32,
    pub(super) goes_on: OnceLock<bool>,
}

impl Conditional {
    /// Fewest bytes to a match, `u32::MAX` if there is none; `None` if not known yet.
    pub(super) fn distance(&self) -> Option<u32> {
        match self.distance.load(Ordering::Acquire) {
            0 => None,
            u32::MAX => Some(u32::MAX),
            known => Some(known - 1),
        }
    }

    pub(super) fn set_distance(&self, distance: u32) {
        self.distance.store(distance.saturating_add(1), Ordering::Release);
    }
}

impl LexerState {
    pub(super) fn new(key: Key, bounds: Bounds, live: ByteSet, least: u32) -> Self {
        Self {
            key,
            bounds,
            live,
            least,
            depth: 0,
            next: ByteTable::default(),
            matching: OnceLock::new(),
            loops: OnceLock::new(),
            before_loops: OnceLock::new(),
            conditional: None,
            common: None,
        }
    }

    /// Whether what was read so far is a whole match.
    pub(crate) fn accepts(&self) -> bool {
        self.key.accepts
    }

    /// Whether more can be read that leads to a match.
    pub(crate) fn goes_on(&self) -> bool {
        match &self.conditional {
            None => !self.key.threads.is_empty(),
            Some(conditional) => conditional.goes_on.get().copied().unwrap_or(true),
        }
    }

    /// Fewest bytes to a match.
    pub(crate) fn rest(&self) -> u32 {
        match &self.conditional {
            None => self.least,
            Some(conditional) => conditional.distance().unwrap_or(self.least),
        }
    }

    /// The duties under which the terminal can end here. Where preference counts, they are about the text that
    /// follows the terminal; otherwise the text ends with it.
    pub(crate) fn endings(&self) -> &[DutyId] {
        match (self.key.mode, self.ends(), self.key.accepts) {
            (Mode::Ranked, ends @ [_, ..], _) => ends,
            (_, _, true) => &[Duties::NONE],
            _ => &[],
        }
    }

    /// Whether the terminal can end here, perhaps.
    pub(crate) fn ends_here(&self) -> bool {
        !self.endings().is_empty()
    }

    /// Whether it shows that nothing can match.
    pub(super) fn is_dead(&self) -> bool {
        !self.key.accepts && self.key.threads.is_empty()
    }

    /// Whether the match ends here whatever follows.
    pub(super) fn ends_for_sure(&self) -> bool {
        self.key.accepts && self.ends().is_empty()
    }

    pub(super) fn ends(&self) -> &[DutyId] {
        self.key.around.as_ref().map_or(&[], |around| &around.ends)
    }

    pub(super) fn behind(&self) -> &[(Pc, u32)] {
        self.key.around.as_ref().map_or(&[], |around| &around.behind)
    }
}

impl Keyed for LexerState {
    type Key = Key;
    fn key(&self) -> &Key {
        &self.key
    }
}
