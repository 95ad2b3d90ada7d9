//! A regular expression that the whole text must match, in one of three dialects.

use crate::error::{Diagnostic, Error};
use crate::grammar::{Ending, Expr, Grammar};
use crate::limits::Limits;
use crate::pattern::python::{self, Anchors};
use crate::pattern::{ecma, rust};

/// How a regular expression is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// As Python's `re` reads it.
    #[default]
    Python,
    /// As ECMA-262 says, with the `u` flag where that is possible.
    Ecma,
    /// As Rust's `regex` crate reads it.
    Rust,
}

impl Grammar {
    /// The grammar of the strings that Python's `re.fullmatch(pattern, text)` accepts.
    ///
    /// # Errors
    /// As [`Self::from_regex_in`].
    pub fn from_regex(pattern: &str, limits: &Limits) -> Result<Self, Error> {
        Self::from_regex_in(pattern, Dialect::Python, limits)
    }

    /// The grammar of the strings that match a pattern as a whole.
    ///
    /// # Errors
    /// [`Error::Syntax`] with a position if the pattern is malformed or uses what is not supported;
    /// [`Error::TooComplex`] if it is too long or too deeply nested.
    pub fn from_regex_in(pattern: &str, dialect: Dialect, limits: &Limits) -> Result<Self, Error> {
        limits.check_source(pattern)?;
        let mut grammar = Self::new(Ending::Free);
        let parsed = match dialect {
            Dialect::Python => {
                python::parse(pattern, python::Flags::default(), Anchors::FullMatch, limits)?
            }
            Dialect::Rust => rust::parse(pattern, limits)?,
            Dialect::Ecma => {
                let parsed = ecma::parse_whole(pattern, limits)?;
                if parsed.loose {
                    let message = "the pattern is read without the u flag, which refuses it";
                    grammar.notes.push(Diagnostic::new(message));
                }
                parsed.pattern
            }
        };
        let whole = grammar.terminal("pattern", parsed);
        grammar.rule("start", Expr::Terminal(whole));
        Ok(grammar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_nul_is_refused_and_an_escaped_one_is_not() {
        let limits = Limits::default();
        let Err(Error::Syntax { message, place: Some(place) }) =
            Grammar::from_regex("ab\0", &limits)
        else {
            panic!("a raw NUL was taken");
        };
        assert!(message.contains("NUL"), "{message}");
        assert_eq!((place.line, place.column), (1, 3));
        for pattern in [r"\x00", r"\0", r"[^\x00-\x1f]", r"\u0000"] {
            assert!(Grammar::from_regex(pattern, &limits).is_ok(), "{pattern}");
        }
    }
}
