use std::sync::Arc;

use super::*;
use crate::frontend::lark::{LarkOptions, LibraryOnly};
use crate::frontend::{JsonSchemaOptions, Spacing, Whitespace};
use crate::grammar::{Ending, Expr, Maker, Source};
use crate::json::Spelling;
use crate::limits::Limits;
use crate::pattern::{Look, Pattern};
use crate::schema::{Draft, Options};

/// One grammar of each front end, and one with all that can stand in expressions and patterns.
fn samples() -> Vec<Grammar> {
    let limits = Limits::default();
    let lark = "start: (A | \"b\"i)~2..300 [C]\nA: /a(?=b|c)/\nC: /[^é]+?/\n%ignore \" \"";
    let options = JsonSchemaOptions {
        spelling: Spelling::Any,
        spacing: Some(Spacing::Separators(", ".into(), ": ".into())),
        reading: Options {
            draft: Some(Draft::Draft7),
            registry: [("https://example.test/s".to_owned(), r#"{"type": "null"}"#.into())].into(),
            closed: true,
            ..Options::default()
        },
    };
    let schema =
        r#"{"properties": {"a": {"$ref": "https://example.test/s"}, "b": {"pattern": "^x"}}}"#;
    let mut every = Grammar::new(Ending::Free);
    let number = crate::pattern::ByteAutomaton::new(vec![
        crate::pattern::ByteState { accepting: false, edges: vec![(b'1', b'9', 1)] },
        crate::pattern::ByteState { accepting: true, edges: vec![(b'0', b'9', 1)] },
    ]);
    let pattern = Pattern::Alt(vec![
        Pattern::Automaton(Arc::new(number.expect("an automaton"))),
        Pattern::Strings(vec![b"x".to_vec(), b"yz".to_vec()]),
        Pattern::Concat(vec![Pattern::Empty, Look::end().into()]),
    ]);
    let terminal = every.terminal("every", pattern);
    every.terminals[0].also.push((Pattern::Bytes(b"x".to_vec()), false));
    let body = Expr::Alt(vec![Expr::Empty, Expr::Token(7), Expr::Terminal(terminal)]);
    every.rule("every", Expr::Repeat { body: Box::new(body), min: 1, max: Some(3) });
    vec![
        Grammar::json(Whitespace::Bounded),
        Grammar::from_regex(r"\p{L}+(?!x)\d{2,400}?\b", &limits).expect("a regex"),
        Grammar::from_choices(&["", "a", "é"], &Limits::default()).expect("choices"),
        Grammar::from_lark_with_imports(lark, &LarkOptions::default(), &mut LibraryOnly, &limits)
            .expect("a grammar"),
        Grammar::from_json_schema(schema, &options, &limits).expect("a schema"),
        Grammar::from_json_schema("{}", &JsonSchemaOptions::default(), &limits).expect("a schema"),
        every,
    ]
}

#[test]
fn what_was_saved_is_loaded() {
    let vocabulary = Arc::new(Vocabulary::byte_level());
    for grammar in samples() {
        let saved = grammar.to_bytes().expect("bytes");
        let loaded = Grammar::from_bytes(&saved).expect("a grammar");
        assert_eq!(loaded, grammar);
        assert_eq!(loaded.notes, grammar.notes);
        assert_eq!(loaded.to_bytes(), Ok(saved));
        let limits = Limits { rules: 1234, ..Limits::default() };
        let compiled =
            CompiledGrammar::new(&grammar, vocabulary.clone(), &limits).expect("it compiles");
        let saved = compiled.to_bytes().expect("bytes");
        let loaded = CompiledGrammar::from_bytes(&saved, vocabulary.clone()).expect("a grammar");
        assert_eq!(loaded.inner.grammar, compiled.inner.grammar);
        assert_eq!(loaded.inner.core.limits, limits);
        assert_eq!(loaded.warnings(), compiled.warnings());
    }
}

#[test]
fn any_change_is_refused() {
    let grammar = Grammar::from_choices(&["ab", "c"], &Limits::default()).expect("choices");
    let saved = grammar.to_bytes().expect("bytes");
    for at in 0..saved.len() {
        for bit in 0..8 {
            let mut bytes = saved.clone();
            bytes[at] ^= 1 << bit;
            assert!(Grammar::from_bytes(&bytes).is_err(), "bit {bit} of byte {at}");
        }
        assert!(Grammar::from_bytes(&saved[..at]).is_err(), "cut at {at}");
    }
    assert!(Grammar::from_bytes(&[saved, vec![0]].concat()).is_err());
}

/// As if somebody had made a hash of damaged bytes: what is read must be checked for itself.
#[test]
fn bytes_with_a_right_hash_are_read_or_refused() {
    let vocabulary = Arc::new(Vocabulary::byte_level());
    let limits = Limits { step_work: 10_000, instructions: 10_000, ..Limits::default() };
    let mut read = 0;
    for grammar in samples() {
        let saved = grammar.to_bytes().expect("bytes");
        let body = &saved[..saved.len() - HASH];
        let step = (body.len() / 60).max(1);
        for at in (GRAMMAR.len()..body.len()).step_by(step) {
            for value in [0, 1, 7, 0x7f, 0xff, body[at] ^ 2] {
                let mut bytes = body.to_vec();
                bytes[at] = value;
                for end in [bytes.len(), at] {
                    let sealed = seal(Writer { bytes: bytes[..end].to_vec() });
                    let Ok(grammar) = Grammar::from_bytes(&sealed) else { continue };
                    read += 1;
                    drop(CompiledGrammar::new(&grammar, vocabulary.clone(), &limits));
                }
            }
        }
    }
    assert!(read > 100, "only {read} were read");
}

#[test]
fn another_release_and_another_kind_are_named() {
    let grammar = Grammar::from_choices(&["a"], &Limits::default()).expect("choices");
    let mut out = Writer { bytes: GRAMMAR.to_vec() };
    out.text("999.0");
    let error = Grammar::from_bytes(&seal(out)).expect_err("of the future");
    assert!(error.to_string().contains("release \"999.0\""), "{error}");
    let saved = grammar.to_bytes().expect("bytes");
    assert!(CompiledGrammar::from_bytes(&saved, Arc::new(Vocabulary::byte_level())).is_err());
}

#[test]
fn another_vocabulary_is_refused() {
    let vocabulary = Arc::new(Vocabulary::byte_level());
    let compiled =
        CompiledGrammar::new(&Grammar::json(Whitespace::Any), vocabulary, &Limits::default());
    let saved = compiled.and_then(|compiled| compiled.to_bytes()).expect("bytes");
    let other = Vocabulary::new(vec![Some(b"a".to_vec()), None], &[1], &[], None);
    let error = CompiledGrammar::from_bytes(&saved, Arc::new(other.expect("a vocabulary")));
    assert!(matches!(error, Err(Error::Vocabulary(_))));
}

#[test]
fn what_is_nested_too_deeply_is_refused_when_it_is_saved() {
    let nested = |depth| {
        let mut grammar = Grammar::new(Ending::Free);
        let terminal = grammar.terminal("a", Pattern::Bytes(b"a".to_vec()));
        let body = (0..depth).fold(Expr::Terminal(terminal), |body, _| Expr::Seq(vec![body]));
        grammar.rule("start", body);
        grammar
    };
    let deepest = nested(1000);
    assert_eq!(Grammar::from_bytes(&deepest.to_bytes().expect("bytes")), Ok(deepest));
    assert!(nested(1001).to_bytes().is_err());
}

#[test]
fn sources_without_a_description_are_refused() {
    #[derive(Debug)]
    struct Unnamed;
    impl Source for Unnamed {
        fn fingerprint(&self) -> u128 {
            1
        }
        fn open(&self) -> Box<dyn Maker> {
            unreachable!("nothing is made")
        }
        fn used_bytes(&self) -> [bool; 256] {
            [true; 256]
        }
    }
    let mut grammar = Grammar::json(Whitespace::Any);
    grammar.source(Arc::new(Unnamed));
    assert!(grammar.to_bytes().is_err());
}
