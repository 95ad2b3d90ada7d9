//! A context-free grammar over bytes, with what can never produce anything taken out.

use super::chart::Chart;
use super::notation::{self, Symbol};

/// A set of bytes.
pub(crate) type ByteSet = [bool; 256];

/// What stands at a place in a production.
#[derive(Debug)]
pub(crate) enum Slot {
    Byte(Box<ByteSet>),
    Rule(usize),
    /// The text must not go on with such bytes.
    Not(Vec<ByteSet>),
    /// The production of this rule ends here.
    End(usize),
}

/// All productions in one array, each closed by its [`Slot::End`]; rule 0 is the start.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(super) slots: Vec<Slot>,
    /// For each rule, where its productions start.
    pub(super) productions: Vec<Vec<u32>>,
    pub(super) nullable: Vec<bool>,
}

impl Grammar {
    /// Reads the notation of [`notation::read`]. Panics if it is malformed.
    pub(crate) fn parse(source: &str) -> Self {
        let rules = notation::read(source);
        let productive = closure(&rules, |s, known| match s {
            Symbol::Bytes(set) => set.contains(&true),
            Symbol::Rule(r) => known[*r],
            Symbol::Not(_) => true,
        });
        let nullable = closure(&rules, |s, known| match s {
            // What follows must be looked at: such a rule has to read something.
            Symbol::Bytes(_) | Symbol::Not(_) => false,
            Symbol::Rule(r) => known[*r],
        });
        let mut slots = Vec::new();
        let mut productions = vec![Vec::new(); rules.len()];
        for (rule, alternatives) in rules.into_iter().enumerate() {
            for symbols in alternatives {
                // An item is then viable whenever it exists: what stands after its dot can be produced.
                let ends = symbols.iter().all(|s| match s {
                    Symbol::Bytes(set) => set.contains(&true),
                    Symbol::Rule(r) => productive[*r],
                    Symbol::Not(_) => true,
                });
                if !ends {
                    continue;
                }
                productions[rule].push(slots.len() as u32);
                slots.extend(symbols.into_iter().map(|s| match s {
                    Symbol::Bytes(set) => Slot::Byte(set),
                    Symbol::Rule(r) => Slot::Rule(r),
                    Symbol::Not(sets) => Slot::Not(sets),
                }));
                slots.push(Slot::End(rule));
            }
        }
        Self { slots, productions, nullable }
    }

    /// Whether the start produces nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.productions[0].is_empty()
    }

    pub(crate) fn accepts(&self, bytes: &[u8]) -> bool {
        let mut chart = Chart::new(self);
        bytes.iter().all(|&b| chart.push(b)) && chart.accepts()
    }

    pub(crate) fn is_prefix(&self, bytes: &[u8]) -> bool {
        let mut chart = Chart::new(self);
        !self.is_empty() && bytes.iter().all(|&b| chart.push(b))
    }
}

/// The rules with an alternative of which every symbol `holds`, given the rules already known to.
fn closure(rules: &[Vec<Vec<Symbol>>], holds: impl Fn(&Symbol, &[bool]) -> bool) -> Vec<bool> {
    let mut known = vec![false; rules.len()];
    loop {
        let before = known.clone();
        for (rule, alternatives) in rules.iter().enumerate() {
            known[rule] |= alternatives.iter().any(|a| a.iter().all(|s| holds(s, &before)));
        }
        if known == before {
            return known;
        }
    }
}
