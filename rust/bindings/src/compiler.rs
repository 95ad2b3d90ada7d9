//! `GrammarCompiler` and `CompiledGrammar`, and the compiler's cache.

use crate::convert::{optional_size, token_ids};
use crate::errors::{GrammarError, OrRaise, VocabularyError, engine};
use crate::flight::{Flights, Turn};
use crate::grammar::Grammar;
use crate::limits::{Limits, engine_limits};
use crate::matcher::GrammarMatcher;
use crate::vocabulary::Vocabulary;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use rustc_hash::FxHashMap;
use stackmask::{Cancellation, Error};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Default bound of a compiler's cache.
const CACHE_BYTES: usize = 512 << 20;

#[pyclass(frozen, eq, hash, module = "stackmask")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    #[pyo3(get)]
    pointer: Option<String>,
    #[pyo3(get)]
    keyword: Option<String>,
    #[pyo3(get)]
    message: String,
    #[pyo3(get)]
    severity: &'static str,
}

impl Diagnostic {
    /// What a grammar is refused for.
    fn of_error(py: Python<'_>, error: &PyErr) -> PyResult<Self> {
        let value = error.value(py);
        let attribute = |name: &str| -> PyResult<Option<String>> {
            if value.hasattr(name)? { value.getattr(name)?.extract() } else { Ok(None) }
        };
        Ok(Self {
            pointer: attribute("pointer")?,
            keyword: attribute("keyword")?,
            message: value.str()?.to_string(),
            severity: "error",
        })
    }
}

impl From<&stackmask::Diagnostic> for Diagnostic {
    fn from(remark: &stackmask::Diagnostic) -> Self {
        let stackmask::Diagnostic { pointer, keyword, message } = remark.clone();
        Self { pointer, keyword, message, severity: "warning" }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> String {
        let Some(pointer) = &self.pointer else { return self.message.clone() };
        let place = if pointer.is_empty() { "the schema" } else { pointer };
        match &self.keyword {
            Some(keyword) => format!("{place}: {keyword:?}: {}", self.message),
            None => format!("{place}: {}", self.message),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic: {}>", self.__str__())
    }
}

/// What unpickling calls, and with what.
pub(crate) type Pickled<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

#[pyclass(frozen, module = "stackmask")]
pub(crate) struct CompiledGrammar {
    inner: stackmask::CompiledGrammar,
    vocabulary: Py<Vocabulary>,
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

struct Entry {
    compiled: Py<CompiledGrammar>,
    last_use: u64,
}

/// Compiled grammars by content. Their tables grow in use, so sizes are read anew on every insertion.
#[derive(Default)]
struct Cache {
    entries: FxHashMap<Grammar, Entry>,
    clock: u64,
    hits: u64,
    misses: u64,
}

#[pyclass(frozen, get_all, module = "stackmask._native")]
pub(crate) struct CacheInfo {
    hits: u64,
    misses: u64,
    entries: usize,
    bytes: usize,
    max_bytes: usize,
}

#[pymethods]
impl CacheInfo {
    fn __repr__(&self) -> String {
        let Self { hits, misses, entries, bytes, max_bytes } = self;
        format!(
            "CacheInfo(hits={hits}, misses={misses}, entries={entries}, bytes={bytes}, max_bytes={max_bytes})"
        )
    }
}

impl Cache {
    fn get(&mut self, py: Python<'_>, grammar: &Grammar) -> Option<Py<CompiledGrammar>> {
        self.clock += 1;
        let entry = self.entries.get_mut(grammar)?;
        entry.last_use = self.clock;
        self.hits += 1;
        Some(entry.compiled.clone_ref(py))
    }

    /// Takes out the longest unused entries until the rest and `incoming` fit.
    fn evict(&mut self, incoming: usize, bound: usize) -> Vec<Entry> {
        let mut held = incoming + self.entries.values().map(Entry::bytes).sum::<usize>();
        let mut evicted = Vec::new();
        while held > bound {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_use);
            let Some(oldest) = oldest.map(|(grammar, _)| grammar.clone()) else { break };
            let Some(entry) = self.entries.remove(&oldest) else { break };
            held -= entry.bytes().min(held);
            evicted.push(entry);
        }
        evicted
    }
}

impl Entry {
    fn bytes(&self) -> usize {
        self.compiled.get().inner.memory_bytes()
    }
}

#[pyclass(frozen, module = "stackmask")]
pub(crate) struct GrammarCompiler {
    vocabulary: Py<Vocabulary>,
    limits: stackmask::Limits,
    cache_bytes: usize,
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
        Ok(self.keep(py, grammar, compiled))
    }

    /// Keeps `compiled`, unless it alone is above the bound.
    fn keep(
        &self,
        py: Python<'_>,
        grammar: &Grammar,
        compiled: Py<CompiledGrammar>,
    ) -> Py<CompiledGrammar> {
        let bytes = compiled.get().inner.memory_bytes();
        let mut cache = self.cache();
        cache.clock += 1;
        if bytes > self.cache_bytes {
            return compiled;
        }
        let evicted = cache.evict(bytes, self.cache_bytes);
        let entry = Entry { compiled: compiled.clone_ref(py), last_use: cache.clock };
        cache.entries.insert(grammar.clone(), entry);
        drop(cache);
        // Large tables are freed without the lock.
        drop(evicted);
        compiled
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
        Ok(Self {
            vocabulary,
            limits: engine_limits(limits),
            cache_bytes: optional_size(cache_bytes, "cache_bytes")?.unwrap_or(CACHE_BYTES),
            cache: Mutex::default(),
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
                    self.cache().misses += 1;
                    let outcome = self.compile_now(py, grammar);
                    let told = outcome.as_ref().map(|compiled| compiled.clone_ref(py));
                    lead.land(told.map_err(Clone::clone));
                    return outcome.or_raise(py);
                }
                Turn::Wait(flight) => match flight.wait(py) {
                    // The one who compiled gave up; somebody else has to.
                    Err(Error::Cancelled) => Cancellation::check().or_raise(py)?,
                    outcome => {
                        self.cache().hits += 1;
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
        let cache = self.cache();
        CacheInfo {
            hits: cache.hits,
            misses: cache.misses,
            entries: cache.entries.len(),
            bytes: cache.entries.values().map(Entry::bytes).sum(),
            max_bytes: self.cache_bytes,
        }
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
        let entries = std::mem::take(&mut self.cache().entries);
        drop(entries);
    }

    #[getter]
    fn num_cached(&self) -> usize {
        self.cache().entries.len()
    }

    #[getter]
    fn cache_bytes(&self) -> usize {
        self.cache_bytes
    }

    #[getter]
    fn vocabulary(&self, py: Python<'_>) -> Py<Vocabulary> {
        self.vocabulary.clone_ref(py)
    }
}
