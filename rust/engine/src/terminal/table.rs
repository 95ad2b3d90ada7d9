//! Tables that many threads fill and read: append-only, and a hit takes no lock.
//!
//! A [`Table`] numbers distinct records. Looking one up first tries a direct-mapped front of record numbers, whose
//! answer is checked against the record itself; only when that misses is the index behind the mutex asked.

use std::hash::{BuildHasher, Hash};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Elements of the first chunk of an [`Arena`]: tables of small grammars stay small.
const FIRST_CHUNK: u32 = 8;

/// Chunks that each arena has room for; that for the others is made once they are needed, as most arenas stay small.
const NEAR: usize = 4;
/// Chunks that 32 bits can number the elements of, beside those.
const FAR: usize = 25;

/// Room for some elements.
type Chunk<T> = OnceLock<Box<[OnceLock<T>]>>;

/// Append-only storage; an element never moves, and reading one takes no lock.
pub(crate) struct Arena<T> {
    /// Chunk `k` holds `8 << k` elements.
    near: [Chunk<T>; NEAR],
    far: OnceLock<Box<[Chunk<T>; FAR]>>,
    len: AtomicU32,
}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Self {
            near: [const { OnceLock::new() }; NEAR],
            far: OnceLock::new(),
            len: AtomicU32::new(0),
        }
    }

    #[inline]
    fn locate(index: u32) -> (usize, usize) {
        let n = index + FIRST_CHUNK;
        let chunk = n.ilog2() - FIRST_CHUNK.ilog2();
        (chunk as usize, (n - (FIRST_CHUNK << chunk)) as usize)
    }

    pub(crate) fn push(&self, value: T) -> u32 {
        let index = self.len.fetch_add(1, Ordering::Relaxed);
        let (number, at) = Self::locate(index);
        let chunk = match self.near.get(number) {
            Some(chunk) => chunk,
            None => {
                &self.far.get_or_init(|| Box::new([const { OnceLock::new() }; FAR]))[number - NEAR]
            }
        };
        let slots = chunk.get_or_init(|| {
            (0..(FIRST_CHUNK as usize) << number).map(|_| OnceLock::new()).collect()
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
        let (number, at) = Self::locate(index);
        let chunk = match self.near.get(number) {
            Some(chunk) => chunk.get(),
            None => self.far.get().and_then(|far| far[number - NEAR].get()),
        };
        chunk.and_then(|chunk| chunk[at].get()).expect("an index comes from a push")
    }
}

/// What a record is looked up by.
pub(crate) trait Keyed {
    type Key: Hash + Eq + ?Sized;
    fn key(&self) -> &Self::Key;
}

/// Sizes of the front of a table, each made once the table has outgrown the one before.
const FRONTS: [usize; 5] = [16, 128, 1 << 10, 1 << 13, 1 << 16];

/// Numbers distinct records by a key inside them.
pub(crate) struct Table<T> {
    records: Arena<T>,
    fronts: [OnceLock<Box<[AtomicU32]>>; FRONTS.len()],
    /// The front in use.
    front: AtomicUsize,
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
            fronts: [const { OnceLock::new() }; FRONTS.len()],
            front: AtomicUsize::new(0),
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
    fn slot(&self, hash: u64) -> Option<&AtomicU32> {
        let front = self.fronts[self.front.load(Ordering::Acquire)].get()?;
        Some(&front[(hash >> 32) as usize & (front.len() - 1)])
    }

    #[inline]
    pub(crate) fn lookup(&self, key: &T::Key) -> Option<u32> {
        let hash = hash_one(key);
        self.in_front(hash, key).or_else(|| {
            let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
            self.in_index(&index, hash, key)
        })
    }

    #[inline]
    fn in_front(&self, hash: u64, key: &T::Key) -> Option<u32> {
        let id = self.slot(hash)?.load(Ordering::Acquire);
        (id != 0 && self.records.get(id - 1).key() == key).then(|| id - 1)
    }

    fn in_index(&self, index: &HashTable<u32>, hash: u64, key: &T::Key) -> Option<u32> {
        let id = *index.find(hash, |&id| self.records.get(id).key() == key)?;
        if let Some(slot) = self.slot(hash) {
            slot.store(id + 1, Ordering::Release);
        }
        Some(id)
    }

    /// The record's number, and whether it is new.
    pub(crate) fn insert(&self, value: T) -> (u32, bool) {
        let hash = hash_one(value.key());
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        match self.in_index(&index, hash, value.key()) {
            Some(id) => (id, false),
            None => (self.add(&mut index, hash, value), true),
        }
    }

    /// The number of the record with this key, which `make` makes if there is none; and whether it is new. `make` must
    /// not touch this table.
    #[inline]
    pub(crate) fn intern(&self, key: &T::Key, make: impl FnOnce() -> T) -> (u32, bool) {
        let hash = hash_one(key);
        if let Some(id) = self.in_front(hash, key) {
            return (id, false);
        }
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        match self.in_index(&index, hash, key) {
            Some(id) => (id, false),
            None => (self.add(&mut index, hash, make()), true),
        }
    }

    fn add(&self, index: &mut HashTable<u32>, hash: u64, value: T) -> u32 {
        let id = self.records.push(value);
        index.insert_unique(hash, id, |&id| hash_one(self.records.get(id).key()));
        let at = self.front.load(Ordering::Relaxed);
        if self.fronts[0].get().is_none() {
            self.widen(0, index.len());
        } else if index.len() > FRONTS[at] && at + 1 < FRONTS.len() {
            self.widen(at + 1, index.len());
        } else if let Some(slot) = self.slot(hash) {
            slot.store(id + 1, Ordering::Release);
        }
        id
    }

    /// Makes a front that holds all records so far; the caller has the lock.
    fn widen(&self, at: usize, records: usize) {
        let front: Box<[AtomicU32]> = (0..FRONTS[at]).map(|_| AtomicU32::new(0)).collect();
        for id in 0..records as u32 {
            let hash = hash_one(self.records.get(id).key());
            front[(hash >> 32) as usize & (front.len() - 1)].store(id + 1, Ordering::Relaxed);
        }
        // Only the holder of the lock widens, so that nothing can have been set before.
        let _ = self.fronts[at].set(front);
        self.front.store(at, Ordering::Release);
    }
}

impl<K: Hash + Eq, V> Keyed for (K, V) {
    type Key = K;
    fn key(&self) -> &K {
        &self.0
    }
}

/// A list with what is known of it, looked up by the list.
pub(crate) struct Listed<T, V>(pub(crate) Box<[T]>, pub(crate) V);

impl<T: Hash + Eq, V> Keyed for Listed<T, V> {
    type Key = [T];
    fn key(&self) -> &[T] {
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
        let (id, _) = self.0.intern(&key, || (key, value));
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

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);
    pub(crate) const NONE: Self = Self([0; 4]);

    pub(crate) fn of(bytes: RangeInclusive<u8>) -> Self {
        let mut set = Self::NONE;
        set.add_range(*bytes.start(), *bytes.end());
        set
    }

    pub(crate) fn add_range(&mut self, lo: u8, hi: u8) {
        let (first, last) = (usize::from(lo >> 6), usize::from(hi >> 6));
        for (at, word) in self.0.iter_mut().enumerate().take(last + 1).skip(first) {
            let from = if at == first { lo & 63 } else { 0 };
            let to = if at == last { hi & 63 } else { 63 };
            *word |= (u64::MAX >> (63 - (to - from))) << from;
        }
    }

    #[inline]
    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    /// What is in this set and not in the other.
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// What is in both sets.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// What is in one of the sets.
    pub(crate) const fn or(&self, other: &Self) -> Self {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        Self([a | e, b | f, c | g, d | h])
    }

    /// The ASCII bytes whose bits are set.
    pub(crate) const fn of_ascii(bits: u128) -> Self {
        Self([bits as u64, (bits >> 64) as u64, 0, 0])
    }

    /// The least byte.
    pub(crate) fn first(&self) -> Option<u8> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(word as u8 * 64 + self.0[word].trailing_zeros() as u8)
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The bytes in the set, in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().zip([0, 64, 128, 192]).flat_map(|(mut word, first)| {
            std::iter::from_fn(move || {
                let at = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (at < 64).then(|| first + at as u8)
            })
        })
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

    /// The bytes around `byte` that behave as it does.
    pub(crate) fn class(&self, byte: u8) -> RangeInclusive<u8> {
        let mut word = usize::from(byte >> 6);
        let mut below = self.0[word] & (u64::MAX >> (63 - (byte & 63)));
        while below == 0 && word > 0 {
            word -= 1;
            below = self.0[word];
        }
        let lo = if below == 0 { 0 } else { word as u8 * 64 + below.ilog2() as u8 };
        lo..=self.last_of_class(byte)
    }

    /// The last byte that behaves as `byte` does, with all between.
    pub(crate) fn last_of_class(&self, byte: u8) -> u8 {
        let mut word = usize::from(byte >> 6);
        let mut above = self.0[word] & (u64::MAX << (byte & 63)) & !(1 << (byte & 63));
        while above == 0 && word < 3 {
            word += 1;
            above = self.0[word];
        }
        if above == 0 { 255 } else { word as u8 * 64 + above.trailing_zeros() as u8 - 1 }
    }

    /// The first byte of each class of bytes that behave alike.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = u8> + '_ {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let byte = next?;
            next = self.last_of_class(byte).checked_add(1);
            Some(byte)
        })
    }
}

/// Elements seen so far; few of them are kept without hashing.
#[derive(Debug)]
pub(crate) struct Seen<T> {
    few: Vec<T>,
    many: FxHashSet<T>,
}

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self { few: Vec::new(), many: FxHashSet::default() }
    }
}

impl<T: Copy + Eq + Hash> Seen<T> {
    const FEW: usize = 24;

    pub(crate) fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    /// Whether the element is new.
    pub(crate) fn insert(&mut self, element: T) -> bool {
        if self.few.contains(&element) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(element);
            return true;
        }
        self.many.insert(element)
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
