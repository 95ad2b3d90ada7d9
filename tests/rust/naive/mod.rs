//! Where terminals end, defined on whole strings: which strings a grammar's parse allows.
//!
//! Nothing is computed step by step here, so nothing of how the engine tracks the ends of terminals is repeated.

mod backtrack;
mod language;
mod longest;

pub(crate) use language::Language;
