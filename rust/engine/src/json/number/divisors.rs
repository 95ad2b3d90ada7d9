//! Divisibility of a number whose digits are read one after the other, and whose power of ten comes last.
//!
//! A divisor is `b * 10^w`, where ten does not divide `b`. So `b` is `c * 2^k` or `c * 5^k`, with `c` prime to ten. A
//! number is `s * 10^e`, where `s` are its digits from the first to the last that is not 0. It is a multiple of the
//! divisor if `c` divides `s`, and `e` is large enough: at least `w + k` less the times that the prime divides `s`,
//! but no more than `k` of these. (Where `s` has the other prime, it does not have this one.) So it is enough to know
//! `s` modulo `b`, and what is asked of `e` is one threshold. With each zero that follows, one factor two and one
//! factor five of the modulus stop to matter for the digits to come.

use num_traits::ToPrimitive;

use super::Decimal;
use crate::error::Error;

/// What is known of digits from the first to the last that is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Residue {
    /// Modulo the factors that still matter.
    pub(super) value: u64,
    /// How many times two and five divide the digits, as far as that matters.
    pub(super) twos: u8,
    pub(super) fives: u8,
}

/// One divisor.
#[derive(Debug)]
pub(super) struct Divisor {
    /// The power of ten.
    pub(super) places: i32,
    /// Without powers of ten.
    b: u64,
    /// Without powers of two and five.
    c: u64,
    /// How many times two and five divide `b`; one of both does not.
    twos: u32,
    fives: u32,
}

/// How many times `prime` divides `n`, which is not zero.
fn times(mut n: u64, prime: u64) -> u32 {
    let mut times = 0;
    while n.is_multiple_of(prime) {
        n /= prime;
        times += 1;
    }
    times
}

impl Divisor {
    fn new(divisor: &Decimal) -> Option<Self> {
        let b = divisor.significand().to_u64().filter(|&b| b > 0)?;
        let (twos, fives) = (times(b, 2), times(b, 5));
        let c = b / 2u64.pow(twos) / 5u64.pow(fives);
        Some(Self { places: divisor.exponent(), b, c, twos, fives })
    }

    /// The least power of ten that makes digits a multiple; `None` if none does.
    fn threshold(&self, residue: Residue) -> Option<i32> {
        let missing = self.twos.saturating_sub(residue.twos.into())
            + self.fives.saturating_sub(residue.fives.into());
        residue.value.is_multiple_of(self.c).then_some(self.places + missing as i32)
    }

    /// A power of ten that is always large enough if `c` divides the digits.
    fn enough(&self) -> i32 {
        self.places + (self.twos + self.fives) as i32
    }
}

/// What must divide a number and what must not.
#[derive(Debug)]
pub(super) struct Divisors {
    required: Option<Divisor>,
    forbidden: Vec<Divisor>,
    /// Residues are modulo this, the least common multiple of all `b`.
    modulus: u64,
    /// How many times two and five divide the modulus.
    twos: u32,
    fives: u32,
}

impl Divisors {
    /// # Errors
    /// [`Error::UnsupportedSchema`] if the digits of the divisors make too large a number.
    pub(super) fn new(required: Option<&Decimal>, forbidden: &[Decimal]) -> Result<Self, Error> {
        let too_large = || Error::UnsupportedSchema {
            pointer: String::new(),
            keyword: "multipleOf".to_owned(),
            message: format!("its digits, with those of other divisors, exceed {}", u64::MAX),
        };
        let make = |d: &Decimal| Divisor::new(d).ok_or_else(too_large);
        let required = required.map(make).transpose()?;
        let forbidden = forbidden.iter().map(make).collect::<Result<Vec<_>, _>>()?;
        let mut modulus = 1u64;
        for divisor in required.iter().chain(&forbidden) {
            let shared = num_integer::gcd(modulus, divisor.b);
            modulus = (modulus / shared).checked_mul(divisor.b).ok_or_else(too_large)?;
        }
        let (twos, fives) = (times(modulus, 2), times(modulus, 5));
        Ok(Self { required, forbidden, modulus, twos, fives })
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

    /// The digits after `zeros` zeros and one more digit that is not 0.
    pub(super) fn next(&self, residue: Residue, zeros: u32, digit: u8) -> Residue {
        self.padded(self.appended(residue, zeros + 1, digit.into()), 0)
    }

    /// The digits with so many more, which make the number `more`, and of which the last is not 0.
    fn appended(&self, residue: Residue, digits: u32, more: u64) -> Residue {
        let value = self.shifted(residue, digits);
        let value = (u128::from(value) + u128::from(more)) % u128::from(self.modulus);
        let value = value as u64;
        let count =
            |prime, most: u32| if value == 0 { most } else { times(value, prime).min(most) };
        let (twos, fives) = (count(2, self.twos) as u8, count(5, self.fives) as u8);
        Residue { value, twos, fives }
    }

    /// What still matters of digits that so many zeros follow.
    pub(super) fn padded(&self, residue: Residue, zeros: u32) -> Residue {
        let kept = |prime: u64, times: u32| prime.pow(times - times.min(zeros + 1));
        let dropped = 2u64.pow(self.twos) * 5u64.pow(self.fives);
        let modulus = self.modulus / dropped * kept(2, self.twos) * kept(5, self.fives);
        Residue { value: residue.value % modulus, ..residue }
    }

    /// The digits with so many zeros as a part of them, where `zeros` more follow.
    pub(super) fn absorbed(&self, residue: Residue, absorbed: u32, zeros: u32) -> Residue {
        let add = |times: u8, most: u32| (u32::from(times) + absorbed).min(most) as u8;
        let value = self.shifted(residue, absorbed);
        let (twos, fives) = (add(residue.twos, self.twos), add(residue.fives, self.fives));
        self.padded(Residue { value, twos, fives }, zeros)
    }

    /// At least so many more digits, but no more than `most`, behind `zeros` zeros make digits a multiple of what must
    /// divide, if so many zeros follow them as `behind` says of a number of digits. `None` if no such number does.
    pub(super) fn least_digits(
        &self,
        residue: Residue,
        zeros: u32,
        (least, most): (u32, u32),
        behind: impl Fn(u32) -> Option<u32>,
    ) -> Option<u32> {
        let Some(required) = &self.required else { return Some(least) };
        // Twenty digits make a multiple of any divisor.
        let most = most.min(least.max(20));
        (least..=most).find(|&more| {
            let Some(behind) = behind(more) else { return false };
            let kept = |prime: u64, times: u32| prime.pow(times - times.min(behind));
            let b = required.c * kept(2, required.twos) * kept(5, required.fives);
            let rest = self.shifted(residue, zeros + more) % b;
            let missing = (b - rest) % b;
            10u64.checked_pow(more).is_none_or(|power| missing < power)
        })
    }

    fn shifted(&self, residue: Residue, zeros: u32) -> u64 {
        let times =
            |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(self.modulus)) as u64;
        let (mut value, mut power, mut left) = (residue.value, 10 % self.modulus, zeros);
        while left > 0 {
            if left & 1 != 0 {
                value = times(value, power);
            }
            power = times(power, power);
            left >>= 1;
        }
        value % self.modulus
    }

    /// Whether digits can be a multiple of what must divide and of nothing that must not if the last of them that is
    /// not 0 has this power of ten and only zeros follow.
    pub(super) fn allow(&self, residue: Residue, exponent: i32) -> bool {
        let (low, high) = self.exponents(residue);
        low <= exponent && exponent <= high
    }

    /// As [`Self::allow`], with more digits in `places` places behind `zeros` zeros, down to the power of ten of what
    /// must divide.
    pub(super) fn can_come(
        &self,
        residue: Residue,
        exponent: i32,
        zeros: u32,
        places: u32,
    ) -> bool {
        if self.allow(residue, exponent) {
            return true;
        }
        let Some(required) = &self.required else { return true };
        let most = 10u128.checked_pow(places).unwrap_or(u128::MAX);
        let b = u128::from(required.b);
        let rest = u128::from(self.shifted(residue, zeros + places)) % b;
        // Of so many multiples in a row the forbidden divisors cannot divide all (see `solve`).
        let tries = 2u128 << self.forbidden.len();
        let mut more = (b - rest) % b;
        for _ in 0..tries {
            if more >= most {
                return false;
            }
            if more > 0 {
                let (mut digits, mut behind) = (more, 0);
                while digits.is_multiple_of(10) {
                    digits /= 10;
                    behind += 1;
                }
                let digits = (digits % u128::from(self.modulus)) as u64;
                let all = self.appended(residue, zeros + places - behind, digits);
                if self.allow(all, required.places + behind as i32) {
                    return true;
                }
            }
            more += b;
        }
        false
    }

    /// The least and the greatest power of ten that such digits may have. The least may be greater.
    pub(super) fn exponents(&self, residue: Residue) -> (i32, i32) {
        let low = match &self.required {
            Some(divisor) => divisor.threshold(residue).unwrap_or(i32::MAX / 2),
            None => i32::MIN / 2,
        };
        let below = |d: &Divisor| d.threshold(residue).map(|t| t - 1);
        (low, self.forbidden.iter().filter_map(below).min().unwrap_or(i32::MAX / 2))
    }
}
