//! The texts of the numbers of a set, read byte by byte.
//!
//! A text is a sign, digits with a point, and an exponent. While digits are read it is not known how large the number
//! is, since the exponent comes last. So a state holds what the exponent will be asked: the place of the first digit
//! and how the digits compare with the bounds ([`super::side`]), and the place of the last digit that is not 0 with
//! the residue of the digits up to it ([`super::divisors`]). All of it together makes a set of exponents, and two
//! states with the same future should be one: what does not matter any more is forgotten ([`super::settle`]). A state
//! from which no text of the set can be reached is not given out ([`super::live`]).
//!
//! A number without exponent is one with the exponent 0.

use super::divisors::{Divisors, Residue};
use super::exponents::{self, MOST, Rest};
use super::side::Side;
use super::state::{ANY, Phase, Read, State, Style};
use super::{Decimal, NumberSet};

/// How the texts of a set are read. States are worked out one at a time, and all that is given out lead to a match.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) set: NumberSet,
    /// One if it is the same for both signs.
    pub(super) sides: Vec<Side>,
    pub(super) divisors: Divisors,
    pub(super) style: Style,
    /// Whether zero is in the set.
    pub(super) zero: bool,
    /// More digits behind the point, or zeros before the first other digit, need not be counted.
    most_places: i32,
}

impl Machine {
    /// Of a set that is not empty, and whose bounds are members or left out.
    pub(super) fn new(set: NumberSet, sides: Vec<Side>, divisors: Divisors, style: Style) -> Self {
        let least = sides.iter().filter_map(Side::span).map(|span| span.0).min().unwrap_or(0);
        let least = least.min(divisors.least_place()).min(0);
        let zero = set.contains(&Decimal::zero());
        Self { set, sides, divisors, style, zero, most_places: MOST + 2 - least }
    }

    pub(super) fn accepts(&self, state: &State) -> bool {
        match state {
            State::Zero { negative, phase, .. } => {
                self.zero && *phase != Phase::Point && !(*negative && self.style.literal)
            }
            State::Read(read) => {
                read.phase != Phase::Point && exponents::contains(&self.exponents(read), 0)
            }
            State::Tail { fresh, plain, .. } => *plain && !fresh,
            State::Exponent(rest) => rest.ends,
            State::Start | State::Minus | State::Mark { .. } | State::Signed { .. } => false,
        }
    }

    /// The state after one more byte, if anything can follow that ends in the set.
    pub(super) fn step(&self, state: &State, byte: u8) -> Option<State> {
        self.next(state, byte).filter(|next| self.is_live(next))
    }

    /// The state after one more byte; perhaps nothing can follow.
    pub(super) fn next(&self, state: &State, byte: u8) -> Option<State> {
        match byte {
            b'0'..=b'9' => self.digit(state, byte - b'0'),
            b'.' => self.point(state),
            b'E' if self.style.strict_exponents => None,
            b'E' | b'e' => self.mark(state),
            b'+' | b'-' => self.sign(state, byte == b'-'),
            _ => None,
        }
    }

    fn sign(&self, state: &State, negative: bool) -> Option<State> {
        match state {
            State::Start if negative => Some(State::Minus),
            State::Mark { set } => Some(State::Signed { set: set.clone(), negative }),
            _ => None,
        }
    }

    fn point(&self, state: &State) -> Option<State> {
        match *state {
            _ if self.style.literal => None,
            State::Zero { negative, phase: Phase::Whole, zeros } => {
                Some(State::Zero { negative, phase: Phase::Point, zeros })
            }
            State::Read(read) if read.phase == Phase::Whole => {
                self.settle(Read { phase: Phase::Point, ..read })
            }
            _ => None,
        }
    }

    fn mark(&self, state: &State) -> Option<State> {
        let set = match state {
            State::Zero { phase, .. } if *phase != Phase::Point && self.zero => {
                if self.style.strict_exponents {
                    return None;
                }
                self.style.exponents.clone()
            }
            State::Read(read) if read.phase != Phase::Point && read.exponent => {
                exponents::intersect(&self.exponents(read), &self.style.exponents)
            }
            State::Tail { fresh: false, set, .. } => set.clone(),
            _ => return None,
        };
        (!set.is_empty()).then_some(State::Mark { set })
    }

    fn digit(&self, state: &State, digit: u8) -> Option<State> {
        match *state {
            State::Start => self.first(false, digit),
            State::Minus => self.first(true, digit),
            State::Zero { phase: Phase::Whole, .. } => None,
            State::Zero { negative, zeros, .. } if digit == 0 => {
                let side = &self.sides[self.side(negative)];
                let counted = side.is_wanted() && !(side.is_free() && self.divisors.is_empty());
                let zeros = if counted { (zeros + 1).min(self.most_places) } else { 0 };
                Some(State::Zero { negative, phase: Phase::Fraction, zeros })
            }
            State::Zero { negative, zeros, .. } => {
                let start = Read {
                    exponent: !self.style.strict_exponents,
                    top: -zeros,
                    ..self.start(negative)?
                };
                self.settle(self.read(
                    Read { phase: Phase::Fraction, fraction: zeros, last: zeros, ..start },
                    digit,
                ))
            }
            State::Read(read) => {
                let mut read = read;
                if read.phase == Phase::Whole {
                    read.top = if read.top == ANY { ANY } else { read.top + 1 };
                    read.exponent &= !self.style.strict_exponents;
                }
                self.settle(self.read(read, digit))
            }
            State::Tail { plain, ref set, .. } => {
                (digit == 0).then_some(State::Tail { fresh: false, plain, set: set.clone() })
            }
            State::Mark { ref set } if !self.style.strict_exponents => {
                self.exponent(set, false, digit)
            }
            State::Mark { .. } => None,
            State::Signed { ref set, negative } => self.exponent(set, negative, digit),
            State::Exponent(rest) => {
                Some(rest.step(digit)).filter(|r| !r.is_dead()).map(State::Exponent)
            }
        }
    }

    fn exponent(&self, set: &[(i16, i16)], negative: bool, digit: u8) -> Option<State> {
        let rest = Rest::new(set, negative, digit, self.style.strict_exponents);
        (!rest.is_dead()).then_some(State::Exponent(rest))
    }

    pub(super) fn side(&self, negative: bool) -> usize {
        if negative { self.sides.len() - 1 } else { 0 }
    }

    /// The first digit of all.
    fn first(&self, negative: bool, digit: u8) -> Option<State> {
        if digit == 0 {
            let negative = negative && (self.style.literal || self.sides.len() > 1);
            return Some(State::Zero { negative, phase: Phase::Whole, zeros: 0 });
        }
        let start = self.start(negative)?;
        self.settle(self.read(Read { top: 1, ..start }, digit))
    }

    /// Before the first digit that is not 0, if any may come.
    fn start(&self, negative: bool) -> Option<Read> {
        let side = self.side(negative);
        self.sides[side].is_wanted().then_some(Read {
            side: side as u8,
            phase: Phase::Whole,
            exponent: true,
            top: ANY,
            node: self.sides[side].root(),
            fraction: 0,
            last: 0,
            residue: Residue::default(),
        })
    }

    /// One more digit; of the first one, `top` is set already.
    fn read(&self, mut read: Read, digit: u8) -> Read {
        if read.top != ANY {
            read.node = self.sides[read.side as usize].step(read.node, digit);
        }
        if read.phase == Phase::Point {
            read.phase = Phase::Fraction;
        }
        if read.last == ANY {
            return read;
        }
        let behind = read.phase == Phase::Fraction;
        if digit == 0 {
            if behind {
                read.fraction = (read.fraction + 1).min(self.most_places);
            } else {
                read.last -= 1;
            }
            let zeros = (read.fraction - read.last) as u32;
            read.residue = self.divisors.padded(read.residue, zeros);
            return read;
        }
        let zeros = (read.fraction - read.last) as u32;
        read.residue = self.divisors.next(read.residue, zeros, digit);
        if behind {
            read.fraction = (read.fraction + 1).min(self.most_places);
        }
        read.last = read.fraction;
        read
    }
}
