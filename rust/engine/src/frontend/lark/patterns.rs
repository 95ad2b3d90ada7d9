//! The terminals of a grammar: which are one, which are needed, and their patterns.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ast::{Alternatives, Ast, DefId, Flags, Literal, LiteralKind};
use super::load::Loaded;
use super::terminals::{Builder, Node};
use super::width::widths;
use crate::error::Error;
use crate::grammar::Grammar;

/// What a terminal of the grammar is.
#[derive(Clone, Copy)]
pub(super) enum Used<'a> {
    Named(DefId),
    Anonymous(&'a Literal),
}

/// A literal's content: equal ones are one terminal.
pub(super) type Content<'a> = (bool, &'a str, Flags);

/// Which terminals are used, in rules or in terminals that are.
pub(super) fn needed(
    used: &[Used<'_>],
    loaded: &Loaded,
    order: &[(DefId, Vec<DefId>)],
) -> Vec<bool> {
    let mut needed = vec![false; loaded.definitions.all.len()];
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

pub(super) fn content(literal: &Literal) -> Content<'_> {
    (literal.kind == LiteralKind::String, &literal.value, literal.flags)
}

/// The terminals that are one literal, directly or by way of another terminal.
pub(super) fn contents<'a>(
    loaded: &'a Loaded,
    order: &[(DefId, Vec<DefId>)],
) -> FxHashMap<Content<'a>, DefId> {
    let mut of: Vec<Option<Content<'a>>> = vec![None; loaded.definitions.all.len()];
    for (terminal, parts) in order {
        let body = loaded.definitions.all[*terminal].body.as_deref();
        if let Some([only]) = body
            && let [ast] = &only.parts[..]
        {
            of[*terminal] = match ast {
                Ast::Literal(literal) => Some(content(literal)),
                Ast::Part(_) => parts.first().and_then(|&part| of[part]),
                _ => None,
            };
        }
    }
    let mut found = FxHashMap::default();
    for (_, id) in &loaded.scope.entries {
        if let Some(content) = of[*id] {
            found.insert(content, *id);
        }
    }
    found
}

/// Makes the patterns of the used terminals. Others are left unread, as Lark leaves them.
pub(super) fn fill<'a>(
    grammar: &mut Grammar,
    used: &[Used<'a>],
    loaded: &'a Loaded,
    order: &[(DefId, Vec<DefId>)],
    needed: &[bool],
    builder: &mut Builder<'_>,
) -> Result<(), Error> {
    let all = &loaded.definitions.all;
    let mut nodes: Vec<Option<Rc<Node<'a>>>> = vec![None; all.len()];
    for &(terminal, _) in order {
        if needed[terminal]
            && let Some(body) = &all[terminal].body
        {
            let mut reader = Reader { nodes: &nodes, builder };
            nodes[terminal] = Some(reader.alternatives(body)?);
        }
    }
    for (used, terminal) in used.iter().zip(&mut grammar.terminals) {
        let (node, at) = match *used {
            Used::Named(id) => {
                let imported = loaded.imported.get(&id).copied();
                (nodes[id].clone(), imported.unwrap_or(all[id].name.at))
            }
            Used::Anonymous(literal) => (Some(builder.literal(literal)), literal.at),
        };
        // One that is only declared keeps the pattern that matches nothing.
        let Some(node) = node else { continue };
        terminal.pattern = builder.pattern(&node)?;
        if widths(&terminal.pattern).min == 0 {
            let message = format!(
                "terminal `{}` can match the empty string, but must match a character",
                terminal.name
            );
            return Err(builder.error(at, message));
        }
    }
    Ok(())
}

/// Reads the body of a terminal.
struct Reader<'a, 'r, 'l> {
    nodes: &'r [Option<Rc<Node<'a>>>],
    builder: &'r mut Builder<'l>,
}

impl<'a> Reader<'a, '_, '_> {
    fn alternatives(&mut self, body: &'a Alternatives) -> Result<Rc<Node<'a>>, Error> {
        let mut options = Vec::with_capacity(body.len());
        for alternative in body {
            let parts = alternative.parts.iter().map(|ast| self.node(ast));
            let parts = parts.collect::<Result<Vec<_>, _>>()?;
            options.push(self.builder.concat(parts)?);
        }
        self.builder.alt(options)
    }

    fn node(&mut self, ast: &'a Ast) -> Result<Rc<Node<'a>>, Error> {
        match ast {
            Ast::Literal(literal) => Ok(self.builder.literal(literal)),
            Ast::Group(body) => self.alternatives(body),
            Ast::Repeat { body, min, max, form } => {
                let body = self.node(body)?;
                self.builder.repeat(&body, *min, *max, *form)
            }
            Ast::Part(id) => match &self.nodes[*id] {
                Some(node) => Ok(Rc::clone(node)),
                None => self.builder.concat(Vec::new()),
            },
            Ast::Rule(_) | Ast::Terminal(_) | Ast::Template(..) => self.builder.concat(Vec::new()),
        }
    }
}
