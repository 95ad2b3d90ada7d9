//! How many characters a pattern matches, at least and at most.

use crate::pattern::Pattern;

/// As `getwidth` of Python's `re`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) min: u128,
    pub(super) max: u128,
}

/// What `re` gives for what has no bound.
const WIDEST: u128 = 1 << 64;

pub(super) fn widths(pattern: &Pattern) -> Widths {
    let Widths { min, max } = match pattern {
        Pattern::Empty | Pattern::Look(_) => exactly(0),
        Pattern::Bytes(bytes) => exactly(characters(bytes)),
        Pattern::Class(_) => exactly(1),
        Pattern::Concat(parts) => parts.iter().map(widths).fold(exactly(0), |a, b| Widths {
            min: a.min.saturating_add(b.min),
            max: a.max.saturating_add(b.max),
        }),
        Pattern::Alt(options) => any(options.iter().map(widths)),
        Pattern::Strings(strings) => any(strings.iter().map(|s| exactly(characters(s)))),
        // No regex becomes an automaton, so that no width of Python's is at stake.
        Pattern::Automaton(automaton) => Widths { min: u128::from(automaton.rest(0)), max: WIDEST },
        Pattern::Lazy(lazy) => Widths { min: u128::from(lazy.rest()), max: WIDEST },
        Pattern::Repeat { body, min, max, .. } => {
            let body = widths(body);
            Widths {
                min: body.min.saturating_mul(u128::from(*min)),
                max: match max {
                    Some(max) => body.max.saturating_mul(u128::from(*max)),
                    None if body.max == 0 => 0,
                    None => WIDEST,
                },
            }
        }
    };
    Widths { min: min.min(WIDEST), max: max.min(WIDEST) }
}

fn exactly(width: u128) -> Widths {
    Widths { min: width, max: width }
}

fn any(options: impl Iterator<Item = Widths>) -> Widths {
    options
        .reduce(|a, b| Widths { min: a.min.min(b.min), max: a.max.max(b.max) })
        .unwrap_or(Widths { min: WIDEST, max: 0 })
}

/// Code points, counted by the bytes that start one.
fn characters(bytes: &[u8]) -> u128 {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::CharSet;

    #[test]
    fn counts_code_points_and_caps_what_has_no_bound() {
        let pair = Pattern::Bytes("é€".into());
        assert_eq!(widths(&pair), exactly(2));
        let repeat =
            |body, min, max| Pattern::Repeat { body: Box::new(body), min, max, greedy: true };
        assert_eq!(widths(&repeat(pair.clone(), 1, Some(3))), Widths { min: 2, max: 6 });
        assert_eq!(widths(&repeat(pair, 1, None)), Widths { min: 2, max: WIDEST });
        assert_eq!(widths(&repeat(Pattern::Empty, 0, None)), exactly(0));
        let class = Pattern::Class(CharSet::single('a'));
        let wide = repeat(repeat(class, 0, None), 1, Some(2));
        assert_eq!(widths(&Pattern::Concat(vec![wide.clone(), wide])).max, WIDEST);
    }
}
