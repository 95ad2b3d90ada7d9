//! Lark's grammar language.

use crate::error::Error;
use crate::grammar::{Ending, Grammar};
use crate::limits::Limits;

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
    /// [`Error::Syntax`] with file, line and column.
    pub fn from_lark(_text: &str, _options: &LarkOptions<'_>, _limits: &Limits) -> Result<Self, Error> {
        unimplemented!()
    }
}
