//! Patterns as programs: instructions that read one byte, branch, or count.
//!
//! All terminals of a grammar share one program. Repetition with large bounds is a counter, never unrolled. The
//! program is built from the end to the start, so that each instruction knows the fewest bytes that lead from it to
//! the end.
//!
//! A program only grows, also while others read it, and may stand on one below that does not change any more.

use std::sync::{Arc, Mutex, PoisonError};

use regex_syntax::utf8::{Utf8Range, Utf8Sequences};
use rustc_hash::FxHashMap;

use super::table::{Arena, Meter};
use crate::error::Error;
use crate::limits::{Limits, check};
use crate::pattern::{ByteAutomaton, CharSet, Pattern};

/// Index of an instruction.
pub(crate) type Pc = u32;

/// Copies of a body up to this many instructions are cheaper than a counter.
const UNROLL: usize = 64;

/// Inclusive byte ranges, each with where it leads.
type Ranges = Box<[(u8, u8, Pc)]>;

#[derive(Clone, Debug)]
pub(crate) enum Inst {
    /// The end of a terminal.
    Match,
    /// Reads one byte; ranges are sorted and disjoint.
    Bytes(Ranges),
    /// Goes on at any of these, the first preferred.
    Split(Box<[Pc]>),
    /// Starts a counter at zero and goes on at the loop.
    Enter { head: Pc },
    /// Another round of `body`, or `exit`.
    Loop { min: u32, max: Option<u32>, greedy: bool, body: Pc, exit: Pc, body_len: u32 },
}

pub(crate) struct Program {
    below: Option<Arc<Program>>,
    /// Number of its own first instruction.
    first: Pc,
    /// Each instruction with the fewest bytes from it to `Match`, all counters taken as satisfied.
    lines: Arena<(Inst, u32)>,
    builder: Mutex<Builder>,
    limit: usize,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("first", &self.first).finish_non_exhaustive()
    }
}

/// What adding to a program needs.
struct Builder {
    below: Option<Arc<Program>>,
    first: Pc,
    /// Instructions that are not in the program yet.
    insts: Vec<Inst>,
    /// How many are.
    published: usize,
    rest: Vec<u32>,
    /// Instructions that read bytes, by what they read: equal ones are one.
    shared: FxHashMap<Ranges, Pc>,
    limit: usize,
}

/// Bounds of a repetition.
#[derive(Clone, Copy)]
struct Rounds {
    min: u32,
    max: Option<u32>,
    greedy: bool,
}

impl Program {
    const MATCH: Pc = 0;

    pub(crate) fn new(limits: &Limits) -> Self {
        let program = Self::above(None, 0, limits.instructions);
        program.lines.push((Inst::Match, 0));
        program
    }

    /// A program that goes on where `below` ends.
    pub(crate) fn on(below: Arc<Program>) -> Self {
        let (first, limit) = (below.len(), below.limit);
        Self::above(Some(below), first, limit)
    }

    fn above(below: Option<Arc<Program>>, first: Pc, limit: usize) -> Self {
        // The end of all terminals is the first instruction of the lowest program.
        let rest = if below.is_none() { vec![0] } else { Vec::new() };
        let builder = Mutex::new(Builder {
            below: below.clone(),
            first,
            insts: Vec::new(),
            published: rest.len(),
            rest,
            shared: FxHashMap::default(),
            limit,
        });
        Self { below, first, lines: Arena::new(), builder, limit }
    }

    /// Compiles a pattern that matches something; returns its first instruction.
    pub(crate) fn add(&self, pattern: &Pattern, meter: Option<&Meter>) -> Result<Pc, Error> {
        let mut builder = self.builder.lock().unwrap_or_else(PoisonError::into_inner);
        let first = builder.compile(pattern, Self::MATCH);
        // Also after an error: what is shared may refer to them.
        let rests = builder.published;
        let insts = std::mem::take(&mut builder.insts);
        builder.published += insts.len();
        if let Some(meter) = meter {
            meter.add(insts.len() * 2 * size_of::<(Inst, u32)>());
        }
        for (inst, &rest) in insts.into_iter().zip(&builder.rest[rests..]) {
            self.lines.push((inst, rest));
        }
        first
    }

    fn line(&self, pc: Pc) -> &(Inst, u32) {
        let mut program = self;
        loop {
            match &program.below {
                Some(below) if pc < program.first => program = below,
                _ => return program.lines.get(pc - program.first),
            }
        }
    }

    pub(crate) fn inst(&self, pc: Pc) -> &Inst {
        &self.line(pc).0
    }

    /// Fewest bytes to `Match`, with all counters taken as satisfied.
    pub(crate) fn rest(&self, pc: Pc) -> u32 {
        self.line(pc).1
    }

    /// How many instructions there are, those below included.
    pub(crate) fn len(&self) -> Pc {
        self.first + self.lines.len()
    }

    /// Bytes that some instruction reads.
    pub(crate) fn used_bytes(&self) -> [bool; 256] {
        let mut used = [false; 256];
        for pc in 0..self.len() {
            if let Inst::Bytes(ranges) = self.inst(pc) {
                for &(lo, hi, _) in ranges {
                    used[usize::from(lo)..=usize::from(hi)].fill(true);
                }
            }
        }
        used
    }
}

impl Builder {
    fn push(&mut self, inst: Inst, rest: u32) -> Result<Pc, Error> {
        let pc = self.first + self.rest.len() as Pc;
        let given = u64::from(pc) + 1;
        check("instructions of all terminals", "instructions", self.limit as u64, given)?;
        self.insts.push(inst);
        self.rest.push(rest);
        Ok(pc)
    }

    /// Sets an instruction of the pattern that is being compiled.
    fn set(&mut self, pc: Pc, inst: Inst) {
        let at = (pc - self.first) as usize - self.published;
        self.insts[at] = inst;
    }

    fn rest(&self, pc: Pc) -> u32 {
        match &self.below {
            Some(below) if pc < self.first => below.rest(pc),
            _ => self.rest[(pc - self.first) as usize],
        }
    }

    fn bytes(&mut self, ranges: Ranges) -> Result<Pc, Error> {
        if let Some(&pc) = self.shared.get(&ranges) {
            return Ok(pc);
        }
        let rest = ranges.iter().map(|r| self.rest(r.2)).min().unwrap_or(u32::MAX);
        let pc = self.push(Inst::Bytes(ranges.clone()), rest.saturating_add(1))?;
        self.shared.insert(ranges, pc);
        Ok(pc)
    }

    fn split(&mut self, targets: Vec<Pc>) -> Result<Pc, Error> {
        if let [only] = targets[..] {
            return Ok(only);
        }
        let rest = targets.iter().map(|&t| self.rest(t)).min().unwrap_or(u32::MAX);
        self.push(Inst::Split(targets.into()), rest)
    }

    fn compile(&mut self, pattern: &Pattern, next: Pc) -> Result<Pc, Error> {
        match pattern {
            Pattern::Empty => Ok(next),
            Pattern::Bytes(bytes) => {
                bytes.iter().rev().try_fold(next, |next, &b| self.bytes([(b, b, next)].into()))
            }
            Pattern::Class(set) => self.class(set, next),
            Pattern::Concat(parts) => {
                parts.iter().rev().try_fold(next, |next, p| self.compile(p, next))
            }
            Pattern::Alt(parts) => {
                let live = parts.iter().filter(|p| !p.is_void());
                let targets = live.map(|p| self.compile(p, next)).collect::<Result<Vec<_>, _>>()?;
                self.split(targets)
            }
            Pattern::Strings(strings) => self.strings(strings, next),
            Pattern::Automaton(automaton) => self.automaton(automaton, next),
            Pattern::Repeat { max: Some(0), .. } => Ok(next),
            Pattern::Repeat { body, .. } if body.is_void() => Ok(next),
            Pattern::Repeat { body, min, max, greedy } => {
                self.repeat(body, Rounds { min: *min, max: *max, greedy: *greedy }, next)
            }
        }
    }

    fn repeat(&mut self, body: &Pattern, rounds: Rounds, next: Pc) -> Result<Pc, Error> {
        let Rounds { min, max, greedy } = rounds;
        let copies = max.unwrap_or(min + 1) as usize;
        if copies == 1 || size(body).saturating_mul(copies) <= UNROLL {
            return self.unroll(body, rounds, next);
        }
        let rest = self.rest(next);
        let unknown = Inst::Loop { min, max, greedy, body: next, exit: next, body_len: 0 };
        let head = self.push(unknown, rest)?;
        let first = self.compile(body, head)?;
        let body_len = self.rest(first) - rest;
        self.set(head, Inst::Loop { min, max, greedy, body: first, exit: next, body_len });
        self.push(Inst::Enter { head }, rest.saturating_add(min.saturating_mul(body_len)))
    }

    fn unroll(&mut self, body: &Pattern, rounds: Rounds, next: Pc) -> Result<Pc, Error> {
        let Rounds { min, max, greedy } = rounds;
        let order = |into, out| if greedy { vec![into, out] } else { vec![out, into] };
        let mut at = next;
        match max {
            None => {
                at = self.push(Inst::Split([].into()), self.rest(next))?;
                let first = self.compile(body, at)?;
                self.set(at, Inst::Split(order(first, next).into()));
            }
            Some(max) => {
                for _ in min..max {
                    let into = self.compile(body, at)?;
                    at = self.split(order(into, next))?;
                }
            }
        }
        (0..min).try_fold(at, |at, _| self.compile(body, at))
    }

    fn class(&mut self, set: &CharSet, next: Pc) -> Result<Pc, Error> {
        let mut sequences: Vec<Vec<Utf8Range>> = Vec::new();
        for &(lo, hi) in set.ranges() {
            sequences.extend(Utf8Sequences::new(lo, hi).map(|s| s.as_slice().to_vec()));
        }
        let rows: Vec<&[Utf8Range]> = sequences.iter().map(Vec::as_slice).collect();
        self.utf8(&rows, next)
    }

    /// One instruction for the first bytes of these sequences. Sequences of disjoint sorted ranges have first ranges
    /// that are equal or disjoint; the depth is at most four.
    fn utf8(&mut self, rows: &[&[Utf8Range]], next: Pc) -> Result<Pc, Error> {
        let mut ranges: Vec<(u8, u8, Pc)> = Vec::new();
        let mut at = 0;
        while at < rows.len() {
            let first = rows[at][0];
            let same = rows[at..].iter().take_while(|r| r[0] == first).count();
            let tails: Vec<&[Utf8Range]> =
                rows[at..at + same].iter().map(|r| &r[1..]).filter(|t| !t.is_empty()).collect();
            let to = if tails.is_empty() { next } else { self.utf8(&tails, next)? };
            match ranges.last_mut() {
                Some(last) if last.2 == to && last.1.checked_add(1) == Some(first.start) => {
                    last.1 = first.end
                }
                _ => ranges.push((first.start, first.end, to)),
            }
            at += same;
        }
        self.bytes(ranges.into())
    }

    /// A byte trie, built along the sorted strings so that no recursion is needed.
    fn strings(&mut self, strings: &[Vec<u8>], next: Pc) -> Result<Pc, Error> {
        let mut sorted: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut path = vec![Open::default()];
        let mut previous: &[u8] = &[];
        for string in sorted.into_iter().map(Some).chain([None]) {
            let common =
                string.map_or(0, |s| s.iter().zip(previous).take_while(|(a, b)| a == b).count());
            while path.len() > common + 1 {
                let open = path.pop().expect("the root stays");
                let byte = open.byte;
                let pc = self.close(open, next)?;
                path.last_mut().expect("the root stays").branches.push((byte, byte, pc));
            }
            let Some(string) = string else { break };
            path.extend(string[common..].iter().map(|&byte| Open { byte, ..Open::default() }));
            path.last_mut().expect("the root stays").ends = true;
            previous = string;
        }
        let root = path.pop().expect("the root stays");
        self.close(root, next)
    }

    fn close(&mut self, open: Open, next: Pc) -> Result<Pc, Error> {
        if open.branches.is_empty() {
            return Ok(next);
        }
        let pc = self.bytes(open.branches.into())?;
        if open.ends { self.split(vec![pc, next]) } else { Ok(pc) }
    }

    /// One instruction for each state, and one more for a state that both matches and goes on.
    fn automaton(&mut self, automaton: &ByteAutomaton, next: Pc) -> Result<Pc, Error> {
        let after = self.rest(next);
        let mut entries = Vec::with_capacity(automaton.states().len());
        for (number, state) in automaton.states().iter().enumerate() {
            let rest = after.saturating_add(automaton.rest(number));
            entries.push(match (state.accepting, state.edges.is_empty()) {
                (true, true) => next,
                // The cycles leave no order in which every target is known; they are filled in below.
                (true, false) => {
                    self.push(Inst::Bytes([].into()), u32::MAX)?;
                    self.push(Inst::Split([].into()), rest)?
                }
                (false, _) => self.push(Inst::Bytes([].into()), rest)?,
            });
        }
        for (state, &entry) in automaton.states().iter().zip(&entries) {
            if state.edges.is_empty() {
                continue;
            }
            let at = if state.accepting { entry - 1 } else { entry };
            let ranges = state.edges.iter().map(|&(lo, hi, to)| (lo, hi, entries[to as usize]));
            let ranges: Ranges = ranges.collect();
            let rest = ranges.iter().map(|r| self.rest(r.2)).min().unwrap_or(u32::MAX);
            self.rest[(at - self.first) as usize] = rest.saturating_add(1);
            self.set(at, Inst::Bytes(ranges));
            if state.accepting {
                self.set(entry, Inst::Split([at, next].into()));
            }
        }
        Ok(entries[0])
    }
}

/// A node of a byte trie whose last branch may still grow.
#[derive(Default)]
struct Open {
    byte: u8,
    ends: bool,
    branches: Vec<(u8, u8, Pc)>,
}

/// About how many instructions a pattern takes.
fn size(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Empty => 0,
        Pattern::Bytes(bytes) => bytes.len(),
        Pattern::Class(set) if set.ranges().last().is_some_and(|r| r.1 >= '\u{80}') => 12,
        Pattern::Class(_) => 1,
        Pattern::Concat(parts) => parts.iter().map(size).fold(0, usize::saturating_add),
        Pattern::Alt(parts) => parts.iter().map(size).fold(1, usize::saturating_add),
        Pattern::Strings(strings) => strings.iter().map(Vec::len).sum(),
        Pattern::Automaton(automaton) => 2 * automaton.states().len(),
        Pattern::Repeat { body, min, max, .. } => {
            let copies = max.unwrap_or(min + 1) as usize;
            let copied = size(body).saturating_add(1).saturating_mul(copies);
            if copied <= UNROLL { copied } else { size(body) + 2 }
        }
    }
}
