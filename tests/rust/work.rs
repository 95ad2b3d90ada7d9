//! Work, counted: what a step costs once its states are made, and how that depends on the length of the text.

mod support;

use stackmask::{
    CompiledGrammar, Ending, Expr, Grammar, JsonSchemaOptions, Limits, Matcher, RuleId, Spelling,
    Whitespace,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use support::grammars::{ambiguous_sums, compile, of_schema, text};
use support::vocabularies;

/// Counts what the thread allocates, and the bytes that it holds.
struct Counting;

thread_local!(static ALLOCATIONS: Cell<u64> = const { Cell::new(0) });
thread_local!(static HELD: Cell<isize> = const { Cell::new(0) });

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without; this one only counts and passes on"
)]
// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        HELD.set(HELD.get() + layout.size() as isize);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn accept(matcher: &mut Matcher, bytes: &[u8]) {
    for &byte in bytes {
        assert_eq!(matcher.accept_token(u32::from(byte)), Ok(true));
    }
}

#[test]
fn warm_steps_allocate_and_walk_nothing() {
    let vocabulary = vocabularies::json();
    let compiled = compile(&Grammar::json(Whitespace::Bounded), &vocabulary);
    let document =
        br#"{"id": [1, -2.5e3, {"a\n": null}], "name": {"x": [[], {}, true, "\u00e9"]}}"#;
    let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
    let mut matcher = compiled.matcher();
    let replay = |matcher: &mut Matcher, words: &mut [u32]| {
        for &byte in document {
            matcher.fill_mask(words).expect("a mask");
            assert!(matcher.accept_token(u32::from(byte)).expect("a step"));
        }
        matcher.rollback(document.len()).expect("as many steps back");
    };
    replay(&mut matcher, &mut words);
    let (nodes, before) = (compiled.nodes_walked(), ALLOCATIONS.get());
    for _ in 0..10_000 / document.len() + 1 {
        replay(&mut matcher, &mut words);
    }
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations");
    assert_eq!(compiled.nodes_walked() - nodes, 0, "nodes walked");
    assert!(nodes > 0, "the first replay walked");
}

#[test]
fn keys_that_run_out_cost_nothing_once_they_are_known() {
    let vocabulary = vocabularies::json();
    let schema = r#"{"propertyNames":{"maxLength":2},"additionalProperties":{"type":"integer"}}"#;
    let compiled = of_schema(schema, Spelling::Any, &vocabulary);
    let mut matcher = compiled.matcher();
    let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
    let mut replay = || {
        let text = br#"{"ab":1,"a":22,"":3,"\u0061b":4"#;
        let mut masks = Vec::with_capacity(text.len());
        for &byte in text {
            matcher.fill_mask(&mut words).expect("a mask");
            let sum = words.iter().fold(0u64, |sum, &word| sum.rotate_left(5) ^ u64::from(word));
            masks.push(sum);
            if !matcher.accept_token(u32::from(byte)).expect("a step") {
                break;
            }
        }
        // The key comes a second time, in another spelling.
        assert!(masks.len() < text.len());
        matcher.rollback(masks.len() - 1).expect("as many steps back");
        masks
    };
    let first = replay();
    let before = (ALLOCATIONS.get(), compiled.nodes_walked());
    let again = replay();
    assert_eq!(again, first);
    // The list of masks is the test's own.
    assert_eq!((ALLOCATIONS.get() - 1, compiled.nodes_walked()), before);
}

/// `list: N | N "," list`
fn right_recursive() -> Grammar {
    let mut grammar = Grammar::new(Ending::Free);
    let [number, comma] = [b"1", b","].map(|t| text(&mut grammar, t));
    let list = Expr::Rule(RuleId(0));
    let longer = Expr::Seq(vec![number.clone(), comma, list]);
    grammar.rule("list", Expr::Alt(vec![number, longer]));
    grammar
}

#[test]
fn right_recursive_lists_take_no_stack() {
    let compiled = compile(&right_recursive(), &vocabularies::bytes_and(&[]));
    let mut matcher = compiled.matcher();
    accept(&mut matcher, &b"1,".repeat(10));
    let held = compiled.memory_bytes();
    accept(&mut matcher, &b"1,".repeat(99_990));
    assert_eq!(compiled.memory_bytes(), held);
}

#[test]
fn nesting_costs_the_same_on_each_level() {
    let compiled = compile(&Grammar::json(Whitespace::Bounded), &vocabularies::json());
    let mut matcher = compiled.matcher();
    let mut words = vec![0; matcher.vocabulary().vocab_size().div_ceil(32)];
    let mut deeper = |matcher: &mut Matcher| {
        let (held, nodes) = (compiled.memory_bytes(), compiled.nodes_walked());
        for _ in 0..2_500 {
            matcher.fill_mask(&mut words).expect("a mask");
            accept(matcher, b"[");
        }
        (compiled.memory_bytes() - held, compiled.nodes_walked() - nodes)
    };
    deeper(&mut matcher);
    let second = deeper(&mut matcher);
    assert_eq!(second, deeper(&mut matcher));
    assert_eq!(second, deeper(&mut matcher));
    assert_eq!(second.1, 0, "nodes walked");
}

#[test]
fn ambiguity_makes_no_states_with_length() {
    let compiled = compile(&ambiguous_sums(), &vocabularies::bytes_and(&[]));
    let mut matcher = compiled.matcher();
    accept(&mut matcher, &b"1+2*".repeat(50));
    let held = compiled.memory_bytes();
    accept(&mut matcher, &b"1+2*".repeat(450));
    assert_eq!(compiled.memory_bytes(), held);
}

#[test]
fn fresh_tables_are_small() {
    let vocabulary = vocabularies::json();
    let grammar = Grammar::json(Whitespace::Bounded);
    let made: Vec<CompiledGrammar> = (0..10)
        .map(|_| {
            let compiled = CompiledGrammar::new(&grammar, vocabulary.clone(), &Limits::default());
            compiled.expect("it compiles")
        })
        .collect();
    assert!(made.iter().all(|compiled| compiled.memory_bytes() < 40_000));
}

#[test]
fn memory_is_what_was_allocated() {
    let vocabulary = vocabularies::json();
    let used = || {
        let compiled = compile(&Grammar::json(Whitespace::Bounded), &vocabulary);
        let mut matcher = compiled.matcher();
        let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
        for &byte in
            br#"{"id": [1, -2.5e3, {"a\n": null}], "name": {"x": [[], {}, true, "\u00e9"]}}"#
        {
            matcher.fill_mask(&mut words).expect("a mask");
            assert_eq!(matcher.accept_token(u32::from(byte)), Ok(true));
        }
        compiled
    };
    // What belongs to the vocabulary and to all grammars is made with the first.
    drop(used());
    let before = HELD.get();
    let compiled = used();
    let held = usize::try_from(HELD.get() - before).expect("more than before");
    let told = compiled.memory_bytes();
    assert!(told > held / 2 && told < held * 2, "{told} bytes told, {held} held");
}

#[test]
fn long_strings_are_not_counted_out_for_a_mask() {
    let tokens: Vec<Vec<u8>> = (1..=400).map(|length| vec![b'a'; length]).collect();
    let vocabulary = vocabularies::bytes_and(&tokens);
    let schema = r#"{"type": "string", "maxLength": 100000}"#;
    let grammar =
        Grammar::from_json_schema(schema, &JsonSchemaOptions::default(), &Limits::default());
    let compiled = compile(&grammar.expect("a grammar"), &vocabulary);
    let mut matcher = compiled.matcher();
    accept(&mut matcher, b"\"");
    let before = compiled.num_states();
    let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
    matcher.fill_mask(&mut words).expect("a mask");
    let made = compiled.num_states() - before;
    assert!(made < 100, "{made} states");
    assert!(compiled.nodes_walked() < 1_000, "{} nodes", compiled.nodes_walked());
}

#[test]
fn masks_make_no_states_within_terminals() {
    // White space of every width, with a value's beginning behind it or without.
    let tokens: Vec<Vec<u8>> = (1..=60)
        .flat_map(|width| ["", "\"", "{", "1", "\"ab\": ", "\"abc\": \""].map(|end| (width, end)))
        .map(|(width, end)| [&b"\n"[..], &b" ".repeat(width), end.as_bytes()].concat())
        .collect();
    let vocabulary = vocabularies::bytes_and(&tokens);
    let mut walked = Vec::new();
    for schema in [
        r#"{"properties": {"abc": {"type": ["string", "number"]}}, "additionalProperties": false}"#,
        r#"{"properties": {"x": {"type": ["string", "number"]}}, "additionalProperties": false}"#,
    ] {
        let options = JsonSchemaOptions::default();
        let grammar = Grammar::from_json_schema(schema, &options, &Limits::default());
        let compiled = compile(&grammar.expect("a grammar"), &vocabulary);
        let mut matcher = compiled.matcher();
        let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
        matcher.fill_mask(&mut words).expect("a mask");
        accept(&mut matcher, b"{");
        let before = compiled.num_states();
        matcher.fill_mask(&mut words).expect("a mask");
        // The gap has 60 states, the key and the value have some too.
        let made = compiled.num_states() - before;
        assert!(made < 12, "{made} states");
        walked.push(compiled.nodes_walked());
    }
    assert!(walked.iter().all(|nodes| *nodes < 60), "{walked:?} nodes");
}

#[test]
fn matchers_are_small() {
    let compiled = compile(&Grammar::json(Whitespace::Bounded), &vocabularies::json());
    let before = HELD.get();
    let mut matcher = compiled.matcher();
    assert!(HELD.get() - before + size_of::<Matcher>() as isize <= 1_024);
    let text = b"[".repeat(1 << 12);
    let mut warm = matcher.clone();
    accept(&mut warm, &text);
    drop(warm);
    let before = HELD.get();
    accept(&mut matcher, &text);
    // A vector has room for up to twice what it holds.
    assert!(HELD.get() - before <= 2 * 32 * text.len() as isize);
}
