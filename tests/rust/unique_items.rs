//! Arrays whose items must differ and cannot be listed: no walk of the masks ends in an item that cannot end, masks tell
//! what accepting does, and what is written has no equal items.

mod support;

use serde_json::Value;
use stackmask::Spelling;
use support::grammars::of_schema;
use support::vocabularies::{json, quotes_and};
use support::walks::walk_schemas;

/// Each with the beginning of a text that has used items up. The items of the outermost array must differ.
const SCHEMAS: [(&str, &str); 12] = [
    (r#"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#, r#"["","a","ab","#),
    (
        r#"{"type":"array","items":{"type":"string","pattern":"^(x|y+|[ab]{1,9}z?)$"},
            "uniqueItems":true,"minItems":2}"#,
        r#"["x","a","az","#,
    ),
    (
        r#"{"type":"array","items":{"type":"string","maxLength":1},"uniqueItems":true,"maxItems":20}"#,
        r#"["","a","b","\\","#,
    ),
    (r#"{"type":"array","items":{"type":"integer"},"uniqueItems":true}"#, r"[0,1,12,-1,"),
    (
        r#"{"type":"array","items":{"type":["number","boolean","null"],"minimum":0,"maximum":1},
            "uniqueItems":true}"#,
        r"[0,1,true,null,0.5,",
    ),
    (r#"{"type":"array","uniqueItems":true,"minItems":3}"#, r#"[[],{},1,"a",[1],{"a":1},"#),
    (
        r#"{"type":"array","uniqueItems":true,"items":{"type":"object","required":["a"],
            "properties":{"a":{"type":"string"},"b":{"enum":[1,2]}},"additionalProperties":false}}"#,
        r#"[{"a":"a"},{"a":"a","b":1},{"a":"b","b":1},{"a":"b","b":2},"#,
    ),
    (
        r#"{"type":"array","uniqueItems":true,"items":{"type":"array","items":{"type":"integer"},
            "minItems":1,"maxItems":2}}"#,
        r"[[1],[12],[1,1],[1,12],",
    ),
    (
        r#"{"type":"array","uniqueItems":true,"items":{"type":"array","uniqueItems":true,
            "items":{"type":["string","null"]},"maxItems":2}}"#,
        r#"[[],[null],["a"],["a",null],"#,
    ),
    (
        r#"{"type":"array","uniqueItems":true,"prefixItems":[{"type":"string"},{"type":"integer"}],
            "items":{"type":["integer","string"]},"minItems":4}"#,
        r#"["a",1,"b","#,
    ),
    (
        r#"{"anyOf":[
            {"type":"array","uniqueItems":true,"items":{"type":"object","propertyNames":{"maxLength":1},
             "additionalProperties":{"type":"string"}}},
            {"type":"array","uniqueItems":true,"items":{"type":["object","string"]}}]}"#,
        r#"[{},{"a":"a"},{"a":"a","b":"b"},"#,
    ),
    (
        r#"{"type":"array","uniqueItems":true,"items":{"type":"object","properties":{"a":{"type":"object",
            "properties":{"a":{"type":"array","items":{"type":"string"}}}}},"maxProperties":1}}"#,
        r#"[{},{"a":{}},{"a":{"a":["a"]}},{"a":{"a":["a","b"]}},"#,
    ),
];

/// Whether two values are equal by JSON Schema. Numbers are compared as floats if they are short.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

fn has_equal_items(items: &[Value]) -> bool {
    (0..items.len()).any(|at| items[..at].iter().any(|earlier| equal(earlier, &items[at])))
}

/// Whether all numbers are short enough for floats to tell them apart.
fn is_plain(text: &str) -> bool {
    let numbers = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
    let exponent = |number: &str| {
        number.split_once(['e', 'E']).is_some_and(|(_, exponent)| exponent.len() > 2)
    };
    numbers.into_iter().all(|number| number.len() < 15 && !exponent(number))
}

#[test]
fn no_walk_ends_in_an_item_that_cannot_end_or_writes_it_twice() {
    let vocabulary = quotes_and(&[
        "[\"",
        "[\"a",
        "[1",
        "\"a\",",
        ",\"a\"",
        ",\"a\",\"a\"",
        "\"b\",\"ab\"]",
        ",1",
        ",1,",
        "2,1",
        "0",
        "00",
        ".0",
        "e0",
        "1]",
        "1.0",
        "10",
        "[1,1]",
        "[1,1",
        "[\"a\",\"a\"]",
        "[]",
        "[],[]",
        "{}",
        "{},",
        "{},{}",
        "{}]",
        "]",
        "],",
        "]]",
        ",[",
        ",{\"a\":",
        "{\"a\":\"a\"}",
        "{\"a\":1},{\"b\":1}",
        "\"}]",
        "\"a\":1}",
        "\"b\":1",
        "true,",
        "null",
        ",null,",
        "null]",
        " ",
        ", ",
        "ab",
        "z\"",
        "y",
        "\\u0061\"",
        "x\",",
        "x\"",
    ]);
    walk_schemas(&SCHEMAS, &vocabulary, 10, |schema, text| {
        let text = std::str::from_utf8(text).expect("UTF-8");
        if !is_plain(text) {
            return;
        }
        // Half of a surrogate pair is a string to the engine, and none to this parser.
        let Ok(Value::Array(items)) = serde_json::from_str(text) else {
            assert!(text.contains("\\u"), "{text}");
            return;
        };
        assert!(!has_equal_items(&items), "{schema}: {text}");
    });
}

/// How much of the text is taken.
fn taken(schema: &str, text: &str) -> usize {
    let compiled = of_schema(schema, Spelling::Any, &json());
    compiled.matcher().accept_bytes(text.as_bytes()).expect("within limits")
}

#[test]
fn items_are_compared_by_value() {
    let any = r#"{"type":"array","uniqueItems":true}"#;
    // Two spellings of one value: with the second the text is taken up to its last byte, or the one behind it.
    for (one, other) in [
        (r#""a""#, r#""\u0061""#),
        (r#""\n""#, r#""\u000A""#),
        (r#"[1,"a"]"#, r#"[ 1.0 , "\u0061" ]"#),
        (r#"{"a":1,"b":[]}"#, r#"{"b":[],"\u0061":1e0}"#),
        (r#"{"a":{"b":{}}}"#, r#"{"a":{"b":{ }}}"#),
        ("[[[]]]", "[[[]]]"),
    ] {
        for (one, other) in [(one, other), (other, one)] {
            let text = format!("[{one},{other}]");
            assert_eq!(taken(any, &text), text.len() - 2, "{text}");
            let text = format!("[{one},[{other}],{{\"a\":{other}}},{{\"b\":{other}}}]");
            assert_eq!(taken(any, &text), text.len(), "{text}");
        }
    }
    for (one, other) in [("1", "1.0"), ("100", "1e2"), ("-0.5", "-5E-1"), ("0", "-0")] {
        for (one, other) in [(one, other), (other, one)] {
            for behind in [",", "]", " "] {
                let text = format!("[{one},{other}{behind}");
                assert_eq!(taken(any, &text), text.len() - 1, "{text}");
            }
        }
    }
    // A word can be nothing else from its first letter on.
    assert_eq!(taken(any, "[true,true"), "[true,".len());
    for text in [
        "[1,true,\"1\",[1],{\"1\":1},null,\"null\",10,0.1,-1]",
        "[[1,2],[2,1],[1],[1,2,3],[[1,2]]]",
    ] {
        assert_eq!(taken(any, text), text.len(), "{text}");
    }
}

#[test]
fn only_arrays_whose_items_must_differ_are_compared() {
    // Which of both is meant is told by what comes behind.
    let either = r#"{"anyOf":[{"properties":{"a":{"type":"array","uniqueItems":true},"b":{"const":1}}},
        {"properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"const":2}}}],
        "required":["a","b"],"additionalProperties":true,"type":"object"}"#;
    for (text, fits) in [
        (r#"{"a":["x","x"],"b":2}"#, true),
        (r#"{"a":["x","x"],"b":1}"#, false),
        (r#"{"a":["x","y"],"b":1}"#, true),
        (r#"{"a":[1,2],"b":1}"#, true),
        (r#"{"a":[1,1],"b":1}"#, false),
        (r#"{"a":[["x"],["x"]]"#, false),
        (r#"{"a":[["x","x"],["x"]],"b":1}"#, true),
    ] {
        assert_eq!(taken(either, text) == text.len(), fits, "{text}");
    }
    let inner = r#"{"type":"array","items":{"type":"array","uniqueItems":true}}"#;
    for (text, fits) in [("[[1,2],[1,2]]", true), ("[[1,2,[3,3]],[1,1]]", false)] {
        assert_eq!(taken(inner, text) == text.len(), fits, "{text}");
    }
}

#[test]
fn many_items_are_remembered_and_bounded() {
    let compiled = of_schema(SCHEMAS[0].0, Spelling::Any, &json());
    let mut matcher = compiled.matcher();
    assert_eq!(matcher.accept_bytes(b"["), Ok(1));
    for n in 0..2_000 {
        let text = format!("\"item{n}\",");
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len()));
    }
    for n in (0..2_000).step_by(97) {
        let text = format!("\"item{n}\"");
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len() - 1));
        matcher.rollback(1).expect("a step");
    }
}
