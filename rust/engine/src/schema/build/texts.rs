//! Patterns and formats, and what cannot be enforced.

use super::Builder;
use crate::error::Error;
use crate::json;
use crate::schema::document::{Span, ValueId};
use crate::schema::node::FormatId;
use crate::schema::normal::PatternId;
use crate::schema::options::{Formats, UnknownFormat, Unsupported};
use crate::schema::remark::Reason;

impl Builder {
    /// The pattern of a keyword, or none if it cannot be enforced and the user goes on.
    pub(super) fn pattern(
        &mut self,
        at: ValueId,
        key: Span,
        source: Span,
    ) -> Result<Option<PatternId>, Error> {
        match self.texts.pattern(self.index.documents.text(source)) {
            Ok(pattern) => {
                if self.texts.is_loose(pattern) {
                    self.index.remark(at, key, Reason::OldPattern);
                }
                Ok(Some(pattern))
            }
            Err(Error::Syntax { message, .. }) if message.contains("not supported") => {
                self.unsupported(at, key, message).map(|()| None)
            }
            Err(Error::Syntax { message, .. }) => Err(Error::InvalidSchema {
                pointer: self.index.pointer_to(at, self.index.documents.text(key)),
                message: format!("not a regular expression: {message}"),
            }),
            Err(error) => Err(error),
        }
    }

    pub(super) fn format(
        &mut self,
        at: ValueId,
        key: Span,
        value: ValueId,
    ) -> Result<Option<FormatId>, Error> {
        let Some(name) = self.index.documents.string(value) else { return Ok(None) };
        if self.options.formats == Formats::Annotate {
            self.index.remark(at, key, Reason::FormatIgnored);
            return Ok(None);
        }
        if let Some(format) = json::format(name) {
            if let Some(pattern) = format.pattern() {
                return Ok(Some(self.texts.format(format.name(), pattern)));
            }
            if let Some(why) = format.unsupported() {
                let message = format!("format {name:?} cannot be enforced: {why}");
                return self.unsupported(at, key, message).map(|()| None);
            }
        }
        if self.options.unknown_format == UnknownFormat::Error {
            let message = format!("{name:?} is not a known format");
            self.unsupported(at, key, message)?;
        }
        self.index.remark(at, key, Reason::UnknownFormat);
        Ok(None)
    }

    /// Refuses a keyword, or remarks that it is not enforced.
    pub(in crate::schema) fn unsupported(
        &mut self,
        at: ValueId,
        key: Span,
        message: String,
    ) -> Result<(), Error> {
        if self.options.unsupported == Unsupported::Warn {
            self.index.remark(at, key, Reason::NotEnforced);
            return Ok(());
        }
        Err(Error::UnsupportedSchema {
            pointer: self.index.documents.pointer(at),
            keyword: self.index.documents.text(key).to_owned(),
            message,
        })
    }
}
