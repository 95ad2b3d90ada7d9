//! The reference recognizer itself, on grammars of which the language is known.

mod reference;

use std::fs;
use std::path::Path;

use reference::json::{self, Gap};
use reference::{Chart, Grammar};
use serde::Deserialize;

/// All strings over `alphabet` of at most `len` bytes.
fn strings(alphabet: &[u8], len: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..len {
        let to = all.len();
        for i in from..to {
            for &b in alphabet {
                let mut longer: Vec<u8> = all[i].clone();
                longer.push(b);
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

/// The grammar accepts the strings of which `is_member` is true, and no others; its prefixes are those that some
/// string at most `more` bytes longer completes.
fn check(source: &str, alphabet: &[u8], more: usize, is_member: impl Fn(&[u8]) -> bool) {
    let grammar = Grammar::parse(source);
    let all = strings(alphabet, 7);
    for s in &all {
        assert_eq!(grammar.accepts(s), is_member(s), "{source} {s:?}");
    }
    for s in all.iter().filter(|s| s.len() + more <= 7) {
        let viable = all.iter().any(|t| t.starts_with(s) && is_member(t));
        assert_eq!(grammar.is_prefix(s), viable, "{source} prefix {s:?}");
    }
}

fn all_a(s: &[u8]) -> bool {
    s.iter().all(|&b| b == b'a')
}

#[test]
fn ambiguous_and_nullable_recursion() {
    check("s: s s | \"a\" |", b"ab", 0, all_a);
    check("s: s s s | \"a\" |", b"ab", 0, all_a);
    check("s: s | t\nt: s | \"a\"", b"ab", 1, |s| s == b"a");
}

#[test]
fn left_recursion_hidden_behind_nullable_rules() {
    check("s: n s \"a\" | \"b\"\nn: | \"c\"", b"abc", 7, |s| {
        let Some(b) = s.iter().position(|&c| c == b'b') else { return false };
        let (before, after) = (&s[..b], &s[b + 1..]);
        before.iter().all(|&c| c == b'c') && all_a(after) && before.len() <= after.len()
    });
    check("s: n m s \"a\" | \"b\"\nn: m |\nm: n |", b"ab", 1, |s| {
        s.first() == Some(&b'b') && all_a(&s[1..])
    });
}

#[test]
fn right_recursion_and_nesting() {
    check("s: \"a\" s | \"b\"", b"ab", 1, |s| s.last() == Some(&b'b') && all_a(&s[..s.len() - 1]));
    check("s: \"a\" s \"b\" |", b"ab", 4, |s| {
        let (a, b) = s.split_at(s.len() / 2);
        s.len() % 2 == 0 && all_a(a) && b.iter().all(|&c| c == b'b')
    });
}

#[test]
fn unproductive_rules_are_no_prefixes() {
    check("s: \"a\" t | \"ab\" | \"b\" u\nt: \"b\" t\nu: []", b"ab", 2, |s| s == b"ab");
    let empty = Grammar::parse("s: s \"a\" | t\nt: \"b\" s");
    assert!(empty.is_empty() && !empty.is_prefix(b"") && !empty.accepts(b""));
}

#[test]
fn right_recursion_of_completed_nullable_rules() {
    // The case in which a completer that looks only once misses the items added after it looked.
    check("s: t t t t\nt: \"a\" | e\ne:", b"ab", 0, |s| s.len() <= 4 && all_a(s));
}

#[test]
fn charts_are_cut_back() {
    let grammar = Grammar::parse("s: \"(\" s \")\" s |");
    let mut chart = Chart::new(&grammar);
    assert!(chart.accepts() && chart.push(b'(') && !chart.accepts());
    assert!(chart.push(b')') && chart.accepts() && !chart.push(b')') && chart.accepts());
    chart.truncate(1);
    assert!(chart.len() == 1 && chart.push(b'(') && chart.push(b')') && !chart.accepts());
    chart.truncate(0);
    let tokens: [&[u8]; 6] = [b"(", b"((", b"(()", b"())", b")", b"))"];
    assert_eq!(chart.viable(&tokens), [true, true, true, false, false, false]);
    assert_eq!(chart.len(), 0);
}

#[test]
fn notation_of_bytes_and_sets() {
    let grammar = Grammar::parse("s: \"\\x00\\n\\\"\" [^\\x00-\\xfe] | [a\\]c-e]");
    assert!(grammar.accepts(b"\0\n\"\xff") && !grammar.accepts(b"\0\n\"\xfe"));
    for b in 0..=255u8 {
        assert_eq!(grammar.accepts(&[b]), b"a]cde".contains(&b));
    }
}

#[test]
fn json_texts() {
    let any = Grammar::parse(&json::notation(Gap::Any));
    let good: [&[u8]; 8] = [
        b" [ ] ",
        br#"{"a":[1,-0.5e+3,true],"b":{}}"#,
        br#""\ud83d\ude00\n""#,
        "\"é😀\"".as_bytes(),
        b"\n\n0\t\t",
        b"[[[[1]]]]",
        b"\"\x7f\"",
        b"{\"a\" : 1 , \"a\" : 2}",
    ];
    let bad: [&[u8]; 9] = [
        b"01",
        b"[1,]",
        b"\"\\ud800\"",
        b"\"\xc0\x80\"",
        b"\"\xed\xa0\x80\"",
        b"\"\n\"",
        b"{1:2}",
        b"+1",
        b"",
    ];
    assert!(good.iter().all(|s| any.accepts(s)));
    assert!(bad.iter().all(|s| !any.accepts(s)));
    let bounded = Grammar::parse(&json::notation(Gap::Bounded));
    let gap = |s: String| bounded.accepts(format!("[{s}1]").as_bytes());
    assert!(gap(" ".repeat(8)) && gap(format!("\r\n{}", "\t".repeat(256))));
    assert!(!gap(" ".repeat(9)) && !gap(format!("\n{}", " ".repeat(257))) && !gap(" \n".into()));
    assert!(!gap("\n\n".into()) && !gap("\r".into()));
    let none = Grammar::parse(&json::notation(Gap::None));
    assert!(none.accepts(b"[1,2]") && !none.accepts(b"[1, 2]"));
}

#[test]
fn what_must_not_follow() {
    let has = |s: &[u8], part: &[u8]| s.windows(part.len()).any(|w| w == part);
    check("s: | s t\nt: \"a\" ![b] | \"b\"", b"ab", 0, |s| !has(s, b"ab"));
    check("s: | s t\nt: u u\nu: \"a\" !\"bb\" | \"b\"", b"ab", 1, |s| {
        s.len() % 2 == 0 && !has(s, b"abb")
    });
    // Both may not follow; and one of two readings of a text is refused.
    check("s: t s |\nt: \"a\" ![c] ![b][bc] | [bc]", b"abc", 0, |s| {
        !has(s, b"ac") && !has(s, b"abb") && !has(s, b"abc")
    });
    check("s: t s |\nt: \"a\" ![b] | \"abc\" | \"c\"", b"abc", 1, |s| {
        s.iter().enumerate().all(|(at, byte)| match byte {
            b'a' => s[at..].starts_with(b"abc") || s.get(at + 1) != Some(&b'b'),
            b'b' => at > 0 && s[at - 1..].starts_with(b"abc"),
            _ => true,
        })
    });
}

#[test]
fn shipped_grammars_have_the_texts_of_the_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/grammars");
    // A crate that was packed on its own has no suite.
    let Ok(entries) = fs::read_dir(&folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let grammar = Grammar::parse(&reference::shipped::notation(name));
        let text = fs::read_to_string(&path).expect("a file of the suite");
        let case: Case = toml::from_str(&text).expect("a case");
        for (texts, expected) in [(&case.accepts, true), (&case.rejects, false)] {
            for text in texts {
                assert_eq!(grammar.accepts(text.as_bytes()), expected, "{name}: {text:?}");
            }
        }
    }
}

#[derive(Deserialize)]
struct Case {
    accepts: Vec<String>,
    rejects: Vec<String>,
}

#[test]
fn what_must_not_follow_is_forgotten_when_charts_are_cut_back() {
    let grammar = Grammar::parse("s: \"a\" !\"bc\" t | \"a\" ![c] \"c\"\nt: \"b\" [cd] | \" \"");
    let mut chart = Chart::new(&grammar);
    assert!(chart.push(b'a') && chart.push(b'b') && !chart.push(b'c') && chart.push(b'd'));
    chart.truncate(1);
    let tokens: [&[u8]; 6] = [b" ", b"b", b"bc", b"bd", b"bdd", b"c"];
    assert_eq!(chart.viable(&tokens), [true, true, false, true, false, false]);
    assert!(!chart.accepts() && chart.push(b' ') && chart.accepts());
}
