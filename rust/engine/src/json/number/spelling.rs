//! The texts of the numbers of a set.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, OnceLock};

use super::divisors::Divisors;
use super::machine::Machine;
use super::side::Side;
use super::state::Style;
use super::{Bound, Decimal, NumberSet};
use crate::error::Error;
use crate::json::parts::{class, concat, optional, repeat, text};
use crate::limits::{Limits, check};
use crate::pattern::Pattern;

/// Which of the texts of a number are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// What a careful serialiser writes.
    ///
    /// - All numbers: any text of RFC 8259.
    /// - Integers: literals without fraction and exponent, and no `-0`.
    /// - Listed values: as Python's `json.dumps` writes the value as an `int` and as a `float`.
    /// - Any other set: plain decimals, with any number of digits behind the point, so that `5.0` and `-0.0` are
    ///   possible; and exponents as `json.dumps` writes them: one digit before the point, an `e`, and a sign and two
    ///   or three digits that say at least `+16` or at most `-05`. If a divisor matters, no digit but 0 then stands
    ///   further than 16 places behind the point.
    Canonical,
    /// Every text of RFC 8259 whose value is in the set: plain decimals of any length, and, at least, exponents of at
    /// most 3 digits behind at most 64 digits. What is longer may be refused if the set is not that of all numbers,
    /// since such texts are not a regular language. Where long lists of values are told apart, it is fewer than 64
    /// digits before the point, and fewer zeros behind it, but always those of `1.25e2`.
    Any,
}

/// Sets with more residues than this are listed if they are finite.
const RESIDUES: u64 = 1_000;

/// Most members that are listed.
const MEMBERS: usize = 4_000;

/// Most numbers that texts in more than a few spellings are compared with.
const LISTED: u64 = 20_000;

/// Most beginnings of digits that are told apart.
const BEGINNINGS: u64 = 20_000;

/// Numbers with an exponent have so many digits before the point, times all beginnings of digits.
const SHIFTED: usize = 8_000;

impl NumberSet {
    /// The texts whose value is in the set.
    ///
    /// # Errors
    /// [`Error::Syntax`] if a divisor is not above zero; [`Error::TooComplex`] if there are too many states.
    pub fn pattern(&self, spelling: Spelling, limits: &Limits) -> Result<Pattern, Error> {
        self.check_divisors()?;
        if *self == Self::any() {
            return Ok(NUMBER.clone());
        }
        if *self == Self::integers() && spelling == Spelling::Canonical {
            return Ok(INTEGER.clone());
        }
        if let Some((_, shared)) = COMMON.iter().find(|(set, _)| set == self) {
            return shared[usize::from(spelling == Spelling::Any)]
                .get_or_init(|| self.automaton(spelling, &Limits::default()))
                .clone();
        }
        if spelling == Spelling::Canonical && self.values.is_some() {
            return Ok(self.listed());
        }
        self.automaton(spelling, limits)
    }

    pub(super) fn automaton(&self, spelling: Spelling, limits: &Limits) -> Result<Pattern, Error> {
        let listed = self.values.as_ref().map_or(self.excluded.len(), BTreeSet::len);
        check("numbers that are listed one by one", "instructions", LISTED, listed as u64)?;
        let set = self.narrowed()?;
        let zero = set.contains(&Decimal::zero());
        let canonical = spelling == Spelling::Canonical;
        let sides = Side::of(&set);
        let beginnings: usize = sides.iter().map(Side::beginnings).sum();
        let told = "digits by which listed numbers are told apart";
        check(told, "instructions", BEGINNINGS, beginnings as u64)?;
        let width = (SHIFTED / beginnings.max(1)).clamp(1, 64) as i32;
        let style = Style {
            literal: canonical && set.integer,
            strict_exponents: canonical,
            whole: if canonical { 1 } else { width },
            fraction: if canonical { 16 } else { width },
            digits: if canonical { 17 } else { 64 },
            exponents: match (canonical, set.integer) {
                (true, true) => Vec::new(),
                (true, false) => vec![(-999, -5), (16, 999)],
                (false, _) => vec![(-999, 999)],
            },
        };
        // Listed values have been checked one by one.
        let divisors = match set.values {
            Some(_) => Divisors::new(None, &[], limits)?,
            None => Divisors::new(set.step().as_ref(), &set.forbidden_divisors(), limits)?,
        };
        let machine = Machine::new(sides, divisors, style, zero, limits);
        Ok(Pattern::Automaton(Arc::new(machine.run()?)))
    }

    /// Itself, or the list of its members where that is the smaller way to say it.
    fn narrowed(&self) -> Result<Self, Error> {
        let residues = |d: &Decimal| d.significand() > &RESIDUES.into();
        let large = self.step().iter().chain(&self.forbidden_divisors()).any(residues);
        let members = if large { self.members(MEMBERS)? } else { None };
        Ok(match members {
            Some(members) => Self { integer: self.integer, ..Self::of_values(members) },
            None => self.clone(),
        })
    }

    /// The texts of listed values.
    fn listed(&self) -> Pattern {
        let values = self.values.iter().flatten().filter(|v| self.contains(v));
        let mut texts = BTreeSet::new();
        for value in values {
            let plain = plain(value);
            if value.is_integer() && !self.integer {
                let signed = if value.is_zero() { Some("-0.0".to_owned()) } else { None };
                texts.extend(signed);
            }
            if !self.integer {
                texts.insert(float(value));
            }
            texts.insert(plain);
        }
        Pattern::Strings(texts.into_iter().map(String::into_bytes).collect())
    }
}

/// A value without exponent, and without a fraction if it is an integer.
pub(super) fn plain(value: &Decimal) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let digits: String = value.digits().iter().map(|d| char::from(b'0' + d)).collect();
    let (top, exponent) = (value.top(), value.exponent());
    if value.is_zero() {
        "0".to_owned()
    } else if exponent >= 0 {
        format!("{sign}{digits}{}", "0".repeat(exponent as usize))
    } else if top <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(-top as usize))
    } else {
        let (whole, fraction) = digits.split_at(top as usize);
        format!("{sign}{whole}.{fraction}")
    }
}

/// A value as Python writes a `float`: with an exponent below 1e-4 and from 1e16 on.
fn float(value: &Decimal) -> String {
    let exponent = value.top() - 1;
    if value.is_zero() || (-4..16).contains(&exponent) {
        let point = if value.is_integer() { ".0" } else { "" };
        return format!("{}{point}", plain(value));
    }
    let digits: String = value.digits().iter().map(|d| char::from(b'0' + d)).collect();
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let minus = if value.is_negative() { "-" } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{minus}{first}{point}{rest}e{sign}{:02}", exponent.abs())
}

/// Any number, RFC 8259 section 6.
static NUMBER: LazyLock<Pattern> = LazyLock::new(|| {
    let digits = |min| repeat(class("09"), min, None);
    let whole = Pattern::Alt(vec![text("0"), concat([class("19"), digits(0)])]);
    let fraction = optional(concat([text("."), digits(1)]));
    let exponent = optional(concat([class("EEee"), optional(class("++--")), digits(1)]));
    concat([optional(text("-")), whole, fraction, exponent])
});

static INTEGER: LazyLock<Pattern> = LazyLock::new(|| {
    let positive = concat([class("19"), repeat(class("09"), 0, None)]);
    Pattern::Alt(vec![text("0"), concat([optional(text("-")), positive])])
});

/// The texts of a set, canonical and in any spelling, made on first use.
type Shared = [OnceLock<Result<Pattern, Error>>; 2];

/// Sets that many schemas have.
static COMMON: LazyLock<Vec<(NumberSet, Shared)>> = LazyLock::new(|| {
    let from = |value: i64, exclusive, integer| {
        let min = Some(Bound { value: Decimal::from(value), exclusive });
        NumberSet { min, integer, ..NumberSet::any() }
    };
    let sets = [
        NumberSet::integers(),
        from(0, false, true),
        from(1, false, true),
        from(0, true, true),
        from(0, false, false),
        from(1, false, false),
        from(0, true, false),
    ];
    sets.into_iter().map(|set| (set, Shared::default())).collect()
});
