//! One of a list of strings.

use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar};
use crate::limits::Limits;
use crate::pattern::Pattern;

impl Grammar {
    /// The grammar of exactly these strings.
    ///
    /// # Errors
    /// [`Error::Grammar`] if there is none; [`Error::TooComplex`] if they are too long together.
    pub fn from_choices<S: AsRef<str>>(choices: &[S], limits: &Limits) -> Result<Self, Error> {
        if choices.is_empty() {
            return Err(Error::Grammar("no choices: at least one string is needed".into()));
        }
        limits.check_source_bytes(choices.iter().map(|choice| choice.as_ref().len()).sum())?;
        let mut grammar = Self::new(Ending::Free);
        let strings = choices.iter().map(|s| s.as_ref().as_bytes().to_vec()).collect();
        let choice = grammar.terminal("choice", Pattern::Strings(strings));
        grammar.rule("start", Expr::Terminal(choice));
        Ok(grammar)
    }
}
