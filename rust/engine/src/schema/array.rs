//! Arrays under a conjunction: what is known of each item, of all further items, and of how many there are.

use super::facts::Fact;
use super::node::Lit;
use super::normal::{ArrayShape, Contains, Equality};
use super::object::add;
use super::space::{Space, Status};
use crate::error::Error;
use crate::limits::check;

/// Longest list of items that have conditions of their own.
const PREFIX: u64 = 100_000;

/// What is known of an array.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrayFacts {
    /// What the first items satisfy.
    prefix: Vec<Vec<Lit>>,
    /// What items from an index on satisfy.
    rest: Vec<(u64, Lit)>,
    min: u64,
    max: Option<u64>,
    equality: Equality,
    counts: Vec<(u64, Lit, u64, Option<u64>)>,
}

impl Space {
    /// Adds a fact. `false` means that nothing is left.
    pub(super) fn learn_array(
        &mut self,
        array: &mut ArrayFacts,
        fact: &Fact,
    ) -> Result<bool, Error> {
        match fact {
            Fact::MinItems(min) => array.min = array.min.max(*min),
            Fact::MaxItems(max) => {
                array.max = Some(array.max.map_or(*max, |known| known.min(*max)));
            }
            Fact::Distinct(unique) => {
                let wanted = if *unique { Equality::Unique } else { Equality::Repeated };
                if array.equality != Equality::Free && array.equality != wanted {
                    return Ok(false);
                }
                array.equality = wanted;
                if !unique {
                    array.min = array.min.max(2);
                }
            }
            Fact::Item(at, lit) => item(array, *at, *lit)?,
            Fact::HasItem(at, lit) => {
                item(array, *at, *lit)?;
                array.min = array.min.max(at + 1);
            }
            Fact::Items(from, lit) if *lit == Lit::FALSE => {
                array.max = Some(array.max.map_or(*from, |known| known.min(*from)));
            }
            Fact::Items(from, lit) if !array.rest.contains(&(*from, *lit)) => {
                array.rest.push((*from, *lit));
            }
            Fact::Count(from, Lit::TRUE, min, max) => {
                if *min > 0 {
                    array.min = array.min.max(from.saturating_add(*min));
                }
                if let Some(max) = max {
                    let max = from.saturating_add(*max);
                    array.max = Some(array.max.map_or(max, |known| known.min(max)));
                }
            }
            Fact::Count(from, lit, min, max) => {
                if max.is_some_and(|max| max < *min) || (*lit == Lit::FALSE && *min > 0) {
                    return Ok(false);
                }
                if *min > 0 {
                    array.min = array.min.max(from.saturating_add(*min));
                }
                if *max == Some(0) {
                    return self.learn_array(array, &Fact::Items(*from, lit.not()));
                }
                let known =
                    array.counts.iter_mut().find(|known| (known.0, known.1) == (*from, *lit));
                match known {
                    Some((_, _, low, high)) => {
                        *low = (*low).max(*min);
                        *high = match (*high, *max) {
                            (Some(a), Some(b)) => Some(a.min(b)),
                            (a, b) => a.or(b),
                        };
                        if high.is_some_and(|high| high < *low) {
                            return Ok(false);
                        }
                    }
                    None => array.counts.push((*from, *lit, *min, *max)),
                }
            }
            Fact::Scalars(_, sign) => return Ok(!sign),
            _ => {}
        }
        Ok(array.max.is_none_or(|max| max >= array.min))
    }

    /// Whether a fact is known to hold or to fail.
    pub(super) fn judge_array(&mut self, array: &ArrayFacts, fact: &Fact) -> Result<Status, Error> {
        Ok(match fact {
            Fact::MinItems(min) if array.min >= *min => Status::Holds,
            Fact::MinItems(min) if array.max.is_some_and(|max| max < *min) => Status::Fails,
            Fact::MaxItems(max) if array.max.is_some_and(|known| known <= *max) => Status::Holds,
            Fact::MaxItems(max) if array.min > *max => Status::Fails,
            Fact::Distinct(unique) => match (array.equality, unique) {
                (Equality::Free, true) if array.max.is_some_and(|max| max < 2) => Status::Holds,
                (Equality::Free, false) if array.max.is_some_and(|max| max < 2) => Status::Fails,
                (Equality::Free, _) => Status::Open,
                (Equality::Unique, true) | (Equality::Repeated, false) => Status::Holds,
                _ => Status::Fails,
            },
            Fact::HasItem(at, lit) => {
                if array.max.is_some_and(|max| max <= *at) {
                    return Ok(Status::Fails);
                }
                let mut lits = lits_at(array, *at);
                let known = lits.len();
                if !add(&mut lits, *lit) {
                    return Ok(if array.min > *at { Status::Holds } else { Status::Open });
                }
                if self.is_quickly_empty(&lits)? {
                    return Ok(Status::Fails);
                }
                lits[known] = lit.not();
                if array.min > *at && self.is_quickly_empty(&lits)? {
                    return Ok(Status::Holds);
                }
                Status::Open
            }
            Fact::Count(from, lit, 1, None) => {
                if array.max.is_some_and(|max| max <= *from) {
                    return Ok(Status::Fails);
                }
                let mut lits = lits_at(array, u64::MAX);
                add(&mut lits, *lit);
                let common = array.rest.iter().all(|(start, _)| start <= from);
                let none =
                    common && *from >= array.prefix.len() as u64 && self.is_quickly_empty(&lits)?;
                if none { Status::Fails } else { Status::Open }
            }
            Fact::Scalars(_, true) => Status::Fails,
            Fact::Scalars(_, false) => Status::Holds,
            _ => Status::Open,
        })
    }

    /// The shape of the arrays, or none if it is plain that there are none.
    pub(super) fn array_shape(&mut self, facts: ArrayFacts) -> Result<Option<ArrayShape>, Error> {
        let mut length = facts.rest.iter().map(|(from, _)| *from).max().unwrap_or(0);
        length = length.max(facts.prefix.len() as u64);
        if let Some(max) = facts.max {
            length = length.min(max);
        }
        check("items with conditions of their own", "schema_work", PREFIX, length)?;
        let mut shape = ArrayShape {
            min: facts.min,
            max: facts.max,
            equality: facts.equality,
            ..ArrayShape::default()
        };
        for at in 0..length {
            self.charge(1)?;
            let lits = lits_at(&facts, at);
            let goal = self.goal_of(&lits)?;
            if self.is_quickly_empty_goal(goal)? {
                shape.max = Some(shape.max.map_or(at, |max| max.min(at)));
                break;
            }
            shape.prefix.push(goal);
        }
        if shape.max.is_none_or(|max| max > length) && shape.prefix.len() as u64 == length {
            let lits = lits_at(&facts, u64::MAX);
            let goal = self.goal_of(&lits)?;
            if self.is_quickly_empty_goal(goal)? {
                shape.max = Some(length);
            } else {
                shape.rest = Some(goal);
            }
        }
        for (from, lit, min, max) in facts.counts {
            if shape.max.is_some_and(|length| length <= from) {
                if min > 0 {
                    return Ok(None);
                }
                continue;
            }
            let goal = self.goal_of(&[lit])?;
            let other = self.goal_of(&[lit.not()])?;
            shape.contains.push(Contains { from, goal, other, min, max });
        }
        if shape.equality == Equality::Unique && shape.max.is_some_and(|max| max < 2) {
            shape.equality = Equality::Free;
        }
        Ok(shape.max.is_none_or(|max| max >= shape.min).then_some(shape))
    }
}

fn item(array: &mut ArrayFacts, at: u64, lit: Lit) -> Result<(), Error> {
    if lit == Lit::FALSE {
        array.max = Some(array.max.map_or(at, |known| known.min(at)));
        return Ok(());
    }
    check("items with conditions of their own", "schema_work", PREFIX, at)?;
    let at = at as usize;
    if array.prefix.len() <= at {
        array.prefix.resize(at + 1, Vec::new());
    }
    add(&mut array.prefix[at], lit);
    Ok(())
}

/// What the item at an index satisfies; at the largest index, what all items behind the listed ones satisfy.
fn lits_at(array: &ArrayFacts, at: u64) -> Vec<Lit> {
    let mut lits = array.prefix.get(at as usize).cloned().unwrap_or_default();
    for (from, lit) in &array.rest {
        if *from <= at {
            add(&mut lits, *lit);
        }
    }
    lits
}
