//! The token trie: all tokens by shared byte prefixes, in flat arrays.
//!
//! Nodes are in preorder, so a subtree is a run of nodes, and skipping one is a jump. Tokens are in the order of their
//! bytes, so the tokens of a subtree are a run too. For each node the *character classes* of the bytes below it are
//! kept as bits: a state that loops on all of them takes the whole subtree.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ids::TokenId;

/// A set of character classes: each printable ASCII character, tab, line feed and carriage return are classes of their
/// own, by their bytes.
pub(crate) type Classes = u128;

/// All other control characters.
const CONTROL: u32 = 0;
/// Well-formed characters beyond ASCII.
pub(crate) const WIDE: u32 = 1;
/// A token that ends within a character.
const TAIL: u32 = 2;
/// Bytes that are no UTF-8.
const BROKEN: u32 = 3;

/// U+2028 and U+2029, which end lines for some patterns: apart, so that other characters can be taken together.
const SEPARATOR: u32 = 4;

/// No class: set in `below` for a node within a character, where classes do not tell what a state will do.
const WITHIN: Classes = 1 << 5;

/// All classes of ASCII characters.
pub(crate) const ASCII: Classes = {
    let (mut classes, mut byte) = (0, 0);
    while byte < 128 {
        classes |= 1 << class_of(byte);
        byte += 1;
    }
    classes
};

/// The class of U+2028 and U+2029.
pub(crate) const SEPARATORS: Classes = 1 << SEPARATOR;

/// All classes that a run of whole characters beyond ASCII has, with tokens that end within one.
pub(crate) const WIDE_RUN: Classes = 1 << WIDE | 1 << TAIL;

/// All classes of whole characters.
pub(crate) const WHOLE: Classes = ASCII | WIDE_RUN | SEPARATORS;

/// The class of an ASCII byte.
#[inline]
pub(crate) const fn class_of(byte: u8) -> u32 {
    match byte {
        b'\t' | b'\n' | b'\r' | 0x20.. => byte as u32 & 0x7f,
        _ => CONTROL,
    }
}

/// Tells the tries of one vocabulary apart; 0 is that of the whole tokens.
pub(crate) type TrieId = u64;

/// Tokens, or what is left of them behind a common beginning, as a trie.
#[derive(Debug)]
pub(crate) struct Trie {
    pub(crate) id: TrieId,
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
    /// The children of nodes that have many, by their byte; 0 for none.
    children: FxHashMap<u32, Box<[u32; 256]>>,
    /// Bytes of the longest token.
    pub(crate) longest: u32,
}

/// Nodes with fewer children are looked through.
const MANY: usize = 24;

impl Trie {
    /// The trie of these tokens, each with its id.
    pub(crate) fn new(id: TrieId, mut tokens: Vec<(&[u8], TokenId)>) -> Self {
        tokens.sort_unstable();
        tokens.dedup();
        let mut trie = Self {
            id,
            byte: vec![0],
            depth: vec![0],
            skip: vec![0],
            first: vec![0],
            order: tokens.iter().map(|t| t.1).collect(),
            below: vec![0],
            children: FxHashMap::default(),
            longest: tokens.iter().map(|t| t.0.len() as u32).max().unwrap_or(0),
        };
        let mut path: Vec<u32> = vec![0];
        let mut utf8 = vec![Utf8::Start];
        let mut previous: &[u8] = &[];
        for (index, &(bytes, _)) in tokens.iter().enumerate() {
            let common = bytes.iter().zip(previous).take_while(|(a, b)| a == b).count();
            while path.len() > common + 1 {
                trie.close(&mut path, &mut utf8);
            }
            for &byte in &bytes[common..] {
                let (state, _) = utf8.last().expect("the root stays").step(byte);
                path.push(trie.byte.len() as u32);
                utf8.push(state);
                trie.byte.push(byte);
                trie.depth.push(path.len() as u32 - 1);
                trie.skip.push(0);
                trie.first.push(index as u32);
                trie.below.push(if state == Utf8::Start { 0 } else { WITHIN });
            }
            if utf8.last() != Some(&Utf8::Start) {
                trie.below[*path.last().expect("the root stays") as usize] |= 1 << TAIL;
            }
            previous = bytes;
        }
        while path.len() > 1 {
            trie.close(&mut path, &mut utf8);
        }
        trie.skip[0] = trie.byte.len() as u32;
        trie.first.push(tokens.len() as u32);
        trie.index_children();
        trie
    }

    fn index_children(&mut self) {
        for node in 0..self.byte.len() {
            let end = self.skip[node] as usize;
            if end - node <= MANY {
                continue;
            }
            let mut index = Box::new([0; 256]);
            let (mut child, mut count) = (node + 1, 0);
            while child < end {
                index[usize::from(self.byte[child])] = child as u32;
                child = self.skip[child] as usize;
                count += 1;
            }
            if count >= MANY {
                self.children.insert(node as u32, index);
            }
        }
    }

    /// The children of a node by their byte, 0 for none, if it has many.
    pub(crate) fn children(&self, node: usize) -> Option<&[u32; 256]> {
        self.children.get(&(node as u32)).map(|index| &**index)
    }

    /// Ends the subtree of the last node on the path.
    fn close(&mut self, path: &mut Vec<u32>, utf8: &mut Vec<Utf8>) {
        let node = path.pop().expect("the root stays") as usize;
        utf8.pop();
        self.skip[node] = self.byte.len() as u32;
        let parent = *path.last().expect("the root stays") as usize;
        let (_, class) = utf8.last().expect("the root stays").step(self.byte[node]);
        self.below[parent] |= (self.below[node] & !WITHIN) | class;
    }

    /// The tokens that end at a node, as a range of `order`.
    #[inline]
    pub(crate) fn ending_at(&self, node: usize) -> &[TokenId] {
        &self.order[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The child of a node by a byte.
    pub(crate) fn child(&self, node: usize, byte: u8) -> Option<usize> {
        if let Some(children) = self.children(node) {
            return Some(children[usize::from(byte)] as usize).filter(|child| *child != 0);
        }
        let (mut child, end) = (node + 1, self.skip[node] as usize);
        while child < end && self.byte[child] != byte {
            child = self.skip[child] as usize;
        }
        (child < end).then_some(child)
    }

    /// The tokens that end at some nodes in a row.
    pub(super) fn ending_within(&self, nodes: &Range<usize>) -> &[TokenId] {
        &self.order[self.first[nodes.start] as usize..self.first[nodes.end] as usize]
    }

    /// The tokens that end below a node.
    #[inline]
    pub(crate) fn ending_below(&self, node: usize) -> &[TokenId] {
        let end = self.first[self.skip[node] as usize];
        &self.order[self.first[node + 1] as usize..end as usize]
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
        self.byte.len() * (1 + 4 + 4 + 4 + 16) + self.order.len() * 4 + self.children.len() * 1064
    }
}

/// How far a character has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf8 {
    Start,
    /// So many bytes to come, the next one in this range.
    Within(u8, u8, u8),
    /// In a character that begins with E2, and with 80 after that.
    E2,
    E280,
    Broken,
}

impl Utf8 {
    /// The state after a byte, and the class that is complete or broken with it.
    pub(crate) fn step(self, byte: u8) -> (Self, Classes) {
        match self {
            Self::Broken => (Self::Broken, 1 << BROKEN),
            Self::Start => match byte {
                0..=0x7f => (Self::Start, 1 << class_of(byte)),
                0xc2..=0xdf => (Self::Within(1, 0x80, 0xbf), 0),
                0xe0 => (Self::Within(2, 0xa0, 0xbf), 0),
                0xed => (Self::Within(2, 0x80, 0x9f), 0),
                0xe2 => (Self::E2, 0),
                0xe1..=0xef => (Self::Within(2, 0x80, 0xbf), 0),
                0xf0 => (Self::Within(3, 0x90, 0xbf), 0),
                0xf1..=0xf3 => (Self::Within(3, 0x80, 0xbf), 0),
                0xf4 => (Self::Within(3, 0x80, 0x8f), 0),
                _ => (Self::Broken, 1 << BROKEN),
            },
            Self::E2 if byte == 0x80 => (Self::E280, 0),
            Self::E280 if matches!(byte, 0xa8 | 0xa9) => (Self::Start, SEPARATORS),
            Self::E2 => Self::Within(2, 0x80, 0xbf).step(byte),
            Self::E280 => Self::Within(1, 0x80, 0xbf).step(byte),
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
