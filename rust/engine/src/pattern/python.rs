//! Python's regular expression dialect.

use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::Pattern;

/// Flags that hold for a whole pattern, as in Python's `re`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `i`: letters match in both cases.
    pub ignore_case: bool,
    /// `m`: `^` and `$` match at line breaks.
    pub multi_line: bool,
    /// `s`: `.` matches a line feed too.
    pub dot_all: bool,
    /// `x`: white space and comments are skipped.
    pub verbose: bool,
    /// `a`: `\w`, `\d`, `\s` and case are ASCII only.
    pub ascii: bool,
}

/// What a pattern is matched against, which decides what its anchors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// The whole text: `^` at the start and `$` at the end hold by themselves.
    FullMatch,
    /// A piece of a text, as the terminals of a Lark grammar are.
    Terminal,
}

/// Parses a pattern.
///
/// # Errors
/// [`Error::Syntax`] with the position of what is malformed or not supported.
pub fn parse(_pattern: &str, _flags: Flags, _anchors: Anchors, _limits: &Limits) -> Result<Pattern, Error> {
    unimplemented!()
}
