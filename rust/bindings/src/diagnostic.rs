//! `Diagnostic`: what a grammar is refused or warned for.

use pyo3::prelude::*;

#[pyclass(frozen, eq, hash, module = "stackmask")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    #[pyo3(get)]
    pointer: Option<String>,
    #[pyo3(get)]
    keyword: Option<String>,
    #[pyo3(get)]
    message: String,
    #[pyo3(get)]
    severity: &'static str,
}

impl Diagnostic {
    /// What a grammar is refused for.
    pub(crate) fn of_error(py: Python<'_>, error: &PyErr) -> PyResult<Self> {
        let value = error.value(py);
        let attribute = |name: &str| -> PyResult<Option<String>> {
            if value.hasattr(name)? { value.getattr(name)?.extract() } else { Ok(None) }
        };
        Ok(Self {
            pointer: attribute("pointer")?,
            keyword: attribute("keyword")?,
            message: value.str()?.to_string(),
            severity: "error",
        })
    }
}

impl From<&stackmask::Diagnostic> for Diagnostic {
    fn from(remark: &stackmask::Diagnostic) -> Self {
        let stackmask::Diagnostic { pointer, keyword, message } = remark.clone();
        Self { pointer, keyword, message, severity: "warning" }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> String {
        let Some(pointer) = &self.pointer else { return self.message.clone() };
        let place = if pointer.is_empty() { "the schema" } else { pointer };
        match &self.keyword {
            Some(keyword) => format!("{place}: {keyword:?}: {}", self.message),
            None => format!("{place}: {}", self.message),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic: {}>", self.__str__())
    }
}
