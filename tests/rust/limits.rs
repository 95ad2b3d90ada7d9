//! Limits: each is reached at its default and at a lowered value, is named by its error, and changes no answer.

mod support;

use stackmask::{CompiledGrammar, Error, Grammar, Limits, Matcher, Vocabulary, Whitespace};
use std::sync::Arc;
use support::masks::mask;
use support::random::{Random, seed};
use support::vocabularies;

/// The name of the limit that an error reports.
fn name<T>(outcome: Result<T, Error>) -> &'static str {
    match outcome {
        Err(Error::TooComplex { name, .. }) => name,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("no error"),
    }
}

fn regex(pattern: &str) -> Grammar {
    Grammar::from_regex(pattern, &Limits::default()).expect("a pattern")
}

fn compile(
    grammar: &Grammar,
    vocabulary: &Arc<Vocabulary>,
    limits: Limits,
) -> Result<CompiledGrammar, Error> {
    CompiledGrammar::new(grammar, vocabulary.clone(), &limits)
}

fn bytes() -> Arc<Vocabulary> {
    vocabularies::bytes_and(&[])
}

/// Whether the `n`th letter from the end is an `a`: as many states as there are texts of `n` letters, each with up
/// to `n` places in the pattern.
fn nth_from_the_end(n: usize) -> Grammar {
    regex(&format!("[ab]*a[ab]{{{}}}", n - 1))
}

/// Accepts random letters until that fails.
fn until_it_fails(matcher: &mut Matcher, steps: usize) -> Result<(), Error> {
    let mut random = Random::new(1);
    for _ in 0..steps {
        assert!(matcher.accept_token(u32::from(*random.pick(b"ab")))?);
    }
    Ok(())
}

#[test]
fn instructions() {
    let long = regex(&"[ab][bc]".repeat(3_000));
    let lowered = Limits { instructions: 5_000, ..Limits::default() };
    assert_eq!(name(compile(&long, &bytes(), lowered)), "instructions");
    compile(&long, &bytes(), Limits::default()).expect("within the default");
    let longest = Grammar::from_regex(&"[ab]".repeat(2_010_000), &Limits::default());
    let outcome = longest.and_then(|grammar| compile(&grammar, &bytes(), Limits::default()));
    assert_eq!(name(outcome), "instructions");
}

#[test]
fn source_nesting() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    let parse = |depth: usize, limits: &Limits| Grammar::from_regex(&nested(depth), limits);
    let lowered = Limits { source_nesting: 10, ..Limits::default() };
    assert!(parse(9, &lowered).is_ok() && parse(250, &Limits::default()).is_ok());
    assert_eq!(name(parse(11, &lowered)), "source_nesting");
    assert_eq!(name(parse(257, &Limits::default())), "source_nesting");
}

#[test]
fn state_bytes() {
    for (n, state_bytes) in [(50, 1 << 20), (20_000, Limits::default().state_bytes)] {
        let limits = Limits { state_bytes, ..Limits::default() };
        let compiled = compile(&nth_from_the_end(n), &bytes(), limits).expect("it compiles");
        let mut matcher = compiled.matcher();
        assert_eq!(name(until_it_fails(&mut matcher, 1_000_000)), "state_bytes");
        let taken = matcher.num_accepted();
        matcher.rollback(taken - 1).expect("as many steps back");
        assert!(mask(&mut matcher)[usize::from(b'a')]);
        // A new text begins with tables of its own.
        matcher.reset();
        until_it_fails(&mut matcher, taken / 2).expect("as far as before");
        assert!(mask(&mut matcher)[usize::from(b'b')]);
    }
}

#[test]
fn step_work() {
    // One token of many letters, each of which is a step of many places.
    let mut random = Random::new(1);
    let letters = (0..16_000).map(|_| *random.pick(b"ab")).collect();
    let vocabulary = vocabularies::bytes_and(&[letters]);
    for (n, step_work) in [(50, 10_000), (30_000, Limits::default().step_work)] {
        let limits = Limits { step_work, state_bytes: usize::MAX, ..Limits::default() };
        let compiled = compile(&nth_from_the_end(n), &vocabulary, limits).expect("it compiles");
        let mut matcher = compiled.matcher();
        assert!(matcher.accept_token(u32::from(b'a')).expect("a step"));
        assert_eq!(name(matcher.accept_token(256)), "step_work");
        assert_eq!(matcher.num_accepted(), 1);
        assert!(matcher.accept_token(u32::from(b'b')).expect("a step"));
        if n == 50 {
            matcher.rollback(2).expect("as many steps back");
            let mut words = vec![7; vocabulary.vocab_size().div_ceil(32)];
            assert_eq!(name(matcher.fill_mask(&mut words)), "step_work");
            assert!(words.iter().all(|&word| word == 7), "written in spite of an error");
        }
    }
}

/// Masks along random documents, which the masks before decide.
fn walk(compiled: &CompiledGrammar, random: &mut Random) -> Vec<Vec<bool>> {
    let mut matcher = compiled.matcher();
    let mut masks = Vec::new();
    while masks.len() < 40 && !matcher.is_terminated() {
        let bits = mask(&mut matcher);
        let allowed: Vec<usize> = (0..bits.len()).filter(|&i| bits[i]).collect();
        assert_eq!(matcher.accept_token(*random.pick(&allowed) as u32), Ok(true));
        masks.push(bits);
    }
    masks
}

#[test]
fn masks_that_are_not_remembered_are_the_same() {
    let vocabulary = vocabularies::json();
    let grammar = Grammar::json(Whitespace::Bounded);
    let [plenty, tiny, none] = [Limits::default().mask_bytes, 4_000, 0].map(|mask_bytes| {
        let limits = Limits { mask_bytes, ..Limits::default() };
        compile(&grammar, &vocabulary, limits).expect("it compiles")
    });
    let start = seed();
    for document in 0..60 {
        let [a, b, c] = [&plenty, &tiny, &none]
            .map(|compiled| walk(compiled, &mut Random::new(start.wrapping_add(document))));
        assert!(a == b && b == c, "STACKMASK_SEED={start}, document {document}");
    }
    let remembers = |compiled: &CompiledGrammar| {
        let mut matcher = compiled.matcher();
        mask(&mut matcher);
        matcher.ready_mask().is_some()
    };
    assert!(remembers(&plenty) && !remembers(&none));
}

#[test]
fn mask_bytes() {
    // A vocabulary of many ids, whose bitmaps are large.
    let letters = || b'a'..=b'z';
    let words =
        letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| (a, b, c))));
    let mut tokens: Vec<_> = words.map(|(a, b, c)| Some(vec![a, b, c])).collect();
    tokens.extend(letters().map(|a| Some(vec![a])));
    for (ids, mask_bytes) in [(1 << 16, 1 << 20), (1 << 24, Limits::default().mask_bytes)] {
        let stop = ids as u32 - 1;
        let vocabulary = Vocabulary::new(tokens.clone(), &[stop], &[stop], Some(ids));
        let vocabulary = Arc::new(vocabulary.expect("a vocabulary"));
        let fit = mask_bytes / (ids / 8);
        // No two masks are equal, as those would share a bitmap: each step leaves out other letters.
        let without = |left_out: usize| -> String {
            letters().filter(|&letter| letter != b'a' + left_out as u8).map(char::from).collect()
        };
        let left_out = |step: usize| (step % 26, step / 26);
        let step = |at: usize| {
            let (second, third) = left_out(at);
            format!("[a-m][{}][{}]", without(second), without(third))
        };
        let grammar = regex(&(0..fit + 20).map(step).collect::<String>());
        let limits = Limits { mask_bytes, ..Limits::default() };
        let compiled = compile(&grammar, &vocabulary, limits).expect("it compiles");
        let (mut matcher, mut remembered) = (compiled.matcher(), 0);
        let mut words = vec![0u32; ids / 32];
        for at in 0..fit + 10 {
            matcher.fill_mask(&mut words).expect("a mask");
            let (second, third) = left_out(at);
            for id in 0..26 * 26 * 26 {
                let (a, b, c) = (id / 676, id / 26 % 26, id % 26);
                let fits = a < 13 && b != second && c != third;
                assert_eq!(words[id / 32] >> (id % 32) & 1 == 1, fits, "token {id}");
            }
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            assert_eq!(count, 13 * 25 * 25 + 13);
            remembered += usize::from(matcher.ready_mask().is_some());
            let next = (second + 1) % 26 * 26 + (third + 1) % 26;
            assert_eq!(matcher.accept_token(next as u32), Ok(true));
        }
        assert!((fit / 2..=fit).contains(&remembered), "{remembered} of {fit} masks that fit");
    }
}

#[test]
fn full_tables_make_room_and_stay_exact() {
    let vocabulary = vocabularies::json();
    let grammar = Grammar::json(Whitespace::Any);
    let large = compile(&grammar, &vocabulary, Limits::default()).expect("it compiles");
    let fresh = large.memory_bytes();
    let bound = 200_000;
    let limits = Limits { state_bytes: bound, mask_bytes: bound, ..Limits::default() };
    let small = compile(&grammar, &vocabulary, limits).expect("it compiles");
    let start = seed();
    let mut dropped = 0;
    let mut held = small.memory_bytes();
    for document in 0..400 {
        let at = |compiled| walk(compiled, &mut Random::new(start.wrapping_add(document)));
        assert!(at(&large) == at(&small), "STACKMASK_SEED={start}, document {document}");
        dropped += usize::from(small.memory_bytes() < held);
        held = small.memory_bytes();
        assert!(held < fresh + 3 * bound, "{held} bytes");
    }
    assert!(dropped > 0, "tables were never full");
    assert!(large.memory_bytes() > fresh);
}
