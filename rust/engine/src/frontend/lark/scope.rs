//! The definitions that a file ends up with, by name.

use rustc_hash::FxHashMap;

use super::ast::{Alternative, Alternatives, Ast, DefId, Definition, How, Name, each, each_mut};
use super::source::{At, Sources};
use crate::error::Error;

/// All definitions ever made. Some are not in the scope of the main file, but terminals in it are built of them.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) all: Vec<Definition>,
    /// What `%extend` added to each, latest last.
    extensions: FxHashMap<DefId, Vec<Alternatives>>,
}

impl Definitions {
    pub(super) fn add(&mut self, definition: Definition) -> DefId {
        self.all.push(definition);
        self.all.len() - 1
    }

    /// Puts extensions in front of the bodies that they extend, the latest first, as Lark does.
    fn settle(&mut self, id: DefId) {
        let Some(added) = self.extensions.remove(&id) else { return };
        let Some(body) = &mut self.all[id].body else { return };
        let group = |body| Alternative { parts: vec![Ast::Group(body)], alias: None };
        body.splice(0..0, added.into_iter().rev().map(group));
    }
}

/// Names to definitions, in the order in which Lark keeps them.
#[derive(Debug, Default)]
pub(super) struct Scope {
    ids: FxHashMap<Box<str>, usize>,
    pub(super) entries: Vec<(Box<str>, DefId)>,
    /// Definitions whose bodies have names that were not looked up.
    fresh: Vec<DefId>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<DefId> {
        self.ids.get(name).map(|&entry| self.entries[entry].1)
    }

    /// Adds a name that is not there yet.
    pub(super) fn insert(&mut self, name: Box<str>, id: DefId) {
        self.ids.insert(name.clone(), self.entries.len());
        self.entries.push((name, id));
    }

    /// Adds an unnamed terminal, whose name no file can write.
    pub(super) fn insert_fresh(&mut self, name: Box<str>, id: DefId) {
        self.fresh.push(id);
        self.insert(name, id);
    }

    pub(super) fn define(
        &mut self,
        how: How,
        definition: Definition,
        definitions: &mut Definitions,
        sources: &Sources,
    ) -> Result<(), Error> {
        let at = definition.name.at;
        let kind = kind(definition.terminal);
        let word = sources.word(at);
        let found = self.ids.get(&definition.name.text).copied();
        let Some(entry) = found else {
            return match how {
                How::New if definition.name.text.starts_with("__") => {
                    let message = format!("name `{word}`: its import gives it a reserved name");
                    Err(sources.error(at, message))
                }
                How::New => {
                    let name = definition.name.text.clone();
                    let id = definitions.add(definition);
                    self.insert_fresh(name, id);
                    Ok(())
                }
                How::Override | How::Extend => {
                    let verb = if how == How::Override { "override" } else { "extend" };
                    let message = format!(
                        "there is no {kind} `{word}` to {verb}: import or define it before this line"
                    );
                    Err(sources.error(at, message))
                }
            };
        };
        let earlier = self.entries[entry].1;
        match how {
            How::New => {
                let message = format!(
                    "{kind} `{word}` is defined twice{}",
                    here(definitions.all[earlier].name.at, at, sources)
                );
                Err(sources.error(at, message))
            }
            How::Override => {
                let id = definitions.add(definition);
                self.fresh.push(id);
                self.entries[entry].1 = id;
                Ok(())
            }
            How::Extend => {
                let old = &definitions.all[earlier];
                let same = old.params.len() == definition.params.len()
                    && old.params.iter().zip(&definition.params).all(|(a, b)| a.text == b.text);
                if !same {
                    let message =
                        format!("template `{word}` is extended with other parameters than it has");
                    return Err(sources.error(at, message));
                }
                let (true, Some(body)) = (old.body.is_some(), definition.body) else {
                    let message = format!(
                        "{kind} `{word}` is only declared, so there is nothing to extend: use %override"
                    );
                    return Err(sources.error(at, message));
                };
                definitions.extensions.entry(earlier).or_default().push(body);
                self.fresh.push(earlier);
                Ok(())
            }
        }
    }

    /// Looks up the terminals in the terminals that were defined since. Later changes of names do not reach them.
    pub(super) fn resolve(
        &mut self,
        definitions: &mut Definitions,
        sources: &Sources,
        hint: &dyn Fn(&str) -> String,
    ) -> Result<(), Error> {
        for id in std::mem::take(&mut self.fresh) {
            definitions.settle(id);
            let Definition { name, terminal: true, body, .. } = &mut definitions.all[id] else {
                continue;
            };
            let owner = name.clone();
            let Some(mut body) = body.take() else { continue };
            each_mut(&mut body, &mut |ast| {
                match ast {
                    Ast::Terminal(name) => {
                        let Some(part) = self.get(&name.text) else {
                            let hint = hint(sources.word(name.at));
                            return Err(undefined(name, true, sources, &hint));
                        };
                        *ast = Ast::Part(part);
                    }
                    Ast::Rule(name) | Ast::Template(name, _) => {
                        let message = format!(
                            "rule `{}` in terminal `{}`: terminals are built of terminals only",
                            sources.word(name.at),
                            owner.text
                        );
                        return Err(sources.error(name.at, message));
                    }
                    _ => {}
                }
                Ok(())
            })?;
            definitions.all[id].body = Some(body);
        }
        Ok(())
    }

    /// The names that `roots` need: themselves, and what the rules among them refer to, directly or not.
    pub(super) fn needed(&self, roots: Vec<Box<str>>, definitions: &Definitions) -> Vec<bool> {
        let mut needed = vec![false; self.entries.len()];
        let mut pending: Vec<usize> =
            roots.iter().filter_map(|name| self.ids.get(name).copied()).collect();
        while let Some(entry) = pending.pop() {
            if std::mem::replace(&mut needed[entry], true) {
                continue;
            }
            let definition = &definitions.all[self.entries[entry].1];
            let Definition { terminal: false, body: Some(body), params, .. } = definition else {
                continue;
            };
            let done: Result<(), std::convert::Infallible> = each(body, &mut |ast| {
                if let Ast::Rule(name) | Ast::Terminal(name) | Ast::Template(name, _) = ast
                    && !params.iter().any(|p| p.text == name.text)
                {
                    pending.extend(self.ids.get(&name.text));
                }
                Ok(())
            });
            match done {
                Ok(()) => {}
            }
        }
        needed
    }
}

pub(super) fn kind(terminal: bool) -> &'static str {
    if terminal { "terminal" } else { "rule" }
}

/// Where the first of two definitions is.
fn here(first: At, second: At, sources: &Sources) -> String {
    let source = &sources.0[first.file];
    let line = crate::error::Place::at(&source.text, first.byte).line;
    match (&source.name, first.file == second.file) {
        (_, true) => format!(": first on line {line}"),
        (Some(name), false) => format!(": first in {name}, line {line}"),
        (None, false) => format!(": first in another file, line {line}"),
    }
}

/// The error for a name that has no definition.
pub(super) fn undefined(name: &Name, terminal: bool, sources: &Sources, hint: &str) -> Error {
    let word = sources.word(name.at);
    let own = |c: &char| *c == '_' || c.is_ascii_digit() || c.is_ascii_uppercase() == terminal;
    let written: String = word.chars().take_while(own).collect();
    let mixed = if written.len() < word.len() {
        format!(" (`{word}` is read as two names, since it mixes cases)")
    } else {
        String::new()
    };
    let message = format!("{} `{written}` is used but not defined{mixed}{hint}", kind(terminal));
    sources.error(name.at, message)
}
