//! Bitmaps of masks, one copy of each: grammars for one vocabulary have most of them in common.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Entries before those whose bitmap is gone are looked for.
const FEW: usize = 64;

/// The words of a bitmap.
#[derive(Debug)]
pub(crate) struct Bitmap(Box<[u32]>);

impl Bitmap {
    #[inline]
    pub(crate) fn words(&self) -> &[u32] {
        &self.0
    }
}

/// Those that some mask holds.
#[derive(Default)]
pub(super) struct Bitmaps(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// By hash. What nobody holds any more is freed, but for its entry.
    entries: HashTable<(u64, Weak<Bitmap>)>,
    /// Entries that were left when they were last cleared.
    left: usize,
}

impl fmt::Debug for Bitmaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bitmaps").finish_non_exhaustive()
    }
}

impl Bitmaps {
    /// The bitmap of these words.
    pub(super) fn intern(&self, words: &[u32]) -> Arc<Bitmap> {
        let hash = FxBuildHasher.hash_one(words);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = None;
        let same = |entry: &(u64, Weak<Bitmap>)| {
            found = entry.1.upgrade().filter(|bitmap| entry.0 == hash && *bitmap.0 == *words);
            found.is_some()
        };
        known.entries.find(hash, same);
        if let Some(found) = found {
            return found;
        }
        if known.entries.len() >= FEW.max(2 * known.left) {
            known.entries.retain(|entry| entry.1.strong_count() > 0);
            known.left = known.entries.len();
        }
        let fresh = Arc::new(Bitmap(words.into()));
        known.entries.insert_unique(hash, (hash, Arc::downgrade(&fresh)), |entry| entry.0);
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_copy_of_each_as_long_as_it_is_held() {
        let bitmaps = Bitmaps::default();
        let entries = || bitmaps.0.lock().unwrap().entries.len();
        let held: Vec<_> = (0..100).map(|n| bitmaps.intern(&[n, 7])).collect();
        for (n, bitmap) in held.iter().enumerate() {
            assert!(Arc::ptr_eq(bitmap, &bitmaps.intern(&[n as u32, 7])));
            assert_eq!(bitmap.words(), [n as u32, 7]);
        }
        assert_eq!(entries(), 100);
        let gone = Arc::downgrade(&held[99]);
        drop(held);
        assert!(gone.upgrade().is_none());
        for n in 0..1_000 {
            bitmaps.intern(&[n, 8]);
        }
        assert!(entries() <= 200, "{}", entries());
    }
}
