//! The exceptions, and the one place where an engine error or panic becomes one.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stackmask::Error;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

create_exception!(
    stackmask,
    GrammarError,
    PyValueError,
    "A grammar that means nothing usable; also the base of every other error of this package."
);
create_exception!(
    stackmask,
    GrammarSyntaxError,
    GrammarError,
    "A source text that cannot be read, or that asks for what cannot be enforced."
);
create_exception!(
    stackmask,
    UnsupportedSchemaError,
    GrammarError,
    "A JSON Schema that asks for what cannot be enforced."
);
create_exception!(stackmask, InvalidSchemaError, GrammarError, "Not a JSON Schema.");
create_exception!(
    stackmask,
    UnsatisfiableSchemaError,
    GrammarError,
    "A JSON Schema that no value fulfils."
);
create_exception!(stackmask, GrammarTooComplexError, GrammarError, "A limit was reached.");
create_exception!(
    stackmask,
    GrammarCancelledError,
    GrammarError,
    "The work was told to stop before it was done."
);
create_exception!(
    stackmask,
    VocabularyError,
    GrammarError,
    "A vocabulary that is malformed or does not fit the grammar."
);
create_exception!(
    stackmask,
    RollbackError,
    GrammarError,
    "More steps were to be undone than were taken."
);
create_exception!(
    stackmask,
    MatcherError,
    GrammarError,
    "A call that a matcher cannot answer; nothing was changed by it."
);

/// Runs an engine call. A panic in it is a fault of the engine and is reported as an error,
/// because `PanicException` is no `Exception` and would pass through every handler of a server.
pub(crate) fn engine<R>(call: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(internal(panic.as_ref())))
}

fn internal(panic: &(dyn Any + Send)) -> Error {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic");
    Error::Matcher(format!("internal error: {what}"))
}

/// The Python exception for an engine error.
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Syntax { message, place } => {
            let (file, line, column) = match place {
                Some(place) => (place.file, Some(place.line), Some(place.column)),
                None => (None, None, None),
            };
            let value = GrammarSyntaxError::new_err(text);
            with_attributes(py, value, |value| {
                value.setattr("message", message)?;
                value.setattr("file", file)?;
                value.setattr("line", line)?;
                value.setattr("column", column)
            })
        }
        Error::UnsupportedSchema { pointer, keyword, .. } => {
            with_attributes(py, UnsupportedSchemaError::new_err(text), |value| {
                value.setattr("pointer", pointer)?;
                value.setattr("keyword", keyword)
            })
        }
        Error::InvalidSchema { pointer, .. } => {
            with_attributes(py, InvalidSchemaError::new_err(text), |value| {
                value.setattr("pointer", pointer)
            })
        }
        Error::UnsatisfiableSchema { pointer, .. } => {
            with_attributes(py, UnsatisfiableSchemaError::new_err(text), |value| {
                value.setattr("pointer", pointer)
            })
        }
        Error::TooComplex { .. } => GrammarTooComplexError::new_err(text),
        Error::Cancelled => GrammarCancelledError::new_err(text),
        Error::Vocabulary(_) => VocabularyError::new_err(text),
        Error::Rollback { .. } => RollbackError::new_err(text),
        Error::Matcher(_) => MatcherError::new_err(text),
        _ => GrammarError::new_err(text),
    }
}

fn with_attributes(
    py: Python<'_>,
    error: PyErr,
    set: impl FnOnce(&Bound<'_, pyo3::exceptions::PyBaseException>) -> PyResult<()>,
) -> PyErr {
    set(error.value(py)).err().unwrap_or(error)
}

/// `Result<T, Error>` to `PyResult<T>`.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raise(py, error))
    }
}
