//! Whether something can follow digits that makes a number of the set: told by arithmetic, and exactly.
//!
//! More digits make any number that begins with those read. So the question is whether there is a member among them,
//! at one of the places that the first digit can come to by more digits before the point or by an exponent. Where
//! neither bounds nor lists cut these numbers in two, the residue of the digits tells ([`super::divisors`]). Where
//! one does, the digits are known from it, and the numbers that begin with them are an interval.

use num_bigint::BigInt;

use super::exponents::{self, MOST};
use super::machine::Machine;
use super::side::{Fit, Side};
use super::state::{ANY, Phase, Read, State};
use super::{Bound, Decimal, NumberSet};

impl Machine {
    /// Whether some text that begins so is wanted.
    pub(super) fn is_live(&self, state: &State) -> bool {
        match state {
            State::Start => true,
            State::Minus => {
                (self.zero && !self.style.literal) || self.sides[self.side(true)].is_wanted()
            }
            &State::Zero { negative, zeros, .. } => self.is_zero_live(negative, zeros),
            State::Read(read) => self.is_plain_live(read) || self.is_scaled_live(read),
            State::Tail { plain, set, .. } => *plain || !set.is_empty(),
            State::Mark { set } => !set.is_empty(),
            State::Signed { set, negative } => {
                set.iter().any(|&(low, high)| if *negative { low <= 0 } else { high >= 0 })
            }
            State::Exponent(rest) => !rest.is_dead(),
        }
    }

    fn is_zero_live(&self, negative: bool, zeros: i32) -> bool {
        if self.style.literal {
            return self.zero && !negative;
        }
        let lifted = !self.style.strict_exponents && !self.style.exponents.is_empty();
        let most = if lifted { MOST - zeros } else { -zeros };
        self.zero || self.sides[self.side(negative)].reaches(most)
    }

    /// Without an exponent.
    fn is_plain_live(&self, read: &Read) -> bool {
        let side = &self.sides[read.side as usize];
        if side.is_listed() {
            return side.listed_tops(read.node).any(|top| match read.phase {
                Phase::Whole => top >= read.top,
                Phase::Point | Phase::Fraction => top == read.top,
            });
        }
        if read.phase != Phase::Whole {
            return self.has_member(side, read, 0);
        }
        if read.top == ANY {
            // Among all numbers that begin with some digits there is a multiple of anything.
            return true;
        }
        let first = side.least_top().saturating_sub(read.top).max(0);
        let last = side.greatest_top().saturating_sub(read.top);
        (first..=last).any(|more| self.has_member(side, read, more))
    }

    /// With an exponent.
    fn is_scaled_live(&self, read: &Read) -> bool {
        if !read.exponent {
            return false;
        }
        let side = &self.sides[read.side as usize];
        let written = &self.style.exponents;
        if side.is_listed() {
            return side.listed_tops(read.node).any(|top| {
                let exponent = top - read.top;
                exponent.abs() <= MOST && exponents::contains(written, exponent as i16)
            });
        }
        let (mut least, most) = match read.top {
            ANY => (-MOST, MOST),
            top => (side.least_top().saturating_sub(top), side.greatest_top().saturating_sub(top)),
        };
        if let Some(place) = self.divisors.lowest_place() {
            least = least.max(read.last + place);
        }
        written.iter().rev().any(|&(low, high)| {
            let (low, high) = (i32::from(low).max(least), i32::from(high).min(most));
            (low..=high).rev().any(|exponent| self.has_member(side, read, exponent))
        })
    }

    /// Whether some number that begins with the digits is in the set, times this power of ten.
    fn has_member(&self, side: &Side, read: &Read, exponent: i32) -> bool {
        let at = (read.top.saturating_add(exponent), read.node);
        let fit = if read.top == ANY { Fit::All } else { side.fit(at) };
        match fit {
            Fit::None => return false,
            Fit::Bound => return true,
            Fit::Some | Fit::All => {}
        }
        // Without a step, some number between the bounds has a digit more than divisors and lists can exclude.
        let Some(place) = self.divisors.lowest_place() else { return true };
        let last = exponent - read.last;
        let below = exponent - read.fraction - place;
        if last < place {
            false
        } else if below <= 0 {
            (read.top == ANY || side.allows(at)) && self.divisors.allow(read.residue, last)
        } else if fit == Fit::Some {
            self.has_member_between(side, read, exponent)
        } else {
            let zeros = (read.fraction - read.last) as u32;
            self.divisors.can_come(read.residue, last, zeros, below as u32)
        }
    }

    /// As [`Self::has_member`] where a bound or a listed number begins with the digits.
    fn has_member_between(&self, side: &Side, read: &Read, exponent: i32) -> bool {
        let mut digits = side.read(read.node).to_vec();
        digits.resize((read.top + read.fraction).max(0) as usize, 0);
        let first = BigInt::from_radix_be(num_bigint::Sign::Plus, &digits, 10).unwrap_or_default();
        let unit = exponent - read.fraction;
        let low = Decimal::normal(first.clone(), unit);
        let high = Decimal::normal(first + 1, unit);
        let bound = |value: Decimal, exclusive| Some(Bound { value, exclusive });
        let negative = read.side == 1;
        let among = match negative {
            false => {
                NumberSet { min: bound(low, false), max: bound(high, true), ..NumberSet::any() }
            }
            true => {
                NumberSet { min: bound(-high, true), max: bound(-low, false), ..NumberSet::any() }
            }
        };
        // The search is as long as that for the whole set, which was found to be short.
        !matches!(self.set.intersect(&among).witness(), Ok(None))
    }
}
