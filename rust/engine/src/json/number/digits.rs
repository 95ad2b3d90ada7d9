//! Comparing a number with several others while its digits are read.
//!
//! Numbers are compared by the place of their first digit, and then by their digits. This file is about the digits:
//! the sorted list of those of all numbers to compare with, its *marks*. The digits read so far are told by the marks
//! that begin with them. Once none does, they have been told apart from every one.

use std::cmp::Ordering;

/// Digits of a number from the first to the last that is not 0.
pub(super) type Digits = Vec<u8>;

/// Where reading digits stands among the marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// The marks from here to `to` begin with the digits so far. If all comparisons are decided: their outcome.
    pub(super) from: u32,
    pub(super) to: u32,
    /// How many digits that are; [`Node::DECIDED`] if all comparisons are decided.
    pub(super) depth: u32,
}

impl Node {
    const DECIDED: u32 = u32::MAX;

    /// Above the lower bound's digits and below those of the upper, whatever follows.
    pub(super) const FREE: Self = Self { from: 1, to: 0, depth: Self::DECIDED };

    /// Whether all comparisons are decided, whatever follows.
    pub(super) fn is_decided(self) -> bool {
        self.depth == Self::DECIDED
    }

    fn marks(self) -> std::ops::Range<usize> {
        if self.is_decided() { 0..0 } else { self.from as usize..self.to as usize }
    }
}

/// Digits to compare with, and the places that the first digit of a listed number with these digits can have.
#[derive(Debug)]
struct Mark {
    digits: Digits,
    tops: Vec<i32>,
}

/// The digits of a lower bound, an upper bound, and listed numbers.
#[derive(Debug)]
pub(super) struct Marks {
    marks: Vec<Mark>,
    low: Option<usize>,
    high: Option<usize>,
}

impl Marks {
    /// Each listed number with the place of its first digit.
    pub(super) fn new(
        low: Option<&Digits>,
        high: Option<&Digits>,
        mut listed: Vec<(Digits, i32)>,
    ) -> Self {
        listed.sort_unstable();
        let mut marks: Vec<Mark> = Vec::with_capacity(listed.len() + 2);
        for (digits, top) in listed {
            match marks.last_mut() {
                Some(mark) if mark.digits == digits => mark.tops.push(top),
                _ => marks.push(Mark { digits, tops: vec![top] }),
            }
        }
        for bound in low.into_iter().chain(high) {
            if let Err(place) = marks.binary_search_by(|mark| mark.digits.cmp(bound)) {
                marks.insert(place, Mark { digits: bound.clone(), tops: Vec::new() });
            }
        }
        let place =
            |bound: &Digits| marks.binary_search_by(|mark| mark.digits.cmp(bound)).unwrap_or(0);
        let (low, high) = (low.map(place), high.map(place));
        Self { marks, low, high }
    }

    /// Where reading starts.
    pub(super) fn root(&self) -> Node {
        Node { from: 0, to: self.marks.len() as u32, depth: 0 }
    }

    pub(super) fn step(&self, node: Node, digit: u8) -> Node {
        if node.is_decided() {
            return node;
        }
        let depth = node.depth as usize;
        // What is behind the last digit of a mark is 0.
        let at = |mark: &Mark| mark.digits.get(depth).copied().unwrap_or(0);
        let (first, range) = (node.from as usize, &self.marks[node.marks()]);
        let from = first + range.partition_point(|mark| at(mark) < digit);
        let to = first + range.partition_point(|mark| at(mark) <= digit);
        if from == to {
            // All marks before this place are less, all from it on are greater.
            let bit = |bound: Option<usize>, none, value| {
                if bound.map_or(none, |bound| bound < from) { value } else { 0 }
            };
            let class = bit(self.low, true, 1) | bit(self.high, false, 2);
            return Node { from: class, to: 0, depth: Node::DECIDED };
        }
        let mut depth = node.depth + 1;
        if to - from == 1 {
            depth = depth.min(self.marks[from].digits.len() as u32);
        }
        Node { from: from as u32, to: to as u32, depth }
    }

    /// What the digits so far are against the digits of both bounds, if only zeros follow. Without a bound, anything
    /// is above the lower and below the upper one.
    pub(super) fn against_bounds(&self, node: Node) -> (Ordering, Ordering) {
        if node.is_decided() {
            let order = |bit| if node.from & bit != 0 { Ordering::Greater } else { Ordering::Less };
            return (order(1), order(2));
        }
        let against = |bound: Option<usize>, none| match bound {
            None => none,
            Some(bound) if bound < node.from as usize => Ordering::Greater,
            Some(bound) if bound >= node.to as usize => Ordering::Less,
            Some(bound) if self.marks[bound].digits.len() <= node.depth as usize => Ordering::Equal,
            Some(_) => Ordering::Less,
        };
        (against(self.low, Ordering::Greater), against(self.high, Ordering::Less))
    }

    /// Which of the two bounds begin with the digits so far.
    pub(super) fn begins_bounds(&self, node: Node) -> (bool, bool) {
        let begins = |bound: Option<usize>| bound.is_some_and(|b| node.marks().contains(&b));
        (begins(self.low), begins(self.high))
    }

    /// The places of the first digit of listed numbers with just these digits, if only zeros follow.
    pub(super) fn tops(&self, node: Node) -> &[i32] {
        match self.marks[node.marks()].first() {
            Some(mark) if mark.digits.len() <= node.depth as usize => &mark.tops,
            _ => &[],
        }
    }

    /// The places of the first digit of all listed numbers that begin with the digits so far.
    pub(super) fn all_tops(&self, node: Node) -> impl Iterator<Item = i32> + '_ {
        self.marks[node.marks()].iter().flat_map(|mark| mark.tops.iter().copied())
    }

    /// All listed numbers that begin with the digits so far: how many digits, and the place of the first.
    pub(super) fn all(&self, node: Node) -> impl Iterator<Item = (u32, i32)> + '_ {
        let marks = self.marks[node.marks()].iter();
        marks.flat_map(|mark| mark.tops.iter().map(|&top| (mark.digits.len() as u32, top)))
    }

    /// The digits so far, without zeros at the end, if some mark begins with them.
    pub(super) fn read(&self, node: Node) -> &[u8] {
        let mark = self.marks[node.marks()].first().map_or(&[][..], |mark| &mark.digits);
        &mark[..mark.len().min(node.depth as usize)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Digits {
        text.bytes().map(|b| b - b'0').collect()
    }

    /// Compares digits behind the same first place.
    fn compare(a: &[u8], b: &[u8]) -> Ordering {
        let length = a.len().max(b.len());
        let padded = |digits: &[u8]| -> Vec<u8> {
            let zeros = std::iter::repeat_n(0, length - digits.len());
            digits.iter().copied().chain(zeros).collect()
        };
        padded(a).cmp(&padded(b))
    }

    #[test]
    fn every_text_is_compared_right() {
        let (low, high) = (digits("105"), digits("1"));
        let listed = [("1", 4), ("12", 2), ("12", 3), ("9", 1)];
        let all = listed.map(|(text, top)| (digits(text), top)).to_vec();
        let marks = Marks::new(Some(&low), Some(&high), all);
        for number in 1..20_000 {
            let text = digits(&number.to_string());
            let node = text.iter().fold(marks.root(), |node, &d| marks.step(node, d));
            let expected = (compare(&text, &low), compare(&text, &high));
            assert_eq!(marks.against_bounds(node), expected, "{number}");
            let stripped = number.to_string().trim_end_matches('0').to_owned();
            let places: Vec<i32> = listed.iter().filter(|l| l.0 == stripped).map(|l| l.1).collect();
            assert_eq!(marks.tops(node), places, "{number}");
            if !node.is_decided() {
                assert_eq!(marks.read(node), digits(&stripped), "{number}");
            }
        }
    }
}
