//! Schemas whose keys can run out: no walk of the masks ends in a key that cannot end, and masks tell what accepting
//! does.

mod support;

use std::collections::BTreeSet;

use stackmask::{Error, Spelling};
use support::grammars::of_schema;
use support::vocabularies::{bytes_and, quotes_and};
use support::walks::walk_schemas;

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

#[test]
fn no_walk_ends_in_a_key_that_cannot_end() {
    let vocabulary = quotes_and(&[
        "\"a",
        ",\"a",
        ",\"x\"",
        ",\"y",
        "\"x\":1,",
        "y\":2,\"x",
        "y\"",
        "ab",
        "1,\"",
        "0061",
        "},",
        "}}",
        "null,\"",
        ":{}",
        "\"a\":1,\"a",
        "{\"x\":1,\"x",
        "k\"",
        "l",
    ]);
    walk_schemas(&SCHEMAS, &vocabulary, 40, |_, _| {});
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
    let compiled = of_schema(&schema, Spelling::Any, &bytes_and(&[]));
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
