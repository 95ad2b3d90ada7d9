//! Conditions on the text around a place, which read nothing.

use super::{CharSet, Pattern};

/// A condition on the text before or after a place in a terminal.
///
/// The text is that of the terminal alone, from its first byte to its last. It holds if the text on that side, all of
/// it, matches the body; see [`Self::ahead`] and [`Self::behind`] for the conditions of regexes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    /// Whether it is about the text before the place, not after it.
    pub behind: bool,
    /// Whether the body must not match.
    pub negative: bool,
    /// What the text on that side is held against.
    pub body: Pattern,
    /// Whether more text may stand beyond what the body matches.
    pub open: bool,
}

impl Look {
    /// `(?=body)` or `(?!body)`.
    pub fn ahead(body: Pattern, negative: bool) -> Self {
        Self { behind: false, negative, body, open: true }
    }

    /// `(?<=body)` or `(?<!body)`.
    pub fn behind(body: Pattern, negative: bool) -> Self {
        Self { behind: true, negative, body, open: true }
    }

    /// The rest of the text must match `body` as a whole, or must not.
    pub fn rest(body: Pattern, negative: bool) -> Self {
        Self { behind: false, negative, body, open: false }
    }

    /// Nothing stands before.
    pub fn start() -> Self {
        Self { behind: true, negative: false, body: Pattern::Empty, open: false }
    }

    /// Nothing stands after.
    pub fn end() -> Self {
        Self { behind: false, negative: false, body: Pattern::Empty, open: false }
    }
}

impl From<Look> for Pattern {
    fn from(look: Look) -> Self {
        Self::Look(Box::new(look))
    }
}

impl Pattern {
    /// Any code points, as many as can be.
    pub fn any_text() -> Self {
        Self::Repeat {
            body: Box::new(Self::Class(CharSet::all())),
            min: 0,
            max: None,
            greedy: true,
        }
    }

    /// A word boundary, or with `negative` a place that is none, where `word` has the characters of words.
    pub fn word_boundary(word: &CharSet, negative: bool) -> Self {
        let side = |behind, absent| {
            let body = Self::Class(word.clone());
            Self::from(Look { behind, negative: absent, body, open: true })
        };
        let both = |absent| Self::Concat(vec![side(true, absent), side(false, absent ^ !negative)]);
        Self::Alt(vec![both(false), both(true)])
    }

    /// Whether a condition on the text around is in it.
    pub fn has_look(&self) -> bool {
        self.has_look_that(&|_| true)
    }

    /// Whether a condition on the text ahead is in it, those within conditions left out.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.has_look_that(&|look| !look.behind)
    }

    fn has_look_that(&self, is_meant: &impl Fn(&Look) -> bool) -> bool {
        match self {
            Self::Look(look) => is_meant(look),
            Self::Concat(parts) | Self::Alt(parts) => {
                parts.iter().any(|part| part.has_look_that(is_meant))
            }
            Self::Repeat { body, .. } => body.has_look_that(is_meant),
            Self::Empty
            | Self::Bytes(_)
            | Self::Class(_)
            | Self::Strings(_)
            | Self::Automaton(_)
            | Self::Lazy(_) => false,
        }
    }
}
