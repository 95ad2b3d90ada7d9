//! Integers from Python: one that does not fit is a `ValueError` that names it, never an `OverflowError`.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use stackmask::TokenId;

/// A token id that fits the type; whether the vocabulary has it is the engine's to say.
pub(crate) fn token_id(id: &Bound<'_, PyAny>, outside: fn(String) -> PyErr) -> PyResult<TokenId> {
    id.extract().map_err(|error: PyErr| {
        let huge = error.is_instance_of::<PyOverflowError>(id.py());
        if huge { outside(format!("token id {id} is outside the vocabulary")) } else { error }
    })
}

/// The token ids of any iterable of integers.
pub(crate) fn token_ids(
    ids: &Bound<'_, PyAny>,
    outside: fn(String) -> PyErr,
) -> PyResult<Vec<TokenId>> {
    ids.try_iter()?.map(|id| token_id(&id?, outside)).collect()
}

/// A size or an index.
pub(crate) fn size(value: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            PyValueError::new_err(format!("{name} is out of range: {value}"))
        } else {
            error
        }
    })
}

/// A size that may be left out.
pub(crate) fn optional_size(
    value: Option<&Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<Option<usize>> {
    value.map(|value| size(value, name)).transpose()
}
