//! A subtree of the token trie, split for a state that loops on a set of character classes.
//!
//! Where all characters of some classes lead a state back to itself, the tokens below a node fall into three groups:
//! those made of such characters alone, which are all allowed; those that begin with at least one of them and then
//! leave the set, of which only the rest behind the loop matters, so that equal rests are walked once; and all others.
//! The first two are made ready here, once for all grammars. A token's rest begins with the first byte of the first
//! character that is not in the set, so rests that begin with a byte which the state cannot read cost nothing.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::Vocabulary;
use super::trie::{ASCII, Classes, Trie, TrieId, Utf8, WIDE, WIDE_RUN, class_of};
use crate::ids::TokenId;

/// Bytes that the splits of one vocabulary may hold. When they are full they are dropped, and made anew as needed.
const HELD: usize = 48 << 20;

/// Longer lists of tokens become bitmaps.
const LIST: usize = 1024;

/// Some tokens.
#[derive(Debug)]
pub(crate) enum Tokens {
    List(Box<[TokenId]>),
    Bitmap(Arc<[u32]>),
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Split {
    /// The tokens made of these classes alone.
    pub(crate) inside: Tokens,
    /// Those that leave, by the first byte of their rest.
    pub(crate) exits: Vec<Exits>,
}

/// All rests that begin with one byte.
#[derive(Debug)]
pub(crate) struct Exits {
    pub(crate) byte: u8,
    /// Whether no character of the classes stands before the rest, which is then a broken character.
    pub(crate) direct: bool,
    /// Nodes of the trie that is split: all tokens there and below begin their rest so many bytes above.
    nodes: Vec<(u32, u8)>,
    trie: OnceLock<Arc<Trie>>,
}

/// The splits made so far.
#[derive(Debug, Default)]
pub(crate) struct Splits {
    known: RwLock<FxHashMap<(TrieId, u32, Classes), Arc<Split>>>,
    tries: AtomicU64,
    bytes: AtomicUsize,
}

/// Whether a child by this byte is none of those that the split for these classes holds.
#[inline]
pub(crate) fn is_apart(byte: u8, classes: Classes) -> bool {
    match byte {
        0..0x80 => classes >> class_of(byte) & 1 == 0,
        0xc2..=0xf4 => classes >> WIDE & 1 == 0,
        _ => true,
    }
}

/// What a JSON string is made of.
const TEXT: Classes = {
    let control =
        1 << class_of(0) | 1 << class_of(b'\t') | 1 << class_of(b'\n') | 1 << class_of(b'\r');
    (ASCII | WIDE_RUN) & !(control | 1 << class_of(b'"') | 1 << class_of(b'\\'))
};

impl Vocabulary {
    /// Makes what first masks should not have to wait for: the trie, and the tokens of strings.
    pub(crate) fn prepare(&self) {
        let trie = self.trie();
        let all = self.split(trie, 0, TEXT & trie.below[0]);
        for exits in all.exits.iter().filter(|e| matches!(e.byte, b'"' | b'\\')) {
            self.rests(trie, exits);
        }
        let mut node = 1;
        while node < trie.byte.len() {
            if trie.byte[node] == b'"' {
                self.split(trie, node, TEXT & trie.below[node]);
            }
            node = trie.skip[node] as usize;
        }
    }

    /// The tokens below a node of a trie, split for these classes.
    pub(crate) fn split(&self, trie: &Trie, node: usize, classes: Classes) -> Arc<Split> {
        let key = (trie.id, node as u32, classes);
        let splits = &self.splits;
        let known = splits.known.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = Arc::new(self.make_split(trie, node, classes));
            splits.charge(made.bytes());
            let mut known = splits.known.write().unwrap_or_else(PoisonError::into_inner);
            known.entry(key).or_insert(made).clone()
        })
    }

    fn make_split(&self, trie: &Trie, top: usize, classes: Classes) -> Split {
        // Where a whole character has been read, and which node's byte was the first of it.
        let mut path = vec![(Utf8::Start, top)];
        let mut inside: Vec<(u32, u32)> = Vec::new();
        let mut exits: Vec<(u8, bool, u32, u8)> = Vec::new();
        let mut node = top + 1;
        while node < trie.skip[top] as usize {
            let depth = (trie.depth[node] - trie.depth[top]) as usize;
            let (state, begin) = path[depth - 1];
            let byte = trie.byte[node];
            let begin = if state == Utf8::Start { node } else { begin };
            let (next, class) = state.step(byte);
            let leaves = if next == Utf8::Start {
                class & !classes != 0
            } else {
                next == Utf8::Broken || is_apart(byte, classes) && begin == node
            };
            if leaves {
                if depth > 1 {
                    let direct = trie.depth[begin] == trie.depth[top] + 1;
                    let above = (trie.depth[node] - trie.depth[begin]) as u8;
                    exits.push((trie.byte[begin], direct, node as u32, above));
                }
                node = trie.skip[node] as usize;
                continue;
            }
            inside.push((trie.first[node], trie.first[node + 1]));
            if trie.below[node] & !classes == 0 {
                inside.push((trie.first[node + 1], trie.first[trie.skip[node] as usize]));
                node = trie.skip[node] as usize;
                continue;
            }
            path.truncate(depth);
            path.push((next, begin));
            node += 1;
        }
        exits.sort_by_key(|exit| (exit.0, exit.1));
        let exits = exits.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|group| Exits {
            byte: group[0].0,
            direct: group[0].1,
            nodes: group.iter().map(|&(_, _, node, back)| (node, back)).collect(),
            trie: OnceLock::new(),
        });
        Split { inside: self.tokens(trie, &inside), exits: exits.collect() }
    }

    fn tokens(&self, trie: &Trie, ranges: &[(u32, u32)]) -> Tokens {
        let order = &trie.order;
        let all = ranges.iter().flat_map(|&(from, to)| &order[from as usize..to as usize]);
        if ranges.iter().map(|r| (r.1 - r.0) as usize).sum::<usize>() <= LIST {
            let mut list: Box<[TokenId]> = all.copied().collect();
            list.sort_unstable();
            return Tokens::List(list);
        }
        let mut words = vec![0u32; self.vocab_size().div_ceil(32)];
        for &id in all {
            words[id as usize / 32] |= 1 << (id % 32);
        }
        Tokens::Bitmap(words.into())
    }

    /// The rests of all tokens of `exits`, which is of this trie. Below the root is the one node of its byte.
    pub(crate) fn rests(&self, trie: &Trie, exits: &Exits) -> Arc<Trie> {
        let made = exits.trie.get_or_init(|| {
            let mut rests = Vec::new();
            for &(top, back) in &exits.nodes {
                let top = top as usize;
                let before = trie.depth[top] as usize - 1 - usize::from(back);
                for node in top..trie.skip[top] as usize {
                    for &id in trie.ending_at(node) {
                        let bytes = self.token_bytes(id).expect("the trie holds text tokens");
                        // In a trie of rests the token itself begins further up.
                        let above = bytes.len() - trie.depth[node] as usize;
                        rests.push((&bytes[above + before..], id));
                    }
                }
            }
            let made = Trie::new(self.splits.tries.fetch_add(1, Ordering::Relaxed) + 1, rests);
            self.splits.charge(made.memory_bytes());
            Arc::new(made)
        });
        made.clone()
    }
}

impl Split {
    fn bytes(&self) -> usize {
        let inside = match &self.inside {
            Tokens::List(list) => list.len() * 4,
            Tokens::Bitmap(words) => words.len() * 4,
        };
        let exits: usize = self.exits.iter().map(|e| e.nodes.len() * 8 + size_of::<Exits>()).sum();
        inside + exits + 96
    }
}

impl Splits {
    /// Makes room for `bytes` more. Whoever holds a split goes on with it.
    fn charge(&self, bytes: usize) {
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > HELD {
            self.bytes.store(bytes, Ordering::Relaxed);
            self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}
