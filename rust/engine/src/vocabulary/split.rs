//! A subtree of the token trie, split for a state that loops on a set of character classes.
//!
//! Where all characters of some classes lead a state back to itself, the tokens below a node fall into three groups:
//! those made of such characters alone, which are all allowed; those that begin with at least one of them and then
//! leave the set, of which only the rest behind the loop matters, so that equal rests are walked once; and all others.
//! The first two are made ready here, once for all grammars. A token's rest begins with the first byte of the first
//! character that is not in the set, so rests that begin with a byte which the state cannot read cost nothing.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Vocabulary;
use super::readings::{ReadAt, Reading};
use super::runs::Runs;
use super::trie::{Classes, Trie, TrieId, Utf8, WHOLE, WIDE, class_of};
use crate::ids::TokenId;

/// Bytes that the splits of one vocabulary may hold. When they are full they are dropped, and made anew as needed.
const HELD: usize = 48 << 20;

/// Longer lists of tokens become bitmaps.
const LIST: usize = 1024;

/// Subtrees of so many tokens take long enough to split that no first mask should wait for it.
const LARGE: usize = 512;

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
    /// How many characters of the classes stand before the rest; where they are not counted, 1 for any number. If
    /// there is none, the rest begins with one that is broken or a separator.
    pub(crate) after: u32,
    /// Nodes of the trie that is split: all tokens there and below begin their rest so many bytes above.
    nodes: Vec<(u32, u8)>,
    trie: OnceLock<Arc<Trie>>,
}

/// A node of a trie, the classes for which its subtree is split, and the byte whose child is left out, if there is one.
type Place = (TrieId, u32, Classes, Option<u8>);

/// The splits made so far.
#[derive(Debug, Default)]
pub(crate) struct Splits {
    known: RwLock<FxHashMap<Place, Arc<Split>>>,
    pub(super) counted: RwLock<FxHashMap<Place, Arc<Runs>>>,
    pub(super) readings: RwLock<FxHashMap<ReadAt, Arc<Reading>>>,
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
    WHOLE & !(control | 1 << class_of(b'"') | 1 << class_of(b'\\'))
};

impl Vocabulary {
    /// Makes what first masks should not have to wait for: the trie, and the tokens of strings.
    pub(crate) fn prepare(&self) {
        let trie = self.trie();
        let text = TEXT & trie.below[0];
        self.make_rests(trie, &self.split(trie, 0, text, None).exits);
        self.make_rests(trie, &self.runs(trie, 0, text).exits);
        let mut node = 1;
        while node < trie.byte.len() {
            let (byte, size) = (trie.byte[node], trie.ending_below(node).len());
            // Strings begin, and strings that begin like some name.
            if byte == b'"' || byte < 0x80 && size >= LARGE && !is_apart(byte, TEXT) {
                let split = self.split(trie, node, TEXT & trie.below[node], None);
                self.make_rests(trie, &split.exits);
            }
            node = trie.skip[node] as usize;
        }
    }

    /// The rests of tokens that leave strings.
    fn make_rests(&self, trie: &Trie, exits: &[Exits]) {
        for exits in exits.iter().filter(|exits| matches!(exits.byte, b'"' | b'\\')) {
            self.rests(trie, exits);
        }
    }

    /// The tokens below a node of a trie, split for these classes; without those that begin with a byte, if one is given.
    pub(crate) fn split(
        &self,
        trie: &Trie,
        node: usize,
        classes: Classes,
        except: Option<u8>,
    ) -> Arc<Split> {
        let key = (trie.id, node as u32, classes, except);
        let splits = &self.splits;
        let known = splits.known.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = Arc::new(self.make_split(trie, node, classes, except));
            splits.charge(made.bytes());
            let mut known = splits.known.write().unwrap_or_else(PoisonError::into_inner);
            known.entry(key).or_insert(made).clone()
        })
    }

    fn make_split(&self, trie: &Trie, top: usize, classes: Classes, except: Option<u8>) -> Split {
        if trie.id == 0
            && let Some(byte) = except
        {
            return self.split(trie, top, classes, None).without(trie, top, byte);
        }
        let Divided { inside, exits } = divide(trie, top, classes, except, false);
        let mut all = self.some_tokens();
        let ranges = inside.iter().map(|&(_, from, to)| from as usize..to as usize);
        all.extend(ranges.flat_map(|range| &trie.order[range]).copied());
        Split { inside: all.tokens(), exits }
    }

    pub(super) fn some_tokens(&self) -> Collected {
        Collected { words: vec![0; self.vocab_size().div_ceil(32)], list: Some(Vec::new()) }
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

/// A subtree, divided.
pub(super) struct Divided {
    /// Ranges of tokens made of the classes alone, each with its number of characters if they are counted.
    pub(super) inside: Vec<(u32, u32, u32)>,
    pub(super) exits: Vec<Exits>,
}

/// Divides the tokens below a node by whether they leave the classes. A character that a token ends within counts.
pub(super) fn divide(
    trie: &Trie,
    top: usize,
    classes: Classes,
    except: Option<u8>,
    counted: bool,
) -> Divided {
    // Where a character has been read, which node's byte was the first of it, and how many there are before.
    let mut path = vec![(Utf8::Start, top, 0)];
    let mut inside: Vec<(u32, u32, u32)> = Vec::new();
    let mut leaving: Vec<(u8, u32, u32, u8)> = Vec::new();
    let mut node = top + 1;
    while node < trie.skip[top] as usize {
        let depth = (trie.depth[node] - trie.depth[top]) as usize;
        let (state, begin, before) = path[depth - 1];
        let byte = trie.byte[node];
        if depth == 1 && Some(byte) == except {
            node = trie.skip[node] as usize;
            continue;
        }
        let begin = if state == Utf8::Start { node } else { begin };
        let (next, class) = state.step(byte);
        let leaves = if next == Utf8::Start {
            class & !classes != 0
        } else {
            next == Utf8::Broken || is_apart(byte, classes) && begin == node
        };
        if leaves {
            if depth > 1 {
                let after = if counted { before } else { before.min(1) };
                let above = (trie.depth[node] - trie.depth[begin]) as u8;
                leaving.push((trie.byte[begin], after, node as u32, above));
            }
            node = trie.skip[node] as usize;
            continue;
        }
        inside.push((before + 1, trie.first[node], trie.first[node + 1]));
        if !counted && trie.below[node] & !classes == 0 {
            inside.push((1, trie.first[node + 1], trie.first[trie.skip[node] as usize]));
            node = trie.skip[node] as usize;
            continue;
        }
        path.truncate(depth);
        path.push((next, begin, if next == Utf8::Start { before + 1 } else { before }));
        node += 1;
    }
    leaving.sort_by_key(|exit| (exit.1, exit.0));
    let exits = leaving.chunk_by(|a, b| (a.1, a.0) == (b.1, b.0)).map(|group| Exits {
        byte: group[0].0,
        after: group[0].1,
        nodes: group.iter().map(|&(_, _, node, back)| (node, back)).collect(),
        trie: OnceLock::new(),
    });
    Divided { inside, exits: exits.collect() }
}

/// Tokens that are being collected.
pub(super) struct Collected {
    words: Vec<u32>,
    /// As long as they are few.
    list: Option<Vec<TokenId>>,
}

impl Collected {
    pub(super) fn extend(&mut self, tokens: impl Iterator<Item = TokenId>) {
        for id in tokens {
            self.words[id as usize / 32] |= 1 << (id % 32);
            self.list = self.list.take().filter(|list| list.len() < LIST);
            if let Some(list) = &mut self.list {
                list.push(id);
            }
        }
    }

    pub(super) fn tokens(&self) -> Tokens {
        match &self.list {
            Some(list) => {
                let mut list: Box<[TokenId]> = list.as_slice().into();
                list.sort_unstable();
                Tokens::List(list)
            }
            None => Tokens::Bitmap(self.words.as_slice().into()),
        }
    }
}

impl Vocabulary {
    /// These tokens, as a list if they are few.
    pub(super) fn tokens_of(&self, mut tokens: Vec<TokenId>, few: usize) -> Tokens {
        if tokens.len() <= few.min(LIST) {
            tokens.sort_unstable();
            return Tokens::List(tokens.into());
        }
        let mut words = vec![0; self.vocab_size().div_ceil(32)];
        for id in tokens {
            words[id as usize / 32] |= 1 << (id % 32);
        }
        Tokens::Bitmap(words.into())
    }
}

impl Tokens {
    /// These and some more.
    pub(super) fn with(&self, more: &[TokenId]) -> Self {
        match self {
            Self::List(list) => {
                let mut all = [&**list, more].concat();
                all.sort_unstable();
                all.dedup();
                Self::List(all.into())
            }
            Self::Bitmap(words) => {
                let mut words = words.to_vec();
                for &id in more {
                    words[id as usize / 32] |= 1 << (id % 32);
                }
                Self::Bitmap(words.into())
            }
        }
    }

    /// All but these.
    pub(super) fn without(&self, apart: &[TokenId]) -> Self {
        match self {
            Self::List(list) if apart.len() < 8 => {
                Self::List(list.iter().copied().filter(|id| !apart.contains(id)).collect())
            }
            Self::List(list) => {
                let apart: FxHashSet<TokenId> = apart.iter().copied().collect();
                Self::List(list.iter().copied().filter(|id| !apart.contains(id)).collect())
            }
            Self::Bitmap(words) => {
                let mut words = words.to_vec();
                for &id in apart {
                    words[id as usize / 32] &= !(1 << (id % 32));
                }
                Self::Bitmap(words.into())
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::List(list) => list.len() * 4,
            Self::Bitmap(words) => words.len() * 4,
        }
    }
}

impl Exits {
    /// The nodes where they begin to leave, each with how many bytes before it their rests begin.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().map(|&(node, back)| (node as usize, usize::from(back)))
    }

    /// Those that do not begin at one of some nodes; `None` if there are none left.
    pub(super) fn without(&self, apart: &Range<usize>) -> Option<Self> {
        let mut nodes = self.nodes.clone();
        nodes.retain(|&(node, _)| !apart.contains(&(node as usize)));
        (!nodes.is_empty()).then(|| Self { nodes, trie: OnceLock::new(), ..*self })
    }

    /// The rests that begin at these nodes, each given with its byte.
    pub(super) fn behind(mut nodes: Vec<(u8, u32)>) -> Vec<Self> {
        nodes.sort_unstable();
        let by_byte = nodes.chunk_by(|a, b| a.0 == b.0).map(|group| Self {
            byte: group[0].0,
            after: 1,
            nodes: group.iter().map(|&(_, node)| (node, 0)).collect(),
            trie: OnceLock::new(),
        });
        by_byte.collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * 8 + size_of::<Self>()
    }
}

impl Split {
    /// How many ways lead out.
    pub(crate) fn leaving(&self) -> usize {
        self.exits.iter().map(|exits| exits.nodes.len()).sum()
    }

    /// The same without what begins with a byte, in a trie of whole tokens.
    fn without(&self, trie: &Trie, top: usize, byte: u8) -> Self {
        let apart = trie.child(top, byte).map_or(0..0, |child| child..trie.skip[child] as usize);
        Self {
            inside: self.inside.without(trie.ending_within(&apart)),
            exits: self.exits.iter().filter_map(|exits| exits.without(&apart)).collect(),
        }
    }

    fn bytes(&self) -> usize {
        self.inside.bytes() + self.exits.iter().map(Exits::bytes).sum::<usize>() + 96
    }
}

impl Splits {
    /// Makes room for `bytes` more. Whoever holds a split goes on with it.
    pub(super) fn charge(&self, bytes: usize) {
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > HELD {
            self.bytes.store(bytes, Ordering::Relaxed);
            self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
            self.counted.write().unwrap_or_else(PoisonError::into_inner).clear();
            self.readings.write().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}
