//! JSON Schema: the texts of the values that a schema allows.
//!
//! The schema's meaning is worked out by [`crate::schema`], as sets of values. This folder spells the values: it makes
//! rules for their texts, each when a text first comes to it, so that nothing is listed that no text needs.
//!
//! | file | |
//! |---|---|
//! | `source`, `maker` | the rules, made on demand |
//! | `object`, `array` | how far an object or array has come, and what may follow |
//! | `unique` | arrays without equal items |
//! | `regions` | values that fulfil several conditions at once |
//! | `terminals`, `strings` | strings, numbers and literals as terminals |
//! | `others` | some strings, and all but some |
//! | `audit` | what cannot be enforced |
//! | `spelled` | strings with their quotes and escapes |
//! | `spacing` | white space |

mod array;
mod audit;
mod maker;
mod numbering;
mod object;
mod others;
mod regions;
mod source;
mod spacing;
mod spelled;
mod strings;
mod terminals;
mod unique;

use std::sync::Arc;

use crate::error::Error;
use crate::frontend::Whitespace;
use crate::grammar::{Ending, Expr, Grammar};
use crate::json::Spelling;
use crate::limits::Limits;
use crate::schema::Normal;
use crate::schema::Options;

use maker::SchemaMaker;
use source::{Lowered, SchemaSource};
use spacing::Layout;
pub use spacing::Spacing;

/// How the values of a schema are spelled.
#[derive(Clone, Debug)]
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
        let normal = Normal::new(schema, &options.reading, limits)?;
        let spacing = options.spacing.clone().unwrap_or(Spacing::Gap(match options.spelling {
            Spelling::Canonical => Whitespace::Bounded,
            Spelling::Any => Whitespace::Any,
        }));
        let layout = Layout::new(&spacing, limits)?;
        let mut grammar = Self::new(Ending::Free);
        grammar.unique_keys = true;
        grammar.notes = normal.warnings().to_vec();
        let lowered = Lowered::new(normal, options.spelling, layout, limits);
        grammar.notes.extend(audit::audit(&lowered, options.reading.unsupported)?);
        let source = grammar.source(Arc::new(SchemaSource {
            schema: Arc::new(lowered),
            fingerprint: fingerprint(schema, options, limits),
        }));
        grammar.rule("schema", Expr::Made { source, rule: SchemaMaker::TEXT });
        Ok(grammar)
    }
}

/// A hash of everything that the language depends on.
fn fingerprint(schema: &str, options: &JsonSchemaOptions, limits: &Limits) -> u128 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{options:?}\n{limits:?}\n").as_bytes());
    hasher.update(schema.as_bytes());
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    u128::from_le_bytes(bytes)
}
