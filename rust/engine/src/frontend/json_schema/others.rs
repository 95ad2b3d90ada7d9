//! Some strings, or all but some, as a lazy automaton.
//!
//! Its states are those of any string, and beside them the nodes of a tree of the strings. For all strings but these, a
//! text that leaves the tree goes on as that of any string, and one that ends where the tree has a whole string is
//! refused. In [`Spelling::Any`] a character has several texts, of which only those are written out that a text comes
//! to: an object's names have thousands of states, and few texts see more than dozens.

use std::sync::LazyLock;

use crate::error::Error;
use crate::json::Spelling;
use crate::pattern::{ByteState, Edge, Lazy, Pattern, Stepper, Words, ranges};

/// The JSON texts, quotes included, of all strings but these.
pub(super) fn others<'a>(spelling: Spelling, strings: impl Iterator<Item = &'a str>) -> Pattern {
    Pattern::Lazy(Lazy::new(Tree::of(spelling, strings, false)))
}

/// The JSON texts, quotes included, of these strings.
pub(super) fn only<'a>(spelling: Spelling, strings: impl Iterator<Item = &'a str>) -> Pattern {
    Pattern::Lazy(Lazy::new(Tree::of(spelling, strings, true)))
}

/// Before the opening quotation mark.
const START: u32 = 0;
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

/// The automaton of any string, with the fewest bytes from each state to the end.
struct Any {
    states: Vec<ByteState>,
    rests: Vec<u32>,
}

impl Any {
    fn of(spelling: Spelling) -> &'static Self {
        static CANONICAL: LazyLock<Any> = LazyLock::new(|| Any::new(Spelling::Canonical));
        static ANY: LazyLock<Any> = LazyLock::new(|| Any::new(Spelling::Any));
        match spelling {
            Spelling::Canonical => &CANONICAL,
            Spelling::Any => &ANY,
        }
    }

    fn new(spelling: Spelling) -> Self {
        let states = any(spelling);
        let mut rests = vec![u32::MAX; states.len()];
        rests[END as usize] = 0;
        for _ in 0..states.len() {
            for (at, state) in states.iter().enumerate() {
                for edge in &state.edges {
                    rests[at] = rests[at].min(rests[edge.2 as usize].saturating_add(1));
                }
            }
        }
        Self { states, rests }
    }

    /// Where a byte leads, which can follow.
    fn step(&self, from: u32, byte: u8) -> u32 {
        let mut edges = self.states[from as usize].edges.iter();
        edges.find(|(lo, hi, _)| (*lo..=*hi).contains(&byte)).map_or(TEXT, |edge| edge.2)
    }
}

/// A tree of strings by their characters.
///
/// A state of its automaton is that of any string, and within the tree the node behind the last whole character, and
/// the bytes read since, with the digits of escapes in lower case.
#[derive(Debug)]
struct Tree {
    spelling: Spelling,
    /// Whether the strings are all there are, or all that are left out.
    listed: bool,
    /// Parents come before their children.
    nodes: Vec<Node>,
    /// Fewest bytes from each node to the end of a string of the tree.
    rests: Vec<u32>,
    bytes: Vec<(u8, u8)>,
}

#[derive(Debug, Default)]
struct Node {
    /// By character.
    children: Vec<(char, u32)>,
    /// Whether a string ends here.
    ends: bool,
}

impl Tree {
    fn of<'a>(spelling: Spelling, strings: impl Iterator<Item = &'a str>, listed: bool) -> Self {
        let mut nodes = vec![Node::default()];
        for string in strings {
            let mut at = 0;
            for c in string.chars() {
                at = match nodes[at].children.binary_search_by_key(&c, |child| child.0) {
                    Ok(found) => nodes[at].children[found].1 as usize,
                    Err(place) => {
                        let fresh = nodes.len();
                        nodes[at].children.insert(place, (c, fresh as u32));
                        nodes.push(Node::default());
                        fresh
                    }
                };
            }
            nodes[at].ends = true;
        }
        let mut used = [false; 256];
        let mut rests = vec![u32::MAX; nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            rests[at] = if node.ends { 1 } else { u32::MAX };
            for &(c, child) in &node.children {
                for text in texts(c, spelling) {
                    let rest = rests[child as usize].saturating_add(text.len() as u32);
                    rests[at] = rests[at].min(rest);
                    text.iter().flat_map(|&b| [b, b.to_ascii_uppercase()]).for_each(|b| {
                        used[usize::from(b)] = true;
                    });
                }
            }
        }
        used[usize::from(b'"')] = true;
        if !listed {
            for state in &Any::of(spelling).states {
                for &(lo, hi, _) in &state.edges {
                    used[usize::from(lo)..=usize::from(hi)].fill(true);
                }
            }
        }
        Self { spelling, listed, nodes, rests, bytes: ranges(&used) }
    }

    /// Where the texts of the characters below a node lead that go on like this: the byte, and what is left of the text.
    fn branches(&self, node: u32, pending: &[u32]) -> Vec<(u8, u32, Vec<u8>)> {
        let mut branches = Vec::new();
        for &(c, child) in &self.nodes[node as usize].children {
            for text in texts(c, self.spelling) {
                let begins = pending.iter().zip(&text).all(|(&a, &b)| a == u32::from(b));
                if begins
                    && let Some((&byte, rest)) = text[pending.len().min(text.len())..].split_first()
                {
                    branches.push((byte, child, rest.to_vec()));
                }
            }
        }
        branches
    }
}

/// A state within the tree.
fn within(any: u32, node: u32, pending: impl Iterator<Item = u32>) -> Words {
    [any, node].into_iter().chain(pending).collect()
}

impl Stepper for Tree {
    fn start(&self) -> Words {
        [START].into()
    }

    fn accepts(&self, state: &[u32]) -> bool {
        *state == [END]
    }

    fn rest(&self, state: &[u32]) -> u32 {
        let any = Any::of(self.spelling);
        match *state {
            [START] if self.listed => self.rests[0].saturating_add(1),
            [at, node, ..] if !self.listed => {
                // At the end of a string that is left out, another character comes first.
                any.rests[at as usize] + u32::from(at == TEXT && self.nodes[node as usize].ends)
            }
            [_, node] => self.rests[node as usize],
            [_, node, ref pending @ ..] => {
                let branches = self.branches(node, pending).into_iter();
                let rests = branches.map(|(_, child, rest)| {
                    self.rests[child as usize].saturating_add(1 + rest.len() as u32)
                });
                rests.min().unwrap_or(u32::MAX)
            }
            [at] => any.rests[at as usize],
            [] => u32::MAX,
        }
    }

    fn edges(&self, state: &[u32]) -> Result<Vec<Edge>, Error> {
        let any = Any::of(self.spelling);
        let at = state[0];
        let around = &any.states[at as usize].edges;
        let [_, node, pending @ ..] = state else {
            return Ok(match at {
                START => vec![(b'"', b'"', within(TEXT, 0, [].into_iter()))],
                _ => around.iter().map(|&(lo, hi, to)| (lo, hi, [to].into())).collect(),
            });
        };
        let mut edges: Vec<Edge> = Vec::new();
        for (byte, child, rest) in self.branches(*node, pending) {
            let to = if rest.is_empty() {
                within(TEXT, child, [].into_iter())
            } else {
                let read = pending.iter().copied().chain([u32::from(byte)]);
                within(any.step(at, byte), *node, read)
            };
            edges.extend(cases(byte, at).map(|byte| (byte, byte, to.clone())));
        }
        edges.sort_unstable();
        edges.dedup();
        let branches: Vec<u8> = edges.iter().map(|edge| edge.0).collect();
        for &(lo, hi, to) in around {
            if to == END {
                // A quotation mark within a string stands behind a backslash, so that no branch has it here.
                if self.nodes[*node as usize].ends == self.listed {
                    edges.push((lo, hi, [END].into()));
                }
                continue;
            }
            if self.listed {
                continue;
            }
            let mut from = u32::from(lo);
            for &byte in branches.iter().filter(|byte| (lo..=hi).contains(byte)) {
                if from < u32::from(byte) {
                    edges.push((from as u8, byte - 1, [to].into()));
                }
                from = u32::from(byte) + 1;
            }
            if from <= u32::from(hi) {
                edges.push((from as u8, hi, [to].into()));
            }
        }
        edges.sort_unstable();
        Ok(edges)
    }

    fn bytes(&self) -> &[(u8, u8)] {
        &self.bytes
    }
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
            let made = others(spelling, std::iter::empty());
            let wanted = any_string(spelling, 0, None);
            for text in TEXTS {
                let text = format!("\"{text}\"");
                let (made, wanted) = (full_match(&made, &text), full_match(&wanted, &text));
                assert_eq!(made, wanted, "{spelling:?} {text}");
            }
        }
    }

    #[test]
    fn what_is_left_out_is_left_out_however_it_is_spelled() {
        let left_out = ["ab", "a", "é", "😀", "/", "\\", "\n", "\u{1f}", "", "ac"];
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let made = others(spelling, left_out.into_iter());
            let listing = only(spelling, left_out.into_iter());
            let strings = left_out.iter().map(|s| s.as_bytes().to_vec()).collect();
            let strings = quoted(&Pattern::Strings(strings), spelling).expect("texts");
            let any = any_string(spelling, 0, None);
            for text in TEXTS {
                let text = format!("\"{text}\"");
                let listed = full_match(&strings, &text);
                assert_eq!(full_match(&listing, &text), listed, "{spelling:?} {text}");
                let wanted = full_match(&any, &text) && !listed;
                assert_eq!(full_match(&made, &text), wanted, "{spelling:?} {text}");
            }
        }
    }

    /// The fewest bytes to the end are never fewer than told, and within the tree as many.
    #[test]
    fn rests_are_the_shortest_ways() {
        let strings = ["ab", "a", "é", "/", "\n", "", "ac\u{1f}", "b😀"];
        for spelling in [Spelling::Canonical, Spelling::Any] {
            for made in [only(spelling, strings.into_iter()), others(spelling, strings.into_iter())]
            {
                let Pattern::Lazy(lazy) = made else { unreachable!("both are lazy") };
                let stepper = lazy.stepper();
                let mut states = vec![stepper.start()];
                let mut edges: Vec<Vec<usize>> = Vec::new();
                while edges.len() < states.len() {
                    let found = stepper.edges(&states[edges.len()]).expect("no limit");
                    let targets = found.into_iter().map(|(_, _, to)| {
                        states.iter().position(|known| *known == to).unwrap_or_else(|| {
                            states.push(to);
                            states.len() - 1
                        })
                    });
                    edges.push(targets.collect());
                }
                let mut rests: Vec<u32> =
                    states.iter().map(|s| if stepper.accepts(s) { 0 } else { 1_000 }).collect();
                for _ in 0..states.len() {
                    for at in 0..states.len() {
                        let next = edges[at].iter().map(|&to| rests[to] + 1).min();
                        rests[at] = rests[at].min(next.unwrap_or(1_000));
                    }
                }
                for (state, rest) in states.iter().zip(rests) {
                    assert!(stepper.rest(state) <= rest && rest < 1_000, "{spelling:?} {state:?}");
                    assert!(stepper.rest(state) > 0 || rest == 0, "{spelling:?} {state:?}");
                }
            }
        }
    }
}
