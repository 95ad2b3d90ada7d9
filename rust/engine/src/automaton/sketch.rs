//! First form of the rules: nodes with empty moves, one region for each rule.
//!
//! A call of a rule that can be empty has an empty move beside it, so that every call reads at least one byte.
//! What can never end is left out.

use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar, Layout};
use crate::ids::{RuleId, TerminalId, TokenId};
use crate::limits::{Limits, check};
use crate::terminal::Facts;

/// What an edge reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Label {
    Terminal(TerminalId),
    /// A terminal that is ignored.
    Ignored(TerminalId),
    /// The terminal of newlines, whose column counts.
    Newline(TerminalId),
    /// Begins a block, and reads nothing.
    Indent,
    /// Ends a block, and reads nothing.
    Dedent,
    Token(TokenId),
    Call(RuleId),
    /// A call of a rule of a source.
    Made(u32, RuleId),
    /// A terminal of a source, in a rule of that source.
    MadeTerminal(u32, TerminalId),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SketchNode {
    pub(crate) empty: Vec<u32>,
    pub(crate) edges: Vec<(Label, u32)>,
    /// Whether a rule ends here.
    pub(crate) last: bool,
}

/// All rules as networks with empty moves.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) nodes: Vec<SketchNode>,
    /// First and last node of each rule.
    pub(crate) ends: Vec<(u32, u32)>,
    limit: usize,
    layout: Option<Layout>,
}

impl Sketch {
    pub(crate) fn new(grammar: &Grammar, limits: &Limits) -> Result<Self, Error> {
        check("rules", "rules", limits.rules as u64, grammar.rules.len() as u64)?;
        let mut sketch = Self {
            nodes: Vec::new(),
            ends: Vec::new(),
            limit: limits.rules.saturating_mul(8),
            layout: grammar.layout,
        };
        let (mut nullable, mut void) = (Vec::new(), Vec::new());
        for terminal in &grammar.terminals {
            let facts = Facts::of(&terminal.whole(), grammar.ending == Ending::Free, limits)?;
            nullable.push(facts.nullable);
            void.push(facts.blank);
        }
        for rule in &grammar.rules {
            let (first, last) = (sketch.node()?, sketch.node()?);
            sketch.nodes[last as usize].last = true;
            sketch.ends.push((first, last));
            sketch.lower(&rule.body, first, last, &nullable, &void)?;
        }
        sketch.skip_nullable_calls();
        sketch.prune();
        Ok(sketch)
    }

    fn node(&mut self) -> Result<u32, Error> {
        check("nodes of all rules", "rules", self.limit as u64, self.nodes.len() as u64 + 1)?;
        self.nodes.push(SketchNode::default());
        Ok(self.nodes.len() as u32 - 1)
    }

    fn lower(
        &mut self,
        expr: &Expr,
        from: u32,
        to: u32,
        nullable: &[bool],
        void: &[bool],
    ) -> Result<(), Error> {
        match expr {
            Expr::Empty => self.nodes[from as usize].empty.push(to),
            Expr::Terminal(t) if self.layout.is_some_and(|l| l.is_zero_width(*t)) => {
                let indent = self.layout.is_some_and(|l| l.indent == *t);
                let label = if indent { Label::Indent } else { Label::Dedent };
                self.nodes[from as usize].edges.push((label, to));
            }
            Expr::Terminal(t) => {
                if nullable[t.index()] {
                    self.nodes[from as usize].empty.push(to);
                }
                if !void[t.index()] {
                    let newline = self.layout.is_some_and(|l| l.newline == *t);
                    let label = if newline { Label::Newline(*t) } else { Label::Terminal(*t) };
                    self.nodes[from as usize].edges.push((label, to));
                }
            }
            Expr::Rule(r) => self.nodes[from as usize].edges.push((Label::Call(*r), to)),
            Expr::Made { source, rule } => {
                self.nodes[from as usize].edges.push((Label::Made(*source, *rule), to));
            }
            Expr::Token(t) => self.nodes[from as usize].edges.push((Label::Token(*t), to)),
            Expr::Seq(parts) => {
                let mut at = from;
                for (i, part) in parts.iter().enumerate() {
                    let next = if i + 1 == parts.len() { to } else { self.node()? };
                    self.lower(part, at, next, nullable, void)?;
                    at = next;
                }
                if parts.is_empty() {
                    self.nodes[from as usize].empty.push(to);
                }
            }
            Expr::Alt(parts) => {
                for part in parts {
                    self.lower(part, from, to, nullable, void)?;
                }
            }
            Expr::Repeat { body, min, max } => {
                let mut at = from;
                for _ in 0..*min {
                    let next = self.node()?;
                    self.lower(body, at, next, nullable, void)?;
                    at = next;
                }
                let Some(max) = max else {
                    // A node of its own for the loop: `from` may have other ways out.
                    let head = self.node()?;
                    self.nodes[at as usize].empty.push(head);
                    self.lower(body, head, head, nullable, void)?;
                    self.nodes[head as usize].empty.push(to);
                    return Ok(());
                };
                for _ in *min..*max {
                    self.nodes[at as usize].empty.push(to);
                    let next = self.node()?;
                    self.lower(body, at, next, nullable, void)?;
                    at = next;
                }
                self.nodes[at as usize].empty.push(to);
            }
        }
        Ok(())
    }

    /// Spreads a property of rules: `known(rule)` once its last node is reached from its first by edges that hold.
    /// Returns the rules that have it. Linear in the size of the network.
    fn spread(&self, passes: impl Fn(Label) -> bool) -> Vec<bool> {
        let mut holds = vec![false; self.ends.len()];
        let mut reached = vec![false; self.nodes.len()];
        let mut last_of = vec![None; self.nodes.len()];
        let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); self.ends.len()];
        let mut todo = Vec::new();
        for (rule, &(first, last)) in self.ends.iter().enumerate() {
            last_of[last as usize] = Some(rule);
            todo.push(first);
        }
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            if let Some(rule) = last_of[node as usize] {
                holds[rule] = true;
                todo.append(&mut waiting[rule]);
            }
            todo.extend(&self.nodes[node as usize].empty);
            for &(label, to) in &self.nodes[node as usize].edges {
                match label {
                    Label::Call(rule) if holds[rule.index()] => todo.push(to),
                    Label::Call(rule) => waiting[rule.index()].push(to),
                    other if passes(other) => todo.push(to),
                    _ => {}
                }
            }
        }
        holds
    }

    fn skip_nullable_calls(&mut self) {
        let nullable = self.spread(|_| false);
        for node in &mut self.nodes {
            for &(label, to) in &node.edges {
                if matches!(label, Label::Call(rule) if nullable[rule.index()]) {
                    node.empty.push(to);
                }
            }
        }
    }

    /// Drops calls of rules that produce nothing, and what cannot reach the end of its rule.
    fn prune(&mut self) {
        let productive = self.spread(|_| true);
        for node in &mut self.nodes {
            node.edges
                .retain(|&(label, _)| !matches!(label, Label::Call(r) if !productive[r.index()]));
        }
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (from, node) in self.nodes.iter().enumerate() {
            for to in node.empty.iter().copied().chain(node.edges.iter().map(|e| e.1)) {
                back[to as usize].push(from as u32);
            }
        }
        let mut alive = vec![false; self.nodes.len()];
        let mut todo: Vec<u32> = self.ends.iter().map(|e| e.1).collect();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut alive[node as usize], true) {
                todo.append(&mut back[node as usize]);
            }
        }
        for node in &mut self.nodes {
            node.empty.retain(|&to| alive[to as usize]);
            node.edges.retain(|&(_, to)| alive[to as usize]);
        }
    }

    /// The node and what empty moves lead to from it.
    pub(crate) fn closure(&self, node: u32, seen: &mut Vec<u32>) {
        seen.clear();
        let mut known = rustc_hash::FxHashSet::default();
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if known.insert(node) {
                seen.push(node);
                todo.extend(&self.nodes[node as usize].empty);
            }
        }
    }
}
