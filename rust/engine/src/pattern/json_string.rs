//! From strings to how JSON writes them: the pattern of what stands between the quotes.
//!
//! A pattern over characters becomes one over the bytes of a JSON string. Characters that have more than one spelling
//! become small deterministic automata, in which ranges of `\uXXXX` are tries over hexadecimal digits, so that a large
//! class takes some dozens of states. Counted repetition stays counted. Lone surrogates are never written.

mod spell;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{ByteAutomaton, CharSet, Look, Pattern};
use crate::error::Error;
use spell::Speller;

/// How characters may be written inside a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// As careful serialisers do: each character as it is, but `\"`, `\\`, and for control characters `\b`, `\f`,
    /// `\n`, `\r`, `\t` or `\u00XX`, with digits of either case.
    Canonical,
    /// All that RFC 8259 allows: also `\/`, and `\uXXXX` for every character, in pairs beyond U+FFFF.
    Any,
}

/// The bodies of the JSON strings whose value matches `pattern`.
///
/// # Errors
/// [`Error::Grammar`] if the pattern holds bytes that are no text.
pub fn body(pattern: &Pattern, escapes: Escapes) -> Result<Pattern, Error> {
    Ok(match pattern {
        Pattern::Empty => Pattern::Empty,
        Pattern::Bytes(bytes) => text(bytes, escapes)?,
        Pattern::Class(set) => class(set, escapes),
        Pattern::Look(look) => {
            let mut inner = body(&look.body, escapes)?;
            let Look { behind, negative, .. } = **look;
            // What stands before must be read in whole characters.
            if behind && look.open {
                inner = Pattern::Concat(vec![any(escapes, 0, None), inner]);
            }
            Look { behind, negative, body: inner, open: look.open && !behind }.into()
        }
        Pattern::Concat(parts) => Pattern::Concat(bodies(parts, escapes)?),
        Pattern::Alt(parts) => Pattern::Alt(bodies(parts, escapes)?),
        Pattern::Strings(strings) => all_of(strings, escapes)?,
        Pattern::Automaton(automaton) => {
            Pattern::Automaton(Arc::new(Speller::automaton(automaton, escapes)?))
        }
        // It would have to be taken apart.
        Pattern::Lazy(_) => {
            return Err(Error::Grammar("a lazy automaton cannot stand in a JSON string".into()));
        }
        &Pattern::Repeat { body: ref inner, min, max, greedy } => {
            Pattern::Repeat { body: Box::new(body(inner, escapes)?), min, max, greedy }
        }
    })
}

/// The bodies of all JSON strings of so many characters.
pub fn any(escapes: Escapes, min_chars: u32, max_chars: Option<u32>) -> Pattern {
    let body = Box::new(class(&CharSet::all(), escapes));
    Pattern::Repeat { body, min: min_chars, max: max_chars, greedy: true }
}

fn bodies(parts: &[Pattern], escapes: Escapes) -> Result<Vec<Pattern>, Error> {
    parts.iter().map(|part| body(part, escapes)).collect()
}

/// Whether a character has one spelling, itself.
fn is_plain(c: char, escapes: Escapes) -> bool {
    escapes == Escapes::Canonical && c >= ' ' && c != '"' && c != '\\'
}

/// The only spelling of a character, if there is only one.
fn only_spelling(c: char, escapes: Escapes) -> Option<String> {
    match (c, escapes) {
        ('"' | '\\', Escapes::Canonical) => Some(format!("\\{c}")),
        _ => is_plain(c, escapes).then(|| c.to_string()),
    }
}

fn class(set: &CharSet, escapes: Escapes) -> Pattern {
    let ends = set.ranges().iter();
    let special = ['"', '\\'].into_iter().chain('\0'..=' ').filter(|&c| c != ' ');
    let plain = escapes == Escapes::Canonical && !special.into_iter().any(|c| set.contains(c));
    if plain || set.is_empty() {
        return Pattern::Class(set.clone());
    }
    let ranges: Vec<_> = ends.map(|&(lo, hi)| (u32::from(lo), u32::from(hi), 1)).collect();
    let automaton = Speller::class(&ranges, escapes);
    Pattern::Automaton(Arc::new(automaton))
}

fn decoded(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes)
        .map_err(|_| Error::Grammar("bytes that are not UTF-8 in a pattern of JSON strings".into()))
}

fn text(bytes: &[u8], escapes: Escapes) -> Result<Pattern, Error> {
    let mut parts: Vec<Pattern> = Vec::new();
    for c in decoded(bytes)?.chars() {
        match (only_spelling(c, escapes), parts.last_mut()) {
            (Some(spelling), Some(Pattern::Bytes(last))) => last.extend(spelling.as_bytes()),
            (Some(spelling), _) => parts.push(Pattern::Bytes(spelling.into_bytes())),
            (None, _) => parts.push(class(&CharSet::single(c), escapes)),
        }
    }
    Ok(match parts.len() {
        0 => Pattern::Empty,
        1 => parts.swap_remove(0),
        _ => Pattern::Concat(parts),
    })
}

/// Strings that are written in one way stay a set of strings.
fn all_of(strings: &[Vec<u8>], escapes: Escapes) -> Result<Pattern, Error> {
    let (mut fixed, mut others) = (Vec::new(), Vec::new());
    for string in strings {
        match text(string, escapes)? {
            Pattern::Empty => fixed.push(Vec::new()),
            Pattern::Bytes(bytes) => fixed.push(bytes),
            pattern => others.push(pattern),
        }
    }
    if others.is_empty() {
        return Ok(Pattern::Strings(fixed));
    }
    if !fixed.is_empty() {
        others.push(Pattern::Strings(fixed));
    }
    Ok(Pattern::Alt(others))
}

impl Speller {
    /// One character of these ranges.
    fn class(ranges: &[(u32, u32, u32)], escapes: Escapes) -> ByteAutomaton {
        let mut speller = Self::new(2, escapes);
        speller.accept(1);
        speller.characters(0, ranges);
        speller.finish().expect("a speller makes sorted edges")
    }
}
