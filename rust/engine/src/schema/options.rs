//! What a user may choose about the reading of a schema.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A version of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Draft {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// Draft 2019-09.
    Draft201909,
    /// Draft 2020-12.
    Draft202012,
}

/// What `format` does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Formats {
    /// Known formats hold.
    #[default]
    Assert,
    /// A format is a remark, with no effect.
    Annotate,
}

/// What a format of an unknown name does, where formats are asserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnknownFormat {
    /// It is ignored with a warning.
    #[default]
    Warn,
    /// The schema is refused.
    Error,
}

/// What a construct that cannot be enforced does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unsupported {
    /// The schema is refused.
    #[default]
    Error,
    /// It is ignored with a warning, so that the grammar is wider than the schema.
    Warn,
}

/// How a schema is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The draft of a schema without `$schema`. `None` is 2020-12.
    pub draft: Option<Draft>,
    /// Further schemas, as JSON texts by their URI, that a `$ref` may lead to. Nothing is ever fetched.
    pub registry: BTreeMap<String, Arc<str>>,
    /// What `format` does.
    pub formats: Formats,
    /// What an unknown format does.
    pub unknown_format: UnknownFormat,
    /// What a construct that cannot be enforced does.
    pub unsupported: Unsupported,
    /// Whether an object schema that says nothing of further keys is closed.
    pub closed: bool,
}
