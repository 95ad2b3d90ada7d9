//! A value that may fulfil several conditions: which of them it promises to fulfil.

use crate::error::Error;
use crate::schema::Normal;
use crate::schema::normal::GoalId;

/// A goal, and what a value in it fulfils.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    pub(super) goal: GoalId,
    /// All other values, if they are a goal.
    pub(super) other: Option<GoalId>,
    pub(super) fulfils: Vec<u32>,
}

/// Values with what they promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) goal: GoalId,
    pub(super) fulfilled: Vec<u32>,
}

/// Regions of a goal that cover it, such that each value is in one that promises all that the value fulfils.
pub(super) fn regions(
    normal: &Normal,
    whole: GoalId,
    promises: Vec<Promise>,
) -> Result<Vec<Region>, Error> {
    let mut regions = vec![Region { goal: whole, fulfilled: Vec::new() }];
    for Promise { goal, other, fulfils } in promises {
        let mut parts = Vec::with_capacity(regions.len() + 1);
        for region in regions {
            if fulfils.iter().all(|clause| region.fulfilled.contains(clause)) {
                parts.push(region);
                continue;
            }
            let inside = normal.meet(&[region.goal, goal])?;
            if !normal.is_empty(inside)? {
                let mut fulfilled = region.fulfilled.clone();
                fulfilled.extend(fulfils.iter().filter(|c| !region.fulfilled.contains(c)));
                parts.push(Region { goal: inside, fulfilled });
            }
            if inside == region.goal {
                continue;
            }
            let Some(other) = other else {
                parts.push(region);
                continue;
            };
            let outside = normal.meet(&[region.goal, other])?;
            if !normal.is_empty(outside)? {
                parts.push(Region { goal: outside, ..region });
            }
        }
        regions = parts;
    }
    Ok(regions)
}
