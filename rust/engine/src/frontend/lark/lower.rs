//! Definitions to the IR. Templates become a rule for each list of arguments that they are given.

use rustc_hash::{FxHashMap, FxHashSet};

use super::LarkOptions;
use super::ast::{Alternatives, Ast, DefId, Literal, Name};
use super::duplicates::check_duplicates;
use super::indent::{Indenter, Named, lay_out};
use super::load::Loaded;
use super::order::terminal_order;
use super::patterns::{Content, Used, content, contents, fill, needed};
use super::terminals::Builder;
use crate::error::{Diagnostic, Error};
use crate::grammar::{Expr, Grammar, Layout};
use crate::ids::{RuleId, TerminalId};
use crate::limits::{Limits, check};
use crate::pattern::Pattern;

/// The longest name of a rule that a template makes, in bytes.
const NAME: usize = 200;

/// The grammar of all that can be reached from the start rule, with notes on what cannot.
pub(super) fn lower(
    loaded: &Loaded,
    options: &LarkOptions<'_>,
    limits: &Limits,
) -> Result<Grammar, Error> {
    let start = start(loaded, options.start)?;
    let order = terminal_order(loaded)?;
    let contents = contents(loaded, &order);
    check_duplicates(loaded, &contents)?;
    let mut lowering = Lowering {
        loaded,
        limits,
        contents,
        grammar: Grammar::new(options.ending),
        rules: FxHashMap::default(),
        queue: Vec::new(),
        terminals: FxHashMap::default(),
        anonymous: FxHashMap::default(),
        used: Vec::new(),
    };
    lowering.grammar.start = lowering.rule(start, Vec::new())?;
    let mut done = 0;
    while let Some((definition, arguments)) = lowering.queue.get(done).cloned() {
        let definition = &loaded.definitions.all[definition];
        if let Some(body) = &definition.body {
            let scope = Arguments { params: &definition.params, values: &arguments };
            lowering.grammar.rules[done].body = lowering.alternatives(body, &scope)?;
        }
        done += 1;
    }
    let mut ignored = FxHashSet::default();
    for (name, _) in &loaded.ignore {
        let Some(definition) = loaded.scope.get(name) else { continue };
        let id = lowering.terminal(definition);
        if ignored.insert(id) {
            lowering.grammar.ignore.push(id);
        }
    }
    let indented = options.indenter.map(|indenter| lowering.named(indenter)).transpose()?;
    let Lowering { mut grammar, used, rules, .. } = lowering;
    let needed = needed(&used, loaded, &order);
    grammar.notes = loaded.notes.clone();
    let reached: FxHashSet<DefId> = rules.keys().map(|(id, _)| *id).collect();
    let supplied = options.indenter.map(|i| [i.indent.as_str(), i.dedent.as_str()]);
    let used_by_rules = |id| reached.contains(&id) || needed[id];
    grammar.notes.extend(notes(loaded, used_by_rules, &supplied.unwrap_or_default()));
    let mut builder = Builder::new(&loaded.sources, options.flags, limits);
    fill(&mut grammar, &used, loaded, &order, &needed, &mut builder)?;
    match indented {
        Some(named) => lay_out(grammar, &named, limits),
        None => Ok(grammar),
    }
}

fn start(loaded: &Loaded, name: &str) -> Result<DefId, Error> {
    let found = loaded.scope.get(name).map(|id| (id, &loaded.definitions.all[id]));
    let message = match found {
        Some((id, definition)) if !definition.terminal && definition.params.is_empty() => {
            return Ok(id);
        }
        Some((_, definition)) if definition.terminal => {
            format!("`{name}` is a terminal: a grammar starts from a rule")
        }
        Some(_) => format!("`{name}` is a template: a grammar starts from a rule"),
        None if loaded.definitions.all.is_empty() => {
            format!("the grammar is empty: expected a rule `{name}`")
        }
        None => format!("no rule \"{name}\" to start from"),
    };
    Err(loaded.sources.0[0].error(0, message))
}

/// Remarks on what of the main file nothing uses (of what is imported, nobody uses all), and on what nothing defines.
/// `supplied` are terminals that the indenter makes.
fn notes(loaded: &Loaded, used: impl Fn(DefId) -> bool, supplied: &[&str]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for terminal in [false, true] {
        for (name, id) in &loaded.scope.entries {
            let definition = &loaded.definitions.all[*id];
            if definition.terminal != terminal || supplied.contains(&&**name) {
                continue;
            }
            let kind = super::scope::kind(terminal);
            let message = match (used(*id), definition.body.is_some()) {
                (true, true) => continue,
                (true, false) => {
                    format!(
                        "{kind} {name:?} is declared, and nothing supplies it: it never matches"
                    )
                }
                (false, _) if definition.name.at.file != 0 => continue,
                (false, _) => format!("{kind} {name:?} is unused"),
            };
            found.push(Diagnostic::new(message));
        }
    }
    found
}

/// What a parameter of a template stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Rule(RuleId),
    Terminal(TerminalId),
    Template(DefId),
}

struct Arguments<'s> {
    params: &'s [Name],
    values: &'s [Value],
}

impl Arguments<'_> {
    fn get(&self, name: &Name) -> Option<Value> {
        let index = self.params.iter().position(|p| p.text == name.text)?;
        self.values.get(index).copied()
    }
}

struct Lowering<'a> {
    loaded: &'a Loaded,
    limits: &'a Limits,
    /// The named terminals that are just one literal.
    contents: FxHashMap<Content<'a>, DefId>,
    grammar: Grammar,
    rules: FxHashMap<(DefId, Vec<Value>), RuleId>,
    /// The rules of the grammar, by id.
    queue: Vec<(DefId, Vec<Value>)>,
    terminals: FxHashMap<DefId, TerminalId>,
    anonymous: FxHashMap<Content<'a>, TerminalId>,
    /// The terminals of the grammar, by id.
    used: Vec<Used<'a>>,
}

impl<'a> Lowering<'a> {
    fn rule(&mut self, definition: DefId, arguments: Vec<Value>) -> Result<RuleId, Error> {
        let key = (definition, arguments);
        if let Some(&id) = self.rules.get(&key) {
            return Ok(id);
        }
        // A template can call itself with ever other arguments.
        let count = self.queue.len() as u64 + 1;
        check("rules of the grammar", "rules", self.limits.rules as u64, count)?;
        let name = self.rule_name(definition, &key.1);
        let id = self.grammar.rule(name, Expr::Alt(Vec::new()));
        self.queue.push(key.clone());
        self.rules.insert(key, id);
        Ok(id)
    }

    fn rule_name(&self, definition: DefId, arguments: &[Value]) -> String {
        let mut name = self.loaded.definitions.all[definition].name.text.to_string();
        for (index, argument) in arguments.iter().enumerate() {
            name.push(if index == 0 { '{' } else { ',' });
            name.push_str(match *argument {
                Value::Rule(id) => &self.grammar.rules[id.index()].name,
                Value::Terminal(id) => &self.grammar.terminals[id.index()].name,
                Value::Template(id) => &self.loaded.definitions.all[id].name.text,
            });
        }
        if !arguments.is_empty() {
            name.push('}');
        }
        if name.len() > NAME {
            let end = (0..=NAME).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
            name.truncate(end);
            name.push('…');
        }
        name
    }

    fn terminal(&mut self, terminal: DefId) -> TerminalId {
        if let Some(&id) = self.terminals.get(&terminal) {
            return id;
        }
        let name = self.loaded.definitions.all[terminal].name.text.to_string();
        let id = self.new_terminal(name, Used::Named(terminal));
        self.terminals.insert(terminal, id);
        id
    }

    /// The terminals that an indenter names.
    fn named(&mut self, indenter: &Indenter) -> Result<Named, Error> {
        let mut find = |name: &str, role: &str, declared: bool| {
            let found =
                self.loaded.scope.get(name).map(|id| (id, &self.loaded.definitions.all[id]));
            let problem = match found {
                Some((id, definition)) if definition.terminal => {
                    match (declared, definition.body.is_some()) {
                        (true, false) | (false, true) => return Ok(self.terminal(id)),
                        (true, true) => {
                            format!(
                                "has a pattern of its own, but reads nothing: `%declare {name}`"
                            )
                        }
                        (false, false) => "is declared, but has no pattern".to_owned(),
                    }
                }
                _ if declared => format!("is not in the grammar: `%declare {name}`"),
                _ => "is not in the grammar".to_owned(),
            };
            let message = format!("terminal `{name}`, {role} of the indenter, {problem}");
            Err(self.loaded.sources.0[0].error(0, message))
        };
        let layout = Layout {
            newline: find(&indenter.newline, "the newline", false)?,
            indent: find(&indenter.indent, "the indent", true)?,
            dedent: find(&indenter.dedent, "the dedent", true)?,
            tab: indenter.tab,
        };
        let named = |name: &str| {
            let id = self.loaded.scope.get(name)?;
            self.terminals.get(&id).copied()
        };
        let strings = self.anonymous.iter().filter(|(content, _)| content.0);
        let mut strings: Vec<_> =
            strings.map(|(content, &id)| (content.1.to_owned(), id)).collect();
        strings.sort_unstable_by_key(|(_, id)| id.0);
        let open = Indenter::brackets(&indenter.open, named, &strings);
        let close = Indenter::brackets(&indenter.close, named, &strings);
        Ok(Named { layout, open, close })
    }

    fn new_terminal(&mut self, name: String, used: Used<'a>) -> TerminalId {
        self.used.push(used);
        self.grammar.terminal(name, Pattern::Alt(Vec::new()))
    }

    fn literal(&mut self, literal: &'a Literal) -> TerminalId {
        let content = content(literal);
        if let Some(&named) = self.contents.get(&content) {
            return self.terminal(named);
        }
        if let Some(&id) = self.anonymous.get(&content) {
            return id;
        }
        let name = self.loaded.sources.text(literal.at, literal.len).to_owned();
        let id = self.new_terminal(name, Used::Anonymous(literal));
        self.anonymous.insert(content, id);
        id
    }

    fn alternatives(
        &mut self,
        body: &'a Alternatives,
        scope: &Arguments<'_>,
    ) -> Result<Expr, Error> {
        let mut options = Vec::with_capacity(body.len());
        for alternative in body {
            let parts = alternative.parts.iter().map(|ast| self.expr(ast, scope));
            let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
            options.push(match parts.len() {
                0 => Expr::Empty,
                1 => parts.remove(0),
                _ => Expr::Seq(parts),
            });
        }
        Ok(if options.len() == 1 { options.remove(0) } else { Expr::Alt(options) })
    }

    fn expr(&mut self, ast: &'a Ast, scope: &Arguments<'_>) -> Result<Expr, Error> {
        Ok(match ast {
            Ast::Group(body) => self.alternatives(body, scope)?,
            Ast::Repeat { body, min, max, .. } => {
                Expr::Repeat { body: Box::new(self.expr(body, scope)?), min: *min, max: *max }
            }
            Ast::Rule(name) | Ast::Terminal(name) | Ast::Template(name, _) => {
                match self.value(ast, scope)? {
                    Some(Value::Rule(id)) => Expr::Rule(id),
                    Some(Value::Terminal(id)) => Expr::Terminal(id),
                    Some(Value::Template(_)) => {
                        let word = self.loaded.sources.word(name.at);
                        let message = format!("template `{word}` needs its arguments here");
                        return Err(self.loaded.sources.error(name.at, message));
                    }
                    None => Expr::Alt(Vec::new()),
                }
            }
            Ast::Literal(literal) => Expr::Terminal(self.literal(literal)),
            Ast::Part(definition) => Expr::Terminal(self.terminal(*definition)),
        })
    }

    /// What a name, a literal or a template with its arguments stands for.
    fn value(&mut self, ast: &'a Ast, scope: &Arguments<'_>) -> Result<Option<Value>, Error> {
        let named = |name: &Name| match scope.get(name) {
            Some(value) => Some(value),
            None => {
                let id = self.loaded.scope.get(&name.text)?;
                let template = !self.loaded.definitions.all[id].params.is_empty();
                template.then_some(Value::Template(id))
            }
        };
        Ok(match ast {
            Ast::Literal(literal) => Some(Value::Terminal(self.literal(literal))),
            Ast::Rule(name) | Ast::Terminal(name) => match named(name) {
                Some(value) => Some(value),
                None => match self.loaded.scope.get(&name.text) {
                    Some(id) if self.loaded.definitions.all[id].terminal => {
                        Some(Value::Terminal(self.terminal(id)))
                    }
                    Some(id) => {
                        self.check_defined(id, name)?;
                        Some(Value::Rule(self.rule(id, Vec::new())?))
                    }
                    None => None,
                },
            },
            Ast::Template(name, arguments) => {
                let Some(Value::Template(id)) = named(name) else {
                    let word = self.loaded.sources.word(name.at);
                    let message = format!("`{word}` is no template here");
                    return Err(self.loaded.sources.error(name.at, message));
                };
                let expected = self.loaded.definitions.all[id].params.len();
                if expected != arguments.len() {
                    let word = self.loaded.sources.word(name.at);
                    let given = arguments.len();
                    let message = format!(
                        "`{word}` stands for a template that takes {expected} arguments, not {given}"
                    );
                    return Err(self.loaded.sources.error(name.at, message));
                }
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.extend(self.value(argument, scope)?);
                }
                Some(Value::Rule(self.rule(id, values)?))
            }
            Ast::Part(_) | Ast::Group(_) | Ast::Repeat { .. } => None,
        })
    }

    fn check_defined(&self, id: DefId, name: &Name) -> Result<(), Error> {
        if self.loaded.definitions.all[id].body.is_some() {
            return Ok(());
        }
        let word = self.loaded.sources.word(name.at);
        let message = format!("rule `{word}` is declared but not defined: %override defines it");
        Err(self.loaded.sources.error(name.at, message))
    }
}
