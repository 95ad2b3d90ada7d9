//! What is between the quotes of a literal.
//!
//! Lark evaluates the escapes of strings and regexes alike, as a Python string literal would, and keeps the
//! backslash of every escape that it does not know. So `/\x2e/` is the regex `.`, and `"\d"` has two characters.

/// The evaluated text, each character with the byte offset in `raw` that it comes from.
///
/// # Errors
/// What is wrong, and the offset in `raw`.
pub(super) fn evaluate(raw: &str) -> Result<Vec<(char, usize)>, (String, usize)> {
    let mut out = Vec::with_capacity(raw.len());
    let mut chars = raw.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
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
                let Some(c) = char::from_u32(code) else {
                    return Err((
                        format!("U+{code:04X} is no Unicode character that a text can hold"),
                        at,
                    ));
                };
                out.push((c, at));
            }
            // Lark unescapes the quote after the escaped backslash too and so loses one backslash.
            '\\' if chars.peek().is_some_and(|&(_, c)| c == '"') => out.push(('\\', at)),
            other => out.extend([('\\', at), (other, at)]),
        }
    }
    Ok(out)
}

/// The text that a string stands for.
pub(super) fn string(raw: &str) -> Result<String, (String, usize)> {
    Ok(regex(raw)?.replace("\\\\", "\\"))
}

/// The regex that Python's `re` is given.
pub(super) fn regex(raw: &str) -> Result<String, (String, usize)> {
    Ok(evaluate(raw)?.into_iter().map(|(c, _)| c).collect())
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
        ] {
            assert_eq!(string(raw).unwrap(), want, "{raw}");
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
        ] {
            assert_eq!(regex(raw).unwrap(), want, "{raw}");
        }
    }

    #[test]
    fn bad_escapes_are_placed() {
        assert_eq!(string(r"ab\x4").unwrap_err().1, 2);
        assert_eq!(string(r"\ud800").unwrap_err().1, 0);
        assert_eq!(string(r"\U00110000").unwrap_err().1, 0);
        assert_eq!(string(r"a\").unwrap_err().1, 1);
    }
}
