//! Patterns: regular languages over code points, with the order of preference that a backtracking matcher has.
//!
//! A [`Pattern`] is what every front end makes of a terminal. The order of alternatives and the greediness of
//! repetitions do not change the set of full matches; they decide where a terminal of a Lark grammar ends
//! (see [`crate::grammar::Ending`]).

mod anchors;
mod automaton;
mod behind;
mod charset;
pub mod ecma;
pub mod json_string;
mod lazy;
mod look;
#[cfg(test)]
pub(crate) mod matching;
mod properties;
pub mod python;
mod rounds;
pub mod rust;

use std::sync::Arc;

pub use automaton::{ByteAutomaton, ByteState};
pub(crate) use behind::is_decided;
pub use charset::CharSet;
pub(crate) use lazy::ranges;
pub use lazy::{Edge, Lazy, SharedState, Stepper, Words, automaton_number};
pub use look::Look;

/// A regular expression over code points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The empty string.
    Empty,
    /// These bytes, one after the other.
    Bytes(Vec<u8>),
    /// One code point of a set, as UTF-8. An empty set matches nothing.
    Class(CharSet),
    /// A condition on the text around; reads nothing.
    Look(Box<Look>),
    /// One after the other.
    Concat(Vec<Pattern>),
    /// Any one of these, earlier ones preferred. No alternative at all matches nothing.
    Alt(Vec<Pattern>),
    /// Any one of these byte strings, as a set without order. For long lists of choices.
    Strings(Vec<Vec<u8>>),
    /// What a deterministic automaton matches; longer matches preferred.
    Automaton(Arc<ByteAutomaton>),
    /// What a deterministic automaton matches that is never written down; longer matches preferred.
    Lazy(Lazy),
    /// `min` to `max` times the body.
    Repeat {
        /// What is repeated.
        body: Box<Pattern>,
        /// Fewest times.
        min: u32,
        /// Most times, or without bound.
        max: Option<u32>,
        /// Whether more repetitions are preferred to fewer.
        greedy: bool,
    },
}
