//! The texts of a grammar and their names, for errors with places.

use std::rc::Rc;

use crate::error::{Error, Place};

/// The longest message, in characters.
const MESSAGE: usize = 500;

/// A place: the number of a file and a byte of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) file: usize,
    pub(super) byte: usize,
}

/// One file of a grammar.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Its number.
    pub(super) file: usize,
    pub(super) text: Rc<str>,
    pub(super) name: Option<Rc<str>>,
    /// Whether it is part of Lark's library.
    pub(super) library: bool,
}

impl Source {
    pub(super) fn at(&self, byte: usize) -> At {
        At { file: self.file, byte }
    }

    /// An error at a byte.
    pub(super) fn error(&self, byte: usize, message: impl Into<String>) -> Error {
        let mut message = message.into();
        // Names come from the text and can be as long as it.
        if let Some((end, _)) = message.char_indices().nth(MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        let file = self.name.as_deref().map(str::to_owned);
        let place = Place { file, ..Place::at(&self.text, byte) };
        Error::Syntax { message, place: Some(Box::new(place)) }
    }
}

/// All files of a grammar, the main one first.
#[derive(Debug, Default)]
pub(super) struct Sources(pub(super) Vec<Source>);

impl Sources {
    /// An error at a place.
    pub(super) fn error(&self, at: At, message: impl Into<String>) -> Error {
        self.0[at.file].error(at.byte, message)
    }

    /// The name or number that is written at a place; names of imported files are other ones to the grammar.
    pub(super) fn word(&self, at: At) -> &str {
        let rest = &self.0[at.file].text[at.byte..];
        let len = rest.bytes().take_while(|&b| b == b'_' || b.is_ascii_alphanumeric()).count();
        &rest[..len]
    }

    /// So many bytes from a place on.
    pub(super) fn text(&self, at: At, len: usize) -> &str {
        &self.0[at.file].text[at.byte..][..len]
    }
}
