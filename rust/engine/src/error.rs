//! Every error of the crate: a kind, a place, and its wording.

use thiserror::Error;

/// A place in a source text: line and column count from 1, columns in code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name, where the source came from a file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
    /// The text of that line, without its line break.
    pub text: String,
}

impl Place {
    /// The place of byte `offset` in `source`.
    pub fn at(source: &str, offset: usize) -> Self {
        let mut offset = offset.min(source.len());
        while !source.is_char_boundary(offset) {
            offset -= 1;
        }
        let start = source[..offset].rfind('\n').map_or(0, |i| i + 1);
        let line = source[..start].bytes().filter(|&b| b == b'\n').count() as u32 + 1;
        let column = source[start..offset].chars().count() as u32 + 1;
        let text = source[start..].lines().next().unwrap_or("");
        // One long line would bury the message; the caret needs only its surroundings.
        let text = if text.len() > 400 { String::new() } else { text.to_owned() };
        Self { file: None, line, column, text }
    }
}

/// What is wrong with a grammar, a vocabulary or a call. Nothing was changed by the call that returned it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The source text of a grammar cannot be read, or asks for what cannot be enforced.
    #[error("{}", syntax_text(.message, .place))]
    Syntax {
        /// What is wrong, and where it can, the mend.
        message: String,
        /// Where, if the source has places.
        place: Option<Box<Place>>,
    },
    /// The grammar as a whole means nothing usable, such as a start rule that never ends.
    #[error("{0}")]
    Grammar(String),
    /// A JSON Schema asks for what cannot be enforced.
    #[error("{}: {message} ({keyword:?} is not supported here)", shown(.pointer))]
    UnsupportedSchema {
        /// A JSON Pointer to the schema that holds the keyword.
        pointer: String,
        /// The keyword.
        keyword: String,
        /// Why.
        message: String,
    },
    /// Not a JSON Schema.
    #[error("{}: {message}", shown(.pointer))]
    InvalidSchema {
        /// A JSON Pointer to what is wrong.
        pointer: String,
        /// What is wrong.
        message: String,
    },
    /// No value is valid.
    #[error("{}: {message}", shown(.pointer))]
    UnsatisfiableSchema {
        /// A JSON Pointer to the schema that no value fulfils.
        pointer: String,
        /// What cannot be fulfilled.
        message: String,
    },
    /// A limit was reached.
    #[error("{what}: {given} exceeds the limit of {limit} (Limits.{name})")]
    TooComplex {
        /// What grew too large.
        what: &'static str,
        /// The field of [`crate::Limits`] that bounds it.
        name: &'static str,
        /// The bound.
        limit: u64,
        /// The size that was asked for or reached.
        given: u64,
    },
    /// The vocabulary is malformed, or does not fit the grammar.
    #[error("{0}")]
    Vocabulary(String),
    /// The work was told to stop, see [`crate::Cancellation`].
    #[error("cancelled")]
    Cancelled,
    /// More steps were to be undone than were taken.
    #[error("cannot roll back {asked} steps: only {available} were accepted")]
    Rollback {
        /// Steps to undo.
        asked: usize,
        /// Steps that could be undone.
        available: usize,
    },
    /// A call to a matcher that cannot be answered, such as one with a token id outside the vocabulary.
    #[error("{0}")]
    Matcher(String),
}

impl Error {
    /// A syntax error at byte `offset` of `source`.
    pub fn syntax(message: impl Into<String>, source: &str, offset: usize) -> Self {
        Self::Syntax { message: message.into(), place: Some(Box::new(Place::at(source, offset))) }
    }
}

impl Error {
    /// A grammar can need a byte that a vocabulary lacks.
    pub(crate) fn unwritable(byte: u8) -> Self {
        Self::Vocabulary(format!(
            "the grammar can need the byte 0x{byte:02X}, which no token of the vocabulary writes alone"
        ))
    }
}

fn syntax_text(message: &str, place: &Option<Box<Place>>) -> String {
    let Some(place) = place else { return message.to_owned() };
    let file = place.file.as_ref().map_or(String::new(), |f| format!("{f}, "));
    let mut text = format!("{file}line {}, column {}: {message}", place.line, place.column);
    if !place.text.is_empty() {
        let pad: String = place
            .text
            .chars()
            .take(place.column as usize - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        text.push_str(&format!("\n    {}\n    {pad}^", place.text));
    }
    text
}

/// A JSON Pointer in a message: the empty one is the whole schema.
fn shown(pointer: &str) -> String {
    if pointer.is_empty() { "the schema".to_owned() } else { format!("at {pointer}") }
}

/// A remark on a grammar that does not stop it from being used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// For a JSON Schema: a JSON Pointer to the schema that the remark is about.
    pub pointer: Option<String>,
    /// For a JSON Schema: the keyword that the remark is about.
    pub keyword: Option<String>,
    /// What was noticed, with the name of the rule or terminal if there is one.
    pub message: String,
}

impl Diagnostic {
    /// A remark without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A remark on a keyword of a JSON Schema.
    pub fn on_keyword(
        pointer: impl Into<String>,
        keyword: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            pointer: Some(pointer.into()),
            keyword: Some(keyword.into()),
            message: message.into(),
        }
    }
}
