//! How many bytes a text still takes at least.
//!
//! A lower bound, for a search for the shortest text: by the digits that a multiple or a listed number needs, and by
//! the places that the bounds ask for.

use super::machine::Machine;
use super::side::{Fit, Side};
use super::state::{ANY, Phase, Read, State};

/// More than any text takes.
const FAR: u32 = u32::MAX / 4;

impl Machine {
    /// At least so many bytes make a text of the set.
    pub(super) fn least_rest(&self, state: &State) -> u32 {
        if self.accepts(state) {
            return 0;
        }
        match state {
            State::Start | State::Minus => {
                let steps = (b'0'..=b'9').chain([b'-']).filter_map(|byte| self.step(state, byte));
                steps.map(|next| 1 + self.least_rest(&next)).min().unwrap_or(1)
            }
            State::Zero { phase: Phase::Whole, .. } => 2,
            State::Read(read) => {
                let side = &self.sides[read.side as usize];
                let rest = match side.is_listed() {
                    true => self.listed_rest(side, read),
                    false => self.plain_rest(side, read).min(self.scaled_rest(read)),
                };
                rest.clamp(1, FAR)
            }
            State::Exponent(rest) => 2 - u32::from(rest.one != 0),
            State::Signed { .. } if self.style.strict_exponents => 2,
            State::Mark { .. } if self.style.strict_exponents => 3,
            _ => 1,
        }
    }

    /// What an exponent takes.
    fn shortest_exponent(&self) -> u32 {
        if self.style.strict_exponents { 4 } else { 2 }
    }

    fn listed_rest(&self, side: &Side, read: &Read) -> u32 {
        let needed = side.listed(read.node).map(|(digits, top)| {
            let more = digits.saturating_sub(read.node.depth);
            let plain = match read.phase {
                _ if top < read.top || (read.phase != Phase::Whole && top != read.top) => FAR,
                Phase::Whole => {
                    let behind = (digits as i32).saturating_sub(top.max(0));
                    (top - read.top) as u32 + if behind > 0 { 1 + behind as u32 } else { 0 }
                }
                Phase::Point | Phase::Fraction => more,
            };
            plain.min(if read.exponent { more + self.shortest_exponent() } else { FAR })
        });
        needed.min().unwrap_or(FAR)
    }

    /// Without an exponent.
    fn plain_rest(&self, side: &Side, read: &Read) -> u32 {
        let Some(place) = self.divisors.lowest_place() else {
            return match (read.phase, read.top) {
                (Phase::Whole, top) if top != ANY => {
                    let first = side.least_top().saturating_sub(top).max(0);
                    let beyond = side.fit((top.saturating_add(first), read.node)) == Fit::None;
                    first as u32 + u32::from(beyond)
                }
                _ => 1,
            };
        };
        let zeros = (read.fraction - read.last) as u32;
        let least = |bounds, behind: &dyn Fn(u32) -> Option<u32>| {
            self.divisors.least_digits(read.residue, zeros, bounds, behind).unwrap_or(FAR)
        };
        if read.phase != Phase::Whole {
            let below = -(read.fraction + place);
            let most = u32::try_from(below).unwrap_or(0).max(1);
            return least((1, most), &|more| most.checked_sub(more));
        }
        let first = match read.top {
            ANY => 0,
            top => side.least_top().saturating_sub(top).max(0) as u32,
        };
        // Digits before the point alone.
        let finer = u32::try_from(-place).unwrap_or(0);
        let whole = least((first.max(1), u32::MAX), &|_| Some(finer));
        if finer == 0 {
            return whole;
        }
        // A point and digits behind it, and perhaps some before.
        let split = |before: u32| {
            let most = before + finer;
            let behind = |more: u32| most.checked_sub(more);
            least((before + 1, most), &behind).saturating_add(1)
        };
        let mut best = whole;
        let mut before = first;
        while before + 2 < best.min(first + 22) {
            best = best.min(split(before));
            before += 1;
        }
        best
    }

    /// With an exponent: it makes up for any twos and fives.
    fn scaled_rest(&self, read: &Read) -> u32 {
        if !read.exponent {
            return FAR;
        }
        let zeros = if read.last == ANY { 0 } else { (read.fraction - read.last) as u32 };
        let any = |_| Some(64);
        let more = self.divisors.least_digits(read.residue, zeros, (0, u32::MAX), any);
        more.unwrap_or(FAR).saturating_add(self.shortest_exponent())
    }
}
