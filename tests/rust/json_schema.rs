//! JSON Schemas through the engine's public API: what a schema's texts are, by bytes.

use std::sync::Arc;

use stackmask::schema::Draft;
use stackmask::schema::keywords::{Effect, KEYWORDS};
use stackmask::{
    CompiledGrammar, Error, Grammar, JsonSchemaOptions, Limits, Spacing, Spelling, Vocabulary,
    Whitespace,
};

fn compile(schema: &str, options: &JsonSchemaOptions) -> Result<CompiledGrammar, Error> {
    let limits = Limits::default();
    let grammar = Grammar::from_json_schema(schema, options, &limits)?;
    CompiledGrammar::new(&grammar, Arc::new(Vocabulary::byte_level()), &limits)
}

fn accepts(compiled: &CompiledGrammar, text: &str) -> bool {
    let mut matcher = compiled.matcher();
    let taken = matcher.accept_bytes(text.as_bytes()).expect("within limits");
    taken == text.len() && matcher.is_completed()
}

fn in_spelling(spelling: Spelling) -> JsonSchemaOptions {
    JsonSchemaOptions { spelling, ..JsonSchemaOptions::default() }
}

const BOTH: [Spelling; 2] = [Spelling::Canonical, Spelling::Any];

/// Checks texts in both spellings.
#[track_caller]
fn check(schema: &str, valid: &[&str], invalid: &[&str]) {
    for spelling in BOTH {
        check_in(spelling, schema, valid, invalid);
    }
}

#[track_caller]
fn check_in(spelling: Spelling, schema: &str, valid: &[&str], invalid: &[&str]) {
    let compiled = compile(schema, &in_spelling(spelling)).expect(schema);
    for text in valid {
        assert!(accepts(&compiled, text), "{spelling:?}: {schema} refuses {text}");
    }
    for text in invalid {
        assert!(!accepts(&compiled, text), "{spelling:?}: {schema} accepts {text}");
    }
}

#[test]
fn any_value() {
    check(
        "true",
        &[
            "null",
            " true",
            "false\n",
            "0",
            "-1.5e-7",
            r#""x""#,
            "[]",
            "{}",
            "[1, [2], {}]",
            r#"{"a": {"b": [null]}, "c": "d"}"#,
        ],
        &["", "nul", "01", "[1,]", "{,}", r#"{"a" 1}"#, r#"{"a":1,}"#, "[1 2]", "]"],
    );
}

#[test]
fn keys_are_required_optional_or_closed() {
    check(
        r#"{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"},"c":{"type":"null"}},
            "required":["b"],"additionalProperties":false}"#,
        &[
            r#"{"b":null}"#,
            r#"{"a":null,"b":null}"#,
            r#"{"b":null,"c":null}"#,
            r#"{ "a" : null , "b" : null , "c" : null }"#,
        ],
        &[
            "{}",
            "null",
            r#"{"a":null}"#,
            r#"{"b":1}"#,
            r#"{"b":null,"d":null}"#,
            r#"{"b":null,}"#,
            r#"{"a":null,"c":null}"#,
            r#"{"b":null,"b":null}"#,
        ],
    );
}

#[test]
fn keys_come_in_schema_order_or_in_any() {
    let schema = r#"{"properties":{"a":{"type":"integer"},"b":{"type":"string"}}}"#;
    let ordered =
        [r#"{"a":1,"b":"x"}"#, r#"{"b":"x"}"#, r#"{"a":1,"z":[]}"#, r#"{"b":"","c":1,"d":2}"#];
    let others = [r#"{"b":"x","a":1}"#, r#"{"z":[],"a":1}"#, r#"{"a":1,"z":1,"b":"x"}"#];
    let never = [
        r#"{"a":"x"}"#,
        r#"{"z":1,"a":null}"#,
        r#"{"a":1.5}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"z":1,"\u007a":2}"#,
    ];
    check(schema, &ordered, &never);
    check_in(Spelling::Canonical, schema, &[], &others);
    check_in(Spelling::Any, schema, &others, &[]);
}

#[test]
fn counts_of_keys() {
    check(
        r#"{"type":"object","minProperties":2,"maxProperties":3,"additionalProperties":{"type":"integer"}}"#,
        &[r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,"c":3}"#],
        &["{}", r#"{"a":1}"#, r#"{"a":1,"b":2,"c":3,"d":4}"#, r#"{"a":1,"b":null}"#],
    );
    check(
        r#"{"type":"object","properties":{"a":true,"b":true,"c":true},"required":["c"],"maxProperties":2,
            "additionalProperties":false}"#,
        &[r#"{"c":1}"#, r#"{"a":1,"c":1}"#, r#"{"b":1,"c":1}"#],
        &["{}", r#"{"a":1,"b":1}"#, r#"{"a":1,"b":1,"c":1}"#],
    );
    check(
        r#"{"type":"object","properties":{"a":true,"b":true,"c":true},"minProperties":2,
            "additionalProperties":false}"#,
        &[r#"{"a":1,"b":1}"#, r#"{"a":1,"c":1}"#, r#"{"b":1,"c":1}"#, r#"{"a":1,"b":1,"c":1}"#],
        &["{}", r#"{"a":1}"#, r#"{"c":1}"#],
    );
}

#[test]
fn clauses() {
    check(
        r#"{"type":"object","properties":{"a":true,"b":true,"c":true},"additionalProperties":false,
            "anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
        &[r#"{"a":1}"#, r#"{"b":1}"#, r#"{"a":1,"b":1}"#, r#"{"b":1,"c":1}"#],
        &["{}", r#"{"c":1}"#],
    );
    check(
        r#"{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false,
            "oneOf":[{"required":["a"]},{"required":["b"]}]}"#,
        &[r#"{"a":1}"#, r#"{"b":1}"#],
        &["{}", r#"{"a":1,"b":1}"#],
    );
    check(
        r#"{"type":"object","properties":{"k":{"enum":["x","y"]},"v":true},"required":["k","v"],
            "if":{"properties":{"k":{"const":"x"}}},"then":{"properties":{"v":{"type":"integer"}}},
            "else":{"properties":{"v":{"type":"string"}}}}"#,
        &[r#"{"k":"x","v":1}"#, r#"{"k":"y","v":"1"}"#],
        &[r#"{"k":"x","v":"1"}"#, r#"{"k":"y","v":1}"#, r#"{"k":"z","v":1}"#, r#"{"k":"x"}"#],
    );
    check(
        r#"{"type":"object","properties":{"a":true,"b":true},"dependentRequired":{"a":["b"]}}"#,
        &["{}", r#"{"b":1}"#, r#"{"a":1,"b":1}"#, r#"{"z":1}"#],
        &[r#"{"a":1}"#, r#"{"a":1,"z":1}"#],
    );
    check(
        r#"{"type":"object","not":{"additionalProperties":{"type":"string"}}}"#,
        &[r#"{"a":1}"#, r#"{"a":"x","b":1}"#],
        &["{}", r#"{"a":"x"}"#],
    );
}

#[test]
fn arrays() {
    check(
        r#"{"type":"array","prefixItems":[{"type":"null"},{"type":"integer"}],"items":{"type":"string"},
            "minItems":1,"maxItems":4}"#,
        &["[null]", "[null, 1]", r#"[null,1,"x"]"#, r#"[null,1,"x","y"]"#],
        &["[]", "[1]", "[null,null]", "[null,1,1]", r#"[null,1,"x","y","z"]"#, "null"],
    );
    check(
        r#"{"type":"array","contains":{"type":"null"},"minContains":2,"maxContains":3}"#,
        &["[null,null]", "[1,null,2,null]", "[null,null,null,1,[null]]"],
        &["[]", "[null]", "[1,null]", "[null,null,null,null]"],
    );
    check(
        r#"{"type":"array","items":{"type":["null","integer"]},"contains":{"type":"null"},"maxItems":2}"#,
        &["[null]", "[1,null]", "[null,1]", "[null,null]"],
        &["[]", "[1]", "[1,1]", "[1,1,null]"],
    );
}

#[test]
fn integers_of_draft_4_are_told_by_their_text() {
    let draft_4 = r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"}"#;
    check(draft_4, &["1", "-20", "0"], &["1.0", "1e2", "0.5"]);
    check_in(Spelling::Any, r#"{"type":"integer"}"#, &["1", "1.0", "1e2"], &["0.5", "1e-1"]);
}

#[test]
fn recursion() {
    check(
        r##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},
            "next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"required":["v","next"],
            "additionalProperties":false}}}"##,
        &[r#"{"v":1,"next":null}"#, r#"{"v":1,"next":{"v":2,"next":{"v":3,"next":null}}}"#],
        &[r#"{"v":1}"#, r#"{"v":1,"next":{}}"#, r#"{"v":1,"next":{"v":2}}"#, "null"],
    );
}

#[test]
fn white_space() {
    let schema =
        r#"{"type":"array","items":{"type":"object","additionalProperties":{"type":"null"}}}"#;
    let with = |spacing| {
        let options = JsonSchemaOptions { spacing: Some(spacing), ..JsonSchemaOptions::default() };
        compile(schema, &options)
    };
    let cases: [(Spacing, &[&str], &[&str]); 5] = [
        (
            Spacing::Gap(Whitespace::None),
            &["[]", r#"[{"a":null,"b":null}]"#],
            &["[ ]", " []", r#"[{"a": null}]"#],
        ),
        (
            Spacing::Gap(Whitespace::Bounded),
            &[" [ ] ", "[\n  {\"a\": null}\n]", "\r\n[\n\t{}\n]"],
            &["[\n\n]", "[         ]"],
        ),
        (Spacing::Gap(Whitespace::Any), &["[\n\n          ]", "\r\r[ ]"], &["[\u{a0}]"]),
        (
            Spacing::Separators(", ".into(), ": ".into()),
            &["[]", r#"[{"a": null, "b": null}, {}]"#],
            &["[ ]", "[{},{}]", r#"[{"a":null}]"#, " []"],
        ),
        (
            Spacing::Pattern(r"[ \n]{1,2}".into()),
            &[" [ ] ", " [ { \"a\" : null  } \n]\n"],
            &["[]", "[ ]", " [ ]", "  [   ] "],
        ),
    ];
    for (spacing, valid, invalid) in cases {
        let compiled = with(spacing.clone()).expect("a schema");
        for text in valid {
            assert!(accepts(&compiled, text), "{spacing:?}: {text:?}");
        }
        for text in invalid {
            assert!(!accepts(&compiled, text), "{spacing:?}: {text:?}");
        }
    }
}

#[test]
fn counted_items_among_listed_ones() {
    check_in(
        Spelling::Canonical,
        r#"{"type":"object","properties":{"":true},"required":["c",""],"additionalProperties":{"type":"array",
            "prefixItems":[{"const":{"b":null,"é":[2]},"minLength":0},{"minLength":3,"type":["array","boolean","string"]}],
            "items":{"enum":[2,-2,"bb"]},"contains":{"type":"number"}}}"#,
        &[r#"{"":1,"c":[{"b":null,"é":[2]},true,2]}"#],
        &[r#"{"":1,"c":[{"b":null,"é":[2]},true,"bb"]}"#],
    );
}

#[test]
fn the_documentation_lists_the_keywords_of_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json-schema.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let draft = |draft| match draft {
        Draft::Draft4 => "4",
        Draft::Draft6 => "6",
        Draft::Draft7 => "7",
        Draft::Draft201909 => "2019-09",
        Draft::Draft202012 => "2020-12",
    };
    for keyword in KEYWORDS {
        let (since, until) = (draft(keyword.since), draft(keyword.until));
        let drafts = if since == until { since.to_owned() } else { format!("{since} to {until}") };
        let effect = match keyword.effect {
            Effect::Enforced => "enforced",
            Effect::Structural => "structure",
            Effect::Annotation => "annotation",
            Effect::Warned => "annotation, with a warning",
        };
        let row = format!("| `{}` | {drafts} | {effect} | {} |\n", keyword.name, keyword.note);
        assert!(page.contains(&row), "the page lacks {row}");
    }
}
