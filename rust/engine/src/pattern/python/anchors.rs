//! Works anchors into a pattern that the whole text must match, exactly.
//!
//! A text is read in one of six states: whether the reader claims to be at the start of the text or claims nothing,
//! and what an anchor has said may still follow: anything, at most one line feed (`$`), or nothing (`\Z`). For every
//! part of the pattern, [`Matrix`] holds the pattern of what may be read between each two states. States only move
//! on, and nothing but [`INSIDE`] can be kept while characters are read, so that repetitions need no unrolling.

use crate::error::Error;
use crate::limits::{self, Limits};
use crate::pattern::Pattern;

use super::node::{Node, append, concat};

const STATES: usize = 6;
/// At the start of the text.
const START: usize = 0;
/// Anywhere; anything may follow.
const INSIDE: usize = 1;
/// At the start of the text; at most one line feed follows.
const START_END: usize = 2;
/// Anywhere; at most one line feed follows.
const END: usize = 3;
/// At the start of the text, which is empty.
const START_VERY_END: usize = 4;
/// At the very end of the text.
const VERY_END: usize = 5;

/// Whether a state claims to be at the start.
fn at_start(state: usize) -> bool {
    state.is_multiple_of(2)
}

/// The state without its claim to be at the start.
fn moved(state: usize) -> usize {
    state | 1
}

/// What may be read from a state (first index) to a state (second).
type Matrix = [[Option<Pattern>; STATES]; STATES];

/// The pattern of a node that the whole text must match.
pub(super) fn resolve(node: Node, limits: &Limits) -> Result<Pattern, Error> {
    if let Node::Plain(pattern) = node {
        return Ok(pattern);
    }
    let mut resolver = Resolver { limits, copied: 0 };
    let mut from = [false; STATES];
    from[START] = true;
    let [row, ..] = *resolver.node(node, from, false)?;
    let mut all = Union::default();
    row.into_iter().flatten().for_each(|pattern| all.add(pattern));
    Ok(all.finish().unwrap_or(Pattern::Alt(Vec::new())))
}

struct Resolver<'a> {
    limits: &'a Limits,
    /// Size of all copies made so far.
    copied: u64,
}

impl Resolver<'_> {
    /// The matrix of a node, with the rows of the states in `from`. `start_follows` says whether the pattern has a `^`
    /// that may come after the node; if not, no claim to be at the start is kept.
    fn node(
        &mut self,
        node: Node,
        from: [bool; STATES],
        start_follows: bool,
    ) -> Result<Box<Matrix>, Error> {
        let after = |state| if start_follows { state } else { moved(state) };
        let mut matrix = Box::new(Matrix::default());
        match node {
            Node::Plain(pattern) => return self.plain(pattern, from, start_follows),
            Node::Concat(nodes) => return self.concat(nodes, from, start_follows),
            Node::Alt(nodes) => {
                let mut sums = Box::new(Sums::default());
                for node in nodes {
                    sums.add(*self.node(node, from, start_follows)?);
                }
                return Ok(sums.finish());
            }
            Node::Repeat { body, min, max, greedy } => {
                let start_follows = start_follows || body.has_start();
                let body = self.node(*body, reachable(from), start_follows)?;
                return self.repeat(&body, from, Counts { min, max, greedy });
            }
            Node::Start => {
                for state in states(from).filter(|&state| at_start(state)) {
                    matrix[state][after(state)] = Some(Pattern::Empty);
                }
            }
            Node::End => {
                for state in states(from) {
                    let end = if state < START_END { state + START_END } else { state };
                    matrix[state][after(end)] = Some(Pattern::Empty);
                }
            }
            Node::VeryEnd => {
                for state in states(from) {
                    let end = state % START_END + START_VERY_END;
                    matrix[state][after(end)] = Some(Pattern::Empty);
                }
            }
        }
        Ok(matrix)
    }

    fn plain(
        &mut self,
        pattern: Pattern,
        from: [bool; STATES],
        start_follows: bool,
    ) -> Result<Box<Matrix>, Error> {
        let mut matrix = Box::new(Matrix::default());
        let short = Short::of(&pattern);
        for state in states(from).filter(|&state| state != INSIDE) {
            let kept = if start_follows { state } else { moved(state) };
            if short.empty {
                matrix[state][kept] = Some(Pattern::Empty);
            }
            if short.line_feed && (state == START_END || state == END) {
                let mut both = Union::default();
                matrix[state][VERY_END].take().into_iter().for_each(|p| both.add(p));
                both.add(Pattern::Bytes(vec![b'\n']));
                matrix[state][VERY_END] = both.finish();
            }
        }
        match (from[START], from[INSIDE]) {
            (true, true) => {
                matrix[START][INSIDE] = Some(self.copy(&pattern)?);
                matrix[INSIDE][INSIDE] = Some(pattern);
            }
            (true, false) => matrix[START][INSIDE] = Some(pattern),
            (false, true) => matrix[INSIDE][INSIDE] = Some(pattern),
            (false, false) => {}
        }
        Ok(matrix)
    }

    fn concat(
        &mut self,
        nodes: Vec<Node>,
        from: [bool; STATES],
        start_follows: bool,
    ) -> Result<Box<Matrix>, Error> {
        let mut follows = vec![start_follows; nodes.len()];
        for (index, node) in nodes.iter().enumerate().skip(1).rev() {
            follows[index - 1] = follows[index] || node.has_start();
        }
        let mut read = Box::new(Matrix::default());
        for state in states(from) {
            read[state][state] = Some(Pattern::Empty);
        }
        for (node, start_follows) in nodes.into_iter().zip(follows) {
            let reached = std::array::from_fn(|to| read.iter().any(|row| row[to].is_some()));
            let next = self.node(node, reached, start_follows)?;
            read = self.product(*read, *next)?;
        }
        Ok(read)
    }

    /// What `left` reads and then `right`. Parts are moved on their last use, so that copies are the exception.
    fn product(&mut self, mut left: Matrix, mut right: Matrix) -> Result<Box<Matrix>, Error> {
        let mut sums = Box::new(Sums::default());
        for middle in 0..STATES {
            let rows: Vec<usize> = (0..STATES).filter(|&s| left[s][middle].is_some()).collect();
            let columns: Vec<usize> = (0..STATES).filter(|&s| right[middle][s].is_some()).collect();
            for &row in &rows {
                for &column in &columns {
                    let last_row = rows.last() == Some(&row);
                    let last_column = columns.last() == Some(&column);
                    let first = self.use_part(&mut left[row][middle], last_column)?;
                    let second = self.use_part(&mut right[middle][column], last_row)?;
                    let mut parts = Vec::new();
                    first.into_iter().chain(second).for_each(|part| append(&mut parts, part));
                    sums.0[row][column].add(concat(parts));
                }
            }
        }
        Ok(sums.finish())
    }

    fn use_part(
        &mut self,
        part: &mut Option<Pattern>,
        last: bool,
    ) -> Result<Option<Pattern>, Error> {
        if last {
            return Ok(part.take());
        }
        part.as_ref().map(|part| self.copy(part)).transpose()
    }

    /// A repetition reads its body along every chain of states, each step of the chain once and [`INSIDE`] any number
    /// of times. In other states the body may be kept reading nothing, which makes up for a count not reached.
    fn repeat(
        &mut self,
        body: &Matrix,
        from: [bool; STATES],
        counts: Counts,
    ) -> Result<Box<Matrix>, Error> {
        let mut sums = Box::new(Sums::default());
        for first in states(from) {
            let mut chains = vec![vec![first]];
            while let Some(chain) = chains.pop() {
                let last = chain.last().copied().unwrap_or(first);
                if let Some(pattern) = self.chain(body, &chain, counts)? {
                    sums.0[first][last].add(pattern);
                }
                for next in (last + 1..STATES).filter(|&next| body[last][next].is_some()) {
                    let mut longer = chain.clone();
                    longer.push(next);
                    chains.push(longer);
                }
            }
        }
        Ok(sums.finish())
    }

    /// What is read along one chain of states, if the counts allow it.
    fn chain(
        &mut self,
        body: &Matrix,
        chain: &[usize],
        counts: Counts,
    ) -> Result<Option<Pattern>, Error> {
        let steps = chain.len() as u32 - 1;
        let idle = chain.iter().any(|&state| state != INSIDE && body[state][state].is_some());
        let missing = if idle { 0 } else { counts.min.saturating_sub(steps) };
        let repeats = chain.contains(&INSIDE) && body[INSIDE][INSIDE].is_some();
        if counts.max.is_some_and(|max| max < steps) || (missing > 0 && !repeats) {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for (index, &state) in chain.iter().enumerate() {
            if let (INSIDE, Some(inside)) = (state, &body[INSIDE][INSIDE]) {
                let (max, greedy) = (counts.max.map(|max| max - steps), counts.greedy);
                let inside = Node::Plain(self.copy(inside)?).repeat(missing, max, greedy);
                if let Node::Plain(inside) = inside {
                    append(&mut parts, inside);
                }
            }
            let step = chain.get(index + 1).and_then(|&next| body[state][next].as_ref());
            if let Some(step) = step {
                append(&mut parts, self.copy(step)?);
            }
        }
        Ok(Some(concat(parts)))
    }

    fn copy(&mut self, pattern: &Pattern) -> Result<Pattern, Error> {
        const WHAT: &str = "parts of a pattern that its anchors make necessary twice";
        self.copied += size(pattern);
        limits::check(WHAT, "instructions", self.limits.instructions as u64, self.copied)?;
        Ok(pattern.clone())
    }
}

#[derive(Clone, Copy)]
struct Counts {
    min: u32,
    max: Option<u32>,
    greedy: bool,
}

fn states(set: [bool; STATES]) -> impl Iterator<Item = usize> {
    (0..STATES).filter(move |&state| set[state])
}

/// The states that may come after those of a set, and these.
fn reachable(from: [bool; STATES]) -> [bool; STATES] {
    std::array::from_fn(|to| {
        states(from).any(|state| state <= to && (at_start(state) || !at_start(to)))
    })
}

/// Whether a pattern matches the shortest texts.
#[derive(Clone, Copy)]
struct Short {
    /// The empty text.
    empty: bool,
    /// One line feed.
    line_feed: bool,
}

impl Short {
    fn of(pattern: &Pattern) -> Self {
        match pattern {
            Pattern::Empty => Self { empty: true, line_feed: false },
            Pattern::Bytes(bytes) => Self::of_bytes(bytes),
            Pattern::Class(set) => Self { empty: false, line_feed: set.contains('\n') },
            Pattern::Concat(parts) => {
                let nothing = Self { empty: true, line_feed: false };
                parts.iter().map(Self::of).fold(nothing, |a, b| Self {
                    empty: a.empty && b.empty,
                    line_feed: (a.empty && b.line_feed) || (a.line_feed && b.empty),
                })
            }
            Pattern::Alt(parts) => parts.iter().map(Self::of).fold(Self::none(), Self::or),
            Pattern::Strings(all) => {
                all.iter().map(|bytes| Self::of_bytes(bytes)).fold(Self::none(), Self::or)
            }
            Pattern::Repeat { body, min, max, .. } => {
                let body = Self::of(body);
                Self {
                    empty: *min == 0 || body.empty,
                    line_feed: *max != Some(0) && body.line_feed && (*min <= 1 || body.empty),
                }
            }
        }
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self { empty: bytes.is_empty(), line_feed: bytes == b"\n" }
    }

    fn none() -> Self {
        Self { empty: false, line_feed: false }
    }

    fn or(self, other: Self) -> Self {
        Self { empty: self.empty || other.empty, line_feed: self.line_feed || other.line_feed }
    }
}

/// Alternatives, the shortest of them once only: they are most of what anchors leave behind.
#[derive(Default)]
struct Union {
    members: Vec<Pattern>,
    empty: bool,
    line_feed: bool,
}

impl Union {
    fn add(&mut self, pattern: Pattern) {
        match pattern {
            Pattern::Alt(members) => members.into_iter().for_each(|member| self.add(member)),
            Pattern::Empty if self.empty => {}
            Pattern::Bytes(bytes) if bytes == b"\n" && self.line_feed => {}
            pattern => {
                self.empty |= pattern == Pattern::Empty;
                self.line_feed |= matches!(&pattern, Pattern::Bytes(bytes) if bytes == b"\n");
                self.members.push(pattern);
            }
        }
    }

    fn finish(mut self) -> Option<Pattern> {
        match self.members.len() {
            0 => None,
            1 => Some(self.members.swap_remove(0)),
            _ => Some(Pattern::Alt(self.members)),
        }
    }
}

/// A matrix while alternatives are added to it.
#[derive(Default)]
struct Sums([[Union; STATES]; STATES]);

impl Sums {
    fn add(&mut self, matrix: Matrix) {
        for (sums, row) in self.0.iter_mut().zip(matrix) {
            for (sum, pattern) in sums.iter_mut().zip(row) {
                pattern.into_iter().for_each(|pattern| sum.add(pattern));
            }
        }
    }

    fn finish(self) -> Box<Matrix> {
        Box::new(self.0.map(|row| row.map(Union::finish)))
    }
}

/// Nodes, bytes and ranges of a pattern.
fn size(pattern: &Pattern) -> u64 {
    1 + match pattern {
        Pattern::Empty => 0,
        Pattern::Bytes(bytes) => bytes.len() as u64,
        Pattern::Class(set) => set.ranges().len() as u64,
        Pattern::Concat(parts) | Pattern::Alt(parts) => parts.iter().map(size).sum(),
        Pattern::Strings(all) => all.iter().map(|bytes| 1 + bytes.len() as u64).sum(),
        Pattern::Repeat { body, .. } => size(body),
    }
}
