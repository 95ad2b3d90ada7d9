//! `Grammar`: the front ends by name.

use crate::diagnostic::Diagnostic;
use crate::errors::{GrammarError, OrRaise, engine};
use crate::lark::{Files, LarkObject, flags, indenter, lark_object, lexer_named, read_file};
use crate::limits::{Limits, engine_limits};
use crate::pickle::Pickled;
use crate::schema::{SchemaArguments, schema_text, type_schema, whitespace_named};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rustc_hash::FxHasher;
use stackmask::{Dialect, Error, LarkOptions};
use std::hash::{Hash, Hasher};
use std::io;
use std::path::PathBuf;
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

    fn lark(
        py: Python<'_>,
        source: &LarkObject,
        indented: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let indenter = indented.map(indenter).transpose()?;
        let ending = lexer_named(&source.lexer)?;
        let limits = engine_limits(limits);
        let file = source.file.as_ref().map(|path| path.to_string_lossy());
        let start = source.start.as_deref().unwrap_or("start");
        Self::build(py, || {
            let options = LarkOptions {
                start,
                ending,
                file: file.as_deref(),
                flags: flags(&source.flags),
                indenter: indenter.as_ref(),
            };
            let mut files = Files {
                paths: &source.import_paths,
                folder: source.folder.as_deref(),
                limits: &limits,
            };
            stackmask::Grammar::from_lark_with_imports(&source.text, &options, &mut files, &limits)
        })
    }

    pub(crate) fn build(
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

fn dialect_named(name: &str) -> PyResult<Dialect> {
    match name {
        "python" => Ok(Dialect::Python),
        "ecma" => Ok(Dialect::Ecma),
        "rust" => Ok(Dialect::Rust),
        _ => Err(PyValueError::new_err(format!(
            "dialect must be \"python\", \"ecma\" or \"rust\", not {name:?}"
        ))),
    }
}

#[pymethods]
impl Grammar {
    #[getter]
    fn num_rules(&self) -> usize {
        self.inner.rules.len()
    }

    #[getter]
    fn num_terminals(&self) -> usize {
        self.inner.terminals.len()
    }

    #[staticmethod]
    #[pyo3(signature = (*, whitespace="bounded", unique_keys=false))]
    fn json(py: Python<'_>, whitespace: &str, unique_keys: bool) -> PyResult<Self> {
        let whitespace = whitespace_named(whitespace)?;
        let json = || stackmask::Grammar { unique_keys, ..stackmask::Grammar::json(whitespace) };
        Self::build(py, || Ok(json()))
    }

    #[staticmethod]
    #[pyo3(signature = (pattern, *, dialect="python", limits=None))]
    fn from_regex(
        py: Python<'_>,
        pattern: &str,
        dialect: &str,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let (dialect, limits) = (dialect_named(dialect)?, engine_limits(limits));
        Self::build(py, || stackmask::Grammar::from_regex_in(pattern, dialect, &limits))
    }

    #[staticmethod]
    #[pyo3(signature = (
        schema, *, spelling="canonical", whitespace=None, draft=None, registry=None, formats="assert",
        unknown_format="warn", unsupported="error", additional_properties=None, limits=None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn from_json_schema(
        py: Python<'_>,
        schema: &Bound<'_, PyAny>,
        spelling: &str,
        whitespace: Option<&Bound<'_, PyAny>>,
        draft: Option<&str>,
        registry: Option<&Bound<'_, PyAny>>,
        formats: &str,
        unknown_format: &str,
        unsupported: &str,
        additional_properties: Option<bool>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let arguments = SchemaArguments {
            spelling,
            whitespace,
            draft,
            registry,
            formats,
            unknown_format,
            unsupported,
            additional_properties,
        };
        let limits = engine_limits(limits);
        let options = arguments.options(&limits)?;
        let text = schema_text(schema, &limits)?;
        Self::build(py, || stackmask::Grammar::from_json_schema(&text, &options, &limits))
    }

    #[staticmethod]
    #[pyo3(signature = (type_, /, **options))]
    fn from_type<'py>(
        type_: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let schema = type_schema(type_)?;
        type_.py().get_type::<Self>().call_method("from_json_schema", (schema,), options)
    }

    #[staticmethod]
    #[pyo3(signature = (choices, *, limits=None))]
    fn from_choices(
        py: Python<'_>,
        choices: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        if choices.is_instance_of::<PyString>() {
            return Err(GrammarError::new_err(format!(
                "choices must be several strings, not one: [{}] is the choice of just that",
                choices.repr()?
            )));
        }
        let choices: Vec<String> =
            choices.try_iter()?.map(|choice| choice?.extract()).collect::<PyResult<_>>()?;
        let limits = engine_limits(limits);
        Self::build(py, || stackmask::Grammar::from_choices(&choices, &limits))
    }

    #[staticmethod]
    #[pyo3(signature = (text, start=None, *, lexer=None, import_paths=None, indenter=None, limits=None))]
    fn from_lark(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        start: Option<&str>,
        lexer: Option<&str>,
        import_paths: Option<Vec<PathBuf>>,
        indenter: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        if let Ok(text) = text.extract::<String>() {
            let source = LarkObject {
                text,
                file: None,
                folder: None,
                start: start.map(str::to_owned),
                lexer: lexer.unwrap_or("dynamic").to_owned(),
                import_paths: import_paths.unwrap_or_default(),
                flags: String::new(),
            };
            return Self::lark(py, &source, indenter, limits);
        }
        let Some(object) = lark_object(text, start)? else {
            return Err(PyTypeError::new_err(format!(
                "the grammar must be a str or a lark.Lark, not {}",
                text.get_type().name()?
            )));
        };
        if lexer.is_some() || import_paths.is_some() {
            return Err(PyTypeError::new_err(
                "lexer and import_paths are those of the lark.Lark object: do not give them again",
            ));
        }
        Self::lark(py, &object, indenter, limits)
    }

    #[staticmethod]
    #[pyo3(signature = (
        path, start="start", *, lexer="dynamic", import_paths=None, indenter=None, limits=None,
    ))]
    fn from_lark_file(
        py: Python<'_>,
        path: PathBuf,
        start: &str,
        lexer: &str,
        import_paths: Option<Vec<PathBuf>>,
        indenter: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        lexer_named(lexer)?;
        let bounds = engine_limits(limits);
        let text = py
            .detach(|| read_file(&path, &bounds))
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?
            .or_raise(py)?;
        let source = LarkObject {
            text,
            file: Some(path),
            folder: None,
            start: Some(start.to_owned()),
            lexer: lexer.to_owned(),
            import_paths: import_paths.unwrap_or_default(),
            flags: String::new(),
        };
        Self::lark(py, &source, indenter, limits)
    }

    #[staticmethod]
    #[pyo3(signature = (text, start="root", *, limits=None))]
    fn from_gbnf(
        py: Python<'_>,
        text: &str,
        start: &str,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let limits = engine_limits(limits);
        Self::build(py, || stackmask::Grammar::from_gbnf(text, start, &limits))
    }

    #[staticmethod]
    #[pyo3(signature = (spec, *, tokens=None, **json_options))]
    fn from_structural_tag<'py>(
        spec: &Bound<'py, PyAny>,
        tokens: Option<&Bound<'py, PyAny>>,
        json_options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = spec.py().import("stackmask._structural_tags")?;
        module.getattr("grammar_of")?.call1((spec, tokens, json_options))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = py.detach(|| engine(|| self.inner.to_bytes())).or_raise(py)?;
        Ok(PyBytes::new(py, &saved))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        Self::build(py, || stackmask::Grammar::from_bytes(data))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (Bound<'py, PyBytes>,)>> {
        let load = slf.get_type().getattr("from_bytes")?;
        Ok((load, (slf.get().to_bytes(slf.py())?,)))
    }

    #[pyo3(signature = (*, limits=None))]
    fn lint(
        &self,
        py: Python<'_>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Vec<Diagnostic>> {
        let (inner, limits) = (self.inner.clone(), engine_limits(limits));
        let found = py.detach(|| engine(|| inner.lint(&limits))).or_raise(py)?;
        Ok(found.iter().map(Diagnostic::from).collect())
    }

    fn __repr__(&self) -> String {
        let (rules, terminals) = (self.inner.rules.len(), self.inner.terminals.len());
        format!("<Grammar of {rules} rules and {terminals} terminals>")
    }
}
