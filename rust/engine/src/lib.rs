//! Exact token masks for grammar-constrained decoding.

mod automaton;
mod cancel;
mod codec;
pub mod error;
pub mod frontend;
pub mod grammar;
mod ids;
pub mod json;
mod keys;
mod limits;
pub mod pattern;
pub mod schema;
mod terminal;
pub mod vocabulary;

pub use cancel::Cancellation;
pub use error::{Diagnostic, Error, Place};
pub use frontend::{Composer, Dialect, JsonSchemaOptions, Spacing, Whitespace};
pub use grammar::{
    Ending, Expr, Grammar, Layout, MadeRule, Maker, Rule, SavedSource, Source, Terminal, Within,
};
pub use ids::{RuleId, TerminalId, TokenId};
pub use json::Spelling;
pub use limits::Limits;
pub use terminal::{Budget, Language};
pub use vocabulary::Vocabulary;
mod compiled;
mod coverage;
mod draft;
mod lint;
mod mask;
mod matcher;
mod saved;
pub use compiled::CompiledGrammar;
pub use draft::DraftTree;
pub use frontend::lark::{
    ImportRequest, ImportResolver, ImportedFile, Indenter, LarkOptions, LibraryOnly,
};
pub use matcher::{Matcher, ReadyMask};
pub use pattern::python::Flags as RegexFlags;
