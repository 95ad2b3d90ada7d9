use std::sync::Arc;

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::Program;
use super::table::Meter;
use crate::limits::Limits;
use crate::pattern::{ByteAutomaton, ByteState, Pattern};

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
        seen.push((at.accepts(), at.rest));
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
