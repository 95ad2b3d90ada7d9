//! Literals, and what is between their quotes.
//!
//! Lark evaluates the escapes of strings and regexes alike, as a Python string literal would, and keeps the
//! backslash of every escape that it does not know. So `/\x2e/` is the regex `.`, and `"\d"` has two characters.

use std::ops::Range;

use super::ast::{Flags, Literal, LiteralKind};
use super::lex::Token;
use super::source::Source;
use crate::error::Error;

/// A string's contents and whether it has the flag `i`.
fn contents(token: Token<'_>) -> (&str, bool) {
    let bare = token.text.strip_suffix('i').unwrap_or(token.text);
    (&bare[1..bare.len() - 1], bare.len() < token.text.len())
}

/// A string.
pub(super) fn string(source: &Source, token: Token<'_>) -> Result<Literal, Error> {
    let (raw, ignore_case) = contents(token);
    let value =
        string_value(raw).map_err(|(message, at)| source.error(token.at + 1 + at, message))?;
    if value.is_empty() {
        let message = "an empty string is no terminal: leave the alternative empty, or use `?`";
        return Err(source.error(token.at, message));
    }
    let mut flags = Flags::default();
    if ignore_case {
        flags.add(b'i');
    }
    Ok(literal(source, LiteralKind::String, value, flags, token.at..token.end()))
}

/// A range, which Lark pastes into a class of Python's `re` as it stands.
pub(super) fn range(source: &Source, first: Token<'_>, last: Token<'_>) -> Result<Literal, Error> {
    for token in [first, last] {
        let (raw, ignore_case) = contents(token);
        if ignore_case {
            return Err(source.error(token.at, "the ends of a range cannot have flags"));
        }
        let value = evaluate(raw).map_err(|(m, at)| source.error(token.at + 1 + at, m))?;
        // A surrogate has six characters of one place.
        let one = value.len() == 1 || value.len() == 6 && value.iter().all(|&(_, at)| at == 0);
        if !one {
            return Err(source.error(token.at, "expected a single character as the end of a range"));
        }
    }
    let value = format!("[{}-{}]", contents(first).0, contents(last).0);
    Ok(literal(source, LiteralKind::Range, value, Flags::default(), first.at..last.end()))
}

/// A regex.
pub(super) fn regex(source: &Source, token: Token<'_>) -> Result<Literal, Error> {
    let close = token.text.rfind('/').unwrap_or(0);
    let mut flags = Flags::default();
    for (i, letter) in token.text.bytes().enumerate().skip(close + 1) {
        if !flags.add(letter) {
            let message = "flag `l` (locale) is for patterns on bytes only";
            return Err(source.error(token.at + i, message));
        }
    }
    let raw = &token.text[1..close];
    if raw.contains('\n') && !flags.has(b'x') {
        let message =
            "a regex without the flag `x` cannot hold a line break: expected `/` on this line";
        return Err(source.error(token.at, message));
    }
    let value =
        regex_value(raw).map_err(|(message, at)| source.error(token.at + 1 + at, message))?;
    Ok(literal(source, LiteralKind::Regex, value, flags, token.at..token.end()))
}

fn literal(
    source: &Source,
    kind: LiteralKind,
    value: String,
    flags: Flags,
    range: Range<usize>,
) -> Literal {
    Literal { kind, value: value.into(), flags, at: source.at(range.start), len: range.len() }
}

/// The evaluated text, each character with the byte offset in `raw` that it comes from.
///
/// # Errors
/// What is wrong, and the offset in `raw`.
pub(super) fn evaluate(raw: &str) -> Result<Vec<(char, usize)>, (String, usize)> {
    let mut out = Vec::with_capacity(raw.len());
    let mut chars = raw.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\r' {
            // A Python literal knows one line break only.
            chars.next_if(|&(_, next)| next == '\n');
            out.push(('\n', at));
            continue;
        }
        if c != '\\' {
            out.push((c, at));
            continue;
        }
        let Some((_, escaped)) = chars.next() else {
            return Err(("a literal cannot end in a single backslash".to_owned(), at));
        };
        match escaped {
            'n' => out.push(('\n', at)),
            't' => out.push(('\t', at)),
            'r' => out.push(('\r', at)),
            'f' => out.push(('\x0c', at)),
            '"' => out.push(('"', at)),
            'x' | 'u' | 'U' => {
                let digits = match escaped {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let mut code = 0_u32;
                for _ in 0..digits {
                    let digit = chars
                        .next_if(|&(_, c)| c.is_ascii_hexdigit())
                        .and_then(|(_, c)| c.to_digit(16));
                    let Some(digit) = digit else {
                        return Err((
                            format!("`\\{escaped}` needs {digits} hexadecimal digits"),
                            at,
                        ));
                    };
                    code = code << 4 | digit;
                }
                match char::from_u32(code) {
                    Some(c) => out.push((c, at)),
                    // No text holds a surrogate, but the class of a regex may name them.
                    None if code < 0x11_0000 => {
                        out.extend(format!("\\u{code:04x}").chars().map(|c| (c, at)));
                    }
                    None => return Err((format!("U+{code:04X} is no Unicode character"), at)),
                }
            }
            // Lark unescapes the quote after the escaped backslash too and so loses one backslash.
            '\\' if chars.peek().is_some_and(|&(_, c)| c == '"') => out.push(('\\', at)),
            other => out.extend([('\\', at), (other, at)]),
        }
    }
    Ok(out)
}

/// The text that a string stands for.
fn string_value(raw: &str) -> Result<String, (String, usize)> {
    let characters = evaluate(raw)?;
    let surrogate = characters.windows(6).find(|w| w.iter().all(|&(_, at)| at == w[0].1));
    if let Some(surrogate) = surrogate {
        return Err(("no text can hold a surrogate".to_owned(), surrogate[0].1));
    }
    let text: String = characters.into_iter().map(|(c, _)| c).collect();
    Ok(text.replace("\\\\", "\\"))
}

/// The regex that Python's `re` is given.
fn regex_value(raw: &str) -> Result<String, (String, usize)> {
    Ok(evaluate(raw)?.into_iter().map(|(c, _)| c).collect())
}

/// The name that Lark gives to a string without one, if that tells what it is.
pub(super) fn lark_name(text: &str) -> Option<String> {
    let name = match text {
        "." => "DOT",
        "," => "COMMA",
        ":" => "COLON",
        ";" => "SEMICOLON",
        "+" => "PLUS",
        "-" => "MINUS",
        "*" => "STAR",
        "/" => "SLASH",
        "\\" => "BACKSLASH",
        "|" => "VBAR",
        "?" => "QMARK",
        "!" => "BANG",
        "@" => "AT",
        "#" => "HASH",
        "$" => "DOLLAR",
        "%" => "PERCENT",
        "^" => "CIRCUMFLEX",
        "&" => "AMPERSAND",
        "_" => "UNDERSCORE",
        "<" => "LESSTHAN",
        ">" => "MORETHAN",
        "=" => "EQUAL",
        "\"" => "DBLQUOTE",
        "'" => "QUOTE",
        "`" => "BACKQUOTE",
        "~" => "TILDE",
        "(" => "LPAR",
        ")" => "RPAR",
        "{" => "LBRACE",
        "}" => "RBRACE",
        "[" => "LSQB",
        "]" => "RSQB",
        "\n" => "NEWLINE",
        "\r\n" => "CRLF",
        "\t" => "TAB",
        " " => "SPACE",
        _ => {
            let mut chars = text.chars();
            let word = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && chars.all(|c| c.is_alphanumeric() || c == '_');
            return word.then(|| text.to_uppercase());
        }
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_evaluate_as_in_lark() {
        for (raw, want) in [
            (r"a\nb\t\f\r", "a\nb\t\x0c\r"),
            (r#"\"\\"#, "\"\\"),
            (r"\x41\u00e9\U0001F600", "Aé😀"),
            (r"\d\/\'", r"\d\/\'"),
            (r"\\n", r"\n"),
            ("a\r\nb\r", "a\nb\n"),
        ] {
            assert_eq!(string_value(raw).unwrap(), want, "{raw}");
        }
    }

    #[test]
    fn regexes_keep_the_escapes_that_lark_does_not_know() {
        // Each right-hand side is what lark.load_grammar.eval_escaping gives.
        for (raw, want) in [
            (r#"\\""#, r#"\""#),
            (r#"\""#, r#"""#),
            (r"a\/b", r"a\/b"),
            (r"\x2e", "."),
            (r#"\\\""#, r#"\\""#),
            (r#"\\\\""#, r#"\\\""#),
            (r#"[^"\\]"#, r#"[^"\\]"#),
            (r"\d\\n", r"\d\\n"),
            (r"[\ud800-\U0000dfff]", r"[\ud800-\udfff]"),
        ] {
            assert_eq!(regex_value(raw).unwrap(), want, "{raw}");
        }
    }

    #[test]
    fn bad_escapes_are_placed() {
        assert_eq!(string_value(r"ab\x4").unwrap_err().1, 2);
        assert_eq!(string_value(r"\ud800").unwrap_err().1, 0);
        assert_eq!(string_value(r"\U00110000").unwrap_err().1, 0);
        assert_eq!(string_value(r"a\").unwrap_err().1, 1);
    }
}
