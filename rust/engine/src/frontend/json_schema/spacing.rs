//! What may stand between the tokens of a JSON text.

use std::sync::{Arc, OnceLock};

use crate::error::Error;
use crate::frontend::Whitespace;
use crate::frontend::json::gap;
use crate::limits::Limits;
use crate::pattern::python::{self, Anchors};
use crate::pattern::{CharSet, Pattern};

/// The white space of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Spacing {
    /// The same in each gap.
    Gap(Whitespace),
    /// None but what stands in these two: what separates items, and what separates a key from its value.
    Separators(String, String),
    /// Each gap matches this regular expression, written as for Python's `re`, as a whole.
    Pattern(String),
}

/// The punctuation of a JSON text with the white space around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// White space that may stand before and after the text, and whether it may be left out. `None`: nothing.
    pub(super) around: Option<(Pattern, bool)>,
    /// What stands behind an opening bracket and before a closing one.
    inner: Pattern,
    pub(super) comma: Pattern,
    pub(super) colon: Pattern,
    /// Whether it is one that has a name, so that many schemas have it.
    pub(super) common: bool,
}

/// Of the white spaces by name, made once.
static NAMED: [OnceLock<Result<Arc<Layout>, Error>>; 3] = [const { OnceLock::new() }; 3];

impl Layout {
    pub(super) fn of(spacing: &Spacing, limits: &Limits) -> Result<Arc<Self>, Error> {
        let make = || Self::new(spacing, limits).map(Arc::new);
        match spacing {
            Spacing::Gap(whitespace) => NAMED[*whitespace as usize].get_or_init(make).clone(),
            Spacing::Separators(..) | Spacing::Pattern(_) => make(),
        }
    }

    fn new(spacing: &Spacing, limits: &Limits) -> Result<Self, Error> {
        let gap = match spacing {
            Spacing::Separators(comma, colon) => {
                return Ok(Self {
                    around: None,
                    inner: Pattern::Empty,
                    comma: separator(comma, ",")?,
                    colon: separator(colon, ":")?,
                    common: false,
                });
            }
            Spacing::Gap(whitespace) => gap(*whitespace),
            Spacing::Pattern(source) => Some(written(source, limits)?),
        };
        let Some(gap) = gap else {
            let byte = |b: &str| Pattern::Bytes(b.into());
            return Ok(Self {
                around: None,
                inner: Pattern::Empty,
                comma: byte(","),
                colon: byte(":"),
                common: true,
            });
        };
        let optional = matches!(spacing, Spacing::Gap(_));
        let nullable = optional || gap.is_nullable();
        let inner = if optional {
            Pattern::Repeat { body: Box::new(gap.clone()), min: 0, max: Some(1), greedy: true }
        } else {
            gap.clone()
        };
        let between = |text: &str| {
            Pattern::Concat(vec![inner.clone(), Pattern::Bytes(text.into()), inner.clone()])
        };
        let (comma, colon) = (between(","), between(":"));
        let around = some_of(&gap).map(|gap| (gap, nullable));
        Ok(Self { around, inner, comma, colon, common: optional })
    }

    /// A bracket with what must stand behind it.
    pub(super) fn opening(&self, bracket: &str) -> Pattern {
        Pattern::Concat(vec![Pattern::Bytes(bracket.into()), self.inner.clone()])
    }

    /// A bracket with what must stand before it.
    pub(super) fn closing(&self, bracket: &str) -> Pattern {
        Pattern::Concat(vec![self.inner.clone(), Pattern::Bytes(bracket.into())])
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

fn separator(text: &str, mark: &str) -> Result<Pattern, Error> {
    if text.trim_matches(BLANKS) == mark {
        return Ok(Pattern::Bytes(text.into()));
    }
    Err(Error::Grammar(format!(
        "whitespace: the separator {text:?} must be {mark:?} with nothing but blanks around it"
    )))
}

/// A pattern that matches white space only.
fn written(source: &str, limits: &Limits) -> Result<Pattern, Error> {
    limits.check_source(source)?;
    let pattern = python::parse(source, python::Flags::default(), Anchors::FullMatch, limits)?;
    if pattern.is_void() {
        return Err(Error::Grammar(format!("whitespace: the pattern {source:?} matches nothing")));
    }
    if let Some(other) = foreign(&pattern) {
        return Err(Error::Grammar(format!(
            "whitespace: the pattern {source:?} can match {other:?}, which is no white space of JSON"
        )));
    }
    Ok(pattern)
}

/// What a pattern matches without the empty string; `None` if that is nothing.
fn some_of(pattern: &Pattern) -> Option<Pattern> {
    match pattern {
        _ if !pattern.is_nullable() => (!pattern.is_void()).then(|| pattern.clone()),
        Pattern::Alt(parts) => {
            let parts: Vec<Pattern> = parts.iter().filter_map(some_of).collect();
            (!parts.is_empty()).then_some(Pattern::Alt(parts))
        }
        Pattern::Concat(parts) => {
            // One of the parts is the first that is not empty.
            let choices: Vec<Pattern> = (0..parts.len())
                .filter_map(|at| {
                    let first = some_of(&parts[at])?;
                    let rest = parts[at + 1..].iter().cloned();
                    Some(Pattern::Concat([first].into_iter().chain(rest).collect()))
                })
                .collect();
            (!choices.is_empty()).then_some(Pattern::Alt(choices))
        }
        Pattern::Repeat { body, max, greedy, .. } => {
            // A body that can be empty makes up for rounds that are missing.
            let body = some_of(body).filter(|_| *max != Some(0))?;
            Some(Pattern::Repeat { body: Box::new(body), min: 1, max: *max, greedy: *greedy })
        }
        Pattern::Strings(strings) => {
            let strings: Vec<Vec<u8>> = strings.iter().filter(|s| !s.is_empty()).cloned().collect();
            (!strings.is_empty()).then_some(Pattern::Strings(strings))
        }
        Pattern::Empty
        | Pattern::Bytes(_)
        | Pattern::Class(_)
        | Pattern::Look(_)
        | Pattern::Automaton(_)
        | Pattern::Lazy(_) => None,
    }
}

/// Something besides white space that the pattern mentions.
fn foreign(pattern: &Pattern) -> Option<String> {
    let in_bytes = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let bad = text.chars().find(|c| !BLANKS.contains(c));
        bad.map(String::from)
    };
    match pattern {
        Pattern::Empty => None,
        Pattern::Bytes(bytes) => in_bytes(bytes),
        Pattern::Strings(strings) => strings.iter().find_map(|s| in_bytes(s)),
        Pattern::Class(set) => outside(set).map(String::from),
        Pattern::Concat(parts) | Pattern::Alt(parts) => parts.iter().find_map(foreign),
        Pattern::Repeat { body, .. } => foreign(body),
        // These are read by nothing that stands in a regular expression of blanks.
        Pattern::Look(_) => Some("what stands around".into()),
        Pattern::Automaton(_) | Pattern::Lazy(_) => Some("an automaton".into()),
    }
}

fn outside(set: &CharSet) -> Option<char> {
    // Each range is looked at where it begins and, since no blank is next to more than one other, a little further.
    set.ranges().iter().flat_map(|&(lo, hi)| (lo..=hi).take(3)).find(|c| !BLANKS.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(spacing: Spacing) -> Result<Layout, Error> {
        Layout::new(&spacing, &Limits::default())
    }

    #[test]
    fn separators_are_a_mark_among_blanks() {
        for (comma, colon) in [(",", ":"), (", ", ": "), (",\n  ", " : ")] {
            let made = layout(Spacing::Separators(comma.into(), colon.into())).expect("fine");
            assert_eq!(made.comma, Pattern::Bytes(comma.into()));
            assert_eq!(made.colon, Pattern::Bytes(colon.into()));
            assert_eq!(made.around, None);
        }
        for (comma, colon) in [("", ":"), (",", ","), (",,", ":"), ("a,", ":"), (",\u{a0}", ":")] {
            assert!(layout(Spacing::Separators(comma.into(), colon.into())).is_err(), "{comma:?}");
        }
    }

    #[test]
    fn the_gap_around_a_text_is_not_empty() {
        for pattern in [" ?", "( ?\\n?){2}", "(\\r?\\n)?[ \\t]*", " {0,3}|\\n", "( *)*"] {
            let made = layout(Spacing::Pattern(pattern.into())).expect("fine");
            let (gap, optional) = made.around.expect("some white space");
            assert!(optional && !gap.is_nullable() && !gap.is_void(), "{pattern:?}: {gap:?}");
        }
        assert_eq!(layout(Spacing::Pattern("( {0})*".into())).expect("fine").around, None);
        let made = layout(Spacing::Pattern(" {2}".into())).expect("fine");
        assert!(matches!(made.around, Some((_, false))));
    }

    #[test]
    fn a_pattern_of_gaps_matches_white_space_only() {
        for pattern in [r"[ \t\r\n]{1,2}", " ?", r"\n *", r"(\r?\n)?[ \t]*"] {
            assert!(layout(Spacing::Pattern(pattern.into())).is_ok(), "{pattern:?}");
        }
        for pattern in [r"\s", ".", "a", "[ -!]", r"[\t-\r]", "(", "[^a]", r"\x0b"] {
            assert!(layout(Spacing::Pattern(pattern.into())).is_err(), "{pattern:?}");
        }
    }
}
