//! Automata whose states are worked out when a text comes to them: for languages that arithmetic describes, such as
//! multiples of 9973, which have more states than anyone would list.

use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;

/// A state, in words of its maker's.
pub type Words = Box<[u32]>;

/// Where a byte of an inclusive range leads.
pub type Edge = (u8, u8, Words);

/// A deterministic automaton over bytes by its rule.
///
/// It matches something, and not the empty string. Every state that it gives out leads to a match, and equal words
/// are the same state. Answers depend on their arguments alone.
pub trait Stepper: std::fmt::Debug + Send + Sync {
    /// Where reading starts.
    fn start(&self) -> Words;

    /// Whether what was read so far is a whole match.
    fn accepts(&self, state: &[u32]) -> bool;

    /// At least so many bytes lead to a match.
    fn rest(&self, state: &[u32]) -> u32;

    /// Where a state leads, by sorted and disjoint ranges of bytes.
    ///
    /// # Errors
    /// [`Error::TooComplex`] past a limit.
    fn edges(&self, state: &[u32]) -> Result<Vec<Edge>, Error>;

    /// The bytes that some text has, as ranges.
    fn bytes(&self) -> &[(u8, u8)];

    /// The state of an automaton that all of the process shares which reads the same, if there is one.
    fn shared(&self, _state: &[u32]) -> Option<SharedState<'_>> {
        None
    }
}

/// A state of an automaton that all of the process shares. What it stands for reads the same, but behind the bytes of
/// `except`.
#[derive(Clone, Copy, Debug)]
pub struct SharedState<'a> {
    /// The automaton, whose states are one word each, and not 0.
    pub automaton: &'a dyn Stepper,
    /// Its number, from [`automaton_number`].
    pub number: u32,
    /// The state.
    pub state: u32,
    /// The bytes that lead elsewhere.
    pub except: [Option<u8>; 2],
}

/// A number for an automaton that all of the process shares, never given out before.
pub fn automaton_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The bytes that are used, as ranges.
pub(crate) fn ranges(used: &[bool; 256]) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for (byte, _) in (0..=255).zip(used).filter(|(_, used)| **used) {
        match ranges.last_mut() {
            Some(last) if last.1 + 1 == byte => last.1 = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}

/// A shared [`Stepper`]. Two are equal if they are the same.
#[derive(Clone, Debug)]
pub struct Lazy(Arc<dyn Stepper>);

impl Lazy {
    /// The automaton with this rule.
    pub fn new(stepper: impl Stepper + 'static) -> Self {
        Self(Arc::new(stepper))
    }

    /// The automaton with a rule that others have too.
    pub fn of(stepper: Arc<impl Stepper + 'static>) -> Self {
        Self(stepper)
    }

    /// Its rule.
    pub fn stepper(&self) -> &dyn Stepper {
        &*self.0
    }

    /// At least so many bytes are a match.
    pub fn rest(&self) -> u32 {
        self.0.rest(&self.0.start())
    }

    /// Whether these bytes match as a whole. Past a limit, which sets of numbers never meet, they count as no match.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        let mut state = self.0.start();
        for &byte in bytes {
            let Ok(edges) = self.0.edges(&state) else { return false };
            match edges.into_iter().find(|edge| edge.0 <= byte && byte <= edge.1) {
                Some((_, _, next)) => state = next,
                None => return false,
            }
        }
        self.0.accepts(&state)
    }

    fn address(&self) -> *const () {
        Arc::as_ptr(&self.0).cast()
    }
}

impl PartialEq for Lazy {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.address(), other.address())
    }
}

impl Eq for Lazy {}

impl Hash for Lazy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.address(), state);
    }
}
