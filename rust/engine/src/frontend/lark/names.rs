//! What is defined where, and that every name in use is.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Alternatives, Ast, Definition, Import, Item, LiteralKind, Name};
use super::source::Source;
use super::{COMMON, MAIN};
use crate::error::Error;

/// A literal's content: equal ones are one terminal.
pub(super) type Content<'a> = (LiteralKind, &'a str, super::ast::Flags);

/// A terminal with a definition.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) name: String,
    /// Where messages about the terminal point to: file and byte.
    pub(super) place: (usize, usize),
    /// The file whose names the body uses.
    pub(super) scope: usize,
    pub(super) body: &'a Alternatives<'a>,
}

/// All definitions of a grammar.
#[derive(Debug)]
pub(super) struct Names<'a, 's> {
    sources: &'s [Source<'a>],
    pub(super) rules: Vec<&'a Definition<'a>>,
    rule_ids: FxHashMap<&'a str, usize>,
    pub(super) terminals: Vec<Entry<'a>>,
    /// For each file, its terminals by their names there.
    scopes: [FxHashMap<&'a str, usize>; 2],
    /// The terminals between terminals.
    pub(super) ignore: Vec<usize>,
    /// Those of them that have names of their own.
    ignored_names: FxHashSet<usize>,
}

impl<'a, 's> Names<'a, 's> {
    /// Collects what the main file and the library define.
    pub(super) fn collect(
        main: &'a [Item<'a>],
        common: &'a [Item<'a>],
        sources: &'s [Source<'a>],
    ) -> Result<Self, Error> {
        let mut names = Self {
            sources,
            rules: Vec::new(),
            rule_ids: FxHashMap::default(),
            terminals: Vec::new(),
            scopes: Default::default(),
            ignore: Vec::new(),
            ignored_names: FxHashSet::default(),
        };
        for item in common {
            if let Item::Terminal(definition) = item {
                names.define(COMMON, definition)?;
            }
        }
        // Lark defines what is imported before all else.
        for item in main {
            if let Item::Import(import) = item {
                names.import(import)?;
            }
        }
        for item in main {
            match item {
                Item::Rule(definition) => {
                    let Name { text, at } = definition.name;
                    if names.rule_ids.insert(text, names.rules.len()).is_some() {
                        return Err(
                            sources[MAIN].error(at, format!("rule `{text}` is defined twice"))
                        );
                    }
                    names.rules.push(definition);
                }
                Item::Terminal(definition) => names.define(MAIN, definition)?,
                Item::Import(_) | Item::Ignore { .. } => {}
            }
        }
        names.check_rules()?;
        for item in main {
            if let Item::Ignore { at, body } = item {
                names.ignored(*at, body)?;
            }
        }
        Ok(names)
    }

    fn define(&mut self, file: usize, definition: &'a Definition<'a>) -> Result<(), Error> {
        let Name { text, at } = definition.name;
        if self.scopes[file].insert(text, self.terminals.len()).is_some() {
            return Err(self.sources[file].error(at, format!("terminal `{text}` is defined twice")));
        }
        self.terminals.push(Entry {
            name: text.to_owned(),
            place: (file, at),
            scope: file,
            body: &definition.body,
        });
        Ok(())
    }

    fn import(&mut self, import: &Import<'a>) -> Result<(), Error> {
        let Name { text, at } = import.name;
        let library = import.library.text;
        let Some(&found) = self.scopes[COMMON].get(text) else {
            return Err(
                self.sources[MAIN].error(at, format!("`{library}` has no terminal `{text}`"))
            );
        };
        let name = import.alias.unwrap_or(import.name);
        let body = self.terminals[found].body;
        if let Some(&earlier) = self.scopes[MAIN].get(name.text) {
            if std::ptr::eq(self.terminals[earlier].body, body) {
                return Ok(());
            }
            let message =
                format!("terminal `{}` is imported twice, as different terminals", name.text);
            return Err(self.sources[MAIN].error(name.at, message));
        }
        self.scopes[MAIN].insert(name.text, self.terminals.len());
        self.terminals.push(Entry {
            name: name.text.to_owned(),
            place: (MAIN, name.at),
            scope: COMMON,
            body,
        });
        Ok(())
    }

    /// `%ignore`: the terminal that it names, or a new one.
    fn ignored(&mut self, at: usize, body: &'a Alternatives<'a>) -> Result<(), Error> {
        if let [only] = &body[..]
            && let [Ast::Terminal(name)] = &only[..]
        {
            let terminal = self.terminal(MAIN, *name)?;
            if self.ignored_names.insert(terminal) {
                self.ignore.push(terminal);
            }
        } else {
            let name = format!("__IGNORE_{}", self.ignore.len());
            self.ignore.push(self.terminals.len());
            self.terminals.push(Entry { name, place: (MAIN, at), scope: MAIN, body });
        }
        Ok(())
    }

    /// The index of a rule.
    pub(super) fn rule(&self, name: Name<'_>) -> Result<usize, Error> {
        self.find_rule(name.text).ok_or_else(|| self.undefined(MAIN, "rule", name))
    }

    pub(super) fn find_rule(&self, name: &str) -> Option<usize> {
        self.rule_ids.get(name).copied()
    }

    /// The index of a terminal named in a file.
    pub(super) fn terminal(&self, file: usize, name: Name<'_>) -> Result<usize, Error> {
        self.scopes[file]
            .get(name.text)
            .copied()
            .ok_or_else(|| self.undefined(file, "terminal", name))
    }

    fn undefined(&self, file: usize, what: &str, name: Name<'_>) -> Error {
        let hint = if file == MAIN && self.scopes[COMMON].contains_key(name.text) {
            format!(" (`%import common.{}` defines it)", name.text)
        } else {
            String::new()
        };
        self.sources[file]
            .error(name.at, format!("{what} `{}` is used but not defined{hint}", name.text))
    }

    fn check_rules(&self) -> Result<(), Error> {
        for rule in &self.rules {
            each_name(&rule.body, &mut |ast| match ast {
                Ast::Rule(name) => self.rule(*name).map(drop),
                Ast::Terminal(name) => self.terminal(MAIN, *name).map(drop),
                _ => Ok(()),
            })?;
        }
        Ok(())
    }

    /// The terminals that a terminal is built of.
    fn parts(&self, entry: &Entry<'a>) -> Result<Vec<usize>, Error> {
        let mut parts = Vec::new();
        each_name(entry.body, &mut |ast| {
            match ast {
                Ast::Terminal(name) => parts.push(self.terminal(entry.scope, *name)?),
                Ast::Rule(name) => {
                    let message = format!(
                        "rule `{}` in terminal `{}`: terminals are built of terminals only",
                        name.text, entry.name
                    );
                    return Err(self.sources[entry.scope].error(name.at, message));
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(parts)
    }

    /// All terminals with their parts, parts before the terminals built of them.
    pub(super) fn terminal_order(&self) -> Result<Vec<(usize, Vec<usize>)>, Error> {
        let mut parts =
            self.terminals.iter().map(|e| self.parts(e)).collect::<Result<Vec<_>, _>>()?;
        // 0: not seen, 1: on the path, 2: done. The path is kept by hand, for it may be long.
        let mut state = vec![0_u8; parts.len()];
        let mut order = Vec::with_capacity(parts.len());
        for root in 0..parts.len() {
            if state[root] != 0 {
                continue;
            }
            state[root] = 1;
            let mut path = vec![(root, 0)];
            while let Some(top) = path.last_mut() {
                let terminal = top.0;
                let Some(&part) = parts[terminal].get(top.1) else {
                    state[terminal] = 2;
                    order.push(terminal);
                    path.pop();
                    continue;
                };
                top.1 += 1;
                match state[part] {
                    0 => {
                        state[part] = 1;
                        path.push((part, 0));
                    }
                    1 => return Err(self.recursion(part, &path)),
                    _ => {}
                }
            }
        }
        Ok(order.into_iter().map(|t| (t, std::mem::take(&mut parts[t]))).collect())
    }

    fn recursion(&self, terminal: usize, path: &[(usize, usize)]) -> Error {
        let start = path.iter().position(|&(t, _)| t == terminal).unwrap_or(0);
        let mut circle: Vec<&str> =
            path[start..].iter().take(10).map(|&(t, _)| self.terminals[t].name.as_str()).collect();
        circle.push(if path.len() - start > 10 { "…" } else { &self.terminals[terminal].name });
        let Entry { name, place: (file, at), .. } = &self.terminals[terminal];
        let message = format!(
            "terminal `{name}` is built of itself ({}): recursion is for rules, in lower case",
            circle.join(" -> ")
        );
        self.sources[*file].error(*at, message)
    }
}

/// Visits all names and literals of a body.
fn each_name<'a>(
    body: &'a Alternatives<'a>,
    visit: &mut impl FnMut(&'a Ast<'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    body.iter().flatten().try_for_each(|ast| each(ast, visit))
}

fn each<'a>(
    ast: &'a Ast<'a>,
    visit: &mut impl FnMut(&'a Ast<'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    match ast {
        Ast::Group(body) => each_name(body, visit),
        Ast::Repeat { body, .. } => each(body, visit),
        Ast::Rule(_) | Ast::Terminal(_) | Ast::Literal(_) => visit(ast),
    }
}
