//! Arrays without equal items whose values are listed: each is used at most once, and enough are left for what must
//! follow.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::json::Decimal;
use crate::schema::Normal;
use crate::schema::normal::{GoalId, Shape};

/// A goal with more values than this counts as one whose values are not listed.
const MOST: usize = 20_000;

/// A value that is listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Number(Decimal),
    String(Arc<str>),
}

/// The values of a goal, by number, in ascending order.
pub(super) type Members = Arc<[u32]>;

/// Listed values and their numbers.
#[derive(Debug, Default)]
pub(super) struct Universe(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    values: Vec<Scalar>,
    numbers: FxHashMap<Scalar, u32>,
    members: FxHashMap<GoalId, Members>,
}

impl Universe {
    /// The value with a number.
    pub(super) fn value(&self, number: u32) -> Scalar {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.values[number as usize].clone()
    }

    /// The values of a goal.
    pub(super) fn members(&self, normal: &Normal, id: GoalId) -> Result<Members, Error> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inner.members.get(&id) {
            return Ok(known.clone());
        }
        let goal = normal.goal(id)?;
        let mut listed = Vec::new();
        for shape in &goal.shapes {
            // Items of which some are not listed are compared elsewhere.
            let values = values(shape).ok_or_else(|| {
                Error::Grammar(format!("values that were listed are not: {shape:?}"))
            })?;
            listed.extend(values.into_iter().map(|value| inner.number(value)));
        }
        listed.sort_unstable();
        listed.dedup();
        let members = Members::from(listed);
        inner.members.insert(id, members.clone());
        Ok(members)
    }
}

impl Inner {
    fn number(&mut self, value: Scalar) -> u32 {
        let Self { values, numbers, .. } = self;
        *numbers.entry(value).or_insert_with_key(|value| {
            values.push(value.clone());
            values.len() as u32 - 1
        })
    }
}

/// All values of a shape, if they are listed.
pub(super) fn values(shape: &Shape) -> Option<Vec<Scalar>> {
    let few = |count: usize| count <= MOST;
    match shape {
        Shape::Null => Some(vec![Scalar::Null]),
        Shape::Bool { yes, no } => {
            let values = [(true, *yes), (false, *no)];
            Some(values.into_iter().filter(|v| v.1).map(|v| Scalar::Bool(v.0)).collect())
        }
        Shape::Number(set) => {
            let values = set.values.as_ref().filter(|values| few(values.len()))?;
            Some(values.iter().cloned().map(Scalar::Number).collect())
        }
        Shape::String(set) => {
            let values = set.values.as_ref().filter(|values| few(values.len()))?;
            Some(values.iter().cloned().map(Scalar::String).collect())
        }
        Shape::Array(_) | Shape::Object(_) => None,
    }
}

/// Whether each of these places can get a value of its own that is not used yet (Hall's condition, by augmenting
/// paths).
pub(super) fn can_fill(places: &[Members], used: &[u32]) -> bool {
    // The place that each value is given to.
    let mut given: FxHashMap<u32, usize> = FxHashMap::default();
    (0..places.len()).all(|place| augment(places, used, place, &mut given))
}

/// Gives a value to one more place, moving others to other values where needed.
fn augment(
    places: &[Members],
    used: &[u32],
    place: usize,
    given: &mut FxHashMap<u32, usize>,
) -> bool {
    // A search without recursion: for each value that was seen, the place that wanted it.
    let mut wanted: FxHashMap<u32, usize> = FxHashMap::default();
    let mut todo = vec![place];
    while let Some(place) = todo.pop() {
        for &value in places[place].iter() {
            if used.binary_search(&value).is_ok() || wanted.contains_key(&value) {
                continue;
            }
            wanted.insert(value, place);
            let Some(&holder) = given.get(&value) else {
                take(value, &wanted, given);
                return true;
            };
            todo.push(holder);
        }
    }
    false
}

/// Gives a free value to who wanted it, the value that this one held to who wanted that, and so on.
fn take(mut value: u32, wanted: &FxHashMap<u32, usize>, given: &mut FxHashMap<u32, usize>) {
    loop {
        let place = wanted[&value];
        let held = given.iter().find(|(_, holder)| **holder == place).map(|(value, _)| *value);
        given.insert(value, place);
        match held {
            Some(held) => {
                given.remove(&held);
                value = held;
            }
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hall() {
        type Case = (&'static [&'static [u32]], &'static [u32], bool);
        let cases: [Case; 8] = [
            (&[], &[], true),
            (&[&[1]], &[], true),
            (&[&[1]], &[1], false),
            (&[&[1], &[1]], &[], false),
            (&[&[1, 2], &[1]], &[], true),
            (&[&[1, 2], &[1, 3], &[1]], &[], true),
            (&[&[1, 2], &[1, 2], &[1, 2]], &[], false),
            (&[&[1, 2, 3], &[2, 3], &[3, 1], &[4]], &[2], false),
        ];
        for (places, used, fits) in cases {
            let places: Vec<Members> = places.iter().map(|place| Members::from(*place)).collect();
            assert_eq!(can_fill(&places, used), fits, "{places:?} without {used:?}");
        }
    }

    #[test]
    fn a_chain_of_moves() {
        // Each place takes the value that the one before wants more.
        let places: Vec<Members> =
            (0..50).map(|at| [at, at + 1].into()).chain([[0].into()]).collect();
        assert!(can_fill(&places, &[]));
        assert!(!can_fill(&places, &[25]));
    }
}
