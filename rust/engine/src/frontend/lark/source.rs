//! A text and its name, for errors with places.

use crate::error::{Error, Place};

/// One file of a grammar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) file: Option<&'a str>,
}

impl Source<'_> {
    /// An error at byte `at`.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        let place = Place { file: self.file.map(str::to_owned), ..Place::at(self.text, at) };
        Error::Syntax { message: message.into(), place: Some(Box::new(place)) }
    }
}
