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

/// The body `min` to `max` times.
pub(super) fn repeat(body: Pattern, min: u32, max: Option<u32>) -> Pattern {
    Pattern::Repeat { body: Box::new(body), min, max, greedy: true }
}

/// The body or nothing.
pub(super) fn optional(body: Pattern) -> Pattern {
    repeat(body, 0, Some(1))
}
