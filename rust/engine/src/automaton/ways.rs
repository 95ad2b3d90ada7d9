//! Made rules: how many bytes it takes at least to come to the end of one.
//!
//! A maker gives lower bounds, which can be far too low. [`Machine::settle_way`] makes a bound exact: it follows the
//! alternative that looks cheapest, makes the rules that it calls, and turns to another alternative once the first
//! has become dearer. Only what looks cheapest at some time is ever made. (Knuth's generalisation of shortest paths to
//! grammars, from the top down, with the makers' bounds as estimates.)

use rustc_hash::{FxHashMap, FxHashSet};

use super::fuel::Fuel;
use super::machine::Machine;
use super::made::SourceId;
use super::network::NodeId;
use super::sketch::Label;
use crate::error::Error;
use crate::ids::RuleId;

/// Edges that making one bound exact may look at.
const MOST: usize = 100_000;

/// What is known of the way from a made node to the end of its rule.
#[derive(Clone, Copy)]
struct Way {
    /// At least so many bytes.
    least: u32,
    exact: bool,
}

/// What is known of all of them.
#[derive(Default)]
pub(super) struct Ways {
    nodes: FxHashMap<NodeId, Way>,
    /// What makers say of rules.
    said: FxHashMap<(SourceId, RuleId), u32>,
}

impl Machine<'_> {
    /// Fewest bytes from a made node to the end of its rule, or fewer.
    #[cold]
    pub(super) fn made_rest(&self, id: NodeId) -> u32 {
        self.made_bound(&mut self.made().ways(), id)
    }

    /// The bound that is known of a node; the makers' if there is none yet.
    fn made_bound(&self, ways: &mut Ways, id: NodeId) -> u32 {
        if let Some(way) = ways.nodes.get(&id) {
            return way.least;
        }
        // The nodes of a made rule have no cycles.
        let mut todo = vec![id];
        while let Some(&id) = todo.last() {
            if ways.nodes.contains_key(&id) {
                todo.pop();
                continue;
            }
            let node = self.node(id);
            let open = todo.len();
            let mut least = if node.last { 0 } else { u32::MAX };
            for edge in &node.edges {
                match ways.nodes.get(&edge.to) {
                    Some(&Way { least: after, .. }) => {
                        let own = self.label_bound(ways, edge.label);
                        least = least.min(own.saturating_add(after));
                    }
                    None => todo.push(edge.to),
                }
            }
            if todo.len() == open {
                self.tables.meter.add(32);
                ways.nodes.insert(id, Way { least, exact: node.last });
            }
        }
        ways.nodes[&id].least
    }

    /// At least so many bytes are read by what an edge stands for.
    fn label_bound(&self, ways: &mut Ways, label: Label) -> u32 {
        match label {
            // One that cannot be made has at least a byte.
            Label::MadeTerminal(source, terminal) => {
                self.start_of_made(source, terminal).map_or(1, |pc| self.run().program.rest(pc))
            }
            Label::Made(source, rule) => {
                let made = self.made();
                let said = ways.said.entry((source, rule));
                let said = *said.or_insert_with(|| {
                    self.tables.meter.add(32);
                    made.shortest(source, rule)
                });
                let entry = made.entered(source, rule);
                match entry.and_then(|entry| ways.nodes.get(&entry.node)) {
                    Some(way) if way.exact => way.least,
                    way => said.max(way.map_or(0, |way| way.least)),
                }
            }
            _ => unreachable!("a made rule holds only what its source made"),
        }
    }

    /// Makes the bound of a made node exact, unless that takes too long.
    pub(super) fn settle_way(&self, id: NodeId, fuel: &mut Fuel) -> Result<(), Error> {
        if !self.is_made(id) {
            return Ok(());
        }
        let mut ways = self.made().ways();
        self.made_bound(&mut ways, id);
        let mut looked = 0;
        let mut path = vec![id];
        let mut on_path = FxHashSet::from_iter([id]);
        while let Some(&at) = path.last() {
            if !ways.nodes[&at].exact {
                looked += self.node(at).edges.len();
                if looked > MOST {
                    return Ok(());
                }
                let next = self.cheapest(&mut ways, at, fuel)?;
                match next {
                    // Bounds along a cycle grow with each round.
                    Some(next) if on_path.contains(&next) => {
                        while let Some(&last) = path.last()
                            && last != next
                        {
                            self.cheapest(&mut ways, last, fuel)?;
                            on_path.remove(&last);
                            path.pop();
                        }
                        continue;
                    }
                    Some(next) => {
                        on_path.insert(next);
                        path.push(next);
                        continue;
                    }
                    None => {}
                }
            }
            on_path.remove(&at);
            path.pop();
        }
        Ok(())
    }

    /// Works out a node's bound by those of its alternatives. Returns a part of the cheapest that is not exact; if
    /// there is none, the node's bound is.
    fn cheapest(
        &self,
        ways: &mut Ways,
        id: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<NodeId>, Error> {
        let node = self.node(id);
        let (least, open) = loop {
            let (mut least, mut best) = (u32::MAX, None);
            for edge in &node.edges {
                fuel.spend(1)?;
                let after = self.made_bound(ways, edge.to);
                let total = self.label_cost(ways, edge.label, fuel)?.saturating_add(after);
                if total < least {
                    (least, best) = (total, Some(edge));
                }
            }
            if node.last {
                break (0, None);
            }
            let Some(edge) = best else { break (least, None) };
            let after = (!ways.nodes[&edge.to].exact).then_some(edge.to);
            let Label::Made(source, rule) = edge.label else { break (least, after) };
            let entry = self.enter_made(source, rule, fuel)?.node;
            let said = self.label_bound(ways, edge.label);
            self.made_bound(ways, entry);
            if self.label_bound(ways, edge.label) == said {
                let open = (!ways.nodes[&entry].exact).then_some(entry);
                break (least, open.or(after));
            }
            // A rule that was made just now is dearer than its maker said.
        };
        if let Some(way) = ways.nodes.get_mut(&id) {
            way.least = way.least.max(least);
            way.exact = open.is_none();
        }
        Ok(open)
    }

    /// As [`Self::label_bound`], exact for terminals.
    fn label_cost(&self, ways: &mut Ways, label: Label, fuel: &mut Fuel) -> Result<u32, Error> {
        if let Label::MadeTerminal(source, terminal) = label {
            let (pc, run) = (self.start_of_made(source, terminal)?, self.run());
            if run.program.is_conditional(pc) {
                let start = self.tables.lexer.start(run, pc, fuel)?;
                return Ok(self.tables.lexer.get(start).rest());
            }
        }
        Ok(self.label_bound(ways, label))
    }
}
