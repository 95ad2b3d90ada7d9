//! `Vocabulary`.

use crate::convert::{optional_size, token_id, token_ids};
use crate::errors::{OrRaise, VocabularyError, engine};
use crate::pickle::Pickled;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use stackmask::TokenId;
use std::sync::{Arc, OnceLock};

#[pyclass(frozen, module = "stackmask")]
pub(crate) struct Vocabulary {
    pub(crate) inner: Arc<stackmask::Vocabulary>,
    /// The ids of the tokens that have bytes, in the order of their bytes; made when first needed.
    by_bytes: OnceLock<Vec<TokenId>>,
}

impl Vocabulary {
    fn wrap(inner: stackmask::Vocabulary) -> Self {
        Self { inner: Arc::new(inner), by_bytes: OnceLock::new() }
    }

    /// Whether some token is longer than `bytes` and starts with them.
    pub(crate) fn extends(&self, bytes: &[u8]) -> bool {
        let text = |id: &TokenId| self.inner.token_bytes(*id).unwrap_or_default();
        let sorted = self.by_bytes.get_or_init(|| {
            let mut ids: Vec<TokenId> = (0..self.inner.vocab_size() as TokenId)
                .filter(|&id| self.inner.token_bytes(id).is_some())
                .collect();
            ids.sort_by_key(text);
            ids
        });
        let next = sorted.partition_point(|id| text(id) <= bytes);
        sorted.get(next).is_some_and(|id| text(id).starts_with(bytes))
    }
}

fn vocabulary_error(text: String) -> PyErr {
    VocabularyError::new_err(text)
}

fn byte_tokens(tokens: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Vec<u8>>>> {
    let mut all = Vec::with_capacity(tokens.len().unwrap_or(0));
    for token in tokens.try_iter()? {
        let token = token?;
        if token.is_none() {
            all.push(None);
        } else if let Ok(bytes) = token.cast::<PyBytes>() {
            all.push(Some(bytes.as_bytes().to_vec()));
        } else {
            let kind = token.get_type().name()?;
            let at = all.len();
            return Err(PyTypeError::new_err(format!("token {at} is no bytes object but {kind}")));
        }
    }
    Ok(all)
}

fn optional_ids(ids: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<TokenId>>> {
    ids.map(|ids| token_ids(ids, vocabulary_error)).transpose()
}

/// The vocabulary of a tokenizer of another package, read by `stackmask.tokenizers.<kind>`. That is Python, so that no
/// such package is needed to build this one, and imported now, so that none is loaded unless it is used.
fn read<'py>(
    kind: &str,
    source: &Bound<'py, PyAny>,
    stop_token_ids: Option<&Bound<'py, PyAny>>,
    special_token_ids: Option<&Bound<'py, PyAny>>,
    vocab_size: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    let reader = py.import(format!("stackmask.tokenizers.{kind}"))?;
    let options = PyDict::new(py);
    options.set_item("stop_token_ids", stop_token_ids)?;
    options.set_item("special_token_ids", special_token_ids)?;
    options.set_item("vocab_size", vocab_size)?;
    reader.call_method("vocabulary", (source,), Some(&options))
}

#[pymethods]
impl Vocabulary {
    #[new]
    #[pyo3(signature = (tokens, *, stop_token_ids, special_token_ids=None, vocab_size=None))]
    fn new(
        py: Python<'_>,
        tokens: &Bound<'_, PyAny>,
        stop_token_ids: &Bound<'_, PyAny>,
        special_token_ids: Option<&Bound<'_, PyAny>>,
        vocab_size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let tokens = byte_tokens(tokens)?;
        let stop = token_ids(stop_token_ids, vocabulary_error)?;
        let special = optional_ids(special_token_ids)?.unwrap_or_default();
        let size = optional_size(vocab_size, "vocab_size")?;
        py.detach(|| engine(|| stackmask::Vocabulary::new(tokens, &stop, &special, size)))
            .map(Self::wrap)
            .or_raise(py)
    }

    #[staticmethod]
    #[pyo3(signature = (text, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_tokenizer_json(
        py: Python<'_>,
        text: &str,
        stop_token_ids: Option<&Bound<'_, PyAny>>,
        special_token_ids: Option<&Bound<'_, PyAny>>,
        vocab_size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let stop = optional_ids(stop_token_ids)?;
        let special = optional_ids(special_token_ids)?;
        let size = optional_size(vocab_size, "vocab_size")?;
        py.detach(|| {
            engine(|| {
                stackmask::Vocabulary::from_tokenizer_json(
                    text,
                    stop.as_deref(),
                    special.as_deref(),
                    size,
                )
            })
        })
        .map(Self::wrap)
        .or_raise(py)
    }

    #[staticmethod]
    fn byte_level(py: Python<'_>) -> PyResult<Self> {
        engine(|| Ok(stackmask::Vocabulary::byte_level())).map(Self::wrap).or_raise(py)
    }

    #[staticmethod]
    #[pyo3(signature = (tokenizer, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_huggingface<'py>(
        tokenizer: &Bound<'py, PyAny>,
        stop_token_ids: Option<&Bound<'py, PyAny>>,
        special_token_ids: Option<&Bound<'py, PyAny>>,
        vocab_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read("huggingface", tokenizer, stop_token_ids, special_token_ids, vocab_size)
    }

    #[staticmethod]
    #[pyo3(signature = (encoding, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_tiktoken<'py>(
        encoding: &Bound<'py, PyAny>,
        stop_token_ids: Option<&Bound<'py, PyAny>>,
        special_token_ids: Option<&Bound<'py, PyAny>>,
        vocab_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read("tiktoken", encoding, stop_token_ids, special_token_ids, vocab_size)
    }

    #[staticmethod]
    #[pyo3(signature = (processor, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_sentencepiece<'py>(
        processor: &Bound<'py, PyAny>,
        stop_token_ids: Option<&Bound<'py, PyAny>>,
        special_token_ids: Option<&Bound<'py, PyAny>>,
        vocab_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read("sentencepiece", processor, stop_token_ids, special_token_ids, vocab_size)
    }

    #[staticmethod]
    #[pyo3(signature = (tokenizer, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_mistral<'py>(
        tokenizer: &Bound<'py, PyAny>,
        stop_token_ids: Option<&Bound<'py, PyAny>>,
        special_token_ids: Option<&Bound<'py, PyAny>>,
        vocab_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read("mistral", tokenizer, stop_token_ids, special_token_ids, vocab_size)
    }

    #[staticmethod]
    #[pyo3(signature = (path, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_gguf<'py>(
        path: &Bound<'py, PyAny>,
        stop_token_ids: Option<&Bound<'py, PyAny>>,
        special_token_ids: Option<&Bound<'py, PyAny>>,
        vocab_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read("gguf", path, stop_token_ids, special_token_ids, vocab_size)
    }

    #[staticmethod]
    #[pyo3(signature = (llama, *, stop_token_ids=None, special_token_ids=None, vocab_size=None))]
    fn from_llama_cpp<'py>(
        llama: &Bound<'py, PyAny>,
        stop_token_ids: Option<&Bound<'py, PyAny>>,
        special_token_ids: Option<&Bound<'py, PyAny>>,
        vocab_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read("llama_cpp", llama, stop_token_ids, special_token_ids, vocab_size)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.inner.to_bytes()))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        py.detach(|| engine(|| stackmask::Vocabulary::from_bytes(data)))
            .map(Self::wrap)
            .or_raise(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (Bound<'py, PyBytes>,)>> {
        let load = slf.get_type().getattr("from_bytes")?;
        Ok((load, (slf.get().to_bytes(slf.py()),)))
    }

    #[getter]
    fn vocab_size(&self) -> usize {
        self.inner.vocab_size()
    }

    #[getter]
    fn stop_token_ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.stop_token_ids())
    }

    #[getter]
    fn special_token_ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.special_token_ids())
    }

    #[getter]
    fn missing_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.missing_bytes())
    }

    fn token_bytes<'py>(
        &self,
        py: Python<'py>,
        id: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let id = token_id(id, vocabulary_error)?;
        let size = self.inner.vocab_size();
        if id as usize >= size {
            let last = size - 1;
            let text = format!("token id {id} is outside the vocabulary (0 to {last})");
            return Err(vocabulary_error(text));
        }
        Ok(self.inner.token_bytes(id).map(|bytes| PyBytes::new(py, bytes)))
    }

    fn decode<'py>(
        &self,
        py: Python<'py>,
        ids: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let ids = token_ids(ids, vocabulary_error)?;
        let bytes = engine(|| self.inner.decode(&ids)).or_raise(py)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn fingerprint(&self) -> &str {
        self.inner.fingerprint()
    }

    fn __len__(&self) -> usize {
        self.inner.vocab_size()
    }

    fn __repr__(&self) -> String {
        let (size, print) = (self.inner.vocab_size(), self.inner.fingerprint());
        format!("<Vocabulary of {size} tokens, {print}>")
    }
}
