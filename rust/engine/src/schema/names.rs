//! Texts of a schema that are compared often, as small numbers: keys, patterns, formats.

use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Texts by number, and numbers by text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Arc<str>>,
    table: HashTable<u32>,
}

impl Names {
    /// The text's number.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(text);
        if let Some(&at) = self.table.find(hash, |&at| *self.texts[at as usize] == *text) {
            return at;
        }
        let at = self.texts.len() as u32;
        self.texts.push(Arc::from(text));
        let texts = &self.texts;
        self.table.insert_unique(hash, at, |&at| FxBuildHasher.hash_one(&*texts[at as usize]));
        at
    }

    /// The number of a text that has one.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(text);
        self.table.find(hash, |&at| *self.texts[at as usize] == *text).copied()
    }

    /// The text of a number.
    pub(crate) fn get(&self, number: u32) -> &Arc<str> {
        &self.texts[number as usize]
    }
}
