//! Exact decimal numbers of any precision.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::error::Error;

/// A number that has a finite decimal notation. Equality, order and hash are those of the value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// Not divisible by ten, unless it is zero.
    significand: BigInt,
    /// The power of ten that multiplies it; 0 for zero.
    exponent: i32,
}

impl Decimal {
    /// No digit of a number may stand further from the point than this.
    pub const MAX_PLACES: i32 = 5_000;

    /// Zero.
    pub fn zero() -> Self {
        Self { significand: BigInt::zero(), exponent: 0 }
    }

    /// One.
    pub fn one() -> Self {
        Self { significand: BigInt::one(), exponent: 0 }
    }

    /// `significand` times the power of ten with this exponent.
    ///
    /// # Errors
    /// [`Error::Syntax`] if a digit would stand further from the point than [`Self::MAX_PLACES`].
    pub fn new(significand: BigInt, exponent: i32) -> Result<Self, Error> {
        let number = Self::normal(significand, exponent);
        if number.top() > Self::MAX_PLACES || number.exponent < -Self::MAX_PLACES {
            return Err(too_far());
        }
        Ok(number)
    }

    /// The value of a number's text as RFC 8259 section 6 has it.
    ///
    /// # Errors
    /// [`Error::Syntax`] if the text is no number, or a digit other than 0 stands further from the point than
    /// [`Self::MAX_PLACES`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let parts = Parts::of(text).ok_or_else(|| Error::Syntax {
            message: format!("{:?} is not a JSON number", shortened(text)),
            place: None,
        })?;
        let digits = format!("{}{}", parts.whole, parts.fraction);
        let digits = digits.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Self::zero());
        }
        // The exponent's text may be of any length; what does not fit is far beyond the bound.
        let written: i64 = match parts.exponent {
            "" => 0,
            text => text.parse().map_err(|_| too_far())?,
        };
        let dropped = (digits.len() - significant.len()) as i64;
        let last = written
            .checked_add(dropped - parts.fraction.len() as i64)
            .filter(|last| last.unsigned_abs() <= Self::MAX_PLACES as u64)
            .ok_or_else(too_far)?;
        if last + significant.len() as i64 > i64::from(Self::MAX_PLACES) {
            return Err(too_far());
        }
        let significand: BigInt = significant.parse().map_err(|_| too_far())?;
        let significand = if parts.negative { -significand } else { significand };
        Ok(Self { significand, exponent: last as i32 })
    }

    /// As [`Self::new`], wherever its digits stand.
    pub(super) fn normal(mut significand: BigInt, mut exponent: i32) -> Self {
        if significand.is_zero() {
            return Self::zero();
        }
        let ten = BigInt::from(10);
        loop {
            let (quotient, rest) = significand.div_rem(&ten);
            if !rest.is_zero() {
                return Self { significand, exponent };
            }
            significand = quotient;
            exponent += 1;
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.significand.is_zero()
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.significand.is_negative()
    }

    /// Whether it has no fraction.
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Its distance from zero.
    #[must_use]
    pub fn abs(&self) -> Self {
        Self { significand: self.significand.abs(), exponent: self.exponent }
    }

    /// The digits from the first to the last that is not 0; nothing for zero.
    pub fn digits(&self) -> Vec<u8> {
        match self.is_zero() {
            true => Vec::new(),
            false => self.significand.magnitude().to_radix_be(10),
        }
    }

    /// The place of the first digit: the least `p` with |self| < 10^p. Of zero it is 0.
    pub fn top(&self) -> i32 {
        self.digits().len() as i32 + self.exponent
    }

    /// The power of ten of the last digit that is not 0; 0 for zero.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The digits from the first to the last that is not 0, as a number with the sign.
    pub fn significand(&self) -> &BigInt {
        &self.significand
    }

    /// Whether it is an integer times `other`. Zero is a multiple of everything.
    pub fn is_multiple_of(&self, other: &Self) -> bool {
        let (a, b, _) = self.aligned(other);
        if b.is_zero() { a.is_zero() } else { a.is_multiple_of(&b) }
    }

    /// The greatest number that both are multiples of, not negative.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self::normal(a.gcd(&b), exponent)
    }

    /// The least number above zero that is a multiple of both; zero if one of them is.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self::normal(a.lcm(&b).abs(), exponent)
    }

    /// The greatest integer whose product with `step`, which is above zero, is at most `self`.
    pub fn div_floor(&self, step: &Self) -> BigInt {
        let (a, b, _) = self.aligned(step);
        a.div_floor(&b)
    }

    /// Its product with an integer.
    #[must_use]
    pub fn times(&self, factor: &BigInt) -> Self {
        Self::normal(&self.significand * factor, self.exponent)
    }

    /// Half of the sum of the two.
    #[must_use]
    pub fn midpoint(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self::normal((a + b) * 5, exponent - 1)
    }

    /// Both as integers of the same power of ten, which is the third.
    fn aligned(&self, other: &Self) -> (BigInt, BigInt, i32) {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |number: &Self| {
            &number.significand * BigInt::from(10).pow((number.exponent - exponent) as u32)
        };
        (scaled(self), scaled(other), exponent)
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::normal(BigInt::from(value), 0)
    }
}

impl Neg for Decimal {
    type Output = Self;
    fn neg(self) -> Self {
        Self { significand: -self.significand, exponent: self.exponent }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.significand.signum().cmp(&other.significand.signum());
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        let sizes = self.top().cmp(&other.top()).then_with(|| self.digits().cmp(&other.digits()));
        if self.is_negative() { sizes.reverse() } else { sizes }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As JSON: without an exponent, unless there would be more than 20 zeros at an end.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.significand.sign() == Sign::Minus {
            f.write_str("-")?;
        }
        let digits = self.significand.magnitude().to_string();
        let top = self.top();
        if self.exponent > 20 || top < -20 {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            let sign = if top > 0 { "+" } else { "-" };
            write!(f, "{first}{point}{rest}e{sign}{:02}", (top - 1).abs())
        } else if self.exponent >= 0 {
            write!(f, "{digits}{}", "0".repeat(self.exponent as usize))
        } else if top <= 0 {
            write!(f, "0.{}{digits}", "0".repeat(-top as usize))
        } else {
            let (whole, fraction) = digits.split_at(top as usize);
            write!(f, "{whole}.{fraction}")
        }
    }
}

/// The parts of a number's text.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    /// With its sign; empty if there is none.
    exponent: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (rest, exponent) = match rest.split_once(['e', 'E']) {
            Some((rest, exponent)) => {
                all_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)).then_some(())?;
                (rest, exponent)
            }
            None => (rest, ""),
        };
        let (whole, fraction) = match rest.split_once('.') {
            Some((whole, fraction)) => {
                all_digits(fraction).then_some(())?;
                (whole, fraction)
            }
            None => (rest, ""),
        };
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        (all_digits(whole) && !leading_zero).then_some(Self { negative, whole, fraction, exponent })
    }
}

fn too_far() -> Error {
    Error::Syntax {
        message: format!(
            "a number with digits more than {} places from its point is not supported",
            Decimal::MAX_PLACES
        ),
        place: None,
    }
}

/// Enough of a text to recognise it.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn spellings_of_one_value_are_equal() {
        for (a, b) in [
            ("1", "1.0"),
            ("1e2", "100"),
            ("100e-2", "1"),
            ("-0", "0"),
            ("-0.0e99999999999999999999", "0e-7"),
            ("0.00012", "1.20E-04"),
            ("12300", "1.23e+4"),
        ] {
            assert_eq!(d(a), d(b));
            assert_eq!(d(a).cmp(&d(b)), Ordering::Equal);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["", "-", "01", "1.", ".1", "1e", "1e+", "+1", "1e1.5", "--1", "1_0", "NaN", "1 "]
        {
            assert!(Decimal::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn absurd_exponents_are_refused() {
        let zeros = "0".repeat(6_000);
        for text in [
            "1e1000000",
            "1e-1000000",
            "1e99999999999999999999",
            "1e-9223372036854775808",
            "1.5e5000",
            &format!("1{zeros}"),
            &format!("0.{zeros}1"),
        ] {
            assert!(Decimal::parse(text).unwrap_err().to_string().contains("places"), "{text}");
        }
        assert_eq!(d(&format!("1{zeros}e-6000")), Decimal::one());
        assert_eq!(d("1e4999").top(), 5_000);
        assert!(Decimal::new(BigInt::one(), 5_000).is_err());
    }

    #[test]
    fn order_is_that_of_values() {
        let sorted = [
            "-1e30",
            "-10.5",
            "-10",
            "-9.99",
            "-1e-9",
            "0",
            "1e-300",
            "0.01",
            "0.099",
            "0.1",
            "0.11",
            "1",
            "1.5",
            "2",
            "15",
            "150",
            "9007199254740993",
            "9007199254740993.5",
            "1e400",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(d(a).cmp(&d(b)), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn multiples_are_exact() {
        for (a, b, expected) in [
            ("0.07", "0.01", true),
            ("0.075", "0.01", false),
            ("1e308", "0.123456789", false),
            ("19.99", "0.01", true),
            ("4.02", "0.01", true),
            ("-7.5", "2.5", true),
            ("0", "7", true),
            ("7", "14", false),
            ("9007199254740993", "2", false),
        ] {
            assert_eq!(d(a).is_multiple_of(&d(b)), expected, "{a} {b}");
        }
        assert_eq!(d("0.1").lcm(&d("0.25")), d("0.5"));
        assert_eq!(d("0.1").gcd(&d("0.25")), d("0.05"));
        assert_eq!(d("-4").lcm(&d("6")), d("12"));
        assert_eq!(d("-0.5").div_floor(&d("0.2")), BigInt::from(-3));
        assert_eq!(d("1").midpoint(&d("2")), d("1.5"));
    }

    #[test]
    fn printing_is_json_of_the_same_value() {
        for (text, printed) in [
            ("1.50", "1.5"),
            ("-0.0", "0"),
            ("1e3", "1000"),
            ("-12.5e-3", "-0.0125"),
            ("1e21", "1e+21"),
            ("1.5e-30", "1.5e-30"),
            ("1e-22", "1e-22"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ] {
            assert_eq!(d(text).to_string(), printed);
            assert_eq!(d(printed), d(text));
        }
    }
}
