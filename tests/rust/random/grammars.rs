//! Random grammars with recursion of all kinds.

use super::notation::Notation;
use super::patterns::{Kind, pattern};
use crate::support::random::Random;
use stackmask::pattern::Pattern;
use stackmask::{Ending, Expr, Grammar, RuleId, TerminalId};

/// The right-hand side of a rule, with rules and terminals by number.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Empty,
    Terminal(usize),
    Rule(usize),
    Seq(Vec<Node>),
    Alt(Vec<Node>),
    Repeat(Box<Node>, u32, Option<u32>),
}

/// A grammar in neither form yet.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) start: usize,
    pub(crate) rules: Vec<Node>,
    pub(crate) terminals: Vec<Pattern>,
    pub(crate) ignore: Vec<usize>,
}

impl Model {
    /// Three rules or more over a few terminals, which overlap because their alphabet is small.
    pub(crate) fn random(random: &mut Random, kind: Kind) -> Self {
        let count = random.between(3, 6);
        let terminals: Vec<Pattern> =
            (0..random.between(2, 5)).map(|_| pattern(random, kind, 2)).collect();
        let shape = Shape { rules: count, terminals: terminals.len() };
        let rules = (0..count).map(|rule| shape.rule(random, rule)).collect();
        Self { start: random.below(count), rules, terminals, ignore: Vec::new() }
    }

    /// As the engine's IR.
    pub(crate) fn grammar(&self, ending: Ending) -> Grammar {
        let mut grammar = Grammar::new(ending);
        for (i, pattern) in self.terminals.iter().enumerate() {
            grammar.terminal(format!("T{i}"), pattern.clone());
        }
        for (i, node) in self.rules.iter().enumerate() {
            grammar.rule(format!("r{i}"), expr(node));
        }
        grammar.start = RuleId(self.start as u32);
        grammar.ignore = self.ignore.iter().map(|&t| TerminalId(t as u32)).collect();
        grammar
    }

    /// In the reference's notation.
    pub(crate) fn notation(&self) -> String {
        let mut notation = Notation::new();
        notation.line("start", &[format!("r{}", self.start)]);
        for (i, pattern) in self.terminals.iter().enumerate() {
            let body = notation.pattern(pattern);
            notation.line(&format!("t{i}"), &[body]);
        }
        for (i, node) in self.rules.iter().enumerate() {
            let body = notation.node(node);
            notation.line(&format!("r{i}"), &[body]);
        }
        notation.finish()
    }
}

fn expr(node: &Node) -> Expr {
    match node {
        Node::Empty => Expr::Empty,
        Node::Terminal(t) => Expr::Terminal(TerminalId(*t as u32)),
        Node::Rule(r) => Expr::Rule(RuleId(*r as u32)),
        Node::Seq(parts) => Expr::Seq(parts.iter().map(expr).collect()),
        Node::Alt(parts) => Expr::Alt(parts.iter().map(expr).collect()),
        Node::Repeat(body, min, max) => {
            Expr::Repeat { body: Box::new(expr(body)), min: *min, max: *max }
        }
    }
}

struct Shape {
    rules: usize,
    terminals: usize,
}

impl Shape {
    fn rule(&self, random: &mut Random, rule: usize) -> Node {
        let mut alternatives: Vec<Node> = Vec::new();
        // What recursion rarely becomes by chance is put in on purpose.
        if random.chance(50) {
            alternatives.push(self.recursion(random, rule));
        }
        if random.chance(25) {
            alternatives.push(Node::Empty);
        }
        for _ in 0..random.between(1, 2) {
            alternatives.push(self.sequence(random, 2));
        }
        // The order must not matter.
        let turn = random.below(alternatives.len());
        alternatives.rotate_left(turn);
        if alternatives.len() == 1 { alternatives.remove(0) } else { Node::Alt(alternatives) }
    }

    fn recursion(&self, random: &mut Random, rule: usize) -> Node {
        let own = Node::Rule(rule);
        let other = Node::Rule(random.below(self.rules));
        let terminal = self.terminal(random);
        let nullable = Node::Alt(vec![Node::Empty, self.atom(random, 1)]);
        Node::Seq(match random.below(9) {
            0 => vec![own, terminal],
            1 => vec![terminal, own],
            2 => vec![terminal, own, self.terminal(random)],
            3 => vec![own.clone(), own],
            4 => vec![nullable, own, terminal],
            5 => vec![other, own, terminal],
            6 => vec![own.clone(), terminal, own],
            7 => vec![terminal, own, nullable],
            _ => vec![Node::Repeat(Box::new(other), 0, None), own, terminal],
        })
    }

    fn sequence(&self, random: &mut Random, depth: usize) -> Node {
        match random.below(4) {
            0 => self.atom(random, depth),
            1 | 2 => Node::Seq((0..2).map(|_| self.atom(random, depth)).collect()),
            _ => Node::Seq((0..3).map(|_| self.atom(random, depth)).collect()),
        }
    }

    fn atom(&self, random: &mut Random, depth: usize) -> Node {
        match random.below(if depth == 0 { 10 } else { 13 }) {
            0..=5 => self.terminal(random),
            6..=9 => Node::Rule(random.below(self.rules)),
            10 => Node::Alt((0..2).map(|_| self.sequence(random, depth - 1)).collect()),
            _ => {
                let min = random.below(3) as u32;
                let max = random.chance(60).then(|| min + random.below(3) as u32);
                Node::Repeat(Box::new(self.atom(random, depth - 1)), min, max)
            }
        }
    }

    fn terminal(&self, random: &mut Random) -> Node {
        Node::Terminal(random.below(self.terminals))
    }
}
