//! Masks: which tokens may follow. The only place where vocabulary and automata meet.

mod fronts;
mod loops;
mod memo;
mod out;
mod owns;
mod readings;
mod rows;
mod stored;
mod walk;

pub(crate) use memo::{MaskTable, Masks};
