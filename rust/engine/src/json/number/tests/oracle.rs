//! What the verdict on a text has to be, by plain arithmetic that shares nothing with the automata.

use num_bigint::BigInt;

use super::super::{Decimal, NumberSet, Spelling};

/// A number as an integer and a power of ten.
#[derive(Clone, Debug)]
pub(super) struct Value(BigInt, i64);

impl Value {
    /// The value of a text if it is a JSON number.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (number, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let digits = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
        let exponent: i64 = match exponent {
            Some(e)
                if digits(e.trim_start_matches(['+', '-']))
                    && e.matches(['+', '-']).count() <= 1 =>
            {
                e.parse().ok()?
            }
            Some(_) => return None,
            None => 0,
        };
        let unsigned = number.strip_prefix('-').unwrap_or(number);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        if !digits(whole) || !digits(fraction) || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let value: BigInt = format!("{whole}{fraction}").parse().unwrap();
        let sign = if number.starts_with('-') { -1 } else { 1 };
        Some(Self(value * sign, exponent - fraction.len() as i64))
    }

    pub(super) fn of(number: &Decimal) -> Self {
        Self::read(&number.to_string()).unwrap()
    }

    /// Both with the lower power of ten.
    pub(super) fn scaled(&self, other: &Self) -> (BigInt, BigInt) {
        let low = self.1.min(other.1);
        let up = |v: &Self| &v.0 * BigInt::from(10).pow((v.1 - low) as u32);
        (up(self), up(other))
    }

    pub(super) fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (a, b) = self.scaled(other);
        a.cmp(&b)
    }

    pub(super) fn divides(&self, divisor: &Self) -> bool {
        let (a, b) = self.scaled(divisor);
        a % b == BigInt::from(0)
    }
}

pub(super) fn is_member(set: &NumberSet, value: &Value) -> bool {
    let against = |d: &Decimal| value.cmp(&Value::of(d));
    let one = Value(BigInt::from(1), 0);
    set.min.as_ref().is_none_or(|b| match b.exclusive {
        true => against(&b.value).is_gt(),
        false => against(&b.value).is_ge(),
    }) && set.max.as_ref().is_none_or(|b| match b.exclusive {
        true => against(&b.value).is_lt(),
        false => against(&b.value).is_le(),
    }) && (!set.integer || value.divides(&one))
        && (!set.not_integer || !value.divides(&one))
        && set.multiple_of.iter().all(|m| value.divides(&Value::of(m)))
        && set.not_multiple_of.iter().all(|m| !value.divides(&Value::of(m)))
        && set.values.as_ref().is_none_or(|v| v.iter().any(|v| against(v).is_eq()))
        && set.excluded.iter().all(|v| against(v).is_ne())
}

/// Whether a text has to be accepted.
pub(super) fn verdict(set: &NumberSet, spelling: Spelling, text: &str) -> bool {
    let Some(value) = Value::read(text) else { return false };
    let exponent_at = text.find(['e', 'E']);
    let (mantissa, exponent) = text.split_at(exponent_at.unwrap_or(text.len()));
    if !is_member(set, &value) {
        return false;
    }
    if spelling == Spelling::Any {
        return exponent.chars().filter(char::is_ascii_digit).count() <= 3;
    }
    if set.integer {
        return text.chars().all(|c| c.is_ascii_digit() || c == '-') && text != "-0";
    }
    if exponent.is_empty() {
        return true;
    }
    let whole = mantissa.split('.').next().unwrap_or_default();
    let whole = whole.trim_start_matches('-');
    let power = exponent[1..].trim_start_matches('+');
    let number: i64 = power.parse().unwrap();
    let python = format!("e{}{:02}", if number < 0 { '-' } else { '+' }, number.abs());
    let written = exponent == python && number.abs() <= 999;
    whole.len() == 1 && whole != "0" && written && !(-4..16).contains(&number)
}
