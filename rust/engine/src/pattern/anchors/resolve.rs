//! Works anchors into a pattern that the whole text must match, exactly.
//!
//! A text is read in one of six states: whether the reader claims to be at the start of the text or claims nothing,
//! and what an anchor has said may still follow: anything, at most one line feed (`$`), or nothing (`\Z`). For every
//! part of the pattern, [`Matrix`] holds the pattern of what may be read between each two states. States only move
//! on, and nothing but [`INSIDE`] can be kept while characters are read, so that repetitions need no unrolling.

use crate::error::Error;
use crate::limits::{self, Limits};
use crate::pattern::Pattern;

use super::measure::{self, Short};
use super::node::Node;
use super::parts::{Matrix, Part, STATES, Sums, Union, no_matrix};

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

/// The pattern of a node that the whole text must match.
pub(in crate::pattern) fn resolve(node: Node, limits: &Limits) -> Result<Pattern, Error> {
    if let Node::Plain(pattern) = node {
        return Ok(pattern);
    }
    let mut resolver = Resolver { limits, copied: 0 };
    let mut from = [false; STATES];
    from[START] = true;
    let row = resolver.node(node, from, false)?.swap_remove(START);
    let mut all = Union::default();
    row.into_iter().flatten().for_each(|part| all.add(part));
    Ok(all.finish().map_or(Pattern::Alt(Vec::new()), |part| part.pattern))
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
    ) -> Result<Matrix, Error> {
        let after = |state| if start_follows { state } else { moved(state) };
        let mut matrix = no_matrix();
        match node {
            Node::Plain(pattern) => return self.plain(pattern, from, start_follows),
            Node::Concat(nodes) => return self.concat(nodes, from, start_follows),
            Node::Alt(nodes) => {
                let mut sums = Sums::new();
                for node in nodes {
                    sums.add_all(self.node(node, from, start_follows)?);
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
                    matrix[state][after(state)] = Some(Part::empty());
                }
            }
            Node::End => {
                for state in states(from) {
                    let end = if state < START_END { state + START_END } else { state };
                    matrix[state][after(end)] = Some(Part::empty());
                }
            }
            Node::VeryEnd => {
                for state in states(from) {
                    let end = state % START_END + START_VERY_END;
                    matrix[state][after(end)] = Some(Part::empty());
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
    ) -> Result<Matrix, Error> {
        let mut matrix = no_matrix();
        let short = Short::of(&pattern);
        for state in states(from).filter(|&state| state != INSIDE) {
            let kept = if start_follows { state } else { moved(state) };
            if short.empty {
                matrix[state][kept] = Some(Part::empty());
            }
            if short.line_feed && (state == START_END || state == END) {
                let mut both = Union::default();
                matrix[state][VERY_END].take().into_iter().for_each(|p| both.add(p));
                both.add(Part::new(Pattern::Bytes(vec![b'\n'])));
                matrix[state][VERY_END] = both.finish();
            }
        }
        let part = Part::new(pattern);
        match (from[START], from[INSIDE]) {
            (true, true) => {
                matrix[START][INSIDE] = Some(self.copy(&part)?);
                matrix[INSIDE][INSIDE] = Some(part);
            }
            (true, false) => matrix[START][INSIDE] = Some(part),
            (false, true) => matrix[INSIDE][INSIDE] = Some(part),
            (false, false) => {}
        }
        Ok(matrix)
    }

    fn concat(
        &mut self,
        nodes: Vec<Node>,
        from: [bool; STATES],
        start_follows: bool,
    ) -> Result<Matrix, Error> {
        let mut follows = vec![start_follows; nodes.len()];
        for (index, node) in nodes.iter().enumerate().skip(1).rev() {
            follows[index - 1] = follows[index] || node.has_start();
        }
        let mut read = no_matrix();
        for state in states(from) {
            read[state][state] = Some(Part::empty());
        }
        for (node, start_follows) in nodes.into_iter().zip(follows) {
            let reached = std::array::from_fn(|to| read.iter().any(|row| row[to].is_some()));
            let next = self.node(node, reached, start_follows)?;
            read = self.product(read, next)?;
        }
        Ok(read)
    }

    /// What `left` reads and then `right`. Parts are moved on their last use, so that copies are the exception.
    fn product(&mut self, mut left: Matrix, mut right: Matrix) -> Result<Matrix, Error> {
        let mut sums = Sums::new();
        for middle in 0..STATES {
            let rows: Vec<usize> = (0..STATES).filter(|&s| left[s][middle].is_some()).collect();
            let columns: Vec<usize> = (0..STATES).filter(|&s| right[middle][s].is_some()).collect();
            for &row in &rows {
                for &column in &columns {
                    let last_row = rows.last() == Some(&row);
                    let last_column = columns.last() == Some(&column);
                    let first = self.use_part(&mut left[row][middle], last_column)?;
                    let second = self.use_part(&mut right[middle][column], last_row)?;
                    if let (Some(first), Some(second)) = (first, second) {
                        sums.add(row, column, self.checked(first.then(second))?);
                    }
                }
            }
        }
        Ok(sums.finish())
    }

    fn use_part(&mut self, part: &mut Option<Part>, last: bool) -> Result<Option<Part>, Error> {
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
    ) -> Result<Matrix, Error> {
        let mut sums = Sums::new();
        for first in states(from) {
            let mut chains = vec![vec![first]];
            while let Some(chain) = chains.pop() {
                let last = chain.last().copied().unwrap_or(first);
                if let Some(part) = self.chain(body, &chain, counts)? {
                    sums.add(first, last, part);
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
    ) -> Result<Option<Part>, Error> {
        let steps = chain.len() as u32 - 1;
        let idle = chain.iter().any(|&state| state != INSIDE && body[state][state].is_some());
        let missing = if idle { 0 } else { counts.min.saturating_sub(steps) };
        let repeats = chain.contains(&INSIDE) && body[INSIDE][INSIDE].is_some();
        if counts.max.is_some_and(|max| max < steps) || (missing > 0 && !repeats) {
            return Ok(None);
        }
        let mut read = Part::empty();
        for (index, &state) in chain.iter().enumerate() {
            if let (INSIDE, Some(inside)) = (state, &body[INSIDE][INSIDE]) {
                let (max, greedy) = (counts.max.map(|max| max - steps), counts.greedy);
                let Part { pattern, depth } = self.copy(inside)?;
                let repeated = Node::Plain(pattern).repeat(missing, max, greedy);
                if let Node::Plain(pattern) = repeated {
                    read = read.then(Part { pattern, depth: depth + 1 });
                }
            }
            let step = chain.get(index + 1).and_then(|&next| body[state][next].as_ref());
            if let Some(step) = step {
                read = read.then(self.copy(step)?);
            }
        }
        self.checked(read).map(Some)
    }

    fn copy(&mut self, part: &Part) -> Result<Part, Error> {
        const WHAT: &str = "parts of a pattern that its anchors make necessary twice";
        self.copied += measure::size(&part.pattern);
        limits::check(WHAT, "instructions", self.limits.instructions as u64, self.copied)?;
        Ok(part.clone())
    }

    /// A group makes up to three levels of a pattern, so a limit of groups allows for four.
    fn checked(&self, part: Part) -> Result<Part, Error> {
        const WHAT: &str = "nesting of a pattern with its anchors worked in, in fours";
        let nesting = u64::from(part.depth / 4);
        limits::check(WHAT, "source_nesting", self.limits.source_nesting as u64 + 1, nesting)?;
        Ok(part)
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
