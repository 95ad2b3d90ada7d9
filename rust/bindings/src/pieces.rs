//! What the readers of other packages' tokenizers need of the engine: how pieces spell bytes, and which tokens end a
//! text by their name.

use crate::errors::{OrRaise, engine};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use stackmask::TokenId;
use stackmask::vocabulary::{Spelling, known_stops};

#[pyfunction]
pub(crate) fn piece_bytes<'py>(
    py: Python<'py>,
    pieces: Vec<String>,
    spelling: &str,
) -> PyResult<Bound<'py, PyList>> {
    let spelling = match spelling {
        "byte_level" => Spelling::ByteLevel,
        "metaspace" => Spelling::Text { space: Some("\u{2581}".to_owned()), byte_fallback: false },
        other => {
            let text = format!("spelling must be \"byte_level\" or \"metaspace\", not {other:?}");
            return Err(PyValueError::new_err(text));
        }
    };
    let tokens = pieces.iter().map(|piece| PyBytes::new(py, &spelling.bytes(piece)));
    PyList::new(py, tokens.collect::<Vec<_>>())
}

#[pyfunction]
pub(crate) fn known_stop_ids(
    py: Python<'_>,
    names: Vec<(TokenId, String)>,
) -> PyResult<Vec<TokenId>> {
    engine(|| known_stops(names.iter().map(|(id, name)| (*id, name.as_str())))).or_raise(py)
}
