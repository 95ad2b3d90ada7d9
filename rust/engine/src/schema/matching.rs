//! Whether a pattern without conditions on the text around matches a short string: all ends of matches, side by side.
//!
//! Keys and listed values are tried here, since nothing has to be compiled for it.

use crate::pattern::Pattern;

/// Whether the whole text matches. The pattern has no look-around.
pub(super) fn matches(pattern: &Pattern, text: &str) -> bool {
    ends(pattern, text, &[0]).last() == Some(&text.len())
}

/// All places where a match that begins at one of `starts` can end, in ascending order.
fn ends(pattern: &Pattern, text: &str, starts: &[usize]) -> Vec<usize> {
    let mut out = Vec::new();
    match pattern {
        Pattern::Empty | Pattern::Look(_) => return starts.to_vec(),
        Pattern::Bytes(bytes) => after(bytes, text, starts, &mut out),
        Pattern::Strings(list) => {
            list.iter().for_each(|bytes| after(bytes, text, starts, &mut out));
        }
        Pattern::Class(set) => {
            for &start in starts {
                let next = text.get(start..).and_then(|rest| rest.chars().next());
                out.extend(next.filter(|&c| set.contains(c)).map(|c| start + c.len_utf8()));
            }
        }
        Pattern::Automaton(automaton) => {
            for &start in starts {
                let all = start..=text.len();
                out.extend(all.filter(|&end| automaton.matches(&text.as_bytes()[start..end])));
            }
        }
        Pattern::Lazy(lazy) => {
            for &start in starts {
                let all = start..=text.len();
                out.extend(all.filter(|&end| lazy.matches(&text.as_bytes()[start..end])));
            }
        }
        Pattern::Concat(parts) => {
            let mut now = starts.to_vec();
            for part in parts {
                now = ends(part, text, &now);
            }
            return now;
        }
        Pattern::Alt(parts) => parts.iter().for_each(|part| out.extend(ends(part, text, starts))),
        Pattern::Repeat { body, min, max, .. } => {
            let mut now = starts.to_vec();
            let mut count = 0;
            loop {
                let known = out.len();
                if count >= *min {
                    out.extend(&now);
                    out.sort_unstable();
                    out.dedup();
                }
                // Once enough were read, only new places lead further.
                let stale = count > *min && out.len() == known;
                if now.is_empty() || stale || max.is_some_and(|max| count >= max) {
                    break;
                }
                let next = ends(body, text, &now);
                // The same places again, with bodies that may be empty, stay the same.
                if next == now && count < *min {
                    count = *min;
                    continue;
                }
                now = next;
                count += 1;
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn after(bytes: &[u8], text: &str, starts: &[usize], out: &mut Vec<usize>) {
    for &start in starts {
        if text.as_bytes()[start..].starts_with(bytes) {
            out.push(start + bytes.len());
        }
    }
}

/// How many strings match at most; many count as [`u64::MAX`].
pub(super) fn most(pattern: &Pattern) -> u64 {
    match pattern {
        Pattern::Empty | Pattern::Bytes(_) | Pattern::Look(_) => 1,
        Pattern::Strings(list) => list.len() as u64,
        Pattern::Class(set) => {
            let size = |(first, last): (char, char)| u64::from(last as u32 - first as u32) + 1;
            set.ranges().iter().copied().map(size).sum()
        }
        Pattern::Automaton(_) | Pattern::Lazy(_) => u64::MAX,
        Pattern::Concat(parts) => {
            parts.iter().fold(1, |product: u64, part| product.saturating_mul(most(part)))
        }
        Pattern::Alt(parts) => {
            parts.iter().fold(0, |sum: u64, part| sum.saturating_add(most(part)))
        }
        Pattern::Repeat { max: None, .. } => u64::MAX,
        Pattern::Repeat { body, max: Some(max), .. } => {
            let (one, mut power, mut sum) = (most(body), 1u64, 0u64);
            for _ in 0..=*max {
                sum = sum.saturating_add(power);
                power = power.saturating_mul(one);
                if sum == u64::MAX {
                    break;
                }
            }
            sum
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::pattern::ecma;

    #[test]
    fn agrees_with_what_the_patterns_mean() {
        let cases = [
            ("^a+b$", "aab", true),
            ("^a+b$", "aabc", false),
            ("b", "abc", true),
            ("", "anything", true),
            ("^(a?){3}$", "aa", true),
            ("^(a?){3}$", "aaaa", false),
            ("^(a|ab)(c|bcd)$", "abcd", true),
            ("^\\d{2,3}$", "1234", false),
            ("^[^x]*$", "é✓", true),
            ("^.*\\.json$", "a.json", true),
        ];
        for (source, text, expected) in cases {
            let parsed = ecma::parse(source, &Limits::default()).expect("a pattern");
            assert!(!parsed.pattern.has_look(), "{source}");
            assert_eq!(matches(&parsed.pattern, text), expected, "{source} on {text}");
        }
    }

    #[test]
    fn finite_patterns_are_counted() {
        let count =
            |source| most(&ecma::parse(source, &Limits::default()).expect("a pattern").pattern);
        assert_eq!(count("^(a|b)c$"), 2);
        assert_eq!(count("^[0-9]{2}$"), 111);
        assert_eq!(count("a"), u64::MAX);
    }
}
