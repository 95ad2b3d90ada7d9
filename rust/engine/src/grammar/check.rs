//! What a grammar must have to be compiled, and what is worth a remark.

mod productive;

use crate::error::{Diagnostic, Error};
use crate::grammar::{Ending, Expr, Grammar};
use crate::ids::{RuleId, TerminalId};
use crate::limits::Limits;
use crate::terminal::Facts;

impl Grammar {
    /// Checks the grammar: ids in range, a start that produces a finite text, and no terminal in use that matches
    /// the empty string, unless terminals may end anywhere.
    ///
    /// Returns the notes of the front end, and remarks on rules that are unused or can never end and on terminals that
    /// are unused or match nothing.
    ///
    /// # Errors
    /// [`Error::Grammar`] by name; [`Error::TooComplex`] if it is not found out within the default limits whether a
    /// terminal with conditions matches anything.
    pub fn check(&self) -> Result<Vec<Diagnostic>, Error> {
        self.check_ids()?;
        let limits = Limits::default();
        let mut facts = Vec::with_capacity(self.terminals.len());
        for (id, terminal) in self.terminals.iter().enumerate() {
            let id = TerminalId(id as u32);
            facts.push(match self.layout {
                Some(layout) if layout.is_zero_width(id) => Facts { nullable: false, blank: false },
                _ => Facts::of(&terminal.whole(), self.ending == Ending::Free, &limits)?,
            });
        }
        let void: Vec<bool> = facts.iter().map(|facts| facts.void()).collect();
        let productive = productive::rules(self, &void);
        if !productive[self.start.index()] {
            return Err(Error::Grammar(format!(
                "rule {:?}, where the grammar starts, can produce no finite text",
                self.rules[self.start.index()].name
            )));
        }
        let used = Used::from_start(self);
        let mut remarks = self.notes.clone();
        let mut remark = |message: String| remarks.push(Diagnostic::new(message));
        for ((rule, &used), &productive) in self.rules.iter().zip(&used.rules).zip(&productive) {
            if !used {
                remark(format!("rule {:?} is unused", rule.name));
            }
            if !productive {
                remark(format!("rule {:?} can produce no finite text", rule.name));
            }
        }
        if self.ending != Ending::Free
            && let Some(terminal) = self.terminals.iter().find(|t| !t.also.is_empty())
        {
            return Err(Error::Grammar(format!(
                "terminal {:?} has further patterns, which only terminals that may end anywhere can have",
                terminal.name
            )));
        }
        if self.ending == Ending::Longest
            && let Some(terminal) = self.terminals.iter().find(|t| t.pattern.has_look())
        {
            return Err(Error::Grammar(format!(
                "terminal {:?} looks at the text around it, which is not supported where terminals end like this",
                terminal.name
            )));
        }
        for ((terminal, &used), facts) in self.terminals.iter().zip(&used.terminals).zip(&facts) {
            if !used {
                remark(format!("terminal {:?} is unused", terminal.name));
            } else if self.ending != Ending::Free && facts.nullable {
                return Err(Error::Grammar(format!(
                    "terminal {:?} can match the empty string; make it match something and mark it as optional \
                     where it is used",
                    terminal.name
                )));
            }
            if facts.void() {
                remark(format!("terminal {:?} matches nothing", terminal.name));
            }
        }
        Ok(remarks)
    }

    fn check_ids(&self) -> Result<(), Error> {
        if self.rules.is_empty() {
            return Err(Error::Grammar("the grammar has no rules".into()));
        }
        if self.start.index() >= self.rules.len() {
            return Err(out_of_range("the start", "rule", self.start.0, self.rules.len()));
        }
        for rule in &self.rules {
            let mut error = None;
            each_reference(&rule.body, &mut |reference| {
                let (kind, id, len) = match reference {
                    Reference::Rule(id) => ("rule", id.0, self.rules.len()),
                    Reference::Terminal(id) => ("terminal", id.0, self.terminals.len()),
                    Reference::Source(id) => ("source", id, self.sources.len()),
                };
                if id as usize >= len && error.is_none() {
                    error = Some(out_of_range(&format!("rule {:?}", rule.name), kind, id, len));
                }
            });
            if let Some(error) = error {
                return Err(error);
            }
        }
        let laid_out = self.layout.map(|layout| [layout.newline, layout.indent, layout.dedent]);
        if let Some(id) = laid_out.iter().flatten().find(|id| id.index() >= self.terminals.len()) {
            return Err(out_of_range("the layout", "terminal", id.0, self.terminals.len()));
        }
        match self.ignore.iter().find(|id| id.index() >= self.terminals.len()) {
            Some(id) => {
                Err(out_of_range("the ignore list", "terminal", id.0, self.terminals.len()))
            }
            None => Ok(()),
        }
    }
}

fn out_of_range(place: &str, kind: &str, id: u32, len: usize) -> Error {
    Error::Grammar(format!("{place} refers to {kind} number {id}, but the grammar has {len}"))
}

/// What an expression refers to.
#[derive(Clone, Copy)]
enum Reference {
    Rule(RuleId),
    Terminal(TerminalId),
    Source(u32),
}

fn each_reference(expr: &Expr, visit: &mut impl FnMut(Reference)) {
    match expr {
        Expr::Empty | Expr::Token(_) => {}
        Expr::Terminal(id) => visit(Reference::Terminal(*id)),
        Expr::Rule(id) => visit(Reference::Rule(*id)),
        Expr::Made { source, .. } => visit(Reference::Source(*source)),
        Expr::Seq(parts) | Expr::Alt(parts) => {
            for part in parts {
                each_reference(part, visit);
            }
        }
        Expr::Repeat { body, .. } => each_reference(body, visit),
    }
}

/// What the start rule refers to, directly or not, and what is ignored.
struct Used {
    rules: Vec<bool>,
    terminals: Vec<bool>,
}

impl Used {
    fn from_start(grammar: &Grammar) -> Self {
        let mut rules = vec![false; grammar.rules.len()];
        let mut terminals = vec![false; grammar.terminals.len()];
        for id in &grammar.ignore {
            terminals[id.index()] = true;
        }
        rules[grammar.start.index()] = true;
        let mut pending = vec![grammar.start];
        while let Some(rule) = pending.pop() {
            each_reference(&grammar.rules[rule.index()].body, &mut |reference| match reference {
                Reference::Terminal(id) => terminals[id.index()] = true,
                Reference::Source(_) => {}
                Reference::Rule(id) => {
                    if !std::mem::replace(&mut rules[id.index()], true) {
                        pending.push(id);
                    }
                }
            });
        }
        Self { rules, terminals }
    }
}

#[cfg(test)]
mod tests;
