//! Arrays: which items may come next, and what must still come.

use rustc_hash::FxHashSet;

use super::distinct::Distinct;
use super::object::ShapeId;
use super::regions::{Promise, Region, regions};
use super::unique::{Scalar, Universe, can_fill};
use crate::error::Error;
use crate::grammar::Within;
use crate::schema::Normal;
use crate::schema::normal::{ArrayShape, Contains, GoalId};

/// As many places as this are looked at ahead for values that are not used yet.
const MOST_PLACES: u64 = 20_001;

/// How many states a search for an end may look at.
const SEARCH: usize = 20_000;

/// How far an array has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ArrayState {
    pub(super) shape: ShapeId,
    /// Items that were written, as far as their number matters.
    items: u64,
    /// For each count of the shape, how many items count, as far as that matters.
    counts: Box<[u64]>,
    /// Where no two items may be equal: the listed values that were written, by number, in ascending order.
    used: Box<[u32]>,
}

/// What an item may be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Written {
    /// Any value of a goal.
    Any(GoalId),
    /// This value.
    One(Scalar),
}

/// An item that may come next.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) value: Written,
    /// How far the array has come after it.
    pub(super) then: ArrayState,
}

/// An array shape with what is worked out once.
#[derive(Debug)]
pub(super) struct Plan {
    id: ShapeId,
    shape: ArrayShape,
    /// Numbers of items beyond this are all alike.
    most: u64,
    /// Where no two items may be equal and the values of the first are listed: these.
    universe: Option<Universe>,
    /// How many of the first items that is for.
    listed: u64,
    /// What its rules are made within.
    pub(super) within: Within,
}

impl Plan {
    pub(super) fn new(id: ShapeId, shape: ArrayShape, distinct: Distinct) -> Self {
        let known = shape.contains.iter().map(|c| c.from);
        let known = known.chain([shape.min, shape.prefix.len() as u64]).max().unwrap_or(0);
        let most = shape.max.unwrap_or(known);
        let (listed, within) = match distinct {
            Distinct::No => (0, Within::Container),
            Distinct::Listed => (u64::MAX, Within::Container),
            Distinct::Tracked(listed) => (listed, Within::DistinctItems),
        };
        let universe = (listed > 0).then(Universe::default);
        Self { id, shape, most, universe, listed, within }
    }

    /// Where an array begins.
    pub(super) fn start(&self) -> ArrayState {
        let counts = vec![0; self.shape.contains.len()];
        ArrayState { shape: self.id, items: 0, counts: counts.into(), used: Box::default() }
    }

    /// Whether the array may end here.
    pub(super) fn may_end(&self, state: &ArrayState) -> bool {
        let mut counts = state.counts.iter().zip(&self.shape.contains);
        state.items >= self.shape.min && counts.all(|(count, contains)| *count >= contains.min)
    }

    /// A lower bound of the length of the rest in bytes, the closing bracket included.
    pub(super) fn shortest(
        &self,
        state: &ArrayState,
        value: impl Fn(GoalId) -> Result<u32, Error>,
    ) -> Result<u32, Error> {
        let mut total: u64 = 1;
        let needed = usize::try_from(self.shape.min).unwrap_or(usize::MAX);
        let written = usize::try_from(state.items).unwrap_or(usize::MAX);
        for goal in self.shape.prefix.iter().take(needed).skip(written) {
            total = total.saturating_add(u64::from(value(*goal)?));
        }
        let missing = self.shape.min.saturating_sub(state.items);
        let beyond = missing.min(self.shape.min.saturating_sub(self.shape.prefix.len() as u64));
        if let Some(goal) = self.shape.rest.filter(|_| beyond > 0) {
            total = total.saturating_add(beyond.saturating_mul(u64::from(value(goal)?)));
        }
        Ok(u32::try_from(total).unwrap_or(u32::MAX / 2).min(u32::MAX / 2))
    }

    /// The items that may come next.
    pub(super) fn choices(&self, normal: &Normal, state: &ArrayState) -> Result<Vec<Item>, Error> {
        let mut items = self.steps(normal, state)?;
        if !self.shape.contains.is_empty() || self.universe.is_some() {
            let mut kept = Vec::new();
            for item in items {
                if self.completes(normal, &item.then)? {
                    kept.push(item);
                }
            }
            items = kept;
        }
        Ok(items)
    }

    /// The items that may come next, whatever comes after them.
    fn steps(&self, normal: &Normal, state: &ArrayState) -> Result<Vec<Item>, Error> {
        if self.shape.max.is_some_and(|max| state.items >= max) {
            return Ok(Vec::new());
        }
        let Some(value) = self.goal_at(state.items) else { return Ok(Vec::new()) };
        let promises = self.shape.contains.iter().zip(&state.counts).enumerate();
        let promises = promises
            .filter(|(_, (contains, count))| {
                state.items >= contains.from && (contains.max.is_some() || **count < contains.min)
            })
            .map(|(at, (contains, _))| Promise {
                goal: contains.goal,
                other: Some(contains.other),
                fulfils: vec![at as u32],
            })
            .collect();
        let mut items = Vec::new();
        for Region { goal, fulfilled } in regions(normal, value, promises)? {
            let mut then = state.clone();
            then.items = (then.items + 1).min(self.most);
            let fits = |then: &mut ArrayState, at: u32| {
                let Contains { min, max, .. } = self.shape.contains[at as usize];
                let count = &mut then.counts[at as usize];
                *count += 1;
                if max.is_none() {
                    *count = (*count).min(min);
                }
                max.is_none_or(|max| *count <= max)
            };
            if fulfilled.iter().all(|&at| fits(&mut then, at)) {
                let listed = state.items < self.listed;
                self.offer(normal, goal, then, listed, &mut items)?;
            }
        }
        Ok(items)
    }

    /// Adds an item; where no two may be equal and values are `listed`, each of them for itself.
    fn offer(
        &self,
        normal: &Normal,
        goal: GoalId,
        then: ArrayState,
        listed: bool,
        items: &mut Vec<Item>,
    ) -> Result<(), Error> {
        let Some(universe) = self.universe.as_ref().filter(|_| listed) else {
            items.push(Item { value: Written::Any(goal), then });
            return Ok(());
        };
        for &value in universe.members(normal, goal)?.iter() {
            let Err(at) = then.used.binary_search(&value) else { continue };
            let mut used = then.used.to_vec();
            used.insert(at, value);
            let then = ArrayState { used: used.into(), ..then.clone() };
            items.push(Item { value: Written::One(universe.value(value)), then });
        }
        Ok(())
    }

    /// Whether enough values are left for the items that must still come.
    fn has_enough(&self, normal: &Normal, state: &ArrayState) -> Result<bool, Error> {
        let Some(universe) = &self.universe else { return Ok(true) };
        let missing = self.shape.min.saturating_sub(state.items);
        // As many places alike as there are values are as good as more.
        let last = state.items.saturating_add(missing.min(MOST_PLACES)).min(self.listed);
        let places = (state.items..last)
            .filter_map(|at| self.goal_at(at))
            .map(|goal| universe.members(normal, goal));
        Ok(can_fill(&places.collect::<Result<Vec<_>, _>>()?, &state.used))
    }

    fn goal_at(&self, item: u64) -> Option<GoalId> {
        let prefix = usize::try_from(item).ok().and_then(|at| self.shape.prefix.get(at));
        prefix.copied().or(self.shape.rest)
    }

    /// Whether the array can end from here: a search that looks at each state once.
    fn completes(&self, normal: &Normal, from: &ArrayState) -> Result<bool, Error> {
        if !self.has_enough(normal, from)? {
            return Ok(false);
        }
        if self.shape.contains.is_empty() {
            return Ok(true);
        }
        let mut seen = FxHashSet::from_iter([from.clone()]);
        let mut todo = vec![from.clone()];
        while let Some(state) = todo.pop() {
            if self.may_end(&state) {
                return Ok(true);
            }
            if seen.len() > SEARCH {
                return Err(Error::UnsupportedSchema {
                    pointer: String::new(),
                    keyword: "contains".into(),
                    message: "whether the counts can all be met takes too long to decide".into(),
                });
            }
            // What counts for most comes last, and is looked at first.
            for item in self.steps(normal, &state)?.into_iter().rev() {
                if seen.insert(item.then.clone()) {
                    todo.push(item.then);
                }
            }
        }
        Ok(false)
    }
}
