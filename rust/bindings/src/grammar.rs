//! `Grammar`: the front ends by name.

use crate::errors::{GrammarError, OrRaise, engine};
use crate::limits::{Limits, engine_limits};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rustc_hash::FxHasher;
use stackmask::{Ending, Error, LarkOptions, Place, Whitespace};
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[pyclass(frozen, eq, hash, module = "stackmask")]
#[derive(Clone)]
pub(crate) struct Grammar {
    pub(crate) inner: Arc<stackmask::Grammar>,
    /// Taken once, since a large grammar takes long to hash.
    hash: u64,
}

impl Grammar {
    fn wrap(inner: stackmask::Grammar) -> Self {
        let mut hasher = FxHasher::default();
        inner.hash(&mut hasher);
        Self { inner: Arc::new(inner), hash: hasher.finish() }
    }

    fn build(
        py: Python<'_>,
        make: impl FnOnce() -> Result<stackmask::Grammar, Error> + Send,
    ) -> PyResult<Self> {
        py.detach(|| engine(make).map(Self::wrap)).or_raise(py)
    }
}

impl PartialEq for Grammar {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && (Arc::ptr_eq(&self.inner, &other.inner) || self.inner == other.inner)
    }
}

impl Eq for Grammar {}

impl Hash for Grammar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

fn whitespace_named(name: &str) -> PyResult<Whitespace> {
    match name {
        "bounded" => Ok(Whitespace::Bounded),
        "none" => Ok(Whitespace::None),
        "any" => Ok(Whitespace::Any),
        _ => Err(PyValueError::new_err(format!(
            "whitespace must be \"bounded\", \"none\" or \"any\", not {name:?}"
        ))),
    }
}

fn lexer_named(name: &str) -> PyResult<Ending> {
    match name {
        "dynamic" => Ok(Ending::Dynamic),
        "dynamic_complete" => Ok(Ending::DynamicComplete),
        "contextual" | "basic" => Err(GrammarError::new_err(format!(
            "lexer={name:?} is not supported: use \"dynamic\" or \"dynamic_complete\""
        ))),
        _ => Err(PyValueError::new_err(format!(
            "lexer must be \"dynamic\" or \"dynamic_complete\", not {name:?}"
        ))),
    }
}

/// Reads no more than one byte beyond the limit: a longer file is refused whatever its length.
fn read_source(path: &Path, limits: &stackmask::Limits) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limits.source_bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn utf8_source(bytes: &[u8], file: &str, limits: &stackmask::Limits) -> Result<String, Error> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(error) => error,
    };
    // The reader may have cut a character in two; the length is what is wrong then.
    let start = error.valid_up_to();
    if bytes.len() > limits.source_bytes && error.error_len().is_none() {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    let valid = String::from_utf8_lossy(&bytes[..start]);
    let place = Place { file: Some(file.to_owned()), ..Place::at(&valid, start) };
    let message = format!("not UTF-8: byte 0x{:02x}", bytes[start]);
    Err(Error::Syntax { message, place: Some(Box::new(place)) })
}

#[pymethods]
impl Grammar {
    #[staticmethod]
    #[pyo3(signature = (*, whitespace="bounded"))]
    fn json(py: Python<'_>, whitespace: &str) -> PyResult<Self> {
        let whitespace = whitespace_named(whitespace)?;
        Self::build(py, || Ok(stackmask::Grammar::json(whitespace)))
    }

    #[staticmethod]
    #[pyo3(signature = (pattern, *, limits=None))]
    fn from_regex(
        py: Python<'_>,
        pattern: &str,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let limits = engine_limits(limits);
        Self::build(py, || stackmask::Grammar::from_regex(pattern, &limits))
    }

    #[staticmethod]
    fn from_choices(py: Python<'_>, choices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let choices: Vec<String> =
            choices.try_iter()?.map(|choice| choice?.extract()).collect::<PyResult<_>>()?;
        Self::build(py, || stackmask::Grammar::from_choices(&choices))
    }

    #[staticmethod]
    #[pyo3(signature = (text, start="start", *, lexer="dynamic", limits=None))]
    fn from_lark(
        py: Python<'_>,
        text: &str,
        start: &str,
        lexer: &str,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let options = LarkOptions { start, ending: lexer_named(lexer)?, file: None };
        let limits = engine_limits(limits);
        Self::build(py, || stackmask::Grammar::from_lark(text, &options, &limits))
    }

    #[staticmethod]
    #[pyo3(signature = (path, start="start", *, lexer="dynamic", limits=None))]
    fn from_lark_file(
        py: Python<'_>,
        path: PathBuf,
        start: &str,
        lexer: &str,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let ending = lexer_named(lexer)?;
        let limits = engine_limits(limits);
        let file = path.to_string_lossy().into_owned();
        let bytes = py
            .detach(|| read_source(&path, &limits))
            .map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))?;
        Self::build(py, || {
            let text = utf8_source(&bytes, &file, &limits)?;
            let options = LarkOptions { start, ending, file: Some(&file) };
            stackmask::Grammar::from_lark(&text, &options, &limits)
        })
    }

    fn __repr__(&self) -> String {
        let (rules, terminals) = (self.inner.rules.len(), self.inner.terminals.len());
        format!("<Grammar of {rules} rules and {terminals} terminals>")
    }
}
