//! Sets of strings given by several patterns and a length: whether there are any, the shortest, all of them if few.
//!
//! Strings are texts of Unicode scalar values, and lengths count these. Nothing is built ahead: questions are searches
//! over states of the [`super::lexer`], made as the search comes to them. Lengths are no part of the states: the
//! search goes from the states reached with `n` characters to those with `n + 1`, and once such a set of states comes
//! back, it is known for all lengths. So a bound of a million costs no more than one of ten.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::{Pc, Program};
use super::table::Meter;
use crate::error::Error;
use crate::limits::{Limits, check};
use crate::pattern::{CharSet, Look, Pattern};

/// The strings that match each pattern marked `true` and none marked `false`, within bounds of their length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Language {
    /// Patterns that the whole string must match, or must not.
    pub parts: Vec<(Pattern, bool)>,
    /// Fewest characters.
    pub min_chars: u32,
    /// Most characters.
    pub max_chars: Option<u32>,
}

/// Operations that questions may cost, counted down as they are asked.
#[derive(Clone, Copy, Debug)]
pub struct Budget(Fuel);

impl Budget {
    /// So many operations: states looked at and transitions made.
    pub fn new(operations: u64) -> Self {
        Self(Fuel::new(operations))
    }
}

impl Language {
    /// Whether `text` is one of the strings.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if the patterns are too large.
    pub fn contains(&self, text: &str, budget: &mut Budget) -> Result<bool, Error> {
        let length = text.chars().count();
        if length < self.min_chars as usize || self.max_chars.is_some_and(|m| length > m as usize) {
            return Ok(false);
        }
        let search = Search::new(self, false)?;
        let mut state = search.start(budget)?;
        for byte in text.bytes() {
            state = search.lexer.step(search.run(), state, byte, &mut budget.0)?;
        }
        Ok(search.lexer.get(state).accepts())
    }

    /// Whether there is no string at all.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if that is not found out within the budget.
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Error> {
        if self.max_chars.is_some_and(|max| max < self.min_chars) {
            return Ok(true);
        }
        if self.min_chars == 0 && self.max_chars.is_none() {
            if let [] | [(_, true)] = &self.parts[..]
                && self.parts.iter().all(|(pattern, _)| !pattern.has_look())
            {
                return Ok(self.parts.iter().any(|(pattern, _)| pattern.is_void()));
            }
            let search = Search::new(self, false)?;
            let start = search.start(budget)?;
            let distance = search.lexer.distance(search.run(), start, &mut budget.0)?;
            return Ok(distance == u32::MAX);
        }
        let mut search = Search::new(self, false)?;
        let mut layers = Layers::new(&search, budget)?;
        Ok(layers.first(&mut search, self, budget)?.is_none())
    }

    /// A string of the fewest characters.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if it is not found within the budget.
    pub fn shortest(&self, budget: &mut Budget) -> Result<Option<String>, Error> {
        if self.max_chars.is_some_and(|max| max < self.min_chars) {
            return Ok(None);
        }
        let mut search = Search::new(self, false)?;
        let mut layers = Layers::new(&search, budget)?;
        let Some(length) = layers.first(&mut search, self, budget)? else { return Ok(None) };
        let at = layers.at(&mut search, length, budget)?;
        let mut state = *at
            .iter()
            .find(|&&state| search.lexer.get(state).accepts())
            .expect("the layer has a state that accepts");
        let mut text: Vec<char> = Vec::new();
        for length in (0..length).rev() {
            let mut found = None;
            for &before in &layers.at(&mut search, length, budget)? {
                let steps = search.characters(before, budget)?;
                if let Some(step) = steps.iter().find(|step| step.0 == state) {
                    found = Some((before, step.1));
                    break;
                }
            }
            let (before, character) =
                found.expect("each state of a layer comes from the one before");
            text.push(character);
            state = before;
        }
        Ok(Some(text.into_iter().rev().collect()))
    }

    /// All strings, the shorter first, if there are at most `most`.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if that is not found out within the budget.
    pub fn finite(&self, most: usize, budget: &mut Budget) -> Result<Option<Vec<String>>, Error> {
        if self.max_chars.is_some_and(|max| max < self.min_chars) {
            return Ok(Some(Vec::new()));
        }
        let search = Search::new(self, true)?;
        let (lexer, run) = (&search.lexer, search.run());
        let mut found: Vec<String> = Vec::new();
        let mut open = vec![(search.start(budget)?, Vec::new())];
        open.retain(|&(state, _)| state != Lexer::DEAD);
        // Each beginning leads to a string of its own, since every state is live.
        while !open.is_empty() {
            let mut next: Vec<(u32, Vec<u8>)> = Vec::new();
            for (state, text) in open {
                let at = lexer.get(state);
                if at.accepts() {
                    found.extend(String::from_utf8(text.clone()));
                }
                if !at.goes_on() {
                    continue;
                }
                for first in at.bounds.firsts() {
                    let to = lexer.step(run, state, first, &mut budget.0)?;
                    if to == Lexer::DEAD {
                        continue;
                    }
                    for byte in at.bounds.class(first) {
                        budget.0.spend(1 + text.len() as u64 / 16)?;
                        next.push((to, [&text[..], &[byte]].concat()));
                        if found.len() + next.len() > most {
                            return Ok(None);
                        }
                    }
                }
            }
            if found.len() > most {
                return Ok(None);
            }
            open = next;
        }
        Ok(Some(found))
    }

    /// Whether some beginning is one of finitely many strings only, at least one.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if that is not found out within the budget.
    pub fn runs_out(&self, budget: &mut Budget) -> Result<bool, Error> {
        if self.max_chars.is_some() {
            return Ok(!self.is_empty(budget)?);
        }
        // Where there are finitely many, one of them is the beginning of no other.
        let mut search = Search::new(self, true)?;
        let mut todo = vec![search.start(budget)?];
        todo.retain(|&state| state != Lexer::DEAD);
        let mut seen = FxHashSet::from_iter(todo.iter().copied());
        while let Some(state) = todo.pop() {
            let next = search.characters(state, budget)?;
            if next.is_empty() {
                return Ok(true);
            }
            todo.extend(next.iter().map(|step| step.0).filter(|&state| seen.insert(state)));
        }
        Ok(false)
    }

    /// Whether there are endlessly many strings: some state, and each is live, leads back to itself.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if that is not found out within the budget.
    pub fn is_endless(&self, budget: &mut Budget) -> Result<bool, Error> {
        if self.max_chars.is_some() {
            return Ok(false);
        }
        let mut search = Search::new(self, true)?;
        let start = search.start(budget)?;
        let mut next = |state| -> Result<Vec<u32>, Error> {
            let steps = search.characters(state, budget)?;
            Ok(steps.iter().map(|step| step.0).collect())
        };
        if start == Lexer::DEAD {
            return Ok(false);
        }
        // The states on the way, each with those that are still to be followed from it.
        let mut way = vec![(start, next(start)?)];
        let mut on_way = FxHashSet::from_iter([start]);
        let mut done = FxHashSet::default();
        while let Some((state, todo)) = way.last_mut() {
            let Some(to) = todo.pop() else {
                on_way.remove(state);
                done.insert(*state);
                way.pop();
                continue;
            };
            if on_way.contains(&to) {
                return Ok(true);
            }
            if !done.contains(&to) {
                on_way.insert(to);
                way.push((to, next(to)?));
            }
        }
        Ok(false)
    }

    /// Whether no string is in both.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if that is not found out within the budget.
    pub fn is_disjoint(&self, other: &Self, budget: &mut Budget) -> Result<bool, Error> {
        self.and(other).is_empty(budget)
    }

    /// Whether every string is in `other` too.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if that is not found out within the budget.
    pub fn is_subset(&self, other: &Self, budget: &mut Budget) -> Result<bool, Error> {
        if let Some(below) = other.min_chars.checked_sub(1) {
            let max_chars = Some(self.max_chars.map_or(below, |max| max.min(below)));
            if !(Self { max_chars, ..self.clone() }).is_empty(budget)? {
                return Ok(false);
            }
        }
        if let Some(above) = other.max_chars.and_then(|max| max.checked_add(1)) {
            let min_chars = self.min_chars.max(above);
            if !(Self { min_chars, ..self.clone() }).is_empty(budget)? {
                return Ok(false);
            }
        }
        for (pattern, wanted) in &other.parts {
            let mut outside = self.clone();
            outside.parts.push((pattern.clone(), !wanted));
            if !outside.is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The strings in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut parts = self.parts.clone();
        for part in &other.parts {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        let max_chars = match (self.max_chars, other.max_chars) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { parts, min_chars: self.min_chars.max(other.min_chars), max_chars }
    }

    /// One pattern for all parts, those beside the first as conditions.
    fn whole(&self, with_length: bool) -> Cow<'_, Pattern> {
        let has_length = with_length && (self.min_chars > 0 || self.max_chars.is_some());
        let main = self.parts.iter().position(|part| part.1);
        if let (Some(0), 1, false) = (main, self.parts.len(), has_length) {
            return Cow::Borrowed(&self.parts[0].0);
        }
        let length = Pattern::Repeat {
            body: Box::new(Pattern::Class(CharSet::all())),
            min: self.min_chars,
            max: self.max_chars,
            greedy: true,
        };
        let also = self.parts.iter().enumerate().filter(|&(place, _)| Some(place) != main);
        let mut all: Vec<Pattern> =
            also.map(|(_, (part, wanted))| Look::rest(part.clone(), !wanted).into()).collect();
        match main {
            Some(main) => {
                if has_length {
                    all.push(Look::rest(length, false).into());
                }
                all.push(self.parts[main].0.clone());
            }
            None if has_length => all.push(length),
            None => all.push(Pattern::any_text()),
        }
        Cow::Owned(Pattern::Concat(all))
    }
}

/// The automaton of a language.
struct Search {
    program: Program,
    lexer: Lexer,
    meter: Meter,
    pc: Option<Pc>,
    /// For each state that was asked about, one character to each that can follow.
    steps: FxHashMap<u32, Vec<(u32, char)>>,
}

impl Search {
    fn new(language: &Language, with_length: bool) -> Result<Self, Error> {
        let program = Program::new(&Limits::default());
        let pattern = language.whole(with_length);
        let pc = if pattern.is_void() { None } else { Some(program.add(&pattern, None)?) };
        let (lexer, meter) = (Lexer::new(), Meter::default());
        Ok(Self { program, lexer, meter, pc, steps: FxHashMap::default() })
    }

    fn run(&self) -> Run<'_> {
        Run { program: &self.program, ordered: false, meter: &self.meter }
    }

    /// The state before the first byte, in which the empty string counts.
    fn start(&self, budget: &mut Budget) -> Result<u32, Error> {
        let Some(pc) = self.pc else { return Ok(Lexer::DEAD) };
        let start = self.lexer.begin_text(self.run(), pc, &mut budget.0)?;
        let live = self.lexer.is_live(self.run(), start, &mut budget.0)?;
        Ok(if live { start } else { Lexer::DEAD })
    }

    /// The live states one character on, each with a character that leads there.
    fn characters(&mut self, state: u32, budget: &mut Budget) -> Result<&[(u32, char)], Error> {
        if !self.steps.contains_key(&state) {
            let mut found: Vec<(u32, char)> = Vec::new();
            let mut todo = vec![(state, Vec::new(), 1)];
            while let Some((state, bytes, left)) = todo.pop() {
                for byte in self.lexer.get(state).bounds.firsts() {
                    budget.0.spend(1)?;
                    let to = self.lexer.step(self.run(), state, byte, &mut budget.0)?;
                    if to == Lexer::DEAD {
                        continue;
                    }
                    let left = if bytes.is_empty() { width(byte) } else { left - 1 };
                    let bytes = [&bytes[..], &[byte]].concat();
                    if left > 0 {
                        todo.push((to, bytes, left));
                        continue;
                    }
                    let character = std::str::from_utf8(&bytes).ok().and_then(|t| t.chars().next());
                    found.extend(character.map(|character| (to, character)));
                }
            }
            // Of several characters to the same state the least, so that answers depend on nothing else.
            found.sort_unstable();
            found.dedup_by_key(|step| step.0);
            let states = "bytes of states of one question about strings";
            let limit = Limits::default().state_bytes as u64;
            check(states, "state_bytes", limit, self.meter.bytes() as u64)?;
            self.steps.insert(state, found);
        }
        Ok(&self.steps[&state])
    }
}

/// How many bytes follow this first byte of a character.
fn width(first: u8) -> usize {
    match first {
        0xF0.. => 3,
        0xE0.. => 2,
        0xC0.. => 1,
        _ => 0,
    }
}

/// For each length, the live states that strings of it reach.
struct Layers {
    known: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, usize>,
    /// From this layer on the layers come back, after so many.
    cycle: Option<(usize, usize)>,
}

impl Layers {
    fn new(search: &Search, budget: &mut Budget) -> Result<Self, Error> {
        let mut first = vec![search.start(budget)?];
        first.retain(|&state| state != Lexer::DEAD);
        let numbers = FxHashMap::from_iter([(first.clone(), 0)]);
        Ok(Self { known: vec![first], numbers, cycle: None })
    }

    /// The states that strings of this length reach.
    fn at(
        &mut self,
        search: &mut Search,
        length: u32,
        budget: &mut Budget,
    ) -> Result<Vec<u32>, Error> {
        let length = length as usize;
        while self.cycle.is_none() && self.known.len() <= length {
            let last = self.known.len() - 1;
            let mut next = Vec::new();
            for &state in &self.known[last] {
                budget.0.spend(1)?;
                next.extend(search.characters(state, budget)?.iter().map(|step| step.0));
            }
            next.sort_unstable();
            next.dedup();
            budget.0.spend(next.len() as u64)?;
            if let Some(&first) = self.numbers.get(&next) {
                self.cycle = Some((first, self.known.len() - first));
                break;
            }
            self.numbers.insert(next.clone(), self.known.len());
            self.known.push(next);
        }
        let place = match self.cycle {
            Some((first, period)) if length >= self.known.len() => {
                first + (length - first) % period
            }
            _ => length,
        };
        Ok(self.known[place].clone())
    }

    /// The least length within bounds that some string has.
    fn first(
        &mut self,
        search: &mut Search,
        bounds: &Language,
        budget: &mut Budget,
    ) -> Result<Option<u32>, Error> {
        let mut length = bounds.min_chars;
        loop {
            if bounds.max_chars.is_some_and(|max| length > max) {
                return Ok(None);
            }
            budget.0.spend(1)?;
            let states = self.at(search, length, budget)?;
            if states.iter().any(|&state| search.lexer.get(state).accepts()) {
                return Ok(Some(length));
            }
            // All layers from `min_chars` on were seen, at least once around.
            if let Some((first, period)) = self.cycle
                && (length - bounds.min_chars) as usize >= period + first
            {
                return Ok(None);
            }
            if states.is_empty() || length == u32::MAX {
                return Ok(None);
            }
            length += 1;
        }
    }
}

#[cfg(test)]
mod tests;
