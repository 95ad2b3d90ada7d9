//! Sets of Unicode scalar values as sorted ranges.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// A set of Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CharSet {
    /// Inclusive, sorted, disjoint, not adjacent.
    ranges: Vec<(char, char)>,
}

impl CharSet {
    /// The set of these inclusive ranges, in any order.
    pub fn new(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        Self::from_class(&ClassUnicode::new(
            ranges.into_iter().map(|(a, b)| ClassUnicodeRange::new(a, b)),
        ))
    }

    /// The set with one member.
    pub fn single(c: char) -> Self {
        Self { ranges: vec![(c, c)] }
    }

    /// Every Unicode scalar value.
    pub fn all() -> Self {
        Self { ranges: vec![('\0', '\u{d7ff}'), ('\u{e000}', char::MAX)] }
    }

    /// Inclusive ranges, sorted and disjoint.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether `c` is in it.
    pub fn contains(&self, c: char) -> bool {
        self.ranges
            .binary_search_by(|&(a, b)| {
                if c < a {
                    std::cmp::Ordering::Greater
                } else if c > b {
                    std::cmp::Ordering::Less
                } else {
                    std::cmp::Ordering::Equal
                }
            })
            .is_ok()
    }

    /// All scalar values that are not in it.
    #[must_use]
    pub fn negate(&self) -> Self {
        let mut class = self.to_class();
        class.negate();
        Self::from_class(&class)
    }

    /// What is in either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut class = self.to_class();
        class.union(&other.to_class());
        Self::from_class(&class)
    }

    fn to_class(&self) -> ClassUnicode {
        ClassUnicode::new(self.ranges.iter().map(|&(a, b)| ClassUnicodeRange::new(a, b)))
    }

    fn from_class(class: &ClassUnicode) -> Self {
        Self { ranges: class.iter().map(|r| (r.start(), r.end())).collect() }
    }
}

/// The set of code points from `first` to `last`, surrogates left out.
pub(in crate::pattern) fn points(first: u32, last: u32) -> impl Iterator<Item = (char, char)> {
    let below = (first, last.min(0xd7ff));
    let above = (first.max(0xe000), last);
    [below, above]
        .into_iter()
        .filter(|(a, b)| a <= b)
        .filter_map(|(a, b)| Some((char::from_u32(a)?, char::from_u32(b)?)))
}
