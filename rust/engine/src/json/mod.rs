//! The string languages that JSON Schema needs beside regexes: numbers under constraints, and formats.
//!
//! Everything here is a pure function from constraints to [`crate::pattern::Pattern`]s. Numbers are exact, and a
//! pattern matches exactly the texts whose value is wanted; what would be too large is refused. Formats are languages
//! of decoded strings: how a string is escaped in JSON is the business of others.

mod decimal;
pub mod format;
pub mod number;
mod parts;

pub use decimal::Decimal;
pub use format::{Format, format};
pub use number::{NumberSet, Spelling};
