use super::*;
use crate::grammar::Expr;

fn read(text: &str) -> Result<Grammar, Error> {
    Grammar::from_gbnf(text, "root", &Limits::default())
}

/// The line and column of what is wrong, and a part of the message.
#[test]
fn errors_have_places() {
    let cases = [
        ("root ::= \"a", 1, 10, "no closing quote"),
        ("root ::= [a-", 1, 10, "no closing bracket"),
        ("root ::= [a\nb]", 1, 10, "no closing bracket"),
        ("root ::= [b-a]", 1, 11, "ends before it begins"),
        ("root ::= []", 1, 10, "the class is empty"),
        ("root ::= [^\\x00-\\U0010FFFF]", 1, 10, "excludes every character"),
        ("root ::= \"\\q\"", 1, 11, "unknown escape"),
        ("root ::= \"\\x4\"", 1, 11, "2 hexadecimal digits"),
        ("root ::= \"\\u00g0\"", 1, 11, "4 hexadecimal digits"),
        ("root ::= \"\\uD800\"", 1, 11, "no character"),
        ("root ::= a\n# é\na ::= é", 3, 7, "cannot stand here"),
        ("root ::= a\n\nb ::= \"x\"", 1, 10, "no rule \"a\""),
        ("root ::= \"a\"\nroot ::= \"b\"", 2, 1, "second rule"),
        ("root ::= (\"a\"", 1, 10, "not closed"),
        ("root ::= \"a\")", 1, 13, "no other opens"),
        ("root ::= *", 1, 10, "nothing to repeat"),
        ("root ::= \"a\" | ?", 1, 16, "nothing to repeat"),
        ("root ::= \"a\"{2", 1, 13, "written as {m}"),
        ("root ::= \"a\"{}", 1, 13, "written as {m}"),
        ("root ::= \"a\"{4294967296}", 1, 13, "below 2^32"),
        ("root ::= \"a\"{3,2}", 1, 13, "smaller upper"),
        ("root ::= \"a\"***", 1, 15, "too many repetitions"),
        ("root : \"a\"", 1, 6, "::= is expected"),
        ("= \"a\"", 1, 1, "a rule is expected"),
        ("root ::= a b ::= \"x\"", 1, 12, "line of its own"),
        ("root ::= <think>", 1, 10, "named by their ids"),
        ("root ::= !<[7]>", 1, 10, "not supported"),
        ("root ::= <[x]>", 1, 10, "<[id]>"),
    ];
    for (text, line, column, part) in cases {
        match read(text) {
            Err(Error::Syntax { message, place: Some(place) }) => {
                assert_eq!((place.line, place.column), (line, column), "{text:?}: {message}");
                assert!(message.contains(part), "{text:?}: {message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert!(read("").is_err() && read("a ::= \"x\"").is_err());
}

#[test]
fn limits_hold() {
    let nested = |depth: usize| format!("root ::= {}\"a\"{}", "(".repeat(depth), ")".repeat(depth));
    assert!(read(&nested(256)).is_ok());
    assert!(matches!(read(&nested(257)), Err(Error::TooComplex { name: "source_nesting", .. })));
    let repeated = format!("root ::= {}\"a\"{}", "(".repeat(256), ")**".repeat(256));
    assert!(read(&repeated).is_ok());
    let limits = Limits { rules: 2, ..Limits::default() };
    let many = "root ::= \"a\"\nb ::= \"a\"\nc ::= \"a\"";
    assert!(Grammar::from_gbnf(many, "root", &limits).is_err());
    // A chain of rules costs no stack.
    let chain: String = (0..50_000)
        .map(|n| format!("r{n} ::= r{} r9999{n}\nr9999{n} ::= \"a\"\n", n + 1))
        .collect();
    assert!(read(&format!("root ::= r0\n{chain}r50000 ::= \"b\"")).is_ok());
}

#[test]
fn what_is_regular_is_a_terminal() {
    let text = r##"
root ::= object
object ::= "{" ws (pair ("," ws pair)*)? "}" ws   # recursive
pair ::= string ":" ws (object | string)
string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}))* "\"" ws
ws ::= | " " | "\n" [ \t]{0,20}
"##;
    let grammar = read(text).expect("a grammar");
    assert_eq!(grammar.rules.len(), 5);
    let string = grammar.rules.iter().find(|rule| rule.name == "string").map(|rule| &rule.body);
    assert!(matches!(string, Some(Expr::Terminal(_))), "{string:?}");
    let pair = grammar.rules.iter().find(|rule| rule.name == "pair").map(|rule| &rule.body);
    let Some(Expr::Seq(parts)) = pair else { panic!("{pair:?}") };
    assert_eq!(parts.len(), 2, "a string with its colon, and a value: {parts:?}");
}

#[test]
fn tokens_are_named_by_their_ids() {
    let grammar = read("root ::= <[7]> \"a\"").expect("a grammar");
    let Expr::Seq(parts) = &grammar.rules[0].body else { panic!("{:?}", grammar.rules) };
    assert_eq!(parts[0], Expr::Token(7));
}
