//! Sets of exponents, and how their texts are read.

/// Sorted, disjoint, inclusive ranges of exponents.
pub(super) type Exponents = Vec<(i16, i16)>;

/// Exponents are written with at most three digits.
pub(super) const MOST: i32 = 999;

/// The exponents from `low` to `high` that can be written, without those in `holes`.
pub(super) fn between(low: i32, high: i32, holes: &[i32]) -> Exponents {
    let (mut low, high) = (low.max(-MOST), high.min(MOST));
    let mut holes = holes.to_vec();
    holes.sort_unstable();
    let mut ranges = Exponents::new();
    for hole in holes {
        if hole < low || hole > high {
            continue;
        }
        if low < hole {
            ranges.push((low as i16, hole as i16 - 1));
        }
        low = hole + 1;
    }
    if low <= high {
        ranges.push((low as i16, high as i16));
    }
    ranges
}

/// What is in both.
pub(super) fn intersect(a: &[(i16, i16)], b: &[(i16, i16)]) -> Exponents {
    let mut both = Exponents::new();
    for &(low, high) in a {
        for &(from, to) in b {
            if low.max(from) <= high.min(to) {
                both.push((low.max(from), high.min(to)));
            }
        }
    }
    both
}

/// Whether `exponent` is in the set.
pub(super) fn contains(set: &[(i16, i16)], exponent: i16) -> bool {
    set.iter().any(|&(low, high)| low <= exponent && exponent <= high)
}

/// What is left of an exponent: what up to two more digits may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Rest {
    /// Whether it may end here.
    pub(super) ends: bool,
    /// One more digit: bit `d`.
    pub(super) one: u16,
    /// Two more digits: bit `10 * first + second`.
    pub(super) two: u128,
}

impl Rest {
    /// After the sign and the first digit. `padded` demands two digits, and three for what needs them alone.
    pub(super) fn new(set: &[(i16, i16)], negative: bool, digit: u8, padded: bool) -> Self {
        let first = i16::from(digit);
        let bits = |from: i16, count: i16, least: i16| {
            let mut bits = 0u128;
            for &(low, high) in set {
                let (low, high) = if negative { (-high, -low) } else { (low, high) };
                let (low, high) =
                    (low.max(from).max(least) - from, high.min(from + count - 1) - from);
                if low <= high {
                    bits |= (u128::MAX >> (127 - (high - low))) << low;
                }
            }
            bits
        };
        Self {
            ends: !padded && bits(first, 1, 0) != 0,
            one: bits(first * 10, 10, 0) as u16,
            two: bits(first * 100, 100, if padded { 100 } else { 0 }),
        }
    }

    /// After one more digit.
    pub(super) fn step(self, digit: u8) -> Self {
        Self {
            ends: self.one >> digit & 1 != 0,
            one: (self.two >> (10 * u32::from(digit)) & 0x3ff) as u16,
            two: 0,
        }
    }

    /// Whether nothing more can be read and it may not end here.
    pub(super) fn is_dead(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(set: &[(i16, i16)], text: &str, padded: bool) -> bool {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut digits = digits.bytes().map(|b| b - b'0');
        let first = digits.next().unwrap();
        digits.fold(Rest::new(set, negative, first, padded), Rest::step).ends
    }

    #[test]
    fn texts_are_read_as_their_values() {
        let sets = [
            between(-12, 7, &[0, 3]),
            between(5, 2_000, &[123]),
            between(-2_000, -99, &[]),
            between(0, 0, &[]),
            between(3, 3, &[3]),
        ];
        for set in sets {
            for value in -999..=999i16 {
                let sign = if value < 0 { "-" } else { "" };
                for width in 1..=3 {
                    let text = format!("{sign}{:0width$}", value.abs());
                    let canonical = text == format!("{sign}{:02}", value.abs());
                    let inside = contains(&set, value);
                    assert_eq!(accepts(&set, &text, false), inside, "{text} {set:?}");
                    assert_eq!(accepts(&set, &text, true), inside && canonical, "{text} {set:?}");
                }
            }
        }
    }
}
