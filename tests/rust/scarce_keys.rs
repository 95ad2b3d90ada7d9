//! Schemas whose keys can run out: no walk of the masks ends in a key that cannot end, and masks tell what accepting
//! does.

mod support;

use std::collections::BTreeSet;

use stackmask::{CompiledGrammar, Error, Grammar, JsonSchemaOptions, Limits, Spelling};
use support::masks::{allowed, mask};
use support::random::{Random, report, seed};
use support::vocabularies::bytes_and;

/// Each with the beginning of a text that has used keys up.
const SCHEMAS: [(&str, &str); 6] = [
    (r#"{"type":"object","propertyNames":{"pattern":"^(x|y+)$"}}"#, r#"{"x":1,"y":2,"#),
    (
        r#"{"type":"object","propertyNames":{"pattern":"^(x|y+|[ab]{1,9}z?)$"},"minProperties":3}"#,
        r#"{"x":1,"a":"a","#,
    ),
    (
        r#"{"type":"object","propertyNames":{"maxLength":1},"additionalProperties":{"type":"null"},
            "properties":{"":true}}"#,
        r#"{"a":null,"b":null,"\\":null,"#,
    ),
    (
        r#"{"type":"object","propertyNames":{"pattern":"^[ab\"].?$"},"minProperties":2,
            "additionalProperties":{"type":["object","null"]}}"#,
        r#"{"a":{"a":{},"#,
    ),
    (
        r#"{"type":"array","items":{"type":"object","patternProperties":{"^a.?$":{"type":"integer"}},
            "additionalProperties":false,"maxProperties":4}}"#,
        r#"[{"a":1,"ab":2,"#,
    ),
    (
        r#"{"not":{"patternProperties":{"^(k|l.)$":true},"additionalProperties":false}}"#,
        r#"{"k":1,"#,
    ),
];

fn compile(schema: &str, spelling: Spelling) -> CompiledGrammar {
    let more = [
        "{\"",
        "\":",
        "\",\"",
        "\":\"",
        "\"}",
        "\"a",
        "a\"",
        ",\"a",
        ",\"x\"",
        ",\"y",
        "\"x\":1,",
        "y\":2,\"x",
        "y\"",
        "ab",
        "1,\"",
        "\\u00",
        "0061",
        "\\u0061",
        "\\u006",
        "1,",
        "},",
        "}}",
        "null,\"",
        ":{}",
        "\"a\":1,\"a",
        "{\"x\":1,\"x",
        "k\"",
        "l",
        "\\\"",
    ];
    let more: Vec<Vec<u8>> = more.iter().map(|text| text.as_bytes().to_vec()).collect();
    let options = JsonSchemaOptions { spelling, ..JsonSchemaOptions::default() };
    let grammar = Grammar::from_json_schema(schema, &options, &Limits::default()).expect(schema);
    CompiledGrammar::new(&grammar, bytes_and(&more), &Limits::default()).expect(schema)
}

#[test]
fn no_walk_ends_in_a_key_that_cannot_end() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut walks = 0;
    for (schema, begun) in SCHEMAS {
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let compiled = compile(schema, spelling);
            for walk in 0..40 {
                let mut matcher = compiled.matcher();
                if walk % 2 == 0 {
                    let taken = matcher.accept_bytes(begun.as_bytes()).expect("within limits");
                    assert_eq!(taken, begun.len(), "{schema} {begun}");
                }
                for _ in 0..30 {
                    let ids = allowed(&mut matcher);
                    assert!(!ids.is_empty(), "{schema}, {spelling:?}: no token, seed {seed}");
                    if random.chance(20) {
                        let bits = mask(&mut matcher);
                        for (id, &bit) in bits.iter().enumerate() {
                            let one = matcher.is_token_allowed(id as u32).expect("within limits");
                            assert_eq!(one, bit, "{schema}, {spelling:?}: token {id}, seed {seed}");
                        }
                    }
                    // What leads on within keys, more often than not.
                    let keys: Vec<u32> = ids.iter().copied().filter(|&id| id > 255).collect();
                    let from = if keys.is_empty() || random.chance(40) { &ids } else { &keys };
                    let id = *random.pick(from);
                    assert!(matcher.accept_token(id).expect("within limits"), "{schema}");
                    if matcher.is_terminated() {
                        break;
                    }
                }
                walks += 1;
            }
        }
    }
    report(&format!("scarce keys: {walks} walks, STACKMASK_SEED={seed}"));
}

#[test]
fn many_optional_keys_in_any_order_take_few_states() -> Result<(), Error> {
    let names: BTreeSet<String> = (0..300).map(|at| format!("key{at}")).collect();
    let properties: Vec<String> =
        names.iter().map(|name| format!(r#""{name}":{{"type":"integer"}}"#)).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#,
        properties.join(",")
    );
    let compiled = compile(&schema, Spelling::Any);
    let mut matcher = compiled.matcher();
    let members: Vec<String> = names.iter().rev().map(|name| format!(r#""{name}":1"#)).collect();
    let all = format!("{{{}", members.join(","));
    assert_eq!(matcher.accept_bytes(all.as_bytes())?, all.len());
    // No key is left, so that no comma is.
    assert_eq!(matcher.accept_bytes(b",")?, 0);
    assert_eq!(matcher.accept_bytes(b"}")?, 1);
    assert!(matcher.is_completed());
    let first = compiled.num_states();
    let mut other = compiled.matcher();
    let backwards: Vec<String> = names.iter().map(|name| format!(r#""{name}":1"#)).collect();
    let all = format!("{{{}}}", backwards.join(","));
    assert_eq!(other.accept_bytes(all.as_bytes())?, all.len());
    // Another order needs no states of its own.
    assert_eq!(compiled.num_states(), first);
    Ok(())
}
