//! Atomic groups and possessive quantifiers, where a pattern without order of preference can say the same.
//!
//! `(?>x)` takes what `x` would match first, and nothing else. That is said by conditions: the second alternative where
//! the first does not match, so many rounds where no further round matches. It works for what matches in one way only
//! and for repetitions and alternatives of that, as in `[^"]*+` and `(?>ab|a)`.

use crate::pattern::{Look, Pattern};

/// The pattern of the first match alone; `None` if it cannot be said.
pub(super) fn first_match(pattern: Pattern) -> Option<Pattern> {
    if is_fixed(&pattern) {
        return Some(pattern);
    }
    match pattern {
        // A loop ends after a round that reads nothing.
        Pattern::Repeat { min: 0, body, .. } if reads_nothing(&body) => Some(Pattern::Empty),
        Pattern::Repeat { body, .. } if reads_nothing(&body) => Some(*body),
        Pattern::Repeat { body, min, max, greedy } if is_fixed(&body) => {
            Some(rounds(*body, min, max, greedy))
        }
        Pattern::Alt(parts) => {
            let mut found = Vec::with_capacity(parts.len());
            let mut before: Vec<Pattern> = Vec::new();
            for part in parts {
                let first = first_match(part.clone())?;
                found.push(Pattern::Concat([&before[..], &[first]].concat()));
                before.push(Look::ahead(part, true).into());
            }
            Some(Pattern::Alt(found))
        }
        // What is before the last part must not have a choice.
        Pattern::Concat(mut parts) => {
            let last = parts.pop()?;
            if !parts.iter().all(is_fixed) {
                return None;
            }
            parts.push(first_match(last)?);
            Some(Pattern::Concat(parts))
        }
        _ => None,
    }
}

/// So many rounds of what matches in one way.
fn rounds(body: Pattern, min: u32, max: Option<u32>, greedy: bool) -> Pattern {
    let repeat = |min, max| Pattern::Repeat { body: Box::new(body.clone()), min, max, greedy };
    if !greedy {
        return repeat(min, Some(min));
    }
    let no_more = Pattern::from(Look::ahead(body.clone(), true));
    match max {
        None => Pattern::Concat(vec![repeat(min, None), no_more]),
        Some(max) if max > min => Pattern::Alt(vec![
            repeat(max, Some(max)),
            Pattern::Concat(vec![repeat(min, Some(max - 1)), no_more]),
        ]),
        Some(_) => repeat(min, max),
    }
}

/// Whether it is made of conditions alone.
fn reads_nothing(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Empty | Pattern::Look(_) => true,
        Pattern::Concat(parts) | Pattern::Alt(parts) => parts.iter().all(reads_nothing),
        Pattern::Repeat { body, max, .. } => *max == Some(0) || reads_nothing(body),
        _ => false,
    }
}

/// Whether it matches in one way at most, wherever it is tried, and reads something unless it is a condition.
fn is_fixed(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bytes(bytes) => !bytes.is_empty(),
        Pattern::Class(_) | Pattern::Empty | Pattern::Look(_) => true,
        Pattern::Concat(parts) => parts.iter().all(is_fixed),
        Pattern::Repeat { body, min, max, .. } => *max == Some(*min) && is_fixed(body),
        Pattern::Alt(_) | Pattern::Strings(_) | Pattern::Automaton(_) | Pattern::Lazy(_) => false,
    }
}
