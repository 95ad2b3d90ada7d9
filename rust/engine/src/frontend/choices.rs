//! One of a list of strings.

use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar};
use crate::pattern::Pattern;

impl Grammar {
    /// The grammar of exactly these strings.
    ///
    /// # Errors
    /// If there is none.
    pub fn from_choices<S: AsRef<str>>(choices: &[S]) -> Result<Self, Error> {
        if choices.is_empty() {
            return Err(Error::Grammar("no choices: at least one string is needed".into()));
        }
        let mut grammar = Self::new(Ending::Free);
        let strings = choices.iter().map(|s| s.as_ref().as_bytes().to_vec()).collect();
        let choice = grammar.terminal("choice", Pattern::Strings(strings));
        grammar.rule("start", Expr::Terminal(choice));
        Ok(grammar)
    }
}
