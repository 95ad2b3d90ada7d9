//! Terminals: from patterns to automata that are made on demand.
//!
//! | file | |
//! |---|---|
//! | `program` | patterns to instructions |
//! | `lexer`, `state`, `closure` | instructions to lazily made states |
//! | `lazy` | states of automata that are never written down |
//! | `shared`, `reader` | patterns whose states are shared by all grammars, and how they read many texts |
//! | `needs`, `duty`, `distance` | conditions on the text around: what may be asked, what is owed, whether it can be met |
//! | `language` | sets of strings: emptiness, members, inclusion |
//! | `writable` | what can be finished with the bytes that a vocabulary writes |
//! | `facts` | what has to be known of a terminal before any text is read |
//! | `table`, `fuel` | tables that many threads share; work counting |

mod closure;
mod distance;
pub(crate) mod duty;
mod facts;
pub(crate) mod fuel;
mod language;
mod lazy;
pub(crate) mod lexer;
mod needs;
pub(crate) mod program;
mod reader;
pub(crate) mod rounds;
mod shared;
mod state;
pub(crate) mod table;
mod writable;
pub(crate) use facts::Facts;
pub use language::{Budget, Language};
pub(crate) use reader::Reader;
pub(crate) use shared::Shared;
pub(crate) use state::Common;
pub(crate) use writable::Missing;

#[cfg(test)]
mod tests;
