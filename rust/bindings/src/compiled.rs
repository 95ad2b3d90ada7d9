//! `CompiledGrammar`.

use crate::convert::token_ids;
use crate::diagnostic::Diagnostic;
use crate::errors::{OrRaise, VocabularyError, engine};
use crate::matcher::GrammarMatcher;
use crate::pickle::Pickled;
use crate::vocabulary::Vocabulary;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

#[pyclass(frozen, module = "stackmask")]
pub(crate) struct CompiledGrammar {
    pub(crate) inner: stackmask::CompiledGrammar,
    pub(crate) vocabulary: Py<Vocabulary>,
}

#[pymethods]
impl CompiledGrammar {
    #[pyo3(signature = (*, stop_token_ids=None))]
    fn matcher(
        &self,
        py: Python<'_>,
        stop_token_ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<GrammarMatcher> {
        let inner = match stop_token_ids {
            None => engine(|| Ok(self.inner.matcher())),
            Some(ids) => {
                let ids = token_ids(ids, VocabularyError::new_err::<String>)?;
                engine(|| self.inner.matcher_with_stops(&ids))
            }
        };
        Ok(GrammarMatcher::new(inner.or_raise(py)?, self.vocabulary.clone_ref(py)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = py.detach(|| engine(|| self.inner.to_bytes())).or_raise(py)?;
        Ok(PyBytes::new(py, &saved))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8], vocabulary: Py<Vocabulary>) -> PyResult<Self> {
        let tokens = vocabulary.get().inner.clone();
        let load = || engine(|| stackmask::CompiledGrammar::from_bytes(data, tokens));
        let inner = py.detach(load).or_raise(py)?;
        Ok(Self { inner, vocabulary })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Pickled<'py, (Bound<'py, PyBytes>, Py<Vocabulary>)>> {
        let load = slf.get_type().getattr("from_bytes")?;
        let vocabulary = slf.get().vocabulary.clone_ref(slf.py());
        Ok((load, (slf.get().to_bytes(slf.py())?, vocabulary)))
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.warnings().iter().map(Diagnostic::from))
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.inner.memory_bytes()
    }

    #[getter]
    fn nodes_walked(&self) -> u64 {
        self.inner.nodes_walked()
    }

    #[getter]
    fn num_states(&self) -> usize {
        self.inner.num_states()
    }

    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
    }
}
