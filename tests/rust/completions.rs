//! Shortest completions of texts under schemas: they complete, nothing is shorter, and they are found without a search
//! through all that could be written.

use std::sync::Arc;

use stackmask::{
    CompiledGrammar, Grammar, JsonSchemaOptions, Limits, Matcher, Spelling, Vocabulary,
};

/// Schemas whose shortest texts hang on something that a lower bound misses: alternatives, counts, patterns, keys.
const SCHEMAS: &[&str] = &[
    r#"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
    r#"{"type":"object","required":["ab","a"],
        "additionalProperties":{"type":"object","required":["ab","c","é"]}}"#,
    r#"{"patternProperties":{"^.{2}$":{"type":"string","maxLength":0}},"properties":{"ab":true,"x1":true},
        "propertyNames":{"maxLength":2},"anyOf":[{"required":["é"]},{"required":["c"]}],"maxProperties":4}"#,
    r#"{"type":"object","required":["c",""],"properties":{"":true},"additionalProperties":{"type":"array",
        "prefixItems":[{"const":{"b":null,"é":[2]}},{"minLength":3,"type":["array","boolean","string"]}],
        "items":{"enum":[2,-2,"bb"]},"contains":{"type":"number"}}}"#,
    r#"{"type":"object","minProperties":3}"#,
    r#"{"type":"object","minProperties":2,"dependentRequired":{"k":["long name"]},
        "anyOf":[{"required":["k"]},{"required":["much longer name"]}]}"#,
    r#"{"type":"array","contains":{"type":"object","required":["x"]},"minItems":2}"#,
    r##"{"$ref":"#/$defs/t","$defs":{"t":{"anyOf":[{"type":"object","required":["l","r"],
        "properties":{"l":{"$ref":"#/$defs/t"},"r":{"$ref":"#/$defs/t"}}},{"type":"string","minLength":40}]}}}"##,
    r#"{"type":"string","pattern":"^(ab|c{3})+$","minLength":5}"#,
    r#"{"type":"array","items":{"type":"string","pattern":"x","minLength":3},"minItems":3}"#,
    r#"{"type":"object","properties":{"a":{"type":"string","minLength":90}},"required":["a"],"minProperties":2}"#,
];

fn compile(schema: &str, spelling: Spelling) -> CompiledGrammar {
    let limits = Limits::default();
    let options = JsonSchemaOptions { spelling, ..JsonSchemaOptions::default() };
    let grammar = Grammar::from_json_schema(schema, &options, &limits).expect("a schema");
    CompiledGrammar::new(&grammar, Arc::new(Vocabulary::byte_level()), &limits).expect("compiles")
}

/// The length of a completion, which is checked.
fn distance(schema: &str, matcher: &Matcher) -> usize {
    let end = matcher.shortest_completion().unwrap_or_else(|error| panic!("{schema}: {error}"));
    let mut once = matcher.clone();
    assert_eq!(once.accept_bytes(&end), Ok(end.len()), "{}", String::from_utf8_lossy(&end));
    assert!(once.is_completed(), "{}", String::from_utf8_lossy(&end));
    end.len()
}

#[test]
fn completions_are_shortest_wherever_a_text_stands() {
    for schema in SCHEMAS {
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let mut matcher = compile(schema, spelling).matcher();
            let mut left = distance(schema, &matcher);
            while left > 0 {
                let end = matcher.shortest_completion().expect("a completion");
                // No byte leads nearer to the end than the first of these, which leads one byte nearer.
                for byte in *b"\"\\ abcxlk1e-tf{}[],:.\xc3\xa9" {
                    let mut next = matcher.clone();
                    if next.accept_bytes(&[byte]) == Ok(1) {
                        let after = distance(schema, &next);
                        assert!(after + 1 >= left, "{schema} {spelling:?} {byte}: {after}, {left}");
                        assert!(byte != end[0] || after + 1 == left, "{schema} {spelling:?}");
                    }
                }
                assert_eq!(matcher.accept_bytes(&end[..1]), Ok(1));
                left -= 1;
            }
            assert!(matcher.is_completed());
        }
    }
}

#[test]
fn completions_of_begun_keys_and_values_fill_no_tables() {
    for (schema, begun) in [
        (SCHEMAS[0], r#"{"y"#),
        (SCHEMAS[0], r#"{"y":{"z":[[{"#),
        (SCHEMAS[1], ""),
        (SCHEMAS[1], r#"{"q":{"some key":"#),
        (SCHEMAS[2], r#"{"#),
        (SCHEMAS[2], r#"{"yy":"","#),
        (SCHEMAS[3], r#"{"#),
        (SCHEMAS[7], r#"{"l":{"r":{"l":"#),
    ] {
        let compiled = compile(schema, Spelling::Any);
        let mut matcher = compiled.matcher();
        assert_eq!(matcher.accept_bytes(begun.as_bytes()), Ok(begun.len()), "{schema} {begun}");
        let before = compiled.memory_bytes();
        distance(schema, &matcher);
        let made = compiled.memory_bytes() - before;
        assert!(made < 4 << 20, "{schema} {begun}: {made} bytes");
    }
}

#[test]
fn many_keys_of_any_name_are_found() {
    // The names are free, and no two may be equal.
    let schema = r#"{"type":"object","minProperties":150}"#;
    let compiled = compile(schema, Spelling::Any);
    let before = compiled.memory_bytes();
    let left = distance(schema, &compiled.matcher());
    assert!(left >= 150 * 5, "{left}");
    let made = compiled.memory_bytes() - before;
    assert!(made < 32 << 20, "{made} bytes");
}
