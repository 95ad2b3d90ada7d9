//! The form of an answer to `pickle`.

use pyo3::prelude::*;

/// What unpickling calls, and with what.
pub(crate) type Pickled<'py, Arguments> = (Bound<'py, PyAny>, Arguments);
