//! Patterns of decoded strings as patterns of the strings' JSON texts, quotes included.

use crate::error::Error;
use crate::json::Spelling;
use crate::pattern::json_string::{self, Escapes};
use crate::pattern::{Look, Pattern};

/// The texts of the strings that `pattern` matches.
///
/// # Errors
/// [`Error::Grammar`] if the pattern holds bytes that are no text.
pub(super) fn quoted(pattern: &Pattern, spelling: Spelling) -> Result<Pattern, Error> {
    Ok(Pattern::Concat(vec![quote(), inner(pattern, escapes(spelling))?, quote()]))
}

/// All strings of so many characters.
pub(super) fn strings_of(spelling: Spelling, min: u32, max: Option<u32>) -> Pattern {
    Pattern::Concat(vec![quote(), json_string::any(escapes(spelling), min, max), quote()])
}

fn escapes(spelling: Spelling) -> Escapes {
    match spelling {
        Spelling::Canonical => Escapes::Canonical,
        Spelling::Any => Escapes::Any,
    }
}

fn quote() -> Pattern {
    Pattern::Bytes(b"\"".to_vec())
}

fn inner(pattern: &Pattern, escapes: Escapes) -> Result<Pattern, Error> {
    let each = |parts: &[Pattern]| -> Result<Vec<Pattern>, Error> {
        parts.iter().map(|part| inner(part, escapes)).collect()
    };
    Ok(match pattern {
        _ if !pattern.has_look() => json_string::body(pattern, escapes)?,
        Pattern::Look(look) => Pattern::Look(Box::new(around(look, escapes)?)),
        Pattern::Concat(parts) => Pattern::Concat(each(parts)?),
        Pattern::Alt(parts) => Pattern::Alt(each(parts)?),
        &Pattern::Repeat { ref body, min, max, greedy } => {
            Pattern::Repeat { body: Box::new(inner(body, escapes)?), min, max, greedy }
        }
        _ => json_string::body(pattern, escapes)?,
    })
}

/// A condition on the text around, which has a quotation mark at either end.
fn around(look: &Look, escapes: Escapes) -> Result<Look, Error> {
    let body = inner(&look.body, escapes)?;
    // What stands before is read in whole characters, from the quotation mark on.
    let any = || json_string::any(escapes, 0, None);
    let body = Pattern::Concat(match (look.behind, look.open) {
        (true, true) => vec![quote(), any(), body],
        (true, false) => vec![quote(), body],
        (false, true) => vec![body],
        (false, false) => vec![body, quote()],
    });
    Ok(Look { body, open: look.open && !look.behind, ..look.clone() })
}

/// The canonical text of a string in which nothing can be escaped in two ways.
pub(super) fn literal(string: &str) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(string.len() + 2);
    text.push(b'"');
    for byte in string.bytes() {
        match byte {
            0..0x20 => return None,
            b'"' | b'\\' => text.extend([b'\\', byte]),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::CharSet;
    use crate::pattern::matching::full_match;

    #[test]
    fn literals_are_what_json_dumps_writes() {
        for (string, text) in
            [("", r#""""#), ("a/é€😀\u{7f}", "\"a/é€😀\u{7f}\""), ("\"\\", r#""\"\\""#)]
        {
            assert_eq!(literal(string).as_deref(), Some(text.as_bytes()));
        }
        assert_eq!((literal("\u{1f}"), literal("\n")), (None, None));
    }

    #[test]
    fn conditions_on_the_text_around_see_the_string_alone() {
        let text = |text: &str| Pattern::Bytes(text.into());
        let some = || Pattern::any_text();
        let cases: [(Pattern, &[&str], &[&str]); 5] = [
            (
                Pattern::Concat(vec![some(), Look::start().into(), text("a"), some()]),
                &[r#""a""#, r#""ab""#],
                &[r#""""#, r#""ba""#],
            ),
            (
                Pattern::Concat(vec![some(), text("a"), Look::end().into(), some()]),
                &[r#""a""#, r#""ba""#],
                &[r#""""#, r#""ab""#],
            ),
            (
                Pattern::Concat(vec![some(), Look::behind(text("n"), false).into(), text("a")]),
                &[r#""na""#],
                &[r#""a""#, r#""\na""#, r#""ba""#],
            ),
            (
                Pattern::Concat(vec![Look::ahead(text("a"), true).into(), some()]),
                &[r#""""#, r#""ba""#],
                &[r#""a""#],
            ),
            (
                Pattern::Concat(vec![
                    Look::rest(Pattern::Class(CharSet::single('a')), true).into(),
                    some(),
                ]),
                &[r#""""#, r#""ab""#],
                &[r#""a""#],
            ),
        ];
        for (pattern, matches, others) in cases {
            for spelling in [Spelling::Canonical, Spelling::Any] {
                let spelled = quoted(&pattern, spelling).expect("text");
                for text in matches {
                    assert!(full_match(&spelled, text), "{pattern:?} {text}");
                }
                for text in others {
                    assert!(!full_match(&spelled, text), "{pattern:?} {text}");
                }
            }
        }
    }
}
