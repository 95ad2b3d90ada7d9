//! Sets of keys as tries: immutable, shared, and equal sets are equal numbers.
//!
//! A node stands for what is left of the keys of a set behind some beginning. The node of a partial key therefore says
//! all that matters of the keys that it can still turn out to be.

use crate::terminal::table::{Meter, Table};

/// The number of a node; 0 is the empty set.
pub(crate) type UsedId = u32;

/// Whether a key ends here, and what follows, sorted by byte.
type Node = (bool, Box<[(u8, UsedId)]>);

pub(crate) struct Used(Table<(Node, ())>);

impl Used {
    pub(crate) fn new() -> Self {
        let used = Self(Table::new());
        used.0.insert(((false, Box::default()), ()));
        used
    }

    fn node(&self, id: UsedId) -> &Node {
        &self.0.get(id).0
    }

    /// Whether the empty text is in the set.
    pub(crate) fn ends(&self, id: UsedId) -> bool {
        self.node(id).0
    }

    /// The bytes that some key begins with.
    pub(crate) fn nexts(&self, id: UsedId) -> impl Iterator<Item = u8> + '_ {
        self.node(id).1.iter().map(|next| next.0)
    }

    /// What is left behind these bytes.
    pub(crate) fn behind(&self, id: UsedId, bytes: &[u8]) -> UsedId {
        bytes.iter().fold(id, |id, byte| {
            let next = &self.node(id).1;
            next.binary_search_by_key(byte, |n| n.0).map_or(0, |at| next[at].1)
        })
    }

    /// The set with one more key.
    pub(crate) fn with(&self, id: UsedId, key: &[u8], meter: &Meter) -> UsedId {
        let mut way = Vec::with_capacity(key.len());
        let mut at = id;
        for &byte in key {
            way.push((at, byte));
            at = self.behind(at, &[byte]);
        }
        let mut below = self.add((true, self.node(at).1.clone()), meter);
        for (at, byte) in way.into_iter().rev() {
            let (ends, next) = self.node(at);
            let mut next = next.to_vec();
            match next.binary_search_by_key(&byte, |n| n.0) {
                Ok(place) => next[place].1 = below,
                Err(place) => next.insert(place, (byte, below)),
            }
            below = self.add((*ends, next.into()), meter);
        }
        below
    }

    fn add(&self, node: Node, meter: &Meter) -> UsedId {
        let bytes = size_of::<Node>() + node.1.len() * 8 + 32;
        let (id, new) = self.0.insert((node, ()));
        if new {
            meter.add(bytes);
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::{Meter, Used};

    #[test]
    fn sets_do_not_depend_on_order() {
        let (used, meter) = (Used::new(), Meter::default());
        let keys: [&[u8]; 4] = [b"", b"ab", b"a", b"abc"];
        let add = |set, key: &&[u8]| used.with(set, key, &meter);
        let set = keys.iter().fold(0, add);
        assert_eq!(set, keys.iter().rev().fold(0, add));
        assert_eq!(set, add(set, &keys[2]));
        assert!(keys.iter().all(|key| used.ends(used.behind(set, key))));
        assert!([b"b".as_slice(), b"abcd"].iter().all(|key| used.behind(set, key) == 0));
        // What is left of {abc} behind "ab" is what is left of {c}.
        assert_eq!(used.behind(used.with(0, b"abc", &meter), b"ab"), used.with(0, b"c", &meter));
    }
}
