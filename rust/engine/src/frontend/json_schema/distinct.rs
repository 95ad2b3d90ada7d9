//! How the items of an array are kept different, and whether they can be.
//!
//! Where all values of the first items are listed, the array's states know which were used (see `unique`). Otherwise the
//! tracker beside the position compares items by value; it refuses equal ones, but knows nothing of how many are left.
//! So there must be more values for each further item than an array can have items.

use super::source::Lowered;
use super::unique;
use crate::error::Error;
use crate::schema::normal::{ArrayShape, Equality, GoalId, Literal, ObjectShape, Shape};

/// More items than a text has, within the limits of memory.
const ENDLESS: u64 = 100_000;

/// Strings of a pattern or a format are counted up to here. They stand for endlessly many if there are that many.
const STRINGS: u64 = 20_000;

/// Containers within containers are counted to this depth.
const NESTED: u32 = 6;

/// How the items of an array are kept different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distinct {
    /// They may be equal.
    No,
    /// By the array's states, which know the listed values.
    Listed,
    /// By the tracker; so many of the first items by the array's states too.
    Tracked(u64),
}

/// How the items of an array are kept different; `None` if that is not known.
pub(super) fn distinct(schema: &Lowered, array: &ArrayShape) -> Result<Option<Distinct>, Error> {
    if array.equality != Equality::Unique || array.max.is_some_and(|max| max < 2) {
        return Ok(Some(Distinct::No));
    }
    let counted = array.contains.iter().flat_map(|contains| [contains.goal, contains.other]);
    let is_listed = |goal| -> Result<bool, Error> {
        let goal = schema.normal.goal(goal)?;
        Ok(goal.shapes.iter().all(|shape| unique::values(shape).is_some()))
    };
    let items: Vec<GoalId> = array.prefix.iter().copied().chain(array.rest).collect();
    let mut listed = 0;
    while listed < items.len() && is_listed(items[listed])? {
        listed += 1;
    }
    if listed == items.len() {
        for goal in counted {
            if !is_listed(goal)? {
                return Ok(None);
            }
        }
        return Ok(Some(Distinct::Listed));
    }
    if !array.contains.is_empty() {
        return Ok(None);
    }
    let needed = array.max.unwrap_or(ENDLESS).min(ENDLESS);
    for &goal in &items[listed..] {
        if count(schema, goal, needed, NESTED)? < needed {
            return Ok(None);
        }
    }
    Ok(Some(Distinct::Tracked(listed as u64)))
}

/// How many values a goal has, a bound from below. Shapes may overlap, so that only the largest counts, and those
/// of other types.
fn count(schema: &Lowered, id: GoalId, needed: u64, nested: u32) -> Result<u64, Error> {
    let Some(nested) = nested.checked_sub(1) else { return Ok(0) };
    let goal = schema.normal.goal(id)?;
    if goal.any {
        return Ok(u64::MAX);
    }
    let mut most = [0; 6];
    for shape in &goal.shapes {
        let (kind, count) = match shape {
            Shape::Null => (0, 1),
            Shape::Bool { yes, no } => (1, u64::from(*yes) + u64::from(*no)),
            Shape::Number(set) => {
                let members = set.members(needed as usize)?;
                (2, members.map_or(u64::MAX, |members| members.len() as u64))
            }
            Shape::String(set) => {
                (3, schema.normal.count_strings(set, needed.min(STRINGS)).unwrap_or(u64::MAX))
            }
            Shape::Array(array) => (4, arrays(schema, array, needed, nested)?),
            Shape::Object(object) => (5, objects(schema, object, needed, nested)?),
        };
        most[kind] = count.max(most[kind]);
    }
    Ok(most.into_iter().fold(0, u64::saturating_add))
}

fn arrays(schema: &Lowered, array: &ArrayShape, needed: u64, nested: u32) -> Result<u64, Error> {
    if !array.contains.is_empty() || array.equality == Equality::Repeated {
        return Ok(1);
    }
    if array.equality == Equality::Free && array.max.is_none() {
        // One for each length.
        return Ok(u64::MAX);
    }
    let places = array.prefix.iter().copied().chain(array.rest);
    let places = places.take(usize::try_from(array.max.unwrap_or(u64::MAX)).unwrap_or(usize::MAX));
    let mut most = 1;
    for goal in places {
        let count = count(schema, goal, needed, nested)?;
        if count >= needed {
            return Ok(count);
        }
        if array.equality == Equality::Free {
            most = most.max(count);
        }
    }
    Ok(most)
}

fn objects(schema: &Lowered, object: &ObjectShape, needed: u64, nested: u32) -> Result<u64, Error> {
    let required = object.keys.iter().filter(|key| key.required).count() as u64;
    let has_room = object.max.is_none_or(|max| required < max);
    // With one more key it stays as valid as it was, unless few keys are asked for.
    let mut literals = object.clauses.iter().flat_map(|clause| &clause.0);
    if has_room && !literals.any(|literal| matches!(literal, Literal::AtMost(_))) {
        let names = needed.saturating_add(object.keys.len() as u64);
        for class in
            object.classes.iter().filter(|_| object.max.is_none() || object.clauses.is_empty())
        {
            if count(schema, class.names, names, nested)? >= names {
                return Ok(u64::MAX);
            }
        }
    }
    if !object.clauses.is_empty() {
        return Ok(1);
    }
    // What the keys hold is chosen one by one, or of one alone.
    let (mut product, mut most): (u64, u64) = (1, 1);
    for key in &object.keys {
        let Some(value) = key.value.filter(|_| key.required || has_room) else { continue };
        let ways = count(schema, value, needed, nested)?.max(1);
        let absent = u64::from(!key.required && object.min == 0);
        product = product.saturating_mul(ways.saturating_add(absent));
        most = most.max(ways);
    }
    Ok(if object.max.is_none() { product } else { most })
}
