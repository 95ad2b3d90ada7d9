//! What several tests share: random numbers, vocabularies, and masks as lists of bits, and walks.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod grammars;
pub(crate) mod masks;
pub(crate) mod random;
pub(crate) mod vocabularies;
pub(crate) mod walks;
