//! Schemas as bytes: a source is saved as what it was made from, and made anew.

use std::sync::Arc;

use super::JsonSchemaOptions;
use super::source::SchemaSource;
use super::spacing::Spacing;
use crate::codec::{Reader, Writer, damaged};
use crate::error::Error;
use crate::frontend::Whitespace;
use crate::grammar::{SavedSource, Source};
use crate::json::Spelling;
use crate::schema::{Draft, Formats, Options, UnknownFormat, Unsupported};

/// The kind of these sources.
pub(in crate::frontend) const KIND: &str = "json_schema";

const SPELLINGS: [Spelling; 2] = [Spelling::Canonical, Spelling::Any];
const WHITESPACE: [Whitespace; 3] = [Whitespace::Bounded, Whitespace::None, Whitespace::Any];
const DRAFTS: [Draft; 5] =
    [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];
const FORMATS: [Formats; 2] = [Formats::Assert, Formats::Annotate];
const UNKNOWN: [UnknownFormat; 2] = [UnknownFormat::Warn, UnknownFormat::Error];
const UNSUPPORTED: [Unsupported; 2] = [Unsupported::Error, Unsupported::Warn];

pub(super) fn save(source: &SchemaSource) -> SavedSource {
    let mut out = Writer::default();
    out.text(&source.text);
    out.limits(source.limits());
    let JsonSchemaOptions { spelling, spacing, reading } = &source.options;
    let Options { draft, registry, formats, unknown_format, unsupported, closed } = reading;
    choice(&mut out, &SPELLINGS, spelling);
    out.option(spacing.as_ref(), |out, spacing| match spacing {
        Spacing::Gap(whitespace) => {
            out.number(0u8);
            choice(out, &WHITESPACE, whitespace);
        }
        Spacing::Separators(comma, colon) => {
            out.number(1u8);
            out.text(comma);
            out.text(colon);
        }
        Spacing::Pattern(pattern) => {
            out.number(2u8);
            out.text(pattern);
        }
    });
    out.option(draft.as_ref(), |out, draft| choice(out, &DRAFTS, draft));
    out.length(registry.len());
    for (uri, schema) in registry {
        out.text(uri);
        out.text(schema);
    }
    choice(&mut out, &FORMATS, formats);
    choice(&mut out, &UNKNOWN, unknown_format);
    choice(&mut out, &UNSUPPORTED, unsupported);
    out.number(u8::from(*closed));
    SavedSource { kind: KIND, bytes: out.bytes }
}

/// The source that was saved.
pub(in crate::frontend) fn load(bytes: &[u8]) -> Result<Arc<dyn Source>, Error> {
    let mut left = Reader { left: bytes };
    let text = left.text()?;
    let limits = left.limits()?;
    let spelling = chosen(&mut left, &SPELLINGS)?;
    let spacing = left.option(|left| {
        Ok(match left.number::<u8>()? {
            0 => Spacing::Gap(chosen(left, &WHITESPACE)?),
            1 => Spacing::Separators(left.text()?.to_owned(), left.text()?.to_owned()),
            2 => Spacing::Pattern(left.text()?.to_owned()),
            _ => return Err(damaged()),
        })
    })?;
    let draft = left.option(|left| chosen(left, &DRAFTS))?;
    let registry = left.list(|left| Ok((left.text()?.to_owned(), left.text()?.into())))?;
    let reading = Options {
        draft,
        registry: registry.into_iter().collect(),
        formats: chosen(&mut left, &FORMATS)?,
        unknown_format: chosen(&mut left, &UNKNOWN)?,
        unsupported: chosen(&mut left, &UNSUPPORTED)?,
        closed: left.flag()?,
    };
    left.end()?;
    let options = JsonSchemaOptions { spelling, spacing, reading };
    let (source, _) = SchemaSource::new(text, &options, &limits)?;
    Ok(Arc::new(source))
}

/// One of a list, by its place in it.
fn choice<T: PartialEq>(out: &mut Writer, choices: &[T], value: &T) {
    // A value that is not listed has a place that no reader takes.
    let place = choices.iter().position(|choice| choice == value);
    out.number(place.map_or(u8::MAX, |place| place as u8));
}

fn chosen<T: Copy>(left: &mut Reader<'_>, choices: &[T]) -> Result<T, Error> {
    choices.get(left.number::<usize>()?).copied().ok_or_else(damaged)
}
