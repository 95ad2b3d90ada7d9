//! Random patterns.

use crate::support::random::Random;
use stackmask::pattern::{CharSet, Pattern};

/// What patterns may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Strings and classes of one character.
    Plain,
    /// Every operator, with characters of several bytes, and patterns that match the empty string or nothing.
    Any,
    /// Every operator over `a` and `b`; neither the pattern nor a repeated one matches the empty string, where
    /// Python and Lark have rules of their own.
    NotEmpty,
}

/// A random pattern with at most `depth` operators inside one another.
pub(crate) fn pattern(random: &mut Random, kind: Kind, depth: usize) -> Pattern {
    if kind == Kind::Plain || depth == 0 || random.chance(20) {
        return leaf(random, kind);
    }
    match random.below(10) {
        0..=3 => Pattern::Concat(several(random, kind, depth)),
        4..=6 => Pattern::Alt(several(random, kind, depth)),
        7 if kind == Kind::Any => match random.below(4) {
            0 => Pattern::Empty,
            1 => Pattern::Alt(Vec::new()),
            2 => Pattern::Strings((0..random.between(1, 3)).map(|_| text(random, kind)).collect()),
            _ => repeat(random, kind, depth),
        },
        // One optional part, in a sequence that has another.
        7 => {
            let optional = Pattern::Repeat {
                body: Box::new(pattern(random, kind, depth - 1)),
                min: 0,
                max: [Some(1), Some(2), None][random.below(3)],
                greedy: random.chance(50),
            };
            let other = pattern(random, kind, depth - 1);
            Pattern::Concat(if random.chance(50) {
                vec![optional, other]
            } else {
                vec![other, optional]
            })
        }
        _ => repeat(random, kind, depth),
    }
}

fn repeat(random: &mut Random, kind: Kind, depth: usize) -> Pattern {
    let min = random.between(usize::from(kind == Kind::NotEmpty), 2) as u32;
    Pattern::Repeat {
        body: Box::new(pattern(random, kind, depth - 1)),
        min,
        max: random.chance(60).then(|| (min + random.below(3) as u32).max(1)),
        greedy: random.chance(60),
    }
}

fn several(random: &mut Random, kind: Kind, depth: usize) -> Vec<Pattern> {
    (0..random.between(2, 3)).map(|_| pattern(random, kind, depth - 1)).collect()
}

fn leaf(random: &mut Random, kind: Kind) -> Pattern {
    if random.chance(if kind == Kind::Plain { 80 } else { 60 }) {
        return Pattern::Bytes(text(random, kind));
    }
    let ranges: &[&[(char, char)]] = match kind {
        Kind::NotEmpty => &[&[('a', 'b')]],
        Kind::Plain => {
            &[&[('a', 'b')], &[('a', 'c')], &[('b', 'c')], &[('(', ')')], &[('a', 'a'), ('c', 'c')]]
        }
        Kind::Any => &[
            &[('a', 'b')],
            &[('b', 'c'), ('(', '(')],
            &[('è', 'ê')],
            &[('b', 'b'), ('é', 'é')],
            // All characters of one, two and three bytes: every byte of a longer one can be left unfinished.
            &[('\u{0}', '\u{d7ff}'), ('\u{e000}', '\u{ffff}')],
            &[],
        ],
    };
    Pattern::Class(CharSet::new(random.pick(ranges).iter().copied()))
}

fn text(random: &mut Random, kind: Kind) -> Vec<u8> {
    let alphabet: &[u8] = if kind == Kind::NotEmpty { b"ab" } else { b"aabbc()" };
    let mut text: Vec<u8> = (0..random.between(1, 3)).map(|_| *random.pick(alphabet)).collect();
    if kind == Kind::Any && random.chance(10) {
        text.extend("é".as_bytes());
    }
    text
}
