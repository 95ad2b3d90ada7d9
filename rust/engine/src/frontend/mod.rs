//! Source texts to [`crate::Grammar`]: one file or folder a language. None sees an automaton or a vocabulary.

mod choices;
mod json;
pub mod lark;
mod regex;

pub use json::Whitespace;
pub use regex::Dialect;
