//! Random sets, values and texts.

use super::super::{Bound, Decimal, NumberSet};

/// A sequence of numbers that looks random, and is the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n as u64) as usize
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn decimal(&mut self) -> Decimal {
        let size = [1, 10, 100, 1_000, 100_000][self.below(5)];
        let value = self.below(size * 2 + 1) as i64 - size as i64;
        let exponent = [0, 0, 0, -1, -2, 1, 2, -5, 18, -9][self.below(10)];
        Decimal::new(value.into(), exponent).unwrap()
    }

    pub(super) fn divisor(&mut self) -> Decimal {
        let texts = [
            "0.01", "0.25", "2.5", "0.07", "1", "2", "3", "5", "10", "7", "12", "100", "0.4",
            "1e-7",
        ];
        Decimal::parse(texts[self.below(texts.len())]).unwrap()
    }

    pub(super) fn bound(&mut self) -> Option<Bound> {
        self.chance(50).then(|| Bound { value: self.decimal(), exclusive: self.chance(40) })
    }

    pub(super) fn set(&mut self) -> NumberSet {
        let mut set = NumberSet {
            min: self.bound(),
            max: self.bound(),
            integer: self.chance(30),
            not_integer: self.chance(8),
            ..NumberSet::default()
        };
        if self.chance(35) {
            set.multiple_of.push(self.divisor());
        }
        if self.chance(15) {
            set.not_multiple_of.push(self.divisor());
        }
        while self.chance(20) {
            let value = self.decimal();
            set.excluded.insert(value);
        }
        set
    }

    /// A text with this value, spelled in one way or another.
    pub(super) fn spell(&mut self, value: &Decimal) -> String {
        let mut digits = value.significand().magnitude().to_string();
        let mut exponent = i64::from(value.exponent());
        let zeros = [0, 0, 1, 2, 5, 40][self.below(6)];
        digits.push_str(&"0".repeat(zeros));
        exponent -= zeros as i64;
        // The point goes before the last `behind` digits.
        let behind = match self.below(4) {
            0 => 0,
            1 => self.below(digits.len() + 4),
            2 => digits.len() - 1,
            _ if exponent <= 0 && exponent > -60 => -exponent as usize,
            _ => self.below(30),
        };
        if digits.len() <= behind {
            digits = format!("{}{digits}", "0".repeat(behind + 1 - digits.len()));
        }
        exponent += behind as i64;
        let (whole, fraction) = digits.split_at(digits.len() - behind);
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            stripped => stripped,
        };
        let sign =
            if value.is_negative() || (value.is_zero() && self.chance(50)) { "-" } else { "" };
        let point = if behind > 0 { "." } else { "" };
        let mut text = format!("{sign}{whole}{point}{fraction}");
        if exponent != 0 || self.chance(20) {
            let plus = if exponent >= 0 && self.chance(50) { "+" } else { "" };
            let minus = if exponent < 0 { "-" } else { "" };
            let e = if self.chance(30) { "E" } else { "e" };
            let width = 1 + self.below(3);
            text.push_str(&format!("{e}{plus}{minus}{:0width$}", exponent.abs()));
        }
        text
    }

    pub(super) fn mutate(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let alphabet = b"0123456789.eE+-";
        let byte = alphabet[self.below(alphabet.len())];
        let at = self.below(bytes.len() + 1);
        match self.below(3) {
            0 if at < bytes.len() => bytes[at] = byte,
            1 if at < bytes.len() && bytes.len() > 1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, byte),
        }
        String::from_utf8(bytes).unwrap()
    }
}
