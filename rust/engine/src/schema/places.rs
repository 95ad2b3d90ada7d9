//! Where in the schema a goal comes from, for messages.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::document::{Value, ValueId};
use super::keywords::Word;
use super::node::Lit;
use super::normal::GoalId;
use super::space::{Life, Space};
use crate::error::Error;

/// Parts of a goal that are looked at.
const PARTS: usize = 10_000;

impl Space {
    /// A pointer to the schema by whose keyword a goal is as it is; if none of its parts has that keyword, to the
    /// first of them.
    pub(super) fn pointer_of(&mut self, goal: GoalId, keyword: &str) -> Result<String, Error> {
        let mut todo: Vec<Lit> = self.lits_of(goal).iter().rev().copied().collect();
        let mut seen = HashSet::with_hasher(FxBuildHasher);
        let mut first = None;
        while let Some(lit) = todo.pop() {
            if !seen.insert(lit.index()) || seen.len() > PARTS {
                continue;
            }
            let lit = self.builder.resolved(lit)?;
            if let Some(Some(place)) = self.builder.places.get(lit.index()).copied() {
                let documents = &self.builder.index.documents;
                if documents.member(place, keyword).is_some() {
                    return Ok(documents.pointer(place));
                }
                first = first.or(Some(place));
            }
            let node = self.builder.nodes.get(lit);
            let alternatives = node.any.iter().chain(&node.one).flatten();
            todo.extend(node.all.iter().chain(alternatives).rev());
        }
        Ok(first.map(|place| self.builder.index.documents.pointer(place)).unwrap_or_default())
    }

    /// The same error with its pointer, if it has none and says which keyword it is about.
    pub(super) fn located(&mut self, error: Error, goal: GoalId) -> Error {
        match error {
            Error::UnsupportedSchema { pointer, keyword, message } if pointer.is_empty() => {
                let pointer = self.pointer_of(goal, &keyword).unwrap_or_default();
                Error::UnsupportedSchema { pointer, keyword, message }
            }
            error => error,
        }
    }

    /// The innermost schema that no value fulfils, of those that a value of an empty schema would have to fulfil.
    pub(super) fn culprit(&mut self, root: ValueId) -> Result<ValueId, Error> {
        let mut at = root;
        let mut seen = HashSet::with_hasher(FxBuildHasher);
        'inner: while seen.insert(at) {
            for part in self.needed(at)? {
                let lit = self.builder.lit(part, 0)?;
                let goal = self.goal_of(&[lit])?;
                self.settle(goal)?;
                if self.life(goal) == Life::Empty {
                    at = part;
                    continue 'inner;
                }
            }
            break;
        }
        Ok(at)
    }

    /// The schemas that a value of this schema, or some part of it, has to fulfil.
    fn needed(&mut self, id: ValueId) -> Result<Vec<ValueId>, Error> {
        let documents = &self.builder.index.documents;
        let mut parts = Vec::new();
        if let Some(all) = documents.member(id, "allOf") {
            parts.extend(documents.items_of(all));
        }
        let is_object =
            documents.member(id, "type").is_some_and(|ty| documents.string(ty) == Some("object"));
        if let (true, Some(required), Some(properties)) =
            (is_object, documents.member(id, "required"), documents.member(id, "properties"))
        {
            let names =
                documents.items_of(required).iter().filter_map(|name| documents.string(*name));
            parts.extend(names.filter_map(|name| documents.member(properties, name)));
        }
        if let Some(to) = documents.member(id, "$ref")
            && matches!(documents.value(to), Value::String(_))
        {
            parts.push(self.builder.follow(id, Word::Ref, to, 0)?);
        }
        Ok(parts)
    }
}
