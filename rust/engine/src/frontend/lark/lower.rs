//! Definitions to the IR.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ast::{Alternatives, Ast, Literal};
use super::names::{Content, Names};
use super::source::Source;
use super::terminals::{Builder, Node};
use super::width::widths;
use super::{COMMON, LarkOptions, MAIN};
use crate::error::{Diagnostic, Error};
use crate::grammar::{Expr, Grammar};
use crate::ids::{RuleId, TerminalId};
use crate::limits::Limits;

/// The grammar of all that can be reached from the start rule, with notes on what cannot.
pub(super) fn lower<'a>(
    names: &Names<'a, '_>,
    sources: &[Source<'a>],
    options: &LarkOptions<'_>,
    limits: &Limits,
) -> Result<Grammar, Error> {
    let Some(start) = names.find_rule(options.start) else {
        let message = if names.rules.is_empty() && names.terminals.iter().all(|t| t.scope == COMMON)
        {
            format!("the grammar is empty: expected a rule `{}`", options.start)
        } else {
            format!("no rule \"{}\" to start from", options.start)
        };
        return Err(sources[MAIN].error(0, message));
    };
    let order = names.terminal_order()?;
    let mut lowering = Lowering {
        names,
        contents: contents(names, &order),
        grammar: Grammar::new(options.ending),
        rule_ids: vec![None; names.rules.len()],
        queue: Vec::new(),
        terminal_ids: vec![None; names.terminals.len()],
        anonymous: FxHashMap::default(),
        used: Vec::new(),
    };
    lowering.grammar.start = lowering.rule(start);
    let mut done = 0;
    while let Some(&rule) = lowering.queue.get(done) {
        lowering.grammar.rules[done].body = lowering.alternatives(&names.rules[rule].body)?;
        done += 1;
    }
    for &terminal in &names.ignore {
        let id = lowering.terminal(terminal);
        lowering.grammar.ignore.push(id);
    }
    let Lowering { mut grammar, used, rule_ids, .. } = lowering;
    let needed = needed(&used, names, &order);
    grammar.notes = notes(names, &rule_ids, &needed);
    let mut builder = Builder::new(sources, limits);
    fill(&mut grammar, &used, names, &order, &needed, &mut builder)?;
    Ok(grammar)
}

/// Which terminals are used, in rules or in terminals that are.
fn needed(used: &[Used<'_>], names: &Names<'_, '_>, order: &[(usize, Vec<usize>)]) -> Vec<bool> {
    let mut needed = vec![false; names.terminals.len()];
    for used in used {
        if let Used::Named(terminal) = *used {
            needed[terminal] = true;
        }
    }
    for (terminal, parts) in order.iter().rev() {
        if needed[*terminal] {
            parts.iter().for_each(|&part| needed[part] = true);
        }
    }
    needed
}

/// Remarks on the rules and terminals of the file that nothing uses. Of the library, nobody uses all.
fn notes(names: &Names<'_, '_>, rule_ids: &[Option<RuleId>], needed: &[bool]) -> Vec<Diagnostic> {
    let rules = names.rules.iter().zip(rule_ids).filter(|(_, id)| id.is_none());
    let terminals =
        names.terminals.iter().zip(needed).filter(|&(t, &needed)| !needed && t.scope == MAIN);
    let rules = rules.map(|(rule, _)| format!("rule {:?} is unused", rule.name.text));
    rules
        .chain(terminals.map(|(terminal, _)| format!("terminal {:?} is unused", terminal.name)))
        .map(Diagnostic::new)
        .collect()
}

/// What a terminal of the grammar is.
#[derive(Clone, Copy)]
enum Used<'a> {
    Named(usize),
    Anonymous(&'a Literal<'a>),
}

struct Lowering<'a, 'n, 's> {
    names: &'n Names<'a, 's>,
    /// The named terminals that are just one literal.
    contents: FxHashMap<Content<'a>, usize>,
    grammar: Grammar,
    rule_ids: Vec<Option<RuleId>>,
    /// The rules of the grammar, by id.
    queue: Vec<usize>,
    terminal_ids: Vec<Option<TerminalId>>,
    anonymous: FxHashMap<Content<'a>, TerminalId>,
    /// The terminals of the grammar, by id.
    used: Vec<Used<'a>>,
}

impl<'a> Lowering<'a, '_, '_> {
    fn rule(&mut self, rule: usize) -> RuleId {
        if let Some(id) = self.rule_ids[rule] {
            return id;
        }
        let id = self.grammar.rule(self.names.rules[rule].name.text, Expr::Empty);
        self.rule_ids[rule] = Some(id);
        self.queue.push(rule);
        id
    }

    fn terminal(&mut self, terminal: usize) -> TerminalId {
        if let Some(id) = self.terminal_ids[terminal] {
            return id;
        }
        let id =
            self.new_terminal(self.names.terminals[terminal].name.clone(), Used::Named(terminal));
        self.terminal_ids[terminal] = Some(id);
        id
    }

    fn new_terminal(&mut self, name: String, used: Used<'a>) -> TerminalId {
        self.used.push(used);
        self.grammar.terminal(name, crate::pattern::Pattern::Empty)
    }

    fn literal(&mut self, literal: &'a Literal<'a>) -> TerminalId {
        let content = content(literal);
        if let Some(&named) = self.contents.get(&content) {
            return self.terminal(named);
        }
        if let Some(&id) = self.anonymous.get(&content) {
            return id;
        }
        let id = self.new_terminal(literal.source.to_owned(), Used::Anonymous(literal));
        self.anonymous.insert(content, id);
        id
    }

    fn alternatives(&mut self, body: &'a Alternatives<'a>) -> Result<Expr, Error> {
        let mut options = Vec::with_capacity(body.len());
        for sequence in body {
            let mut parts =
                sequence.iter().map(|ast| self.expr(ast)).collect::<Result<Vec<_>, _>>()?;
            options.push(match parts.len() {
                0 => Expr::Empty,
                1 => parts.remove(0),
                _ => Expr::Seq(parts),
            });
        }
        Ok(if options.len() == 1 { options.remove(0) } else { Expr::Alt(options) })
    }

    fn expr(&mut self, ast: &'a Ast<'a>) -> Result<Expr, Error> {
        Ok(match ast {
            Ast::Rule(name) => {
                let rule = self.names.rule(*name)?;
                Expr::Rule(self.rule(rule))
            }
            Ast::Terminal(name) => {
                let terminal = self.names.terminal(MAIN, *name)?;
                Expr::Terminal(self.terminal(terminal))
            }
            Ast::Literal(literal) => Expr::Terminal(self.literal(literal)),
            Ast::Group(body) => self.alternatives(body)?,
            Ast::Repeat { body, min, max, .. } => {
                Expr::Repeat { body: Box::new(self.expr(body)?), min: *min, max: *max }
            }
        })
    }
}

fn content<'a>(literal: &'a Literal<'a>) -> Content<'a> {
    (literal.kind, &literal.value, literal.flags)
}

/// The terminals of the main file that are one literal, directly or by way of another terminal.
fn contents<'a>(
    names: &Names<'a, '_>,
    order: &[(usize, Vec<usize>)],
) -> FxHashMap<Content<'a>, usize> {
    let mut of: Vec<Option<Content<'a>>> = vec![None; names.terminals.len()];
    for (terminal, parts) in order {
        if let [only] = &names.terminals[*terminal].body[..]
            && let [ast] = &only[..]
        {
            of[*terminal] = match ast {
                Ast::Literal(literal) => Some(content(literal)),
                Ast::Terminal(_) => parts.first().and_then(|&part| of[part]),
                _ => None,
            };
        }
    }
    let mut found = FxHashMap::default();
    for (index, entry) in names.terminals.iter().enumerate() {
        if entry.place.0 == MAIN
            && let Some(content) = of[index]
        {
            found.insert(content, index);
        }
    }
    found
}

/// Makes the patterns of the used terminals. Others are left unread, as Lark leaves them.
fn fill<'a>(
    grammar: &mut Grammar,
    used: &[Used<'a>],
    names: &Names<'a, '_>,
    order: &[(usize, Vec<usize>)],
    needed: &[bool],
    builder: &mut Builder<'a, '_>,
) -> Result<(), Error> {
    let mut nodes: Vec<Option<Rc<Node<'a>>>> = vec![None; names.terminals.len()];
    for &(terminal, _) in order {
        if needed[terminal] {
            let entry = &names.terminals[terminal];
            let mut reader = Reader { names, nodes: &nodes, scope: entry.scope, builder };
            nodes[terminal] = Some(reader.alternatives(entry.body)?);
        }
    }
    for (used, terminal) in used.iter().zip(&mut grammar.terminals) {
        let (node, (file, at)) = match *used {
            Used::Named(index) => (nodes[index].clone(), names.terminals[index].place),
            Used::Anonymous(literal) => (Some(builder.literal(literal, MAIN)), (MAIN, literal.at)),
        };
        if let Some(node) = node {
            terminal.pattern = builder.pattern(&node)?;
        }
        if widths(&terminal.pattern).min == 0 {
            let message = format!(
                "terminal `{}` can match the empty string, but must match a character",
                terminal.name
            );
            return Err(builder.error(file, at, message));
        }
    }
    Ok(())
}

/// Reads the body of a terminal.
struct Reader<'a, 'r, 's, 'l> {
    names: &'r Names<'a, 's>,
    nodes: &'r [Option<Rc<Node<'a>>>],
    scope: usize,
    builder: &'r mut Builder<'a, 'l>,
}

impl<'a> Reader<'a, '_, '_, '_> {
    fn alternatives(&mut self, body: &'a Alternatives<'a>) -> Result<Rc<Node<'a>>, Error> {
        let mut options = Vec::with_capacity(body.len());
        for sequence in body {
            let parts = sequence.iter().map(|ast| self.node(ast)).collect::<Result<Vec<_>, _>>()?;
            options.push(self.builder.concat(parts)?);
        }
        self.builder.alt(options)
    }

    fn node(&mut self, ast: &'a Ast<'a>) -> Result<Rc<Node<'a>>, Error> {
        match ast {
            Ast::Literal(literal) => Ok(self.builder.literal(literal, self.scope)),
            Ast::Group(body) => self.alternatives(body),
            Ast::Repeat { body, min, max, form } => {
                let body = self.node(body)?;
                self.builder.repeat(&body, *min, *max, *form)
            }
            Ast::Terminal(name) => match &self.nodes[self.names.terminal(self.scope, *name)?] {
                Some(node) => Ok(Rc::clone(node)),
                None => self.builder.concat(Vec::new()),
            },
            Ast::Rule(_) => self.builder.concat(Vec::new()),
        }
    }
}
