//! Where reading a number's text stands, and which texts are wanted.

use super::digits::Node;
use super::divisors::Residue;
use super::exponents::{Exponents, Rest};

/// Which texts of a value are wanted.
#[derive(Debug)]
pub(super) struct Style {
    /// Integer literals alone: no point, no exponent, no `-0`.
    pub(super) literal: bool,
    /// As a careful serialiser writes exponents, or all of them.
    pub(super) strict_exponents: bool,
    /// The exponents that may be written.
    pub(super) exponents: Exponents,
}

/// A place that no longer matters.
pub(super) const ANY: i32 = i32::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Whole,
    /// Right behind the point.
    Point,
    Fraction,
}

/// Digits of which one is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Read {
    pub(super) side: u8,
    pub(super) phase: Phase,
    /// Whether an exponent may follow.
    pub(super) exponent: bool,
    /// The place of the first digit that is not 0, counted from the point, or [`ANY`].
    pub(super) top: i32,
    pub(super) node: Node,
    /// Digits behind the point, as far as they matter.
    pub(super) fraction: i32,
    /// How far behind the point the last digit stands that is not 0 (negative: before it), or [`ANY`].
    pub(super) last: i32,
    pub(super) residue: Residue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Start,
    Minus,
    /// Zeros alone.
    Zero {
        negative: bool,
        phase: Phase,
        zeros: i32,
    },
    Read(Read),
    /// Only zeros can follow, or an exponent of this set.
    Tail {
        fresh: bool,
        plain: bool,
        set: Exponents,
    },
    /// Behind the `e`.
    Mark {
        set: Exponents,
    },
    /// Behind the exponent's sign.
    Signed {
        set: Exponents,
        negative: bool,
    },
    Exponent(Rest),
}
