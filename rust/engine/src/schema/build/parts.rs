//! What each keyword of one schema says, by draft.

use super::Builder;
use crate::error::Error;
use crate::json::number::Bound;
use crate::schema::document::{Span, Value, ValueId};
use crate::schema::keywords::{Effect, Word};
use crate::schema::node::{ArrayAtoms, KeyId, Lit, Node, NumberAtom, ObjectAtoms, StringAtom};
use crate::schema::options::Draft;
use crate::schema::remark::Reason;

/// What the keywords of one schema say before they are put together.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) node: Node,
    pub(super) array: ArrayAtoms,
    pub(super) object: ObjectAtoms,
    pub(super) nullable: bool,
    pub(super) typed: bool,
    /// `minimum`, `maximum`, and whether draft 4 excludes them.
    pub(super) bounds: [Option<ValueId>; 2],
    pub(super) exclusive: [bool; 2],
    pub(super) items: Option<ValueId>,
    pub(super) additional_items: Option<ValueId>,
    pub(super) contains: Option<ValueId>,
    pub(super) contains_min: Option<u64>,
    pub(super) contains_max: Option<u64>,
    pub(super) condition: [Option<ValueId>; 3],
    pub(super) unevaluated: [Option<ValueId>; 2],
    pub(super) owns_keys: bool,
    pub(super) passes_on: bool,
}

impl Builder {
    pub(super) fn schema(&mut self, id: ValueId, scope: u32) -> Result<Lit, Error> {
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
                if word.is_some_and(|word| word.row().effect == Effect::Enforced) {
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
}

pub(super) fn bounded(bound: Bound, upper: bool) -> NumberAtom {
    if upper { NumberAtom::Max(bound) } else { NumberAtom::Min(bound) }
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
