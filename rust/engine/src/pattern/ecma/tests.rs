use super::{Parsed, parse};
use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::Pattern;
use crate::pattern::matching::full_match;

fn read(source: &str) -> Parsed {
    parse(source, &Limits::default()).unwrap_or_else(|error| panic!("{source:?}: {error}"))
}

/// Patterns with strings in which they are found and strings in which they are not.
type Table<'a> = &'a [(&'a str, &'a [&'a str], &'a [&'a str])];

fn check(table: Table<'_>, loose: bool) {
    for &(source, found, missing) in table {
        let parsed = read(source);
        assert_eq!(parsed.loose, loose, "{source:?}");
        for text in found {
            assert!(full_match(&parsed.pattern, text), "{source:?} should be in {text:?}");
        }
        for text in missing {
            assert!(!full_match(&parsed.pattern, text), "{source:?} is not in {text:?}");
        }
    }
}

#[test]
fn anywhere_in_the_string() {
    check(
        &[
            ("", &["", "a\nb"], &[]),
            ("b", &["b", "abc", "\nb\n"], &["", "ac"]),
            ("^b", &["b", "bc"], &["ab", "\nb"]),
            ("b$", &["b", "ab"], &["bc", "b\n"]),
            ("^b$", &["b"], &["ab", "b\n", ""]),
            ("^a|b$", &["ac", "cb", "a", "b"], &["ca", "bc", ""]),
            ("^(?:a|b)$", &["a", "b"], &["ab", ""]),
            ("(^a|b)c", &["ac", "xbc"], &["xac"]),
            ("^$", &[""], &["a", "\n"]),
            ("a^b", &[], &["ab", "a"]),
            ("^.*$", &["", "abc"], &["a\nb", "\u{2028}"]),
            ("x*", &["", "y"], &[]),
            ("^x+?$", &["x", "xxx"], &["", "y"]),
            ("^(?:)$", &[""], &["a"]),
        ],
        false,
    );
    assert_eq!(read("").pattern, Pattern::any_text());
    assert_eq!(read("^abc$").pattern, Pattern::Bytes(b"abc".to_vec()));
}

#[test]
fn characters_and_classes() {
    check(
        &[
            (r"^\d$", &["0", "9"], &["٣", "a"]),
            (r"^\w$", &["a", "_", "Z"], &["é", "-"]),
            (r"^\s$", &[" ", "\u{a0}", "\u{feff}", "\u{2028}", "\u{b}"], &["\u{85}", "\u{200b}"]),
            (r"^[\D]$", &["a", "٣"], &["5"]),
            (r"^[^\s\S]$", &[], &["a", "\n"]),
            ("^[]$", &[], &["", "a"]),
            ("^[^]$", &["a", "\n", "😀"], &[""]),
            ("^.$", &["😀", "\u{85}"], &["\n", "\r", "\u{2028}", "\u{2029}", "ab"]),
            ("^[a-c-]$", &["b", "-"], &["d"]),
            (r"^[\-\]]$", &["-", "]"], &["\\"]),
            (r"^\u0061\x62\u{63}\u{1F600}$", &["abc😀"], &[]),
            (r"^\uD83D\uDE00$", &["😀"], &["\u{fffd}"]),
            (r"^[\uD83D\uDE00-\uD83D\uDE02]$", &["😁"], &["😃"]),
            (r"^\uD83D$", &[], &["😀", ""]),
            (r"^\cJ\0\t\v\f$", &["\n\0\t\u{b}\u{c}"], &[]),
            (r"^[\b]$", &["\u{8}"], &["b"]),
            (r"^\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/$", &[r"^$\.*+?()[]{}|/"], &[]),
            (r"^\p{Lu}\p{Letter}\P{L}$", &["Éa1", "Aé-"], &["aa1"]),
            (r"^\p{Script=Greek}\p{sc=Cyrl}\p{Script_Extensions=Greek}$", &["αяω"], &["aяω"]),
            (r"^\p{General_Category=Decimal_Number}[\p{Nd}x]$", &["٣x", "15"], &["ax"]),
            (r"^\p{ASCII}\p{Alphabetic}$", &["!é"], &["éé"]),
            ("^(?i:straße)K$", &["STRAẞEK", "straßeK"], &["STRASSEK", "straßek"]),
            ("^(?i:k)$", &["k", "K", "\u{212a}"], &[]),
            ("^(?s:.).$", &["\na"], &["a\n"]),
        ],
        false,
    );
}

#[test]
fn quantifiers_and_groups() {
    check(
        &[
            ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
            ("^a{2,}$", &["aa", "aaaaa"], &["a"]),
            ("^a{2}?$", &["aa"], &["a"]),
            ("^(?<year>\\d{4})-(?<y2>a)$", &["2024-a"], &["204-a"]),
            ("^(a|b|)c$", &["ac", "c"], &["abc"]),
            ("^.{0,1000000}$", &["", "abc"], &["\n"]),
            ("^(?:a{2}){2}$", &["aaaa"], &["aa"]),
        ],
        false,
    );
}

#[test]
fn conditions() {
    check(
        &[
            ("^(?=.*\\d)(?=.*[a-z]).{4,}$", &["abc1", "1xxx"], &["abcd", "1a"]),
            ("^(?!foo)", &["bar", "", "xfoo"], &["foo", "foobar"]),
            ("^(?!.*--)[a-z-]+$", &["a-b", "-"], &["a--b", ""]),
            ("(?<!a)b", &["b", "cb"], &["ab", "a"]),
            ("(?<=a)b$", &["ab"], &["b", "abb"]),
            ("\\bcat\\b", &["a cat", "cat", "cat!", "écat"], &["cats", "concat", "_cat"]),
            ("^\\B", &["", " a"], &["a"]),
            ("(?m:^a$)", &["a", "b\na\nc", "b\ra"], &["ba", "ab"]),
            ("(?!(?=a$)a)a", &["aa", "ab"], &["a", "b"]),
            ("(?=a)b|c", &["c"], &["a", "b"]),
        ],
        false,
    );
}

#[test]
fn what_only_older_engines_read() {
    check(
        &[
            (r"^\-\:\_\@$", &["-:_@"], &[r"\-"]),
            ("^a{$", &["a{"], &["a"]),
            ("^{}]$", &["{}]"], &[]),
            ("^a{,2}$", &["a{,2}"], &["aa"]),
            (r"^\101\8\c$", &[r"A8\c"], &[]),
            (r"^[\w-z]$", &["-", "z", "a"], &["!"]),
            (r"^\k$", &["k"], &[]),
            (r"^\p{2}$", &["pp"], &[]),
            ("^(?=a)*b", &["b"], &["a"]),
            (r"^\uD83D\uDE00\-$", &["😀-"], &[]),
            (r"^[\c_]$", &["\u{1f}"], &["c"]),
        ],
        true,
    );
}

#[test]
fn refused() {
    for (source, words, column) in [
        (r"(a)\1", "back-references", 4),
        (r"(?<n>a)\k<n>", "back-references", 8),
        ("a**", "repeat", 3),
        ("*a", "nothing to repeat", 1),
        ("(?<=a)*", "nothing to repeat", 7),
        ("a{3,2}", "greater than the most", 2),
        ("(a", "')' is expected", 1),
        ("a)", "no group is open", 2),
        ("[a", "']' is expected", 1),
        ("[z-a]", "out of order", 3),
        ("a\\", "after the backslash", 2),
        ("(?a)", "unknown group extension", 1),
        ("(?<1>a)", "name of a group", 1),
        ("(?<a>a)(?<a>b)", "second group", 8),
    ] {
        match parse(source, &Limits::default()) {
            Err(Error::Syntax { message, place: Some(place) }) => {
                assert!(message.contains(words), "{source:?}: {message}");
                assert_eq!(place.column, column, "{source:?}: {message}");
            }
            other => panic!("{source:?} gave {other:?}"),
        }
    }
    let deep = format!("{}a{}", "(".repeat(300), ")".repeat(300));
    assert!(matches!(parse(&deep, &Limits::default()), Err(Error::TooComplex { .. })));
}
