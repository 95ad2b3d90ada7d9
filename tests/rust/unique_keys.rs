//! JSON whose objects have each key once: masks against trying every token, with keys read by another parser.

mod support;

use proptest::prelude::*;
use stackmask::pattern::{CharSet, Pattern};
use stackmask::{
    CompiledGrammar, Ending, Error, Expr, Grammar, Limits, Matcher, TokenId, Vocabulary, Whitespace,
};
use std::collections::HashSet;
use std::sync::Arc;
use support::grammars::{compile, text};
use support::masks::{allowed, mask};
use support::random::{Random, report, seed};
use support::vocabularies;

fn unique() -> Grammar {
    Grammar { unique_keys: true, ..Grammar::json(Whitespace::Bounded) }
}

/// Whether some object of this beginning of a JSON text has a key twice.
fn repeats(text: &[u8]) -> bool {
    // For each open container its keys, none for an array; and where a key may come next.
    let mut open: Vec<Option<HashSet<String>>> = Vec::new();
    let mut key_next = false;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'{' => open.push(Some(HashSet::new())),
            b'[' => open.push(None),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                let mut end = at + 1;
                while end < text.len() && text[end] != b'"' {
                    end += if text[end] == b'\\' { 2 } else { 1 };
                }
                if end >= text.len() {
                    return false;
                }
                if key_next {
                    let key: String = serde_json::from_slice(&text[at..=end]).expect("a string");
                    let keys = open.last_mut().expect("a container").as_mut();
                    if !keys.expect("an object").insert(key) {
                        return true;
                    }
                }
                at = end;
            }
            _ => {}
        }
        key_next = match text[at] {
            b'{' => true,
            b',' => matches!(open.last(), Some(Some(_))),
            b' ' | b'\n' | b'\t' | b'\r' => key_next,
            _ => false,
        };
        at += 1;
    }
    false
}

/// Tokens that open, close and spell keys in every way, several at once, and in parts.
fn vocabulary() -> Arc<Vocabulary> {
    vocabularies::quotes_and(&[
        "{\"a\":1",
        "{\"a\":1,\"a\":2",
        "{\"a\":{\"a\":",
        "\"a\":",
        ",\"a\":1",
        ",\"b\":1",
        "a\":1,\"a\":",
        "b\":1,\"a",
        "aa\"",
        "ab\":",
        "\"\":",
        "0061\"",
        "61\":1",
        "1\"",
        "\\\"\"",
        "\\\\\"",
        "\\",
        "u0061\"",
        "/",
        "\\/\"",
        "/\"",
        "é",
        "é\"",
        "\\u00e9\"",
        "\\u00E9",
        "\\ud83d",
        "\\ude00",
        "\\ude00\":",
        "😀\"",
        "\\uD83D\\uDE00\"",
        "[{\"a",
        "]}",
        "1}",
        "1,\"a\":2}",
        "true,\"",
        "null",
        "\u{1F600}",
        "\\n\"",
        "\\n",
        "\\u000a",
        "\\u000A\":",
        ", \"a\": ",
        " ",
        "a\" :",
        "\"a\":1,\"b\":2,\"a\"",
    ])
}

/// A token that the mask allows: keys that are likely to come again rather than any text.
fn choose(allowed: &[TokenId], random: &mut Random, vocabulary: &Vocabulary) -> TokenId {
    let likely = |id: &TokenId| {
        *id >= 256 || vocabulary.token_bytes(*id).is_some_and(|b| b"ab\"{}:,1[]\\".contains(&b[0]))
    };
    let from: Vec<TokenId> = allowed.iter().copied().filter(likely).collect();
    if from.is_empty() { *random.pick(allowed) } else { *random.pick(&from) }
}

#[test]
fn masks_equal_trying_every_token() {
    let seed = seed();
    let vocabulary = vocabulary();
    let plain = compile(&Grammar::json(Whitespace::Bounded), &vocabulary);
    let unique = compile(&unique(), &vocabulary);
    let (mut bits, mut cleared) = (0, 0);
    for walk in 0..150 {
        let mut random = Random::new(seed.wrapping_add(walk));
        let (mut any, mut once) = (plain.matcher(), unique.matcher());
        let mut text: Vec<u8> = Vec::new();
        if random.chance(90) {
            let begins = ["{\"a\":1,\"", "{", "[{\"a\":{\"a\":1},\"", "{\"\":0,\"b\":"];
            let begin = random.pick(&begins).as_bytes();
            assert_eq!(
                (any.accept_bytes(begin), once.accept_bytes(begin)),
                (Ok(begin.len()), Ok(begin.len()))
            );
            text.extend(begin);
        }
        for _ in 0..40 {
            let (all, left) = (mask(&mut any), mask(&mut once));
            for (id, &allowed) in left.iter().enumerate() {
                let repeated = vocabulary
                    .token_bytes(id as TokenId)
                    .is_some_and(|token| all[id] && repeats(&[&text, token].concat()));
                cleared += usize::from(repeated);
                let shown = || {
                    (
                        String::from_utf8_lossy(&text).into_owned(),
                        vocabulary.token_bytes(id as TokenId),
                    )
                };
                assert_eq!(allowed, all[id] && !repeated, "{:?}, seed {seed}", shown());
                assert_eq!(once.is_token_allowed(id as TokenId), Ok(allowed), "{:?}", shown());
            }
            bits += left.len();
            let id = choose(&allowed(&mut once), &mut random, &vocabulary);
            assert_eq!((any.accept_token(id), once.accept_token(id)), (Ok(true), Ok(true)));
            if once.is_terminated() {
                break;
            }
            text.extend(vocabulary.token_bytes(id).expect("bytes"));
        }
        if !once.is_terminated() {
            let end = once.shortest_completion().expect("a completion");
            assert_eq!(once.accept_bytes(&end), Ok(end.len()));
            assert!(once.is_completed());
            let whole = [text, end].concat();
            assert!(!repeats(&whole), "{}", String::from_utf8_lossy(&whole));
        }
    }
    report(&format!("unique keys: {bits} bits, {cleared} of them cleared, STACKMASK_SEED={seed}"));
    assert!(cleared > 500, "{cleared}");
}

fn accepted(compiled: &CompiledGrammar, text: &str) -> usize {
    compiled.matcher().accept_bytes(text.as_bytes()).expect("within the limits")
}

#[test]
fn keys_count_by_what_they_stand_for() {
    let compiled = compile(&unique(), &vocabulary());
    for same in [
        ["a", "\\u0061"],
        ["/", "\\/"],
        ["\\n", "\\u000a"],
        ["😀", "\\uD83D\\ude00"],
        ["é", "\\u00E9"],
        ["\\\"", "\\u0022"],
        ["", ""],
    ] {
        for [one, other] in [same, [same[1], same[0]]] {
            let text = format!("{{\"{one}\":0,\"{other}\"");
            assert_eq!(accepted(&compiled, &text), text.len() - 1, "{text}");
        }
    }
    // Other keys, other objects, and strings that are no keys.
    for text in [
        "{\"a\":0,\"A\":0,\"aa\":0,\"\":0,\"\\\\u0061\":0,\"é\":0,\"e\u{301}\":0}",
        "{\"a\":{\"a\":{\"a\":[{\"a\":0},{\"a\":0}]}},\"b\":\"a\",\"c\":[\"a\",\"a\"]}",
        "[\"a\",\"a\",{\"a\":\"a\"},\"a\"]",
    ] {
        assert_eq!(accepted(&compiled, text), text.len(), "{text}");
    }
    // A key is known again after all that may stand between.
    for between in
        ["{\"a\":{\"a\":[]}}", "[{\"a\":0},[\"}\",\"{\\\"\"]]", "\"{,\\\"\\\\\"", "-1.5e3"]
    {
        let text = format!("[{{\"a\" : {between} , \"b\":0 ,\n\"a\"");
        assert_eq!(accepted(&compiled, &text), text.len() - 1, "{text}");
    }
}

#[test]
fn going_back_and_forking_know_the_keys_of_then() {
    let compiled = compile(&unique(), &vocabulary());
    let mut matcher = compiled.matcher();
    let take = |matcher: &mut Matcher, text: &str| {
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len()), "{text}");
    };
    take(&mut matcher, "{\"a\":1,");
    let before = mask(&mut matcher);
    take(&mut matcher, "\"b\":1,");
    let mut fork = matcher.clone();
    take(&mut fork, "\"c\":1,");
    assert_eq!(matcher.accept_bytes(b"\"c\""), Ok(3));
    assert_eq!(fork.accept_bytes(b"\"c\""), Ok(2));
    matcher.rollback(2).expect("two steps");
    assert_eq!(mask(&mut matcher), before);
    take(&mut matcher, "\"b\":1,\"c\":1}");
}

#[test]
fn many_keys_are_remembered_and_bounded() {
    let vocabulary = vocabulary();
    let compiled = compile(&unique(), &vocabulary);
    let mut matcher = compiled.matcher();
    assert_eq!(matcher.accept_bytes(b"{"), Ok(1));
    for n in 0..3_000 {
        let text = format!("\"key{n}\":0,");
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len()));
    }
    for n in (0..3_000).step_by(97) {
        let text = format!("\"key{n}\"");
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len() - 1));
        matcher.rollback(1).expect("a step");
    }
    let limits = Limits { state_bytes: 200_000, ..Limits::default() };
    let small = CompiledGrammar::new(&unique(), vocabulary, &limits).expect("it compiles");
    let mut matcher = small.matcher();
    assert_eq!(matcher.accept_bytes(b"{"), Ok(1));
    let error = (0..3_000)
        .find_map(|n| matcher.accept_bytes(format!("\"key{n}\":0,").as_bytes()).err())
        .expect("a limit");
    assert!(matches!(error, Error::TooComplex { name: "state_bytes", .. }), "{error}");
    let steps = matcher.num_accepted();
    assert!(matcher.accept_bytes(b"\"x\":0").is_err());
    assert_eq!(matcher.num_accepted(), steps);
    // New matchers begin with empty tables.
    assert_eq!(small.matcher().accept_bytes(b"{\"a\":0}"), Ok(7));
}

#[test]
fn completions_try_all_keys_of_a_class() {
    let key = Pattern::Concat(vec![
        Pattern::Bytes(b"\"".to_vec()),
        Pattern::Class(CharSet::new([('a', 'd')])),
        Pattern::Bytes(b"\":0".to_vec()),
    ]);
    let mut grammar = Grammar { unique_keys: true, ..Grammar::new(Ending::Free) };
    let key = Expr::Terminal(grammar.terminal("key", key));
    let [open, comma, close] = [b"{", b",", b"}"].map(|t| text(&mut grammar, t));
    let more = Expr::Seq(vec![comma, key.clone()]);
    let more = Expr::Repeat { body: Box::new(more), min: 2, max: Some(2) };
    grammar.rule("text", Expr::Seq(vec![open, key, more, close]));
    let mut matcher = compile(&grammar, &vocabulary()).matcher();
    assert_eq!(matcher.accept_bytes(b"{\"a\":0,\"b\":0,"), Ok(13));
    let end = matcher.shortest_completion().expect("a completion");
    assert_eq!(end.len(), 6);
    assert_eq!(matcher.accept_bytes(&end), Ok(end.len()));
    assert!(matcher.is_completed());
}

proptest! {
    #[test]
    fn texts_are_taken_up_to_the_first_repeated_key(
        keys in prop::collection::vec(("[ab/é\"\\\\]{0,2}", any::<bool>()), 1..6),
    ) {
        let compiled = compile(&unique(), &vocabulary());
        let mut text = String::from("{");
        let mut seen = HashSet::new();
        let mut expected = None;
        for (key, escape) in &keys {
            let spelled: String = if *escape {
                key.chars().map(|c| format!("\\u{:04x}", c as u32)).collect()
            } else {
                let quoted = serde_json::to_string(key).expect("a string");
                quoted[1..quoted.len() - 1].to_owned()
            };
            text.push_str(&format!("\"{spelled}"));
            if !seen.insert(key.clone()) {
                expected.get_or_insert(text.len());
            }
            text.push_str("\":[],");
        }
        prop_assert_eq!(accepted(&compiled, &text), expected.unwrap_or(text.len()));
    }
}
