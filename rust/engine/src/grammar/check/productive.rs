//! Which rules can produce a finite text.

use crate::grammar::{Expr, Grammar};

/// One expression of a rule's body, as it waits for what is in it.
struct Node {
    parent: Parent,
    /// How many of its children must still turn out productive before it is itself.
    needed: usize,
}

#[derive(Clone, Copy)]
enum Parent {
    Node(usize),
    Rule(usize),
}

struct Search<'a> {
    void: &'a [bool],
    nodes: Vec<Node>,
    /// For each rule, the nodes that refer to it.
    waiting: Vec<Vec<usize>>,
    /// Nodes that are productive, but whose parents do not know.
    pending: Vec<usize>,
}

/// For each rule, whether it can produce a finite text, where `void` are the terminals that match nothing.
///
/// Each expression is looked at once and reports to its parent once, so that the time is linear and no chain of rules
/// is too long.
pub(super) fn rules(grammar: &Grammar, void: &[bool]) -> Vec<bool> {
    let waiting = vec![Vec::new(); grammar.rules.len()];
    let mut search = Search { void, nodes: Vec::new(), waiting, pending: Vec::new() };
    for (index, rule) in grammar.rules.iter().enumerate() {
        search.plant(&rule.body, Parent::Rule(index));
    }
    let mut productive = vec![false; grammar.rules.len()];
    while let Some(node) = search.pending.pop() {
        match search.nodes[node].parent {
            Parent::Rule(rule) => {
                productive[rule] = true;
                for node in std::mem::take(&mut search.waiting[rule]) {
                    search.satisfy(node);
                }
            }
            Parent::Node(parent) => search.satisfy(parent),
        }
    }
    productive
}

impl Search<'_> {
    fn plant(&mut self, expr: &Expr, parent: Parent) {
        let node = self.nodes.len();
        let needed = match expr {
            Expr::Empty | Expr::Token(_) | Expr::Made { .. } => 0,
            Expr::Terminal(id) => usize::from(self.void[id.index()]),
            Expr::Rule(_) | Expr::Alt(_) => 1,
            Expr::Seq(parts) => parts.len(),
            // A contradiction waits for more than the one child that it has.
            Expr::Repeat { min, max: Some(max), .. } if max < min => 2,
            Expr::Repeat { min, .. } => usize::from(*min > 0),
        };
        self.nodes.push(Node { parent, needed });
        if needed == 0 {
            self.pending.push(node);
            return;
        }
        match expr {
            Expr::Empty | Expr::Token(_) | Expr::Terminal(_) | Expr::Made { .. } => {}
            Expr::Rule(id) => self.waiting[id.index()].push(node),
            Expr::Seq(parts) | Expr::Alt(parts) => {
                for part in parts {
                    self.plant(part, Parent::Node(node));
                }
            }
            Expr::Repeat { body, .. } => self.plant(body, Parent::Node(node)),
        }
    }

    /// Tells a node that one of its children, or the rule that it refers to, is productive.
    fn satisfy(&mut self, node: usize) {
        let needed = &mut self.nodes[node].needed;
        if *needed > 0 {
            *needed -= 1;
            if *needed == 0 {
                self.pending.push(node);
            }
        }
    }
}
