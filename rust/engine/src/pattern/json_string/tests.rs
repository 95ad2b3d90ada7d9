use super::*;
use crate::pattern::ByteState;
use crate::pattern::matching::full_match;

fn accepts(pattern: &Pattern, escapes: Escapes, text: &str) -> bool {
    full_match(&body(pattern, escapes).expect("text"), text)
}

/// Spellings of one character: those of careful serialisers, and the others.
const SPELLINGS: [(char, &[&str], &[&str]); 12] = [
    ('a', &["a"], &[r"\u0061"]),
    ('/', &["/"], &[r"\/", r"\u002f", r"\u002F"]),
    ('"', &[r#"\""#], &[r"\u0022"]),
    ('\\', &[r"\\"], &[r"\u005c", r"\u005C"]),
    ('\n', &[r"\n", r"\u000a", r"\u000A"], &[]),
    ('\u{1f}', &[r"\u001f", r"\u001F"], &[]),
    ('\u{7f}', &["\u{7f}"], &[r"\u007f"]),
    ('é', &["é"], &[r"\u00e9", r"\u00E9"]),
    ('€', &["€"], &[r"\u20ac", r"\u20aC"]),
    ('\u{ffff}', &["\u{ffff}"], &[r"\uffff", r"\uFfFf"]),
    ('😀', &["😀"], &[r"\ud83d\ude00", r"\uD83D\uDE00"]),
    ('\u{10ffff}', &["\u{10ffff}"], &[r"\udbff\udfff"]),
];

#[test]
fn each_character_in_each_spelling() {
    let sets = [
        Pattern::Class(CharSet::all()),
        Pattern::Class(CharSet::new(SPELLINGS.map(|(c, ..)| (c, c)))),
        Pattern::Class(CharSet::single('\u{0}').negate()),
    ];
    for (c, canonical, others) in SPELLINGS {
        let single = Pattern::Bytes(c.to_string().into_bytes());
        let listed = Pattern::Strings(vec![c.to_string().into_bytes(), b"x".to_vec()]);
        let without = Pattern::Class(CharSet::single(c).negate());
        for pattern in sets.iter().chain([&single, &listed]) {
            for spelling in canonical {
                assert!(accepts(pattern, Escapes::Canonical, spelling), "{pattern:?} {spelling}");
                assert!(accepts(pattern, Escapes::Any, spelling), "{pattern:?} {spelling}");
                assert!(!accepts(&without, Escapes::Any, spelling), "{c:?} {spelling}");
            }
            for spelling in others {
                assert!(!accepts(pattern, Escapes::Canonical, spelling), "{pattern:?} {spelling}");
                assert!(accepts(pattern, Escapes::Any, spelling), "{pattern:?} {spelling}");
                assert!(!accepts(&without, Escapes::Any, spelling), "{c:?} {spelling}");
            }
        }
    }
}

#[test]
fn what_is_no_string_is_refused() {
    let all = Pattern::any_text();
    for text in [
        "\"",
        "\n",
        "\\",
        r"\ud800",
        r"\udc00",
        r"\ud800\ud800",
        r"\ud800x",
        r"\u12",
        r"\x41",
        r"\U0041",
    ] {
        for escapes in [Escapes::Canonical, Escapes::Any] {
            assert!(!accepts(&all, escapes, text), "{text:?} {escapes:?}");
        }
    }
    assert!(body(&Pattern::Bytes(vec![0xFF]), Escapes::Any).is_err());
}

#[test]
fn large_classes_stay_small() {
    for escapes in [Escapes::Canonical, Escapes::Any] {
        let Pattern::Automaton(automaton) = class(&CharSet::all(), escapes) else {
            panic!("all characters have spellings");
        };
        assert!(automaton.states().len() < 40, "{}", automaton.states().len());
        let Pattern::Repeat { min, max, .. } = any(escapes, 3, Some(1_000_000)) else {
            panic!("a count stays one");
        };
        assert_eq!((min, max), (3, Some(1_000_000)));
    }
    assert_eq!(
        class(&CharSet::new([('a', 'z')]), Escapes::Canonical),
        Pattern::Class(CharSet::new([('a', 'z')]))
    );
}

#[test]
fn automata_over_characters_are_spelled() {
    // Pairs of `é` or `"`, then perhaps a `€`.
    let state = |accepting, edges: &[(u8, u8, u32)]| ByteState { accepting, edges: edges.to_vec() };
    let automaton = ByteAutomaton::new(vec![
        state(false, &[(b'"', b'"', 2), (0xC3, 0xC3, 1)]),
        state(false, &[(0xA9, 0xA9, 2)]),
        state(false, &[(b'"', b'"', 4), (0xC3, 0xC3, 3)]),
        state(false, &[(0xA9, 0xA9, 4)]),
        state(true, &[(0xE2, 0xE2, 5)]),
        state(false, &[(0x82, 0x82, 6)]),
        state(false, &[(0xAC, 0xAC, 7)]),
        state(true, &[]),
    ])
    .expect("well-formed");
    let pattern = Pattern::Automaton(Arc::new(automaton));
    for text in [r#"é\""#, "éé€", r#"\"\"€"#] {
        assert!(
            accepts(&pattern, Escapes::Canonical, text) && accepts(&pattern, Escapes::Any, text)
        );
    }
    for text in [r"\u00e9\u0022\u20AC", r"é\u00E9"] {
        assert!(
            !accepts(&pattern, Escapes::Canonical, text) && accepts(&pattern, Escapes::Any, text)
        );
    }
    for text in ["é", "\"\"", "éé€€", r"éé\u20ab"] {
        assert!(!accepts(&pattern, Escapes::Any, text), "{text}");
    }
}

#[test]
fn conditions_read_whole_characters() {
    let look = |behind, body: &str| {
        Pattern::from(Look {
            behind,
            negative: true,
            body: Pattern::Bytes(body.into()),
            open: true,
        })
    };
    let dot = || Pattern::Class(CharSet::all());
    // A character, not an `n`, and then one more that is not an `a`.
    let pattern = Pattern::Concat(vec![dot(), look(true, "n"), look(false, "a"), dot()]);
    for (text, matches) in
        [(r"\nb", true), ("nb", false), (r"\na", false), (r"\n\u0061", false), (r"\u006eb", false)]
    {
        assert_eq!(accepts(&pattern, Escapes::Any, text), matches, "{text}");
    }
}
