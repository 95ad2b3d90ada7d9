//! From schemas to nodes: what each keyword says, by draft.

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::document::{Span, Value, ValueId};
use super::index::Index;
use super::keywords::Word;
use super::names::Names;
use super::node::{
    ARRAY, ArrayAtoms, BOOL, FormatId, INTEGER, KeyId, Lit, NULL, NUMBER, Node, Nodes, NumberAtom,
    OBJECT, ObjectAtoms, STRING, Scalars, StringAtom, Types,
};
use super::normal::PatternId;
use super::options::{Draft, Formats, Options, UnknownFormat, Unsupported};
use super::remark::Reason;
use super::text::Texts;
use crate::error::Error;
use crate::json;
use crate::json::number::Bound;
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

/// What the keywords of one schema say before they are put together.
#[derive(Default)]
struct Parts {
    node: Node,
    array: ArrayAtoms,
    object: ObjectAtoms,
    nullable: bool,
    typed: bool,
    /// `minimum`, `maximum`, and whether draft 4 excludes them.
    bounds: [Option<ValueId>; 2],
    exclusive: [bool; 2],
    items: Option<ValueId>,
    additional_items: Option<ValueId>,
    contains: Option<ValueId>,
    contains_min: Option<u64>,
    contains_max: Option<u64>,
    condition: [Option<ValueId>; 3],
    unevaluated: [Option<ValueId>; 2],
    owns_keys: bool,
    passes_on: bool,
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

    fn schema(&mut self, id: ValueId, scope: u32) -> Result<Lit, Error> {
        let resource = self.index.resource_of(id);
        let draft = self.index.draft(resource);
        let validates = self.index.validates(resource);
        let Value::Object(start, end) = self.index.documents.value(id) else {
            return Err(self.index.invalid(id, "a schema has to be an object or a boolean"));
        };
        if draft <= Draft::Draft7
            && let Some(to) = self.index.documents.member(id, "$ref")
        {
            for at in start..end {
                let (key, _) = self.index.documents.members(at, at + 1)[0];
                let word = Word::find(self.index.documents.text(key));
                if word.is_some_and(|word| word.row().effect == super::keywords::Effect::Enforced) {
                    self.index.remark(id, key, Reason::BesideRef);
                }
            }
            return self.reference(id, Word::Ref, to, scope);
        }
        let mut parts = Parts::default();
        for at in start..end {
            let (key, value) = self.index.documents.members(at, at + 1)[0];
            let word = Word::find(self.index.documents.text(key));
            let Some(word) = word.filter(|word| word.row().is_in(draft)) else { continue };
            if validates || !is_validation(word) {
                self.keyword(&mut parts, id, word, (key, value), scope)?;
            }
        }
        self.combine(parts, id, scope)
    }

    fn keyword(
        &mut self,
        parts: &mut Parts,
        id: ValueId,
        word: Word,
        (key, value): (Span, ValueId),
        scope: u32,
    ) -> Result<(), Error> {
        let count = self.index.count(value);
        match word {
            Word::Type => {
                parts.typed = true;
                parts.node.types &= self.types(value);
            }
            Word::Nullable => {
                self.index.remark(id, key, Reason::Nullable);
                parts.nullable = matches!(self.index.documents.value(value), Value::Bool(true));
            }
            Word::Enum => {
                let items = self.index.documents.items_of(value).to_vec();
                self.listed(&mut parts.node, &items)?;
            }
            Word::Const => self.listed(&mut parts.node, &[value])?,
            Word::MultipleOf => {
                let number = self.index.number(value)?;
                parts.node.number.push(NumberAtom::Multiple(number));
            }
            Word::Minimum => parts.bounds[0] = Some(value),
            Word::Maximum => parts.bounds[1] = Some(value),
            Word::ExclusiveMinimum | Word::ExclusiveMaximum => {
                let upper = word == Word::ExclusiveMaximum;
                match self.index.documents.value(value) {
                    Value::Bool(flag) => parts.exclusive[usize::from(upper)] = flag,
                    _ => {
                        let bound = Bound { value: self.index.number(value)?, exclusive: true };
                        parts.node.number.push(bounded(bound, upper));
                    }
                }
            }
            Word::MinLength => {
                parts.node.string.extend(count.filter(|n| *n > 0).map(StringAtom::MinChars))
            }
            Word::MaxLength => parts.node.string.extend(count.map(StringAtom::MaxChars)),
            Word::Pattern => {
                if let Value::String(source) = self.index.documents.value(value)
                    && let Some(pattern) = self.pattern(id, key, source)?
                {
                    parts.node.string.push(StringAtom::Pattern(pattern));
                }
            }
            Word::Format => {
                if let Some(format) = self.format(id, key, value)? {
                    parts.node.string.push(StringAtom::Format(format));
                }
            }
            Word::Properties => {
                parts.owns_keys |= !parts.passes_on;
                self.properties(&mut parts.object, value, scope)?;
            }
            Word::PatternProperties => {
                for (source, value) in self.members(value) {
                    let lit = self.part(value, scope)?;
                    if let Some(pattern) = self.pattern(id, key, source)? {
                        parts.object.patterns.push((pattern, lit));
                    }
                }
            }
            Word::AdditionalProperties => parts.object.additional = Some(self.part(value, scope)?),
            Word::PropertyNames => parts.object.names = Some(self.lit(value, scope)?),
            Word::Required => {
                parts.owns_keys |= !parts.passes_on;
                parts.object.required = self.texts_of(value);
            }
            Word::MinProperties => parts.object.min = count.unwrap_or(0),
            Word::MaxProperties => parts.object.max = count,
            Word::DependentRequired => {
                for (key, value) in self.members(value) {
                    self.dependent_keys(&mut parts.object, key, value);
                }
            }
            Word::DependentSchemas => {
                for (key, value) in self.members(value) {
                    let pair = (self.key(key), self.lit(value, scope)?);
                    parts.object.dependents.push(pair);
                }
            }
            Word::Dependencies => {
                for (key, value) in self.members(value) {
                    if let Value::Array(..) = self.index.documents.value(value) {
                        self.dependent_keys(&mut parts.object, key, value);
                    } else {
                        let pair = (self.key(key), self.lit(value, scope)?);
                        parts.object.dependents.push(pair);
                    }
                }
            }
            Word::PrefixItems => parts.array.prefix = self.parts(value, scope)?,
            Word::Items => match self.index.documents.value(value) {
                Value::Array(..) => parts.array.prefix = self.parts(value, scope)?,
                _ => parts.items = Some(value),
            },
            Word::AdditionalItems => parts.additional_items = Some(value),
            Word::Contains => parts.contains = Some(value),
            Word::MinContains => parts.contains_min = count,
            Word::MaxContains => parts.contains_max = count,
            Word::MinItems => parts.array.min = count.unwrap_or(0),
            Word::MaxItems => parts.array.max = count,
            Word::UniqueItems => {
                parts.array.unique = matches!(self.index.documents.value(value), Value::Bool(true));
            }
            Word::UnevaluatedProperties => parts.unevaluated[0] = Some(value),
            Word::UnevaluatedItems => parts.unevaluated[1] = Some(value),
            Word::AllOf => {
                parts.passes_on = true;
                let list = self.list(value, scope)?;
                parts.node.all.extend(list);
            }
            Word::AnyOf => {
                parts.passes_on = true;
                let list = self.list(value, scope)?;
                parts.node.any.push(list);
            }
            Word::OneOf => {
                parts.passes_on = true;
                let list = self.list(value, scope)?;
                parts.node.one.push(list);
            }
            Word::Not => {
                let lit = self.lit(value, scope)?.not();
                parts.node.all.push(lit);
            }
            Word::If => parts.condition[0] = Some(value),
            Word::Then => parts.condition[1] = Some(value),
            Word::Else => parts.condition[2] = Some(value),
            Word::Ref | Word::DynamicRef | Word::RecursiveRef => {
                parts.passes_on = true;
                let lit = self.reference(id, word, value, scope)?;
                parts.node.all.push(lit);
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts together what the keywords of one schema say.
    fn combine(&mut self, mut parts: Parts, id: ValueId, scope: u32) -> Result<Lit, Error> {
        let node = &mut parts.node;
        if parts.nullable && parts.typed {
            node.types |= NULL;
        }
        for (upper, value) in parts.bounds.into_iter().enumerate() {
            if let Some(value) = value {
                let bound =
                    Bound { value: self.index.number(value)?, exclusive: parts.exclusive[upper] };
                node.number.push(bounded(bound, upper == 1));
            }
        }
        let listed = !parts.array.prefix.is_empty();
        // Before 2020-12, further items have a keyword of their own, without effect unless `items` is a list.
        let rest = if listed { parts.additional_items.or(parts.items) } else { parts.items };
        if let Some(rest) = rest {
            parts.array.items = Some(self.part(rest, scope)?).filter(|lit| *lit != Lit::TRUE);
        }
        if let Some(contains) = parts.contains {
            let lit = self.lit(contains, scope)?;
            let (min, max) = (parts.contains_min.unwrap_or(1), parts.contains_max);
            if min > 0 || max.is_some() {
                parts.array.contains.push((lit, min, max));
            }
        }
        if let [Some(condition), then, otherwise] = parts.condition
            && (then.is_some() || otherwise.is_some())
        {
            let condition = self.lit(condition, scope)?;
            if let Some(then) = then {
                let then = self.lit(then, scope)?;
                parts.node.any.push(vec![condition.not(), then]);
            }
            if let Some(otherwise) = otherwise {
                let otherwise = self.lit(otherwise, scope)?;
                parts.node.any.push(vec![condition, otherwise]);
            }
        }
        if parts.object.additional == Some(Lit::TRUE) {
            parts.object.additional = None;
        }
        if parts.object.names == Some(Lit::TRUE) {
            parts.object.names = None;
        }
        parts.object.late = parts.passes_on && !parts.owns_keys;
        if parts.array != ArrayAtoms::default() {
            parts.node.array = Some(Box::new(parts.array));
        }
        let late = std::mem::take(&mut parts.object.late);
        if parts.object != ObjectAtoms::default() {
            parts.object.late = late;
            parts.node.object = Some(Box::new(parts.object));
        }
        let mut lit = self.nodes.intern(parts.node);
        for (kind, value) in [OBJECT, ARRAY].into_iter().zip(parts.unevaluated) {
            if let Some(value) = value {
                let rest = self.unevaluated(id, lit, value, kind, scope)?;
                lit = self.nodes.intern(Node { all: vec![lit, rest], ..Node::default() });
            }
        }
        Ok(lit)
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

    fn properties(
        &mut self,
        object: &mut ObjectAtoms,
        id: ValueId,
        scope: u32,
    ) -> Result<(), Error> {
        let Value::Object(start, end) = self.index.documents.value(id) else { return Ok(()) };
        object.properties.reserve((end - start) as usize);
        for at in start..end {
            let (key, value) = self.index.documents.members(at, at + 1)[0];
            let lit = self.part(value, scope)?;
            object.properties.push((self.key(key), lit));
        }
        Ok(())
    }

    fn texts_of(&mut self, id: ValueId) -> Vec<KeyId> {
        let Self { index, keys, .. } = self;
        let texts = index.documents.items_of(id).iter();
        texts
            .filter_map(|item| index.documents.string(*item))
            .map(|text| KeyId(keys.intern(text)))
            .collect()
    }

    fn dependent_keys(&mut self, object: &mut ObjectAtoms, key: Span, needed: ValueId) {
        let required = self.texts_of(needed);
        if !required.is_empty() {
            let needed = ObjectAtoms { required, ..ObjectAtoms::default() };
            let lit = self.nodes.intern(Node { object: Some(Box::new(needed)), ..Node::default() });
            object.dependents.push((self.key(key), lit));
        }
    }

    fn types(&self, id: ValueId) -> Types {
        let one = |id: ValueId| match self.index.documents.string(id) {
            Some("null") => NULL,
            Some("boolean") => BOOL,
            Some("integer") => INTEGER,
            Some("number") => NUMBER,
            Some("string") => STRING,
            Some("array") => ARRAY,
            Some("object") => OBJECT,
            _ => 0,
        };
        match self.index.documents.value(id) {
            Value::Array(start, end) => self
                .index
                .documents
                .items(start, end)
                .iter()
                .fold(0, |types, item| types | one(*item)),
            _ => one(id),
        }
    }

    /// Narrows a node to one of the listed values.
    fn listed(&mut self, node: &mut Node, values: &[ValueId]) -> Result<(), Error> {
        let mut scalars = Scalars::default();
        let mut containers = Vec::new();
        for value in values {
            self.collect(*value, &mut scalars, &mut containers)?;
        }
        let scalars = Node::of_scalars(sorted(scalars), self.index.integers_by_text());
        if containers.is_empty() && node.scalars.is_none() {
            node.scalars = scalars.scalars;
            node.types &= scalars.types;
            return Ok(());
        }
        let mut list = Vec::with_capacity(containers.len() + 1);
        if scalars.types != 0 {
            list.push(self.nodes.intern(scalars));
        }
        list.extend(containers);
        node.any.push(list);
        Ok(())
    }

    fn collect(
        &mut self,
        value: ValueId,
        scalars: &mut Scalars,
        containers: &mut Vec<Lit>,
    ) -> Result<(), Error> {
        match self.index.documents.value(value) {
            Value::Null => scalars.null = true,
            Value::Bool(true) => scalars.yes = true,
            Value::Bool(false) => scalars.no = true,
            Value::Number(_) => scalars.numbers.push(self.index.number(value)?),
            Value::String(text) => {
                scalars.strings.push(Arc::from(self.index.documents.text(text)));
            }
            Value::Array(..) | Value::Object(..) => containers.push(self.constant(value)?),
        }
        Ok(())
    }

    /// The literal of exactly one value.
    fn constant(&mut self, value: ValueId) -> Result<Lit, Error> {
        let node = match self.index.documents.value(value) {
            Value::Array(start, end) => {
                let prefix: Vec<Lit> = (start..end)
                    .map(|at| {
                        let item = self.index.documents.items(at, at + 1)[0];
                        self.constant(item)
                    })
                    .collect::<Result<_, Error>>()?;
                let length = prefix.len() as u64;
                let array =
                    ArrayAtoms { prefix, min: length, max: Some(length), ..ArrayAtoms::default() };
                Node { types: ARRAY, array: Some(Box::new(array)), ..Node::default() }
            }
            Value::Object(..) => {
                let members = self.members(value);
                let properties: Vec<(KeyId, Lit)> = members
                    .into_iter()
                    .map(|(key, value)| Ok((self.key(key), self.constant(value)?)))
                    .collect::<Result<_, Error>>()?;
                let object = ObjectAtoms {
                    required: properties.iter().map(|(key, _)| *key).collect(),
                    max: Some(properties.len() as u64),
                    properties,
                    ..ObjectAtoms::default()
                };
                Node { types: OBJECT, object: Some(Box::new(object)), ..Node::default() }
            }
            _ => {
                let mut scalars = Scalars::default();
                self.collect(value, &mut scalars, &mut Vec::new())?;
                Node::of_scalars(scalars, self.index.integers_by_text())
            }
        };
        Ok(if node.types == 0 { Lit::FALSE } else { self.nodes.intern(node) })
    }

    /// The pattern of a keyword, or none if it cannot be enforced and the user goes on.
    fn pattern(
        &mut self,
        at: ValueId,
        key: Span,
        source: Span,
    ) -> Result<Option<PatternId>, Error> {
        match self.texts.pattern(self.index.documents.text(source)) {
            Ok(pattern) => {
                if self.texts.is_loose(pattern) {
                    self.index.remark(at, key, Reason::OldPattern);
                }
                Ok(Some(pattern))
            }
            Err(Error::Syntax { message, .. }) if message.contains("not supported") => {
                self.unsupported(at, key, message).map(|()| None)
            }
            Err(Error::Syntax { message, .. }) => Err(Error::InvalidSchema {
                pointer: self.index.pointer_to(at, self.index.documents.text(key)),
                message: format!("not a regular expression: {message}"),
            }),
            Err(error) => Err(error),
        }
    }

    fn format(
        &mut self,
        at: ValueId,
        key: Span,
        value: ValueId,
    ) -> Result<Option<FormatId>, Error> {
        let Some(name) = self.index.documents.string(value) else { return Ok(None) };
        if self.options.formats == Formats::Annotate {
            self.index.remark(at, key, Reason::FormatIgnored);
            return Ok(None);
        }
        if let Some(format) = json::format(name) {
            if let Some(pattern) = format.pattern() {
                return Ok(Some(self.texts.format(format.name(), pattern)));
            }
            if let Some(why) = format.unsupported() {
                let message = format!("format {name:?} cannot be enforced: {why}");
                return self.unsupported(at, key, message).map(|()| None);
            }
        }
        if self.options.unknown_format == UnknownFormat::Error {
            let message = format!("{name:?} is not a known format");
            self.unsupported(at, key, message)?;
        }
        self.index.remark(at, key, Reason::UnknownFormat);
        Ok(None)
    }

    /// Refuses a keyword, or remarks that it is not enforced.
    pub(super) fn unsupported(
        &mut self,
        at: ValueId,
        key: Span,
        message: String,
    ) -> Result<(), Error> {
        if self.options.unsupported == Unsupported::Warn {
            self.index.remark(at, key, Reason::NotEnforced);
            return Ok(());
        }
        Err(Error::UnsupportedSchema {
            pointer: self.index.documents.pointer(at),
            keyword: self.index.documents.text(key).to_owned(),
            message,
        })
    }

    pub(super) fn draft_of(&self, id: ValueId) -> Draft {
        self.index.draft(self.index.resource_of(id))
    }
}

fn bounded(bound: Bound, upper: bool) -> NumberAtom {
    if upper { NumberAtom::Max(bound) } else { NumberAtom::Min(bound) }
}

fn sorted(mut scalars: Scalars) -> Scalars {
    scalars.numbers.sort();
    scalars.numbers.dedup();
    scalars.strings.sort();
    scalars.strings.dedup();
    scalars
}

/// Whether a keyword belongs to the validation vocabulary.
fn is_validation(word: Word) -> bool {
    use Word as W;
    matches!(
        word,
        W::Type
            | W::Enum
            | W::Const
            | W::MultipleOf
            | W::Minimum
            | W::Maximum
            | W::ExclusiveMinimum
            | W::ExclusiveMaximum
            | W::MinLength
            | W::MaxLength
            | W::Pattern
            | W::Required
            | W::MinProperties
            | W::MaxProperties
            | W::DependentRequired
            | W::MinContains
            | W::MaxContains
            | W::MinItems
            | W::MaxItems
            | W::UniqueItems
            | W::Nullable
    )
}
