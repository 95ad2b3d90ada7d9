use std::collections::BTreeMap;
use std::sync::Arc;

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::Program;
use super::table::Meter;
use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::matching::full_match;
use crate::pattern::{
    ByteAutomaton, ByteState, CharSet, Edge, Lazy, Look, Pattern, Stepper, Words,
};

/// Runs a pattern; says for each prefix of the text whether it matches, how many bytes are still due, up to where the
/// run is dead.
fn run(pattern: &Pattern, text: &str) -> Vec<(bool, u32)> {
    let program = Program::new(&Limits::default());
    let start = program.add(pattern, None).expect("within the limits");
    let (lexer, meter) = (Lexer::new(), Meter::default());
    let run = Run { program: &program, ordered: false, meter: &meter };
    let mut fuel = Fuel::new(1_000_000);
    let mut state = lexer.start(run, start, &mut fuel).expect("fuel is left");
    let mut seen = Vec::new();
    for byte in text.bytes() {
        state = lexer.step(run, state, byte, &mut fuel).expect("fuel is left");
        let at = lexer.get(state);
        if !at.accepts() && !at.goes_on() {
            break;
        }
        seen.push((at.accepts(), at.rest()));
    }
    seen
}

#[test]
fn automata_with_cycles_run_inside_patterns() {
    let state = |accepting, edges: &[(u8, u8, u32)]| ByteState { accepting, edges: edges.to_vec() };
    // Words over a and b with an even number of a, at least one of them, that end in b.
    let automaton = ByteAutomaton::new(vec![
        state(false, &[(b'a', b'a', 1), (b'b', b'b', 0)]),
        state(false, &[(b'a', b'a', 2), (b'b', b'b', 1)]),
        state(false, &[(b'a', b'a', 1), (b'b', b'b', 3)]),
        state(true, &[(b'a', b'a', 1), (b'b', b'b', 3)]),
    ])
    .map(Arc::new)
    .expect("well-formed");
    let alone = Pattern::Automaton(Arc::clone(&automaton));
    assert_eq!(run(&alone, "baabx"), [(false, 3), (false, 2), (false, 1), (true, 0)]);
    let around = Pattern::Concat(vec![alone.clone(), Pattern::Bytes(b"!".to_vec())]);
    assert_eq!(run(&around, "aabb!"), [(false, 3), (false, 2), (false, 1), (false, 1), (true, 0)]);
    let twice = Pattern::Repeat { body: Box::new(alone), min: 2, max: Some(2), greedy: true };
    assert_eq!(run(&twice, "aab"), [(false, 5), (false, 4), (false, 3)]);
    assert_eq!(run(&twice, "aabaab").last(), Some(&(true, 0)));
}

/// An automaton that is written down, as if it was not.
#[derive(Debug)]
struct Steps(Arc<ByteAutomaton>);

impl Stepper for Steps {
    fn start(&self) -> Words {
        [0].into()
    }

    fn accepts(&self, state: &[u32]) -> bool {
        self.0.states()[state[0] as usize].accepting
    }

    fn rest(&self, state: &[u32]) -> u32 {
        self.0.rest(state[0] as usize)
    }

    fn edges(&self, state: &[u32]) -> Result<Vec<Edge>, Error> {
        let edges = self.0.states()[state[0] as usize].edges.iter();
        Ok(edges.map(|&(lo, hi, to)| (lo, hi, [to].into())).collect())
    }

    fn bytes(&self) -> &[(u8, u8)] {
        &[(b'a', b'b')]
    }
}

#[test]
fn lazy_automata_run_as_those_that_are_written_down() {
    let state = |accepting, edges: &[(u8, u8, u32)]| ByteState { accepting, edges: edges.to_vec() };
    // Words with a multiple of three letters, two of which are equal only at the end.
    let automaton = Arc::new(
        ByteAutomaton::new(vec![
            state(false, &[(b'a', b'b', 1)]),
            state(false, &[(b'a', b'a', 2), (b'b', b'b', 3)]),
            state(false, &[(b'b', b'b', 4)]),
            state(false, &[(b'a', b'b', 4)]),
            state(true, &[(b'a', b'b', 1)]),
        ])
        .expect("well-formed"),
    );
    let lazy = || Pattern::Lazy(Lazy::new(Steps(Arc::clone(&automaton))));
    let written = || Pattern::Automaton(Arc::clone(&automaton));
    let wrapped = |one: &dyn Fn() -> Pattern, shape: u64| {
        let twice = Pattern::Repeat { body: Box::new(one()), min: 2, max: Some(2), greedy: true };
        let often = Pattern::Repeat { body: Box::new(one()), min: 1, max: Some(90), greedy: true };
        match shape {
            0 => one(),
            1 => Pattern::Concat(vec![one(), Pattern::Bytes(b"ab".to_vec())]),
            2 => Pattern::Alt(vec![Pattern::Bytes(b"aa".to_vec()), one(), twice]),
            3 => Pattern::Concat(vec![often, one()]),
            _ => Pattern::Concat(vec![Look::rest(one(), false).into(), often]),
        }
    };
    let mut random = Random(11);
    for shape in 0..5 {
        for _ in 0..60 {
            let text: String =
                (0..14).map(|_| char::from(b"ab"[random.below(2) as usize])).collect();
            let (is, due) = (wrapped(&lazy, shape), wrapped(&written, shape));
            assert_eq!(run(&is, &text), run(&due, &text), "{shape} {text}");
            assert_eq!(full_match(&is, &text), full_match(&due, &text));
        }
    }
    let missing: [bool; 256] = std::array::from_fn(|byte| byte == usize::from(b'b'));
    let program = Program::new(&Limits::default());
    let start = program.add(&lazy(), None).expect("within the limits");
    let run = Run { program: &program, ordered: false, meter: &Meter::default() };
    let needed = Lexer::new().needed_byte(run, start, &missing, &mut Fuel::new(100_000));
    assert_eq!(needed, Ok(Some(b'b')));
    assert!(program.used_bytes()[usize::from(b'a')] && !program.used_bytes()[usize::from(b'c')]);
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn pattern(&mut self, depth: u32) -> Pattern {
        let choice = if depth == 0 { self.below(4) } else { self.below(12) };
        match choice {
            0 | 1 => Pattern::Bytes(vec![b"ab"[self.below(2) as usize]]),
            2 => Pattern::Class(CharSet::new([('a', 'b')])),
            3 => Pattern::Empty,
            4..=6 => {
                let count = 2 + self.below(2);
                Pattern::Concat((0..count).map(|_| self.pattern(depth - 1)).collect())
            }
            7 => Pattern::Alt((0..2).map(|_| self.pattern(depth - 1)).collect()),
            8 | 9 => {
                let min = self.below(3) as u32;
                let max = match self.below(3) {
                    0 => Some(min + self.below(3) as u32),
                    _ => None,
                };
                Pattern::Repeat { body: Box::new(self.pattern(depth - 1)), min, max, greedy: true }
            }
            _ => {
                let (behind, negative) = (self.below(2) == 0, self.below(2) == 0);
                let body = self.pattern(depth - 1);
                Pattern::from(Look { behind, negative, body, open: self.below(4) > 0 })
            }
        }
    }
}

/// All texts over `ab` of up to `longest` letters.
fn texts(longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let until = all.len();
        for at in from..until {
            all.extend(["a", "b"].map(|letter| format!("{}{letter}", all[at])));
        }
        from = until;
    }
    all
}

/// The states of conditional patterns accept what the definition says, know the dead from the living, and know how
/// many bytes are due.
#[test]
fn random_conditions_mean_what_they_say() {
    const LONGEST: usize = 6;
    let texts = texts(LONGEST);
    let mut random = Random(0x5eed_1234_abcd_0001);
    let (mut conditional, mut dead) = (0, 0);
    for round in 0..1500 {
        let pattern = random.pattern(4);
        if pattern.is_void() {
            continue;
        }
        conditional += u32::from(pattern.has_look());
        let matches: BTreeMap<&str, bool> =
            texts.iter().map(|text| (text.as_str(), full_match(&pattern, text))).collect();
        assert_eq!(matches[""], pattern.is_nullable(), "{pattern:?}");
        let program = Program::new(&Limits::default());
        let start = program.add(&pattern, None).expect("within the limits");
        let (lexer, meter) = (Lexer::new(), Meter::default());
        let run = Run { program: &program, ordered: false, meter: &meter };
        let mut fuel = Fuel::new(100_000_000);
        let mut states = BTreeMap::from([("", lexer.start(run, start, &mut fuel).expect("fuel"))]);
        for text in &texts {
            if let Some((before, byte)) =
                text.len().checked_sub(1).map(|n| (&text[..n], text.as_bytes()[n]))
            {
                let state = lexer.step(run, states[before], byte, &mut fuel).expect("fuel");
                states.insert(text, state);
            }
            let state = lexer.get(states[text.as_str()]);
            let is_start = text.is_empty();
            let accepts = !is_start && matches[text.as_str()];
            assert_eq!(state.accepts(), accepts, "round {round}: {pattern:?} on {text:?}");
            let after = texts.iter().filter(|t| {
                t.starts_with(text.as_str())
                    && (t.len() > text.len() || accepts)
                    && matches[t.as_str()]
            });
            let due = after.map(|t| t.len() - text.len()).min();
            let is_dead = states[text.as_str()] == Lexer::DEAD || state.rest() == u32::MAX;
            dead += u32::from(is_dead);
            match due {
                Some(due) => {
                    assert_eq!(state.rest(), due as u32, "round {round}: {pattern:?} on {text:?}")
                }
                None => assert!(
                    is_dead || state.rest() as usize > LONGEST - text.len(),
                    "{pattern:?} on {text:?}"
                ),
            }
            let longer = texts.iter().any(|t| {
                t.starts_with(text.as_str()) && t.len() > text.len() && matches[t.as_str()]
            });
            assert!(!longer || state.goes_on(), "{pattern:?} on {text:?}");
            let steps = ["a", "b"].iter().any(|byte| {
                let next = lexer.step(run, states[text.as_str()], byte.as_bytes()[0], &mut fuel);
                next.expect("fuel") != Lexer::DEAD
            });
            assert!(!pattern.has_look() || !state.goes_on() || steps, "{pattern:?} on {text:?}");
        }
    }
    assert!(
        conditional > 700 && dead > 10_000,
        "{conditional} conditional patterns, {dead} dead ends"
    );
}

/// A terminal of several patterns knows what none of them shows alone: where a length and a pattern exclude each
/// other, and that large counts are no reason to look at many states.
#[test]
fn products_know_where_they_are_dead() {
    let repeat =
        |body: Pattern, min, max| Pattern::Repeat { body: Box::new(body), min, max, greedy: true };
    let bytes = |text: &str| Pattern::Bytes(text.as_bytes().to_vec());
    let length = |min, max| repeat(Pattern::Class(CharSet::all()), min, max);
    let odd = Pattern::Concat(vec![bytes("a"), repeat(bytes("bb"), 0, None)]);
    let product = |parts: &[(&Pattern, bool)], pattern: &Pattern| {
        let also = parts.iter().map(|(part, wanted)| Look::rest((*part).clone(), !wanted).into());
        Pattern::Concat(also.chain([pattern.clone()]).collect())
    };
    let short = product(&[(&length(0, Some(4)), true)], &odd);
    assert_eq!(run(&short, "abbb"), [(true, 0), (false, 1), (true, 0)]);
    let long = product(&[(&length(0, Some(1_000_000)), true)], &odd);
    assert_eq!(run(&long, "abbb"), [(true, 0), (false, 1), (true, 0), (false, 1)]);
    let due = product(&[(&length(6, Some(9)), true)], &odd);
    assert_eq!(run(&due, "ab"), [(false, 6), (false, 5)]);
    let never = product(&[(&length(4, Some(4)), true)], &odd);
    assert_eq!(run(&never, "a"), []);
    let other = product(&[(&bytes("abb"), false)], &odd);
    assert_eq!(run(&other, "abb"), [(true, 0), (false, 3), (false, 2)]);
    let characters = product(&[(&length(2, Some(2)), true)], &length(0, None));
    assert_eq!(run(&characters, "é€"), [(false, 2), (false, 1), (false, 2), (false, 1), (true, 0)]);
}
