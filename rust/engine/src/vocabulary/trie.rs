//! The token trie: all tokens by shared byte prefixes, in flat arrays.
//!
//! Nodes are in preorder, so a subtree is a run of nodes, and skipping one is a jump. Tokens are in the order of their
//! bytes, so the tokens of a subtree are a run too. For each node the *character classes* of the bytes below it and
//! above it are kept as bits, and for each class the bitmap of the tokens that contain it: with these, "all tokens made
//! of such characters" is a few unions instead of a walk.

use crate::ids::TokenId;

/// A set of character classes.
pub(crate) type Classes = u64;

/// Well-formed characters beyond ASCII.
pub(crate) const WIDE: u32 = 44;
/// A token that ends within a character.
const TAIL: u32 = 45;
/// Bytes that are no UTF-8.
const BROKEN: u32 = 46;
const COUNT: usize = 47;

/// No class: set in `below` for a node within a character, where classes do not tell what a state will do.
pub(crate) const WITHIN: Classes = 1 << 63;

/// The class of each ASCII byte.
pub(crate) const fn class_of(byte: u8) -> u32 {
    match byte {
        b'\t' => 1,
        b'\n' => 2,
        b'\r' => 3,
        b' ' => 4,
        b'0' => 5,
        b'1'..=b'9' => 6,
        b'A'..=b'F' => 7,
        b'G'..=b'Z' => 8,
        b'a'..=b'f' => 9,
        b'g'..=b'z' => 10,
        b'_' => 11,
        0x7f => 12,
        b'!'..=b'/' => 13 + (byte - b'!') as u32,
        b':'..=b'@' => 28 + (byte - b':') as u32,
        b'['..=b'^' => 35 + (byte - b'[') as u32,
        b'`' => 39,
        b'{'..=b'~' => 40 + (byte - b'{') as u32,
        _ => 0,
    }
}

/// A vocabulary's tokens as a trie.
#[derive(Debug)]
pub(crate) struct Trie {
    /// The last byte on the way to each node. Node 0 is the root.
    pub(crate) byte: Vec<u8>,
    pub(crate) depth: Vec<u32>,
    /// The node after each node's subtree.
    pub(crate) skip: Vec<u32>,
    /// Index in `order` of the first token that ends at or after each node; one more at the end.
    pub(crate) first: Vec<u32>,
    /// Token ids in the order of their bytes.
    pub(crate) order: Vec<TokenId>,
    /// Classes below each node, that of a token ending there within a character, and [`WITHIN`].
    pub(crate) below: Vec<Classes>,
    /// Classes on the way to each node.
    pub(crate) above: Vec<Classes>,
    /// For each class the tokens that contain it.
    containing: Vec<Vec<u32>>,
    /// All tokens.
    all: Vec<u32>,
}

impl Trie {
    /// The trie of these tokens, each with its id. Words of bitmaps: one bit for each of `vocab_size` ids.
    pub(crate) fn new<'a>(
        tokens: impl Iterator<Item = (TokenId, &'a [u8])>,
        vocab_size: usize,
    ) -> Self {
        let mut sorted: Vec<(&[u8], TokenId)> = tokens.map(|(id, bytes)| (bytes, id)).collect();
        sorted.sort_unstable();
        let words = vocab_size.div_ceil(32);
        let mut trie = Self {
            byte: vec![0],
            depth: vec![0],
            skip: vec![0],
            first: vec![0],
            order: sorted.iter().map(|t| t.1).collect(),
            below: Vec::new(),
            above: vec![0],
            containing: vec![vec![0; words]; COUNT],
            all: vec![0; words],
        };
        let mut path: Vec<u32> = vec![0];
        let mut utf8 = vec![Utf8::Start];
        let mut previous: &[u8] = &[];
        for (index, &(bytes, id)) in sorted.iter().enumerate() {
            let common = bytes.iter().zip(previous).take_while(|(a, b)| a == b).count();
            while path.len() > common + 1 {
                let node = path.pop().expect("the root stays");
                utf8.pop();
                trie.skip[node as usize] = trie.byte.len() as u32;
            }
            for &byte in &bytes[common..] {
                let parent = *path.last().expect("the root stays") as usize;
                let (state, class) = utf8.last().expect("the root stays").step(byte);
                path.push(trie.byte.len() as u32);
                utf8.push(state);
                trie.byte.push(byte);
                trie.depth.push(path.len() as u32 - 1);
                trie.skip.push(0);
                trie.first.push(index as u32);
                trie.above.push(trie.above[parent] | class);
            }
            let node = *path.last().expect("the root stays") as usize;
            let inside = !matches!(utf8.last(), Some(Utf8::Start));
            let mut classes = trie.above[node] | if inside { 1 << TAIL } else { 0 };
            while classes != 0 {
                let class = classes.trailing_zeros() as usize;
                trie.containing[class][id as usize / 32] |= 1 << (id % 32);
                classes &= classes - 1;
            }
            trie.all[id as usize / 32] |= 1 << (id % 32);
            previous = bytes;
        }
        for node in path {
            trie.skip[node as usize] = trie.byte.len() as u32;
        }
        trie.first.push(sorted.len() as u32);
        trie.look_below();
        trie
    }

    /// Fills `below`, from the leaves up.
    fn look_below(&mut self) {
        let nodes = self.byte.len();
        self.below = vec![0; nodes];
        // The state within a character at each depth of the current path.
        let mut states = vec![Utf8::Start];
        let mut state = vec![Utf8::Start; nodes];
        for (node, state) in state.iter_mut().enumerate().skip(1) {
            let depth = self.depth[node] as usize;
            states.truncate(depth);
            let (next, _) = states[depth - 1].step(self.byte[node]);
            states.push(next);
            *state = next;
        }
        let mut parents: Vec<u32> = vec![0; nodes];
        let mut path: Vec<u32> = vec![0];
        for (node, parent) in parents.iter_mut().enumerate().skip(1) {
            path.truncate(self.depth[node] as usize);
            *parent = *path.last().expect("the root stays");
            path.push(node as u32);
        }
        for node in (1..nodes).rev() {
            let parent = parents[node] as usize;
            let (_, class) = state[parent].step(self.byte[node]);
            let ends = self.first[node] != self.first[node + 1];
            if ends && state[node] != Utf8::Start {
                self.below[node] |= 1 << TAIL;
            }
            self.below[parent] |= self.below[node] | class;
        }
        for (below, &state) in self.below.iter_mut().zip(&state).skip(1) {
            if state != Utf8::Start {
                *below |= WITHIN;
            }
        }
    }

    /// The tokens made of these classes alone, as a bitmap over `out`.
    pub(crate) fn made_of(&self, classes: Classes, out: &mut [u32]) {
        out.copy_from_slice(&self.all);
        for (class, tokens) in self.containing.iter().enumerate() {
            if classes >> class & 1 == 0 {
                for (word, has) in out.iter_mut().zip(tokens) {
                    *word &= !has;
                }
            }
        }
    }

    /// The longest token that `bytes` begins with, and its length.
    pub(crate) fn longest_prefix(&self, bytes: &[u8]) -> Option<(TokenId, usize)> {
        let mut found = None;
        let mut node = 0;
        for (depth, &byte) in bytes.iter().enumerate() {
            let end = self.skip[node] as usize;
            let mut child = node + 1;
            while child < end && self.byte[child] != byte {
                child = self.skip[child] as usize;
            }
            if child >= end {
                break;
            }
            node = child;
            if self.first[node] != self.first[node + 1] {
                found = Some((self.order[self.first[node] as usize], depth + 1));
            }
        }
        found
    }

    /// Bytes of memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.byte.len() * (1 + 4 + 4 + 4 + 8 + 8)
            + self.order.len() * 4
            + (COUNT + 1) * self.all.len() * 4
    }
}

/// All classes that a run of whole characters beyond ASCII has, with tokens that end within one.
pub(crate) const WIDE_RUN: Classes = 1 << WIDE | 1 << TAIL;

/// How far a character has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Utf8 {
    Start,
    /// So many bytes to come, the next one in this range.
    Within(u8, u8, u8),
    Broken,
}

impl Utf8 {
    /// The state after a byte, and the class that is complete or broken with it.
    fn step(self, byte: u8) -> (Self, Classes) {
        match self {
            Self::Broken => (Self::Broken, 1 << BROKEN),
            Self::Start => match byte {
                0..=0x7f => (Self::Start, 1 << class_of(byte)),
                0xc2..=0xdf => (Self::Within(1, 0x80, 0xbf), 0),
                0xe0 => (Self::Within(2, 0xa0, 0xbf), 0),
                0xed => (Self::Within(2, 0x80, 0x9f), 0),
                0xe1..=0xef => (Self::Within(2, 0x80, 0xbf), 0),
                0xf0 => (Self::Within(3, 0x90, 0xbf), 0),
                0xf1..=0xf3 => (Self::Within(3, 0x80, 0xbf), 0),
                0xf4 => (Self::Within(3, 0x80, 0x8f), 0),
                _ => (Self::Broken, 1 << BROKEN),
            },
            Self::Within(left, lo, hi) if (lo..=hi).contains(&byte) => {
                if left == 1 {
                    (Self::Start, 1 << WIDE)
                } else {
                    (Self::Within(left - 1, 0x80, 0xbf), 0)
                }
            }
            Self::Within(..) => (Self::Broken, 1 << BROKEN),
        }
    }
}
