//! Random grammars, as the engine's IR and in the reference's notation.

#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

mod grammars;
mod notation;
mod patterns;

pub(crate) use grammars::{Model, Node};
pub(crate) use patterns::Kind;
