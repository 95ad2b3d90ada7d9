//! Questions about a set of numbers: is it empty, is it finite, what is in it.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::{Bound, Decimal, NumberSet};
use crate::error::Error;
use crate::limits::check;

/// Candidates that a search for a witness may look at.
const CANDIDATES: u64 = 1 << 20;

impl NumberSet {
    /// Whether no number is in the set.
    ///
    /// # Errors
    /// As [`Self::witness`].
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.witness()?.is_none())
    }

    /// A member, if there is one.
    ///
    /// # Errors
    /// [`Error::Syntax`] if a divisor is not above zero; [`Error::TooComplex`] if it takes more than a million
    /// candidates to find one, which needs some 20 divisors that must not divide.
    pub fn witness(&self) -> Result<Option<Decimal>, Error> {
        self.check_divisors()?;
        if let Some(values) = &self.values {
            return Ok(values.iter().find(|v| self.contains(v)).cloned());
        }
        if let Some(step) = self.step() {
            return self.witness_on_grid(&step);
        }
        Ok(match (&self.min, &self.max) {
            (Some(min), Some(max)) if min.value >= max.value => {
                Some(min.value.clone()).filter(|v| self.contains(v))
            }
            // What must not divide and what is left out are sparse in an interval: finer and finer grids meet
            // something else.
            _ => Some(self.witness_in_interval()),
        })
    }

    /// All members, if they are at most `most`. `None` if they are more, or if that cannot be told by looking at few
    /// candidates.
    ///
    /// # Errors
    /// As [`Self::witness`].
    pub fn members(&self, most: usize) -> Result<Option<Vec<Decimal>>, Error> {
        self.check_divisors()?;
        if let Some(values) = &self.values {
            let members: Vec<_> = values.iter().filter(|v| self.contains(v)).cloned().collect();
            return Ok((members.len() <= most).then_some(members));
        }
        if self.is_empty()? {
            return Ok(Some(Vec::new()));
        }
        let (Some(min), Some(max)) = (&self.min, &self.max) else { return Ok(None) };
        let Some(step) = self.step() else {
            // Not empty, so the only finite interval is a point.
            return Ok((min.value == max.value).then(|| vec![min.value.clone()]));
        };
        let (first, last) = (ceiling(min, &step), floor(max, &step));
        let candidates: BigInt = &last - &first + 1;
        let room = most + self.excluded.len();
        if self.not_multiple_of.is_empty() && candidates > BigInt::from(room) {
            return Ok(None);
        }
        if candidates > BigInt::from(CANDIDATES) {
            return Ok(None);
        }
        let mut members = Vec::new();
        let mut k = first;
        while k <= last && members.len() <= most {
            members.extend(Some(step.times(&k)).filter(|v| self.contains(v)));
            k += 1;
        }
        Ok((members.len() <= most).then_some(members))
    }

    /// The least number that all members are multiples of, if anything must divide them.
    pub(super) fn step(&self) -> Option<Decimal> {
        let one = self.integer.then(Decimal::one);
        self.multiple_of.iter().cloned().chain(one).reduce(|a, b| a.lcm(&b))
    }

    /// All that members must not be multiples of.
    pub(super) fn forbidden_divisors(&self) -> Vec<Decimal> {
        let mut all = self.not_multiple_of.clone();
        all.extend(self.not_integer.then(Decimal::one));
        all.sort();
        all.dedup();
        all
    }

    pub(super) fn check_divisors(&self) -> Result<(), Error> {
        let zero = Decimal::zero();
        match self.multiple_of.iter().chain(&self.not_multiple_of).find(|m| **m <= zero) {
            Some(m) => Err(Error::Syntax {
                message: format!("multipleOf {m} is not above zero"),
                place: None,
            }),
            None => Ok(()),
        }
    }

    /// Members are `k * step` for integers `k`; such a number is a multiple of `m` if and only if `k` is one of
    /// `lcm(step, m) / step`.
    fn witness_on_grid(&self, step: &Decimal) -> Result<Option<Decimal>, Error> {
        let forbidden: Vec<BigInt> =
            self.forbidden_divisors().iter().map(|m| step.lcm(m).div_floor(step)).collect();
        if forbidden.iter().any(One::is_one) {
            return Ok(None);
        }
        let first = self.min.as_ref().map(|b| ceiling(b, step));
        let last = self.max.as_ref().map(|b| floor(b, step));
        // Nearest to zero first, then away from it.
        let (mut k, down) = match (&first, &last) {
            (Some(first), Some(last)) if first > last => return Ok(None),
            (Some(first), _) if first.is_positive() => (first.clone(), false),
            (_, Some(last)) if last.is_negative() => (last.clone(), true),
            (None, Some(last)) if last.is_zero() => (BigInt::zero(), true),
            (Some(first), Some(last)) if first.abs() > last.abs() => (BigInt::zero(), true),
            _ => (BigInt::zero(), false),
        };
        let from = k.clone();
        // Between multiples of t forbidden numbers there are at most 2^t candidates in a row that one of them
        // divides (Kanold's bound on Jacobsthal's function), so a search that goes on for long has missed nothing
        // but what is left out one by one.
        let enough = (self.excluded.len() as u64 + 2)
            .saturating_mul(1u64.checked_shl(forbidden.len() as u32).unwrap_or(u64::MAX));
        let mut tried = 0;
        let mut turned = false;
        let mut down = down;
        loop {
            let outside =
                first.as_ref().is_some_and(|f| k < *f) || last.as_ref().is_some_and(|l| k > *l);
            if outside || tried > enough {
                if turned {
                    return Ok(None);
                }
                (turned, down, tried, k) = (true, !down, 0, from.clone());
                continue;
            }
            let candidate = step.times(&k);
            if !forbidden.iter().any(|n| k.is_multiple_of(n)) && !self.excluded.contains(&candidate)
            {
                return Ok(Some(candidate));
            }
            tried += 1;
            check("candidates for a number", "step_work", CANDIDATES, tried)?;
            k += if down { -1 } else { 1 };
        }
    }

    /// A member of a set without a step, whose bounds leave an interval.
    fn witness_in_interval(&self) -> Decimal {
        let zero = Decimal::zero();
        if self.contains(&zero) {
            return zero;
        }
        let ten = BigInt::from(10);
        let low = self.min.as_ref().map(|b| b.value.clone());
        let high = self.max.as_ref().map(|b| b.value.clone());
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (low, high),
            (Some(low), None) => {
                let high = low.abs().times(&ten).max(Decimal::from(10));
                (low, high)
            }
            (None, Some(high)) => ((-high.abs().times(&ten)).min(Decimal::from(-10)), high),
            (None, None) => (zero, Decimal::one()),
        };
        // Each midpoint lies strictly inside, and has one digit more than the last: from some place on, none of the
        // divisors has so many.
        let mut middle = low.midpoint(&high);
        while !self.contains(&middle) {
            middle = low.midpoint(&middle);
        }
        middle
    }
}

/// The least `k` with `k * step` not below the bound.
fn ceiling(bound: &Bound, step: &Decimal) -> BigInt {
    let down = bound.value.div_floor(step);
    let fits = !bound.exclusive && step.times(&down) == bound.value;
    if fits { down } else { down + 1 }
}

/// The greatest `k` with `k * step` not above the bound.
fn floor(bound: &Bound, step: &Decimal) -> BigInt {
    let down = bound.value.div_floor(step);
    let hits = step.times(&down) == bound.value;
    if bound.exclusive && hits { down - 1 } else { down }
}
