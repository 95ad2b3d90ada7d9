//! Indentation, as Lark's `Indenter` gives it to a grammar: which terminals count, and what brackets change.
//!
//! Lark drops newline terminals between brackets. Whether a place is between brackets can be told from the rules
//! alone, as long as each rule closes the brackets that it opens: each is written out once for outside of brackets
//! and, where it is called between some, once for inside.

use rustc_hash::FxHashMap;

use super::literal::lark_name;
use crate::error::Error;
use crate::grammar::{Expr, Grammar, Layout};
use crate::ids::{RuleId, TerminalId};
use crate::limits::{Limits, check};

/// What Lark's `Indenter` is told, under the names that it has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indenter {
    /// `NL_type`: the terminal of newlines.
    pub newline: String,
    /// `OPEN_PAREN_types`: terminals of opening brackets.
    pub open: Vec<String>,
    /// `CLOSE_PAREN_types`: terminals of closing brackets.
    pub close: Vec<String>,
    /// `INDENT_type`: the terminal that stands for an indent.
    pub indent: String,
    /// `DEDENT_type`: the terminal that stands for a dedent.
    pub dedent: String,
    /// `tab_len`: how many columns a tab is wide.
    pub tab: u32,
}

/// An [`Indenter`] whose names were looked up.
pub(super) struct Named {
    pub(super) layout: Layout,
    pub(super) open: Vec<TerminalId>,
    pub(super) close: Vec<TerminalId>,
}

impl Indenter {
    /// Looks the brackets up: `find` knows the named terminals of the grammar, `anonymous` are the others that are
    /// strings.
    pub(super) fn brackets(
        names: &[String],
        find: impl Fn(&str) -> Option<TerminalId>,
        anonymous: &[(String, TerminalId)],
    ) -> Vec<TerminalId> {
        let unnamed = |name: &str| {
            let found = anonymous.iter().find(|(text, _)| lark_name(text).as_deref() == Some(name));
            found.map(|(_, id)| *id)
        };
        names.iter().filter_map(|name| find(name).or_else(|| unnamed(name))).collect()
    }
}

/// Writes the rules out for outside and inside of brackets.
pub(super) fn lay_out(
    mut grammar: Grammar,
    named: &Named,
    limits: &Limits,
) -> Result<Grammar, Error> {
    let newline = &grammar.terminals[named.layout.newline.index()];
    let (name, pattern) = (newline.name.clone(), newline.pattern.clone());
    let ignored = grammar.terminal(name, pattern);
    let rules = std::mem::take(&mut grammar.rules);
    let mut writer = Writer { named, ignored, ids: FxHashMap::default(), queue: Vec::new() };
    grammar.start = writer.rule(grammar.start, false);
    let mut done = 0;
    while let Some(&(rule, inside)) = writer.queue.get(done) {
        check("rules of the grammar", "rules", limits.rules as u64, done as u64 + 1)?;
        let from = &rules[rule.index()];
        let start = Depth { brackets: u32::from(inside), blocks: 0 };
        let (body, end) = writer.expr(&from.body, start, start).map_err(|problem| {
            Error::Grammar(format!(
                "rule `{}` {problem}: with an indenter, each rule ends the blocks and brackets that it begins, and no \
                 others, whichever way it is taken",
                from.name
            ))
        })?;
        if end.is_some_and(|end| end != start) {
            return Err(Error::Grammar(format!(
                "rule `{}` begins a block or a bracket that it does not end: with an indenter, each rule ends those that \
                 it begins",
                from.name
            )));
        }
        let name = if inside { format!("{} in brackets", from.name) } else { from.name.clone() };
        grammar.rule(name, body);
        done += 1;
    }
    grammar.layout = Some(named.layout);
    Ok(grammar)
}

/// Brackets and blocks that are open at a place, as far as its rule knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Depth {
    brackets: u32,
    blocks: u32,
}

/// An expression written out, and how deep it ends, if it can be passed at all.
type Written = Result<(Expr, Option<Depth>), &'static str>;

const VOID: (Expr, Option<Depth>) = (Expr::Alt(Vec::new()), None);

struct Writer<'a> {
    named: &'a Named,
    /// The newline terminal as it is ignored between brackets.
    ignored: TerminalId,
    /// Rules by what they are written from, and whether inside of brackets.
    ids: FxHashMap<(RuleId, bool), RuleId>,
    queue: Vec<(RuleId, bool)>,
}

impl Writer<'_> {
    fn rule(&mut self, rule: RuleId, inside: bool) -> RuleId {
        *self.ids.entry((rule, inside)).or_insert_with(|| {
            self.queue.push((rule, inside));
            RuleId(self.queue.len() as u32 - 1)
        })
    }

    /// Writes an expression that begins at `depth`, in a rule that begins at `base`.
    fn expr(&mut self, expr: &Expr, depth: Depth, base: Depth) -> Written {
        Ok(match expr {
            Expr::Terminal(id) => return self.terminal(*id, depth, base),
            Expr::Rule(id) => (Expr::Rule(self.rule(*id, depth.brackets > 0)), Some(depth)),
            Expr::Empty | Expr::Token(_) | Expr::Made { .. } => (expr.clone(), Some(depth)),
            Expr::Seq(parts) => {
                let (mut written, mut at) = (Vec::with_capacity(parts.len()), depth);
                for part in parts {
                    let (part, end) = self.expr(part, at, base)?;
                    let Some(end) = end else { return Ok(VOID) };
                    written.push(part);
                    at = end;
                }
                (Expr::Seq(written), Some(at))
            }
            Expr::Alt(parts) => {
                let (mut written, mut at) = (Vec::with_capacity(parts.len()), None);
                for part in parts {
                    let (part, end) = self.expr(part, depth, base)?;
                    let Some(end) = end else { continue };
                    if *at.get_or_insert(end) != end {
                        return Err(
                            "has alternatives that leave different blocks or brackets open",
                        );
                    }
                    written.push(part);
                }
                (Expr::Alt(written), at)
            }
            &Expr::Repeat { ref body, min, max } => match self.expr(body, depth, base)? {
                (_, None) if min == 0 => (Expr::Empty, Some(depth)),
                (_, None) => VOID,
                (body, Some(end)) if end == depth => {
                    (Expr::Repeat { body: Box::new(body), min, max }, Some(depth))
                }
                _ => return Err("repeats what leaves a block or a bracket open"),
            },
        })
    }

    fn terminal(&mut self, id: TerminalId, depth: Depth, base: Depth) -> Written {
        let inside = depth.brackets > 0;
        let layout = self.named.layout;
        if id == layout.newline || layout.is_zero_width(id) {
            if inside {
                return Ok(VOID);
            }
            let blocks = if id == layout.indent {
                depth.blocks + 1
            } else if id == layout.newline {
                depth.blocks
            } else {
                depth.blocks.checked_sub(1).ok_or("ends a block that it does not begin")?
            };
            return Ok((Expr::Terminal(id), Some(Depth { blocks, ..depth })));
        }
        let mut brackets = depth.brackets;
        if self.named.open.contains(&id) {
            brackets += 1;
        }
        if self.named.close.contains(&id) {
            if brackets == base.brackets {
                return Err("closes a bracket that it does not open");
            }
            brackets -= 1;
        }
        let mut written = Expr::Terminal(id);
        if inside {
            let newlines = Box::new(Expr::Terminal(self.ignored));
            let before = Expr::Repeat { body: newlines, min: 0, max: None };
            written = Expr::Seq(vec![before, written]);
        }
        Ok((written, Some(Depth { brackets, ..depth })))
    }
}
