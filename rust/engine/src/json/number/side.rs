//! Constraints on the distance from zero of numbers of one sign.

use std::cmp::Ordering;

use super::digits::{Digits, Marks, Node};
use super::exponents::{self, Exponents};
use super::{Bound, Decimal, NumberSet};
use crate::error::Error;

/// A number by the place of its first digit and its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Size {
    top: i32,
    digits: Digits,
}

impl Size {
    fn of(value: &Decimal) -> Self {
        let digits = value.digits();
        Self { top: digits.len() as i32 + value.exponent(), digits }
    }
}

/// A bound above zero, and whether it is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    size: Size,
    strict: bool,
}

/// How many of the numbers are wanted that begin with some digits and whose first digit has a certain place, as far
/// as their size tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    None,
    /// The upper bound alone, which is wanted.
    Bound,
    Some,
    All,
}

/// What is wanted of the numbers of one sign, zero left out.
#[derive(Debug)]
pub(super) struct Side {
    /// Whether there are any.
    wanted: bool,
    low: Option<Edge>,
    high: Option<Edge>,
    /// Whether only those listed are wanted, or all but those listed.
    only: bool,
    /// All to compare with.
    marks: Marks,
    /// The places of the first digits of listed numbers, in order.
    tops: Vec<i32>,
    /// Least and greatest place of a first digit that is compared with.
    span: (i32, i32),
    /// The place of the first digit of the least wanted number; below all places if there is no least.
    nearest: i32,
}

/// The place of a first digit and what the digits so far are.
pub(super) type Compared = (i32, Node);

impl Side {
    /// The positive or the negative numbers of a set whose bounds are members or left out.
    pub(super) fn new(set: &NumberSet, negative: bool) -> Result<Self, Error> {
        let (low, high) = if negative { (&set.max, &set.min) } else { (&set.min, &set.max) };
        let above_zero = |value: &Decimal| !value.is_zero() && value.is_negative() == negative;
        let edge = |bound: &Option<Bound>| {
            bound
                .as_ref()
                .filter(|b| above_zero(&b.value))
                .map(|b| Edge { size: Size::of(&b.value), strict: b.exclusive })
        };
        let only = set.values.is_some();
        let listed = set.values.as_ref().unwrap_or(&set.excluded);
        let listed: Vec<(Digits, i32)> = listed
            .iter()
            .filter(|v| above_zero(v))
            .map(Size::of)
            .map(|size| (size.digits, size.top))
            .collect();
        let mut tops: Vec<i32> = listed.iter().map(|size| size.1).collect();
        tops.sort_unstable();
        tops.dedup();
        // The list is exact already.
        let (low, high, below) = match only {
            true => (None, None, false),
            false => (edge(low), edge(high), high.as_ref().is_some_and(|b| !above_zero(&b.value))),
        };
        let (wanted, nearest) = if only {
            (!listed.is_empty(), tops.first().copied().unwrap_or(i32::MAX / 2))
        } else if below {
            (false, i32::MAX / 2)
        } else if set.step().is_some() {
            let least = nearest(set, negative)?;
            (least.is_some(), least.map_or(i32::MAX / 2, |least| least.top()))
        } else {
            // There is something between the bounds.
            (true, low.as_ref().map_or(i32::MIN / 2, |low| low.size.top))
        };
        let edges = low.iter().chain(&high).map(|e| e.size.top);
        let span = edges
            .chain(tops.iter().copied())
            .fold((i32::MAX, i32::MIN), |(a, b), top| (a.min(top), b.max(top)));
        let digits = |edge: &'_ Option<Edge>| edge.as_ref().map(|e| e.size.digits.clone());
        let marks = Marks::new(digits(&low).as_ref(), digits(&high).as_ref(), listed);
        Ok(Self { wanted, low, high, only, marks, tops, span, nearest })
    }

    /// Whether there are any numbers.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Whether nothing has to be compared.
    pub(super) fn is_free(&self) -> bool {
        self.span.0 > self.span.1
    }

    /// Least and greatest place of a first digit that is compared with, if there is one.
    pub(super) fn span(&self) -> Option<(i32, i32)> {
        (!self.is_free()).then_some(self.span)
    }

    /// Whether some wanted number has its first digit at `top` or below.
    pub(super) fn reaches(&self, top: i32) -> bool {
        self.wanted && self.nearest <= top
    }

    /// Before the first digit.
    pub(super) fn root(&self) -> Node {
        self.marks.root()
    }

    pub(super) fn step(&self, node: Node, digit: u8) -> Node {
        self.marks.step(node, digit)
    }

    /// The digits so far, without zeros at the end, if something begins with them that is compared with.
    pub(super) fn read(&self, node: Node) -> &[u8] {
        self.marks.read(node)
    }

    /// Whether only listed numbers are wanted.
    pub(super) fn is_listed(&self) -> bool {
        self.only
    }

    /// The places of the first digit of all listed numbers that begin with the digits so far.
    pub(super) fn listed_tops(&self, node: Node) -> impl Iterator<Item = i32> + '_ {
        self.marks.all_tops(node)
    }

    /// All listed numbers that begin with the digits so far: how many digits, and the place of the first.
    pub(super) fn listed(&self, node: Node) -> impl Iterator<Item = (u32, i32)> + '_ {
        self.marks.all(node)
    }

    /// The greatest place that the first digit of a wanted number can have.
    pub(super) fn greatest_top(&self) -> i32 {
        match (&self.high, self.only) {
            (Some(high), _) => high.size.top,
            (None, true) => self.span.1,
            (None, false) => i32::MAX / 2,
        }
    }

    /// The least place that the first digit of a wanted number can have.
    pub(super) fn least_top(&self) -> i32 {
        match (&self.low, self.only) {
            (Some(low), _) => low.size.top,
            (None, true) => self.span.0,
            (None, false) => i32::MIN / 2,
        }
    }

    /// Whether the place alone says that a number is inside, whatever its digits.
    pub(super) fn is_inside(&self, top: i32) -> bool {
        !self.only
            && self.low.as_ref().is_none_or(|low| top > low.size.top)
            && self.high.as_ref().is_none_or(|high| top < high.size.top)
            && self.tops.binary_search(&top).is_err()
    }

    /// Whether all numbers that begin with these digits are inside if their first digit is at `top` or above.
    pub(super) fn is_inside_from(&self, (top, node): Compared) -> bool {
        if self.high.is_some() || self.only {
            return false;
        }
        let above_low = self.low.as_ref().is_none_or(|low| {
            let order = self.marks.against_bounds(node).0;
            let inside = order == Ordering::Greater || (order == Ordering::Equal && !low.strict);
            top > low.size.top || (top == low.size.top && inside)
        });
        above_low && self.tops.last().is_none_or(|&last| last < top)
    }

    /// How many of the numbers are wanted that begin with these digits and whose first digit is at `top`; without
    /// lists.
    pub(super) fn fit(&self, (top, node): Compared) -> Fit {
        let (above, below) = self.marks.against_bounds(node);
        let (begins_low, begins_high) = self.marks.begins_bounds(node);
        let mut fit = Fit::All;
        if let Some(high) = &self.high {
            match top.cmp(&high.size.top) {
                Ordering::Less => {}
                Ordering::Greater => return Fit::None,
                Ordering::Equal => match below {
                    Ordering::Greater => return Fit::None,
                    Ordering::Equal if high.strict => return Fit::None,
                    Ordering::Equal => return Fit::Bound,
                    Ordering::Less if begins_high => fit = Fit::Some,
                    Ordering::Less => {}
                },
            }
        }
        if let Some(low) = &self.low {
            match top.cmp(&low.size.top) {
                Ordering::Greater => {}
                Ordering::Less => return Fit::None,
                Ordering::Equal => match above {
                    Ordering::Less if !begins_low => return Fit::None,
                    Ordering::Less => fit = Fit::Some,
                    Ordering::Equal if low.strict => fit = Fit::Some,
                    Ordering::Equal | Ordering::Greater => {}
                },
            }
        }
        if self.marks.all_tops(node).any(|listed| listed == top) { Fit::Some } else { fit }
    }

    /// Whether the size allows a number with these digits and no others whose first digit is at `top`; without lists.
    pub(super) fn allows(&self, (top, node): Compared) -> bool {
        let (above, below) = self.marks.against_bounds(node);
        let inside = |edge: &Edge, order: Ordering, wanted: Ordering| {
            let order = top.cmp(&edge.size.top).then(order);
            order == wanted || (order == Ordering::Equal && !edge.strict)
        };
        self.low.as_ref().is_none_or(|low| inside(low, above, Ordering::Greater))
            && self.high.as_ref().is_none_or(|high| inside(high, below, Ordering::Less))
            && !self.marks.tops(node).contains(&top)
    }

    /// The powers of ten between `low` and `high` that make a number wanted whose first digit is at `top` without
    /// them.
    pub(super) fn exponents(&self, (top, node): Compared, low: i32, high: i32) -> Exponents {
        let tops = self.marks.tops(node);
        let shifts = || tops.iter().map(|t| t - top).collect::<Vec<i32>>();
        if self.only {
            let single = |e: i32| exponents::between(low.max(e), high.min(e), &[]);
            return shifts().into_iter().flat_map(single).collect();
        }
        let (above, below) = self.marks.against_bounds(node);
        let fits = |order: Ordering, wanted, strict: bool| {
            order == wanted || (order == Ordering::Equal && !strict)
        };
        let low = match &self.low {
            Some(edge) => {
                let first = edge.size.top - top;
                low.max(first + i32::from(!fits(above, Ordering::Greater, edge.strict)))
            }
            None => low,
        };
        let high = match &self.high {
            Some(edge) => {
                let last = edge.size.top - top;
                high.min(last - i32::from(!fits(below, Ordering::Less, edge.strict)))
            }
            None => high,
        };
        exponents::between(low, high, &shifts())
    }
}

/// The member of one sign that is nearest to zero, of a set with a step.
fn nearest(set: &NumberSet, negative: bool) -> Result<Option<Decimal>, Error> {
    let zero = Some(Bound { value: Decimal::zero(), exclusive: true });
    let mut half = NumberSet::any();
    if negative {
        half.max = zero
    } else {
        half.min = zero
    }
    set.intersect(&half).witness()
}
