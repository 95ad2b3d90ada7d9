//! Terminals: from patterns to automata that are made on demand.
//!
//! | file | |
//! |---|---|
//! | `program` | patterns to instructions |
//! | `lexer` | instructions to lazily made states |
//! | `table`, `fuel` | tables that many threads share; work counting |

pub(crate) mod fuel;
pub(crate) mod lexer;
pub(crate) mod program;
pub(crate) mod table;
#[cfg(test)]
mod tests;
