//! Lark's grammar language, as Lark 1.3 reads it for its Earley parser.
//!
//! Names that only shape the tree (`?rule`, `!rule`, `_rule`, aliases, priorities) are read and dropped: they
//! do not change which texts a grammar accepts.

mod ast;
mod common;
mod lex;
mod literal;
mod lower;
mod names;
mod parse;
mod source;
mod terminals;
#[cfg(test)]
mod tests;
mod width;

use self::names::Names;
use self::source::Source;
use crate::error::Error;
use crate::grammar::{Ending, Grammar};
use crate::limits::Limits;

/// The file that is read, and the library: indices into the sources of a grammar.
const MAIN: usize = 0;
const COMMON: usize = 1;

/// How a Lark grammar is read.
#[derive(Clone, Debug)]
pub struct LarkOptions<'a> {
    /// The name of the start rule.
    pub start: &'a str,
    /// [`Ending::Dynamic`] or [`Ending::DynamicComplete`].
    pub ending: Ending,
    /// The file's name, for messages.
    pub file: Option<&'a str>,
}

impl Grammar {
    /// The grammar of a Lark file.
    ///
    /// # Errors
    /// [`Error::Syntax`] with file, line and column; [`Error::Grammar`] for an ending that Lark does not have.
    pub fn from_lark(
        text: &str,
        options: &LarkOptions<'_>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        if !matches!(options.ending, Ending::Dynamic | Ending::DynamicComplete) {
            let message = format!(
                "terminals of a Lark grammar end as Dynamic or DynamicComplete, not as {:?}",
                options.ending
            );
            return Err(Error::Grammar(message));
        }
        limits.check_source(text).map_err(|error| match error {
            Error::Syntax { message, place: Some(mut place) } => {
                place.file = options.file.map(str::to_owned);
                Error::Syntax { message, place: Some(place) }
            }
            other => other,
        })?;
        let sources = [
            Source { text, file: options.file },
            Source { text: common::TEXT, file: Some(common::FILE) },
        ];
        let main = parse::parse(sources[MAIN], limits)?;
        // The library is no part of what the caller bounds.
        let common = parse::parse(sources[COMMON], &Limits::default())?;
        let names = Names::collect(&main, &common, &sources)?;
        lower::lower(&names, &sources, options, limits)
    }
}
