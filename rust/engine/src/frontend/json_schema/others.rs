//! Some strings, or all but some, as a lazy automaton.
//!
//! Its states are those of [any string](super::any_string), and beside them the nodes of a tree of the strings. For all strings but these, a
//! text that leaves the tree goes on as that of any string, and one that ends where the tree has a whole string is
//! refused. In [`Spelling::Any`] a character has several texts, of which only those are written out that a text comes
//! to: an object's names have thousands of states, and few texts see more than dozens.

use super::any_string::{Any, END, START, TEXT};
use crate::error::Error;
use crate::json::Spelling;
use crate::pattern::{Edge, Lazy, Pattern, SharedState, Stepper, Words, ranges};

/// The JSON texts, quotes included, of all strings but these.
pub(super) fn others<'a>(spelling: Spelling, strings: impl Iterator<Item = &'a str>) -> Pattern {
    Pattern::Lazy(Lazy::new(Tree::of(spelling, strings, false)))
}

/// The JSON texts, quotes included, of these strings.
pub(super) fn only<'a>(spelling: Spelling, strings: impl Iterator<Item = &'a str>) -> Pattern {
    Pattern::Lazy(Lazy::new(Tree::of(spelling, strings, true)))
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
        let children = &self.nodes[node as usize].children;
        if pending.is_empty() {
            // Of escapes it is enough to know that there are some.
            let mut escaped = None;
            for &(c, child) in children {
                let mut buffer = [0; 4];
                match c.encode_utf8(&mut buffer).as_bytes() {
                    [0..0x20 | b'"' | b'\\', ..] => escaped = Some(child),
                    [first, rest @ ..] => branches.push((*first, child, rest.to_vec())),
                    [] => {}
                }
                if self.spelling == Spelling::Any {
                    escaped = Some(child);
                }
            }
            branches.extend(escaped.map(|child| (b'\\', child, vec![b'u'])));
            return branches;
        }
        for &(c, child) in children {
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

    fn shared(&self, state: &[u32]) -> Option<SharedState<'_>> {
        match *state {
            [at] if at != START => Any::of(self.spelling).shared(state),
            [at, node, ref pending @ ..] if !self.listed => {
                let branches = self.branches(node, pending);
                let mut except: Vec<u8> =
                    branches.into_iter().flat_map(|branch| cases(branch.0, at)).collect();
                if at == TEXT && self.nodes[node as usize].ends {
                    except.push(b'"');
                }
                except.sort_unstable();
                except.dedup();
                let except = match except[..] {
                    [a] => [Some(a), None],
                    [a, b] => [Some(a), Some(b)],
                    _ => return None,
                };
                let same = Any::of(self.spelling).shared(&state[..1])?;
                Some(SharedState { except, ..same })
            }
            _ => None,
        }
    }
}

/// A byte of the tree, and its other case where it is a digit of an escape.
fn cases(byte: u8, beside: u32) -> impl Iterator<Item = u8> {
    // All states behind those of UTF-8 are within an escape by number.
    let digit = beside > 11 && byte.is_ascii_hexdigit();
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
    use crate::frontend::json_schema::spelled::{quoted, strings_of};
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
            let wanted = strings_of(spelling, 0, None);
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
            let any = strings_of(spelling, 0, None);
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
