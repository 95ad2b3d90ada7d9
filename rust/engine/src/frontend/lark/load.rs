//! Reads a file and those that it imports from, and applies their statements in Lark's order.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ast::{Alternatives, Ast, DefId, Definition, How, Import, Name, Statement};
use super::imports::{ImportRequest, ImportResolver};
use super::mangle::Mangle;
use super::scope::{Definitions, Scope};
use super::source::{At, Source, Sources};
use super::{library, parse};
use crate::error::{Diagnostic, Error};
use crate::limits::{Limits, check};

/// All that a grammar's files say.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) sources: Sources,
    pub(super) definitions: Definitions,
    pub(super) scope: Scope,
    /// `%ignore`d terminals by name, with the place of the statement or name.
    pub(super) ignore: Vec<(Box<str>, At)>,
    /// Where the main file imports a definition by name.
    pub(super) imported: FxHashMap<DefId, At>,
    pub(super) notes: Vec<Diagnostic>,
}

/// Reads the main file and all that it imports.
pub(super) fn load(
    text: &str,
    file: Option<&str>,
    resolver: &mut dyn ImportResolver,
    limits: &Limits,
) -> Result<Loaded, Error> {
    let mut loader = Loader {
        sources: Sources::default(),
        definitions: Definitions::default(),
        ignore: Vec::new(),
        imported: FxHashMap::default(),
        notes: Vec::new(),
        resolver,
        limits,
        bytes: 0,
        open: Vec::new(),
    };
    let main = Source { file: 0, text: text.into(), name: file.map(Rc::from), library: false };
    let scope = loader.file(main, None)?;
    let Loader { sources, definitions, ignore, imported, notes, .. } = loader;
    Ok(Loaded { sources, definitions, scope, ignore, imported, notes })
}

struct Loader<'r, 'l> {
    sources: Sources,
    definitions: Definitions,
    ignore: Vec<(Box<str>, At)>,
    imported: FxHashMap<DefId, At>,
    notes: Vec<Diagnostic>,
    resolver: &'r mut dyn ImportResolver,
    limits: &'l Limits,
    /// Bytes of all texts that were read; a file that is imported from twice counts twice.
    bytes: u64,
    /// The files that are being read, outermost first.
    open: Vec<usize>,
}

/// All imports of a file by one path.
struct Batch {
    at: At,
    relative: bool,
    path: Vec<Name>,
    names: Vec<(Name, Box<str>)>,
}

impl Loader<'_, '_> {
    fn file(&mut self, source: Source, mangle: Option<&Mangle<'_>>) -> Result<Scope, Error> {
        self.bytes += source.text.len() as u64;
        if !source.library {
            let what = "grammar source in bytes, with all files that it imports from";
            check(what, "source_bytes", self.limits.source_bytes as u64, self.bytes)?;
        }
        self.sources.0.push(source.clone());
        self.open.push(source.file);
        // The library is no part of what the caller bounds.
        let generous = Limits::default();
        let limits = if source.library { &generous } else { self.limits };
        let statements = parse::parse(&source, limits)?;
        let mut scope = Scope::default();
        // Lark imports before it defines anything.
        for batch in batches(&statements, &self.sources)? {
            self.import(&batch, &source, mangle, &mut scope)?;
        }
        for statement in statements {
            match statement {
                Statement::Import(_) => {}
                Statement::Define(how, mut definition) => {
                    if let Some(mangle) = mangle {
                        mangle.definition(&mut definition);
                    }
                    scope.define(how, definition, &mut self.definitions, &self.sources)?;
                }
                Statement::Declare(declared) => {
                    for one in declared {
                        let mut definition = Definition {
                            name: one.name,
                            terminal: one.terminal,
                            params: Vec::new(),
                            keep_all: false,
                            body: None,
                        };
                        if let Some(mangle) = mangle {
                            mangle.definition(&mut definition);
                        }
                        scope.define(How::New, definition, &mut self.definitions, &self.sources)?;
                    }
                }
                // What an imported file ignores is its own affair.
                Statement::Ignore { .. } if mangle.is_some() => {}
                Statement::Ignore { at, body } => self.ignored(at, body, &mut scope),
            }
        }
        scope.resolve(&mut self.definitions, &self.sources, &library::hint)?;
        self.open.pop();
        Ok(scope)
    }

    /// `%ignore`: the terminal that it names, or a new one.
    fn ignored(&mut self, at: At, body: Alternatives, scope: &mut Scope) {
        if let [only] = &body[..]
            && let [Ast::Terminal(name)] = &only.parts[..]
        {
            self.ignore.push((name.text.clone(), name.at));
            return;
        }
        let text: Box<str> = format!("__IGNORE_{}", self.ignore.len()).into();
        let definition = Definition {
            name: Name { text: text.clone(), at },
            terminal: true,
            params: Vec::new(),
            keep_all: false,
            body: Some(body),
        };
        let id = self.definitions.add(definition);
        scope.insert_fresh(text.clone(), id);
        self.ignore.push((text, at));
    }

    fn import(
        &mut self,
        batch: &Batch,
        importer: &Source,
        mangle: Option<&Mangle<'_>>,
        scope: &mut Scope,
    ) -> Result<(), Error> {
        // Loading recurses, and files can name each other in long chains.
        let what = "imports within imports";
        check(what, "source_nesting", self.limits.source_nesting as u64, self.open.len() as u64)?;
        let path: Vec<&str> = batch.path.iter().map(|name| &*name.text).collect();
        let source = self.find(batch, &path, importer)?;
        let aliases = batch.names.iter().map(|(name, alias)| (name.text.clone(), alias.clone()));
        let inner = Mangle::new(&path, aliases.collect(), mangle);
        let mut found = self.file(source, Some(&inner))?;
        let roots = batch.names.iter().map(|(name, _)| inner.name(&name.text)).collect();
        let needed = found.needed(roots, &self.definitions);
        for ((name, id), needed) in std::mem::take(&mut found.entries).into_iter().zip(needed) {
            if !needed {
                continue;
            }
            if let Some(earlier) = scope.get(&name) {
                let first = &self.definitions.all[earlier];
                let message = format!(
                    "the name `{name}` is imported twice, from different files (the other one: {})",
                    self.sources.0[first.name.at.file].name.as_deref().unwrap_or("this file")
                );
                return Err(self.sources.error(batch.at, message));
            }
            scope.insert(name, id);
        }
        for (name, _) in &batch.names {
            if let Some(id) = scope.get(&inner.name(&name.text)) {
                if mangle.is_none() {
                    self.imported.insert(id, name.at);
                }
            } else {
                let message = format!("`{}` defines no `{}`", path.join("."), name.text);
                // Lark is silent about it, unless the name is used.
                self.notes.push(Diagnostic::new(message));
            }
        }
        Ok(())
    }

    /// The text behind an import.
    fn find(&mut self, batch: &Batch, path: &[&str], importer: &Source) -> Result<Source, Error> {
        let from = importer.name.as_deref();
        let request = ImportRequest { from, relative: batch.relative, path };
        // The library's files import from the library, wherever the caller's files are.
        let found = if importer.library { None } else { self.resolver.resolve(request)? };
        let file = self.sources.0.len();
        if let Some(found) = found {
            let name: Rc<str> = found.name.into();
            let source = Source { file, text: found.text.into(), name: Some(name), library: false };
            self.check_text(&source)?;
            self.check_circle(batch, &source)?;
            return Ok(source);
        }
        if !batch.relative
            && let [library] = path
            && let Some(text) = library::text(library)
        {
            let name = Rc::from(format!("{library}.lark"));
            return Ok(Source { file, text: text.into(), name: Some(name), library: true });
        }
        let wanted = path.join("/");
        let message = if batch.relative {
            match from {
                Some(from) => format!("no file `{wanted}.lark` beside {from}"),
                None => format!(
                    "no file `{wanted}.lark`: the grammar is no file itself, so give the folder as an import \
                     path, or read the grammar from its file"
                ),
            }
        } else {
            format!(
                "no grammar `{wanted}` in Lark's library, which has {}, nor in the import paths (a file beside \
                 this one is imported with a leading dot)",
                library::NAMES.join(", ")
            )
        };
        let at = batch.path.first().map_or(batch.at, |name| name.at);
        Err(self.sources.error(at, message))
    }

    fn check_text(&self, source: &Source) -> Result<(), Error> {
        self.limits.check_source(&source.text).map_err(|error| match error {
            Error::Syntax { message, place: Some(mut place) } => {
                place.file = source.name.as_deref().map(str::to_owned);
                Error::Syntax { message, place: Some(place) }
            }
            other => other,
        })
    }

    fn check_circle(&self, batch: &Batch, source: &Source) -> Result<(), Error> {
        let same = |file: &&usize| {
            let open = &self.sources.0[**file];
            !open.library && open.name == source.name
        };
        if !self.open.iter().any(|file| same(&file)) {
            return Ok(());
        }
        let name = source.name.as_deref().unwrap_or("this file");
        Err(self.sources.error(batch.at, format!("{name} imports itself, directly or not")))
    }
}

/// The imports by path, each path at its first place. Of several aliases for a name the last one counts, as in Lark.
fn batches(statements: &[Statement], sources: &Sources) -> Result<Vec<Batch>, Error> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut of: FxHashMap<Vec<&str>, usize> = FxHashMap::default();
    let mut places: FxHashMap<(usize, &str), usize> = FxHashMap::default();
    for statement in statements {
        let Statement::Import(Import { at, relative, path, names }) = statement else { continue };
        let key = path.iter().map(|name| &*name.text).collect();
        let index = *of.entry(key).or_insert(batches.len());
        if index == batches.len() {
            let (at, relative, path) = (*at, *relative, path.clone());
            batches.push(Batch { at, relative, path, names: Vec::new() });
        }
        let batch = &mut batches[index];
        if batch.relative != *relative {
            let message = "one path is imported from with a leading dot and without it";
            return Err(sources.error(*at, message));
        }
        for (name, alias) in names {
            let alias = alias.as_ref().unwrap_or(name).text.clone();
            let place = *places.entry((index, &name.text)).or_insert(batch.names.len());
            match batch.names.get_mut(place) {
                Some(entry) => entry.1 = alias,
                None => batch.names.push((name.clone(), alias)),
            }
        }
    }
    for batch in &batches {
        let mut taken = FxHashMap::default();
        for (name, alias) in &batch.names {
            if let Some(other) = taken.insert(alias, name) {
                let message =
                    format!("`{}` and `{}` are both imported as `{alias}`", other.text, name.text);
                return Err(sources.error(name.at, message));
            }
        }
    }
    Ok(batches)
}
