//! Python's regular expression dialect.
//!
//! What parses here means what it means to `re.fullmatch` with a `str` pattern, code point by code point. Four
//! differences are known: `\B` holds in the empty text, as it does from Python 3.14 on; properties of characters are those of the Unicode version of `regex-syntax`, which may
//! differ from that of a given Python; a code point beyond U+FFFF in a class with case ignored matches both its cases,
//! where CPython forgets one of them for upper-case members and adds one for ranges under the ASCII flag; and
//! surrogates, which no UTF-8 text holds, match nothing.

mod atomic;
mod categories;
mod classes;
mod escapes;
mod flags;
mod fold;
mod groups;
mod parser;
mod quantifiers;
mod source;
#[cfg(test)]
mod tests;

pub use flags::Flags;

use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::{Pattern, anchors};

/// What a pattern is matched against, which decides what its anchors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// The whole text: `^` at the start and `$` at the end hold by themselves.
    FullMatch,
    /// A place in a text that conditions look at, as the terminals of a Lark grammar are.
    Terminal,
}

/// Parses a pattern.
///
/// For [`Anchors::FullMatch`] anchors anywhere in the pattern are worked into it, so the result holds none; the order
/// of alternatives is that of the source where no anchors are in them. If there are other conditions, such as
/// look-ahead, anchors stay as conditions too, as they do for [`Anchors::Terminal`].
///
/// # Errors
/// [`Error::Syntax`] with the position of what is malformed or not supported; [`Error::TooComplex`] if the pattern is
/// too long, too deeply nested, or grows too much where its anchors are worked in.
pub fn parse(
    source: &str,
    flags: Flags,
    anchors: Anchors,
    limits: &Limits,
) -> Result<Pattern, Error> {
    limits.check_source_length(source)?;
    let read = |looks| parser::Parser::new(source, flags, looks, limits)?.parse();
    if anchors == Anchors::Terminal {
        return anchors::resolve(read(true)?.node, limits);
    }
    let first = read(false)?;
    let node = if first.has_looks { read(true)?.node } else { first.node };
    anchors::resolve(node, limits)
}
