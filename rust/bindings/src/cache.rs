//! What a compiler keeps: compiled grammars by content, within a bound of bytes; and `CacheInfo`.

use crate::compiled::CompiledGrammar;
use crate::grammar::Grammar;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;

/// A compiled grammar, and when it was last asked for.
pub(crate) struct Entry {
    compiled: Py<CompiledGrammar>,
    last_use: u64,
}

impl Entry {
    fn bytes(&self) -> usize {
        self.compiled.get().inner.memory_bytes()
    }
}

/// Compiled grammars by content. Their tables grow in use, so sizes are read anew on every insertion.
pub(crate) struct Cache {
    entries: FxHashMap<Grammar, Entry>,
    max_bytes: usize,
    clock: u64,
    hits: u64,
    misses: u64,
}

impl Cache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { entries: FxHashMap::default(), max_bytes, clock: 0, hits: 0, misses: 0 }
    }

    pub(crate) fn get(&mut self, py: Python<'_>, grammar: &Grammar) -> Option<Py<CompiledGrammar>> {
        self.clock += 1;
        let entry = self.entries.get_mut(grammar)?;
        entry.last_use = self.clock;
        self.hits += 1;
        Some(entry.compiled.clone_ref(py))
    }

    /// Somebody got what another thread had just compiled.
    pub(crate) fn count_hit(&mut self) {
        self.hits += 1;
    }

    /// Somebody has to compile.
    pub(crate) fn count_miss(&mut self) {
        self.misses += 1;
    }

    /// Keeps `compiled`, unless it alone is above the bound. What had to go for it is returned: freeing large tables takes
    /// long, and is better done without the lock.
    pub(crate) fn keep(
        &mut self,
        py: Python<'_>,
        grammar: &Grammar,
        compiled: &Py<CompiledGrammar>,
    ) -> Vec<Entry> {
        self.clock += 1;
        let entry = Entry { compiled: compiled.clone_ref(py), last_use: self.clock };
        let bytes = entry.bytes();
        if bytes > self.max_bytes {
            return Vec::new();
        }
        let evicted = self.evict(bytes);
        self.entries.insert(grammar.clone(), entry);
        evicted
    }

    /// Takes out the longest unused entries until the rest and `incoming` fit.
    fn evict(&mut self, incoming: usize) -> Vec<Entry> {
        let mut held = incoming + self.bytes();
        let mut evicted = Vec::new();
        while held > self.max_bytes {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_use);
            let Some(oldest) = oldest.map(|(grammar, _)| grammar.clone()) else { break };
            let Some(entry) = self.entries.remove(&oldest) else { break };
            held -= entry.bytes().min(held);
            evicted.push(entry);
        }
        evicted
    }

    /// Takes out everything.
    pub(crate) fn clear(&mut self) -> FxHashMap<Grammar, Entry> {
        std::mem::take(&mut self.entries)
    }

    fn bytes(&self) -> usize {
        self.entries.values().map(Entry::bytes).sum()
    }

    pub(crate) fn info(&self) -> CacheInfo {
        CacheInfo {
            hits: self.hits,
            misses: self.misses,
            entries: self.entries.len(),
            bytes: self.bytes(),
            max_bytes: self.max_bytes,
        }
    }
}

#[pyclass(frozen, get_all, module = "stackmask._native")]
pub(crate) struct CacheInfo {
    hits: u64,
    misses: u64,
    pub(crate) entries: usize,
    bytes: usize,
    pub(crate) max_bytes: usize,
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
