//! An Earley recognizer over bytes: naive, and nothing shared with the engine.
//!
//! The engine is tested against it, so it is written to be obviously right, not to be fast.

#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

mod chart;
mod grammar;
pub(crate) mod json;
pub(crate) mod notation;
mod preferred;
pub(crate) mod shipped;

pub(crate) use chart::Chart;
pub(crate) use grammar::Grammar;
