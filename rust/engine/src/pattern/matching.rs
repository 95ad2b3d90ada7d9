//! A matcher for tests: all ends of a match, found by following the definition of [`Pattern`].

use std::collections::BTreeSet;

use crate::pattern::{Look, Pattern};

/// Whether the whole text matches.
pub(crate) fn full_match(pattern: &Pattern, text: &str) -> bool {
    ends(pattern, text.as_bytes(), &BTreeSet::from([0])).contains(&text.len())
}

fn ends(pattern: &Pattern, text: &[u8], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    let literal = |bytes: &[u8]| -> BTreeSet<usize> {
        let starts = from.iter().filter(|&&at| text[at..].starts_with(bytes));
        starts.map(|at| at + bytes.len()).collect()
    };
    match pattern {
        Pattern::Empty => from.clone(),
        Pattern::Bytes(bytes) => literal(bytes),
        Pattern::Strings(all) => all.iter().flat_map(|bytes| literal(bytes)).collect(),
        Pattern::Automaton(automaton) => {
            let stops = |&at: &usize| {
                (at..=text.len()).filter(move |&end| automaton.matches(&text[at..end]))
            };
            from.iter().flat_map(stops).collect()
        }
        Pattern::Lazy(lazy) => {
            let stops =
                |&at: &usize| (at..=text.len()).filter(move |&end| lazy.matches(&text[at..end]));
            from.iter().flat_map(stops).collect()
        }
        Pattern::Look(look) => {
            from.iter().copied().filter(|&at| holds(look, text, at) != look.negative).collect()
        }
        Pattern::Class(set) => {
            let next = |&at: &usize| {
                let rest = std::str::from_utf8(&text[at..]).ok()?;
                let char = rest.chars().next().filter(|&char| set.contains(char))?;
                Some(at + char.len_utf8())
            };
            from.iter().filter_map(next).collect()
        }
        Pattern::Concat(parts) => {
            parts.iter().fold(from.clone(), |from, part| ends(part, text, &from))
        }
        Pattern::Alt(parts) => parts.iter().flat_map(|part| ends(part, text, from)).collect(),
        Pattern::Repeat { body, min, max, .. } => {
            let mut found = BTreeSet::new();
            let mut from = from.clone();
            let mut seen = BTreeSet::new();
            for count in 0..=max.unwrap_or(u32::MAX) {
                if count >= *min {
                    found.extend(&from);
                    // The same places again lead nowhere new.
                    if !seen.insert(from.clone()) {
                        break;
                    }
                }
                if from.is_empty() {
                    break;
                }
                from = ends(body, text, &from);
            }
            found
        }
    }
}

fn holds(look: &Look, text: &[u8], at: usize) -> bool {
    if look.behind {
        let starts = if look.open { 0..=at } else { 0..=0 };
        return ends(&look.body, text, &starts.collect()).contains(&at);
    }
    let found = ends(&look.body, text, &BTreeSet::from([at]));
    if look.open { !found.is_empty() } else { found.contains(&text.len()) }
}
