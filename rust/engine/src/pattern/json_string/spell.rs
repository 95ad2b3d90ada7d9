//! Builds automata that read characters as JSON writes them.

use std::collections::BTreeMap;

use regex_syntax::utf8::{Utf8Range, Utf8Sequences};
use rustc_hash::FxHashMap;

use super::Escapes;
use crate::error::Error;
use crate::pattern::{ByteAutomaton, ByteState};

/// Code points, inclusive, and the state that they lead to.
type Range = (u32, u32, u32);

/// Letters behind a backslash, with what they stand for.
const SHORT: [(u8, u8); 8] = [
    (b'"', b'"'),
    (b'/', b'/'),
    (b'\\', b'\\'),
    (b'b', 0x08),
    (b'f', 0x0C),
    (b'n', b'\n'),
    (b'r', b'\r'),
    (b't', b'\t'),
];

/// An automaton in the making.
pub(super) struct Speller {
    states: Vec<ByteState>,
    escapes: Escapes,
    /// States that read so many hexadecimal digits of a number in ranges.
    tries: FxHashMap<(u32, Vec<Range>), u32>,
}

impl Speller {
    /// With so many states, none of which accepts or has edges.
    pub(super) fn new(states: usize, escapes: Escapes) -> Self {
        Self { states: vec![ByteState::default(); states], escapes, tries: FxHashMap::default() }
    }

    pub(super) fn accept(&mut self, state: usize) {
        self.states[state].accepting = true;
    }

    pub(super) fn finish(self) -> Result<ByteAutomaton, Error> {
        ByteAutomaton::new(self.states)
    }

    /// Reads what an automaton over UTF-8 reads.
    pub(super) fn automaton(
        automaton: &ByteAutomaton,
        escapes: Escapes,
    ) -> Result<ByteAutomaton, Error> {
        let mut speller = Self::new(automaton.states().len(), escapes);
        for (number, state) in automaton.states().iter().enumerate() {
            speller.states[number].accepting = state.accepting;
            // States inside a character get what they would mean between characters, which nothing leads to.
            let ranges = characters_from(automaton, number);
            speller.characters(number, &ranges);
        }
        speller.finish()
    }

    fn state(&mut self) -> u32 {
        self.states.push(ByteState::default());
        self.states.len() as u32 - 1
    }

    /// Adds the edges by which a state reads one character of these sorted ranges.
    pub(super) fn characters(&mut self, from: usize, ranges: &[Range]) {
        let mut edges = self.raw(ranges);
        if let Some(escaped) = self.escaped(ranges) {
            edges.push((b'\\', b'\\', escaped));
        }
        edges.sort_unstable();
        self.states[from].edges = edges;
    }

    /// Characters as they are: all but `"`, the backslash and control characters.
    fn raw(&mut self, ranges: &[Range]) -> Vec<(u8, u8, u32)> {
        let mut sequences: Vec<(Vec<Utf8Range>, u32)> = Vec::new();
        for &(lo, hi, to) in ranges {
            for (first, last) in [(0x20, 0x21), (0x23, 0x5B), (0x5D, 0xD7FF), (0xE000, 0x10_FFFF)] {
                let ends = (char::from_u32(lo.max(first)), char::from_u32(hi.min(last)));
                if let (Some(lo), Some(hi)) = ends
                    && lo <= hi
                {
                    sequences
                        .extend(Utf8Sequences::new(lo, hi).map(|s| (s.as_slice().to_vec(), to)));
                }
            }
        }
        let rows: Vec<(&[Utf8Range], u32)> =
            sequences.iter().map(|(s, to)| (s.as_slice(), *to)).collect();
        self.utf8(&rows)
    }

    /// Edges for the first bytes of these sequences, whose first ranges are equal or disjoint; four levels at most.
    fn utf8(&mut self, rows: &[(&[Utf8Range], u32)]) -> Vec<(u8, u8, u32)> {
        let mut edges = Vec::new();
        let mut at = 0;
        while at < rows.len() {
            let first = rows[at].0[0];
            let same = rows[at..].iter().take_while(|row| row.0[0] == first).count();
            let to = if rows[at].0.len() == 1 {
                rows[at].1
            } else {
                let tails: Vec<_> =
                    rows[at..at + same].iter().map(|&(row, to)| (&row[1..], to)).collect();
                let inner = self.utf8(&tails);
                let state = self.state();
                self.states[state as usize].edges = inner;
                state
            };
            edges.push((first.start, first.end, to));
            at += same;
        }
        edges
    }

    /// The state behind a backslash, if any of the characters is written with one.
    fn escaped(&mut self, ranges: &[Range]) -> Option<u32> {
        let target = |code: u8| {
            let code = u32::from(code);
            ranges.iter().find(|r| r.0 <= code && code <= r.1).map(|r| r.2)
        };
        let mut edges: Vec<(u8, u8, u32)> = Vec::new();
        for (letter, code) in SHORT {
            let written = self.escapes == Escapes::Any || code != b'/';
            edges.extend(target(code).filter(|_| written).map(|to| (letter, letter, to)));
        }
        let codes: Vec<Range> = match self.escapes {
            Escapes::Any => self.units(ranges),
            Escapes::Canonical => {
                let control = ranges.iter().filter(|r| r.0 < 0x20);
                control.map(|&(lo, hi, to)| (lo, hi.min(0x1F), to)).collect()
            }
        };
        if !codes.is_empty() {
            let digits = self.hex(4, codes);
            edges.push((b'u', b'u', digits));
        }
        if edges.is_empty() {
            return None;
        }
        edges.sort_unstable();
        let state = self.state();
        self.states[state as usize].edges = edges;
        Some(state)
    }

    /// The numbers behind the first `\u`: those of the characters, or the first halves of their pairs.
    fn units(&mut self, ranges: &[Range]) -> Vec<Range> {
        let mut units: Vec<Range> = Vec::new();
        // By first halves: the second halves that may follow. Where first halves are a range, all of them may.
        let mut pairs: BTreeMap<(u32, u32), Vec<Range>> = BTreeMap::new();
        for &(lo, hi, to) in ranges {
            for (first, last) in [(0, 0xD7FF), (0xE000, 0xFFFF)] {
                let (lo, hi) = (lo.max(first), hi.min(last));
                if lo <= hi {
                    units.push((lo, hi, to));
                }
            }
            let (mut lo, hi) = (lo.max(0x1_0000), hi);
            while lo <= hi {
                let (high, low) = ((lo - 0x1_0000) >> 10, (lo - 0x1_0000) & 0x3FF);
                let (last_high, last_low) = ((hi - 0x1_0000) >> 10, (hi - 0x1_0000) & 0x3FF);
                let (until, end) = if high == last_high {
                    (high, last_low)
                } else if low > 0 {
                    (high, 0x3FF)
                } else {
                    let whole = if last_low == 0x3FF { last_high } else { last_high - 1 };
                    (whole, 0x3FF)
                };
                let second = (0xDC00 + low, 0xDC00 + end, to);
                pairs.entry((0xD800 + high, 0xD800 + until)).or_default().push(second);
                lo = 0x1_0000 + (until << 10) + end + 1;
            }
        }
        for ((first, last), seconds) in pairs {
            let digits = self.hex(4, seconds);
            let letter = self.state();
            self.states[letter as usize].edges = vec![(b'u', b'u', digits)];
            let backslash = self.state();
            self.states[backslash as usize].edges = vec![(b'\\', b'\\', letter)];
            units.push((first, last, backslash));
        }
        units.sort_unstable();
        units
    }

    /// The state that reads so many hexadecimal digits whose number is in the ranges.
    fn hex(&mut self, digits: u32, ranges: Vec<Range>) -> u32 {
        if digits == 0 {
            return ranges[0].2;
        }
        let key = (digits, ranges);
        if let Some(&state) = self.tries.get(&key) {
            return state;
        }
        let block = 16u32.pow(digits - 1);
        let mut edges = Vec::new();
        for digit in 0..16 {
            let (first, last) = (digit * block, (digit + 1) * block - 1);
            let inside: Vec<Range> = key
                .1
                .iter()
                .filter(|r| r.0 <= last && r.1 >= first)
                .map(|r| (r.0.max(first) - first, r.1.min(last) - first, r.2))
                .collect();
            if inside.is_empty() {
                continue;
            }
            let to = self.hex(digits - 1, inside);
            let lower = b"0123456789abcdef"[digit as usize];
            edges.push((lower, lower, to));
            if digit >= 10 {
                let upper = lower.to_ascii_uppercase();
                edges.push((upper, upper, to));
            }
        }
        edges.sort_unstable();
        let state = self.state();
        self.states[state as usize].edges = edges;
        self.tries.insert(key, state);
        state
    }
}

/// The characters that an automaton over UTF-8 reads from a state, as sorted ranges.
fn characters_from(automaton: &ByteAutomaton, from: usize) -> Vec<Range> {
    let mut found: Vec<Range> = Vec::new();
    // The state, the bits read so far, bytes to come, and the least number that so many bytes may write.
    let mut todo: Vec<(usize, u32, u32, u32)> = Vec::new();
    for &(lo, hi, to) in &automaton.states()[from].edges {
        for byte in lo..=hi {
            match byte {
                0..=0x7F => found.push((byte.into(), byte.into(), to)),
                0xC2..=0xDF => todo.push((to as usize, u32::from(byte & 0x1F), 1, 0x80)),
                0xE0..=0xEF => todo.push((to as usize, u32::from(byte & 0x0F), 2, 0x800)),
                0xF0..=0xF4 => todo.push((to as usize, u32::from(byte & 0x07), 3, 0x1_0000)),
                _ => {}
            }
        }
    }
    while let Some((at, bits, left, least)) = todo.pop() {
        for &(lo, hi, to) in &automaton.states()[at].edges {
            let (lo, hi) = (lo.max(0x80), hi.min(0xBF));
            if lo > hi {
                continue;
            }
            if left > 1 {
                let next = (lo..=hi)
                    .map(|b| (to as usize, bits << 6 | u32::from(b & 0x3F), left - 1, least));
                todo.extend(next);
                continue;
            }
            let (lo, hi) = (bits << 6 | u32::from(lo & 0x3F), bits << 6 | u32::from(hi & 0x3F));
            let (lo, hi) = (lo.max(least), hi.min(0x10_FFFF));
            if lo <= hi && !(0xD800..=0xDFFF).contains(&lo) {
                found.push((lo, hi, to));
            }
        }
    }
    found.sort_unstable();
    found.dedup_by(|next, kept| {
        let joins = next.2 == kept.2 && next.0 == kept.1 + 1;
        if joins {
            kept.1 = next.1;
        }
        joins
    });
    found
}
