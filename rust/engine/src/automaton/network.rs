//! Final form of the rules: nodes without empty moves, without left recursion, with the calls to cut marked.
//!
//! Left recursion: a rule that can begin with itself, directly or through others, gets a network of its own made
//! from all rules of that cycle (their left corners). It begins with whatever one of them can begin with besides each
//! other; where one of them ends, it goes on as each rule that can begin with it does.
//!
//! Cuts: calls are expanded in place, which is finite once no cycle of calls is left. A set of rules that breaks all
//! cycles is cut: only their calls are kept on the stack.

use rustc_hash::{FxHashMap, FxHashSet};

use super::components::components;
use super::sketch::{Label, Sketch, SketchNode};
use crate::error::Error;
use crate::grammar::{Grammar, Within};
use crate::ids::{RuleId, TerminalId, TokenId};
use crate::limits::Limits;

/// Index of a [`Node`].
pub(crate) type NodeId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) label: Label,
    pub(crate) to: NodeId,
    /// For a call: nothing is left to do after it that its own end does not do, so that nothing need be remembered.
    pub(crate) tail: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) edges: Box<[Edge]>,
    /// Whether the rule can end here.
    pub(crate) last: bool,
    /// What the rule's texts are part of.
    pub(crate) within: Within,
}

impl Node {
    /// Whether the rule must end here.
    pub(crate) fn ends(&self) -> bool {
        self.edges.is_empty()
    }
}

/// All rules that the start needs.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) nodes: Vec<Node>,
    /// First node of each rule; no rule ends there. `None` for a rule that no other calls.
    pub(crate) entry: Vec<Option<NodeId>>,
    /// Whether calls of a rule go to the stack.
    pub(crate) cut: Vec<bool>,
    /// Where a text begins.
    pub(crate) start: NodeId,
    /// Whether the empty text is complete.
    pub(crate) nullable: bool,
    /// Fewest bytes from a node to the end of its rule.
    pub(crate) rest: Vec<u32>,
}

impl Network {
    pub(crate) fn new(grammar: &Grammar, limits: &Limits, lengths: &[u32]) -> Result<Self, Error> {
        let sketch = Sketch::new(grammar, limits)?;
        let mut network = Builder::new(sketch, &grammar.ignore).build(grammar.start);
        network.determine();
        network.merge_alike();
        network.mark_tails();
        network.choose_cuts();
        network.measure(lengths);
        Ok(network)
    }

    /// The special tokens that some rule asks for.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = TokenId> + '_ {
        let edges = self.nodes.iter().flat_map(|n| &n.edges);
        edges.filter_map(|e| if let Label::Token(token) = e.label { Some(token) } else { None })
    }

    fn reachable(&self, from: NodeId) -> Vec<NodeId> {
        let mut seen = FxHashSet::from_iter([from]);
        let mut order = vec![from];
        let mut at = 0;
        while at < order.len() {
            for edge in &self.nodes[order[at] as usize].edges {
                if seen.insert(edge.to) {
                    order.push(edge.to);
                }
            }
            at += 1;
        }
        order
    }

    /// A call is a tail if the caller's rule must end after it, or if all that can follow in the caller can also
    /// follow each end of the callee, inside the callee.
    fn mark_tails(&mut self) {
        let mut ends: FxHashMap<RuleId, Vec<NodeId>> = FxHashMap::default();
        for id in 0..self.nodes.len() {
            for at in 0..self.nodes[id].edges.len() {
                let Edge { label, to, .. } = self.nodes[id].edges[at];
                let after = &self.nodes[to as usize];
                let rule = match label {
                    Label::Call(rule) => rule,
                    Label::Made(..) => {
                        self.nodes[id].edges[at].tail = after.last && after.ends();
                        continue;
                    }
                    _ => continue,
                };
                let tail = after.last
                    && (after.ends() || {
                        let ends = ends.entry(rule).or_insert_with(|| {
                            let entry =
                                self.entry[rule.index()].expect("a called rule has an entry");
                            let nodes = self.reachable(entry);
                            nodes.into_iter().filter(|&n| self.nodes[n as usize].last).collect()
                        });
                        let plain = |e: &Edge| (e.label, e.to);
                        ends.iter().all(|&end| {
                            let own: FxHashSet<_> =
                                self.nodes[end as usize].edges.iter().map(plain).collect();
                            end == to || after.edges.iter().all(|e| own.contains(&plain(e)))
                        })
                    });
                self.nodes[id].edges[at].tail = tail;
            }
        }
    }

    /// Only calls that are no tails are remembered, so that on every cycle with such calls, one of them must be of a cut
    /// rule.
    fn choose_cuts(&mut self) {
        let rules = self.entry.len();
        let mut plain: Vec<Vec<u32>> = vec![Vec::new(); rules];
        let mut tails: Vec<Vec<u32>> = vec![Vec::new(); rules];
        let mut bracketed = vec![false; rules];
        for rule in 0..rules {
            let Some(entry) = self.entry[rule] else { continue };
            let first = &self.nodes[entry as usize].edges;
            bracketed[rule] =
                first.iter().all(|e| !matches!(e.label, Label::Call(_) | Label::Made(..)));
            for node in self.reachable(entry) {
                for edge in &self.nodes[node as usize].edges {
                    if let Label::Call(to) = edge.label {
                        if edge.tail { &mut tails[rule] } else { &mut plain[rule] }.push(to.0);
                    }
                }
            }
        }
        let mut callers = vec![0u32; rules];
        for calls in plain.iter_mut().chain(&mut tails) {
            calls.sort_unstable();
            calls.dedup();
        }
        for &to in plain.iter().flatten() {
            callers[to as usize] += 1;
        }
        self.cut = vec![false; rules];
        loop {
            let cut = &self.cut;
            let found = components(rules, |r| {
                let open = plain[r as usize].iter().filter(|&&to| !cut[to as usize]);
                open.chain(&tails[r as usize]).copied().collect()
            });
            let mut component_of = vec![0; rules];
            for (number, component) in found.iter().enumerate() {
                component.iter().for_each(|&rule| component_of[rule as usize] = number);
            }
            // Of each component with a call to be remembered, the best of their targets.
            let mut best: Vec<Option<(bool, usize, std::cmp::Reverse<usize>)>> =
                vec![None; found.len()];
            for (rule, calls) in plain.iter().enumerate() {
                for &to in calls {
                    let to = to as usize;
                    if component_of[to] == component_of[rule] && !self.cut[to] {
                        // A rule that begins with a terminal is pushed only after that was read.
                        let weight = callers[to] as usize * (plain[to].len() + tails[to].len());
                        let value = (bracketed[to], weight, std::cmp::Reverse(to));
                        let known = &mut best[component_of[rule]];
                        *known = (*known).max(Some(value));
                    }
                }
            }
            if best.iter().all(Option::is_none) {
                break;
            }
            for (.., std::cmp::Reverse(rule)) in best.into_iter().flatten() {
                self.cut[rule] = true;
            }
        }
    }

    /// Fewest bytes to each end, by relaxing until nothing changes.
    fn measure(&mut self, lengths: &[u32]) {
        self.rest = self.nodes.iter().map(|n| if n.last { 0 } else { u32::MAX }).collect();
        let mut back: Vec<Vec<NodeId>> = vec![Vec::new(); self.nodes.len()];
        for (from, node) in self.nodes.iter().enumerate() {
            for edge in &node.edges {
                back[edge.to as usize].push(from as u32);
                if let Label::Call(rule) = edge.label {
                    let entry = self.entry[rule.index()].expect("a called rule has an entry");
                    back[entry as usize].push(from as u32);
                }
            }
        }
        let mut todo: std::collections::VecDeque<NodeId> = (0..self.nodes.len() as u32).collect();
        let mut queued = vec![true; self.nodes.len()];
        while let Some(id) = todo.pop_front() {
            queued[id as usize] = false;
            let mut best = self.rest[id as usize];
            for edge in &self.nodes[id as usize].edges {
                let own = match edge.label {
                    Label::Terminal(t) | Label::Ignored(t) | Label::Newline(t) => {
                        lengths[t.index()]
                    }
                    Label::Indent | Label::Dedent => 0,
                    // Bytes alone cannot lead past a special token.
                    Label::Token(_) => u32::MAX,
                    Label::Made(..) | Label::MadeTerminal(..) => 1,
                    Label::Call(r) => {
                        self.rest
                            [self.entry[r.index()].expect("a called rule has an entry") as usize]
                    }
                };
                best = best.min(own.saturating_add(self.rest[edge.to as usize]));
            }
            if best < self.rest[id as usize] {
                self.rest[id as usize] = best;
                for &from in &back[id as usize] {
                    if !std::mem::replace(&mut queued[from as usize], true) {
                        todo.push_back(from);
                    }
                }
            }
        }
    }
}

/// From sketch to network: the left-corner networks of recursive cycles, then empty moves away.
struct Builder<'a> {
    sketch: Sketch,
    ignore: &'a [TerminalId],
    /// For each rule the rules of its left-recursive cycle, if it has one.
    cycle: Vec<Option<u32>>,
    cycles: Vec<Vec<u32>>,
    /// For each rule, the sketch nodes at which it can begin.
    begins: Vec<Vec<u32>>,
    nodes: Vec<Node>,
    made: FxHashMap<u32, NodeId>,
    todo: Vec<u32>,
    entry: Vec<Option<NodeId>>,
    wanted: Vec<RuleId>,
}

impl<'a> Builder<'a> {
    fn new(sketch: Sketch, ignore: &'a [TerminalId]) -> Self {
        let rules = sketch.ends.len();
        let mut begins = Vec::with_capacity(rules);
        let mut left: Vec<Vec<u32>> = Vec::with_capacity(rules);
        for &(first, _) in &sketch.ends {
            let mut closure = Vec::new();
            sketch.closure(first, &mut closure);
            let mut calls: Vec<u32> = closure
                .iter()
                .flat_map(|&n| &sketch.nodes[n as usize].edges)
                .filter_map(|e| if let Label::Call(r) = e.0 { Some(r.0) } else { None })
                .collect();
            calls.sort_unstable();
            calls.dedup();
            left.push(calls);
            begins.push(closure);
        }
        let mut cycle = vec![None; rules];
        let mut cycles = Vec::new();
        for component in components(rules, |r| left[r as usize].clone()) {
            if component.len() > 1 || left[component[0] as usize].contains(&component[0]) {
                for &rule in &component {
                    cycle[rule as usize] = Some(cycles.len() as u32);
                }
                cycles.push(component);
            }
        }
        Self {
            sketch,
            ignore,
            cycle,
            cycles,
            begins,
            nodes: Vec::new(),
            made: FxHashMap::default(),
            todo: Vec::new(),
            entry: vec![None; rules],
            wanted: Vec::new(),
        }
    }

    fn build(mut self, start: RuleId) -> Network {
        // A text is one call of the start rule, with ignored runs at its end.
        let (first, last) = (self.sketch.nodes.len() as u32, self.sketch.nodes.len() as u32 + 1);
        let (begin, end) = self.sketch.ends[start.index()];
        let mut closure = Vec::new();
        self.sketch.closure(begin, &mut closure);
        let nullable = closure.contains(&end);
        let empty = if nullable { vec![last] } else { Vec::new() };
        self.sketch.nodes.push(SketchNode {
            empty,
            edges: vec![(Label::Call(start), last)],
            last: false,
        });
        let trailing = self.ignore.iter().map(|&t| (Label::Ignored(t), last)).collect();
        self.sketch.nodes.push(SketchNode { empty: Vec::new(), edges: trailing, last: true });
        let start = self.node(first);
        loop {
            if let Some(id) = self.todo.pop() {
                self.finish(id);
            } else if let Some(rule) = self.wanted.pop() {
                self.enter(rule);
            } else {
                break;
            }
        }
        Network {
            nodes: self.nodes,
            entry: self.entry,
            cut: Vec::new(),
            start,
            nullable,
            rest: Vec::new(),
        }
    }

    /// The final node for a node of the sketch.
    fn node(&mut self, sketch: u32) -> NodeId {
        if let Some(&id) = self.made.get(&sketch) {
            return id;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.made.insert(sketch, id);
        self.todo.push(sketch);
        id
    }

    fn edge(&mut self, (label, to): (Label, u32)) -> Edge {
        if let Label::Call(rule) = label
            && self.entry[rule.index()].is_none()
        {
            let id = self.nodes.len() as u32;
            self.nodes.push(Node::default());
            self.entry[rule.index()] = Some(id);
            self.wanted.push(rule);
        }
        Edge { label, to: self.node(to), tail: false }
    }

    fn finish(&mut self, sketch: u32) {
        let id = self.made[&sketch];
        let mut closure = Vec::new();
        self.sketch.closure(sketch, &mut closure);
        let mut edges = Vec::new();
        for &node in &closure {
            for edge in self.sketch.nodes[node as usize].edges.clone() {
                edges.push(self.edge(edge));
            }
        }
        if !edges.is_empty() {
            // What is ignored may stand before anything that can follow here.
            edges.extend(self.ignore.iter().map(|&t| Edge {
                label: Label::Ignored(t),
                to: id,
                tail: false,
            }));
        }
        edges.sort_unstable();
        edges.dedup();
        let last = closure.iter().any(|&n| self.sketch.nodes[n as usize].last);
        self.nodes[id as usize] = Node { edges: edges.into(), last, ..Node::default() };
    }

    fn enter(&mut self, rule: RuleId) {
        let id = self.entry[rule.index()].expect("a wanted rule has its entry reserved");
        let mut edges = Vec::new();
        match self.cycle[rule.index()] {
            None => {
                for node in self.begins[rule.index()].clone() {
                    for edge in self.sketch.nodes[node as usize].edges.clone() {
                        edges.push(self.edge(edge));
                    }
                }
            }
            Some(cycle) => {
                for edge in self.left_corner(rule, &self.cycles[cycle as usize].clone()) {
                    edges.push(self.edge(edge));
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        self.nodes[id as usize] = Node { edges: edges.into(), ..Node::default() };
    }

    /// Adds the left-corner network of `goal` to the sketch; returns the edges that it begins with.
    fn left_corner(&mut self, goal: RuleId, cycle: &[u32]) -> Vec<(Label, u32)> {
        let members: FxHashSet<u32> = cycle.iter().copied().collect();
        // Where each member has ended.
        let mut done: FxHashMap<u32, u32> = FxHashMap::default();
        for &rule in cycle {
            done.insert(rule, self.sketch.nodes.len() as u32);
            self.sketch.nodes.push(SketchNode::default());
        }
        let goal_last = self.sketch.nodes.len() as u32;
        self.sketch.nodes.push(SketchNode { last: true, ..SketchNode::default() });
        self.sketch.nodes[done[&goal.0] as usize].empty.push(goal_last);
        let mut copies: FxHashMap<u32, u32> = FxHashMap::default();
        let mut todo: Vec<u32> = Vec::new();
        let mut edges = Vec::new();
        for &rule in cycle {
            for node in self.begins[rule as usize].clone() {
                for (label, to) in self.sketch.nodes[node as usize].edges.clone() {
                    let copy = self.copy(to, &mut copies, &mut todo);
                    match label {
                        Label::Call(callee) if members.contains(&callee.0) => {
                            self.sketch.nodes[done[&callee.0] as usize].empty.push(copy);
                        }
                        _ => edges.push((label, copy)),
                    }
                }
            }
        }
        let lasts: FxHashMap<u32, u32> =
            cycle.iter().map(|&r| (self.sketch.ends[r as usize].1, r)).collect();
        while let Some(node) = todo.pop() {
            let copy = copies[&node];
            let SketchNode { empty, edges, .. } = self.sketch.nodes[node as usize].clone();
            let empty: Vec<u32> =
                empty.into_iter().map(|to| self.copy(to, &mut copies, &mut todo)).collect();
            let edges: Vec<_> = edges
                .into_iter()
                .map(|(label, to)| (label, self.copy(to, &mut copies, &mut todo)))
                .collect();
            let target = &mut self.sketch.nodes[copy as usize];
            target.empty = empty;
            target.edges = edges;
            if let Some(rule) = lasts.get(&node) {
                target.empty.push(done[rule]);
            }
        }
        edges
    }

    fn copy(&mut self, node: u32, copies: &mut FxHashMap<u32, u32>, todo: &mut Vec<u32>) -> u32 {
        *copies.entry(node).or_insert_with(|| {
            todo.push(node);
            self.sketch.nodes.push(SketchNode::default());
            self.sketch.nodes.len() as u32 - 1
        })
    }
}
