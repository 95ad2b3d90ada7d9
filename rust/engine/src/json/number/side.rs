//! Constraints on the distance from zero of numbers of one sign.

use std::cmp::Ordering;

use super::digits::{DigitTrie, Digits, NodeId};
use super::exponents::{self, Exponents};
use super::{Bound, Decimal, NumberSet};

/// A number by the place of its first digit and its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Size {
    top: i32,
    digits: Digits,
}

impl Size {
    fn of(value: &Decimal) -> Self {
        Self { top: value.top(), digits: value.digits() }
    }
}

/// A bound above zero, and whether it is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    size: Size,
    strict: bool,
}

/// What is wanted of the numbers of one sign, zero left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    /// Whether there are any.
    some: bool,
    low: Option<Edge>,
    high: Option<Edge>,
    /// Whether only those listed are wanted, or all but those listed.
    only: bool,
    listed: Vec<Size>,
}

impl Wanted {
    fn of(set: &NumberSet, negative: bool) -> Self {
        let (low, high) = if negative { (&set.max, &set.min) } else { (&set.min, &set.max) };
        let distance = |value: &Decimal| if negative { -value.clone() } else { value.clone() };
        let above_zero = |value: &Decimal| distance(value) > Decimal::zero();
        let edge = |bound: &Option<Bound>| {
            bound
                .as_ref()
                .filter(|b| above_zero(&b.value))
                .map(|b| Edge { size: Size::of(&b.value), strict: b.exclusive })
        };
        let only = set.values.is_some();
        let listed = set.values.as_ref().unwrap_or(&set.excluded);
        let listed: Vec<Size> = listed
            .iter()
            .filter(|v| above_zero(v) && (!only || set.contains(v)))
            .map(Size::of)
            .collect();
        let some =
            high.as_ref().is_none_or(|b| above_zero(&b.value)) && !(only && listed.is_empty());
        // The list is exact already.
        let (low, high) = if only { (None, None) } else { (edge(low), edge(high)) };
        Self { some, low, high, only, listed }
    }
}

/// [`Wanted`], with what is needed to compare texts with it.
#[derive(Debug)]
pub(super) struct Side {
    wanted: Wanted,
    trie: DigitTrie,
    /// For each kind of listed numbers: the places that its first digit can have.
    tops: Vec<Vec<i32>>,
    /// Least and greatest place of a first digit that is compared with.
    span: (i32, i32),
}

/// The place of a first digit and what the digits so far are.
pub(super) type Compared = (i32, NodeId);

impl Side {
    /// The sides of the positive and of the negative numbers; one if they are the same.
    pub(super) fn of(set: &NumberSet) -> Vec<Self> {
        let (positive, negative) = (Wanted::of(set, false), Wanted::of(set, true));
        let second = (positive != negative).then(|| Self::new(negative));
        std::iter::once(Self::new(positive)).chain(second).collect()
    }

    fn new(wanted: Wanted) -> Self {
        let digits = |edge: &Option<Edge>| edge.as_ref().map(|e| e.size.digits.clone());
        let mut listed: Vec<Digits> = wanted.listed.iter().map(|s| s.digits.clone()).collect();
        listed.sort();
        listed.dedup();
        let mut tops = vec![Vec::new(); listed.len()];
        for size in &wanted.listed {
            let place = listed.binary_search(&size.digits).unwrap_or_else(|place| place);
            tops[place].push(size.top);
        }
        tops.iter_mut().for_each(|tops| tops.sort_unstable());
        let mut trie = DigitTrie::new(digits(&wanted.low), digits(&wanted.high), &listed);
        let mut kinds = tops.clone();
        kinds.sort();
        kinds.dedup();
        let kind = |tops| kinds.binary_search(tops).unwrap_or_else(|place| place);
        trie.merge(&tops.iter().map(kind).collect::<Vec<_>>());
        let edges = wanted.low.iter().chain(&wanted.high).map(|e| e.size.top);
        let all = edges.chain(wanted.listed.iter().map(|s| s.top));
        let span = all.fold((i32::MAX, i32::MIN), |(a, b), top| (a.min(top), b.max(top)));
        Self { wanted, trie, tops: kinds, span }
    }

    /// How many beginnings of digits have to be told apart.
    pub(super) fn beginnings(&self) -> usize {
        self.trie.len()
    }

    /// Whether there are any numbers.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.some
    }

    /// Whether nothing has to be compared.
    pub(super) fn is_free(&self) -> bool {
        self.span.0 > self.span.1
    }

    /// Least and greatest place of a first digit that is compared with, if there is one.
    pub(super) fn span(&self) -> Option<(i32, i32)> {
        (!self.is_free()).then_some(self.span)
    }

    pub(super) fn step(&self, node: NodeId, digit: u8) -> NodeId {
        self.trie.step(node, digit)
    }

    /// The greatest place that the first digit of a wanted number can have.
    pub(super) fn greatest_top(&self) -> i32 {
        match (&self.wanted.high, self.wanted.only) {
            (Some(high), _) => high.size.top,
            (None, true) => self.span.1,
            (None, false) => i32::MAX / 2,
        }
    }

    /// The least place that the first digit of a wanted number can have.
    pub(super) fn least_top(&self) -> i32 {
        match (&self.wanted.low, self.wanted.only) {
            (Some(low), _) => low.size.top,
            (None, true) => self.span.0,
            (None, false) => i32::MIN / 2,
        }
    }

    /// Whether the place alone says that a number is inside, whatever its digits.
    pub(super) fn is_inside(&self, top: i32) -> bool {
        !self.wanted.only
            && self.wanted.low.as_ref().is_none_or(|low| top > low.size.top)
            && self.wanted.high.as_ref().is_none_or(|high| top < high.size.top)
            && self.wanted.listed.iter().all(|v| v.top != top)
    }

    /// Whether all numbers that begin with these digits are inside if their first digit is at `top` or above.
    pub(super) fn is_inside_from(&self, (top, node): Compared) -> bool {
        if self.wanted.high.is_some() || self.wanted.only {
            return false;
        }
        let above_low = self.wanted.low.as_ref().is_none_or(|low| {
            let order = self.trie.against_bounds(node).0;
            let inside = order == Ordering::Greater || (order == Ordering::Equal && !low.strict);
            top > low.size.top || (top == low.size.top && inside)
        });
        above_low && self.wanted.listed.iter().all(|v| v.top < top)
    }

    /// Whether no continuation of these digits is wanted, at any place.
    pub(super) fn is_dead(&self, node: NodeId) -> bool {
        self.wanted.only && DigitTrie::is_decided(node)
    }

    /// The powers of ten between `low` and `high` that make a number wanted whose first digit is at `top` without
    /// them.
    pub(super) fn exponents(&self, (top, node): Compared, low: i32, high: i32) -> Exponents {
        let listed = self.trie.listed(node).map_or(&[][..], |place| &self.tops[place]);
        let shifts = |tops: &[i32]| -> Vec<i32> { tops.iter().map(|t| t - top).collect() };
        if self.wanted.only {
            let mut points = shifts(listed);
            points.sort_unstable();
            let single = |e: i32| exponents::between(low.max(e), high.min(e), &[]);
            return points.into_iter().flat_map(single).collect();
        }
        let (above, below) = self.trie.against_bounds(node);
        let fits = |order: Ordering, wanted, strict: bool| {
            order == wanted || (order == Ordering::Equal && !strict)
        };
        let low = match &self.wanted.low {
            Some(edge) => {
                let first = edge.size.top - top;
                low.max(first + i32::from(!fits(above, Ordering::Greater, edge.strict)))
            }
            None => low,
        };
        let high = match &self.wanted.high {
            Some(edge) => {
                let last = edge.size.top - top;
                high.min(last - i32::from(!fits(below, Ordering::Less, edge.strict)))
            }
            None => high,
        };
        exponents::between(low, high, &shifts(listed))
    }
}
