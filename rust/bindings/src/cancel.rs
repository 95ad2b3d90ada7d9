//! `Cancellation`: work that can be stopped from another thread.

use pyo3::prelude::*;

#[pyclass(frozen, module = "stackmask._native")]
pub(crate) struct Cancellation(stackmask::Cancellation);

#[pymethods]
impl Cancellation {
    #[new]
    fn new() -> Self {
        Self(stackmask::Cancellation::new())
    }

    fn cancel(&self) {
        self.0.cancel();
    }

    #[getter]
    fn cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn run<'py>(&self, work: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.run(|| work.call0())
    }
}
