//! The names that an imported file's definitions get in the grammar that imports it.

use rustc_hash::FxHashMap;

use super::ast::{Alternatives, Ast, Definition, Name, each_mut};

/// Renames what one `%import` brings: the imported names to their aliases, all others to names of the file's own.
#[derive(Debug)]
pub(super) struct Mangle<'m> {
    prefix: String,
    /// What is imported, by its name in its file.
    pub(super) aliases: FxHashMap<Box<str>, Box<str>>,
    /// How the importing file is renamed.
    outer: Option<&'m Mangle<'m>>,
}

impl<'m> Mangle<'m> {
    pub(super) fn new(
        path: &[&str],
        aliases: FxHashMap<Box<str>, Box<str>>,
        outer: Option<&'m Mangle<'m>>,
    ) -> Self {
        Self { prefix: path.join("__"), aliases, outer }
    }

    pub(super) fn name(&self, name: &str) -> Box<str> {
        let renamed: Box<str> = match self.aliases.get(name) {
            Some(alias) => alias.clone(),
            None => match name.strip_prefix('_') {
                Some(bare) => format!("_{}__{bare}", self.prefix).into(),
                None => format!("{}__{name}", self.prefix).into(),
            },
        };
        match self.outer {
            Some(outer) => outer.name(&renamed),
            None => renamed,
        }
    }

    fn rename(&self, name: &mut Name) {
        name.text = self.name(&name.text);
    }

    pub(super) fn definition(&self, definition: &mut Definition) {
        self.rename(&mut definition.name);
        definition.params.iter_mut().for_each(|p| self.rename(p));
        if let Some(body) = &mut definition.body {
            self.body(body);
        }
    }

    fn body(&self, body: &mut Alternatives) {
        let done: Result<(), std::convert::Infallible> = each_mut(body, &mut |ast| {
            match ast {
                Ast::Rule(name) | Ast::Terminal(name) | Ast::Template(name, _) => self.rename(name),
                Ast::Part(_) | Ast::Literal(_) | Ast::Group(_) | Ast::Repeat { .. } => {}
            }
            Ok(())
        });
        match done {
            Ok(()) => {}
        }
    }
}
