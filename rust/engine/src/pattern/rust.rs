//! The dialect of Rust's `regex` crate, read by its own parser.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{self, Class, Hir, HirKind};

use super::{CharSet, Look, Pattern};
use crate::error::Error;
use crate::limits::{Limits, check};

/// Parses a pattern that the whole text must match.
///
/// # Errors
/// [`Error::Syntax`] with the position of what is malformed; [`Error::TooComplex`] if the pattern is too long or too
/// deeply nested.
pub fn parse(source: &str, limits: &Limits) -> Result<Pattern, Error> {
    limits.check_source_length(source)?;
    let nesting = limits.source_nesting.min(1000) as u32;
    let parsed = ParserBuilder::new().nest_limit(nesting).build().parse(source);
    let hir = parsed.map_err(|error| {
        let (kind, start) = match &error {
            regex_syntax::Error::Parse(error) => {
                (error.kind().to_string(), error.span().start.offset)
            }
            regex_syntax::Error::Translate(error) => {
                (error.kind().to_string(), error.span().start.offset)
            }
            _ => ("malformed pattern".to_owned(), 0),
        };
        if let regex_syntax::Error::Parse(error) = &error
            && let regex_syntax::ast::ErrorKind::NestLimitExceeded(limit) = error.kind()
        {
            let (limit, what) = (u64::from(*limit), "nesting of groups in a pattern");
            return match check(what, "source_nesting", limit, limit + 1) {
                Err(error) => error,
                Ok(()) => Error::syntax(kind, source, start),
            };
        }
        Error::syntax(kind, source, start)
    })?;
    Ok(pattern(&hir))
}

fn pattern(hir: &Hir) -> Pattern {
    match hir.kind() {
        HirKind::Empty => Pattern::Empty,
        HirKind::Literal(literal) => Pattern::Bytes(literal.0.to_vec()),
        HirKind::Class(Class::Unicode(class)) => {
            Pattern::Class(CharSet::new(class.iter().map(|r| (r.start(), r.end()))))
        }
        // Without the Unicode flag a class may still hold ASCII only.
        HirKind::Class(Class::Bytes(class)) => Pattern::Class(CharSet::new(
            class.iter().map(|r| (char::from(r.start()), char::from(r.end().min(0x7F)))),
        )),
        HirKind::Look(look) => condition(*look),
        HirKind::Repetition(repetition) => Pattern::Repeat {
            body: Box::new(pattern(&repetition.sub)),
            min: repetition.min,
            max: repetition.max,
            greedy: repetition.greedy,
        },
        HirKind::Capture(capture) => pattern(&capture.sub),
        HirKind::Concat(parts) => Pattern::Concat(parts.iter().map(pattern).collect()),
        HirKind::Alternation(parts) => Pattern::Alt(parts.iter().map(pattern).collect()),
    }
}

fn condition(look: hir::Look) -> Pattern {
    let word = |class: &str| match regex_syntax::parse(class).map(Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            CharSet::new(class.iter().map(|r| (r.start(), r.end())))
        }
        _ => unreachable!("the classes of this function are well-formed"),
    };
    let ascii = || word("[0-9A-Za-z_]");
    let unicode = || word(r"\w");
    let line = |ahead: bool, end: &str| {
        let body = Pattern::Bytes(end.as_bytes().to_vec());
        let (edge, inner) = if ahead {
            (Look::end(), Look::ahead(body, false))
        } else {
            (Look::start(), Look::behind(body, false))
        };
        Pattern::Alt(vec![edge.into(), inner.into()])
    };
    let side = |behind, negative, set: CharSet| {
        Pattern::from(Look { behind, negative, body: Pattern::Class(set), open: true })
    };
    let start = |set: CharSet| {
        Pattern::Concat(vec![side(true, true, set.clone()), side(false, false, set)])
    };
    let end = |set: CharSet| {
        Pattern::Concat(vec![side(true, false, set.clone()), side(false, true, set)])
    };
    // Between a carriage return and its line feed no line starts or ends.
    let both = |ahead: bool| {
        let between = Pattern::Concat(vec![
            Look::behind(Pattern::Bytes(b"\r".to_vec()), false).into(),
            Look::ahead(Pattern::Bytes(b"\n".to_vec()), false).into(),
        ]);
        let apart = Pattern::from(Look::ahead(between, true));
        Pattern::Concat(vec![apart, Pattern::Alt(vec![line(ahead, "\n"), line(ahead, "\r")])])
    };
    match look {
        hir::Look::Start => Look::start().into(),
        hir::Look::End => Look::end().into(),
        hir::Look::StartLF => line(false, "\n"),
        hir::Look::EndLF => line(true, "\n"),
        hir::Look::StartCRLF => both(false),
        hir::Look::EndCRLF => both(true),
        hir::Look::WordAscii => Pattern::word_boundary(&ascii(), false),
        hir::Look::WordAsciiNegate => Pattern::word_boundary(&ascii(), true),
        hir::Look::WordUnicode => Pattern::word_boundary(&unicode(), false),
        hir::Look::WordUnicodeNegate => Pattern::word_boundary(&unicode(), true),
        hir::Look::WordStartAscii => start(ascii()),
        hir::Look::WordEndAscii => end(ascii()),
        hir::Look::WordStartUnicode => start(unicode()),
        hir::Look::WordEndUnicode => end(unicode()),
        hir::Look::WordStartHalfAscii => side(true, true, ascii()),
        hir::Look::WordEndHalfAscii => side(false, true, ascii()),
        hir::Look::WordStartHalfUnicode => side(true, true, unicode()),
        hir::Look::WordEndHalfUnicode => side(false, true, unicode()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::matching::full_match;

    #[test]
    fn the_whole_text_must_match() {
        for (source, matching, others) in [
            ("a|b", &["a", "b"][..], &["ab", ""][..]),
            ("^a+$", &["a", "aa"], &["", "a\n"]),
            (r"[\w&&[^a]]\d", &["b1", "é٣"], &["a1"]),
            (r"(?i)straße", &["STRAẞE"], &["STRASSE"]),
            (r"(?m)(?:^a$\n?)*", &["a\na", ""], &["aa"]),
            (r"(?Rm)a$\r\n?b?", &["a\r\n"], &["a\n"]),
            (r"\bé\b.*", &["é", "é a"], &["éa"]),
            (r"(?-u:\b)a.*\B", &["a-"], &["a", "ab"]),
            (r"\b{start}a.*\b{end}", &["a b"], &["a-"]),
            (r"(?-u:[a-c])x{2,3}?", &["axx", "cxxx"], &["dxx", "ax"]),
            (r"[^\s\S]", &[], &["a", ""]),
        ] {
            let pattern = parse(source, &Limits::default()).expect(source);
            for text in matching {
                assert!(full_match(&pattern, text), "{source:?} {text:?}");
            }
            for text in others {
                assert!(!full_match(&pattern, text), "{source:?} {text:?}");
            }
        }
    }

    #[test]
    fn what_its_parser_refuses_is_refused_with_its_place() {
        for (source, column) in [("a(?=b)", 2), (r"(a)\1", 4), ("é[b", 2), (r"(?-u:\xFF)", 6)] {
            match parse(source, &Limits::default()) {
                Err(Error::Syntax { place: Some(place), .. }) => {
                    assert_eq!(place.column, column, "{source:?}");
                }
                other => panic!("{source:?} gave {other:?}"),
            }
        }
        let deep = format!("{}a{}", "(".repeat(300), ")".repeat(300));
        assert!(matches!(parse(&deep, &Limits::default()), Err(Error::TooComplex { .. })));
    }
}
