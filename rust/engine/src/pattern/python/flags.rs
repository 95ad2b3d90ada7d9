//! Flags, and how a pattern sets them.

use crate::error::Error;

use super::source::{Source, Token};

/// Flags that hold for a whole pattern, as in Python's `re`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `i`: letters match in both cases.
    pub ignore_case: bool,
    /// `m`: `^` and `$` match at line breaks.
    pub multi_line: bool,
    /// `s`: `.` matches a line feed too.
    pub dot_all: bool,
    /// `x`: white space and comments are skipped.
    pub verbose: bool,
    /// `a`: `\w`, `\d`, `\s` and case are ASCII only.
    pub ascii: bool,
}

/// What was read between `(?` and the end of the flags.
pub(super) enum Inline {
    /// `(?flags)`: these hold from the start of the pattern.
    Global(Flags),
    /// `(?flags-flags:`: these hold to the end of the group.
    Scoped(Flags),
}

/// Whether a letter after `(?` starts flags.
pub(super) fn starts_flags(token: Token) -> bool {
    !token.escaped && matches!(token.char, '-' | 'a' | 'i' | 'L' | 'm' | 's' | 'u' | 'x')
}

/// Reads flags up to and with their `)` or `:`; `old` are those that held before.
pub(super) fn inline(source: &mut Source<'_>, old: Flags) -> Result<Inline, Error> {
    let start = source.at();
    let mut flags = old;
    let on = letters(source)?;
    for &token in &on {
        set(&mut flags, token.char, true);
    }
    if on.iter().any(|t| t.char == 'a') && on.iter().any(|t| t.char == 'u') {
        return Err(source.error("flags 'a' and 'u' exclude each other", start));
    }
    match source.next() {
        Some(token) if token.is(')') && !on.is_empty() => {
            if old.ascii && on.iter().any(|t| t.char == 'u') {
                return Err(source.error("flags 'a' and 'u' exclude each other", start));
            }
            return Ok(Inline::Global(flags));
        }
        Some(token) if token.is(':') && !on.is_empty() => return Ok(Inline::Scoped(flags)),
        Some(token) if token.is('-') => {}
        found => return Err(unexpected(source, found, "a flag, '-', ':' or ')'")),
    }
    let off = letters(source)?;
    for &token in &off {
        if matches!(token.char, 'a' | 'u') {
            return Err(source.error("flags 'a' and 'u' cannot be turned off", token.at));
        }
        if on.iter().any(|t| t.char == token.char) {
            return Err(source.error("flag turned both on and off", token.at));
        }
        set(&mut flags, token.char, false);
    }
    match source.next() {
        Some(token) if token.is(':') && !off.is_empty() => Ok(Inline::Scoped(flags)),
        found if off.is_empty() => Err(unexpected(source, found, "a flag after '-'")),
        found => Err(unexpected(source, found, "':' after the flags")),
    }
}

/// The flag letters that come next.
fn letters(source: &mut Source<'_>) -> Result<Vec<Token>, Error> {
    let mut found: Vec<Token> = Vec::new();
    while let Some(token) = source.peek() {
        if token.is('-') || !starts_flags(token) {
            break;
        }
        if token.char == 'L' {
            return Err(source.error("flag 'L' is for patterns of bytes only", token.at));
        }
        // A repeated letter says nothing new, and a long run of them should not fill the list.
        if !found.iter().any(|t| t.char == token.char) {
            found.push(token);
        }
        source.next();
    }
    Ok(found)
}

fn set(flags: &mut Flags, letter: char, on: bool) {
    match letter {
        'a' => flags.ascii = on,
        'u' => flags.ascii = !on,
        'i' => flags.ignore_case = on,
        'm' => flags.multi_line = on,
        's' => flags.dot_all = on,
        _ => flags.verbose = on,
    }
}

fn unexpected(source: &Source<'_>, found: Option<Token>, wanted: &str) -> Error {
    match found {
        None => source.error(format!("the pattern ends where {wanted} is expected"), source.at()),
        Some(token) => {
            source.error(format!("{:?} where {wanted} is expected", token.text()), token.at)
        }
    }
}
