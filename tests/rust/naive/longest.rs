//! Where the longest match of a pattern ends: the last of all positions that a match can reach.

use stackmask::pattern::Pattern;

/// The end of the longest match of `pattern` at the start of `text`.
pub(crate) fn longest_end(pattern: &Pattern, text: &[u8]) -> Option<usize> {
    assert!(text.len() < 64, "positions are bits of a word");
    ends(pattern, text, 1).checked_ilog2().map(|end| end as usize)
}

/// The positions that matches reach from any of the positions `from`, as bits.
fn ends(pattern: &Pattern, text: &[u8], from: u64) -> u64 {
    let each = |end: &dyn Fn(usize) -> Option<usize>| {
        (0..=text.len())
            .filter(|at| from >> at & 1 == 1)
            .filter_map(end)
            .fold(0, |all, end| all | 1 << end)
    };
    match pattern {
        Pattern::Empty => from,
        Pattern::Bytes(bytes) => {
            each(&|at| text[at..].starts_with(bytes).then_some(at + bytes.len()))
        }
        Pattern::Class(set) => each(&|at| {
            let next = text.get(at)?;
            set.contains(char::from(*next)).then_some(at + 1)
        }),
        Pattern::Concat(parts) => parts.iter().fold(from, |from, part| ends(part, text, from)),
        Pattern::Alt(parts) => parts.iter().fold(0, |all, part| all | ends(part, text, from)),
        Pattern::Repeat { body, min, max, .. } => {
            let least = (0..*min).fold(from, |from, _| ends(body, text, from));
            // More rounds than positions reach nothing new.
            let more = max.map_or(64, |max| (max - min).min(64));
            (0..more).fold(least, |all, _| all | ends(body, text, all))
        }
        _ => unreachable!("not among random patterns"),
    }
}
