//! Whether a terminal can be finished from wherever it stands by a writer who lacks some bytes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::{Inst, Pc, Program};
use crate::error::Error;

/// Bytes that cannot be written one by one, by their value. Tokens of several bytes may still hold them.
pub(crate) type Missing = [bool; 256];

/// States of a terminal that are followed before each missing byte counts as needed.
const STATES: usize = 4_096;

impl Lexer {
    /// A missing byte that some text of the terminal at `start` may come to need, if there is one.
    pub(crate) fn needed_byte(
        &self,
        run: Run<'_>,
        start: Pc,
        missing: &Missing,
        fuel: &mut Fuel,
    ) -> Result<Option<u8>, Error> {
        let Some(byte) = run.program.byte_needed_by(start, missing) else { return Ok(None) };
        // Instructions alone do not tell what conditions leave, nor that another thread leads on.
        let first = self.start(run, start, fuel)?;
        if first == Self::DEAD {
            return Ok(None);
        }
        let mut states = vec![first];
        let mut numbers = FxHashMap::from_iter([(states[0], 0)]);
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            for byte in 0..=255 {
                fuel.spend(1)?;
                let next = self.step(run, state, byte, fuel)?;
                if next == Self::DEAD {
                    continue;
                }
                let number = *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    before.push(Vec::new());
                    states.len() - 1
                });
                if !missing[usize::from(byte)] {
                    before[number].push(at);
                }
            }
            if states.len() > STATES {
                return Ok(Some(byte));
            }
            at += 1;
        }
        let mut finishes = vec![false; states.len()];
        let mut todo: Vec<usize> =
            (0..states.len()).filter(|&at| self.get(states[at]).accepts()).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut finishes[at], true) {
                todo.extend(&before[at]);
            }
        }
        Ok(if finishes.contains(&false) { Some(byte) } else { None })
    }
}

impl Program {
    /// As [`Lexer::needed_byte`], by the instructions alone, so that it may say too much.
    ///
    /// A text can be in the middle of any instruction, also behind a missing byte. If each instruction leads to the
    /// end by bytes that can be written, so does each set of them. Conditions on the text around are not looked into.
    fn byte_needed_by(&self, start: Pc, missing: &Missing) -> Option<u8> {
        let mut reachable = vec![start];
        let mut seen = FxHashSet::from_iter([start]);
        // For each instruction those from which it can be reached by what can be written.
        let mut before: FxHashMap<Pc, Vec<Pc>> = FxHashMap::default();
        let mut conditional = false;
        let mut first = None;
        let mut at = 0;
        while let Some(&pc) = reachable.get(at) {
            at += 1;
            let mut link = |to: Pc, writable: bool| {
                if writable {
                    before.entry(to).or_default().push(pc);
                }
                if seen.insert(to) {
                    reachable.push(to);
                }
            };
            match self.inst(pc) {
                Inst::Match | Inst::All => {}
                Inst::Bytes(ranges) => {
                    for &(lo, hi, to) in ranges.iter() {
                        link(to, (lo..=hi).any(|byte| !missing[usize::from(byte)]));
                        let lacking = (lo..=hi).find(|&byte| missing[usize::from(byte)]);
                        first = first.or(lacking);
                    }
                }
                Inst::Split(targets) => targets.iter().for_each(|&to| link(to, true)),
                Inst::Lazy { lazy, next } => {
                    let bytes = lazy.stepper().bytes().iter().flat_map(|&(lo, hi)| lo..=hi);
                    let lacking = bytes.into_iter().find(|&byte| missing[usize::from(byte)]);
                    conditional |= lacking.is_some();
                    first = first.or(lacking);
                    link(*next, true);
                }
                &Inst::Begin { inside: head } | &Inst::Enter { head } => link(head, true),
                &Inst::Loop { body, exit, .. } => {
                    link(exit, true);
                    // A round has to lead back here, and from here the way out counts alone.
                    link(body, false);
                }
                &Inst::Ahead { next, .. } | &Inst::Behind { next, .. } => {
                    conditional = true;
                    link(next, true);
                }
            }
        }
        let first = first?;
        if conditional {
            return Some(first);
        }
        let mut finishes = FxHashSet::default();
        let mut todo: Vec<Pc> =
            reachable.iter().copied().filter(|&pc| matches!(self.inst(pc), Inst::Match)).collect();
        while let Some(pc) = todo.pop() {
            if finishes.insert(pc) {
                todo.extend(before.get(&pc).into_iter().flatten());
            }
        }
        reachable.iter().any(|pc| !finishes.contains(pc)).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::pattern::python::{self, Anchors, Flags};
    use crate::pattern::{Look, Pattern};
    use crate::terminal::table::Meter;

    fn parsed(pattern: &str) -> Pattern {
        python::parse(pattern, Flags::default(), Anchors::FullMatch, &Limits::default())
            .expect("a pattern")
    }

    fn needed(pattern: &Pattern, lacking: &[u8]) -> Option<u8> {
        let limits = Limits::default();
        let program = Program::new(&limits);
        let start = program.add(pattern, None).expect("a program");
        let mut missing = [false; 256];
        lacking.iter().for_each(|&byte| missing[usize::from(byte)] = true);
        let run = Run { program: &program, ordered: false, meter: &Meter::default() };
        let mut fuel = Fuel::new(limits.step_work);
        Lexer::new().needed_byte(run, start, &missing, &mut fuel).expect("within the limits")
    }

    #[test]
    fn a_byte_is_needed_where_nothing_else_leads_on() {
        for (pattern, lacking, expected) in [
            ("abc", &b"b"[..], Some(b'b')),
            ("abc", b"x", None),
            ("[ab]c", b"a", None),
            ("[ab]c", b"ab", Some(b'a')),
            // The end is near without it, but behind an `a` it is far.
            ("x|ab", b"b", Some(b'b')),
            ("x|ab?", b"b", None),
            ("(?s:.)*", b"\xf1\xf2\x04\xc0", None),
            // Behind the first byte of such a character only one byte leads on.
            ("[\u{40000}a]", b"\xf1", None),
            ("[\u{40000}a]", b"\x80", Some(0x80)),
            ("(ab){100}", b"b", Some(b'b')),
            ("([ab]c){5,100}", b"b", None),
            ("(a|bc){0,100}", b"c", Some(b'c')),
            // One thread cannot go on, and another can.
            ("(ab|a)c", b"b", None),
        ] {
            assert_eq!(
                needed(&parsed(pattern), lacking),
                expected,
                "{pattern} without {lacking:?}"
            );
        }
    }

    #[test]
    fn conditions_count() {
        let not_a = Pattern::Look(Box::new(Look::ahead(parsed("a"), true)));
        let pattern = Pattern::Concat(vec![not_a, parsed("[ab]c")]);
        assert_eq!(needed(&pattern, b"a"), None);
        assert_eq!(needed(&pattern, b"b"), Some(b'b'));
    }
}
