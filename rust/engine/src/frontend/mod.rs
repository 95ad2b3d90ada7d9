//! Source texts to [`crate::Grammar`]: one file or folder a language. None sees an automaton or a vocabulary.

mod choices;
mod compose;
mod gbnf;
mod json;
mod json_schema;
pub mod lark;
mod regex;
mod told_apart;

pub use compose::Composer;
pub use json::Whitespace;
pub use json_schema::{JsonSchemaOptions, Spacing};
pub use regex::Dialect;

use std::sync::Arc;

use crate::codec::refused;
use crate::error::Error;
use crate::grammar::Source;

/// The source of a kind that was saved as these bytes.
pub(crate) fn saved_source(kind: &str, bytes: &[u8]) -> Result<Arc<dyn Source>, Error> {
    match kind {
        json_schema::KIND => json_schema::load(bytes),
        _ => Err(refused(&format!("they hold a source of the unknown kind {kind:?}"))),
    }
}
