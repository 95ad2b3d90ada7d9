//! JSON Schema: from a schema's text to its normal form, in which nothing is left that no value satisfies.
//!
//! The layer knows values, not texts: how a value is spelled is decided by who lowers the normal form to a grammar.
//! Nothing is widened: what cannot be enforced is refused by pointer and keyword.

pub mod normal;
mod options;

pub use options::{Draft, Formats, Options, UnknownFormat, Unsupported};
