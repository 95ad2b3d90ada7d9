//! Whether a text always tells if it stands inside a JSON value or outside of all: what it takes to follow the keys of
//! values that stand among other text.
//!
//! What is around the values is read as a finite automaton, in which a value is one symbol. It takes for possible more
//! than is: repetitions have no bounds, and where another grammar stands, anything may.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::grammar::{Expr, Terminal};
use crate::ids::{RuleId, TokenId};
use crate::limits::{Limits, check};
use crate::pattern::{ByteAutomaton, Pattern};

/// The bytes with which a value begins that can hold keys, or hide what looks like them.
const OPENING: &[u8] = b"\"[{";

/// What leads from one place to the next.
enum Read {
    Nothing,
    Bytes(Box<[u8]>),
    Automaton(Arc<ByteAutomaton>),
    Token(TokenId),
    Value,
    Anything,
}

struct Place {
    read: Read,
    next: u32,
    empty: Vec<u32>,
}

/// A place, and how much of what it reads is read: bytes, a state of the automaton, or whether a value is begun.
type At = (u32, u32);

/// What a byte is to a value that has no open container.
fn class(byte: u8) -> u8 {
    match byte {
        b' ' | b'\t' | b'\n' | b'\r' => 0,
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.' => 1,
        _ if OPENING.contains(&byte) => 2,
        _ => 3,
    }
}

/// Refuses a text that may stand both inside one of `values`, which are rules, and outside.
///
/// # Errors
/// [`Error::Grammar`] then, [`Error::TooComplex`] if it takes too long to find out.
pub(super) fn check_values(
    start: &Expr,
    terminals: &[Terminal],
    values: &FxHashSet<RuleId>,
    limits: &Limits,
) -> Result<(), Error> {
    let mut shape = Shape { places: Vec::new() };
    let (first, last) = (shape.place(), shape.place());
    shape.lower(start, first, last, terminals, values);
    let mut todo = vec![shape.closed([first])];
    let mut seen = FxHashSet::from_iter(todo.clone());
    let mut work = 0;
    while let Some(set) = todo.pop() {
        let mut found = shape.after_symbols(&set);
        let value = set.iter().any(|&at| shape.is_value(at));
        for byte in shape.bytes(&set) {
            work += set.len() as u64;
            check("work of telling values from text", "step_work", limits.step_work, work)?;
            let (going, ended) = shape.step(&set, byte);
            if value && class(byte) == 2 {
                let both = set.iter().any(|&at| shape.is_value(at) && at.1 == 0);
                if both || ended.iter().any(|&at| shape.is_value(at)) {
                    return Err(ambiguous(byte));
                }
            }
            found.push(sorted([going, ended].concat()));
        }
        todo.extend(found.into_iter().filter(|set| seen.insert(set.clone())));
    }
    Ok(())
}

fn ambiguous(byte: u8) -> Error {
    Error::Grammar(format!(
        "a JSON Schema whose keys have to be compared stands where its values cannot be told from other text: {:?} could \
         begin either; put a text before it, close its objects or list its keys",
        char::from(byte)
    ))
}

fn sorted(mut set: Vec<At>) -> Vec<At> {
    set.sort_unstable();
    set.dedup();
    set
}

struct Shape {
    places: Vec<Place>,
}

impl Shape {
    fn place(&mut self) -> u32 {
        self.places.push(Place { read: Read::Nothing, next: 0, empty: Vec::new() });
        self.places.len() as u32 - 1
    }

    fn skip(&mut self, from: u32, to: u32) {
        self.places[from as usize].empty.push(to);
    }

    fn lower(
        &mut self,
        expr: &Expr,
        from: u32,
        to: u32,
        terminals: &[Terminal],
        values: &FxHashSet<RuleId>,
    ) {
        let read = match expr {
            Expr::Empty => return self.skip(from, to),
            Expr::Terminal(id) => match &terminals[id.index()].pattern {
                Pattern::Bytes(bytes) if bytes.is_empty() => return self.skip(from, to),
                Pattern::Bytes(bytes) => Read::Bytes(bytes.clone().into()),
                Pattern::Automaton(automaton) => Read::Automaton(Arc::clone(automaton)),
                _ => Read::Anything,
            },
            Expr::Rule(rule) if values.contains(rule) => Read::Value,
            Expr::Rule(_) | Expr::Made { .. } => Read::Anything,
            Expr::Token(id) => Read::Token(*id),
            Expr::Seq(parts) => {
                let mut at = from;
                for part in parts {
                    let next = self.place();
                    self.lower(part, at, next, terminals, values);
                    at = next;
                }
                return self.skip(at, to);
            }
            Expr::Alt(parts) => {
                for part in parts {
                    self.lower(part, from, to, terminals, values);
                }
                return;
            }
            Expr::Repeat { body, min, max } => {
                let (begin, end) = (self.place(), self.place());
                self.lower(body, begin, end, terminals, values);
                self.skip(from, begin);
                self.skip(end, to);
                if *max != Some(1) {
                    self.skip(end, begin);
                }
                if *min == 0 {
                    self.skip(from, to);
                }
                return;
            }
        };
        let place = self.place();
        self.places[place as usize] = Place { read, next: to, empty: Vec::new() };
        self.skip(from, place);
    }

    fn is_value(&self, (place, _): At) -> bool {
        matches!(self.places[place as usize].read, Read::Value)
    }

    /// These places and all that nothing leads to from them.
    fn closed(&self, places: impl IntoIterator<Item = u32>) -> Vec<At> {
        let mut todo: Vec<u32> = places.into_iter().collect();
        let mut seen: FxHashSet<u32> = todo.iter().copied().collect();
        let mut set = Vec::new();
        while let Some(at) = todo.pop() {
            let place = &self.places[at as usize];
            let empty = match &place.read {
                Read::Nothing => false,
                Read::Automaton(automaton) => automaton.is_nullable(),
                Read::Anything => true,
                Read::Bytes(_) | Read::Token(_) | Read::Value => false,
            };
            if !matches!(place.read, Read::Nothing) {
                set.push((at, 0));
            }
            let next = place.empty.iter().copied().chain(empty.then_some(place.next));
            todo.extend(next.filter(|&next| seen.insert(next)));
        }
        sorted(set)
    }

    /// Where whole values lead that have an end of their own, and special tokens.
    fn after_symbols(&self, set: &[At]) -> Vec<Vec<At>> {
        let mut found = Vec::new();
        let values: Vec<At> = set.iter().copied().filter(|&at| self.is_value(at)).collect();
        if !values.is_empty() {
            let mut next = self.closed(values.iter().map(|at| self.places[at.0 as usize].next));
            next.extend(values.iter().map(|at| (at.0, 1)));
            found.push(sorted(next));
        }
        let token = |at: &At| match self.places[at.0 as usize].read {
            Read::Token(id) => Some((id, self.places[at.0 as usize].next)),
            _ => None,
        };
        let mut tokens: Vec<(TokenId, u32)> = set.iter().filter_map(token).collect();
        tokens.sort_unstable();
        for same in tokens.chunk_by(|a, b| a.0 == b.0) {
            found.push(self.closed(same.iter().map(|token| token.1)));
        }
        found
    }

    /// One byte of each class of those that something around the values can read.
    fn bytes(&self, set: &[At]) -> Vec<u8> {
        let mut first = [false; 257];
        let mut read = [false; 256];
        for &(place, at) in set {
            let mut range = |low: u8, high: u8| {
                first[usize::from(low)] = true;
                first[usize::from(high) + 1] = true;
                read[usize::from(low)..=usize::from(high)].fill(true);
            };
            match &self.places[place as usize].read {
                Read::Bytes(bytes) => range(bytes[at as usize], bytes[at as usize]),
                Read::Automaton(automaton) => {
                    automaton.states()[at as usize].edges.iter().for_each(|e| range(e.0, e.1));
                }
                Read::Anything => range(0, u8::MAX),
                Read::Value => {
                    for byte in 1..=u8::MAX {
                        first[usize::from(byte)] |= class(byte) != class(byte - 1);
                    }
                }
                Read::Nothing | Read::Token(_) => {}
            }
        }
        (0..=u8::MAX).filter(|&b| first[usize::from(b)] && read[usize::from(b)]).collect()
    }

    /// What goes on behind a byte, and what comes after that which ends with it. Values that open something are not
    /// followed.
    fn step(&self, set: &[At], byte: u8) -> (Vec<At>, Vec<At>) {
        let (mut going, mut ended) = (Vec::new(), Vec::new());
        for &(number, at) in set {
            let place = &self.places[number as usize];
            match &place.read {
                Read::Bytes(bytes) if bytes[at as usize] == byte => {
                    if at as usize + 1 < bytes.len() {
                        going.push((number, at + 1));
                    } else {
                        ended.push(place.next);
                    }
                }
                Read::Automaton(automaton) => {
                    let states = automaton.states();
                    let edges = &states[at as usize].edges;
                    if let Some(edge) = edges.iter().find(|e| e.0 <= byte && byte <= e.1) {
                        if !states[edge.2 as usize].edges.is_empty() {
                            going.push((number, edge.2));
                        }
                        if states[edge.2 as usize].accepting {
                            ended.push(place.next);
                        }
                    }
                }
                Read::Anything => {
                    going.push((number, 0));
                    ended.push(place.next);
                }
                Read::Value if class(byte) == 0 => going.push((number, at)),
                Read::Value if class(byte) == 1 => {
                    going.push((number, 1));
                    going.extend(self.closed([place.next]));
                }
                Read::Nothing | Read::Bytes(_) | Read::Token(_) | Read::Value => {}
            }
        }
        (going, self.closed(ended))
    }
}

#[cfg(test)]
mod tests {
    use super::check_values;
    use crate::frontend::Composer;
    use crate::grammar::Expr;
    use crate::ids::RuleId;
    use crate::limits::Limits;
    use rustc_hash::FxHashSet;

    const VALUE: Expr = Expr::Rule(RuleId(0));
    const OTHER: Expr = Expr::Rule(RuleId(1));

    fn seq<const N: usize>(parts: [Expr; N]) -> Expr {
        Expr::Seq(parts.into())
    }

    fn alt<const N: usize>(parts: [Expr; N]) -> Expr {
        Expr::Alt(parts.into())
    }

    fn repeat(body: Expr, min: u32, max: Option<u32>) -> Expr {
        Expr::Repeat { body: Box::new(body), min, max }
    }

    /// Whether values are told from the rest, where `write` puts the parts together.
    fn is_told(write: impl FnOnce(&mut Composer) -> Expr) -> bool {
        let mut composer = Composer::default();
        let start = write(&mut composer);
        let terminals = &composer.grammar().terminals;
        let values = FxHashSet::from_iter([RuleId(0)]);
        check_values(&start, terminals, &values, &Limits::default()).is_ok()
    }

    fn free(composer: &mut Composer, stops: &[&str], end: Option<usize>) -> Expr {
        let stops: Vec<String> = stops.iter().map(|&stop| stop.to_owned()).collect();
        composer.text(&stops, end, &Limits::default()).expect("free text")
    }

    #[test]
    fn values_behind_a_text_of_their_own_are_told() {
        assert!(is_told(|_| VALUE));
        assert!(is_told(|_| seq([VALUE, VALUE])));
        assert!(is_told(|_| repeat(VALUE, 0, None)));
        assert!(is_told(|c| seq([c.literal("<f x=\""), VALUE, c.literal("\"}"), OTHER])));
        assert!(is_told(|c| seq([free(c, &["<f"], Some(0)), VALUE, free(c, &["<f"], None)])));
        assert!(is_told(|_| seq([Expr::Token(7), VALUE, Expr::Token(7), VALUE])));
        assert!(is_told(|c| alt([seq([c.literal("<a>"), VALUE]), seq([c.literal("<b>"), VALUE])])));
        // The same text before several, and one that goes on where a value cannot.
        assert!(is_told(|c| alt([
            seq([c.literal("<a"), VALUE]),
            seq([c.literal("<a"), VALUE, c.literal("!")]),
            c.literal("<abc"),
        ])));
        // A scalar that goes on beside a text opens nothing.
        assert!(is_told(|c| alt([VALUE, c.literal("none")])));
        assert!(is_told(|c| {
            let call = seq([free(c, &["<f"], Some(0)), VALUE, c.literal("</f>")]);
            seq([repeat(call, 0, None), free(c, &["<f"], None)])
        }));
    }

    #[test]
    fn values_beside_other_text_are_not() {
        assert!(!is_told(|c| alt([VALUE, c.literal("{}")])));
        assert!(!is_told(|c| seq([free(c, &["<f"], None), VALUE])));
        assert!(!is_told(|_| seq([OTHER, VALUE])));
        assert!(!is_told(|c| seq([repeat(c.literal("["), 0, None), VALUE])));
        assert!(!is_told(|c| seq([repeat(c.literal(" {"), 0, Some(1)), VALUE])));
        assert!(!is_told(|c| alt([seq([c.literal("<a"), VALUE]), c.literal("<a\"b")])));
        assert!(!is_told(|c| alt([seq([c.literal("<a"), VALUE]), free(c, &["<b"], None)])));
        // Behind a number the value may go on, while the mark before the next one is read.
        assert!(!is_told(|c| seq([VALUE, c.literal("\""), VALUE])));
        assert!(is_told(|c| seq([VALUE, c.literal("\" "), VALUE])));
    }
}
