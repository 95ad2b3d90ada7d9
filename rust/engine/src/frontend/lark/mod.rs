//! Lark's grammar language, as Lark 1.3 reads it for its Earley parser.
//!
//! Names that only shape the tree (`?rule`, `!rule`, `_rule`, aliases, priorities) are read and dropped: they
//! do not change which texts a grammar accepts. Imported files come from an [`ImportResolver`].

mod ast;
mod duplicates;
mod expr;
mod imports;
mod indent;
mod lex;
mod library;
mod literal;
mod load;
mod lower;
mod mangle;
mod order;
mod parse;
mod patterns;
mod scope;
mod source;
mod terminals;
#[cfg(test)]
mod tests;
mod validate;
mod width;

pub use self::imports::{ImportRequest, ImportResolver, ImportedFile, LibraryOnly};
pub use self::indent::Indenter;
use crate::error::Error;
use crate::grammar::{Ending, Grammar};
use crate::limits::Limits;
use crate::pattern::python;

/// How a Lark grammar is read.
#[derive(Clone, Debug)]
pub struct LarkOptions<'a> {
    /// The name of the start rule.
    pub start: &'a str,
    /// [`Ending::Dynamic`] or [`Ending::DynamicComplete`].
    pub ending: Ending,
    /// The file's name, for messages.
    pub file: Option<&'a str>,
    /// Flags of all terminals, as Lark's `g_regex_flags`.
    pub flags: python::Flags,
    /// What reads the indentation, if anything does.
    pub indenter: Option<&'a Indenter>,
}

impl Default for LarkOptions<'_> {
    fn default() -> Self {
        Self {
            start: "start",
            ending: Ending::Dynamic,
            file: None,
            flags: python::Flags::default(),
            indenter: None,
        }
    }
}

impl Grammar {
    /// The grammar of a Lark text that imports from Lark's library only.
    ///
    /// # Errors
    /// [`Error::Syntax`] with file, line and column; [`Error::Grammar`] for an ending that Lark does not have.
    pub fn from_lark(
        text: &str,
        options: &LarkOptions<'_>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Self::from_lark_with_imports(text, options, &mut LibraryOnly, limits)
    }

    /// The grammar of a Lark text, with the files that `resolver` finds.
    ///
    /// # Errors
    /// As [`Grammar::from_lark`], and those of the resolver.
    pub fn from_lark_with_imports(
        text: &str,
        options: &LarkOptions<'_>,
        resolver: &mut dyn ImportResolver,
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
        let loaded = load::load(text, options.file, resolver, limits)?;
        validate::validate(&loaded)?;
        lower::lower(&loaded, options, limits)
    }
}
