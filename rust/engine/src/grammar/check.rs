//! What a grammar must have to be compiled, and what is worth a remark.

use crate::error::{Diagnostic, Error};
use crate::grammar::Grammar;

impl Grammar {
    /// Checks the grammar: ids in range, a start that produces a finite text.
    ///
    /// Returns remarks on rules that are unused or can never end.
    ///
    /// # Errors
    /// [`Error::Grammar`] by name.
    pub fn check(&self) -> Result<Vec<Diagnostic>, Error> {
        unimplemented!()
    }
}
