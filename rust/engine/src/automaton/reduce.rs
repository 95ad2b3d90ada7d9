//! Fewer nodes for the same rules.
//!
//! Only which texts a rule has is of account, not how. So ways through a rule that begin with the same labels are one
//! way until they part, and nodes from which the same ways lead to an end are one node. `a: b | b "+" b` then calls `b`
//! once: with every such alternative left out on the way down a cascade of rules, the items of a local state halve.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::network::{Edge, Network, Node, NodeId};

/// How many times as many nodes there may be after ways were joined, and so many in any case.
const TIMES: usize = 2;
const SPARE: usize = 64;

/// How many looks at a node, all together, it may take to tell nodes apart. Past that they are left as they are.
const LOOKS: usize = 1 << 19;

impl Network {
    /// At most one edge of a node has a given label, unless that takes far more nodes.
    pub(super) fn determine(&mut self) {
        let most = self.nodes.len() * TIMES + SPARE;
        let mut sets = Sets::new(self.nodes.len());
        let start = sets.number(&[self.start]);
        let entry: Vec<_> =
            self.entry.iter().map(|entry| entry.map(|node| sets.number(&[node]))).collect();
        let mut nodes = Vec::new();
        while let Some(set) = sets.all.get(nodes.len()).cloned() {
            if sets.all.len() > most {
                return;
            }
            let members = set.iter().map(|&node| &self.nodes[node as usize]);
            let last = members.clone().any(|node| node.last);
            let mut edges: Vec<Edge> = members.flat_map(|node| &*node.edges).copied().collect();
            edges.sort_unstable();
            edges.dedup();
            let edges = edges.chunk_by(|a, b| a.label == b.label).map(|alike| {
                let set: Vec<NodeId> = alike.iter().map(|edge| edge.to).collect();
                let to = sets.number(&set);
                Edge { to, ..alike[0] }
            });
            nodes.push(Node { edges: edges.collect(), last, ..Node::default() });
        }
        (self.nodes, self.start, self.entry) = (nodes, start, entry);
    }

    /// Nodes from which the same ways lead on are one node: all are taken for one until they are told apart.
    pub(super) fn merge_alike(&mut self) {
        let hasher = FxBuildHasher;
        // What is known of each node, as a hash: whether the rule can end there, then one edge further with each round.
        let mut known: Vec<u64> = vec![0; self.nodes.len()];
        let mut count = 0;
        for _ in 0..LOOKS / self.nodes.len().max(1) {
            let next = self.nodes.iter().zip(&known).map(|(node, own)| {
                let edge = |e: &Edge| hasher.hash_one((e.label, known[e.to as usize]));
                let edges = node.edges.iter().map(edge).fold(0, u64::wrapping_add);
                hasher.hash_one((own, node.last, edges))
            });
            known = next.collect();
            let found = known.iter().collect::<FxHashSet<_>>().len();
            if found == count {
                break;
            }
            count = found;
        }
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let class: Vec<u32> = known
            .iter()
            .map(|&hash| {
                let number = numbers.len() as u32;
                *numbers.entry(hash).or_insert(number)
            })
            .collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(numbers.len());
        for (node, &own) in self.nodes.iter().zip(&class) {
            let node = renamed(node, &class);
            match nodes.get(own as usize) {
                None => nodes.push(node),
                Some(first) if *first == node => {}
                // Two hashes fell together, or there were too many nodes to tell all apart.
                Some(_) => return,
            }
        }
        self.nodes = nodes;
        for entry in self.entry.iter_mut().flatten() {
            *entry = class[*entry as usize];
        }
        self.start = class[self.start as usize];
    }
}

/// The node with other numbers for those that its edges lead to.
fn renamed(node: &Node, numbers: &[u32]) -> Node {
    let mut edges = node.edges.to_vec();
    for edge in &mut edges {
        edge.to = numbers[edge.to as usize];
    }
    edges.sort_unstable();
    edges.dedup();
    Node { edges: edges.into(), last: node.last, within: node.within }
}

/// Sets of nodes, numbered as they are found.
struct Sets {
    all: Vec<Box<[NodeId]>>,
    /// The numbers of sets of one node; `NodeId::MAX` if not found yet.
    single: Vec<NodeId>,
    known: FxHashMap<Box<[NodeId]>, NodeId>,
}

impl Sets {
    fn new(nodes: usize) -> Self {
        Self { all: Vec::new(), single: vec![NodeId::MAX; nodes], known: FxHashMap::default() }
    }

    /// The number of a set, which comes sorted.
    fn number(&mut self, set: &[NodeId]) -> NodeId {
        let next = self.all.len() as u32;
        let number = match *set {
            [node] => {
                let number = &mut self.single[node as usize];
                if *number == NodeId::MAX {
                    *number = next;
                }
                *number
            }
            _ => *self.known.entry(set.into()).or_insert(next),
        };
        if number == next {
            self.all.push(set.into());
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::super::sketch::Label;
    use super::*;
    use crate::ids::TerminalId;

    /// A network of one rule; each node by the edges (terminal, node) and whether the rule can end there.
    fn network(nodes: &[(&[(u32, NodeId)], bool)]) -> Network {
        let nodes = nodes.iter().map(|&(edges, last)| {
            let edge = |&(t, to): &(u32, _)| Edge {
                label: Label::Terminal(TerminalId(t)),
                to,
                tail: false,
            };
            Node { edges: edges.iter().map(edge).collect(), last, ..Node::default() }
        });
        Network {
            nodes: nodes.collect(),
            entry: vec![Some(0)],
            cut: Vec::new(),
            start: 0,
            nullable: false,
            rest: Vec::new(),
        }
    }

    #[test]
    fn ways_are_one_until_they_part() {
        // `A | A B C | A B D`
        let mut network = network(&[
            (&[(0, 1), (0, 2), (0, 4)], false),
            (&[], true),
            (&[(1, 3)], false),
            (&[(2, 1)], false),
            (&[(1, 5)], false),
            (&[(3, 1)], false),
        ]);
        network.determine();
        network.merge_alike();
        assert_eq!(network.nodes.len(), 4, "one after each of A, B and the end");
        let (mut at, mut seen) = (network.start, Vec::new());
        loop {
            let node = &network.nodes[at as usize];
            seen.push((node.edges.len(), node.last));
            let Some(edge) = node.edges.first() else { break };
            at = edge.to;
        }
        assert_eq!(seen, [(1, false), (1, true), (2, false), (0, true)]);
    }

    #[test]
    fn loops_that_go_round_alike_are_one() {
        // `A (B C)* | D (B C)*`, each with nodes of its own.
        let mut network = network(&[
            (&[(0, 1), (3, 3)], false),
            (&[(1, 2)], true),
            (&[(2, 1)], false),
            (&[(1, 4)], true),
            (&[(2, 3)], false),
        ]);
        network.merge_alike();
        assert_eq!(network.nodes.len(), 3);
        let first = &network.nodes[network.start as usize].edges;
        assert_eq!(first[0].to, first[1].to);
    }

    #[test]
    fn what_would_take_far_more_nodes_is_left_as_it_is() {
        // `(A | B)* A (A | B){20}`
        let mut nodes: Vec<(Vec<(u32, NodeId)>, bool)> =
            vec![(vec![(0, 0), (1, 0), (0, 1)], false)];
        nodes.extend((1..=20).map(|at| (vec![(0, at + 1), (1, at + 1)], false)));
        nodes.push((Vec::new(), true));
        let nodes: Vec<_> = nodes.iter().map(|(edges, last)| (&edges[..], *last)).collect();
        let mut network = network(&nodes);
        let before = network.nodes.clone();
        network.determine();
        assert_eq!(network.nodes, before);
    }
}
