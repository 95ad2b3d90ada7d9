//! What `\d`, `\s` and `\w` stand for.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

use super::source::{Source, Token};
use crate::error::Error;
use crate::pattern::CharSet;

/// `str.isalnum()` or an underscore.
static WORD: LazyLock<CharSet> = LazyLock::new(|| set_of(r"[\p{L}\p{N}_]"));
/// Nd.
static DIGIT: LazyLock<CharSet> = LazyLock::new(|| set_of(r"\p{Nd}"));
/// `str.isspace()`, to which the four separators of ASCII belong though they are not `White_Space`.
static SPACE: LazyLock<CharSet> = LazyLock::new(|| set_of(r"[\s\x1c-\x1f]"));

static ASCII_WORD: LazyLock<CharSet> =
    LazyLock::new(|| CharSet::new([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]));
static ASCII_DIGIT: LazyLock<CharSet> = LazyLock::new(|| CharSet::new([('0', '9')]));
static ASCII_SPACE: LazyLock<CharSet> = LazyLock::new(|| CharSet::new([('\t', '\r'), (' ', ' ')]));

/// The set that a letter after a backslash names, if it is one of `dDsSwW`.
pub(super) fn category(letter: char, ascii: bool) -> Option<CharSet> {
    let set: &CharSet = match (letter.to_ascii_lowercase(), ascii) {
        ('w', false) => &WORD,
        ('d', false) => &DIGIT,
        ('s', false) => &SPACE,
        ('w', true) => &ASCII_WORD,
        ('d', true) => &ASCII_DIGIT,
        ('s', true) => &ASCII_SPACE,
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { set.negate() } else { set.clone() })
}

/// The set of a property after `\p` or `\P`, as the `regex` module has it: `\p{Lu}`, `\p{Script=Greek}`,
/// `\p{XID_Start}`, `\p{^Lu}`, `\pL`.
pub(super) fn property(source: &mut Source<'_>, token: Token) -> Result<CharSet, Error> {
    let mut name = String::new();
    if source.eat('{') {
        loop {
            match source.next() {
                Some(next) if next.is('}') => break,
                Some(next) if !next.escaped && name.len() < 100 => name.push(next.char),
                _ => {
                    let message = "'}' is expected after the name of a property";
                    return Err(source.error(message, token.at));
                }
            }
        }
    } else if let Some(next) = source.next().filter(|next| !next.escaped) {
        name.push(next.char);
    }
    let negated = token.char == 'P';
    let (name, negated) = match name.strip_prefix('^') {
        Some(rest) => (rest.to_owned(), !negated),
        None => (name, negated),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | '=' | ':');
    let class = format!(r"\p{{{}}}", name.replace(':', "="));
    let parsed = regex_syntax::parse(&class).map(regex_syntax::hir::Hir::into_kind);
    match parsed {
        Ok(HirKind::Class(Class::Unicode(class))) if name.chars().all(plain) => {
            let set = CharSet::new(class.iter().map(|range| (range.start(), range.end())));
            Ok(if negated { set.negate() } else { set })
        }
        _ => Err(source.error(format!("no such property: {name}"), token.at)),
    }
}

/// The set of a class in the syntax of `regex-syntax`, for the classes above only.
fn set_of(class: &str) -> CharSet {
    let hir = regex_syntax::parse(class).map(regex_syntax::hir::Hir::into_kind);
    match hir {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            CharSet::new(class.iter().map(|range| (range.start(), range.end())))
        }
        _ => unreachable!("the classes of this file are well-formed"),
    }
}
