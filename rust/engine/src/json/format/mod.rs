//! The formats of JSON Schema 2020-12 (validation, section 7.3), each by the RFC that it names.
//!
//! A format is a language of decoded strings. Where a format asks for what no regular language can say, or for tables
//! that are not here, it is narrower than its RFC, never wider, or refused by name:
//!
//! | format | exception |
//! |---|---|
//! | `hostname` | no label may begin with `xn--`: whether it is a valid A-label is not a regular question |
//! | `time`, `date-time` | a leap second's offset is a multiple of 15 minutes, as all that are in use are |
//! | `idn-hostname` | refused: needs the tables of IDNA 2008 |
//! | `relative-json-pointer` | no index manipulation (`0-1`), which came late and is little used |
//! | `regex` | refused: nested parentheses are not a regular language |
//!
//! Limits on lengths that RFC 5321 section 4.5.3.1 sets for implementations are not part of an address' syntax.

mod dates;
mod mail;
mod network;
mod pointers;
mod uri;

use std::sync::LazyLock;

use crate::pattern::Pattern;

/// A format that is known by its name.
#[derive(Clone, Copy, Debug)]
pub struct Format(&'static Row);

#[derive(Debug)]
struct Row {
    name: &'static str,
    meaning: Meaning,
}

#[derive(Debug)]
enum Meaning {
    /// The language.
    Language(LazyLock<Pattern>),
    /// What would be needed.
    Unsupported(&'static str),
    /// It does not restrict the string.
    Annotation,
}

/// The format with this name; `None` if the name is unknown, and so says nothing about the string.
pub fn format(name: &str) -> Option<Format> {
    FORMATS.iter().find(|row| row.name == name).map(Format)
}

/// All that are known.
#[cfg(test)]
pub(crate) fn all() -> impl Iterator<Item = Format> {
    FORMATS.iter().map(Format)
}

impl Format {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Its strings; `None` if it is an annotation or unsupported. Made once, on first use.
    pub fn pattern(&self) -> Option<&'static Pattern> {
        match &self.0.meaning {
            Meaning::Language(pattern) => Some(pattern),
            Meaning::Unsupported(_) | Meaning::Annotation => None,
        }
    }

    /// Whether it never restricts a string.
    pub fn is_annotation(&self) -> bool {
        matches!(self.0.meaning, Meaning::Annotation)
    }

    /// Why it cannot be enforced, if it cannot.
    pub fn unsupported(&self) -> Option<&'static str> {
        match self.0.meaning {
            Meaning::Unsupported(why) => Some(why),
            Meaning::Language(_) | Meaning::Annotation => None,
        }
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Format {}

const fn language(name: &'static str, make: fn() -> Pattern) -> Row {
    Row { name, meaning: Meaning::Language(LazyLock::new(make)) }
}

const fn unsupported(name: &'static str, why: &'static str) -> Row {
    Row { name, meaning: Meaning::Unsupported(why) }
}

const fn annotation(name: &'static str) -> Row {
    Row { name, meaning: Meaning::Annotation }
}

static FORMATS: [Row; 38] = [
    language("date-time", dates::date_time),
    language("date", dates::date),
    language("time", dates::time),
    language("duration", dates::duration),
    language("email", mail::email),
    language("idn-email", mail::idn_email),
    language("hostname", network::hostname),
    unsupported("idn-hostname", "it needs the tables of IDNA 2008"),
    language("ipv4", network::ipv4),
    language("ipv6", network::ipv6),
    language("uri", uri::uri),
    language("uri-reference", uri::uri_reference),
    language("iri", uri::iri),
    language("iri-reference", uri::iri_reference),
    language("uri-template", uri::uri_template),
    language("uuid", pointers::uuid),
    language("json-pointer", pointers::json_pointer),
    language("relative-json-pointer", pointers::relative_json_pointer),
    unsupported("regex", "nested parentheses are not a regular language"),
    // Of draft 3, and not asserted since.
    annotation("color"),
    annotation("host-name"),
    annotation("ip-address"),
    annotation("phone"),
    annotation("style"),
    annotation("utc-millisec"),
    // Of OpenAPI's registry: they tell programs how to store a value.
    annotation("binary"),
    annotation("byte"),
    annotation("double"),
    annotation("float"),
    annotation("int8"),
    annotation("int16"),
    annotation("int32"),
    annotation("int64"),
    annotation("password"),
    annotation("uint8"),
    annotation("uint16"),
    annotation("uint32"),
    annotation("uint64"),
];

#[cfg(test)]
mod tests;
