//! The arguments of `Grammar.from_json_schema`.

use pyo3::exceptions::{PyImportError, PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use stackmask::schema::{Draft, Formats, Options, UnknownFormat, Unsupported};
use stackmask::{Error, JsonSchemaOptions, Limits, Spacing, Spelling, Whitespace};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::errors::{GrammarError, raise};
use crate::json::plain_text;

/// The JSON text of a schema: a string is taken as one.
pub(crate) fn schema_text(schema: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<String> {
    if let Ok(text) = schema.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if let Some(text) = plain_text(schema)? {
        return Ok(text);
    }
    let py = schema.py();
    let json = py.import(pyo3::intern!(py, "json"))?;
    match json.call_method1(pyo3::intern!(py, "dumps"), (schema,)) {
        Ok(text) => text.extract(),
        Err(error) if error.is_instance_of::<PyRecursionError>(py) => Err(raise(
            py,
            Error::TooComplex {
                what: "nesting of the schema",
                name: "source_nesting",
                limit: limits.source_nesting as u64,
                // At least so deep: Python's own limit is above it.
                given: limits.source_nesting as u64 + 1,
            },
        )),
        Err(error) => Err(error),
    }
}

/// The schema of what pydantic reads as a value of a Python type.
pub(crate) fn type_schema<'py>(type_: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = type_.py();
    let pydantic = py.import("pydantic").map_err(|error| {
        let wanted =
            PyImportError::new_err("Grammar.from_type needs pydantic: pip install pydantic");
        wanted.set_cause(py, Some(error));
        wanted
    })?;
    let adapter = pydantic.getattr("TypeAdapter")?.call1((type_,));
    adapter.and_then(|adapter| adapter.call_method0("json_schema")).map_err(|error| {
        let Ok(shown) = type_.repr() else { return error };
        let said = error.value(py).str().map(|text| text.to_string()).unwrap_or_default();
        let said = said.lines().next().unwrap_or_default();
        let wanted =
            GrammarError::new_err(format!("{shown} is no type with a JSON Schema: {said}"));
        wanted.set_cause(py, Some(error));
        wanted
    })
}

/// What may be chosen by keyword.
pub(crate) struct SchemaArguments<'a, 'py> {
    pub(crate) spelling: &'a str,
    pub(crate) whitespace: Option<&'a Bound<'py, PyAny>>,
    pub(crate) draft: Option<&'a str>,
    pub(crate) registry: Option<&'a Bound<'py, PyAny>>,
    pub(crate) formats: &'a str,
    pub(crate) unknown_format: &'a str,
    pub(crate) unsupported: &'a str,
    pub(crate) additional_properties: Option<bool>,
}

impl SchemaArguments<'_, '_> {
    pub(crate) fn options(&self, limits: &Limits) -> PyResult<JsonSchemaOptions> {
        Ok(JsonSchemaOptions {
            spelling: one_of(
                "spelling",
                self.spelling,
                &[("canonical", Spelling::Canonical), ("any", Spelling::Any)],
            )?,
            spacing: self.whitespace.map(spacing).transpose()?,
            reading: Options {
                draft: self.draft.map(draft).transpose()?,
                registry: match self.registry {
                    Some(registry) => texts(registry, limits)?,
                    None => BTreeMap::new(),
                },
                formats: one_of(
                    "formats",
                    self.formats,
                    &[("assert", Formats::Assert), ("annotate", Formats::Annotate)],
                )?,
                unknown_format: one_of(
                    "unknown_format",
                    self.unknown_format,
                    &[("warn", UnknownFormat::Warn), ("error", UnknownFormat::Error)],
                )?,
                unsupported: one_of(
                    "unsupported",
                    self.unsupported,
                    &[("error", Unsupported::Error), ("warn", Unsupported::Warn)],
                )?,
                closed: self.additional_properties == Some(false),
            },
        })
    }
}

fn one_of<T: Copy>(argument: &str, given: &str, choices: &[(&str, T)]) -> PyResult<T> {
    if let Some((_, value)) = choices.iter().find(|(name, _)| *name == given) {
        return Ok(*value);
    }
    let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
    Err(PyValueError::new_err(format!(
        "{argument} must be one of {}, not {given:?}",
        names.join(", ")
    )))
}

fn draft(name: &str) -> PyResult<Draft> {
    one_of(
        "draft",
        name,
        &[
            ("4", Draft::Draft4),
            ("6", Draft::Draft6),
            ("7", Draft::Draft7),
            ("2019-09", Draft::Draft201909),
            ("2020-12", Draft::Draft202012),
        ],
    )
}

/// `"bounded"`, `"none"`, `"any"`, a pair of separators, or `{"pattern": ...}`.
fn spacing(whitespace: &Bound<'_, PyAny>) -> PyResult<Spacing> {
    if let Ok(name) = whitespace.cast::<PyString>() {
        return Ok(Spacing::Gap(whitespace_named(name.to_str()?)?));
    }
    if let Ok(pair) = whitespace.cast::<PyTuple>() {
        let (comma, colon): (String, String) = pair.extract()?;
        return Ok(Spacing::Separators(comma, colon));
    }
    if let Ok(object) = whitespace.cast::<PyDict>()
        && object.len() == 1
        && let Some(pattern) = object.get_item("pattern")?
    {
        return Ok(Spacing::Pattern(pattern.extract()?));
    }
    Err(PyTypeError::new_err(
        "whitespace must be \"bounded\", \"none\", \"any\", a pair of separators, or {\"pattern\": ...}",
    ))
}

pub(crate) fn whitespace_named(name: &str) -> PyResult<Whitespace> {
    one_of(
        "whitespace",
        name,
        &[("bounded", Whitespace::Bounded), ("none", Whitespace::None), ("any", Whitespace::Any)],
    )
}

/// The schemas of a registry or mapping, as JSON texts by URI. A `referencing.Registry` holds resources, whose
/// contents are the schemas.
fn texts(registry: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<BTreeMap<String, Arc<str>>> {
    let mut found = BTreeMap::new();
    for uri in registry.try_iter()? {
        let uri = uri?;
        let entry = registry.get_item(&uri)?;
        let contents = pyo3::intern!(uri.py(), "contents");
        let schema = if entry.hasattr(contents)? { entry.getattr(contents)? } else { entry };
        found.insert(uri.extract()?, schema_text(&schema, limits)?.into());
    }
    Ok(found)
}
