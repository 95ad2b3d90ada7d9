//! From a grammar to automata that are made on demand. Knows nothing of vocabularies.
//!
//! | file | |
//! |---|---|
//! | `sketch`, `network`, `reduce`, `components` | rules: networks without empty moves and left recursion, small, and where to cut |
//! | `context`, `obligation`, `pieces` | what an item carries: where expanded calls return to, what must not match |
//! | `columns`, `layout` | indentation: the open blocks, and the newlines between them |
//! | `made` | rules and terminals of sources, made when a text first needs them |
//! | `local`, `stack`, `position` | one frame; the frames below; all of it, and the step on a byte |
//! | `search`, `ways` | the shortest way to the end; how far the end of a made rule is |
//! | `liveness`, `ends` | whether there is a way to the end under obligations; how frames can end |
//! | `distinct` | arrays whose items must differ |
//! | `parts` | a local state by what its items read |
//! | `machine`, `core` | the two structs that hold it all |
//!
//! Terminals are states of [`crate::terminal`].

mod columns;
mod components;
mod context;
mod core;
mod distinct;
mod ends;
mod layout;
mod liveness;
mod local;
mod machine;
mod made;
mod network;
mod obligation;
mod parts;
mod pieces;
mod position;
mod reduce;
mod rounds;
mod search;
mod sketch;
mod stack;
mod ways;
mod writable;

use crate::terminal::{duty, fuel, lexer, program, rounds as lexer_rounds, table};

pub(crate) use crate::terminal::{Common, Reader};
pub(crate) use core::Core;
pub(crate) use fuel::Fuel;
pub(crate) use lexer::Lexer;
pub(crate) use local::{Await, Item, LocalId, LocalLoops};
pub(crate) use machine::{Machine, Tables};
pub(crate) use parts::{Part, Sharing};
pub(crate) use position::{Position, Reach, Strand};
pub(crate) use search::Beside;
pub(crate) use table::{Arena, Bounds, ByteSet, Memo, Meter};
