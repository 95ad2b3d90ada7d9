//! Patterns that may hold anchors: how parsers put them together, and how anchors are worked into them.

mod measure;
pub(in crate::pattern) mod node;
mod parts;
mod resolve;
pub(in crate::pattern) mod sequence;

pub(in crate::pattern) use resolve::resolve;
