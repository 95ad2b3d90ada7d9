//! Small constructors for patterns.

use crate::pattern::{CharSet, Pattern};

/// These characters, one after the other.
pub(super) fn text(text: &str) -> Pattern {
    Pattern::Bytes(text.as_bytes().to_vec())
}

/// The set of characters in these ranges: `"azAZ"` are the letters of ASCII.
pub(super) fn set(ranges: &str) -> CharSet {
    let ends: Vec<char> = ranges.chars().collect();
    CharSet::new(ends.chunks_exact(2).map(|pair| (pair[0], pair[1])))
}

/// One character of [`set`].
pub(super) fn class(ranges: &str) -> Pattern {
    Pattern::Class(set(ranges))
}

/// One after the other.
pub(super) fn concat<const N: usize>(parts: [Pattern; N]) -> Pattern {
    Pattern::Concat(parts.into())
}

/// Any one of these.
pub(super) fn either<const N: usize>(choices: [Pattern; N]) -> Pattern {
    Pattern::Alt(choices.into())
}

/// The body `min` to `max` times.
pub(super) fn repeat(body: Pattern, min: u32, max: Option<u32>) -> Pattern {
    Pattern::Repeat { body: Box::new(body), min, max, greedy: true }
}

/// The body exactly `count` times.
pub(super) fn times(body: Pattern, count: u32) -> Pattern {
    repeat(body, count, Some(count))
}

/// The body any number of times.
pub(super) fn star(body: Pattern) -> Pattern {
    repeat(body, 0, None)
}

/// The body or nothing.
pub(super) fn optional(body: Pattern) -> Pattern {
    repeat(body, 0, Some(1))
}

/// The body at least once.
pub(super) fn plus(body: Pattern) -> Pattern {
    repeat(body, 1, None)
}

/// The numbers from `from` to `to` with this many digits, zeros in front included.
pub(super) fn numbers(from: u32, to: u32, width: usize) -> Pattern {
    Pattern::Strings((from..=to).map(|n| format!("{n:0width$}").into_bytes()).collect())
}
