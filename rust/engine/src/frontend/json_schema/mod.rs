//! JSON Schema: the texts of the values that a schema allows.
//!
//! The schema's meaning is worked out by [`crate::schema`], as sets of values. This folder spells the values: it makes
//! rules for their texts, each when a text first comes to it, so that nothing is listed that no text needs.
//!
//! | file | |
//! |---|---|
//! | `source`, `maker` | the rules, made on demand |
//! | `saved` | sources as bytes |
//! | `object`, `array` | how far an object or array has come, and what may follow |
//! | `distinct` | how items of an array are kept different |
//! | `unique` | arrays without equal items, where their values are listed |
//! | `regions` | values that fulfil several conditions at once |
//! | `formats` | strings of formats, shared by all schemas |
//! | `terminals`, `strings` | strings, numbers and literals as terminals |
//! | `any_string`, `others` | all strings; some of them, and all but some |
//! | `audit` | what cannot be enforced |
//! | `spelled` | strings with their quotes and escapes |
//! | `spacing` | white space |

mod any_string;
mod array;
mod audit;
mod distinct;
mod formats;
mod maker;
mod numbering;
mod object;
mod others;
mod regions;
mod saved;
mod source;
mod spacing;
mod spelled;
mod strings;
mod terminals;
mod unique;

use std::sync::Arc;

use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar};
use crate::json::Spelling;
use crate::limits::Limits;
use crate::schema::Options;

use maker::SchemaMaker;
pub(super) use saved::{KIND, load};
use source::SchemaSource;
pub use spacing::Spacing;

/// How the values of a schema are spelled.
#[derive(Clone, Debug, Hash)]
pub struct JsonSchemaOptions {
    /// How values are spelled.
    pub spelling: Spelling,
    /// The white space. `None`: bounded for the canonical spelling, any for the other.
    pub spacing: Option<Spacing>,
    /// How the schema is read.
    pub reading: Options,
}

impl Default for JsonSchemaOptions {
    fn default() -> Self {
        Self { spelling: Spelling::Canonical, spacing: None, reading: Options::default() }
    }
}

impl Grammar {
    /// The texts of the values that a JSON Schema, given as its JSON text, allows.
    ///
    /// # Errors
    /// [`Error::UnsupportedSchema`], [`Error::InvalidSchema`] and [`Error::UnsatisfiableSchema`] by pointer;
    /// [`Error::TooComplex`] past a limit.
    pub fn from_json_schema(
        schema: &str,
        options: &JsonSchemaOptions,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let (source, notes) = SchemaSource::new(schema, options, limits)?;
        let mut grammar = Self::new(Ending::Free);
        grammar.unique_keys = source.repeats;
        grammar.notes = notes;
        let source = grammar.source(Arc::new(source));
        grammar.rule("schema", Expr::Made { source, rule: SchemaMaker::TEXT });
        Ok(grammar)
    }
}
