//! Can an array of a shape be filled? Items that count, and items that must differ.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::normal::{ArrayShape, Equality, GoalId, Shape};
use super::space::{Life, Space};
use crate::error::Error;
use crate::json::Decimal;
use crate::limits::check;

/// Most kinds of items that are counted in one array.
const COUNTED: u64 = 6;
/// Cardinalities from here on count as endless.
const ENDLESS: u64 = 100_000;
/// Containers within containers are counted to this depth.
const NESTED: u32 = 8;

/// A scalar value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Scalar {
    Null,
    Bool(bool),
    Number(Decimal),
    String(std::sync::Arc<str>),
}

/// A search for an array.
pub(super) struct Filling<'a> {
    space: &'a mut Space,
    array: &'a ArrayShape,
    pending: &'a mut Vec<GoalId>,
}

impl<'a> Filling<'a> {
    pub(super) fn new(
        space: &'a mut Space,
        array: &'a ArrayShape,
        pending: &'a mut Vec<GoalId>,
    ) -> Self {
        Self { space, array, pending }
    }

    fn goal_at(&self, at: u64) -> Option<GoalId> {
        self.array.prefix.get(at as usize).copied().or(self.array.rest)
    }

    fn is_live(&self, goal: GoalId) -> bool {
        self.space.life(goal) == Life::Live
    }

    /// Whether there is an array of this shape, all of whose items are known to be live.
    pub(super) fn exists(mut self) -> Result<bool, Error> {
        let listed = self.array.prefix.len() as u64;
        for at in 0..self.array.min.min(listed + 1) {
            if !self.goal_at(at).is_some_and(|goal| self.is_live(goal)) {
                return Ok(false);
            }
        }
        if !self.array.contains.is_empty() && !self.counts_fit()? {
            return Ok(false);
        }
        match self.array.equality {
            Equality::Free => Ok(true),
            Equality::Unique => self.can_differ(),
            Equality::Repeated => self.can_repeat(),
        }
    }

    /// Whether the items can be chosen so that every count is within its bounds: all counts that some array of
    /// each length can have, grown item by item.
    fn counts_fit(&mut self) -> Result<bool, Error> {
        let counted = self.array.contains.len();
        check("counts of items in one array", "schema_work", COUNTED, counted as u64)?;
        let caps: Vec<u64> = self
            .array
            .contains
            .iter()
            .map(|count| count.max.map_or(count.min, |max| max.saturating_add(1)))
            .collect();
        let fits = |counts: &[u64], array: &ArrayShape| {
            array.contains.iter().zip(counts).all(|(contains, count)| {
                *count >= contains.min && contains.max.is_none_or(|max| *count <= max)
            })
        };
        let last = self.array.contains.iter().map(|count| count.from).max().unwrap_or(0);
        let special = last.max(self.array.prefix.len() as u64);
        let mut now: HashSet<Vec<u64>, FxBuildHasher> = HashSet::default();
        now.insert(vec![0; counted]);
        let mut seen: HashSet<(u64, Vec<u64>), FxBuildHasher> = HashSet::default();
        let mut kinds: HashMap<u64, Vec<Vec<bool>>, FxBuildHasher> = HashMap::default();
        let mut length = 0;
        loop {
            let enough = length >= self.array.min;
            let mut reached: Vec<Vec<u64>> = now.drain().collect();
            reached.sort_unstable();
            if enough && reached.iter().any(|counts| fits(counts, self.array)) {
                return Ok(true);
            }
            if self.array.max.is_some_and(|max| length >= max) {
                return Ok(false);
            }
            // Behind the listed items all places are alike, so that nothing new comes of the same counts.
            let place = length.min(special);
            if !kinds.contains_key(&place) {
                let found = self.kinds_at(place)?;
                kinds.insert(place, found);
            }
            let here = kinds[&place].clone();
            for counts in reached {
                if place == special
                    && length >= self.array.min
                    && !seen.insert((place, counts.clone()))
                {
                    continue;
                }
                self.space.charge(1 + here.len() as u64)?;
                for kind in &here {
                    let next: Vec<u64> = counts
                        .iter()
                        .zip(kind)
                        .zip(&caps)
                        .map(|((count, more), cap)| (count + u64::from(*more)).min(*cap))
                        .collect();
                    now.insert(next);
                }
            }
            if now.is_empty() {
                return Ok(false);
            }
            length += 1;
        }
    }

    /// The combinations of counted kinds that an item at a place can have.
    fn kinds_at(&mut self, at: u64) -> Result<Vec<Vec<bool>>, Error> {
        let Some(goal) = self.goal_at(at) else { return Ok(Vec::new()) };
        let mut kinds = vec![(Vec::new(), vec![goal])];
        for contains in &self.array.contains {
            let mut finer = Vec::new();
            for (kind, goals) in kinds {
                if at < contains.from {
                    let mut kind: Vec<bool> = kind;
                    kind.push(false);
                    finer.push((kind, goals));
                    continue;
                }
                for counts in [true, false] {
                    let (mut kind, mut goals) = (kind.clone(), goals.clone());
                    kind.push(counts);
                    goals.push(if counts { contains.goal } else { contains.other });
                    finer.push((kind, goals));
                }
            }
            kinds = finer;
        }
        let mut found = Vec::new();
        for (kind, goals) in kinds {
            let goal = self.space.meet(&goals, self.pending)?;
            if self.is_live(goal) {
                found.push(kind);
            }
        }
        Ok(found)
    }

    /// Whether the items that have to be there can all be different.
    fn can_differ(&mut self) -> Result<bool, Error> {
        for contains in &self.array.contains {
            let listed = self.array.prefix.len() as u64;
            let goal = self.array.rest.filter(|_| listed <= contains.from);
            let mut goals = vec![contains.goal];
            goals.extend(goal);
            let both = self.space.meet(&goals, self.pending)?;
            if self.cardinality(both, NESTED) < contains.min {
                return Ok(false);
            }
        }
        let needed = self.array.min;
        if needed < 2 {
            return Ok(true);
        }
        let listed = self.array.prefix.len() as u64;
        if needed > listed
            && let Some(rest) = self.array.rest
            && self.cardinality(rest, NESTED) < needed - listed
        {
            return Ok(false);
        }
        // A place with more values than there are places never lacks one.
        let mut places: Vec<Vec<Scalar>> = Vec::new();
        for at in 0..needed.min(listed + ENDLESS) {
            let Some(goal) = self.goal_at(at) else { return Ok(false) };
            let count = self.cardinality(goal, NESTED);
            if count >= needed {
                if at >= listed {
                    break;
                }
                continue;
            }
            match self.scalars(goal)? {
                Some(values) => places.push(values),
                None => continue,
            }
            self.space.charge(1)?;
        }
        self.match_places(&places)
    }

    /// Whether each place can have a value of its own: a matching, by augmenting paths.
    fn match_places(&mut self, places: &[Vec<Scalar>]) -> Result<bool, Error> {
        let mut numbers: HashMap<&Scalar, usize, FxBuildHasher> = HashMap::default();
        for value in places.iter().flatten() {
            let next = numbers.len();
            numbers.entry(value).or_insert(next);
        }
        let edges: Vec<Vec<usize>> = places
            .iter()
            .map(|values| values.iter().map(|value| numbers[value]).collect())
            .collect();
        let mut owner: Vec<Option<usize>> = vec![None; numbers.len()];
        for start in 0..edges.len() {
            // Breadth first, so that no recursion is needed.
            let mut from: Vec<Option<usize>> = vec![None; owner.len()];
            let mut queue = vec![start];
            let mut free = None;
            let mut at = 0;
            'search: while at < queue.len() {
                let place = queue[at];
                at += 1;
                for &value in &edges[place] {
                    self.space.charge(1)?;
                    if from[value].is_some() {
                        continue;
                    }
                    from[value] = Some(place);
                    match owner[value] {
                        Some(other) => queue.push(other),
                        None => {
                            free = Some(value);
                            break 'search;
                        }
                    }
                }
            }
            let Some(mut value) = free else { return Ok(false) };
            while let Some(place) = from[value] {
                let before = owner.iter().position(|owner| *owner == Some(place));
                owner[value] = Some(place);
                match before {
                    Some(before) if place != start => value = before,
                    _ => break,
                }
            }
        }
        Ok(true)
    }

    /// Whether two items can be equal.
    fn can_repeat(&mut self) -> Result<bool, Error> {
        let listed = self.array.prefix.len() as u64;
        let most = self.array.max.unwrap_or(u64::MAX).min(listed + 2);
        for later in 1..most {
            for earlier in 0..later {
                let (Some(a), Some(b)) = (self.goal_at(earlier), self.goal_at(later)) else {
                    return Ok(false);
                };
                let between =
                    (0..=later).all(|at| self.goal_at(at).is_some_and(|goal| self.is_live(goal)));
                let both = if a == b { a } else { self.space.meet(&[a, b], self.pending)? };
                if between && self.is_live(both) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// How many values a goal has, a bound from above; many count as endless.
    fn cardinality(&self, goal: GoalId, nested: u32) -> u64 {
        let Some(nested) = nested.checked_sub(1) else { return ENDLESS };
        let mut total: u64 = 0;
        for shape in &self.space.goals[goal.0 as usize].goal.shapes {
            let count = match shape {
                Shape::Null => 1,
                Shape::Bool { yes, no } => u64::from(*yes) + u64::from(*no),
                Shape::Number(set) => match set.members(ENDLESS as usize) {
                    Ok(Some(members)) => members.len() as u64,
                    _ => ENDLESS,
                },
                Shape::String(set) => {
                    set.values.as_ref().map_or(ENDLESS, |values| values.len() as u64)
                }
                Shape::Array(array) => self.arrays(array, nested),
                Shape::Object(object) if object.classes.is_empty() => {
                    object.keys.iter().fold(1, |product: u64, key| {
                        let values = key.value.map_or(0, |goal| self.cardinality(goal, nested));
                        let ways = values + u64::from(!key.required);
                        product.saturating_mul(ways).min(ENDLESS)
                    })
                }
                Shape::Object(_) => ENDLESS,
            };
            total = total.saturating_add(count);
        }
        total.min(ENDLESS)
    }

    fn arrays(&self, array: &ArrayShape, nested: u32) -> u64 {
        let Some(max) = array.max.filter(|max| *max < 64) else { return ENDLESS };
        let (mut total, mut product): (u64, u64) = (0, 1);
        for length in 0..=max {
            if length >= array.min {
                total = total.saturating_add(product).min(ENDLESS);
            }
            let goal = array.prefix.get(length as usize).copied().or(array.rest);
            let values = goal.map_or(0, |goal| self.cardinality(goal, nested));
            product = product.saturating_mul(values).min(ENDLESS);
        }
        total
    }

    /// All values of a goal, if they are few scalars.
    fn scalars(&mut self, goal: GoalId) -> Result<Option<Vec<Scalar>>, Error> {
        let mut values = Vec::new();
        for shape in &self.space.goals[goal.0 as usize].goal.shapes {
            match shape {
                Shape::Null => values.push(Scalar::Null),
                Shape::Bool { yes, no } => {
                    values.extend(yes.then_some(Scalar::Bool(true)));
                    values.extend(no.then_some(Scalar::Bool(false)));
                }
                Shape::Number(set) => match set.members(ENDLESS as usize)? {
                    Some(members) => values.extend(members.into_iter().map(Scalar::Number)),
                    None => return Ok(None),
                },
                Shape::String(set) => match &set.values {
                    Some(listed) => values.extend(listed.iter().cloned().map(Scalar::String)),
                    None => return Ok(None),
                },
                _ => return Ok(None),
            }
        }
        values.sort();
        values.dedup();
        Ok(Some(values))
    }
}
