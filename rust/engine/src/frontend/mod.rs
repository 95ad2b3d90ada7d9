//! Source texts to [`crate::Grammar`]: one file or folder a language. None sees an automaton or a vocabulary.

mod choices;
mod json;
mod json_schema;
pub mod lark;
mod regex;

pub use json::Whitespace;
pub use json_schema::{JsonSchemaOptions, Spacing};
pub use regex::Dialect;
