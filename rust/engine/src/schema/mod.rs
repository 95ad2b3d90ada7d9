//! JSON Schema: from a schema's text to its normal form, in which nothing is left that no value satisfies.
//!
//! The layer knows values, not texts: how a value is spelled is decided by who lowers the normal form to a grammar.
//! Nothing is widened: what cannot be enforced is refused by pointer and keyword.
//!
//! The way of a schema: [`document`] reads the text; [`check`] and [`index`] find out where schemas stand, whether
//! they are schemas at all, and where references lead; [`build`] turns keywords into interned nodes; [`space`],
//! [`solve`] and [`shape`] work out conjunctions of nodes, one type at a time; [`life`] decides which have a value.

mod array;
mod build;
mod check;
mod document;
mod facts;
mod index;
mod items;
pub mod keywords;
mod life;
mod matching;
mod merge;
mod names;
mod node;
pub mod normal;
mod normalise;
mod object;
mod options;
mod places;
mod remark;
mod sample;
mod scalar;
mod search;
mod shape;
mod solve;
mod space;
mod text;
mod unevaluated;
mod uri;

pub use normalise::Normal;
pub use options::{Draft, Formats, Options, UnknownFormat, Unsupported};
