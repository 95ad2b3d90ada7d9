//! Tables that many threads fill and read: append-only, and a hit takes no lock.
//!
//! A [`Table`] numbers distinct records. Looking one up first tries a direct-mapped front of record numbers, whose
//! answer is checked against the record itself; only when that misses is the index behind the mutex asked.

use std::hash::{BuildHasher, Hash};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

const FIRST_CHUNK: u32 = 64;

/// Append-only storage; an element never moves, and reading one takes no lock.
pub(crate) struct Arena<T> {
    /// Chunk `k` holds `64 << k` elements.
    chunks: [OnceLock<Box<[OnceLock<T>]>>; 26],
    len: AtomicU32,
}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: std::array::from_fn(|_| OnceLock::new()), len: AtomicU32::new(0) }
    }

    fn locate(index: u32) -> (usize, usize) {
        let n = index + FIRST_CHUNK;
        let chunk = n.ilog2() - FIRST_CHUNK.ilog2();
        (chunk as usize, (n - (FIRST_CHUNK << chunk)) as usize)
    }

    pub(crate) fn push(&self, value: T) -> u32 {
        let index = self.len.fetch_add(1, Ordering::Relaxed);
        let (chunk, at) = Self::locate(index);
        let slots = self.chunks[chunk].get_or_init(|| {
            (0..(FIRST_CHUNK as usize) << chunk).map(|_| OnceLock::new()).collect()
        });
        let fresh = slots[at].set(value).is_ok();
        debug_assert!(fresh, "each index is handed out once");
        index
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
    }

    /// The element, which must have been pushed.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> &T {
        let (chunk, at) = Self::locate(index);
        self.chunks[chunk].get().and_then(|c| c[at].get()).expect("an index comes from a push")
    }
}

/// What a record is looked up by.
pub(crate) trait Keyed {
    type Key: Hash + Eq + ?Sized;
    fn key(&self) -> &Self::Key;
}

/// Numbers distinct records by a key inside them.
pub(crate) struct Table<T> {
    records: Arena<T>,
    front: Box<[AtomicU32]>,
    index: Mutex<HashTable<u32>>,
}

fn hash_one<K: Hash + ?Sized>(key: &K) -> u64 {
    // Fx leaves the high bits of small keys weak; the front and the index want them mixed.
    FxBuildHasher.hash_one(key).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

impl<T: Keyed> Table<T> {
    pub(crate) fn new() -> Self {
        Self {
            records: Arena::new(),
            front: (0..1024).map(|_| AtomicU32::new(0)).collect(),
            index: Mutex::new(HashTable::new()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> &T {
        self.records.get(id)
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len.load(Ordering::Relaxed) as usize
    }

    #[inline]
    fn slot(&self, hash: u64) -> &AtomicU32 {
        &self.front[(hash >> 32) as usize & (self.front.len() - 1)]
    }

    #[inline]
    pub(crate) fn lookup(&self, key: &T::Key) -> Option<u32> {
        self.find(hash_one(key), key)
    }

    #[inline]
    fn find(&self, hash: u64, key: &T::Key) -> Option<u32> {
        let slot = self.slot(hash);
        let id = slot.load(Ordering::Acquire);
        if id != 0 && self.records.get(id - 1).key() == key {
            return Some(id - 1);
        }
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let id = *index.find(hash, |&id| self.records.get(id).key() == key)?;
        slot.store(id + 1, Ordering::Release);
        Some(id)
    }

    /// The record's number, and whether it is new.
    pub(crate) fn insert(&self, value: T) -> (u32, bool) {
        let hash = hash_one(value.key());
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = index.find(hash, |&id| self.records.get(id).key() == value.key()) {
            return (id, false);
        }
        let id = self.records.push(value);
        index.insert_unique(hash, id, |&id| hash_one(self.records.get(id).key()));
        self.slot(hash).store(id + 1, Ordering::Release);
        (id, true)
    }
}

impl<K: Hash + Eq, V> Keyed for (K, V) {
    type Key = K;
    fn key(&self) -> &K {
        &self.0
    }
}

/// A memoised function: pairs of a small key and a small value.
pub(crate) struct Memo<K, V>(Table<(K, V)>);

impl<K: Hash + Eq + Copy, V: Copy> Memo<K, V> {
    pub(crate) fn new() -> Self {
        Self(Table::new())
    }

    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<V> {
        self.0.lookup(&key).map(|id| self.0.get(id).1)
    }

    /// Stores a value; the one that was there first stays.
    pub(crate) fn set(&self, key: K, value: V) -> V {
        let (id, _) = self.0.insert((key, value));
        self.0.get(id).1
    }
}

/// A transition for each byte, in four parts that are made on first use; 0 stands for "not made yet".
#[derive(Default)]
pub(crate) struct ByteTable([OnceLock<Box<[AtomicU32; 64]>>; 4]);

impl ByteTable {
    /// The stored value, if there is one.
    #[inline]
    pub(crate) fn get(&self, byte: u8) -> Option<u32> {
        let part = self.0[usize::from(byte >> 6)].get()?;
        part[usize::from(byte & 63)].load(Ordering::Acquire).checked_sub(1)
    }

    /// Stores a value for all of these bytes; returns the bytes of memory that this took.
    pub(crate) fn fill(&self, bytes: RangeInclusive<u8>, value: u32) -> usize {
        let mut memory = 0;
        for byte in bytes {
            let part = self.0[usize::from(byte >> 6)].get_or_init(|| {
                memory += 256;
                Box::new(std::array::from_fn(|_| AtomicU32::new(0)))
            });
            part[usize::from(byte & 63)].store(value + 1, Ordering::Release);
        }
        memory
    }
}

/// The bytes at which the behaviour of a state may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds([u64; 4]);

impl Bounds {
    pub(crate) fn add(&mut self, lo: u8, hi: u8) {
        self.0[usize::from(lo >> 6)] |= 1 << (lo & 63);
        if hi < 255 {
            let next = hi + 1;
            self.0[usize::from(next >> 6)] |= 1 << (next & 63);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    /// The first byte of each class of bytes that behave alike.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=255).filter(|&byte| byte == 0 || self.has(byte))
    }

    /// The bytes around `byte` that behave as it does.
    pub(crate) fn class(&self, byte: u8) -> RangeInclusive<u8> {
        let (mut lo, mut hi) = (byte, byte);
        while lo > 0 && !self.has(lo) {
            lo -= 1;
        }
        while hi < 255 && !self.has(hi + 1) {
            hi += 1;
        }
        lo..=hi
    }
}

/// Bytes held by one generation of tables.
#[derive(Default)]
pub(crate) struct Meter(AtomicUsize);

impl Meter {
    pub(crate) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}
