//! Warnings, kept as places until somebody asks for their texts.

use super::document::{Span, ValueId};

/// Why a keyword deserves a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// No keyword of this draft.
    Unknown,
    /// By the specification it has no effect.
    Annotation,
    /// A format that is not known.
    UnknownFormat,
    /// A format that is an annotation, by its name or by choice.
    FormatIgnored,
    /// OpenAPI's `nullable` beside `type`.
    Nullable,
    /// A sibling of `$ref` before draft 2019-09.
    BesideRef,
    /// A metaschema that is not known.
    UnknownDraft,
    /// It cannot be enforced, and the user chose to go on.
    NotEnforced,
    /// A pattern that only the older syntax allows.
    OldPattern,
}

impl Reason {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Unknown => "not a keyword of this draft: it has no effect",
            Self::Annotation => "an annotation: it has no effect",
            Self::UnknownFormat => "not a known format: it has no effect",
            Self::FormatIgnored => "an annotation here: it has no effect",
            Self::Nullable => "read as in OpenAPI: null is valid too",
            Self::BesideRef => "beside $ref it has no effect in this draft",
            Self::UnknownDraft => "not a known metaschema: the default draft is used",
            Self::NotEnforced => "not supported, and not enforced",
            Self::OldPattern => "read without the u flag, which refuses it",
        }
    }
}

/// A remark on a keyword of the schema at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remark {
    pub(crate) at: ValueId,
    pub(crate) keyword: Span,
    pub(crate) reason: Reason,
}
