//! Numbers and words by value.
//!
//! The text of a number's value is a byte for the kind, its sign, its digits from the first to the last that is not 0,
//! and behind them the power of ten of the last. So the numbers that a beginning can still turn out to be have the
//! digits of that beginning in common.

use super::used::UsedId;
use super::{Keys, TextId};

const NUMBER: u8 = 1;
const WORD: u8 = 2;
/// Stands between the digits and the power of ten.
const POWER: u8 = 0xff;

/// A beginning of a number's text.
struct Parts<'a> {
    sign: u8,
    /// The digits from the first that is not 0.
    digits: Vec<u8>,
    /// How many of the digits are behind the point, the leading zeros among them too.
    fraction: i64,
    exponent: Option<&'a [u8]>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mantissa = text.iter().position(|b| *b == b'e').unwrap_or(text.len());
        let (mantissa, exponent) = (&text[..mantissa], text.get(mantissa + 1..));
        let point = mantissa.iter().position(|b| *b == b'.').unwrap_or(mantissa.len());
        let fraction = mantissa.len().saturating_sub(point + 1) as i64;
        let digits = mantissa.iter().copied().filter(u8::is_ascii_digit);
        let digits = digits.skip_while(|digit| *digit == b'0').collect();
        let sign = if text.first() == Some(&b'-') { b'-' } else { b'+' };
        Self { sign, digits, fraction, exponent }
    }

    /// The digits up to the last that is not 0.
    fn significant(&self) -> &[u8] {
        let zeros = self.digits.iter().rev().take_while(|digit| **digit == b'0').count();
        &self.digits[..self.digits.len() - zeros]
    }
}

fn start(sign: u8, digits: &[u8]) -> Vec<u8> {
    [&[NUMBER, sign], digits].concat()
}

fn zero() -> Vec<u8> {
    start(b'+', &[POWER])
}

/// The value of a number or a word.
fn value(text: &[u8]) -> Vec<u8> {
    match text.first() {
        Some(letter) if letter.is_ascii_alphabetic() => return vec![WORD, *letter],
        _ => {}
    }
    let parts = Parts::of(text);
    let digits = parts.significant();
    if digits.is_empty() {
        return zero();
    }
    let exponent = std::str::from_utf8(parts.exponent.unwrap_or(b"0")).unwrap_or("0");
    // What does not fit is far from what any other number comes to, but for its like.
    let far = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    let dropped = (parts.digits.len() - digits.len()) as i64;
    let power = exponent.parse().unwrap_or(far).saturating_add(dropped - parts.fraction);
    [start(parts.sign, digits), vec![POWER], power.to_be_bytes().to_vec()].concat()
}

impl Keys<'_> {
    /// A number or a word with one more byte. Spellings that mean the same are brought together where numbers could
    /// go on and on without coming to another value.
    pub(super) fn longer_bare(&self, text: TextId, byte: u8) -> TextId {
        let so_far = self.bytes(text);
        if so_far.first().is_none_or(|first| !first.is_ascii_alphabetic())
            && let Some(exponent) = Parts::of(&so_far).exponent
        {
            if byte == b'+' {
                return text;
            }
            if byte.is_ascii_digit() && exponent.last().is_some_and(u8::is_ascii_digit) {
                if Parts::of(&so_far).digits.is_empty() {
                    return text;
                }
                if matches!(exponent, b"0" | b"-0") {
                    return self.longer(self.shorter(text), &[byte]);
                }
            }
        }
        self.longer(text, &[if byte == b'E' { b'e' } else { byte }])
    }

    /// The value of a number or a word that ends here.
    pub(super) fn bare_value(&self, text: TextId) -> Vec<u8> {
        value(&self.bytes(text))
    }

    /// Whether what begins like this can turn out to be in a set, or nearly.
    pub(super) fn may_equal(&self, set: UsedId, text: &[u8]) -> bool {
        let used = &self.table.used;
        if text.first().is_some_and(u8::is_ascii_alphabetic) {
            return self.contains(set, &value(text));
        }
        let parts = Parts::of(text);
        let goes_on = |digits: &[u8]| used.behind(set, &start(parts.sign, digits)) != 0;
        let digits = parts.significant();
        // With an exponent the digits are all there.
        let more = parts.exponent.is_none() && goes_on(&parts.digits);
        let same = if digits.is_empty() {
            self.contains(set, &zero())
        } else {
            goes_on(&[digits, &[POWER]].concat())
        };
        more || same
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn spellings_of_a_number_are_one_value() {
        for same in [
            &["0", "-0", "0.00", "0e9", "-0.0E-3"][..],
            &["1", "1.0", "1e0", "10e-1", "0.1e+1", "0.010E2", "1e-0"],
            &["-120", "-12e1", "-1.20e2", "-120.000"],
            &["1e400", "10e399", "0.1E401"],
            &["0.5", "5e-1", "0.50"],
        ] {
            let values: Vec<_> = same
                .iter()
                .map(|text| value(text.to_lowercase().replace('+', "").as_bytes()))
                .collect();
            assert!(values.iter().all(|value| *value == values[0]), "{same:?}");
        }
        let others = ["0", "1", "-1", "10", "0.1", "11", "1e400", "1e401", "true", "false", "null"];
        let values: std::collections::HashSet<_> =
            others.iter().map(|text| value(text.as_bytes())).collect();
        assert_eq!(values.len(), others.len());
    }
}
