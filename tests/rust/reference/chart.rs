//! An Earley chart that grows by a byte and can be cut back.

use super::grammar::{Grammar, Slot};
use std::collections::HashSet;

/// A place in a production (an index of a slot) and the column in which the production began.
type Item = (u32, u32);

/// One column for each byte taken, and one before them.
#[derive(Debug)]
pub(crate) struct Chart<'g> {
    grammar: &'g Grammar,
    columns: Vec<Vec<Item>>,
}

impl<'g> Chart<'g> {
    pub(crate) fn new(grammar: &'g Grammar) -> Self {
        let first = grammar.productions[0].iter().map(|&p| (p, 0)).collect();
        let mut chart = Self { grammar, columns: Vec::new() };
        chart.close(first);
        chart
    }

    /// How many bytes were taken.
    pub(crate) fn len(&self) -> usize {
        self.columns.len() - 1
    }

    /// Takes `byte` if the text so far and `byte` begin some string of the language.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        let last = &self.columns[self.len()];
        let scanned: Vec<Item> = last
            .iter()
            .filter(|(at, _)| {
                matches!(&self.grammar.slots[*at as usize], Slot::Byte(set) if set[usize::from(byte)])
            })
            .map(|&(at, origin)| (at + 1, origin))
            .collect();
        if scanned.is_empty() {
            return false;
        }
        self.close(scanned);
        true
    }

    /// Goes back to the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.columns.truncate(len + 1);
    }

    /// Whether the text so far is a string of the language.
    pub(crate) fn accepts(&self) -> bool {
        let last = &self.columns[self.len()];
        last.iter().any(|&(at, origin)| {
            origin == 0 && matches!(self.grammar.slots[at as usize], Slot::End(0))
        })
    }

    /// For tokens in byte order: which of them may follow. Common beginnings are taken only once.
    pub(crate) fn viable(&mut self, sorted: &[&[u8]]) -> Vec<bool> {
        let base = self.len();
        let mut previous: &[u8] = &[];
        // The length at which the previous token was refused, if it was.
        let mut refused: Option<usize> = None;
        let mut answers = Vec::with_capacity(sorted.len());
        for &token in sorted {
            let common = previous.iter().zip(token).take_while(|(a, b)| a == b).count();
            if refused.is_none_or(|len| common < len) {
                self.truncate(base + common.min(self.len() - base));
                let held = self.len() - base;
                refused = (held..token.len()).find(|&i| !self.push(token[i])).map(|i| i + 1);
            }
            answers.push(refused.is_none());
            previous = token;
        }
        self.truncate(base);
        answers
    }

    /// Adds the column of these items and of all that follows from them.
    fn close(&mut self, kernel: Vec<Item>) {
        let here = self.columns.len();
        let mut seen: HashSet<Item> = HashSet::new();
        let mut column: Vec<Item> = Vec::new();
        for item in kernel {
            if seen.insert(item) {
                column.push(item);
            }
        }
        let mut next = 0;
        while next < column.len() {
            let (at, origin) = column[next];
            next += 1;
            let mut found: Vec<Item> = Vec::new();
            match self.grammar.slots[at as usize] {
                Slot::Byte(_) => {}
                Slot::Rule(rule) => {
                    found.extend(self.grammar.productions[rule].iter().map(|&p| (p, here as u32)));
                    // A rule that produced nothing completes in the column where it began, perhaps before all
                    // items that wait for it are there. So they pass it at once (Aycock and Horspool 2002).
                    if self.grammar.nullable[rule] {
                        found.push((at + 1, origin));
                    }
                }
                Slot::End(rule) => {
                    let begun = self.columns.get(origin as usize).unwrap_or(&column);
                    found.extend(
                        begun
                            .iter()
                            .filter(|(at, _)| matches!(self.grammar.slots[*at as usize], Slot::Rule(r) if r == rule))
                            .map(|&(at, origin)| (at + 1, origin)),
                    );
                }
            }
            for item in found {
                if seen.insert(item) {
                    column.push(item);
                }
            }
        }
        self.columns.push(column);
    }
}
