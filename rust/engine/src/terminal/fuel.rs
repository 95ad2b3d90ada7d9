//! Work, counted: what one step may cost.

use crate::error::Error;

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
                self.left = left;
                Ok(())
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
