//! Rules and terminals of sources: they enter the tables when a text first needs them.
//!
//! A made rule becomes nodes like those of the network, numbered from where the network's end. They are built from
//! the end of the rule to its start, each without empty moves, and equal nodes are one: rules that go on alike share
//! what goes on. What [`crate::grammar::source`] promises stands in for the passes over the whole grammar.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::core::Core;
use super::fuel::Fuel;
use super::machine::Machine;
use super::network::{Edge, Node, NodeId};
use super::position::Position;
use super::program::{Pc, Program};
use super::sketch::Label;
use super::table::{Keyed, Memo, Meter, Table};
use super::ways::Ways;
use crate::error::Error;
use crate::grammar::{Expr, Maker, Within};
use crate::ids::{RuleId, TerminalId};
use crate::limits::{Limits, check};

/// The number of a source in the grammar.
pub(crate) type SourceId = u32;

/// What one generation of tables has made of the grammar's sources.
pub(crate) struct Made {
    makers: Box<[Box<dyn Maker>]>,
    /// Bytes of each maker that were charged.
    charged: Box<[AtomicUsize]>,
    /// Number of the first node. The first few are those where a rule must end, see [`Made::end`].
    first: NodeId,
    nodes: Table<Node>,
    rules: Memo<(SourceId, RuleId), Entry>,
    terminals: Memo<(SourceId, TerminalId), Pc>,
    ways: Mutex<Ways>,
    count: AtomicU64,
    distinct: AtomicBool,
    pub(crate) program: Program,
}

/// Where a made rule begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) node: NodeId,
    /// Whether calls of it go to the stack.
    pub(crate) framed: bool,
}

impl Keyed for Node {
    type Key = Self;
    fn key(&self) -> &Self {
        self
    }
}

impl Made {
    /// `None` for a grammar without sources.
    pub(crate) fn new(core: &Core) -> Option<Box<Self>> {
        if core.sources.is_empty() {
            return None;
        }
        let made = Self {
            makers: core.sources.iter().map(|s| s.open()).collect(),
            charged: core.sources.iter().map(|_| AtomicUsize::new(0)).collect(),
            first: core.network.nodes.len() as NodeId,
            nodes: Table::new(),
            rules: Memo::new(),
            terminals: Memo::new(),
            ways: Mutex::default(),
            count: AtomicU64::new(0),
            distinct: AtomicBool::new(false),
            program: Program::on(Arc::clone(&core.program)),
        };
        for within in [Within::Caller, Within::Container, Within::DistinctItems] {
            made.nodes.insert(Node { last: true, within, ..Node::default() });
        }
        Some(Box::new(made))
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id - self.first)
    }

    /// The node where a rule must end.
    fn end(&self, within: Within) -> NodeId {
        self.first + within as NodeId
    }

    /// Where a rule begins that was made.
    pub(super) fn entered(&self, source: SourceId, rule: RuleId) -> Option<Entry> {
        self.rules.get((source, rule))
    }

    /// At least so many bytes are in any text of a rule.
    pub(super) fn shortest(&self, source: SourceId, rule: RuleId) -> u32 {
        self.makers[source as usize].shortest(rule)
    }

    /// What is known of the ways to the ends of rules.
    pub(super) fn ways(&self) -> MutexGuard<'_, Ways> {
        // Whatever is written is a bound that holds.
        self.ways.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Charges what a maker holds by now.
    fn charge(&self, source: SourceId, meter: &Meter) {
        let held = self.makers[source as usize].held_bytes();
        let charged = self.charged[source as usize].fetch_max(held, Ordering::Relaxed);
        meter.add(held.saturating_sub(charged));
    }

    /// Whether a maker made keys that may run out.
    pub(crate) fn has_scarce_keys(&self) -> bool {
        self.makers.iter().any(|m| m.has_scarce_keys())
    }

    /// Whether a rule was made of an array whose items must differ.
    pub(crate) fn has_distinct_items(&self) -> bool {
        self.distinct.load(Ordering::Acquire)
    }

    /// Whether half of what limits allow has been made.
    pub(crate) fn is_half_full(&self, limits: &Limits) -> bool {
        self.count.load(Ordering::Relaxed) > limits.rules as u64 / 2
            || self.program.len() as usize > limits.instructions / 2
    }
}

impl Machine<'_> {
    /// The node, of the network or of a made rule.
    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        match self.core.network.nodes.get(id as usize) {
            Some(node) => node,
            None => self.made().node(id),
        }
    }

    /// Fewest bytes from a node to the end of its rule, or fewer.
    pub(crate) fn node_rest(&self, id: NodeId) -> u32 {
        match self.core.network.rest.get(id as usize) {
            Some(&rest) => rest,
            None => self.made_rest(id),
        }
    }

    /// Whether a node is of a made rule.
    pub(super) fn is_made(&self, id: NodeId) -> bool {
        id as usize >= self.core.network.nodes.len()
    }

    /// Whether the text may stand within a rule of a source.
    pub(crate) fn is_in_source(&self, position: Position) -> bool {
        self.strands(position).any(|strand| {
            let items = &self.tables.locals.get(strand.local).items;
            items.iter().any(|item| self.is_made(item.node))
        })
    }

    pub(super) fn made(&self) -> &Made {
        self.tables.made.as_deref().expect("only a grammar with sources mentions what they make")
    }

    /// Where a rule of a source begins.
    pub(crate) fn enter_made(
        &self,
        source: SourceId,
        rule: RuleId,
        fuel: &mut Fuel,
    ) -> Result<Entry, Error> {
        let made = self.made();
        if let Some(entry) = made.rules.get((source, rule)) {
            return Ok(entry);
        }
        let limits = &self.core.limits;
        check("rules", "rules", limits.rules as u64, made.count.load(Ordering::Relaxed) + 1)?;
        let fresh = made.makers[source as usize].rule(rule)?;
        if fresh.within == Within::DistinctItems {
            made.distinct.store(true, Ordering::Release);
        }
        let meter = &self.tables.meter;
        let mut builder = Builder { made, source, within: fresh.within, meter, fuel };
        let first = builder.before(&fresh.body, made.end(fresh.within))?;
        if first.last || first.edges.is_empty() {
            return Err(broken(source, "rule", rule.0));
        }
        let entry = Entry { node: builder.intern(first), framed: fresh.framed };
        made.count.fetch_add(1, Ordering::Relaxed);
        made.charge(source, meter);
        self.tables.meter.add(64);
        Ok(made.rules.set((source, rule), entry))
    }

    /// Where a terminal of a source starts in the program.
    pub(crate) fn start_of_made(
        &self,
        source: SourceId,
        terminal: TerminalId,
    ) -> Result<Pc, Error> {
        let made = self.made();
        if let Some(pc) = made.terminals.get((source, terminal)) {
            return Ok(pc);
        }
        let fresh = made.makers[source as usize].terminal(terminal)?;
        let pattern = fresh.to_run()?;
        if pattern.is_nullable() || pattern.is_void() {
            return Err(broken(source, "terminal", terminal.0));
        }
        let pc = made.program.add(&pattern, Some(&self.tables.meter))?;
        self.check_writable(pc)?;
        made.charge(source, &self.tables.meter);
        self.tables.meter.add(48);
        Ok(made.terminals.set((source, terminal), pc))
    }
}

fn broken(source: SourceId, kind: &str, number: u32) -> Error {
    Error::Grammar(format!(
        "source {source} broke its promise: {kind} {number} can be empty or matches nothing"
    ))
}

/// From the body of a rule to nodes.
struct Builder<'a> {
    made: &'a Made,
    source: SourceId,
    within: Within,
    meter: &'a Meter,
    fuel: &'a mut Fuel,
}

impl Builder<'_> {
    fn intern(&self, node: Node) -> NodeId {
        let bytes = size_of::<Node>() + node.edges.len() * size_of::<Edge>() + 48;
        let (id, new) = self.made.nodes.insert(node);
        if new {
            self.meter.add(bytes);
        }
        self.made.first + id
    }

    /// The node from which `expr` leads to `next`.
    fn before(&mut self, expr: &Expr, next: NodeId) -> Result<Node, Error> {
        self.fuel.spend(1)?;
        let edge = |label, tail| {
            let edges = [Edge { label, to: next, tail }].into();
            Ok(Node { edges, last: false, within: self.within })
        };
        match expr {
            Expr::Empty => Ok(self.made.node(next).clone()),
            Expr::Terminal(terminal) => edge(Label::MadeTerminal(self.source, *terminal), false),
            Expr::Rule(rule) => {
                edge(Label::Made(self.source, *rule), next == self.made.end(self.within))
            }
            Expr::Seq(parts) => {
                let Some((first, others)) = parts.split_first() else {
                    return Ok(self.made.node(next).clone());
                };
                let mut next = next;
                for part in others.iter().rev() {
                    let node = self.before(part, next)?;
                    next = self.intern(node);
                }
                self.before(first, next)
            }
            Expr::Alt(parts) => {
                let mut edges = Vec::with_capacity(parts.len());
                let mut last = false;
                for part in parts {
                    let node = self.before(part, next)?;
                    edges.extend(node.edges);
                    last |= node.last;
                }
                Ok(self.merged(edges, last))
            }
            Expr::Repeat { body, min, max: Some(max) } => {
                let after = self.made.node(next).clone();
                let mut node = after.clone();
                for left in (1..=*max).rev() {
                    let next = if left == *max { next } else { self.intern(node) };
                    node = self.before(body, next)?;
                    if left > *min {
                        node = self
                            .merged([&*node.edges, &*after.edges].concat(), node.last | after.last);
                    }
                }
                Ok(node)
            }
            Expr::Repeat { max: None, .. } | Expr::Token(_) | Expr::Made { .. } => {
                Err(Error::Grammar(format!(
                    "source {} uses what has no place in a made rule: {expr:?}",
                    self.source
                )))
            }
        }
    }

    fn merged(&self, mut edges: Vec<Edge>, last: bool) -> Node {
        edges.sort_unstable();
        edges.dedup();
        Node { edges: edges.into(), last, within: self.within }
    }
}
