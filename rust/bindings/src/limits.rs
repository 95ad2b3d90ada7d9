//! `Limits`: the engine's bounds as keyword arguments.

use crate::convert::optional_size;
use pyo3::prelude::*;

#[pyclass(frozen, eq, hash, get_all, module = "stackmask")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Limits {
    source_bytes: usize,
    source_nesting: usize,
    rules: usize,
    instructions: usize,
    state_bytes: usize,
    mask_bytes: usize,
    schema_work: u64,
    step_work: u64,
}

#[pymethods]
impl Limits {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "one keyword argument for each limit")]
    #[pyo3(signature = (*, source_bytes=None, source_nesting=None, rules=None, instructions=None, state_bytes=None, mask_bytes=None, schema_work=None, step_work=None))]
    fn new(
        source_bytes: Option<&Bound<'_, PyAny>>,
        source_nesting: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyAny>>,
        instructions: Option<&Bound<'_, PyAny>>,
        state_bytes: Option<&Bound<'_, PyAny>>,
        mask_bytes: Option<&Bound<'_, PyAny>>,
        schema_work: Option<&Bound<'_, PyAny>>,
        step_work: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let default = stackmask::Limits::default();
        let or = |value, name, default| -> PyResult<usize> {
            Ok(optional_size(value, name)?.unwrap_or(default))
        };
        Ok(Self {
            source_bytes: or(source_bytes, "source_bytes", default.source_bytes)?,
            source_nesting: or(source_nesting, "source_nesting", default.source_nesting)?,
            rules: or(rules, "rules", default.rules)?,
            instructions: or(instructions, "instructions", default.instructions)?,
            state_bytes: or(state_bytes, "state_bytes", default.state_bytes)?,
            mask_bytes: or(mask_bytes, "mask_bytes", default.mask_bytes)?,
            schema_work: match optional_size(schema_work, "schema_work")? {
                Some(work) => work as u64,
                None => default.schema_work,
            },
            step_work: match optional_size(step_work, "step_work")? {
                Some(work) => work as u64,
                None => default.step_work,
            },
        })
    }

    fn __repr__(&self) -> String {
        format!(
            "Limits(source_bytes={}, source_nesting={}, rules={}, instructions={}, \
             state_bytes={}, mask_bytes={}, schema_work={}, step_work={})",
            self.source_bytes,
            self.source_nesting,
            self.rules,
            self.instructions,
            self.state_bytes,
            self.mask_bytes,
            self.schema_work,
            self.step_work
        )
    }
}

/// The engine's limits, its defaults where none were given.
pub(crate) fn engine_limits(limits: Option<&Bound<'_, Limits>>) -> stackmask::Limits {
    let Some(limits) = limits else { return stackmask::Limits::default() };
    let limits = limits.get();
    stackmask::Limits {
        source_bytes: limits.source_bytes,
        source_nesting: limits.source_nesting,
        rules: limits.rules,
        instructions: limits.instructions,
        state_bytes: limits.state_bytes,
        mask_bytes: limits.mask_bytes,
        schema_work: limits.schema_work,
        step_work: limits.step_work,
    }
}
