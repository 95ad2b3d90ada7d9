//! `GrammarCompiler`.

use crate::cache::{Cache, CacheInfo};
use crate::compiled::CompiledGrammar;
use crate::convert::optional_size;
use crate::diagnostic::Diagnostic;
use crate::errors::{GrammarError, OrRaise, engine};
use crate::flight::{Flights, Turn};
use crate::grammar::Grammar;
use crate::limits::{Limits, engine_limits};
use crate::vocabulary::Vocabulary;
use pyo3::prelude::*;
use stackmask::{Cancellation, Error};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Default bound of a compiler's cache.
const CACHE_BYTES: usize = 512 << 20;

#[pyclass(frozen, module = "stackmask")]
pub(crate) struct GrammarCompiler {
    vocabulary: Py<Vocabulary>,
    limits: stackmask::Limits,
    /// Held only for look-ups and changes of the map, never while a grammar is compiled.
    cache: Mutex<Cache>,
    flights: Flights,
}

impl GrammarCompiler {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        // The map is whole even after a panic: every change of it is one call.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn compile_now(&self, py: Python<'_>, grammar: &Grammar) -> Result<Py<CompiledGrammar>, Error> {
        let vocabulary = self.vocabulary.get().inner.clone();
        let inner = py.detach(|| {
            engine(|| {
                let inner = grammar.inner.clone();
                stackmask::CompiledGrammar::of(inner, vocabulary, &self.limits)
            })
        })?;
        let compiled = CompiledGrammar { inner, vocabulary: self.vocabulary.clone_ref(py) };
        let compiled = Py::new(py, compiled);
        let compiled = compiled.map_err(|error| Error::Matcher(error.to_string()))?;
        let evicted = self.cache().keep(py, grammar, &compiled);
        drop(evicted);
        Ok(compiled)
    }
}

#[pymethods]
impl GrammarCompiler {
    #[new]
    #[pyo3(signature = (vocabulary, *, limits=None, cache_bytes=None))]
    fn new(
        vocabulary: Py<Vocabulary>,
        limits: Option<&Bound<'_, Limits>>,
        cache_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let cache_bytes = optional_size(cache_bytes, "cache_bytes")?.unwrap_or(CACHE_BYTES);
        Ok(Self {
            vocabulary,
            limits: engine_limits(limits),
            cache: Mutex::new(Cache::new(cache_bytes)),
            flights: Flights::default(),
        })
    }

    fn compile(
        &self,
        py: Python<'_>,
        grammar: &Bound<'_, Grammar>,
    ) -> PyResult<Py<CompiledGrammar>> {
        let grammar = grammar.get();
        loop {
            if let Some(compiled) = self.cache().get(py, grammar) {
                return Ok(compiled);
            }
            match self.flights.turn(grammar) {
                Turn::Lead(lead) => {
                    self.cache().count_miss();
                    let outcome = self.compile_now(py, grammar);
                    let told = outcome.as_ref().map(|compiled| compiled.clone_ref(py));
                    lead.land(told.map_err(Clone::clone));
                    return outcome.or_raise(py);
                }
                Turn::Wait(flight) => match flight.wait(py) {
                    // The one who compiled gave up; somebody else has to.
                    Err(Error::Cancelled) => Cancellation::check().or_raise(py)?,
                    outcome => {
                        self.cache().count_hit();
                        return outcome.or_raise(py);
                    }
                },
            }
        }
    }

    #[pyo3(signature = (grammar, timeout=None))]
    fn compile_async<'py>(
        slf: &Bound<'py, Self>,
        grammar: &Bound<'py, PyAny>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let futures = slf.py().import("stackmask._futures")?;
        futures.getattr("compile_async")?.call1((slf, grammar, timeout))
    }

    fn cache_info(&self) -> CacheInfo {
        self.cache().info()
    }

    fn validate(&self, py: Python<'_>, grammar: &Bound<'_, Grammar>) -> PyResult<Vec<Diagnostic>> {
        match self.compile(py, grammar) {
            Ok(compiled) => {
                Ok(compiled.get().inner.warnings().iter().map(Diagnostic::from).collect())
            }
            Err(error) if error.is_instance_of::<GrammarError>(py) => {
                Diagnostic::of_error(py, &error).map(|d| vec![d])
            }
            Err(error) => Err(error),
        }
    }

    fn clear_cache(&self) {
        let entries = self.cache().clear();
        drop(entries);
    }

    #[getter]
    fn num_cached(&self) -> usize {
        self.cache_info().entries
    }

    #[getter]
    fn cache_bytes(&self) -> usize {
        self.cache_info().max_bytes
    }

    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
    }
}
