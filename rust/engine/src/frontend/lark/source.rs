//! A text and its name, for errors with places.

use crate::error::{Error, Place};

/// The longest message, in characters.
const MESSAGE: usize = 500;

/// One file of a grammar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) file: Option<&'a str>,
}

impl Source<'_> {
    /// An error at byte `at`.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        let mut message = message.into();
        // Names come from the text and can be as long as it.
        if let Some((end, _)) = message.char_indices().nth(MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        let place = Place { file: self.file.map(str::to_owned), ..Place::at(self.text, at) };
        Error::Syntax { message, place: Some(Box::new(place)) }
    }
}
