//! Small numbers for large keys, handed out as the keys turn up.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// Numbers keys from 0 on, in the order in which they are first asked for.
#[derive(Debug)]
pub(super) struct Numbering<K>(Mutex<Inner<K>>);

#[derive(Debug)]
struct Inner<K> {
    numbers: FxHashMap<Arc<K>, u32>,
    keys: Vec<Arc<K>>,
}

impl<K: Hash + Eq> Numbering<K> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Inner { numbers: FxHashMap::default(), keys: Vec::new() }))
    }

    /// The key's number.
    pub(super) fn number(&self, key: K) -> u32 {
        // Both parts are changed by calls that do not fail in between.
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = inner.numbers.get(&key) {
            return known;
        }
        let number = inner.keys.len() as u32;
        let key = Arc::new(key);
        inner.keys.push(key.clone());
        inner.numbers.insert(key, number);
        number
    }

    /// The key with a number that was handed out.
    pub(super) fn key(&self, number: u32) -> Option<Arc<K>> {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.keys.get(number as usize).cloned()
    }

    /// How many keys have a number.
    pub(super) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys.len()
    }
}
