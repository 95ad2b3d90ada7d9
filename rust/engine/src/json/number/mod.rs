//! Sets of numbers, as the keywords of JSON Schema describe them.
//!
//! A [`NumberSet`] is a conjunction of constraints on a value. [`NumberSet::pattern`] is the language of the texts
//! whose value is in the set; the rest answers questions about the set itself. All arithmetic is exact.

mod code;
mod digits;
mod divisors;
mod exponents;
mod live;
mod machine;
mod rest;
mod settle;
mod side;
mod solve;
mod spelling;
mod state;

use std::collections::BTreeSet;

use super::decimal::Decimal;

pub use spelling::Spelling;

/// A bound on a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The bound itself.
    pub value: Decimal,
    /// Whether the bound itself is left out.
    pub exclusive: bool,
}

/// All numbers that satisfy every one of these constraints. The default is all numbers.
///
/// By JSON Schema 2020-12: `minimum` and its like are section 6.2 of the validation vocabulary, and "integer" is any
/// number with a zero fraction (core, section 4.2.3), however it is spelled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NumberSet {
    /// The least value.
    pub min: Option<Bound>,
    /// The greatest value.
    pub max: Option<Bound>,
    /// Whether the fraction must be zero.
    pub integer: bool,
    /// Whether the fraction must not be zero.
    pub not_integer: bool,
    /// What the value must be a multiple of: each of these, all above zero.
    pub multiple_of: Vec<Decimal>,
    /// What the value must not be a multiple of: none of these, all above zero.
    pub not_multiple_of: Vec<Decimal>,
    /// The only values that are left, if they are listed.
    pub values: Option<BTreeSet<Decimal>>,
    /// Values that are left out.
    pub excluded: BTreeSet<Decimal>,
}

impl NumberSet {
    /// All numbers.
    pub fn any() -> Self {
        Self::default()
    }

    /// All integers.
    pub fn integers() -> Self {
        Self { integer: true, ..Self::default() }
    }

    /// Whether these are all numbers, or all integers.
    pub(crate) fn is_whole_type(&self) -> bool {
        *self == Self { integer: self.integer, ..Self::default() }
    }

    /// These numbers and no others.
    pub fn of_values(values: impl IntoIterator<Item = Decimal>) -> Self {
        Self { values: Some(values.into_iter().collect()), ..Self::default() }
    }

    /// Whether `value` satisfies all constraints.
    pub fn contains(&self, value: &Decimal) -> bool {
        let low = |b: &Bound| *value > b.value || (!b.exclusive && *value == b.value);
        let high = |b: &Bound| *value < b.value || (!b.exclusive && *value == b.value);
        self.min.as_ref().is_none_or(low)
            && self.max.as_ref().is_none_or(high)
            && (!self.integer || value.is_integer())
            && (!self.not_integer || !value.is_integer())
            && self.multiple_of.iter().all(|m| value.is_multiple_of(m))
            && !self.not_multiple_of.iter().any(|m| value.is_multiple_of(m))
            && self.values.as_ref().is_none_or(|values| values.contains(value))
            && !self.excluded.contains(value)
    }

    /// What is in both.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.min = tighter(&self.min, &other.min, |a, b| a.value > b.value);
        both.max = tighter(&self.max, &other.max, |a, b| a.value < b.value);
        both.integer |= other.integer;
        both.not_integer |= other.not_integer;
        add(&mut both.multiple_of, &other.multiple_of);
        add(&mut both.not_multiple_of, &other.not_multiple_of);
        both.excluded.extend(other.excluded.iter().cloned());
        both.values = match (&self.values, &other.values) {
            (Some(a), Some(b)) => Some(a.intersection(b).cloned().collect()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        both
    }
}

fn tighter(
    a: &Option<Bound>,
    b: &Option<Bound>,
    wins: impl Fn(&Bound, &Bound) -> bool,
) -> Option<Bound> {
    match (a, b) {
        (Some(a), Some(b)) if a.value == b.value => {
            Some(Bound { value: a.value.clone(), exclusive: a.exclusive || b.exclusive })
        }
        (Some(a), Some(b)) => Some(if wins(a, b) { a.clone() } else { b.clone() }),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}

/// Adds what is not there yet, and keeps the list sorted, so that equal sets are equal.
fn add(list: &mut Vec<Decimal>, more: &[Decimal]) {
    list.extend_from_slice(more);
    list.sort();
    list.dedup();
}

#[cfg(test)]
mod tests;
