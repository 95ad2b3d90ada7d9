//! `unevaluatedProperties` and `unevaluatedItems`: which keys and items are left depends on which alternatives beside
//! them succeed, so the alternatives are told apart, and each gets a condition of its own on what it leaves.

use super::build::Builder;
use super::document::{Value, ValueId};
use super::keywords::Word;
use super::node::{ALL_TYPES, ARRAY, ArrayAtoms, KeyId, Lit, Node, OBJECT, ObjectAtoms, Types};
use super::normal::PatternId;
use super::options::Draft;
use crate::error::Error;

/// More sets of alternatives than this are refused.
const MOST: usize = 512;

/// What some keywords have looked at.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    all: bool,
    keys: Vec<KeyId>,
    patterns: Vec<PatternId>,
    /// Items before this one.
    prefix: u64,
    /// Items that satisfy one of these.
    items: Vec<Lit>,
}

impl Seen {
    fn add(&mut self, other: &Self) {
        self.all |= other.all;
        self.prefix = self.prefix.max(other.prefix);
        extend(&mut self.keys, &other.keys);
        extend(&mut self.patterns, &other.patterns);
        extend(&mut self.items, &other.items);
    }
}

fn extend<T: Copy + Ord>(list: &mut Vec<T>, more: &[T]) {
    list.extend_from_slice(more);
    list.sort_unstable();
    list.dedup();
}

/// If all of these hold, so much was looked at.
type Case = (Vec<Lit>, Seen);

impl Builder {
    /// What `unevaluatedProperties` (or `unevaluatedItems`, by `kind`) adds to a schema that says `lit` without it.
    pub(super) fn unevaluated(
        &mut self,
        id: ValueId,
        lit: Lit,
        rest: ValueId,
        kind: Types,
        scope: u32,
    ) -> Result<Lit, Error> {
        let rest = self.lit(rest, scope)?;
        if rest == Lit::TRUE {
            return Ok(Lit::TRUE);
        }
        let cases = self.cases(id, lit, kind, scope, &mut vec![id])?;
        Ok(self.by_case(cases, rest, kind))
    }

    /// What closes an object schema that says nothing of further keys.
    pub(super) fn closing(&mut self, id: ValueId, lit: Lit, scope: u32) -> Result<Lit, Error> {
        let says = |name: &str| self.index.documents.member(id, name);
        let is_object =
            says("type").is_some_and(|value| self.index.documents.string(value) == Some("object"));
        if says("unevaluatedProperties").is_some() {
            return Ok(Lit::TRUE);
        }
        let cases = self.cases(id, lit, OBJECT, scope, &mut vec![id])?;
        let speaks = cases.iter().any(|(_, seen)| seen.all || !seen.keys.is_empty());
        Ok(if is_object || speaks { self.by_case(cases, Lit::FALSE, OBJECT) } else { Lit::TRUE })
    }

    /// What is left in each case satisfies `rest`.
    fn by_case(&mut self, cases: Vec<Case>, rest: Lit, kind: Types) -> Lit {
        let mut list = vec![];
        if cases.len() > 1 {
            list.push(self.nodes.intern(Node { types: ALL_TYPES & !kind, ..Node::default() }));
        }
        for (lits, seen) in cases {
            let left = if seen.all { Lit::TRUE } else { self.left(seen, rest, kind) };
            let mut all = lits;
            all.push(left);
            list.push(self.nodes.intern(Node { all, ..Node::default() }));
        }
        self.nodes.intern(Node { any: vec![list], ..Node::default() })
    }

    /// Everything but what was seen satisfies `rest`.
    fn left(&mut self, seen: Seen, rest: Lit, kind: Types) -> Lit {
        if kind == OBJECT {
            let object = ObjectAtoms {
                properties: seen.keys.into_iter().map(|key| (key, Lit::TRUE)).collect(),
                patterns: seen.patterns.into_iter().map(|pattern| (pattern, Lit::TRUE)).collect(),
                additional: Some(rest),
                ..ObjectAtoms::default()
            };
            return self.nodes.intern(Node { object: Some(Box::new(object)), ..Node::default() });
        }
        let mut choices = seen.items;
        choices.push(rest);
        let items = self.nodes.intern(Node { any: vec![choices], ..Node::default() });
        if items == Lit::TRUE {
            return items;
        }
        let prefix = vec![Lit::TRUE; seen.prefix.min(10_000) as usize];
        let array = ArrayAtoms { prefix, items: Some(items), ..ArrayAtoms::default() };
        self.nodes.intern(Node { array: Some(Box::new(array)), ..Node::default() })
    }

    /// The ways in which a schema can hold that look at different keys or items. `open` holds the schemas that are
    /// being looked into, so that a circle of references ends.
    fn cases(
        &mut self,
        id: ValueId,
        lit: Lit,
        kind: Types,
        scope: u32,
        open: &mut Vec<ValueId>,
    ) -> Result<Vec<Case>, Error> {
        let mut cases = vec![(vec![lit], Seen::default())];
        let draft = self.draft_of(id);
        let mut members = self.members(id);
        if draft <= Draft::Draft7
            && let Some(at) =
                members.iter().position(|(key, _)| self.index.documents.text(*key) == "$ref")
        {
            members = vec![members[at]];
        }
        let find = |word: Word| {
            let name = word.row().name;
            members
                .iter()
                .find(|(key, _)| self.index.documents.text(*key) == name)
                .map(|(_, value)| *value)
        };
        let condition = [Word::If, Word::Then, Word::Else].map(find);
        for (key, value) in members {
            let word = Word::find(self.index.documents.text(key));
            let Some(word) = word.filter(|word| word.row().is_in(draft)) else { continue };
            let mut own = Seen::default();
            match word {
                Word::Properties if kind == OBJECT => {
                    let members = self.members(value);
                    own.keys = members.into_iter().map(|(key, _)| self.key(key)).collect();
                    own.keys.sort_unstable();
                }
                Word::PatternProperties if kind == OBJECT => {
                    for (source, _) in self.members(value) {
                        if let Ok(pattern) = self.texts.pattern(self.index.documents.text(source)) {
                            own.patterns.push(pattern);
                        }
                    }
                }
                Word::AdditionalProperties if kind == OBJECT => own.all = true,
                Word::UnevaluatedProperties if kind == OBJECT && open[0] != id => own.all = true,
                Word::PrefixItems if kind == ARRAY => {
                    own.prefix = self.index.documents.items_of(value).len() as u64;
                }
                Word::Items if kind == ARRAY => match self.index.documents.value(value) {
                    Value::Array(start, end) => own.prefix = u64::from(end - start),
                    _ => own.all = true,
                },
                Word::AdditionalItems if kind == ARRAY => {
                    let list = self.index.documents.member(id, "items");
                    own.all = list.is_some_and(|list| {
                        matches!(self.index.documents.value(list), Value::Array(..))
                    });
                }
                Word::UnevaluatedItems if kind == ARRAY && open[0] != id => own.all = true,
                Word::Contains if kind == ARRAY && draft >= Draft::Draft202012 => {
                    own.items.push(self.lit(value, scope)?);
                }
                Word::AllOf => {
                    for item in self.index.documents.items_of(value).to_vec() {
                        let choices = self.inner(item, kind, scope, open)?;
                        cases = self.product(id, cases, choices)?;
                    }
                }
                Word::Ref | Word::DynamicRef | Word::RecursiveRef => {
                    let target = self.follow(id, word, value, scope)?;
                    let choices = self.inner(target, kind, scope, open)?;
                    cases = self.product(id, cases, choices)?;
                }
                Word::AnyOf | Word::OneOf => {
                    let choices = self.branches(id, word, value, kind, scope, open)?;
                    cases = self.product(id, cases, choices)?;
                }
                Word::If => {
                    let [_, then, otherwise] = condition;
                    let lit = self.lit(value, scope)?;
                    let mut yes = self.inner(value, kind, scope, open)?;
                    if let Some(then) = then {
                        let then = self.inner(then, kind, scope, open)?;
                        yes = self.product(id, yes, then)?;
                    }
                    let mut no = vec![(vec![lit.not()], Seen::default())];
                    if let Some(otherwise) = otherwise {
                        let otherwise = self.inner(otherwise, kind, scope, open)?;
                        no = self.product(id, no, otherwise)?;
                    }
                    yes.extend(no);
                    cases = self.product(id, cases, yes)?;
                }
                Word::DependentSchemas if kind == OBJECT => {
                    for (key, value) in self.members(value) {
                        let object =
                            ObjectAtoms { required: vec![self.key(key)], ..ObjectAtoms::default() };
                        let object = Some(Box::new(object));
                        let there =
                            self.nodes.intern(Node { types: OBJECT, object, ..Node::default() });
                        let mut choices = vec![(vec![there.not()], Seen::default())];
                        for (mut lits, seen) in self.inner(value, kind, scope, open)? {
                            lits.push(there);
                            choices.push((lits, seen));
                        }
                        cases = self.product(id, cases, choices)?;
                    }
                }
                _ => {}
            }
            if own != Seen::default() {
                cases.iter_mut().for_each(|(_, seen)| seen.add(&own));
            }
        }
        Ok(cases)
    }

    /// The cases of a schema in place.
    fn inner(
        &mut self,
        id: ValueId,
        kind: Types,
        scope: u32,
        open: &mut Vec<ValueId>,
    ) -> Result<Vec<Case>, Error> {
        let lit = self.lit(id, scope)?;
        if open.contains(&id) || open.len() > 200 {
            return Ok(vec![(vec![lit], Seen::default())]);
        }
        let scope = self.enter(id, scope);
        open.push(id);
        let cases = self.cases(id, lit, kind, scope, open);
        open.pop();
        cases
    }

    /// The cases of `anyOf` or `oneOf`: each branch holds in one of its ways, or does not.
    fn branches(
        &mut self,
        id: ValueId,
        word: Word,
        list: ValueId,
        kind: Types,
        scope: u32,
        open: &mut Vec<ValueId>,
    ) -> Result<Vec<Case>, Error> {
        let mut branches = Vec::new();
        for item in self.index.documents.items_of(list).to_vec() {
            let lit = self.lit(item, scope)?;
            branches.push((lit, self.inner(item, kind, scope, open)?));
        }
        if branches.iter().all(|(_, cases)| cases.iter().all(|(_, seen)| *seen == Seen::default()))
        {
            return Ok(vec![(Vec::new(), Seen::default())]);
        }
        let mut sets = Vec::new();
        if word == Word::OneOf {
            // That the others fail is said by the schema itself.
            for (_, cases) in branches {
                sets.extend(cases);
            }
            return Ok(sets);
        }
        sets.push((Vec::new(), Seen::default()));
        for (lit, mut cases) in branches {
            cases.push((vec![lit.not()], Seen::default()));
            sets = self.product(id, sets, cases)?;
        }
        Ok(sets)
    }

    /// Both hold, in one way each.
    fn product(
        &mut self,
        id: ValueId,
        left: Vec<Case>,
        right: Vec<Case>,
    ) -> Result<Vec<Case>, Error> {
        if left.len().saturating_mul(right.len()) > MOST {
            return Err(Error::UnsupportedSchema {
                pointer: self.index.documents.pointer(id),
                keyword: "unevaluatedProperties".to_owned(),
                message: format!(
                    "more than {MOST} sets of alternatives decide what is unevaluated"
                ),
            });
        }
        // Ways that look at the same need not be told apart: the schema itself says that one of them holds.
        if right.len() > 1 && right.iter().all(|(_, seen)| *seen == right[0].1) {
            let seen = right[0].1.clone();
            return Ok(left
                .into_iter()
                .map(|(lits, mut before)| {
                    before.add(&seen);
                    (lits, before)
                })
                .collect());
        }
        let mut cases = Vec::with_capacity(left.len() * right.len());
        for (lits, seen) in &left {
            for (more, also) in &right {
                let (mut lits, mut seen) = (lits.clone(), seen.clone());
                lits.extend(more);
                lits.sort_unstable();
                lits.dedup();
                seen.add(also);
                if !lits.iter().any(|lit| lits.binary_search(&lit.not()).is_ok()) {
                    cases.push((lits, seen));
                }
            }
        }
        Ok(cases)
    }
}
