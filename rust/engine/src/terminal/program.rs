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

use super::needs::Needs;
use super::table::{Arena, Meter};
use crate::error::Error;
use crate::limits::{Limits, check};
use crate::pattern::{ByteAutomaton, CharSet, Lazy, Look, Pattern};

/// Index of an instruction.
pub(crate) type Pc = u32;

/// Copies of a body up to this many instructions are cheaper than a counter.
const UNROLL: usize = 64;

/// Room for the instructions of a small terminal.
const FIRST: usize = 32;

/// Inclusive byte ranges, each with where it leads.
type Ranges = Arc<[(u8, u8, Pc)]>;

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
    /// Starts a lazy automaton and goes on inside.
    Begin { inside: Pc },
    /// Inside a lazy automaton: the thread's counter is its state.
    Lazy { lazy: Lazy, next: Pc },
    /// The end of a condition's run: it holds, whatever follows.
    All,
    /// Goes on at `next` if the rest of the text matches from `body` on, or if not.
    Ahead { negative: bool, body: Pc, next: Pc },
    /// Goes on at `next` if all text from the start, read from `run` on, has matched, or if not.
    Behind { negative: bool, run: Pc, next: Pc },
    /// Another round of `body`, or `exit`.
    Loop { min: u32, max: Option<u32>, greedy: bool, body: Pc, exit: Pc, body_len: u32 },
}

pub(crate) struct Program {
    below: Option<Arc<Program>>,
    /// Number of its own first instruction.
    first: Pc,
    lines: Arena<Line>,
    builder: Mutex<Builder>,
    limit: usize,
}

/// An instruction and what is known of it.
struct Line {
    inst: Inst,
    /// Fewest bytes from it to `Match`, all counters taken as satisfied.
    rest: u32,
    needs: Needs,
    /// Whether it belongs to a condition, so that no text needs its bytes.
    aside: bool,
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
    needs: Vec<Needs>,
    /// Which of `insts` belong to conditions.
    asides: Vec<bool>,
    /// Whether what is compiled belongs to a condition.
    aside: bool,
    /// Instructions that read bytes, by what they read and whether it is for a condition: equal ones are one.
    shared: FxHashMap<(Ranges, bool), Pc>,
    /// Where the runs start that look behind, by what they look for.
    behinds: FxHashMap<(Pattern, bool), Pc>,
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
    pub(super) const ALL: Pc = 1;

    pub(crate) fn new(limits: &Limits) -> Self {
        let program = Self::above(None, 0, limits.instructions);
        for inst in [Inst::Match, Inst::All] {
            program.lines.push(Line { inst, rest: 0, needs: Needs::default(), aside: true });
        }
        program
    }

    /// A program that goes on where `below` ends.
    pub(crate) fn on(below: Arc<Program>) -> Self {
        let (first, limit) = (below.len(), below.limit);
        Self::above(Some(below), first, limit)
    }

    fn above(below: Option<Arc<Program>>, first: Pc, limit: usize) -> Self {
        // The ends of all terminals and conditions are the first instructions of the lowest program.
        let rest = if below.is_none() { vec![0; 2] } else { Vec::new() };
        let builder = Mutex::new(Builder {
            below: below.clone(),
            first,
            insts: Vec::with_capacity(FIRST),
            published: rest.len(),
            needs: vec![Needs::default(); rest.len()],
            rest,
            asides: Vec::with_capacity(FIRST),
            aside: false,
            shared: FxHashMap::default(),
            behinds: FxHashMap::default(),
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
        builder.aside = false;
        let Builder { insts, asides, rest, needs, published, .. } = &mut *builder;
        *published += insts.len();
        if let Some(meter) = meter {
            meter.add(insts.len() * 2 * size_of::<Line>());
        }
        for (at, (inst, aside)) in insts.drain(..).zip(asides.drain(..)).enumerate() {
            let (rest, needs) = (rest[rests + at], needs[rests + at].clone());
            self.lines.push(Line { inst, rest, needs, aside });
        }
        first
    }

    fn line(&self, pc: Pc) -> &Line {
        let mut program = self;
        loop {
            match &program.below {
                Some(below) if pc < program.first => program = below,
                _ => return program.lines.get(pc - program.first),
            }
        }
    }

    pub(crate) fn inst(&self, pc: Pc) -> &Inst {
        &self.line(pc).inst
    }

    /// Fewest bytes to `Match`, with all counters taken as satisfied.
    pub(crate) fn rest(&self, pc: Pc) -> u32 {
        self.line(pc).rest
    }

    /// What can be asked of the text around from an instruction on.
    pub(super) fn needs(&self, pc: Pc) -> &Needs {
        &self.line(pc).needs
    }

    /// Whether anything is asked of the text around from an instruction on.
    pub(crate) fn is_conditional(&self, pc: Pc) -> bool {
        !self.needs(pc).is_none()
    }

    /// How many instructions there are, those below included.
    pub(crate) fn len(&self) -> Pc {
        self.first + self.lines.len()
    }

    /// Bytes that some instruction reads, those for conditions left out.
    pub(crate) fn used_bytes(&self) -> [bool; 256] {
        let mut used = [false; 256];
        for pc in 0..self.len() {
            let line = self.line(pc);
            if line.aside {
                continue;
            }
            match &line.inst {
                Inst::Bytes(ranges) => {
                    for &(lo, hi, _) in ranges.iter() {
                        used[usize::from(lo)..=usize::from(hi)].fill(true);
                    }
                }
                Inst::Lazy { lazy, .. } => {
                    for &(lo, hi) in lazy.stepper().bytes() {
                        used[usize::from(lo)..=usize::from(hi)].fill(true);
                    }
                }
                _ => {}
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
        let needs = self.needs_of(&inst);
        self.insts.push(inst);
        self.asides.push(self.aside);
        self.rest.push(rest);
        self.needs.push(needs);
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
        let key = (ranges, self.aside);
        if let Some(&pc) = self.shared.get(&key) {
            return Ok(pc);
        }
        let ranges = key.0;
        let rest = ranges.iter().map(|r| self.rest(r.2)).min().unwrap_or(u32::MAX);
        let pc = self.push(Inst::Bytes(ranges.clone()), rest.saturating_add(1))?;
        self.shared.insert((ranges, self.aside), pc);
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
            Pattern::Lazy(lazy) => {
                let rest = self.rest(next);
                let inside = self.push(Inst::Lazy { lazy: lazy.clone(), next }, rest)?;
                self.push(Inst::Begin { inside }, rest.saturating_add(lazy.rest()))
            }
            Pattern::Look(look) => self.look(look, next),
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
        let inside = self.needs_inside(body)?;
        let unknown = Inst::Loop { min, max, greedy, body: next, exit: next, body_len: 0 };
        let head = self.push(unknown, rest)?;
        self.add_needs(head, &inside);
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
                let inside = self.needs_inside(body)?;
                at = self.push(Inst::Split([next].into()), self.rest(next))?;
                self.add_needs(at, &inside);
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
        if set.ranges().last().is_none_or(|range| range.1.is_ascii()) {
            let ranges = set.ranges().iter().map(|&(lo, hi)| (lo as u8, hi as u8, next));
            return self.bytes(ranges.collect());
        }
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

    fn look(&mut self, look: &Look, next: Pc) -> Result<Pc, Error> {
        let Look { behind, negative, body, open } = look;
        let (negative, rest) = (*negative, self.rest(next));
        if *behind {
            let run = self.behind(body, *open)?;
            return self.push(Inst::Behind { negative, run, next }, rest);
        }
        if body.is_void() {
            // Nothing to run: it holds nowhere, or everywhere.
            return if negative { Ok(next) } else { self.bytes([].into()) };
        }
        let outer = std::mem::replace(&mut self.aside, true);
        let body = self.compile(body, if *open { Program::ALL } else { Program::MATCH })?;
        self.aside = outer;
        self.push(Inst::Ahead { negative, body, next }, rest)
    }

    /// Where the run starts that looks for what stands before a place.
    fn behind(&mut self, body: &Pattern, open: bool) -> Result<Pc, Error> {
        let key = (body.clone(), open);
        if let Some(&run) = self.behinds.get(&key) {
            return Ok(run);
        }
        let outer = std::mem::replace(&mut self.aside, true);
        let start = if body.is_void() {
            self.bytes([].into())?
        } else {
            let body = self.compile(body, Program::MATCH)?;
            if open { self.compile(&Pattern::any_text(), body)? } else { body }
        };
        self.aside = outer;
        self.behinds.insert(key, start);
        Ok(start)
    }

    fn needs(&self, pc: Pc) -> &Needs {
        match &self.below {
            Some(below) if pc < self.first => below.needs(pc),
            _ => &self.needs[(pc - self.first) as usize],
        }
    }

    fn needs_of(&self, inst: &Inst) -> Needs {
        let mut needs = Needs::default();
        let mut add = |pc: Pc| needs.add(self.needs(pc));
        match inst {
            Inst::Match | Inst::All => {}
            Inst::Bytes(ranges) => ranges.iter().for_each(|r| add(r.2)),
            Inst::Split(targets) => targets.iter().for_each(|&pc| add(pc)),
            Inst::Enter { head } => add(*head),
            Inst::Begin { inside } => add(*inside),
            Inst::Lazy { next, .. } => add(*next),
            Inst::Loop { body, exit, .. } => [*body, *exit].into_iter().for_each(add),
            Inst::Ahead { body, next, .. } => {
                [*body, *next].into_iter().for_each(add);
                needs.add(&Needs::ahead());
            }
            Inst::Behind { run, next, .. } => {
                add(*next);
                needs.add(&Needs::behind(*run));
            }
        }
        needs
    }

    fn add_needs(&mut self, pc: Pc, more: &Needs) {
        self.needs[(pc - self.first) as usize].add(more);
    }

    /// What a pattern asks of the text around, for a loop whose body is not compiled yet.
    fn needs_inside(&mut self, pattern: &Pattern) -> Result<Needs, Error> {
        match pattern {
            Pattern::Look(look) if look.behind => {
                Ok(Needs::behind(self.behind(&look.body, look.open)?))
            }
            Pattern::Look(look) => {
                let mut needs = self.needs_inside(&look.body)?;
                needs.add(&Needs::ahead());
                Ok(needs)
            }
            Pattern::Concat(parts) | Pattern::Alt(parts) => {
                let mut all = Needs::default();
                for part in parts {
                    all.add(&self.needs_inside(part)?);
                }
                Ok(all)
            }
            Pattern::Repeat { body, .. } => self.needs_inside(body),
            Pattern::Empty
            | Pattern::Bytes(_)
            | Pattern::Class(_)
            | Pattern::Strings(_)
            | Pattern::Automaton(_)
            | Pattern::Lazy(_) => Ok(Needs::default()),
        }
    }

    /// One instruction for each state, and one more for a state that both matches and goes on.
    fn automaton(&mut self, automaton: &ByteAutomaton, next: Pc) -> Result<Pc, Error> {
        let (after, needs) = (self.rest(next), self.needs(next).clone());
        let mut entries = Vec::with_capacity(automaton.states().len());
        for (number, state) in automaton.states().iter().enumerate() {
            let rest = after.saturating_add(automaton.rest(number));
            entries.push(match (state.accepting, state.edges.is_empty()) {
                (true, true) => next,
                // The cycles leave no order in which every target is known; they are filled in below.
                (true, false) => {
                    let bytes = self.push(Inst::Bytes([].into()), u32::MAX)?;
                    self.add_needs(bytes, &needs);
                    self.push(Inst::Split([bytes].into()), rest)?
                }
                (false, _) => {
                    let bytes = self.push(Inst::Bytes([].into()), rest)?;
                    self.add_needs(bytes, &needs);
                    bytes
                }
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
        Pattern::Look(look) => size(&look.body).saturating_add(1),
        Pattern::Class(set) if set.ranges().last().is_some_and(|r| r.1 >= '\u{80}') => 12,
        Pattern::Class(_) => 1,
        Pattern::Concat(parts) => parts.iter().map(size).fold(0, usize::saturating_add),
        Pattern::Alt(parts) => parts.iter().map(size).fold(1, usize::saturating_add),
        Pattern::Strings(strings) => strings.iter().map(Vec::len).sum(),
        Pattern::Automaton(automaton) => 2 * automaton.states().len(),
        Pattern::Lazy(_) => 2,
        Pattern::Repeat { body, min, max, .. } => {
            let copies = max.unwrap_or(min + 1) as usize;
            let copied = size(body).saturating_add(1).saturating_mul(copies);
            if copied <= UNROLL { copied } else { size(body) + 2 }
        }
    }
}
