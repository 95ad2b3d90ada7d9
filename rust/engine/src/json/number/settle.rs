//! Forgetting what does not matter of the digits that were read, so that states with the same future are one.

use super::digits::Node;
use super::divisors::Residue;
use super::exponents::{self, Exponents, MOST};
use super::machine::Machine;
use super::state::{ANY, Phase, Read, State};

impl Machine {
    /// Forgets what does not matter.
    pub(super) fn settle(&self, mut read: Read) -> Option<State> {
        if self.divisors.is_empty() {
            (read.last, read.fraction, read.residue) = (ANY, 0, Residue::default());
        }
        read.exponent &= !self.style.exponents.is_empty();
        self.forget(&mut read);
        if read.phase != Phase::Whole && !self.may_have_digits(&read) {
            let wanted = self.exponents(&read);
            let plain = exponents::contains(&wanted, 0);
            let set = match read.exponent {
                true => exponents::intersect(&wanted, &self.style.exponents),
                false => Exponents::new(),
            };
            return Some(State::Tail { fresh: read.phase == Phase::Point, plain, set });
        }
        Some(State::Read(read))
    }

    fn forget(&self, read: &mut Read) {
        self.forget_zeros(read);
        self.forget_size(read);
        self.forget_divisors(read);
    }

    /// Zeros before the point, past those that matter.
    fn forget_zeros(&self, read: &mut Read) {
        let slack = if read.exponent { MOST + 1 } else { 0 };
        let kept = -self.divisors.zeros_that_matter() - slack;
        if read.phase == Phase::Whole && read.last != ANY && read.last < kept {
            let dropped = (kept - read.last) as u32;
            read.residue = self.divisors.absorbed(read.residue, dropped, -kept as u32);
            read.last = kept;
        }
    }

    /// The size, where nothing that follows can lead out of the bounds.
    fn forget_size(&self, read: &mut Read) {
        if read.top == ANY {
            return;
        }
        let side = &self.sides[read.side as usize];
        let free = if side.is_free() {
            true
        } else if read.exponent {
            // What has to be divisible has no digits below the divisor's place: the more digits, the larger.
            let least = self.divisors.lowest_place().map(|w| read.top + read.last + w);
            least.is_some_and(|least| side.is_inside_from((least, read.node)))
        } else if read.phase == Phase::Whole {
            side.is_inside_from((read.top, read.node))
        } else {
            side.is_inside(read.top)
        };
        if free {
            (read.top, read.node) = (ANY, Node::FREE);
        } else if let Some((_, most)) = side.span() {
            let slack = if read.exponent { MOST + 1 } else { 1 };
            read.top = read.top.min(most.saturating_add(slack));
        }
    }

    /// Divisors that must not divide, where a number within the bounds has too many digits for it.
    fn forget_divisors(&self, read: &mut Read) {
        if read.last == ANY || self.divisors.lowest_place().is_some() {
            return;
        }
        let most = match (read.exponent, read.phase, read.top) {
            (false, Phase::Whole, _) | (true, Phase::Whole, ANY) => return,
            (false, ..) => 0,
            (true, _, ANY) => MOST,
            (true, _, top) => self.sides[read.side as usize].greatest_top() - top,
        };
        if self.divisors.forbids_nothing_at(most - read.last) {
            (read.last, read.fraction, read.residue) = (ANY, 0, Residue::default());
        } else {
            // One more digit, and the last lines hold.
            read.fraction = read.fraction.min((most - self.divisors.least_place()).max(0));
        }
    }

    /// Whether a digit that is not 0 may still come behind the point.
    fn may_have_digits(&self, read: &Read) -> bool {
        let Some(place) = self.divisors.lowest_place() else { return true };
        let next = read.fraction + 1;
        let most = match read.top {
            ANY => MOST,
            top => self.sides[read.side as usize].greatest_top() - top,
        };
        let scaled = read.exponent && next + place <= most.min(MOST);
        scaled || next + place <= 0
    }

    /// The powers of ten that bring the number into the set, those that cannot be written included.
    pub(super) fn exponents(&self, read: &Read) -> Exponents {
        let (low, high) = match read.last {
            ANY => (i32::MIN / 2, i32::MAX / 2),
            last => {
                let (low, high) = self.divisors.exponents(read.residue);
                (low + last, high + last)
            }
        };
        let side = &self.sides[read.side as usize];
        match read.top {
            ANY => exponents::between(low, high, &[]),
            top => side.exponents((top, read.node), low, high),
        }
    }
}
