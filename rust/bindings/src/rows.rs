//! Rows of a bitmask as plain memory, so that they can be written without the interpreter's lock and by several threads.
//!
//! The view that holds them is counted by numpy's bindings: two calls that write the same array at the same time do not
//! both get it. The other one writes to memory of its own, and copies.

use crate::buffer::{Bitmask, array_of, with_scratch};
use crate::errors::{OrRaise, engine};
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use stackmask::Error;

/// Lends these rows of a checked bitmask to `fill`, in this order and without the interpreter's lock.
pub(crate) fn with_rows<R: Send>(
    bitmask: &Bound<'_, PyAny>,
    checked: &Bitmask,
    rows: &[usize],
    fill: impl FnOnce(&mut [&mut [u32]]) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let py = bitmask.py();
    let width = checked.width();
    let Ok(mut view) = words(bitmask)?.try_readwrite() else {
        return with_scratch(width * rows.len(), |words| {
            let mut places: Vec<&mut [u32]> = words.chunks_exact_mut(width.max(1)).collect();
            for (&row, place) in rows.iter().zip(&mut places) {
                checked.read(py, row, place)?;
            }
            let filled = py.detach(|| engine(|| fill(&mut places))).or_raise(py)?;
            for (&row, place) in rows.iter().zip(places) {
                checked.write(py, row, place)?;
            }
            Ok(filled)
        });
    };
    let words = view.as_slice_mut().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut all: Vec<Option<&mut [u32]>> = words.chunks_exact_mut(width.max(1)).map(Some).collect();
    let chosen = rows.iter().map(|&row| {
        let place = all.get_mut(row).and_then(Option::take);
        place.ok_or_else(|| PyValueError::new_err(format!("row {row} is given twice")))
    });
    let mut chosen = chosen.collect::<PyResult<Vec<_>>>()?;
    py.detach(|| engine(|| fill(&mut chosen))).or_raise(py)
}

/// An array of unsigned words that shares the memory of a bitmask.
fn words<'py>(bitmask: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<u32>>> {
    let py = bitmask.py();
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array = if bitmask.is_instance_of::<PyUntypedArray>() {
        bitmask.clone()
    } else if let Some(array) = array_of(bitmask)? {
        array
    } else {
        AS_ARRAY.import(py, "numpy", "asarray")?.call1((bitmask,))?
    };
    let view = array.call_method1(intern!(py, "view"), (numpy::dtype::<u32>(py),))?;
    Ok(view.cast_into()?)
}
