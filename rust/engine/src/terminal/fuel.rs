//! Work, counted: what one step may cost.

use crate::cancel;
use crate::error::Error;

/// Cancellation is asked for once in so many units.
const ROUND: u32 = 16;

/// What is left of a step's budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fuel {
    left: u64,
    limit: u64,
}

impl Fuel {
    pub(crate) fn new(limit: u64) -> Self {
        Self { left: limit, limit }
    }

    /// Takes `work` units.
    #[inline]
    pub(crate) fn spend(&mut self, work: u64) -> Result<(), Error> {
        match self.left.checked_sub(work) {
            Some(left) => {
                let round = self.left >> ROUND != left >> ROUND;
                self.left = left;
                if round { cancel::check() } else { Ok(()) }
            }
            None => Err(Error::TooComplex {
                what: "work in one step",
                name: "step_work",
                limit: self.limit,
                given: self.limit.saturating_add(1),
            }),
        }
    }
}
