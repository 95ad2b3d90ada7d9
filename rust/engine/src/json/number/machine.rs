//! The texts of the numbers of a set, read byte by byte.
//!
//! A text is a sign, digits with a point, and an exponent. While digits are read it is not known how large the number
//! is, since the exponent comes last. So a state holds what the exponent will be asked: the place of the first digit
//! and how the digits compare with the bounds ([`super::side`]), and the place of the last digit that is not 0 with
//! the residue of the digits up to it ([`super::divisors`]). All of it together makes a set of exponents, and two
//! states with the same future should be one: what does not matter any more is forgotten in [`Machine::settle`].
//!
//! A number without exponent is one with the exponent 0, but may have any number of digits.

use rustc_hash::FxHashMap;

use super::digits::DigitTrie;
use super::divisors::{Divisors, Residue};
use super::exponents::{self, Exponents, Rest};
use super::side::Side;
use super::state::{ANY, Phase, Read, State, Style};
use crate::error::Error;
use crate::limits::{Limits, check};
use crate::pattern::{ByteAutomaton, ByteState};

/// Most states of one automaton.
const STATES: u64 = 200_000;

pub(super) struct Machine<'a> {
    pub(super) sides: Vec<Side>,
    pub(super) divisors: Divisors,
    pub(super) style: Style,
    /// Whether zero is in the set.
    pub(super) zero: bool,
    pub(super) limits: &'a Limits,
    sets: Vec<Exponents>,
    set_ids: FxHashMap<Exponents, u32>,
    states: Vec<State>,
    ids: FxHashMap<State, u32>,
    /// More digits behind the point, or zeros before the first other digit, need not be counted.
    most_places: i32,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        sides: Vec<Side>,
        divisors: Divisors,
        style: Style,
        zero: bool,
        limits: &'a Limits,
    ) -> Self {
        let least = sides.iter().filter_map(Side::span).map(|span| span.0).min().unwrap_or(0);
        let least = least.min(divisors.least_place()).min(-style.fraction).min(-style.whole);
        Self {
            sides,
            divisors,
            style,
            zero,
            limits,
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            states: Vec::new(),
            ids: FxHashMap::default(),
            most_places: 1 - least,
        }
    }

    /// All states, from the start on.
    pub(super) fn run(mut self) -> Result<ByteAutomaton, Error> {
        let mut automaton = Vec::new();
        self.id(State::Start)?;
        while let Some(&state) = self.states.get(automaton.len()) {
            let accepting = self.accepts(state);
            let edges = self.edges(state)?;
            automaton.push(ByteState { accepting, edges });
        }
        ByteAutomaton::new(automaton)
    }

    fn id(&mut self, state: State) -> Result<u32, Error> {
        if let Some(&id) = self.ids.get(&state) {
            return Ok(id);
        }
        let most = STATES.min(self.limits.instructions as u64);
        let given = self.states.len() as u64 + 1;
        check("states of a number's constraints", "instructions", most, given)?;
        let id = self.states.len() as u32;
        self.states.push(state);
        self.ids.insert(state, id);
        Ok(id)
    }

    fn set(&mut self, set: Exponents) -> u32 {
        if let Some(&id) = self.set_ids.get(&set) {
            return id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.set_ids.insert(set, id);
        id
    }

    fn accepts(&self, state: State) -> bool {
        match state {
            State::Zero { negative, phase, .. } => {
                self.zero && phase != Phase::Point && !(negative && self.style.literal)
            }
            State::Read(read) => {
                read.phase != Phase::Point && exponents::contains(&self.exponents(&read), 0)
            }
            State::Tail { fresh, plain, .. } => plain && !fresh,
            State::Exponent(rest) => rest.ends,
            State::Start | State::Minus | State::Mark { .. } | State::Signed { .. } => false,
        }
    }

    fn edges(&mut self, state: State) -> Result<Vec<(u8, u8, u32)>, Error> {
        let mut edges: Vec<(u8, u8, u32)> = Vec::new();
        let mut add = |byte: u8, to: u32| match edges.last_mut() {
            Some(last) if last.2 == to && last.1 + 1 == byte => last.1 = byte,
            _ => edges.push((byte, byte, to)),
        };
        for byte in *b"+-.0123456789Ee" {
            let to = match byte {
                b'0'..=b'9' => self.digit(state, byte - b'0'),
                b'.' => self.point(state),
                b'E' if self.style.strict_exponents => None,
                b'E' | b'e' => self.mark(state),
                _ => self.sign(state, byte == b'-'),
            };
            if let Some(to) = to {
                let id = self.id(to)?;
                add(byte, id);
            }
        }
        Ok(edges)
    }

    fn sign(&self, state: State, negative: bool) -> Option<State> {
        match state {
            State::Start if negative => Some(State::Minus),
            State::Mark { set } => Some(State::Signed { set, negative }),
            _ => None,
        }
    }

    fn point(&mut self, state: State) -> Option<State> {
        match state {
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

    fn mark(&mut self, state: State) -> Option<State> {
        let set = match state {
            State::Zero { phase, .. } if phase != Phase::Point && self.zero => {
                if self.style.strict_exponents {
                    return None;
                }
                self.style.exponents.clone()
            }
            State::Read(read) if read.phase != Phase::Point && read.exponent => {
                exponents::intersect(&self.exponents(&read), &self.style.exponents)
            }
            State::Tail { fresh: false, set, .. } => self.sets[set as usize].clone(),
            _ => return None,
        };
        if set.is_empty() {
            return None;
        }
        Some(State::Mark { set: self.set(set) })
    }

    fn digit(&mut self, state: State, digit: u8) -> Option<State> {
        match state {
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
                    exponent: !self.style.strict_exponents && zeros <= self.style.fraction,
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
            State::Tail { plain, set, .. } => {
                (digit == 0).then_some(State::Tail { fresh: false, plain, set })
            }
            State::Mark { set } if !self.style.strict_exponents => self.exponent(set, false, digit),
            State::Mark { .. } => None,
            State::Signed { set, negative } => self.exponent(set, negative, digit),
            State::Exponent(rest) => {
                Some(rest.step(digit)).filter(|r| !r.is_dead()).map(State::Exponent)
            }
        }
    }

    fn exponent(&self, set: u32, negative: bool, digit: u8) -> Option<State> {
        let rest =
            Rest::new(&self.sets[set as usize], negative, digit, self.style.strict_exponents);
        (!rest.is_dead()).then_some(State::Exponent(rest))
    }

    fn side(&self, negative: bool) -> usize {
        if negative { self.sides.len() - 1 } else { 0 }
    }

    /// The first digit of all.
    fn first(&mut self, negative: bool, digit: u8) -> Option<State> {
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
            node: DigitTrie::ROOT,
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
        read.exponent &= read.fraction <= self.style.fraction;
        read
    }

    /// Forgets what does not matter; `None` if nothing can follow that ends in the set, as far as can be seen.
    fn settle(&mut self, mut read: Read) -> Option<State> {
        let side = &self.sides[read.side as usize];
        if self.divisors.is_empty() {
            (read.last, read.fraction, read.residue) = (ANY, 0, Residue::default());
        }
        read.exponent &= !self.style.exponents.is_empty()
            && (read.top == ANY || read.top <= self.style.whole)
            && (read.last == ANY || read.last >= -self.style.whole);
        if side.is_dead(read.node) {
            return None;
        }
        self.forget(&mut read);
        // Where size and divisors both matter, there are many states, so the digits are counted together.
        let both = read.top != ANY && read.last != ANY;
        if both && read.exponent && read.top.max(1) + read.fraction > self.style.digits {
            read.exponent = false;
            self.forget(&mut read);
        }
        if !self.may_end(&read) {
            return None;
        }
        if read.phase != Phase::Whole && !self.may_have_digits(&read) {
            let wanted = self.exponents(&read);
            let plain = exponents::contains(&wanted, 0);
            let set = match read.exponent {
                true => exponents::intersect(&wanted, &self.style.exponents),
                false => Exponents::new(),
            };
            if set.is_empty() && !plain {
                return None;
            }
            let set = self.set(set);
            return Some(State::Tail { fresh: read.phase == Phase::Point, plain, set });
        }
        Some(State::Read(read))
    }

    fn forget(&self, read: &mut Read) {
        self.forget_zeros(read);
        self.forget_size(read);
        self.forget_divisors(read);
    }

    /// Zeros at the end of an integer literal, past those that matter.
    fn forget_zeros(&self, read: &mut Read) {
        let kept = -self.divisors.zeros_that_matter();
        if read.phase == Phase::Whole && !read.exponent && read.last != ANY && read.last < kept {
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
            (read.top, read.node) = (ANY, DigitTrie::FREE);
        } else if let Some((_, most)) = side.span()
            && !read.exponent
        {
            read.top = read.top.min(most + 1);
        }
    }

    /// Divisors that must not divide, where a number within the bounds has too many digits for it.
    fn forget_divisors(&self, read: &mut Read) {
        if read.last == ANY || self.divisors.lowest_place().is_some() {
            return;
        }
        let most = match (read.exponent, read.phase, read.top) {
            (false, Phase::Whole, _) => return,
            (false, ..) => 0,
            (true, _, ANY) => exponents::MOST,
            (true, _, top) => self.sides[read.side as usize].greatest_top() - top,
        };
        if self.divisors.forbids_nothing_at(most - read.last) {
            (read.last, read.fraction, read.residue) = (ANY, 0, Residue::default());
        } else {
            // One more digit, and the last lines hold.
            read.fraction = read.fraction.min((most - self.divisors.least_place()).max(0));
        }
    }

    /// Whether some exponent or some more digits can lead to a number in the set, as far as places tell.
    fn may_end(&self, read: &Read) -> bool {
        let side = &self.sides[read.side as usize];
        let behind = read.phase != Phase::Whole;
        let (least, most) = match read.top {
            ANY => (i32::MIN / 2, i32::MAX / 2),
            top => (side.least_top() - top, side.greatest_top() - top),
        };
        let lowest = match self.divisors.lowest_place() {
            Some(place) if read.last != ANY => read.last + place,
            _ => i32::MIN / 2,
        };
        let plain = most >= 0 && (!behind || (least <= 0 && lowest <= 0));
        plain || (read.exponent && lowest <= most.min(exponents::MOST))
    }

    /// Whether a digit that is not 0 may still come behind the point.
    fn may_have_digits(&self, read: &Read) -> bool {
        let Some(place) = self.divisors.lowest_place() else { return true };
        let next = read.fraction + 1;
        let most = match read.top {
            ANY => exponents::MOST,
            top => self.sides[read.side as usize].greatest_top() - top,
        };
        let scaled = read.exponent
            && next <= self.style.fraction
            && next + place <= most.min(exponents::MOST);
        scaled || next + place <= 0
    }

    /// The powers of ten that bring the number into the set, those that cannot be written included.
    fn exponents(&self, read: &Read) -> Exponents {
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
