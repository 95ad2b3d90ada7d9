//! When a text may end, and tokens that are no text.

mod support;

use stackmask::{CompiledGrammar, Ending, Expr, Grammar, Limits, Matcher, RuleId, Vocabulary};
use std::sync::Arc;
use support::grammars::{compile, matcher, regex, text};
use support::masks::allowed;
use support::vocabularies::words;

/// Tokens of which `stop` end the text and `special` are no text.
fn vocabulary(tokens: &[&[u8]], stop: &[u32], special: &[u32]) -> Arc<Vocabulary> {
    let tokens = tokens.iter().map(|t| Some(t.to_vec())).collect();
    Arc::new(Vocabulary::new(tokens, stop, special, None).expect("a vocabulary"))
}

/// `"ok" <token 2>`, then nothing.
fn ends_in_token(vocabulary: &Arc<Vocabulary>) -> Matcher {
    let mut g = Grammar::new(Ending::Free);
    let ok = text(&mut g, b"ok");
    g.rule("start", Expr::Seq(vec![ok, Expr::Token(2)]));
    matcher(&g, vocabulary)
}

#[test]
fn a_stop_token_is_allowed_exactly_when_the_text_is_complete() {
    let mut m = matcher(&regex("a{1,2}"), &words(&[b"", b"a", b"b"]));
    assert_eq!(allowed(&mut m), [1]);
    assert_eq!(m.accept_token(0), Ok(false));
    assert_eq!(m.accept_token(1), Ok(true));
    assert!(m.is_completed() && !m.is_terminated());
    assert_eq!(allowed(&mut m), [0, 1]);
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [0]);
    assert_eq!(m.accept_token(0), Ok(true));
    assert!(m.is_completed() && m.is_terminated());
    assert_eq!(m.num_accepted(), 3);
}

#[test]
fn nothing_is_accepted_after_the_end() {
    let mut m = matcher(&regex("a+"), &words(&[b"", b"a"]));
    assert_eq!(m.accept_tokens(&[1, 0, 1, 0]), Ok(2));
    assert_eq!(allowed(&mut m), [0]);
    assert_eq!(m.accept_token(0), Ok(false));
    assert_eq!(m.accept_token(1), Ok(false));
    assert_eq!(m.accept_tokens(&[1]), Ok(0));
    assert_eq!(m.accept_bytes(b"a"), Ok(0));
    assert_eq!(m.validate_tokens(&[1]), Ok(0));
    assert_eq!(m.num_accepted(), 2);
    m.rollback(1).expect("the stop token is a step");
    assert!(!m.is_terminated());
    assert_eq!(m.accept_tokens(&[1, 1, 0]), Ok(3));
    m.reset();
    assert_eq!((m.num_accepted(), m.is_completed(), m.is_terminated()), (0, false, false));
    assert_eq!(allowed(&mut m), [1]);
}

#[test]
fn validation_stops_at_the_end_too() {
    let m = matcher(&regex("a+"), &words(&[b"", b"a", b"b"]));
    assert_eq!(m.validate_tokens(&[1, 1, 0, 1]), Ok(3));
    assert_eq!(m.validate_tokens(&[1, 2, 1]), Ok(1));
    assert_eq!(m.validate_tokens(&[0]), Ok(0));
    assert_eq!(m.num_accepted(), 0);
}

#[test]
fn a_matcher_may_have_stop_tokens_of_its_own() {
    let vocabulary = vocabulary(&[b"", b"a", b"<turn>", b"aa"], &[0], &[0, 2]);
    let compiled = compile(&regex("a+"), &vocabulary);
    let mut m = compiled.matcher_with_stops(&[2]).expect("an id of the vocabulary");
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [1, 2, 3]);
    assert_eq!(m.accept_token(0), Ok(false));
    assert_eq!(m.accept_token(2), Ok(true));
    assert!(m.is_terminated());
    assert_eq!(allowed(&mut m), [2]);
    let mut both = compiled.matcher_with_stops(&[0, 2]).expect("ids of the vocabulary");
    assert_eq!(both.accept_token(3), Ok(true));
    assert_eq!(allowed(&mut both), [0, 1, 2, 3]);
    assert!(compiled.matcher_with_stops(&[4]).is_err());
}

#[test]
fn the_empty_text_is_complete_at_once() {
    let vocabulary = words(&[b"", b"a"]);
    let mut g = Grammar::new(Ending::Free);
    g.rule("start", Expr::Empty);
    let mut m = matcher(&g, &vocabulary);
    assert!(m.is_completed());
    assert_eq!(allowed(&mut m), [0]);
    assert_eq!(m.forced_tokens(), Ok(vec![0]));
    assert_eq!(m.shortest_completion(), Ok(Vec::new()));
}

#[test]
fn a_stop_token_that_the_grammar_requires_is_taken_by_the_grammar_first() {
    let vocabulary = vocabulary(&[b"", b"ok", b"<return>", b"k", b"o"], &[0, 2], &[0, 2]);
    let mut m = ends_in_token(&vocabulary);
    assert_eq!(allowed(&mut m), [1, 4]);
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [2]);
    assert_eq!(m.accept_token(0), Ok(false));
    assert_eq!(m.accept_token(2), Ok(true));
    assert!(m.is_completed() && !m.is_terminated());
    assert_eq!(allowed(&mut m), [0, 2]);
    assert_eq!(m.accept_token(2), Ok(true));
    assert!(m.is_terminated());
    m.rollback(2).expect("both steps");
    assert_eq!(allowed(&mut m), [2]);
    assert_eq!(m.validate_tokens(&[2, 2, 2]), Ok(2));
}

#[test]
fn a_token_that_the_grammar_may_take_does_not_end_a_complete_text() {
    // start: "ok" t* with a token that is a stop token too.
    let vocabulary = vocabulary(&[b"", b"ok", b"<more>", b"k", b"o"], &[0, 2], &[0, 2]);
    let mut g = Grammar::new(Ending::Free);
    let ok = text(&mut g, b"ok");
    let tail = Expr::Repeat { body: Box::new(Expr::Token(2)), min: 0, max: Some(2) };
    g.rule("start", Expr::Seq(vec![ok, tail]));
    let mut m = matcher(&g, &vocabulary);
    for id in [1, 2, 2] {
        assert_eq!(m.accept_token(id), Ok(true));
        assert!(m.is_completed() && !m.is_terminated());
        assert_eq!(allowed(&mut m), [0, 2]);
    }
    assert_eq!(m.accept_token(2), Ok(true));
    assert!(m.is_terminated());
}

#[test]
fn a_token_terminal_is_not_its_text() {
    let vocabulary =
        vocabulary(&[b"", b"ok", b"<call>", b"<", b"call>", b"<call>", b"k", b"o"], &[0], &[0, 2]);
    let mut m = ends_in_token(&vocabulary);
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [2]);
    assert_eq!(m.accept_bytes(b"<call>"), Ok(0));
    assert_eq!(m.accept_token(2), Ok(true));
    assert_eq!(allowed(&mut m), [0]);
}

#[test]
fn tokens_stand_between_and_inside_recursion() {
    // s: <2> s <3> | "a"+
    let vocabulary = vocabulary(&[b"", b"a", b"<(>", b"<)>", b"aa"], &[0], &[0, 2, 3]);
    let mut g = Grammar::new(Ending::Free);
    let a = text(&mut g, b"a");
    let many = Expr::Repeat { body: Box::new(a), min: 1, max: None };
    let nested = Expr::Seq(vec![Expr::Token(2), Expr::Rule(RuleId(0)), Expr::Token(3)]);
    g.rule("s", Expr::Alt(vec![nested, many]));
    let mut m = matcher(&g, &vocabulary);
    assert_eq!(allowed(&mut m), [1, 2, 4]);
    assert_eq!(m.accept_tokens(&[2, 2, 4, 1]), Ok(4));
    assert_eq!(allowed(&mut m), [1, 3, 4]);
    assert_eq!(m.accept_tokens(&[3, 3]), Ok(2));
    assert_eq!(allowed(&mut m), [0]);
    m.rollback(3).expect("three steps");
    assert_eq!(allowed(&mut m), [1, 3, 4]);
}

#[test]
fn a_token_terminal_outside_the_vocabulary_is_an_error() {
    let mut g = Grammar::new(Ending::Free);
    g.rule("start", Expr::Token(99));
    let vocabulary = words(&[b"", b"a"]);
    assert!(CompiledGrammar::new(&g, vocabulary, &Limits::default()).is_err());
}

#[test]
fn several_stop_tokens_wait_for_the_end_of_a_string() {
    let vocabulary = vocabulary(&[b"", b"\"", b"a", b"ab", b"<turn>", b"b"], &[0, 4], &[0, 4]);
    let mut m = matcher(&regex("\"[ab]{0,2}\""), &vocabulary);
    assert_eq!(allowed(&mut m), [1]);
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [1, 2, 3, 5]);
    assert_eq!(m.accept_tokens(&[3, 1]), Ok(2));
    assert_eq!(allowed(&mut m), [0, 4]);
}
