//! From schemas to nodes, each once.
//!
//! | file | |
//! |---|---|
//! | `parts` | what each keyword says, by draft |
//! | `whole` | what keywords say together |
//! | `listed`, `texts` | types and listed values; patterns and formats |

mod listed;
mod parts;
mod texts;
mod whole;

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::document::{Span, Value, ValueId};
use super::index::Index;
use super::keywords::Word;
use super::names::Names;
use super::node::{KeyId, Lit, Node, Nodes};
use super::options::{Draft, Options};
use super::text::Texts;
use crate::error::Error;
use crate::limits::Limits;

/// References deeper than this are left to be followed later, so that chains of them need no deep recursion.
const FOLLOWED: u32 = 64;
/// Marks a schema that is being built.
const UNDERWAY: Lit = Lit(u32::MAX);
/// Marks a schema that is not built yet.
const UNBUILT: Lit = Lit(u32::MAX - 1);

/// Makes nodes of schemas, each once.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) index: Index,
    pub(crate) nodes: Nodes,
    pub(crate) keys: Names,
    pub(crate) texts: Texts,
    options: Options,
    built: Vec<Lit>,
    /// The same for other scopes than the empty one.
    scoped: HashMap<(ValueId, u32), Lit, FxBuildHasher>,
    /// Dynamic scopes: for each dynamic anchor the outermost schema that has it.
    pub(super) scopes: Vec<Vec<(Arc<str>, ValueId)>>,
    depth: u32,
    /// For each node the first schema that it was made of.
    pub(super) places: Vec<Option<ValueId>>,
}

impl Builder {
    pub(crate) fn new(index: Index, options: &Options, limits: &Limits) -> Self {
        Self {
            index,
            nodes: Nodes::new(),
            keys: Names::default(),
            texts: Texts::new(limits),
            options: options.clone(),
            built: Vec::new(),
            scoped: HashMap::default(),
            scopes: vec![Vec::new()],
            depth: 0,
            places: Vec::new(),
        }
    }

    pub(crate) fn key(&mut self, span: Span) -> KeyId {
        KeyId(self.keys.intern(self.index.documents.text(span)))
    }

    fn known(&mut self, id: ValueId, scope: u32) -> &mut Lit {
        if scope > 0 {
            return self.scoped.entry((id, scope)).or_insert(UNBUILT);
        }
        let len = self.index.documents.len();
        if self.built.len() < len {
            self.built.resize(len, UNBUILT);
        }
        &mut self.built[id.0 as usize]
    }

    /// The literal of a schema, seen from a dynamic scope.
    pub(crate) fn lit(&mut self, id: ValueId, scope: u32) -> Result<Lit, Error> {
        let scope = self.enter(id, scope);
        match self.index.documents.value(id) {
            Value::Bool(true) => return Ok(Lit::TRUE),
            Value::Bool(false) => return Ok(Lit::FALSE),
            _ => {}
        }
        let known = self.known(id, scope);
        match *known {
            UNBUILT => *known = UNDERWAY,
            UNDERWAY => return Ok(self.link(id, scope)),
            lit => return Ok(lit),
        }
        self.depth += 1;
        let built = self.schema(id, scope);
        self.depth -= 1;
        let lit = built?;
        if self.places.len() <= lit.index() {
            self.places.resize(lit.index() + 1, None);
        }
        self.places[lit.index()].get_or_insert(id);
        *self.known(id, scope) = lit;
        Ok(lit)
    }

    /// The literal of a schema of a whole value: the root, or that of a key or an item. Here objects are closed, if the
    /// user wants that: by all that is said of the value, not by each part of it.
    pub(crate) fn part(&mut self, id: ValueId, scope: u32) -> Result<Lit, Error> {
        let lit = self.lit(id, scope)?;
        if !self.options.closed {
            return Ok(lit);
        }
        let scope = self.enter(id, scope);
        let rest = self.closing(id, lit, scope)?;
        Ok(self.nodes.intern(Node { all: vec![lit, rest], ..Node::default() }))
    }

    fn parts(&mut self, id: ValueId, scope: u32) -> Result<Vec<Lit>, Error> {
        let items = self.index.documents.items_of(id).to_vec();
        items.into_iter().map(|item| self.part(item, scope)).collect()
    }

    /// What a node says that stands for a place of the schema.
    pub(crate) fn resolved(&mut self, lit: Lit) -> Result<Lit, Error> {
        let Some((id, scope)) = self.nodes.get(lit).link else { return Ok(lit) };
        let target = self.lit(id, scope)?;
        Ok(if lit.is_negative() { target.not() } else { target })
    }

    fn link(&mut self, id: ValueId, scope: u32) -> Lit {
        self.nodes.intern(Node { link: Some((id, scope)), ..Node::default() })
    }

    /// The scope within a schema.
    pub(super) fn enter(&mut self, id: ValueId, scope: u32) -> u32 {
        if !self.index.has_dynamic_anchors() {
            return scope;
        }
        let resource = &self.index.resources[self.index.resource_of(id) as usize];
        let mut inner = self.scopes[scope as usize].clone();
        for (name, schema) in &resource.dynamic {
            if !inner.iter().any(|(known, _)| known == name) {
                inner.push((Arc::clone(name), *schema));
            }
        }
        if inner.len() == self.scopes[scope as usize].len() {
            return scope;
        }
        let at = self.scopes.iter().position(|known| *known == inner).unwrap_or(self.scopes.len());
        if at == self.scopes.len() {
            self.scopes.push(inner);
        }
        at as u32
    }

    /// What a reference of a schema leads to.
    pub(super) fn follow(
        &mut self,
        from: ValueId,
        word: Word,
        to: ValueId,
        scope: u32,
    ) -> Result<ValueId, Error> {
        let reference = self.index.documents.string(to).unwrap_or("").to_owned();
        let target = self.index.follow(from, word.row().name, &reference)?;
        let scope = &self.scopes[scope as usize];
        let outermost = |name: &str| {
            scope.iter().find(|(known, _)| **known == *name).map_or(target.schema, |(_, id)| *id)
        };
        Ok(match word {
            Word::DynamicRef => target.dynamic.as_deref().map_or(target.schema, outermost),
            Word::RecursiveRef => {
                let resource = self.index.resource_of(target.schema);
                let resource = &self.index.resources[resource as usize];
                let marked = resource
                    .dynamic
                    .iter()
                    .any(|(name, id)| name.is_empty() && *id == target.schema);
                if marked { outermost("") } else { target.schema }
            }
            _ => target.schema,
        })
    }

    /// The literal of what a reference leads to.
    fn reference(
        &mut self,
        from: ValueId,
        word: Word,
        to: ValueId,
        scope: u32,
    ) -> Result<Lit, Error> {
        let target = self.follow(from, word, to, scope)?;
        if self.depth > FOLLOWED {
            let scope = self.enter(target, scope);
            return Ok(self.link(target, scope));
        }
        self.lit(target, scope)
    }

    pub(super) fn members(&self, id: ValueId) -> Vec<(Span, ValueId)> {
        self.index.documents.members_of(id).to_vec()
    }

    pub(super) fn list(&mut self, id: ValueId, scope: u32) -> Result<Vec<Lit>, Error> {
        let Value::Array(start, end) = self.index.documents.value(id) else {
            return Ok(Vec::new());
        };
        (start..end)
            .map(|at| {
                let item = self.index.documents.items(at, at + 1)[0];
                self.lit(item, scope)
            })
            .collect()
    }

    pub(super) fn draft_of(&self, id: ValueId) -> Draft {
        self.index.draft(self.index.resource_of(id))
    }
}
