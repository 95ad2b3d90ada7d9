use super::*;
use crate::pattern::matching::full_match;

fn bytes(text: &str) -> Pattern {
    Pattern::Bytes(text.as_bytes().to_vec())
}

fn star(body: Pattern) -> Pattern {
    Pattern::Repeat { body: Box::new(body), min: 0, max: None, greedy: true }
}

/// `a(bb)*`
fn odd() -> Pattern {
    Pattern::Concat(vec![bytes("a"), star(bytes("bb"))])
}

fn language(parts: &[(Pattern, bool)], min_chars: u32, max_chars: Option<u32>) -> Language {
    Language { parts: parts.to_vec(), min_chars, max_chars }
}

fn budget() -> Budget {
    Budget::new(200_000)
}

#[test]
fn lengths_and_patterns_together() {
    let yes = |pattern| [(pattern, true)];
    let cases = [
        (language(&yes(odd()), 0, Some(4)), Some("a")),
        (language(&yes(odd()), 2, Some(4)), Some("abb")),
        (language(&yes(odd()), 4, Some(4)), None),
        (language(&yes(odd()), 999_999, Some(1_000_000)), Some("a")),
        (language(&yes(odd()), 1_000_000, Some(1_000_000)), None),
        (language(&[(odd(), true), (bytes("a"), false)], 0, None), Some("abb")),
        (language(&[(odd(), true), (star(bytes("b")), true)], 0, None), None),
        (language(&[(odd(), false)], 0, None), Some("")),
        (language(&[], 3, Some(2)), None),
        (language(&[], 2, Some(1_000_000)), Some("\0\0")),
        (language(&yes(Pattern::Alt(vec![])), 0, None), None),
        (language(&[(Pattern::any_text(), false)], 0, None), None),
    ];
    for (language, shortest) in cases {
        let found = language.shortest(&mut budget()).expect("within the budget");
        assert_eq!(language.is_empty(&mut budget()), Ok(shortest.is_none()), "{language:?}");
        match shortest {
            Some("a") if language.min_chars == 999_999 => {
                assert_eq!(found.map(|text| text.len()), Some(999_999));
            }
            _ => assert_eq!(found.as_deref(), shortest, "{language:?}"),
        }
    }
}

#[test]
fn few_strings_are_listed() {
    let names = Pattern::Strings(vec![b"TOKEN".to_vec(), b"IMMEDIATE_TOKEN".to_vec()]);
    let all = language(&[(names.clone(), true)], 0, None);
    let list = ["TOKEN", "IMMEDIATE_TOKEN"].map(str::to_owned).to_vec();
    assert_eq!(all.finite(2, &mut budget()), Ok(Some(list)));
    assert_eq!(all.finite(1, &mut budget()), Ok(None));
    let short = language(&[(names, true)], 0, Some(9));
    assert_eq!(short.finite(9, &mut budget()), Ok(Some(vec!["TOKEN".to_owned()])));
    let odds = language(&[(odd(), true)], 2, Some(6));
    assert_eq!(odds.finite(5, &mut budget()), Ok(Some(vec!["abb".into(), "abbbb".into()])));
    assert_eq!(language(&[(odd(), true)], 0, None).finite(100, &mut budget()), Ok(None));
    assert_eq!(language(&[], 1, Some(1)).finite(1000, &mut budget()), Ok(None));
    assert_eq!(language(&[], 0, Some(0)).finite(9, &mut budget()), Ok(Some(vec![String::new()])));
    let none = language(&[(odd(), true)], 4, Some(4));
    assert_eq!(none.finite(0, &mut budget()), Ok(Some(Vec::new())));
    let accents = Pattern::Class(CharSet::new([('à', 'ã'), ('€', '€')]));
    let accents = language(&[(accents, true)], 0, None).finite(9, &mut budget());
    assert_eq!(accents, Ok(Some(["à", "á", "â", "ã", "€"].map(str::to_owned).to_vec())));
}

#[test]
fn sets_of_strings_are_compared() {
    let a_or_more = language(&[(star(bytes("a")), true)], 0, None);
    let some = language(&[(star(bytes("a")), true)], 2, Some(5));
    let letters = Pattern::Class(CharSet::new([('a', 'z')]));
    let words = language(&[(star(letters), true)], 1, Some(5));
    let mut budget = budget();
    assert_eq!(some.is_subset(&a_or_more, &mut budget), Ok(true));
    assert_eq!(a_or_more.is_subset(&some, &mut budget), Ok(false));
    assert_eq!(some.is_subset(&words, &mut budget), Ok(true));
    assert_eq!(words.is_subset(&some, &mut budget), Ok(false));
    assert_eq!(language(&[(odd(), true)], 2, None).is_disjoint(&a_or_more, &mut budget), Ok(true));
    assert_eq!(language(&[(odd(), true)], 0, None).is_disjoint(&a_or_more, &mut budget), Ok(false));
    assert_eq!(some.contains("aa", &mut budget), Ok(true));
    assert_eq!(some.contains("a", &mut budget), Ok(false));
    assert_eq!(some.contains("ab", &mut budget), Ok(false));
    assert_eq!(a_or_more.contains("", &mut budget), Ok(true));
}

#[test]
fn a_budget_ends_in_an_error() {
    // The last but 30 is a `b`: as many states as sets of places.
    let letter = || Pattern::Class(CharSet::new([('a', 'b')]));
    let tail = Pattern::Repeat { body: Box::new(letter()), min: 30, max: Some(30), greedy: true };
    let hard = Pattern::Concat(vec![star(letter()), bytes("b"), tail]);
    let hard = language(&[(star(letter()), true), (hard.clone(), false), (hard, true)], 0, None);
    let found = hard.is_empty(&mut Budget::new(20_000));
    assert!(matches!(found, Err(Error::TooComplex { .. })), "{found:?}");
}

#[test]
fn the_shortest_is_one_of_them() {
    let pattern = Pattern::Concat(vec![
        star(Pattern::Class(CharSet::new([('a', 'z'), ('€', '€')]))),
        bytes("€x"),
        star(bytes("ab")),
    ]);
    for min in 0..9 {
        let language = language(&[(pattern.clone(), true)], min, Some(min.max(2)));
        let text =
            language.shortest(&mut budget()).expect("within the budget").expect("some string");
        assert!(
            full_match(&pattern, &text) && text.chars().count() == min.max(2) as usize,
            "{text:?}"
        );
    }
}
