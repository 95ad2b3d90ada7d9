//! The normal form of a schema, and the questions that are asked of it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::build::Builder;
use super::document::Documents;
use super::index::Index;
use super::normal::{Goal, GoalId, ObjectShape, PatternId, Rest, Shape, StringPart, StringSet};
use super::options::Options;
use super::search::Search;
use super::space::{Life, Space};
use crate::error::{Diagnostic, Error};
use crate::limits::Limits;
use crate::pattern::Pattern;

/// A schema in normal form. What it answers never changes; further goals are worked out when they are first met.
pub struct Normal {
    space: Mutex<Space>,
    root: GoalId,
    warnings: Vec<Diagnostic>,
}

impl fmt::Debug for Normal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Normal").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Normal {
    /// Reads a schema's JSON text and works out its normal form.
    ///
    /// # Errors
    /// [`Error::InvalidSchema`] if it is no schema, [`Error::UnsupportedSchema`] if it asks for what cannot be
    /// enforced, [`Error::UnsatisfiableSchema`] if no value is valid, [`Error::TooComplex`] past a limit.
    pub fn new(schema: &str, options: &Options, limits: &Limits) -> Result<Self, Error> {
        let index = Index::new(schema, options.draft, &options.registry, limits)?;
        let place = index.resources[0].root;
        let mut builder = Builder::new(index, options, limits);
        let lit = builder.part(place, 0)?;
        let mut space = Space::new(builder, limits);
        let root = space.goal_of(&[lit])?;
        space.settle(root)?;
        if space.life(root) == Life::Empty {
            let culprit = space.culprit(place)?;
            return Err(Error::UnsatisfiableSchema {
                pointer: space.builder.index.documents.pointer(culprit),
                message: "no value is valid".to_owned(),
            });
        }
        let warnings = warnings(&space.builder.index);
        Ok(Self { space: Mutex::new(space), root, warnings })
    }

    /// The goal of the values that are valid.
    pub fn root(&self) -> GoalId {
        self.root
    }

    /// The shapes of a goal. An empty goal has none.
    ///
    /// # Errors
    /// [`Error::TooComplex`] past a limit.
    pub fn goal(&self, id: GoalId) -> Result<Arc<Goal>, Error> {
        let mut space = self.space();
        space.settle(id)?;
        space.prune(id)?;
        Ok(Arc::clone(&space.goals[id.0 as usize].goal))
    }

    /// The goal of the values that are in all of these goals. It may be empty.
    ///
    /// # Errors
    /// As [`Self::goal`].
    pub fn meet(&self, goals: &[GoalId]) -> Result<GoalId, Error> {
        let mut space = self.space();
        let mut pending = Vec::new();
        let goal = space.meet(goals, &mut pending)?;
        space.decide(pending)?;
        Ok(goal)
    }

    /// Whether no value is in a goal.
    ///
    /// # Errors
    /// As [`Self::goal`].
    pub fn is_empty(&self, id: GoalId) -> Result<bool, Error> {
        let mut space = self.space();
        space.settle(id)?;
        Ok(space.life(id) == Life::Empty)
    }

    /// A pointer to the schema by whose keyword a goal is as it is; if none of its parts has that keyword, to the
    /// first of them.
    ///
    /// # Errors
    /// As [`Self::goal`].
    pub fn pointer_of(&self, id: GoalId, keyword: &str) -> Result<String, Error> {
        self.space().pointer_of(id, keyword)
    }

    /// Whether an object, of which a part is written, can still become one of the shape.
    ///
    /// # Errors
    /// As [`Self::goal`].
    pub fn completes(&self, shape: &ObjectShape, rest: &Rest) -> Result<bool, Error> {
        let mut space = self.space();
        loop {
            let mut pending = Vec::new();
            let found = Search::new(&mut space, shape, &mut pending).rest(rest)?;
            let done = found || pending.is_empty();
            space.decide(pending)?;
            if done {
                return Ok(found);
            }
        }
    }

    /// A lower bound on the bytes of the shortest text of a value in a goal, without white space.
    ///
    /// # Errors
    /// As [`Self::goal`].
    pub fn shortest(&self, id: GoalId) -> Result<u32, Error> {
        let mut space = self.space();
        space.settle(id)?;
        Ok(space.shortest(id))
    }

    /// Whether a string meets a condition.
    ///
    /// # Errors
    /// As [`Self::goal`].
    pub fn meets(&self, part: &StringPart, text: &str) -> Result<bool, Error> {
        self.space().builder.texts.meets(part, &Arc::from(text))
    }

    /// Whether some beginning is one of finitely many strings of a set only; if that is hard to tell, it may be.
    pub fn runs_out(&self, set: &StringSet) -> bool {
        self.space().builder.texts.runs_out(set)
    }

    /// How many strings a set has, a bound from below, if they are fewer than `most`; `None` if there are so many.
    pub fn count_strings(&self, set: &StringSet, most: u64) -> Option<u64> {
        self.space().builder.texts.count(set, most)
    }

    /// The source of a pattern.
    pub fn pattern(&self, pattern: PatternId) -> Arc<str> {
        Arc::clone(self.space().builder.texts.source(pattern))
    }

    /// What a pattern's source means: it matches the whole of a string that the source matches anywhere.
    pub fn parsed(&self, pattern: PatternId) -> Arc<Pattern> {
        Arc::clone(self.space().builder.texts.parsed(pattern))
    }

    /// What has no effect, or another one than the specification says.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Whether integers are told by how they are written, as draft 4 has it: there `1.0` is none. A normal form knows
    /// values alone, so that this is left to who spells them.
    pub fn integers_by_text(&self) -> bool {
        self.space().builder.index.integers_by_text()
    }

    /// The work done so far, in the unit of [`Limits::schema_work`].
    pub fn work(&self) -> u64 {
        self.space().work()
    }

    /// How many goals were worked out so far.
    pub fn goals(&self) -> usize {
        self.space().goals.len()
    }

    fn space(&self) -> MutexGuard<'_, Space> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn warnings(index: &Index) -> Vec<Diagnostic> {
    let documents: &Documents = &index.documents;
    let mut warnings: Vec<Diagnostic> = index
        .remarks
        .iter()
        .map(|remark| Diagnostic {
            pointer: Some(documents.pointer(remark.at)),
            keyword: Some(documents.text(remark.keyword).to_owned()),
            message: remark.reason.text().to_owned(),
        })
        .collect();
    warnings.dedup();
    warnings
}

impl Space {
    /// A lower bound on the bytes of the shortest text of a value in a goal.
    fn shortest(&self, id: GoalId) -> u32 {
        let shapes = self.goals[id.0 as usize].goal.shapes.iter();
        let of = |shape: &Shape| match shape {
            Shape::Null => 4,
            Shape::Bool { yes: true, .. } => 4,
            Shape::Bool { .. } => 5,
            Shape::Number(_) => 1,
            Shape::String(set) => {
                let listed = set.values.iter().flatten().map(|value| value.len() as u64).min();
                2 + listed.unwrap_or(set.min_chars).min(u64::from(u32::MAX / 2)) as u32
            }
            // Each item and each pair has a byte at least, and commas between.
            Shape::Array(array) => 2 + (2 * array.min).saturating_sub(1).min(1 << 30) as u32,
            Shape::Object(object) => {
                let required = object.keys.iter().filter(|key| key.required);
                let bytes: u64 = required.map(|key| key.name.len() as u64 + 5).sum();
                2 + bytes.saturating_sub(1).min(1 << 30) as u32
            }
        };
        shapes.map(of).min().unwrap_or(u32::MAX)
    }
}
