//! JSON, RFC 8259.

use crate::grammar::{Ending, Grammar};

/// How much white space may stand in each gap of a JSON text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Whitespace {
    /// At most one line break and then at most 256 blanks, or at most 8 blanks without one.
    #[default]
    Bounded,
    /// None.
    None,
    /// As much as RFC 8259 allows: any amount.
    Any,
}

impl Grammar {
    /// Any JSON text.
    pub fn json(_whitespace: Whitespace) -> Self {
        let _ = Self::new(Ending::Free);
        unimplemented!()
    }
}
