//! Comparing a number with several others while its digits are read.
//!
//! Numbers are compared by the place of their first digit, and then by their digits. This file is about the digits: a
//! trie of those of all numbers to compare with. What leaves the trie has been told apart from every one of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// A node of the trie, or one of the four ways to have left it.
pub(super) type NodeId = u32;

/// Digits of a number from the first to the last that is not 0.
pub(super) type Digits = Vec<u8>;

#[derive(Debug)]
struct Node {
    prefix: Digits,
    children: BTreeMap<u8, NodeId>,
    /// Whether more zeros lead here again.
    zeros: bool,
    /// The digits so far against the lower and the upper bound, as if nothing but zeros followed.
    order: (Ordering, Ordering),
    /// The listed number that the digits so far are equal to, if only zeros follow.
    equal: Option<usize>,
}

/// A trie of the digits of a lower bound, an upper bound, and listed numbers.
#[derive(Debug)]
pub(super) struct DigitTrie {
    nodes: Vec<Node>,
    /// How many nodes are different.
    kinds: usize,
    low: Option<Digits>,
    high: Option<Digits>,
}

impl DigitTrie {
    /// Where reading starts.
    pub(super) const ROOT: NodeId = 4;
    /// Above the lower bound's digits and below those of the upper, whatever follows.
    pub(super) const FREE: NodeId = 1;

    /// `listed` is sorted.
    pub(super) fn new(low: Option<Digits>, high: Option<Digits>, listed: &[Digits]) -> Self {
        let mut trie = Self { nodes: Vec::new(), kinds: 0, low, high };
        for class in 0..4 {
            let order = |bit| if class & bit != 0 { Ordering::Greater } else { Ordering::Less };
            trie.nodes.push(Node {
                prefix: Digits::new(),
                children: BTreeMap::new(),
                zeros: false,
                order: (order(1), order(2)),
                equal: None,
            });
        }
        trie.push(Digits::new());
        let all: Vec<Digits> = trie.low.iter().chain(&trie.high).chain(listed).cloned().collect();
        for digits in &all {
            let end = trie.insert(digits);
            trie.nodes[end as usize].equal = listed.binary_search(digits).ok();
        }
        for digits in &all {
            trie.add_zeros(digits);
        }
        trie.kinds = trie.nodes.len();
        trie
    }

    /// Makes nodes one from which the same can follow, where listed numbers alone are compared with. `kinds` says for
    /// each of them which others it is as good as.
    pub(super) fn merge(&mut self, kinds: &[usize]) {
        for node in &mut self.nodes {
            node.equal = node.equal.map(|place| kinds[place]);
        }
        if self.low.is_some() || self.high.is_some() {
            return;
        }
        let mut known = FxHashMap::default();
        let mut kept: Vec<NodeId> = (0..self.nodes.len() as NodeId).collect();
        // Children come after their parents.
        for id in (Self::ROOT..self.nodes.len() as NodeId).rev() {
            let node = &mut self.nodes[id as usize];
            for child in node.children.values_mut() {
                *child = kept[*child as usize];
            }
            let future = (node.equal, node.zeros, node.children.clone());
            kept[id as usize] = *known.entry(future).or_insert(id);
        }
        self.kinds = known.len();
    }

    /// How many different nodes there are.
    pub(super) fn len(&self) -> usize {
        self.kinds
    }

    fn push(&mut self, prefix: Digits) -> NodeId {
        let order = self.order(&prefix);
        self.nodes.push(Node {
            prefix,
            children: BTreeMap::new(),
            zeros: false,
            order,
            equal: None,
        });
        self.nodes.len() as NodeId - 1
    }

    /// Without a bound, anything is above the lower and below the upper one.
    fn order(&self, prefix: &[u8]) -> (Ordering, Ordering) {
        let against = |bound: &Option<Digits>, none| {
            bound.as_ref().map_or(none, |bound| compare(prefix, bound))
        };
        (against(&self.low, Ordering::Greater), against(&self.high, Ordering::Less))
    }

    fn child(&mut self, node: NodeId, digit: u8) -> NodeId {
        if let Some(&child) = self.nodes[node as usize].children.get(&digit) {
            return child;
        }
        let mut prefix = self.nodes[node as usize].prefix.clone();
        prefix.push(digit);
        let child = self.push(prefix);
        self.nodes[node as usize].children.insert(digit, child);
        child
    }

    fn insert(&mut self, digits: &[u8]) -> NodeId {
        digits.iter().fold(Self::ROOT, |node, &digit| self.child(node, digit))
    }

    /// Zeros after all digits of a number change nothing.
    fn add_zeros(&mut self, digits: &[u8]) {
        let end = self.insert(digits);
        let equal = self.nodes[end as usize].equal;
        let mut node = end;
        while let Some(&next) = self.nodes[node as usize].children.get(&0) {
            self.nodes[next as usize].equal = equal;
            node = next;
        }
        if !self.nodes[node as usize].zeros {
            let last = if self.nodes[node as usize].children.is_empty() {
                node
            } else {
                self.child(node, 0)
            };
            self.nodes[last as usize].equal = equal;
            self.nodes[last as usize].zeros = true;
        }
    }

    pub(super) fn step(&self, node: NodeId, digit: u8) -> NodeId {
        let from = &self.nodes[node as usize];
        if node < Self::ROOT || (digit == 0 && from.zeros) {
            return node;
        }
        if let Some(&child) = from.children.get(&digit) {
            return child;
        }
        let mut prefix = from.prefix.clone();
        prefix.push(digit);
        let (low, high) = self.order(&prefix);
        let bit = |order, value| if order == Ordering::Greater { value } else { 0 };
        bit(low, 1) | bit(high, 2)
    }

    /// Whether all comparisons are decided, whatever follows.
    pub(super) fn is_decided(node: NodeId) -> bool {
        node < Self::ROOT
    }

    /// What the digits so far are against the digits of both bounds, if only zeros follow.
    pub(super) fn against_bounds(&self, node: NodeId) -> (Ordering, Ordering) {
        self.nodes[node as usize].order
    }

    /// The place in the list of the number whose digits these are, if only zeros follow; its kind, after
    /// [`Self::merge`].
    pub(super) fn listed(&self, node: NodeId) -> Option<usize> {
        self.nodes[node as usize].equal
    }
}

/// Compares digits behind the same first place.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let length = a.len().max(b.len());
    let padded = |digits: &[u8]| -> Vec<u8> {
        let zeros = std::iter::repeat_n(0, length - digits.len());
        digits.iter().copied().chain(zeros).collect()
    };
    padded(a).cmp(&padded(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Digits {
        text.bytes().map(|b| b - b'0').collect()
    }

    #[test]
    fn every_text_is_compared_right() {
        let low = digits("105");
        let high = digits("1");
        let listed = [digits("1"), digits("12"), digits("9")];
        let trie = DigitTrie::new(Some(low.clone()), Some(high.clone()), &listed);
        for number in 1..20_000 {
            let text = digits(&number.to_string());
            let node = text.iter().fold(DigitTrie::ROOT, |node, &d| trie.step(node, d));
            let expected = (compare(&text, &low), compare(&text, &high));
            assert_eq!(trie.against_bounds(node), expected, "{number}");
            let stripped = digits(number.to_string().trim_end_matches('0'));
            let place = listed.iter().position(|l| *l == stripped);
            assert_eq!(trie.listed(node), place, "{number}");
        }
    }
}
