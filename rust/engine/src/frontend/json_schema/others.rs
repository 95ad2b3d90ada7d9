//! Some strings, or all but some, as one deterministic automaton.
//!
//! It is made of a tree of the texts of the strings. For all strings but these, a text that leaves the tree goes on in
//! the automaton of any string, and one that ends where the tree has a whole string is refused.

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::json::Spelling;
use crate::pattern::{ByteAutomaton, ByteState};

/// The JSON texts, quotes included, of all strings but these.
///
/// # Errors
/// [`Error::Grammar`] never: the states are well-formed.
pub(super) fn others<'a>(
    spelling: Spelling,
    strings: impl Iterator<Item = &'a str>,
) -> Result<ByteAutomaton, Error> {
    ByteAutomaton::new(Tree::of(spelling, strings).finish())
}

/// The JSON texts, quotes included, of these strings.
///
/// # Errors
/// [`Error::Grammar`] never: the states are well-formed.
pub(super) fn only<'a>(
    spelling: Spelling,
    strings: impl Iterator<Item = &'a str>,
) -> Result<ByteAutomaton, Error> {
    ByteAutomaton::new(Tree::of(spelling, strings).alone())
}

/// Between characters.
const TEXT: u32 = 1;
const END: u32 = 2;
/// Behind a backslash.
const SLASH: u32 = 3;

/// The automaton of any string. The first state is before the opening quotation mark.
fn any(spelling: Spelling) -> Vec<ByteState> {
    let state = |edges: &[(u8, u8, u32)]| ByteState { accepting: false, edges: edges.into() };
    let hex = |to| state(&[(b'0', b'9', to), (b'A', b'F', to), (b'a', b'f', to)]);
    // Continuation bytes of UTF-8: one, two or three more, and what may follow the leads that are special.
    let (one, two, three, e0, ed, f0, f4) = (4, 5, 6, 7, 8, 9, 10);
    let mut states = vec![
        state(&[(b'"', b'"', TEXT)]),
        state(&[
            (b' ', b'!', TEXT),
            (b'"', b'"', END),
            (b'#', b'[', TEXT),
            (b'\\', b'\\', SLASH),
            (b']', 0x7f, TEXT),
            (0xc2, 0xdf, one),
            (0xe0, 0xe0, e0),
            (0xe1, 0xec, two),
            (0xed, 0xed, ed),
            (0xee, 0xef, two),
            (0xf0, 0xf0, f0),
            (0xf1, 0xf3, three),
            (0xf4, 0xf4, f4),
        ]),
        ByteState { accepting: true, edges: Vec::new() },
        ByteState::default(),
        state(&[(0x80, 0xbf, TEXT)]),
        state(&[(0x80, 0xbf, one)]),
        state(&[(0x80, 0xbf, two)]),
        state(&[(0xa0, 0xbf, one)]),
        state(&[(0x80, 0x9f, one)]),
        state(&[(0x90, 0xbf, two)]),
        state(&[(0x80, 0x8f, two)]),
    ];
    let u = states.len() as u32;
    let mut short: Vec<(u8, u8, u32)> =
        b"\"\\bfnrt".iter().map(|&byte| (byte, byte, TEXT)).collect();
    short.push((b'u', b'u', u));
    match spelling {
        Spelling::Canonical => {
            // Only control characters: \u00, then 0 or 1, then any digit.
            states.extend([
                state(&[(b'0', b'0', u + 1)]),
                state(&[(b'0', b'0', u + 2)]),
                state(&[(b'0', b'1', u + 3)]),
                hex(TEXT),
            ]);
        }
        Spelling::Any => {
            short.push((b'/', b'/', TEXT));
            // Four digits; those of a high surrogate are followed by a low one.
            let (three, two, one, d) = (u + 1, u + 2, u + 3, u + 4);
            states.extend([
                state(&[
                    (b'0', b'9', three),
                    (b'A', b'C', three),
                    (b'D', b'D', d),
                    (b'E', b'F', three),
                    (b'a', b'c', three),
                    (b'd', b'd', d),
                    (b'e', b'f', three),
                ]),
                hex(two),
                hex(one),
                hex(TEXT),
                state(&[
                    (b'0', b'7', two),
                    (b'8', b'9', u + 5),
                    (b'A', b'B', u + 5),
                    (b'a', b'b', u + 5),
                ]),
                hex(u + 6),
                hex(u + 7),
                state(&[(b'\\', b'\\', u + 8)]),
                state(&[(b'u', b'u', u + 9)]),
                state(&[(b'D', b'D', u + 10), (b'd', b'd', u + 10)]),
                state(&[(b'C', b'F', two), (b'c', b'f', two)]),
            ]);
        }
    }
    short.sort_unstable();
    states[SLASH as usize].edges = short;
    states
}

/// The states of any string, and behind them those of the tree.
struct Tree {
    states: Vec<ByteState>,
    /// The state of any string that each node of the tree stands beside.
    beside: Vec<u32>,
    /// The branches of each node.
    branches: Vec<FxHashMap<u8, u32>>,
    /// Whether a string that is left out ends at a node.
    ends: Vec<bool>,
}

impl Tree {
    fn of<'a>(spelling: Spelling, strings: impl Iterator<Item = &'a str>) -> Self {
        let mut tree = Self::new(any(spelling));
        for string in strings {
            tree.insert(string, spelling);
        }
        tree
    }

    fn new(states: Vec<ByteState>) -> Self {
        let mut tree = Self { states, beside: vec![], branches: vec![], ends: vec![] };
        tree.node(TEXT);
        tree
    }

    fn node(&mut self, beside: u32) -> u32 {
        self.beside.push(beside);
        self.branches.push(FxHashMap::default());
        self.ends.push(false);
        self.beside.len() as u32 - 1
    }

    fn insert(&mut self, string: &str, spelling: Spelling) {
        let mut node = 0;
        for c in string.chars() {
            node = self.character(node, c, spelling);
        }
        self.ends[node as usize] = true;
    }

    /// The node behind a character: all its texts lead there.
    fn character(&mut self, from: u32, c: char, spelling: Spelling) -> u32 {
        let texts = texts(c, spelling);
        let known = self.follow(from, &texts[0]);
        let to = known.unwrap_or_else(|| self.node(TEXT));
        if known.is_none() {
            for text in texts {
                self.lead(from, &text, to);
            }
        }
        to
    }

    fn follow(&self, from: u32, text: &[u8]) -> Option<u32> {
        text.iter().try_fold(from, |at, byte| self.branches[at as usize].get(byte).copied())
    }

    fn lead(&mut self, from: u32, text: &[u8], to: u32) {
        let Some((&last, before)) = text.split_last() else { return };
        let mut at = from;
        for &byte in before {
            at = match self.branches[at as usize].get(&byte) {
                Some(&next) => next,
                None => {
                    let beside = step(&self.states[self.beside[at as usize] as usize], byte);
                    let next = self.node(beside.unwrap_or(TEXT));
                    self.branches[at as usize].insert(byte, next);
                    next
                }
            };
        }
        self.branches[at as usize].insert(last, to);
    }

    /// The branches of a node, in both cases where that matters.
    fn sorted(&self, node: usize) -> Vec<(u8, u32)> {
        let mut branches: Vec<(u8, u32)> = self.branches[node]
            .iter()
            .flat_map(|(&byte, &to)| cases(byte, self.beside[node]).map(move |b| (b, to)))
            .collect();
        branches.sort_unstable();
        branches.dedup();
        branches
    }

    /// The states of the tree's strings alone: the first, the last, and the nodes.
    fn alone(self) -> Vec<ByteState> {
        let mut states = vec![
            ByteState { accepting: false, edges: vec![(b'"', b'"', 2)] },
            ByteState { accepting: true, edges: Vec::new() },
        ];
        for node in 0..self.beside.len() {
            let branches = self.sorted(node);
            let mut edges: Vec<_> = branches.iter().map(|&(b, to)| (b, b, to + 2)).collect();
            if self.ends[node] {
                // A quotation mark within a string stands behind a backslash, so that no branch has it here.
                edges.push((b'"', b'"', 1));
                edges.sort_unstable();
            }
            states.push(ByteState { accepting: false, edges });
        }
        states
    }

    fn finish(mut self) -> Vec<ByteState> {
        let first = self.states.len() as u32;
        // The tree begins where any string does.
        self.states[0].edges = vec![(b'"', b'"', first)];
        for node in 0..self.beside.len() {
            let branches = self.sorted(node);
            let mut edges = Vec::new();
            for &(lo, hi, to) in &self.states[self.beside[node] as usize].edges {
                if to == END && self.ends[node] {
                    continue;
                }
                let mut from = u32::from(lo);
                for &(byte, _) in branches.iter().filter(|(byte, _)| (lo..=hi).contains(byte)) {
                    if from < u32::from(byte) {
                        edges.push((from as u8, byte - 1, to));
                    }
                    from = u32::from(byte) + 1;
                }
                if from <= u32::from(hi) {
                    edges.push((from as u8, hi, to));
                }
            }
            edges.extend(branches.iter().map(|&(byte, to)| (byte, byte, first + to)));
            edges.sort_unstable();
            self.states.push(ByteState { accepting: false, edges });
        }
        self.states
    }
}

fn step(state: &ByteState, byte: u8) -> Option<u32> {
    state.edges.iter().find(|(lo, hi, _)| (*lo..=*hi).contains(&byte)).map(|edge| edge.2)
}

/// A byte of the tree, and its other case where it is a digit of an escape.
fn cases(byte: u8, beside: u32) -> impl Iterator<Item = u8> {
    // All states behind those of UTF-8 are within an escape by number.
    let digit = beside > 10 && byte.is_ascii_hexdigit();
    let other = if digit { byte.to_ascii_uppercase() } else { byte };
    [byte, other].into_iter()
}

/// The texts of a character, digits in lower case.
fn texts(c: char, spelling: Spelling) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    if c >= ' ' && c != '"' && c != '\\' {
        texts.push(c.to_string().into_bytes());
    }
    let short = match c {
        '"' | '\\' => Some(c),
        '/' if spelling == Spelling::Any => Some(c),
        '\u{8}' => Some('b'),
        '\u{c}' => Some('f'),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        _ => None,
    };
    texts.extend(short.map(|c| vec![b'\\', c as u8]));
    if c < ' ' || spelling == Spelling::Any {
        let units =
            c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")).collect::<String>();
        texts.push(units.into_bytes());
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::json_schema::spelled::{any_string, quoted};
    use crate::pattern::Pattern;
    use crate::pattern::matching::full_match;

    const TEXTS: &[&str] = &[
        "a",
        "ab",
        "abc",
        "b",
        "",
        "é",
        "è",
        "€",
        "😀",
        "😁",
        "/",
        "\\\\",
        "\\\"",
        "\\n",
        "\\t",
        "\\u0061",
        "\\u0061b",
        "a\\u0062",
        "\\u00e9",
        "\\u00E9",
        "\\u00e8",
        "\\ud83d\\ude00",
        "\\uD83D\\uDE00",
        "\\ud83d\\ude01",
        "\\ud83d",
        "\\ude00",
        "\\/",
        "\\u000a",
        "\\u001f",
        "\\u001F",
        "\\u0000",
        "\\x",
        "\\",
        "\"",
        "\n",
        "\\u00g0",
        "\\u007f",
        "\u{7f}",
        "a\\u00",
    ];

    #[test]
    fn any_string_is_any_string() {
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let made = others(spelling, std::iter::empty()).expect("well-formed");
            let wanted = any_string(spelling, 0, None);
            for text in TEXTS {
                let text = format!("\"{text}\"");
                let (made, wanted) = (made.matches(text.as_bytes()), full_match(&wanted, &text));
                assert_eq!(made, wanted, "{spelling:?} {text}");
            }
        }
    }

    #[test]
    fn what_is_left_out_is_left_out_however_it_is_spelled() {
        let left_out = ["ab", "a", "é", "😀", "/", "\\", "\n", "\u{1f}", "", "ac"];
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let made = others(spelling, left_out.into_iter()).expect("well-formed");
            let listing = only(spelling, left_out.into_iter()).expect("well-formed");
            let strings = left_out.iter().map(|s| s.as_bytes().to_vec()).collect();
            let strings = quoted(&Pattern::Strings(strings), spelling).expect("texts");
            let any = any_string(spelling, 0, None);
            for text in TEXTS {
                let text = format!("\"{text}\"");
                let listed = full_match(&strings, &text);
                assert_eq!(listing.matches(text.as_bytes()), listed, "{spelling:?} {text}");
                let wanted = full_match(&any, &text) && !listed;
                assert_eq!(made.matches(text.as_bytes()), wanted, "{spelling:?} {text}");
            }
        }
    }
}
