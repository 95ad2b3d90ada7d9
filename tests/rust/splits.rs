//! Masks of vocabularies with large subtrees, where most tokens come ready and are not walked.
//!
//! Every bit must equal `validate_tokens`, which reads the bytes of one token at a time and knows nothing of tries. The
//! tokens lead into, along and out of loops, with whole and broken characters beyond ASCII in every place.

mod support;

use stackmask::{
    CompiledGrammar, Grammar, JsonSchemaOptions, LarkOptions, Limits, Spelling, TokenId,
    Vocabulary, Whitespace,
};
use std::sync::Arc;
use support::masks::mask;
use support::random::{Random, number, report, seed};
use support::vocabularies;

/// Pieces that tokens are made of.
const PIECES: [&[u8]; 27] = [
    b"a",
    b"b",
    b"e",
    b"x",
    b"_",
    b"0",
    b"7",
    b" ",
    b"\n",
    b"\"",
    b"\\",
    b"'",
    b"-",
    b"--",
    b"/*",
    b"*/",
    b",",
    b"(",
    b"\xc3\xa9",
    b"\xe6\x97\xa5",
    b"\xf0\x9f\x98\x80",
    b"\xe2\x80\xa8",
    b"\xe2\x80\x94",
    b"\xe6\x97",
    b"\xe2\x80",
    b"\xa5",
    b"\xff",
];

/// Lark grammars of names, strings and comments beside one another.
const LARK: [&str; 8] = [
    "start: NAME (\",\" NAME)*\nNAME: /[a-z_][a-z0-9_]*/\nWS: /[ \\n]+/\n%ignore WS",
    "start: item+\nitem: STRING | NAME | \"(\" start \")\"\nSTRING: /'(?:[^']|'')*'/\nNAME: /[a-z]+/\nWS: /[ \\n]+/\n%ignore WS",
    "start: sum\nsum: sum \"-\" sign | sign\nsign: \"-\" sign | NAME\nNAME: /[a-z_][a-z0-9_]*/\nREMARK: /--[^\\n]*/\nWS: /[ \\n]+/\n%ignore REMARK\n%ignore WS",
    "start: WORD NUMBER? (\"a\" WORD)*\nWORD: /\\w+/\nNUMBER: /[0-9]+(_[0-9]+)*/",
    "start: (A | B)* \"x\"\nA: /[ab]+e?/\nB: /[abe]{2,5}/\nREMARK: /\\/\\*[^*]*\\*+(?:[^*\\/][^*]*\\*+)*\\//\n%ignore REMARK",
    "start: LINE (\"\\n\" LINE)*\nLINE: /[^\\n\\xff]*é?x/",
    // Where a loop may end hangs on what follows.
    "start: PART WORD?\nPART: /.+?\\b/\nWORD: /[abx](?!x)/",
    "start: (PART | WORD)* \"x\"\nPART: /[^ab]+?(?=a|\\))/\nWORD: /[ab]+(?<!b)/",
];

const REGEX: [&str; 9] = [
    r"[a-z0-9_ ]+,\w*",
    r"(?:[^\x00-\x1f]|\n\n)*",
    r"\w+(?: \w+)*",
    r"(?:é|日)*x.*",
    r"[ab]{1,9}[abe]*-?",
    r#"(?:[^"\\]|\\.){3,70}",?"#,
    r#"[^"\u2028\u2029]{0,9}"x*"#,
    r"[^-\u2028]+-(?:[a-z0-9]{4}-){2}[^-]{8,}",
    r"(?:[ab]|[^\n]{2}){5,12}x?",
];

/// JSON Schemas whose keys, and strings that are counted, lead out of loops and rows in few places.
const SCHEMAS: [&str; 10] = [
    r#"{"properties": {"ab": {}, "a_": {"maxLength": 4}, "é": {}, " x": {}}, "additionalProperties": {"maxLength": 40}}"#,
    r#"{"properties": {"a": {"minLength": 6}, "b": {"minLength": 2, "maxLength": 300}}, "required": ["a"]}"#,
    r#"{"type": "array", "items": {"type": "string", "maxLength": 9}}"#,
    r#"{"patternProperties": {"^a.+": {"type": "string", "pattern": "^.+-.+$"}}, "additionalProperties": {"minLength": 3, "maxLength": 3}}"#,
    r#"{"enum": ["ab", "abe", "x", "a_x"], "type": "string"}"#,
    // Names beside one another and beside any other, and what all schemas have.
    r#"{"properties": {"ab": {"type": "integer"}, "abe": {"type": "number"}, "ae": {"type": ["null", "boolean"]},
        "a\"x": {}, "a\\": {}, "日": {}}, "required": ["ab"], "additionalProperties": {"type": "string"}}"#,
    r#"{"properties": {"ab": {"minimum": 7, "maximum": 70}, "x": {"multipleOf": 0.7}, "a": {"enum": [0, "a", null, 7.7]}},
        "additionalProperties": false, "minProperties": 1}"#,
    r##"{"type": "array", "items": {"anyOf": [{"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"properties": {"b": true, "ab": {"not": {"type": "string"}}}}, {"const": "ab"}]}}"##,
    r#"{"type": "array", "items": {"type": "string", "format": "date"}, "uniqueItems": true}"#,
    r#"{"propertyNames": {"pattern": "^(ab?|x_)+$"}, "additionalProperties": {"type": "array", "maxItems": 2}}"#,
];

fn vocabulary(random: &mut Random) -> Arc<Vocabulary> {
    let tokens: Vec<Vec<u8>> = (0..2_500)
        .map(|_| {
            // A few beginnings are common, so that their subtrees are large.
            let mut token: Vec<u8> = Vec::new();
            if random.chance(70) {
                let beginnings: [&[u8]; 4] = [b" ", b"a", b"\"", b"ab"];
                let beginning: &&[u8] = random.pick(&beginnings);
                token.extend_from_slice(beginning);
            }
            let narrow = random.chance(50);
            for _ in 0..random.between(1, 5) {
                let pieces = if narrow { &PIECES[..8] } else { &PIECES[..] };
                let piece: &&[u8] = random.pick(pieces);
                token.extend_from_slice(piece);
            }
            token
        })
        .collect();
    vocabularies::bytes_and(&tokens)
}

fn grammars() -> Vec<Grammar> {
    let limits = Limits::default();
    let lark = LARK.iter().map(|text| Grammar::from_lark(text, &LarkOptions::default(), &limits));
    let regex = REGEX.iter().map(|pattern| Grammar::from_regex(pattern, &limits));
    let mut all: Vec<Grammar> = lark.chain(regex).map(|g| g.expect("a grammar")).collect();
    all.push(Grammar::json(Whitespace::Bounded));
    for spelling in [Spelling::Any, Spelling::Canonical] {
        let options = JsonSchemaOptions { spelling, ..JsonSchemaOptions::default() };
        let schemas = SCHEMAS.map(|text| Grammar::from_json_schema(text, &options, &limits));
        all.extend(schemas.map(|g| g.expect("a grammar")));
    }
    all
}

#[test]
fn masks_equal_validation() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut bits = 0;
    for _ in 0..number("STACKMASK_ROUNDS").unwrap_or(2) {
        let vocabulary = vocabulary(&mut random);
        for (number, grammar) in grammars().iter().enumerate() {
            let compiled = CompiledGrammar::new(grammar, vocabulary.clone(), &Limits::default());
            let compiled = compiled.expect("it compiles");
            for _ in 0..3 {
                let mut matcher = compiled.matcher();
                let mut text = Vec::new();
                for _ in 0..6 {
                    let mask = mask(&mut matcher);
                    for (id, &allowed) in mask.iter().enumerate() {
                        let valid = matcher.validate_tokens(&[id as TokenId]) == Ok(1);
                        let token = vocabulary.token_bytes(id as TokenId).unwrap_or(b"");
                        assert_eq!(
                            allowed,
                            valid,
                            "grammar {number} after {:?}: {:?}, STACKMASK_SEED={seed}",
                            text.escape_ascii().to_string(),
                            token.escape_ascii().to_string()
                        );
                    }
                    bits += mask.len();
                    let allowed: Vec<usize> = (0..mask.len()).filter(|&id| mask[id]).collect();
                    let id = *random.pick(&allowed) as TokenId;
                    assert_eq!(matcher.accept_token(id), Ok(true));
                    text.extend_from_slice(vocabulary.token_bytes(id).unwrap_or(b""));
                    if matcher.is_terminated() {
                        break;
                    }
                }
            }
        }
    }
    report(&format!("splits: {bits} bits compared, STACKMASK_SEED={seed}"));
}
