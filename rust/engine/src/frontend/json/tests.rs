use super::*;
use std::collections::BTreeSet;

type Ends = BTreeSet<usize>;

/// Where a match can end that begins at one of `starts`, with at least one step of `step` for each repetition.
fn repeated(starts: Ends, min: u32, max: Option<u32>, step: &dyn Fn(&Ends) -> Ends) -> Ends {
    let mut now = starts;
    for _ in 0..min {
        now = step(&now);
    }
    let mut all = now.clone();
    let mut count = min;
    while !now.is_empty() && max.is_none_or(|max| count < max) {
        now = step(&now).difference(&all).copied().collect();
        all.extend(&now);
        count += 1;
    }
    all
}

fn pattern_ends(pattern: &Pattern, text: &[u8], starts: &Ends) -> Ends {
    match pattern {
        Pattern::Empty => starts.clone(),
        Pattern::Bytes(bytes) => starts
            .iter()
            .filter(|&&i| text[i..].starts_with(bytes))
            .map(|i| i + bytes.len())
            .collect(),
        Pattern::Class(set) => starts
            .iter()
            .filter_map(|&i| {
                let valid = text[i..].utf8_chunks().next()?.valid();
                let c = valid.chars().next().filter(|&c| set.contains(c))?;
                Some(i + c.len_utf8())
            })
            .collect(),
        Pattern::Concat(parts) => {
            parts.iter().fold(starts.clone(), |ends, part| pattern_ends(part, text, &ends))
        }
        Pattern::Alt(choices) => {
            choices.iter().flat_map(|choice| pattern_ends(choice, text, starts)).collect()
        }
        Pattern::Strings(_) | Pattern::Automaton(_) | Pattern::Lazy(_) | Pattern::Look(_) => {
            unreachable!("not in this grammar")
        }
        Pattern::Repeat { body, min, max, .. } => {
            repeated(starts.clone(), *min, *max, &|ends| pattern_ends(body, text, ends))
        }
    }
}

fn ends(grammar: &Grammar, expr: &Expr, text: &[u8], starts: &Ends) -> Ends {
    if starts.is_empty() {
        return Ends::new();
    }
    match expr {
        Expr::Empty => starts.clone(),
        Expr::Terminal(id) => pattern_ends(&grammar.terminals[id.index()].pattern, text, starts),
        Expr::Rule(id) => ends(grammar, &grammar.rules[id.index()].body, text, starts),
        Expr::Token(_) | Expr::Made { .. } => unreachable!("not in this grammar"),
        Expr::Seq(parts) => {
            parts.iter().fold(starts.clone(), |now, part| ends(grammar, part, text, &now))
        }
        Expr::Alt(choices) => choices.iter().flat_map(|c| ends(grammar, c, text, starts)).collect(),
        Expr::Repeat { body, min, max } => {
            repeated(starts.clone(), *min, *max, &|now| ends(grammar, body, text, now))
        }
    }
}

fn accepts(whitespace: Whitespace, text: impl AsRef<[u8]>) -> bool {
    let grammar = Grammar::json(whitespace);
    let text = text.as_ref();
    ends(&grammar, &Expr::Rule(grammar.start), text, &Ends::from([0])).contains(&text.len())
}

#[test]
fn the_grammars_are_sound() {
    for whitespace in [Whitespace::Bounded, Whitespace::None, Whitespace::Any] {
        let grammar = Grammar::json(whitespace);
        assert_eq!(grammar.check().unwrap(), []);
        assert!(!grammar.terminals.iter().any(|t| t.pattern.is_nullable()));
        assert_eq!(grammar.ending, Ending::Free);
    }
}

#[test]
fn brackets_begin_and_end_their_rules() {
    let grammar = Grammar::json(Whitespace::Bounded);
    for (name, begin, end) in [("object", "{", "}"), ("array", "[", "]")] {
        let rule = grammar.rules.iter().find(|r| r.name == name).unwrap();
        let Expr::Seq(parts) = &rule.body else { panic!("{rule:?}") };
        for (part, text) in [(parts.first(), begin), (parts.last(), end)] {
            let Some(Expr::Terminal(id)) = part else { panic!("{part:?}") };
            assert_eq!(grammar.terminals[id.index()].pattern, bytes(text));
        }
    }
}

#[test]
fn without_gaps_it_is_what_another_parser_accepts() {
    let texts = [
        "{}",
        "[]",
        "[[]]",
        "{\"a\":1}",
        "{\"a\":1,\"a\":[true,false,null]}",
        "[1,2,{\"\":{}}]",
        "",
        "{",
        "}",
        "[,]",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1,}",
        "[1 2]",
        "0",
        "-0",
        "00",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "0.50",
        "1e5",
        "1E+05",
        "1e-5",
        "1e",
        "1.5e+",
        "-12.75",
        "0x1",
        "NaN",
        "tru",
        "truee",
        "True",
        "\"\"",
        "\"a",
        "\"\\\"\"",
        "\"\\\\\"",
        "\"\\/\\b\\f\\n\\r\\t\"",
        "\"\\a\"",
        "\"\\'\"",
        "\"\\\"",
        "'a'",
        "\"\u{1F}\"",
        "\"\t\"",
        "\"\n\"",
        "\"\u{7F}\u{80}é€😀\u{2028}\"",
        "\"\\u00e9\\uABCD\"",
        "\"\\u00g0\"",
        "\"\\u123\"",
        "\"\\U0041\"",
        "\"\\ud7ff\\ue000\"",
        "\"\\ud83d\\ude00\"",
        "\"\\uD83D\\uDE00\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ude00\\ud83d\"",
        "\"\\ud83dx\"",
        "\"\\ud83d\\n\"",
        "\"\\ud83d\\u0041\"",
        "\"\\ud83d\\ud83d\\ude00\"",
        "\u{FEFF}1",
    ];
    for text in texts {
        let expected = serde_json::from_str::<serde_json::Value>(text).is_ok();
        for whitespace in [Whitespace::None, Whitespace::Bounded, Whitespace::Any] {
            // Gaps are none of this test's business.
            if whitespace == Whitespace::None || !text.contains(' ') {
                assert_eq!(accepts(whitespace, text), expected, "{text:?} with {whitespace:?}");
            }
        }
    }
    for text in [
        &b"\"\xFF\""[..],
        b"\"\xC3\"",
        b"\"\xC0\x80\"",
        b"\"\xED\xA0\x80\"",
        b"\"\xF4\x90\x80\x80\"",
    ] {
        assert!(!accepts(Whitespace::None, text), "{text:?}");
    }
}

#[test]
fn gaps_stand_between_all_tokens() {
    let tokens = [
        "", "{", "\"a\"", ":", "[", "1", ",", "true", "]", ",", "\"b\"", ":", "{", "}", ",",
        "\"c\"", ":", "[", "]", "}", "",
    ];
    for gap in [" ", "\t", "\n", "\r\n", "\n\t  ", "        "] {
        let text = tokens.join(gap);
        assert!(accepts(Whitespace::Bounded, &text), "{text:?}");
        assert!(accepts(Whitespace::Any, &text), "{text:?}");
        assert!(!accepts(Whitespace::None, &text), "{text:?}");
    }
    assert!(accepts(Whitespace::None, tokens.concat()));
    for whitespace in [Whitespace::Bounded, Whitespace::Any] {
        for text in ["tr ue", "1 2", "- 1", "\u{A0}1", "1\u{B}", "1\u{C}"] {
            assert!(!accepts(whitespace, text), "{text:?}");
        }
    }
}

#[test]
fn gaps_are_bounded() {
    let with = |before: &str| format!("[{before}1]");
    let blanks = |count| " ".repeat(count);
    for gap in [blanks(8), format!("\n{}", blanks(256)), format!("\r\n{}", "\t".repeat(256))] {
        assert!(accepts(Whitespace::Bounded, with(&gap)), "{gap:?}");
    }
    let refused = [
        blanks(9),
        format!("\n{}", blanks(257)),
        "\n\n".into(),
        " \n".into(),
        "\r".into(),
        "\n \n".into(),
    ];
    for gap in refused {
        assert!(!accepts(Whitespace::Bounded, with(&gap)), "{gap:?}");
        assert!(accepts(Whitespace::Any, with(&gap)), "{gap:?}");
    }
    // Between the brackets of an empty list is one gap, not two.
    assert!(!accepts(Whitespace::Bounded, format!("[{}]", blanks(9))));
}
