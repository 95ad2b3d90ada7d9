//! What opens a group.

use crate::error::Error;

use super::flags::{self, Flags, Inline};
use super::source::{Source, Token};

/// Why references to groups are refused.
pub(super) const BACK_REFERENCE: &str = "back-references are not supported: they are not regular";

/// What stood after `(`.
pub(super) enum Opening {
    /// A group, with the flags inside it and the name if it has one.
    Group {
        /// Flags inside.
        flags: Flags,
        /// The name and its byte offset.
        name: Option<(String, usize)>,
    },
    /// `(?=`, `(?!`, `(?<=` or `(?<!`.
    Look { behind: bool, negative: bool },
    /// `(?>`.
    Atomic,
    /// `(?flags)`.
    Global(Flags),
    /// `(?#...)`.
    Comment,
}

/// Reads what follows a `(` at byte `open`.
pub(super) fn opening(
    source: &mut Source<'_>,
    open: usize,
    flags: Flags,
) -> Result<Opening, Error> {
    if !source.eat('?') {
        return Ok(Opening::Group { flags, name: None });
    }
    let Some(token) = source.peek() else {
        return Err(source.error("the pattern ends after '(?'", open));
    };
    if flags::starts_flags(token) {
        return Ok(match flags::inline(source, flags)? {
            Inline::Global(flags) => Opening::Global(flags),
            Inline::Scoped(flags) => Opening::Group { flags, name: None },
        });
    }
    source.next();
    match token.char {
        _ if token.escaped => Err(unknown(source, open)),
        ':' => Ok(Opening::Group { flags, name: None }),
        '#' => comment(source, open),
        c @ ('=' | '!') => Ok(Opening::Look { behind: false, negative: c == '!' }),
        '>' => Ok(Opening::Atomic),
        '(' => Err(source.unsupported("conditionals are", open)),
        'R' | '&' | '0'..='9' | '+' => {
            let message = "recursion is not supported: it is not regular";
            Err(source.error(message, open))
        }
        '<' if source.eat('=') => Ok(Opening::Look { behind: true, negative: false }),
        '<' if source.eat('!') => Ok(Opening::Look { behind: true, negative: true }),
        '<' => named(source, flags),
        'P' => match source.next() {
            Some(next) if next.is('<') => named(source, flags),
            Some(next) if next.is('=') => Err(source.error(BACK_REFERENCE, open)),
            _ => Err(unknown(source, open)),
        },
        _ => Err(unknown(source, open)),
    }
}

fn unknown(source: &Source<'_>, open: usize) -> Error {
    source.error(format!("unknown group extension {}", source.since(open)), open)
}

fn comment(source: &mut Source<'_>, open: usize) -> Result<Opening, Error> {
    while let Some(token) = source.next() {
        if token.is(')') {
            return Ok(Opening::Comment);
        }
    }
    Err(source.error("unterminated comment: ')' is expected", open))
}

fn named(source: &mut Source<'_>, flags: Flags) -> Result<Opening, Error> {
    let start = source.at();
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        match source.next() {
            None => return Err(source.error("unterminated group name: '>' is expected", start)),
            Some(token) if token.is('>') => break,
            Some(token) => tokens.push(token),
        }
    }
    let bad = tokens.iter().enumerate().find(|&(index, token)| {
        let first = token.char == '_' || token.char.is_alphabetic();
        token.escaped || !(first || index > 0 && is_name_char(token.char))
    });
    match bad {
        Some((_, token)) => Err(source.error("bad character in group name", token.at)),
        None if tokens.is_empty() => Err(source.error("a group name is expected", start)),
        None => {
            let name = tokens.iter().map(|token| token.char).collect();
            Ok(Opening::Group { flags, name: Some((name, start)) })
        }
    }
}

fn is_name_char(char: char) -> bool {
    // The middle dots are the characters that a name may continue with and no word holds.
    regex_syntax::try_is_word_character(char).unwrap_or(false)
        || matches!(char, '\u{b7}' | '\u{387}')
}
