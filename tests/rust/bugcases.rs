//! Situations in which other engines were reported to fail, as cases of our own.

mod support;

use stackmask::pattern::Pattern;
use stackmask::{
    CompiledGrammar, Ending, Error, Expr, Grammar, Limits, RuleId, Vocabulary, Whitespace,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use support::grammars::{compile, matcher, regex, text};
use support::masks::{allowed, mask};
use support::vocabularies::{self, bytes_and, words};

fn json() -> Grammar {
    Grammar::json(Whitespace::Bounded)
}

fn accepts(grammar: &Grammar, text: &str) -> bool {
    let mut m = matcher(grammar, &bytes_and(&[]));
    m.accept_bytes(text.as_bytes()) == Ok(text.len()) && m.is_completed()
}

// Ends of texts.

#[test]
fn a_finite_grammar_ends_with_nothing_but_the_stop_token() {
    let mut g = Grammar::new(Ending::Free);
    let (open, close) = (text(&mut g, b"{"), text(&mut g, b"}"));
    g.rule("start", Expr::Seq(vec![open, close]));
    let mut m = matcher(&g, &words(&[b"", b"{", b"}", b"{}", b" "]));
    assert_eq!(allowed(&mut m), [1, 3]);
    assert_eq!(m.accept_token(3), Ok(true));
    assert!(m.is_completed());
    assert_eq!(allowed(&mut m), [0]);
    assert_eq!(m.accept_token(0), Ok(true));
    assert_eq!(allowed(&mut m), [0]);
}

#[test]
fn one_call_and_several_calls_count_the_stop_token_alike() {
    let compiled = compile(&regex("a"), &words(&[b"", b"a"]));
    let (mut at_once, mut one_by_one) = (compiled.matcher(), compiled.matcher());
    assert_eq!(at_once.accept_tokens(&[1, 0]), Ok(2));
    assert_eq!(one_by_one.accept_tokens(&[1]), Ok(1));
    assert_eq!(one_by_one.accept_tokens(&[0]), Ok(1));
    assert_eq!(mask(&mut at_once), mask(&mut one_by_one));
    assert!(at_once.is_terminated() && one_by_one.is_terminated());
}

#[test]
fn a_refusal_after_the_end_leaves_no_error_behind() {
    let compiled = compile(&regex("a"), &words(&[b"", b"a", b"b"]));
    let mut m = compiled.matcher();
    assert_eq!(m.accept_tokens(&[1, 0]), Ok(2));
    assert_eq!(m.accept_token(2), Ok(false));
    m.reset();
    assert_eq!(mask(&mut m), mask(&mut compiled.matcher()));
    assert_eq!(m.accept_tokens(&[1, 0]), Ok(2));
}

#[test]
fn a_second_turn_starts_over() {
    let compiled = compile(&regex("[0-9]+\\."), &bytes_and(&[]));
    let mut m = compiled.matcher();
    assert_eq!(m.accept_tokens(&[b'4'.into(), b'.'.into(), 256]), Ok(3));
    assert!(m.is_terminated());
    m.reset();
    assert!(!m.is_terminated() && m.num_accepted() == 0);
    assert_eq!(mask(&mut m), mask(&mut compiled.matcher()));
}

#[test]
fn a_paused_request_is_replayed() {
    let compiled = compile(&json(), &vocabularies::json());
    let text = br#"{"a": [1, {"b":"#;
    let mut first = compiled.matcher();
    assert_eq!(first.accept_bytes(text), Ok(text.len()));
    let mut again = compiled.matcher();
    for &b in text {
        assert_eq!(again.accept_token(b.into()), Ok(true));
    }
    assert_eq!(mask(&mut first), mask(&mut again));
    assert_ne!(mask(&mut again), mask(&mut compiled.matcher()));
}

// Rollback and forks.

#[test]
fn rollback_over_the_stop_token_counts_it_once() {
    let vocabulary = words(&[b"", b"k=", b"v", b"vv", b"vvv"]);
    let mut m = matcher(
        &Grammar::from_choices(&["k=vv"], &Limits::default()).expect("choices"),
        &with_bytes(&vocabulary),
    );
    assert_eq!(m.accept_tokens(&[1, 3, 0]), Ok(3));
    m.rollback(2).expect("two steps");
    assert_eq!(restrict(&allowed(&mut m)), [2, 3]);
    assert_eq!(m.accept_tokens(&[2, 2, 0]), Ok(3));
    m.rollback(1).expect("one step");
    assert_eq!(allowed(&mut m), [0]);
}

/// The same ids, then the 256 bytes, so that no grammar lacks one.
fn with_bytes(vocabulary: &Vocabulary) -> Arc<Vocabulary> {
    let size = vocabulary.vocab_size() as u32;
    let tokens = (0..size).map(|id| vocabulary.token_bytes(id).map(<[u8]>::to_vec));
    let tokens = tokens.chain((0..=255).map(|b| Some(vec![b]))).collect();
    let special = vocabulary.special_token_ids();
    Arc::new(
        Vocabulary::new(tokens, vocabulary.stop_token_ids(), special, None).expect("a vocabulary"),
    )
}

/// The ids below 16: those that a test names.
fn restrict(ids: &[u32]) -> Vec<u32> {
    ids.iter().copied().filter(|&id| id < 16).collect()
}

#[test]
fn five_hundred_steps_are_undone() {
    let compiled = compile(&json(), &vocabularies::json());
    let mut m = compiled.matcher();
    let text = format!("[{}", "1,2, 30,".repeat(70));
    let tokens: Vec<u32> = text.bytes().take(500).map(u32::from).collect();
    let mut masks = Vec::new();
    for &id in &tokens {
        masks.push(mask(&mut m));
        assert_eq!(m.accept_token(id), Ok(true));
    }
    m.rollback(500).expect("as many as were accepted");
    for (&id, before) in tokens.iter().zip(&masks) {
        assert_eq!(&mask(&mut m), before);
        assert_eq!(m.accept_token(id), Ok(true));
    }
}

#[test]
fn forks_do_not_see_each_other() {
    let compiled = compile(&json(), &vocabularies::json());
    let mut one = compiled.matcher();
    assert_eq!(one.accept_bytes(b"["), Ok(1));
    let mut two = one.clone();
    assert_eq!(two.accept_bytes(b"]"), Ok(1));
    let of = |text: &[u8]| {
        let mut m = compiled.matcher();
        assert_eq!(m.accept_bytes(text), Ok(text.len()));
        mask(&mut m)
    };
    {
        let mut three = one;
        assert_eq!(three.accept_bytes(b"true"), Ok(4));
        assert_eq!(mask(&mut three), of(b"[true"));
    }
    assert_eq!(mask(&mut two), of(b"[]"));
    assert!(two.is_completed());
}

#[test]
fn a_draft_is_cut_at_its_first_refused_token() {
    let vocabulary = vocabularies::json();
    let mut m = matcher(&json(), &vocabulary);
    let draft: Vec<u32> = b"{\"a\":}1".iter().map(|&b| b.into()).collect();
    assert_eq!(m.validate_tokens(&draft), Ok(5));
    assert_eq!(m.num_accepted(), 0);
    assert_eq!(m.accept_tokens(&draft), Ok(5));
    assert_eq!(m.accept_bytes(b"1}"), Ok(2));
    assert!(m.is_completed());
}

// Vocabularies.

#[test]
fn a_model_may_have_more_ids_than_the_tokenizer() {
    let tokens = vec![Some(Vec::new()), Some(b"a".to_vec())];
    let vocabulary = Arc::new(Vocabulary::new(tokens, &[0], &[], Some(300)).expect("a vocabulary"));
    assert_eq!(vocabulary.vocab_size(), 300);
    let mut m = matcher(&regex("a+"), &vocabulary);
    assert_eq!(allowed(&mut m), [1]);
    for id in [2, 299] {
        assert_eq!(m.accept_token(id), Ok(false));
        assert_eq!(m.is_token_allowed(id), Ok(false));
    }
    for id in [300, 151_757, u32::MAX] {
        assert!(m.accept_token(id).is_err() && m.is_token_allowed(id).is_err());
        assert!(m.validate_tokens(&[1, id]).is_err());
    }
    assert_eq!(m.num_accepted(), 0);
    assert!(m.fill_mask(&mut [0; 9]).is_err(), "300 bits need ten words");
}

#[test]
fn ids_without_bytes_are_never_allowed() {
    let mut tokens: Vec<Option<Vec<u8>>> = (b'0'..=b'9').map(|d| Some(vec![d])).collect();
    tokens.extend(vec![None; 10]);
    tokens.push(Some(b"42".to_vec()));
    let vocabulary = Arc::new(Vocabulary::new(tokens, &[63], &[], Some(64)).expect("a vocabulary"));
    let mut m = matcher(&regex("[0-9]{2}"), &vocabulary);
    assert_eq!(allowed(&mut m), (0..10).chain([20]).collect::<Vec<u32>>());
    assert_eq!(m.accept_token(12), Ok(false));
    assert_eq!(m.accept_token(20), Ok(true));
    assert_eq!(allowed(&mut m), [63]);
}

#[test]
fn tokens_with_the_same_bytes_are_all_allowed() {
    let mut m = matcher(&regex("ab?"), &words(&[b"", b"a", b"b", b"a", b"ab", b"ab"]));
    assert_eq!(allowed(&mut m), [1, 3, 4, 5]);
    assert_eq!(m.accept_token(3), Ok(true));
    assert_eq!(allowed(&mut m), [0, 2]);
}

#[test]
fn special_tokens_are_not_text_and_tokens_spelled_like_them_are() {
    let more = ["<unk>", "<unused32>", "unused", "32", "<unk>"].map(|t| t.as_bytes().to_vec());
    let mut tokens: Vec<Option<Vec<u8>>> = (0..=255).map(|b| Some(vec![b])).collect();
    tokens.extend(more.into_iter().map(Some));
    tokens.push(None);
    // 256 is an ordinary token; 257 and 260 are flagged.
    let vocabulary =
        Arc::new(Vocabulary::new(tokens, &[261], &[257, 260, 261], None).expect("a vocabulary"));
    let mut m = matcher(&json(), &vocabulary);
    assert_eq!(m.accept_bytes(b"[\""), Ok(2));
    let mask = mask(&mut m);
    assert_eq!(mask[256..], [true, false, true, true, false, false]);
    assert_eq!(m.accept_token(257), Ok(false));
    assert_eq!(m.accept_bytes(b"<unused32>"), Ok(10));
    assert_eq!(m.accept_token(256), Ok(true));
}

#[test]
fn parts_of_characters_are_tokens_like_others() {
    let vocabulary = words(&[b"", b"\xc3", b"\xa9", b"\xbc", b"\xa4", b"\xc3\xa9", b" \xc3"]);
    let mut m = matcher(
        &Grammar::from_choices(&["é", "ü"], &Limits::default()).expect("choices"),
        &vocabulary,
    );
    assert_eq!(allowed(&mut m), [1, 5]);
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [2, 3]);
    assert_eq!(m.accept_token(3), Ok(true));
    assert_eq!(allowed(&mut m), [0]);
}

#[test]
fn a_lead_byte_in_a_string_waits_for_its_tail() {
    let more: [&[u8]; 5] = [b"\xe4\xb8", b"\xb8\xad", b"\xb8a", b"\xad\"", b"\xf0\x9f\x98"];
    let mut m = matcher(&json(), &bytes_and(&more.map(<[u8]>::to_vec)));
    assert_eq!(m.accept_bytes(b"\"\xe4"), Ok(2));
    let expected: Vec<u32> = (0x80..=0xbf).chain([257]).collect();
    assert_eq!(allowed(&mut m), expected);
    assert_eq!(m.accept_bytes(b"\xb8"), Ok(1));
    let expected: Vec<u32> = (0x80..=0xbf).chain([258, 259]).collect();
    assert_eq!(allowed(&mut m), expected);
    assert_eq!(m.accept_token(259), Ok(true));
    assert!(m.is_completed());
}

#[test]
fn ill_formed_utf8_is_masked() {
    let mut m = matcher(&json(), &bytes_and(&[]));
    let after = |bytes: &[u8], m: &mut stackmask::Matcher| {
        let mut m = m.clone();
        assert_eq!(m.accept_bytes(bytes), Ok(bytes.len()));
        allowed(&mut m).into_iter().filter(|&id| id >= 0x80).collect::<Vec<u32>>()
    };
    assert_eq!(m.accept_bytes(b"\""), Ok(1));
    assert_eq!(after(b"", &mut m), (0xc2..=0xf4).collect::<Vec<u32>>());
    let cases: [(&[u8], std::ops::RangeInclusive<u32>); 6] = [
        (b"\xc2", 0x80..=0xbf),
        (b"\xe0", 0xa0..=0xbf),
        (b"\xed", 0x80..=0x9f),
        (b"\xf0", 0x90..=0xbf),
        (b"\xf4", 0x80..=0x8f),
        (b"\xf0\x9f\x98", 0x80..=0xbf),
    ];
    for (bytes, expected) in cases {
        assert_eq!(after(bytes, &mut m), expected.collect::<Vec<u32>>(), "{bytes:x?}");
    }
    // Outside a string there is nothing above ASCII.
    assert_eq!(after(b"\"", &mut m), [256]);
}

#[test]
fn a_character_from_byte_tokens_alone() {
    let mut m = matcher(&regex("€1"), &words(&[b"", b"\xe2", b"\x82", b"\xac", b"1"]));
    for id in [1, 2, 3, 4, 0] {
        assert_eq!(allowed(&mut m), [id]);
        assert_eq!(m.accept_token(id), Ok(true));
    }
}

#[test]
fn nul_is_a_byte_and_an_empty_token_is_never_allowed() {
    let mut g = Grammar::new(Ending::Free);
    let parts = [b"a", b"\0", b"b"].map(|t| text(&mut g, t));
    g.rule("start", Expr::Seq(parts.into()));
    let mut m = matcher(&g, &words(&[b"", b"\0", b"a", b"b", b"", b"a\0"]));
    assert_eq!(allowed(&mut m), [2, 5]);
    assert_eq!(m.accept_token(4), Ok(false));
    assert_eq!(m.accept_token(2), Ok(true));
    assert_eq!(allowed(&mut m), [1]);
    assert_eq!(m.accept_token(1), Ok(true));
    assert_eq!(allowed(&mut m), [3]);
}

#[test]
fn a_byte_that_no_token_has_is_named() {
    let error =
        CompiledGrammar::new(&regex("[ab]z"), words(&[b"", b"a", b"b"]), &Limits::default());
    let Err(Error::Vocabulary(message)) = error else { panic!("{error:?}") };
    assert!(message.contains('z') || message.to_lowercase().contains("7a"), "{message}");
}

#[test]
fn tokens_span_symbols() {
    let more = [
        "{\"",
        "\":[",
        "\":[1",
        ",2]",
        "],\"",
        "]}",
        "null}",
        "\": null}",
        ":[1,2],\"b\":n",
        "]]",
        "}]",
    ];
    let mut m = matcher(&json(), &bytes_and(&more.map(|t| t.as_bytes().to_vec())));
    let allows = |m: &mut stackmask::Matcher| restrict_above(&allowed(m));
    // A text may also begin with the quote of a string.
    assert_eq!(allows(&mut m), [256, 257, 258, 263]);
    assert_eq!(m.accept_token(256), Ok(true));
    // Inside a key: what starts with the quote that ends it, and text that holds no quote.
    assert_eq!(allows(&mut m), [256, 257, 258, 259, 260, 261, 262, 263, 265, 266]);
    assert_eq!(m.accept_bytes(b"a\""), Ok(2));
    assert_eq!(allows(&mut m), [264]);
    assert_eq!(m.accept_token(264), Ok(true));
    assert_eq!(m.accept_bytes(b"ull"), Ok(3));
    assert_eq!(allows(&mut m), Vec::<u32>::new());
    assert_eq!(m.accept_bytes(b"}"), Ok(1));
    assert!(m.is_completed());
}

fn restrict_above(ids: &[u32]) -> Vec<u32> {
    ids.iter().copied().filter(|&id| (256..267).contains(&id)).collect()
}

#[test]
fn escapes_come_in_pieces() {
    let more = ["00e9", "\\n", "\\\\", "\\\"", "u00", "\\ud83d", "\\ude00", "d83d\\", "q"];
    let [hex, newline, backslash, quote, u, high, low, pair, q] =
        [256, 257, 258, 259, 260, 261, 262, 263, 264];
    let vocabulary = bytes_and(&more.map(|t| t.as_bytes().to_vec()));
    let compiled = compile(&json(), &vocabulary);
    let after = |text: &[u8]| {
        let mut m = compiled.matcher();
        assert_eq!(m.accept_bytes(text), Ok(text.len()));
        let ids: BTreeSet<u32> = allowed(&mut m).into_iter().filter(|&id| id >= 256).collect();
        ids.into_iter().collect::<Vec<u32>>()
    };
    // Here a pair may begin with a high surrogate only, and must be followed by a low one.
    assert_eq!(after(b"\""), [hex, newline, backslash, quote, u, high, pair, q]);
    // The backslash that begins these tokens is the second of an escaped backslash.
    assert_eq!(after(b"\"\\"), [newline, backslash, quote, u, high, low]);
    assert_eq!(after(b"\"\\u"), [hex, pair]);
    assert_eq!(after(b"\"\\ud83d"), [low]);
    assert_eq!(after(b"\"\\ud83d\\"), Vec::<u32>::new());
    let mut m = compiled.matcher();
    assert_eq!(m.accept_bytes(b"\"\\ud83d\\ude00\\u00e9\\n\""), Ok(22));
    assert!(m.is_completed());
}

// Forced text.

#[test]
fn an_optional_blank_is_not_forced() {
    let mut m = matcher(&json(), &bytes_and(&[]));
    assert_eq!(m.accept_bytes(b"{\"a\""), Ok(4));
    assert_eq!(m.forced_bytes(), Ok(Vec::new()));
    let mut compact = matcher(&Grammar::json(Whitespace::None), &bytes_and(&[]));
    assert_eq!(compact.accept_bytes(b"{\"a\""), Ok(4));
    assert_eq!(compact.forced_bytes(), Ok(b":".to_vec()));
}

#[test]
fn forced_text_may_end_inside_a_character() {
    let mut m = matcher(&regex("领(带|口)"), &bytes_and(&[]));
    let forced = m.forced_bytes().expect("within the limits");
    assert!(forced == b"\xe9\xa2\x86\xe5" || forced == b"\xe9\xa2\x86", "{forced:x?}");
    assert_eq!(m.accept_bytes("领".as_bytes()), Ok(3));
    assert!(m.accept_bytes("口".as_bytes()) == Ok(3) && m.is_completed());
}

#[test]
fn nothing_is_forced_inside_a_string() {
    let mut m = matcher(&json(), &bytes_and(&[]));
    assert_eq!(m.accept_bytes(b"\"x"), Ok(2));
    assert_eq!(m.forced_bytes(), Ok(Vec::new()));
    assert_eq!(m.forced_tokens(), Ok(Vec::new()));
    assert_eq!(m.num_accepted(), 1);
}

// White space.

#[test]
fn white_space_is_bounded_in_every_gap() {
    let bounded = json();
    let gap = |s: &str| accepts(&bounded, &format!("[1,{s}2]"));
    assert!(gap("") && gap(" ") && gap(&" ".repeat(8)) && !gap(&" ".repeat(9)));
    assert!(gap("\n") && gap("\r\n\t") && gap(&format!("\n{}", " ".repeat(256))));
    assert!(!gap(&format!("\n{}", " ".repeat(257))) && !gap("\n\n") && !gap(" \n"));
    assert!(accepts(&Grammar::json(Whitespace::Any), &format!("[1,{}2]", " \n\r\t".repeat(500))));
    assert!(!accepts(&Grammar::json(Whitespace::None), "[1, 2]"));
}

// Grammars that share or resemble each other.

#[test]
fn grammars_that_differ_in_one_byte_have_different_masks() {
    let vocabulary = words(&[b"", b"a", b"b", b"1", b"2", b"b1", b"b2"]);
    let of = |last: &[u8]| {
        let mut g = Grammar::new(Ending::Free);
        let parts = [b"a".as_slice(), b"ab", last].map(|t| text(&mut g, t));
        let [a, ab, last] = parts;
        g.rule("start", Expr::Seq(vec![Expr::Alt(vec![a, ab]), last]));
        let mut m = matcher(&g, &vocabulary);
        assert_eq!(m.accept_token(1), Ok(true));
        allowed(&mut m)
    };
    assert_eq!(of(b"1"), [2, 3, 5]);
    assert_eq!(of(b"2"), [2, 4, 6]);
}

#[test]
fn digits_as_alternatives() {
    let mut g = Grammar::new(Ending::Free);
    let digits: Vec<Expr> = (b'0'..=b'9').map(|d| text(&mut g, &[d])).collect();
    let minus = text(&mut g, b"-");
    let digit = Expr::Rule(RuleId(1));
    let optional = Expr::Repeat { body: Box::new(minus), min: 0, max: Some(1) };
    let many = Expr::Repeat { body: Box::new(digit), min: 1, max: None };
    g.rule("start", Expr::Seq(vec![optional, many]));
    g.rule("digit", Expr::Alt(digits));
    assert!(accepts(&g, "7") && accepts(&g, &format!("-{}", "1234567890".repeat(100))));
    assert!(!accepts(&g, "-") && !accepts(&g, "1-") && !accepts(&g, ""));
}

#[test]
fn a_bad_grammar_leaves_the_good_one_alone() {
    let compiled = compile(&json(), &vocabularies::json());
    let mut m = compiled.matcher();
    let before = mask(&mut m);
    assert!(matches!(Grammar::from_regex("[", &Limits::default()), Err(Error::Syntax { .. })));
    assert!(matches!(Grammar::from_regex("(a", &Limits::default()), Err(Error::Syntax { .. })));
    assert!(Grammar::from_choices::<&str>(&[], &Limits::default()).is_err());
    assert_eq!(mask(&mut m), before);
    assert_eq!(mask(&mut compile(&json(), &vocabularies::json()).matcher()), before);
}

#[test]
fn rules_that_produce_nothing_are_errors_by_name() {
    let mut g = Grammar::new(Ending::Free);
    let a = text(&mut g, b"a");
    g.rule("endless", Expr::Seq(vec![a, Expr::Rule(RuleId(0))]));
    let error = CompiledGrammar::new(&g, bytes_and(&[]), &Limits::default()).expect_err("no end");
    assert!(error.to_string().contains("endless"), "{error}");
    let mut itself = Grammar::new(Ending::Free);
    itself.rule("itself", Expr::Rule(RuleId(0)));
    assert!(CompiledGrammar::new(&itself, bytes_and(&[]), &Limits::default()).is_err());
    let mut missing = Grammar::new(Ending::Free);
    missing.rule("start", Expr::Rule(RuleId(7)));
    assert!(CompiledGrammar::new(&missing, bytes_and(&[]), &Limits::default()).is_err());
    let none = Grammar::new(Ending::Free);
    assert!(CompiledGrammar::new(&none, bytes_and(&[]), &Limits::default()).is_err());
}

// Sizes.

#[test]
fn nesting_has_no_limit() {
    let mut m = matcher(&json(), &vocabularies::json());
    let depth = 100_000;
    for _ in 0..depth {
        assert_eq!(m.accept_token(b'['.into()), Ok(true));
    }
    let open = mask(&mut m);
    for _ in 0..depth {
        assert!(!m.is_completed());
        assert_eq!(m.accept_token(b']'.into()), Ok(true));
    }
    assert!(m.is_completed());
    m.rollback(depth).expect("as many as were accepted");
    assert_eq!(mask(&mut m), open);
    let mut at_once = m.clone();
    m.reset();
    assert_eq!(at_once.accept_bytes(&b"]".repeat(depth)), Ok(depth));
    assert!(at_once.is_completed());
}

#[test]
fn patterns_whose_automata_would_be_huge() {
    let many_states = regex("(a|b)*a(a|b){24}");
    assert!(accepts(&many_states, &format!("{}a{}", "ab".repeat(40), "b".repeat(24))));
    assert!(!accepts(&many_states, &format!("{}b{}", "ab".repeat(40), "b".repeat(24))));
    let nested = regex("(x{1,100}){1,100}");
    assert!(accepts(&nested, "x") && accepts(&nested, &"x".repeat(1_000)) && !accepts(&nested, ""));
    // Each further byte has more pairs of counters than the one before; the tables' bound ends that with an error.
    let mut m = matcher(&nested, &bytes_and(&[]));
    let full =
        m.accept_bytes(&b"x".repeat(10_000)).expect_err("the pairs of counters outgrow the tables");
    assert!(matches!(full, stackmask::Error::TooComplex { name: "state_bytes", .. }), "{full}");
    m.reset();
    assert_eq!(m.accept_bytes(b"xx"), Ok(2));
    let long = regex("[a-z]{0,65536}");
    assert!(accepts(&long, "") && accepts(&long, &"q".repeat(65_536)));
    assert!(!accepts(&long, &"q".repeat(65_537)));
}

#[test]
fn forty_thousand_rules_in_a_chain() {
    let mut g = Grammar::new(Ending::Free);
    let letters: Vec<Expr> = (b'a'..=b'z').map(|b| text(&mut g, &[b])).collect();
    let count = 40_000u32;
    let starts = (1..=count).map(|i| Expr::Rule(RuleId(i))).collect();
    g.rule("start", Expr::Alt(starts));
    let letter = |i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as usize % 26;
    for i in 1..=count {
        let next = if i < count { Expr::Rule(RuleId(i + 1)) } else { Expr::Empty };
        let tail = Expr::Alt(vec![next, Expr::Empty]);
        g.rule(format!("p{i}"), Expr::Seq(vec![letters[letter(i)].clone(), tail]));
    }
    let document: Vec<u8> = (1..=count).map(|i| b'a' + letter(i) as u8).collect();
    let mut m = matcher(&g, &bytes_and(&[]));
    let part = &document[20_000..20_200];
    assert_eq!(m.accept_bytes(part), Ok(part.len()));
    assert!(m.is_completed());
    let expected: Vec<u32> = vec![document[20_200].into(), 256];
    assert_eq!(allowed(&mut m), expected);
}

#[test]
fn forty_thousand_choices() {
    let choices: Vec<String> = (0..40_000).map(|i| format!("item-{}", i * 7)).collect();
    let g = Grammar::from_choices(&choices, &Limits::default()).expect("choices");
    let mut m =
        matcher(&g, &bytes_and(&[b"item".to_vec(), b"item-7".to_vec(), b"item-8x".to_vec()]));
    assert_eq!(allowed(&mut m), [b'i'.into(), 256, 257]);
    assert_eq!(m.accept_bytes(b"item-279993"), Ok(11));
    assert_eq!(allowed(&mut m), [259]);
    assert!(m.is_completed());
}

#[test]
fn a_literal_of_fifty_thousand_bytes() {
    let long: Vec<u8> = (0..50_000u32).map(|i| b'a' + (i * i % 23) as u8).collect();
    let mut g = Grammar::new(Ending::Free);
    let literal = Expr::Terminal(g.terminal("long", Pattern::Bytes(long.clone())));
    let word = Pattern::Class(stackmask::pattern::CharSet::new([('a', 'z')]));
    let word = Expr::Terminal(g.terminal("letter", word));
    let word = Expr::Repeat { body: Box::new(word), min: 1, max: None };
    g.rule("start", Expr::Seq(vec![literal, word]));
    let mut m = matcher(&g, &bytes_and(&[]));
    assert_eq!(allowed(&mut m), [u32::from(long[0])]);
    let forced = m.forced_bytes().expect("within the limits");
    assert!(long.starts_with(&forced) && !forced.is_empty(), "{} bytes", forced.len());
    assert_eq!(m.accept_bytes(&long[..49_999]), Ok(49_999));
    assert_eq!(allowed(&mut m), [u32::from(long[49_999])]);
    assert_eq!(m.accept_bytes(&long[49_999..]), Ok(1));
    assert_eq!(allowed(&mut m), (u32::from(b'a')..=u32::from(b'z')).collect::<Vec<_>>());
}

#[test]
fn a_chain_of_rules_without_text_between() {
    let mut g = Grammar::new(Ending::Free);
    for i in 0..5_000 {
        g.rule(format!("r{i}"), Expr::Rule(RuleId(i + 1)));
    }
    let a = text(&mut g, b"a");
    g.rule("last", a);
    assert!(accepts(&g, "a") && !accepts(&g, ""));
}
