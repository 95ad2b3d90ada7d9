//! A Python regular expression that the whole text must match.

use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar};
use crate::limits::Limits;
use crate::pattern::python::{self, Anchors};

impl Grammar {
    /// The grammar of the strings that Python's `re.fullmatch(pattern, text)` accepts.
    ///
    /// # Errors
    /// [`Error::Syntax`] with a position if the pattern is malformed or uses what is not supported;
    /// [`Error::TooComplex`] if it is too long or too deeply nested.
    pub fn from_regex(pattern: &str, limits: &Limits) -> Result<Self, Error> {
        let parsed = python::parse(pattern, python::Flags::default(), Anchors::FullMatch, limits)?;
        let mut grammar = Self::new(Ending::Free);
        let whole = grammar.terminal("pattern", parsed);
        grammar.rule("start", Expr::Terminal(whole));
        Ok(grammar)
    }
}
