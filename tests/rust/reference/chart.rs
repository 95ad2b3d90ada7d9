//! An Earley chart that grows by a byte and can be cut back.

use super::grammar::{ByteSet, Grammar, Slot};
use std::collections::HashSet;

/// A place in a production (an index of a slot) and the column in which the production began.
type Item = (u32, u32);

#[derive(Debug, Default)]
struct Column {
    items: Vec<Item>,
    /// How much of the text was looked at to see what follows.
    looked: usize,
    /// Whether that would have been more, if the text did not end there.
    open: bool,
}

/// One column for each byte taken, and one before them.
///
/// Where a text must not go on with some bytes, it is held to that as far as it goes: nothing is broken by bytes that
/// are not there. So a chart says what may follow only if no such condition forbids all that may.
#[derive(Debug)]
pub(crate) struct Chart<'g> {
    grammar: &'g Grammar,
    text: Vec<u8>,
    columns: Vec<Column>,
}

impl<'g> Chart<'g> {
    pub(crate) fn new(grammar: &'g Grammar) -> Self {
        let mut chart = Self { grammar, text: Vec::new(), columns: Vec::new() };
        chart.fill();
        chart
    }

    /// How many bytes were taken.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Takes `byte` if the text so far and `byte` begin some string of the language.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        self.text.push(byte);
        self.fill();
        let taken = !self.columns[self.len()].items.is_empty();
        if !taken {
            self.truncate(self.len() - 1);
        }
        taken
    }

    /// Goes back to the first `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.columns.truncate(len + 1);
        let stale = self.columns.iter().position(|column| column.looked > len);
        self.columns.truncate(stale.unwrap_or(len + 1));
    }

    /// Whether the text so far is a string of the language.
    pub(crate) fn accepts(&mut self) -> bool {
        self.fill();
        self.columns[self.len()].items.iter().any(|&(at, origin)| {
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

    /// Makes the columns of the text that are not there, or that were made when less of it was.
    fn fill(&mut self) {
        let len = self.text.len();
        let stale = self.columns.iter().position(|column| column.open && column.looked < len);
        self.columns.truncate(stale.unwrap_or(len + 1));
        while self.columns.len() <= len {
            let kernel = match self.columns.last() {
                None => self.grammar.productions[0].iter().map(|&p| (p, 0)).collect(),
                Some(last) => self.scan(&last.items, self.text[self.columns.len() - 1]),
            };
            self.close(kernel);
        }
    }

    fn scan(&self, items: &[Item], byte: u8) -> Vec<Item> {
        let reads = |at: u32| matches!(&self.grammar.slots[at as usize], Slot::Byte(set) if set[usize::from(byte)]);
        items.iter().filter(|item| reads(item.0)).map(|&(at, origin)| (at + 1, origin)).collect()
    }

    /// Adds the column of these items and of all that follows from them.
    fn close(&mut self, kernel: Vec<Item>) {
        let here = self.columns.len();
        let mut seen: HashSet<Item> = HashSet::new();
        let mut column = Column::default();
        for item in kernel {
            if seen.insert(item) {
                column.items.push(item);
            }
        }
        let mut next = 0;
        while next < column.items.len() {
            let (at, origin) = column.items[next];
            next += 1;
            let mut found: Vec<Item> = Vec::new();
            match &self.grammar.slots[at as usize] {
                Slot::Byte(_) => {}
                Slot::Not(sets) => {
                    if !self.goes_on(here, sets, &mut column) {
                        found.push((at + 1, origin));
                    }
                }
                &Slot::Rule(rule) => {
                    found.extend(self.grammar.productions[rule].iter().map(|&p| (p, here as u32)));
                    // A rule that produced nothing completes in the column where it began, perhaps before all
                    // items that wait for it are there. So they pass it at once (Aycock and Horspool 2002).
                    if self.grammar.nullable[rule] {
                        found.push((at + 1, origin));
                    }
                }
                &Slot::End(rule) => {
                    let begun = self.columns.get(origin as usize).unwrap_or(&column);
                    found.extend(
                        begun
                            .items
                            .iter()
                            .filter(|(at, _)| matches!(self.grammar.slots[*at as usize], Slot::Rule(r) if r == rule))
                            .map(|&(at, origin)| (at + 1, origin)),
                    );
                }
            }
            for item in found {
                if seen.insert(item) {
                    column.items.push(item);
                }
            }
        }
        self.columns.push(column);
    }

    /// Whether the text goes on from a place with such bytes; what was looked at is noted.
    fn goes_on(&self, from: usize, sets: &[ByteSet], column: &mut Column) -> bool {
        for (at, set) in (from..).zip(sets) {
            let Some(&byte) = self.text.get(at) else {
                column.looked = self.text.len();
                column.open = true;
                return false;
            };
            column.looked = column.looked.max(at + 1);
            if !set[usize::from(byte)] {
                return false;
            }
        }
        true
    }
}
