//! Masks: which tokens may follow. The only place where vocabulary and automata meet.

mod memo;
mod stored;
mod walk;

pub(crate) use memo::{MaskTable, Masks};
