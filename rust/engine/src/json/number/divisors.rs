//! Divisibility of a number whose digits are read one after the other, and whose power of ten comes last.
//!
//! A divisor is `b * 10^w`, where ten does not divide `b`. So `b` is `c * 2^k` or `c * 5^k`, with `c` prime to ten. A
//! number is `s * 10^e`, where `s` are its digits from the first to the last that is not 0. It is a multiple of the
//! divisor if `c` divides `s`, and `e` is large enough: at least `w + k` less the times that the prime divides `s`,
//! but no more than `k` of these. (Where `s` has the other prime, it does not have this one.) So it is enough to know
//! `s` modulo `b`, and what is asked of `e` is one threshold.

use num_traits::ToPrimitive;

use super::Decimal;
use crate::error::Error;
use crate::limits::{Limits, check};

/// One divisor.
#[derive(Debug)]
pub(super) struct Divisor {
    /// The power of ten.
    pub(super) places: i32,
    /// Without powers of ten.
    b: u64,
    /// Without powers of two and five.
    c: u64,
    /// Two or five.
    prime: u64,
    /// How many times the prime divides `b`.
    times: i32,
}

impl Divisor {
    fn new(divisor: &Decimal) -> Option<Self> {
        let b = divisor.significand().to_u64()?;
        let prime = if b.is_multiple_of(5) { 5 } else { 2 };
        let (mut c, mut times) = (b, 0);
        while c.is_multiple_of(prime) {
            c /= prime;
            times += 1;
        }
        Some(Self { places: divisor.exponent(), b, c, prime, times })
    }

    /// Where the digits have this residue, the least power of ten that makes the number a multiple; `None` if none
    /// does.
    fn threshold(&self, residue: u64) -> Option<i32> {
        let residue = residue % self.b;
        if !residue.is_multiple_of(self.c) {
            return None;
        }
        let (mut missing, mut power) = (self.times, self.prime);
        while missing > 0 && residue.is_multiple_of(power) {
            missing -= 1;
            power *= self.prime;
        }
        Some(self.places + missing)
    }

    /// A power of ten that is always large enough if `c` divides the digits.
    fn enough(&self) -> i32 {
        self.places + self.times
    }
}

/// What must divide a number and what must not.
#[derive(Debug)]
pub(super) struct Divisors {
    required: Option<Divisor>,
    forbidden: Vec<Divisor>,
    /// Residues are modulo this, the least common multiple of all `b`.
    modulus: u64,
}

impl Divisors {
    pub(super) fn new(
        required: Option<&Decimal>,
        forbidden: &[Decimal],
        limits: &Limits,
    ) -> Result<Self, Error> {
        let most = limits.instructions as u64;
        let too_large = || Error::TooComplex {
            what: "residues of a multipleOf",
            name: "instructions",
            limit: most,
            given: u64::MAX,
        };
        let make = |d: &Decimal| Divisor::new(d).ok_or_else(too_large);
        let required = required.map(make).transpose()?;
        let forbidden = forbidden.iter().map(make).collect::<Result<Vec<_>, _>>()?;
        let mut modulus = 1u64;
        for divisor in required.iter().chain(&forbidden) {
            let shared = num_integer::gcd(modulus, divisor.b);
            modulus = (modulus / shared).checked_mul(divisor.b).ok_or_else(too_large)?;
            check("residues of a multipleOf", "instructions", most.min(1 << 30), modulus)?;
        }
        Ok(Self { required, forbidden, modulus })
    }

    /// Whether there is nothing to know.
    pub(super) fn is_empty(&self) -> bool {
        self.required.is_none() && self.forbidden.is_empty()
    }

    /// The power of ten of what must divide: no digit but 0 stands below its place.
    pub(super) fn lowest_place(&self) -> Option<i32> {
        self.required.as_ref().map(|d| d.places)
    }

    /// The least power of ten of all divisors, or 0.
    pub(super) fn least_place(&self) -> i32 {
        self.all().map(|d| d.places).min().unwrap_or(0).min(0)
    }

    /// More zeros at the end of an integer than this do not matter, but for the residue.
    pub(super) fn zeros_that_matter(&self) -> i32 {
        self.all().map(Divisor::enough).max().unwrap_or(0).max(0)
    }

    /// Whether no number whose last digit stands at this power of ten or below is a multiple of what is forbidden.
    pub(super) fn forbids_nothing_at(&self, exponent: i32) -> bool {
        self.forbidden.iter().all(|d| exponent < d.places)
    }

    fn all(&self) -> impl Iterator<Item = &Divisor> {
        self.required.iter().chain(&self.forbidden)
    }

    /// The residue after `zeros` zeros and one more digit.
    pub(super) fn residue(&self, residue: u32, zeros: u32, digit: u8) -> u32 {
        let (mut shifted, mut power, mut left) = (u64::from(residue), 10 % self.modulus, zeros + 1);
        while left > 0 {
            if left & 1 != 0 {
                shifted = shifted * power % self.modulus;
            }
            power = power * power % self.modulus;
            left >>= 1;
        }
        ((shifted + u64::from(digit)) % self.modulus) as u32
    }

    /// The least and the greatest power of ten that digits with this residue may have. The least may be greater.
    pub(super) fn exponents(&self, residue: u32) -> (i32, i32) {
        let residue = u64::from(residue);
        let low = match &self.required {
            Some(divisor) => divisor.threshold(residue).unwrap_or(i32::MAX / 2),
            None => i32::MIN / 2,
        };
        let below = |d: &Divisor| d.threshold(residue).map(|t| t - 1);
        (low, self.forbidden.iter().filter_map(below).min().unwrap_or(i32::MAX / 2))
    }
}
