//! The texts of the numbers of a set.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use super::divisors::Divisors;
use super::machine::Machine;
use super::side::Side;
use super::state::Style;
use super::{Bound, Decimal, NumberSet};
use crate::error::Error;
use crate::json::parts::{class, concat, optional, repeat, text};
use crate::pattern::{Lazy, Pattern};

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
    ///   or three digits that say at least `+16` or at most `-05`.
    Canonical,
    /// Every text of RFC 8259 whose value is in the set: plain decimals, and exponents of at most 3 digits. What is
    /// longer is refused if the set is not that of all numbers, since such texts are not a regular language.
    Any,
}

/// A search for a number between bounds that listed numbers or divisors exclude looks at no more than this.
const CANDIDATES: usize = 1 << 16;

impl NumberSet {
    /// The texts whose value is in the set.
    ///
    /// # Errors
    /// [`Error::Syntax`] if a divisor is not above zero; [`Error::UnsupportedSchema`] if divisors are too large or
    /// too many.
    pub fn pattern(&self, spelling: Spelling) -> Result<Pattern, Error> {
        self.check_divisors()?;
        if *self == Self::any() {
            return Ok(NUMBER.clone());
        }
        if *self == Self::integers() && spelling == Spelling::Canonical {
            return Ok(INTEGER.clone());
        }
        if let Some((_, shared)) = COMMON.iter().find(|(set, _)| set == self) {
            return shared[usize::from(spelling == Spelling::Any)]
                .get_or_init(|| self.automaton(spelling))
                .clone();
        }
        if spelling == Spelling::Canonical && self.values.is_some() {
            return Ok(self.listed());
        }
        self.automaton(spelling)
    }

    pub(super) fn automaton(&self, spelling: Spelling) -> Result<Pattern, Error> {
        Ok(match self.machine(spelling)? {
            Some(machine) => Pattern::Lazy(Lazy::new(machine)),
            None => Pattern::Alt(Vec::new()),
        })
    }

    /// `None` if the set is empty.
    pub(super) fn machine(&self, spelling: Spelling) -> Result<Option<Machine>, Error> {
        let set = self.tightened();
        if set.is_empty()? {
            return Ok(None);
        }
        let canonical = spelling == Spelling::Canonical;
        let style = Style {
            literal: canonical && set.integer,
            strict_exponents: canonical,
            exponents: match (canonical, set.integer) {
                (true, true) => Vec::new(),
                (true, false) => vec![(-999, -5), (16, 999)],
                (false, _) => vec![(-999, 999)],
            },
        };
        // Listed values have been checked one by one.
        let divisors = match set.values {
            Some(_) => Divisors::new(None, &[])?,
            None => set.divisors()?,
        };
        let symmetric = set.min.is_none()
            && set.max.is_none()
            && set.values.is_none()
            && set.excluded.iter().all(Decimal::is_zero);
        let mut sides = vec![Side::new(&set, false)?];
        if !symmetric {
            sides.push(Side::new(&set, true)?);
        }
        Ok(Some(Machine::new(set, sides, divisors, style)))
    }

    fn divisors(&self) -> Result<Divisors, Error> {
        let (step, forbidden) = (self.step(), self.forbidden_divisors());
        let tries = 1usize.checked_shl(forbidden.len() as u32).unwrap_or(usize::MAX);
        if step.is_some() && tries.saturating_mul(self.excluded.len() + 2) > CANDIDATES {
            return Err(Error::UnsupportedSchema {
                pointer: String::new(),
                keyword: "multipleOf".to_owned(),
                message: "too much is excluded beside it".to_owned(),
            });
        }
        Divisors::new(step.as_ref(), &forbidden)
    }

    /// The same set, listed ones by their values alone, and bounds that are no members left out.
    fn tightened(&self) -> Self {
        let literal = Self { integer: self.integer, ..Self::any() };
        let listed = |values: &mut dyn Iterator<Item = &Decimal>| {
            let values = values.filter(|v| self.contains(v)).cloned().collect();
            Self { values: Some(values), ..literal.clone() }
        };
        match (&self.values, &self.min, &self.max) {
            (Some(values), ..) => return listed(&mut values.iter()),
            (None, Some(min), Some(max)) if min.value == max.value => {
                return listed(&mut std::iter::once(&min.value));
            }
            _ => {}
        }
        let mut set = self.clone();
        for bound in set.min.iter_mut().chain(&mut set.max) {
            bound.exclusive |= !self.contains(&bound.value);
        }
        set
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
