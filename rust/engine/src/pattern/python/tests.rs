//! Tests of whole patterns, with what Python's `re.fullmatch` answers.

use super::{Anchors, Flags, parse};
use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::matching::full_match;
use crate::pattern::{CharSet, Pattern};

fn full(pattern: &str) -> Pattern {
    parse(pattern, Flags::default(), Anchors::FullMatch, &Limits::default())
        .unwrap_or_else(|error| panic!("{pattern:?}: {error}"))
}

fn error(pattern: &str, anchors: Anchors) -> (String, u32) {
    match parse(pattern, Flags::default(), anchors, &Limits::default()) {
        Err(Error::Syntax { message, place: Some(place) }) => (message, place.column),
        other => panic!("{pattern:?} gave {other:?}"),
    }
}

/// Patterns with texts that match and texts that do not.
type Table<'a> = &'a [(&'a str, &'a [&'a str], &'a [&'a str])];

fn check(table: Table<'_>) {
    for &(source, accepted, refused) in table {
        let pattern = full(source);
        for text in accepted {
            assert!(full_match(&pattern, text), "{source:?} should match {text:?}: {pattern:?}");
        }
        for text in refused {
            assert!(!full_match(&pattern, text), "{source:?} matches {text:?}: {pattern:?}");
        }
    }
}

#[test]
fn literals_and_escapes() {
    check(&[
        ("", &[""], &["a"]),
        ("abc", &["abc"], &["ab", "abcd"]),
        (r"\x41\u00e9\U0001F600\101\0\07", &["Aé😀A\0\x07"], &[]),
        (r"\n\t\r\f\v\a", &["\n\t\r\x0c\x0b\x07"], &[]),
        (r"\.\*\é\ \-\_", &[".*é -_"], &[]),
        ("a]b}c", &["a]b}c"], &[]),
        (r"\ud800?a", &["a"], &[]),
        (".", &["a", "\r", "é", "\u{2028}"], &["\n", "", "ab"]),
        ("(?s).", &["\n"], &[]),
    ]);
}

#[test]
fn quantifiers() {
    check(&[
        ("ab*", &["a", "abb"], &["abab"]),
        ("aé+", &["aé", "aéé"], &["aéaé"]),
        ("a{2}", &["aa"], &["a", "aaa"]),
        ("a{2,}", &["aa", "aaaa"], &["a"]),
        ("a{,2}", &["", "aa"], &["aaa"]),
        ("a{,}", &["", "aaa"], &[]),
        ("a{1,2}?", &["a", "aa"], &["", "aaa"]),
        ("a{0}b", &["b"], &["ab"]),
        ("a{", &["a{"], &["a"]),
        ("a{}", &["a{}"], &[]),
        ("a{x}", &["a{x}"], &[]),
        ("a{1", &["a{1"], &[]),
        ("a{1,2", &["a{1,2"], &[]),
        ("a{ 1}", &["a{ 1}"], &[]),
        ("{", &["{"], &[]),
        ("a{+", &["a{", "a{{"], &["a"]),
        ("(?:a*)*", &["", "aaa"], &["b"]),
        ("((a*)*)*", &["", "aaa"], &[]),
        ("(?:a{2,3}){2}", &["aaaa", "aaaaaa"], &["aaa", "aaaaaaa"]),
        ("(x{1,100}){1,100}", &["x", "xxx"], &[""]),
        ("a(?#comment)*", &["", "aa"], &[]),
        ("a{65536}", &[], &["a"]),
        ("a{0,00065536}", &["a"], &[]),
    ]);
    assert_eq!(
        full("abc*?"),
        Pattern::Concat(vec![
            Pattern::Bytes(b"ab".to_vec()),
            Pattern::Repeat {
                body: Box::new(Pattern::Bytes(b"c".to_vec())),
                min: 0,
                max: None,
                greedy: false,
            },
        ])
    );
}

#[test]
fn classes() {
    check(&[
        ("[abc]", &["a", "c"], &["d", ""]),
        ("[a-cx]", &["b", "x"], &["d", "-"]),
        ("[^a-c]", &["d", "\n", "😀"], &["b"]),
        ("[]a]", &["]", "a"], &[]),
        ("[^]a]", &["b"], &["]", "a"]),
        ("[a-]", &["a", "-"], &["b"]),
        ("[-a]", &["a", "-"], &[]),
        ("[--/]", &["-", ".", "/"], &[","]),
        ("[a^]", &["^"], &[]),
        (r"[\]\\\b\1\x41]", &["]", "\\", "\x08", "\x01", "A"], &["b", "1"]),
        (r"[\d-]", &["5", "-"], &[]),
        (r"[\w.]", &["é", "_", "."], &["-"]),
        ("[[:a]]", &["[]", ":]", "a]"], &["a"]),
        ("[a&&b]", &["&"], &[]),
        (r"[\ud7ff-\ue000]", &["\u{d7ff}", "\u{e000}"], &["a"]),
    ]);
    assert_eq!(full(r"[^\s\S]"), Pattern::Class(CharSet::new([])));
    assert_eq!(full(r"[\ud800]"), Pattern::Class(CharSet::new([])));
}

#[test]
fn categories() {
    check(&[
        (r"\w", &["a", "_", "é", "²", "½", "Ⅷ", "語", "٣"], &["-", " ", "\u{301}", "‿"]),
        (r"\d", &["0", "٣", "𝟘"], &["²", "½", "a"]),
        (r"\s", &[" ", "\n", "\x1c", "\x1f", "\u{85}", "\u{a0}", "\u{3000}"], &["\u{200b}", "\0"]),
        (r"\W\D\S", &["-aa"], &["aaa", "-1a"]),
        (r"(?a)\w\d\s", &["a1 ", "_0\x0b"], &["é1 ", "a٣ ", "a1\u{a0}", "a1\x1c"]),
        (r"(?a)\W", &["é"], &["a"]),
        (r"(?a:\w)\w", &["aé"], &["éa"]),
        (r"(?a)(?u:\w)\w", &["éa"], &["aé"]),
    ]);
}

#[test]
fn ignoring_case() {
    check(&[
        ("(?i)straße", &["STRASSE".replace("SS", "ẞ").as_str(), "straße"], &["STRASSE"]),
        ("(?i)k", &["k", "K", "\u{212a}"], &["x"]),
        ("(?i)i", &["i", "I", "İ", "ı"], &["í"]),
        ("(?i)ı", &["i", "I", "İ", "ı"], &[]),
        ("(?i)[h-j]", &["I", "İ"], &["g"]),
        ("(?i)[^i]", &["a"], &["i", "I", "İ", "ı"]),
        ("(?i)σ", &["σ", "ς", "Σ"], &[]),
        ("(?i)\u{390}", &["\u{1fd3}"], &[]),
        ("(?i)\u{fb05}", &["\u{fb06}"], &["st"]),
        ("(?i)[\u{10400}-\u{10401}]", &["\u{10428}", "\u{10400}"], &["\u{1042a}"]),
        ("(?ai)k", &["k", "K"], &["\u{212a}"]),
        ("(?ai)[xé-ê]", &["X", "x", "é"], &["w", "É"]),
        ("(?i)[^a-c]", &["d"], &["A", "b"]),
        ("(?i:a)b", &["ab", "Ab"], &["AB"]),
        ("(?i)a(?-i:b)c", &["AbC"], &["ABC"]),
        ("(?i:a(?-i:b)c)d", &["AbCd"], &["ABCd", "AbCD"]),
        ("(?i:(a|b)c|d)E", &["AcE", "DE"], &["DeE", "De"]),
    ]);
}

#[test]
fn groups_and_verbose() {
    check(&[
        ("(a|b)(?:c|)(?P<n>d)(?<m>e)?", &["acd", "bde"], &["cd", "abd"]),
        ("()(|)", &[""], &["a"]),
        ("|a", &["", "a"], &[]),
        (r"a(?# \) still |*( )b", &["ab"], &[]),
        ("(?x) a b # c\n d\\ [ ]\\#", &["abd  #"], &[]),
        ("(?x: a b ) c", &["ab c"], &["abc"]),
        ("(?x)a(?-x: b )c", &["a b c"], &[]),
        ("(?x)a # \\\n b", &["a"], &["ab"]),
        (" (?#c)", &[" "], &[]),
        ("(?#c)(?i)(?s)A.", &["a\n"], &[]),
        ("(?x) (?i) a", &["A"], &[]),
    ]);
    assert!(error("(?x)a + # many\n?", Anchors::FullMatch).0.starts_with("multiple repeat"));
}

#[test]
fn anchors() {
    check(&[
        ("^a$", &["a"], &["aa", "a\n", "\na"]),
        (r"\Aa\Z", &["a"], &["a\n"]),
        (r"a\z", &["a"], &["a\n"]),
        ("^(a|b$)c?$", &["a", "ac", "b"], &["bc", "c"]),
        ("a$\n", &["a\n"], &["a", "a\n\n"]),
        ("a$\\s*", &["a", "a\n"], &["a ", "a\n\n"]),
        (r"a\Z\n?", &["a"], &["a\n"]),
        ("$^", &[""], &["\n"]),
        ("$^\n", &["\n"], &[""]),
        ("a^b", &[], &["ab", "a", "b"]),
        ("a$b", &[], &["ab", "a"]),
        ("a*^b", &["b"], &["ab"]),
        ("(^a|b)+", &["a", "ab", "bb"], &["ba", "aa", ""]),
        ("(a$|b)*", &["", "a", "bba", "bb"], &["ab", "aa"]),
        ("(a$|b){3}", &["bbb", "bba"], &["bb", "ba", "a", "bbbb"]),
        ("(a$|b){2,3}", &["bb", "ba", "bba", "bbb"], &["a", "b", "bbbb"]),
        ("(^|a){3}", &["aaa", "aa", "a", ""], &["aaaa"]),
        ("(^|a|$){3}b?", &["aaab", "aab", "aa", "b", ""], &["aaaab"]),
        ("(^a$){2}", &[], &["a", "aa"]),
        ("(?:^)*a", &["a"], &["aa"]),
        ("(?:(?:^a|b$)*|c)d?", &["", "a", "b", "ab", "c", "cd", "ad", "d"], &["bd", "ba"]),
        ("(?m)a\\Z", &["a"], &["a\n"]),
    ]);
    assert_eq!(full("^a+$"), full("a+"));
    assert_eq!(full(r"\A(?:ab|c)d\Z"), full("(?:ab|c)d"));
    assert_eq!(full("a^"), Pattern::Alt(Vec::new()));
}

#[test]
fn conditions() {
    check(&[
        ("a(?=b)b", &["ab"], &["a", "abb"]),
        ("(?!ab)[a-c]+", &["a", "ba", "ac"], &["ab", "abc"]),
        ("(?:(?!--)[a-])*", &["a-a", "-"], &["a--a", "--"]),
        (".*(?<!-)", &["", "a"], &["-", "a-"]),
        (r#""[^"]*?(?<!\\)(\\\\)*?""#, &[r#""a""#, r#""\\""#], &[r#""\""#, r#""a"#]),
        (r"\ba\b.*", &["a", "a b"], &["ab", "aé"]),
        (r"(?a)a\b.*", &["aé"], &["ab"]),
        (r".*\Ba", &["ba"], &["a", " a"]),
        ("(?m)(?:^a$\n?)*", &["a\na", "", "a\n"], &["aa", "a\n\n"]),
        ("(?m:a$).*(?s:.)*", &["a", "a\nb"], &["ab"]),
        ("(?=a$)a\n?", &["a", "a\n"], &["a\n\n"]),
        (r"(?=a\Z)a\n?", &["a"], &["a\n"]),
        ("(?=(?<=a)b)?.", &["a", "b"], &[""]),
        ("(?<=a+)b|a(?<=(?=ab).)b", &["ab"], &["b", "aab"]),
        (r"(?!\d)\w+", &["a1", "_"], &["1a"]),
        (r"\p{Lu}\P{Lu}\pL[\p{Nd}x]\p{^L}", &["É1é٣-"], &["é1é٣-"]),
        (r"(?i)\p{Lu}", &["a", "A"], &["1"]),
    ]);
}

#[test]
fn without_going_back() {
    check(&[
        ("a*+b", &["b", "aab"], &["a"]),
        ("a*+a", &[], &["a", "aa"]),
        ("a++ab|c", &["c"], &["aab"]),
        ("a{1,2}+a?", &["a", "aa", "aaa"], &["", "aaaa"]),
        ("a{1,2}+a", &["aaa"], &["a", "aa"]),
        ("a?+a", &["aa"], &["a"]),
        ("(?>a|ab)c", &["ac"], &["abc"]),
        ("(?>ab|a)c", &["ac", "abc"], &["abbc"]),
        ("(?>ab|a)b", &["abb"], &["ab"]),
        ("(?>x(?:ab)*)abc", &[], &["xabc", "xababc"]),
        ("(?>a*?)b", &["b"], &["ab"]),
        ("(?:ab)*+abc|d", &["d"], &["ababc", "abc"]),
        (r#""[^"]*+""#, &[r#""""#, r#""ab""#], &[r#""a"#]),
        // Rounds that read nothing.
        ("(?:(?=a))*+a", &["a"], &["", "b"]),
        ("(?:(?=a))*+[a-z]+", &["ab", "ba"], &[""]),
        ("(?:(?=a))++[a-z]+", &["ab"], &["ba", ""]),
        ("(?:(?!a)){2,3}+[a-z]+", &["ba"], &["ab"]),
        ("a(?:(?<=a))*+b", &["ab"], &["b", "a"]),
        ("a(?:(?<=b))++b|c", &["c"], &["ab"]),
        ("(?>(?:(?=a)(?!ab))?)[a-z]+", &["ab", "ac"], &[""]),
        ("(?:(?=a)()){1,}+[ab]", &["a"], &["b"]),
        (r"(?:\b)*+a(?:\b)++", &["a"], &["aa"]),
        ("(?:(?=a)){0}+b", &["b"], &["a"]),
    ]);
}

#[test]
fn refused() {
    for (pattern, words, column) in [
        (r"(a)\1", "back-references", 4),
        (r"(a)\18", "back-references", 4),
        ("(?P<n>a)(?P=n)", "back-references", 9),
        ("(a)?(?(1)b|c)", "conditional", 5),
        (r"\N{DASH}", "named characters", 1),
        ("(?>a+b)c", "this atomic group", 1),
        ("(?:a+b)*+", "this possessive quantifier", 8),
        ("a(?R)?", "recursion", 2),
        ("(?&x)", "recursion", 1),
        (r"\p{Nope}", "no such property", 1),
        (r"a\p{Lu", "'}' is expected", 2),
        (r"(?<n>a)\k<n>", "back-references", 8),
        ("a**", "multiple repeat", 3),
        ("a*??", "multiple repeat", 4),
        ("a{2}{3}", "multiple repeat", 5),
        ("*a", "nothing to repeat", 1),
        ("(|*)", "nothing to repeat", 3),
        ("^*", "nothing to repeat", 2),
        ("{1}", "nothing to repeat", 1),
        ("(?i)*", "nothing to repeat", 5),
        ("a{65537}", "above 65536", 2),
        ("a{0,99999999999999999999}", "above 65536", 2),
        ("a{3,2}", "greater than the most", 2),
        ("ab(c", "')' is expected", 3),
        ("a)", "unbalanced", 2),
        ("a[b", "']' is expected", 2),
        ("[]", "']' is expected", 1),
        ("[a-", "']' is expected", 1),
        ("[z-a]", "z-a", 2),
        (r"[\d-z]", r"\d-z", 2),
        (r"a\q", r"\q", 2),
        (r"[\B]", r"\B", 2),
        (r"[\8]", r"\8", 2),
        (r"\8", "back-references", 1),
        (r"\x4", "2 hexadecimal", 1),
        (r"\u12g4", "4 hexadecimal", 1),
        (r"\U00110000", "no such code point", 1),
        (r"\400", r"above \377", 1),
        ("a\\", "after the backslash", 2),
        ("(?", "ends after", 1),
        ("(?P", "unknown", 1),
        ("(?P>n)", "unknown", 1),
        ("(?y)", "unknown", 1),
        ("(?#a", "comment", 1),
        ("(?P<n", "group name", 5),
        ("(?P<>a)", "group name", 5),
        ("(?P<1>a)", "group name", 5),
        ("(?P<a-b>a)", "group name", 6),
        ("(?P<a>)(?<a>)", "second group named a", 11),
        ("a(?i)b", "start", 2),
        ("a|(?i)b", "start", 3),
        ("((?i)b)", "start", 2),
        ("(?L)", "bytes only", 3),
        ("(?au)", "exclude", 3),
        ("(?i-i:a)", "both on and off", 5),
        ("(?-a:b)", "cannot be turned off", 4),
        ("(?i-)", "a flag after '-'", 5),
        ("(?i-s)", "':'", 6),
        ("(?iq)", "a flag, '-', ':' or ')'", 4),
    ] {
        let (message, found) = error(pattern, Anchors::FullMatch);
        assert!(message.contains(words), "{pattern:?}: {message}");
        assert_eq!(found, column, "{pattern:?}: {message}");
    }
}

#[test]
fn limits_hold() {
    let limits = Limits::default();
    let too_complex = |pattern: &str, field: &str| match parse(
        pattern,
        Flags::default(),
        Anchors::FullMatch,
        &limits,
    ) {
        Err(Error::TooComplex { name, .. }) => assert_eq!(name, field),
        other => panic!("{:?}", other.map(|_| "parsed")),
    };
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(full(&nested(256)), full("a"));
    too_complex(&nested(257), "source_nesting");
    too_complex(&nested(50_000), "source_nesting");
    too_complex(&"(?:".repeat(50_000), "source_nesting");
    let starred = format!("{}a{}", "(?:b|^".repeat(256), ")*".repeat(256));
    let starred = full(&starred);
    assert!(full_match(&starred, "ab") && !full_match(&starred, "ba"));
    too_complex(&"(a|^)".repeat(10_000), "source_nesting");
    too_complex(&"(a|$)".repeat(10_000), "instructions");
    let small = Limits { source_bytes: 3, ..Limits::default() };
    assert!(parse("aaaa", Flags::default(), Anchors::FullMatch, &small).is_err());
}

#[test]
fn flags_of_the_call() {
    let flags = Flags { ignore_case: true, verbose: true, dot_all: true, ..Flags::default() };
    let pattern = parse("a b .", flags, Anchors::Terminal, &Limits::default());
    assert!(pattern.is_ok_and(|pattern| full_match(&pattern, "AB\n")));
    let flags = Flags { multi_line: true, ascii: true, ..Flags::default() };
    assert!(parse("^a", flags, Anchors::FullMatch, &Limits::default()).is_ok());
    assert!(parse("(?u)a", flags, Anchors::FullMatch, &Limits::default()).is_err());
    assert!(parse("(?u:a)", flags, Anchors::FullMatch, &Limits::default()).is_ok());
}

#[test]
fn terminals_look_around() {
    let parse =
        |source: &str| parse(source, Flags::default(), Anchors::Terminal, &Limits::default());
    for source in [
        "a(?=b)",
        "(?!if)[a-z]+",
        r#"".*?(?<!\\)(\\\\)*?""#,
        r"a\b",
        r"[a-z]+\b(?=\s)",
        "ab(?<=ab)",
        "(?:a|bc)(?<!a)",
        "a(?=b(?<=ab))",
        "a$",
        r"a\Z",
        "(?m)a$",
        "(?<=a)b",
        r"\ba",
        "a?(?<!a)b",
        "(?:a|bc)(?<=bc)",
        "a*(?<=a+)",
        "(?m)^a",
        "^a",
    ] {
        assert!(parse(source).is_ok(), "{source}");
    }
}
