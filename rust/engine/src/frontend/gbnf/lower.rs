//! Rules to a grammar. What is regular becomes terminals, as large as they get: the fewer there are, the less the rules have
//! to be walked. Where terminals may end anywhere, the language stays the same.

use super::{Item, Named};
use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar};
use crate::ids::{RuleId, TerminalId};
use crate::limits::Limits;
use crate::pattern::Pattern;

/// Parts of the patterns that stand in for a rule where it is called; of larger ones there is one terminal.
const INLINED: usize = 200;
/// Nesting of such patterns.
const DEPTH: usize = 24;

pub(super) fn lower(rules: &[Named], start: usize, limits: &Limits) -> Result<Grammar, Error> {
    let mut lowering =
        Lowering { grammar: Grammar::new(Ending::Free), inlined: vec![None; rules.len()], limits };
    for rule in rules {
        lowering.grammar.rule(&rule.name, Expr::Empty);
    }
    lowering.grammar.start = RuleId(start as u32);
    for number in order(rules) {
        let Some(body) = &rules[number].body else { continue };
        let body = match lowering.item(body)? {
            Part::Pattern(pattern) => {
                let (size, depth) = measure(&pattern);
                if size <= INLINED && depth <= DEPTH {
                    lowering.inlined[number] = Some(pattern.clone());
                }
                lowering.terminal(&rules[number].name, pattern)?
            }
            Part::Expr(expr) => expr,
        };
        lowering.grammar.rules[number].body = body;
    }
    Ok(lowering.grammar)
}

/// The rules, each behind those that it calls as far as there are no circles.
fn order(rules: &[Named]) -> Vec<usize> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); rules.len()];
    let mut waits: Vec<usize> = vec![0; rules.len()];
    for (number, rule) in rules.iter().enumerate() {
        let mut called = Vec::new();
        rule.body.iter().for_each(|body| calls(body, &mut called));
        called.sort_unstable();
        called.dedup();
        waits[number] = called.len();
        for callee in called {
            callers[callee].push(number);
        }
    }
    let mut order: Vec<usize> = (0..rules.len()).filter(|&rule| waits[rule] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &caller in &callers[order[at]] {
            waits[caller] -= 1;
            if waits[caller] == 0 {
                order.push(caller);
            }
        }
        at += 1;
    }
    order.extend((0..rules.len()).filter(|&rule| waits[rule] > 0));
    order
}

fn calls(item: &Item, called: &mut Vec<usize>) {
    match item {
        Item::Rule(number) => called.push(*number),
        Item::Seq(items) | Item::Alt(items) => items.iter().for_each(|item| calls(item, called)),
        Item::Repeat { body, .. } => calls(body, called),
        Item::Chars(_) | Item::Token(_) => {}
    }
}

/// Parts of a pattern, and how deep it is nested.
fn measure(pattern: &Pattern) -> (usize, usize) {
    match pattern {
        Pattern::Concat(parts) | Pattern::Alt(parts) => {
            let inside = parts.iter().map(measure);
            inside.fold((1, 1), |(size, depth), (more, deep)| (size + more, depth.max(deep + 1)))
        }
        Pattern::Repeat { body, .. } => {
            let (size, depth) = measure(body);
            (size + 1, depth + 1)
        }
        Pattern::Bytes(bytes) => (1 + bytes.len() / 8, 1),
        _ => (1, 1),
    }
}

/// What an item became.
enum Part {
    Pattern(Pattern),
    Expr(Expr),
}

struct Lowering<'l> {
    grammar: Grammar,
    /// What stands in for a rule.
    inlined: Vec<Option<Pattern>>,
    limits: &'l Limits,
}

impl Lowering<'_> {
    fn item(&mut self, item: &Item) -> Result<Part, Error> {
        Ok(match item {
            Item::Chars(pattern) => Part::Pattern(pattern.clone()),
            Item::Token(id) => Part::Expr(Expr::Token(*id)),
            Item::Rule(number) => match &self.inlined[*number] {
                Some(pattern) => Part::Pattern(pattern.clone()),
                None => Part::Expr(Expr::Rule(RuleId(*number as u32))),
            },
            Item::Seq(items) => {
                let mut parts = Vec::new();
                for item in items {
                    self.push(&mut parts, item)?;
                }
                self.join(parts, Pattern::Concat, Expr::Seq)?
            }
            Item::Alt(items) => {
                // The order of alternatives does not matter, so that the regular ones come together.
                let (mut patterns, mut others) = (Vec::new(), Vec::new());
                for item in items {
                    match self.item(item)? {
                        Part::Pattern(pattern) => patterns.push(pattern),
                        other => others.push(other),
                    }
                }
                if !patterns.is_empty() {
                    others.insert(0, Part::Pattern(Pattern::Alt(patterns)));
                }
                self.join(others, Pattern::Alt, Expr::Alt)?
            }
            Item::Repeat { body, min, max } => match self.item(body)? {
                // Any number of any number is any number.
                Part::Pattern(Pattern::Repeat { body, min: 0, max: None, greedy })
                    if *max != Some(0) =>
                {
                    Part::Pattern(Pattern::Repeat { body, min: 0, max: None, greedy })
                }
                Part::Pattern(body) => Part::Pattern(Pattern::Repeat {
                    body: Box::new(body),
                    min: *min,
                    max: *max,
                    greedy: true,
                }),
                Part::Expr(body) => {
                    Part::Expr(Expr::Repeat { body: Box::new(body), min: *min, max: *max })
                }
            },
        })
    }

    /// Adds an item to a sequence; patterns beside each other become one.
    fn push(&mut self, parts: &mut Vec<Part>, item: &Item) -> Result<(), Error> {
        let part = self.item(item)?;
        match (parts.last_mut(), part) {
            (Some(Part::Pattern(Pattern::Concat(before))), Part::Pattern(pattern)) => {
                before.push(pattern);
            }
            (Some(Part::Pattern(before)), Part::Pattern(pattern)) => {
                let first = std::mem::replace(before, Pattern::Empty);
                *before = Pattern::Concat(vec![first, pattern]);
            }
            (_, part) => parts.push(part),
        }
        Ok(())
    }

    fn join(
        &mut self,
        mut parts: Vec<Part>,
        patterns: fn(Vec<Pattern>) -> Pattern,
        exprs: fn(Vec<Expr>) -> Expr,
    ) -> Result<Part, Error> {
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        if parts.is_empty() {
            return Ok(Part::Pattern(patterns(Vec::new())));
        }
        let mut joined = Vec::with_capacity(parts.len());
        for part in parts {
            joined.push(match part {
                Part::Pattern(pattern) => self.terminal("text", pattern)?,
                Part::Expr(expr) => expr,
            });
        }
        Ok(Part::Expr(exprs(joined)))
    }

    /// A terminal for a pattern, if it can match anything but the empty text.
    fn terminal(&mut self, name: &str, pattern: Pattern) -> Result<Expr, Error> {
        if matches!(pattern, Pattern::Empty) {
            return Ok(Expr::Empty);
        }
        let settled = pattern.settle_rounds(self.limits)?;
        let known = self.grammar.terminals.iter().rev().take(64).position(|t| t.pattern == settled);
        Ok(Expr::Terminal(match known {
            Some(back) => TerminalId((self.grammar.terminals.len() - 1 - back) as u32),
            None => self.grammar.terminal(name, settled),
        }))
    }
}
