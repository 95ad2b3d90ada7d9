//! ECMA-262's regular expression dialect, as JSON Schema uses it: found anywhere in a string.
//!
//! Patterns are read with the `u` flag, so that a character is a code point. What only older engines understand, such
//! as `\-` or a lone `{`, is read as they do (Annex B of the standard), and said to be loose. Surrogates that are no
//! pair, which no UTF-8 text holds, match nothing.

mod classes;
mod escapes;
mod parser;
#[cfg(test)]
mod tests;

use super::anchors::{self, node::Node};
use super::{Look, Pattern};
use crate::error::Error;
use crate::limits::Limits;

/// What was read of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Matches the whole of a string if and only if the regex matches somewhere in it.
    pub pattern: Pattern,
    /// Whether it can only be read without the `u` flag.
    pub loose: bool,
}

/// Parses a pattern that is searched for anywhere in a string.
///
/// # Errors
/// [`Error::Syntax`] with the position of what is malformed or, as back-references are, not regular;
/// [`Error::TooComplex`] if the pattern is too long or too deeply nested.
pub fn parse(source: &str, limits: &Limits) -> Result<Parsed, Error> {
    read(source, limits, searched)
}

/// Parses a pattern that the whole of a string must match, as between `^(?:` and `)$`.
///
/// # Errors
/// As [`parse`].
pub fn parse_whole(source: &str, limits: &Limits) -> Result<Parsed, Error> {
    read(source, limits, anchors::resolve)
}

fn read(
    source: &str,
    limits: &Limits,
    finish: impl Fn(Node, &Limits) -> Result<Pattern, Error>,
) -> Result<Parsed, Error> {
    limits.check_source_length(source)?;
    let node = |unicode| {
        let read = |looks| parser::Parser::new(source, unicode, looks, limits).parse();
        let first = read(false)?;
        let node = if first.has_looks { read(true)?.node } else { first.node };
        finish(node, limits)
    };
    match node(true) {
        Ok(pattern) => Ok(Parsed { pattern, loose: false }),
        Err(strict) => match node(false) {
            Ok(pattern) => Ok(Parsed { pattern, loose: true }),
            // What is wrong in both readings is better explained by the one that is meant.
            Err(_) => Err(strict),
        },
    }
}

/// Anything may stand before and after the match.
fn searched(node: Node, limits: &Limits) -> Result<Pattern, Error> {
    if let Node::Plain(pattern) = &node
        && !pattern.has_look()
        && pattern.is_nullable()
    {
        return Ok(Pattern::any_text());
    }
    let around = || Node::Plain(Pattern::any_text());
    anchors::resolve(Node::concat(vec![around(), node, around()]), limits)
}

/// `^` or `$` as a condition.
fn anchor(end: bool) -> Pattern {
    if end { Look::end().into() } else { Look::start().into() }
}
