//! Deterministic automata over bytes, written down state by state: for languages that no regex says well, such as
//! numbers between bounds.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use crate::error::Error;

/// A state of a [`ByteAutomaton`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByteState {
    /// Whether what was read so far is a whole match.
    pub accepting: bool,
    /// Inclusive ranges of bytes, sorted and disjoint, each with the state that it leads to.
    pub edges: Vec<(u8, u8, u32)>,
}

/// A deterministic automaton over bytes. State 0 is where it starts; it may have cycles.
///
/// Every state can be reached and leads to a match, except that an automaton that matches nothing has one state
/// without edges. Two automata are equal if their states are the same in the same order.
#[derive(Clone, Debug)]
pub struct ByteAutomaton {
    states: Box<[ByteState]>,
    /// Fewest bytes from each state to a match.
    rest: Box<[u32]>,
    hash: u64,
}

impl ByteAutomaton {
    /// The automaton with these states. States that cannot be reached or lead to no match are dropped, and the
    /// others numbered anew in the order in which they are first reached.
    ///
    /// # Errors
    /// [`Error::Grammar`] if there is no state, if ranges are out of order, or if an edge leads nowhere.
    pub fn new(states: Vec<ByteState>) -> Result<Self, Error> {
        check(&states)?;
        let rest = distances(&states);
        let mut numbers = vec![u32::MAX; states.len()];
        let mut order = vec![0];
        numbers[0] = 0;
        let mut at = 0;
        while at < order.len() {
            for &(_, _, to) in &states[order[at]].edges {
                if rest[to as usize] != u32::MAX && numbers[to as usize] == u32::MAX {
                    numbers[to as usize] = order.len() as u32;
                    order.push(to as usize);
                }
            }
            at += 1;
        }
        let kept = order.iter().map(|&old| {
            let mut edges: Vec<(u8, u8, u32)> = Vec::new();
            for &(lo, hi, to) in &states[old].edges {
                let to =
                    if rest[to as usize] == u32::MAX { continue } else { numbers[to as usize] };
                match edges.last_mut() {
                    Some(last) if last.2 == to && last.1.checked_add(1) == Some(lo) => last.1 = hi,
                    _ => edges.push((lo, hi, to)),
                }
            }
            ByteState { accepting: states[old].accepting, edges }
        });
        let kept: Box<[ByteState]> = kept.collect();
        let rest = order.iter().map(|&old| rest[old]).collect();
        let mut hasher = rustc_hash::FxHasher::default();
        kept.hash(&mut hasher);
        Ok(Self { states: kept, rest, hash: hasher.finish() })
    }

    /// The states; the first is where it starts.
    pub fn states(&self) -> &[ByteState] {
        &self.states
    }

    /// Fewest bytes from a state to a match; `u32::MAX` if there is none.
    pub fn rest(&self, state: usize) -> u32 {
        self.rest[state]
    }

    /// Whether it matches the empty string.
    pub fn is_nullable(&self) -> bool {
        self.states[0].accepting
    }

    /// Whether it matches nothing at all.
    pub fn is_void(&self) -> bool {
        self.rest[0] == u32::MAX
    }

    /// Whether these bytes match as a whole.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        let mut at = 0;
        for &byte in bytes {
            let edges = &self.states[at].edges;
            match edges.get(edges.partition_point(|e| e.1 < byte)) {
                Some(&(lo, _, to)) if lo <= byte => at = to as usize,
                _ => return false,
            }
        }
        self.states[at].accepting
    }
}

impl PartialEq for ByteAutomaton {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.states == other.states
    }
}

impl Eq for ByteAutomaton {}

impl Hash for ByteAutomaton {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

fn check(states: &[ByteState]) -> Result<(), Error> {
    if states.is_empty() || u32::try_from(states.len()).is_err() {
        return Err(Error::Grammar(format!("an automaton cannot have {} states", states.len())));
    }
    for (number, state) in states.iter().enumerate() {
        let mut next = 0;
        for &(lo, hi, to) in &state.edges {
            if u32::from(lo) < next || hi < lo || to as usize >= states.len() {
                let edge = format!("{lo:#04x} to {hi:#04x} into state {to}");
                return Err(Error::Grammar(format!("state {number} has a bad edge: {edge}")));
            }
            next = u32::from(hi) + 1;
        }
    }
    Ok(())
}

/// Fewest bytes from each state to a match, found backwards.
fn distances(states: &[ByteState]) -> Vec<u32> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        for &(_, _, to) in &state.edges {
            before[to as usize].push(from as u32);
        }
    }
    let mut rest = vec![u32::MAX; states.len()];
    let mut queue = VecDeque::new();
    for (number, _) in states.iter().enumerate().filter(|(_, state)| state.accepting) {
        rest[number] = 0;
        queue.push_back(number as u32);
    }
    while let Some(at) = queue.pop_front() {
        for &from in &before[at as usize] {
            if rest[from as usize] == u32::MAX {
                rest[from as usize] = rest[at as usize] + 1;
                queue.push_back(from);
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(accepting: bool, edges: &[(u8, u8, u32)]) -> ByteState {
        ByteState { accepting, edges: edges.to_vec() }
    }

    #[test]
    fn dead_and_unreached_states_go() {
        // 0 -a-> 1 -b-> 0, 1 -c-> 2 (match), 0 -d-> 3 (dead), 4 is never reached.
        let made = ByteAutomaton::new(vec![
            state(false, &[(b'a', b'a', 1), (b'd', b'd', 3)]),
            state(false, &[(b'b', b'b', 0), (b'c', b'c', 2)]),
            state(true, &[]),
            state(false, &[(b'x', b'x', 3)]),
            state(true, &[(b'a', b'a', 0)]),
        ])
        .expect("well-formed");
        assert_eq!(made.states().len(), 3);
        assert_eq!((made.rest(0), made.rest(1), made.rest(2)), (2, 1, 0));
        assert!(!made.is_void() && !made.is_nullable());
        for (text, matches) in
            [("ac", true), ("abac", true), ("", false), ("ab", false), ("d", false)]
        {
            assert_eq!(made.matches(text.as_bytes()), matches, "{text:?}");
        }
    }

    #[test]
    fn equal_if_the_states_are_the_same_whatever_they_were_called() {
        let one = ByteAutomaton::new(vec![state(false, &[(0, 9, 1)]), state(true, &[])]);
        let two = ByteAutomaton::new(vec![
            state(false, &[(0, 4, 2), (5, 9, 2)]),
            state(true, &[]),
            state(true, &[]),
        ]);
        assert_eq!(one, two);
        let other = ByteAutomaton::new(vec![state(false, &[(0, 8, 1)]), state(true, &[])]);
        assert_ne!(one, other);
    }

    #[test]
    fn what_matches_nothing_is_one_state() {
        let made = ByteAutomaton::new(vec![state(false, &[(0, 9, 0)])]).expect("well-formed");
        assert!(made.is_void() && made.states().len() == 1 && made.states()[0].edges.is_empty());
    }

    #[test]
    fn malformed_states_are_refused() {
        for states in [
            vec![],
            vec![state(true, &[(0, 1, 1)])],
            vec![state(true, &[(1, 0, 0)])],
            vec![state(true, &[(0, 5, 0), (5, 6, 0)])],
            vec![state(true, &[(4, 5, 0), (0, 1, 0)])],
        ] {
            assert!(matches!(ByteAutomaton::new(states), Err(Error::Grammar(_))));
        }
    }
}
