//! States as words, and the machine as a rule for a lazy automaton.

use super::digits::Node;
use super::divisors::Residue;
use super::exponents::{Exponents, Rest};
use super::machine::Machine;
use super::state::{Phase, Read, State};
use crate::error::Error;
use crate::pattern::{Edge, Stepper, Words};

const START: u32 = 0;
const MINUS: u32 = 1;
const ZERO: u32 = 2;
const READ: u32 = 3;
const TAIL: u32 = 4;
const MARK: u32 = 5;
const SIGNED: u32 = 6;
const EXPONENT: u32 = 7;

fn phase(word: u32) -> Phase {
    match word & 3 {
        0 => Phase::Whole,
        1 => Phase::Point,
        _ => Phase::Fraction,
    }
}

fn signed(word: u32) -> i32 {
    word as i32
}

fn with_set(kind: u32, flags: u32, set: &[(i16, i16)]) -> Words {
    let pair = |&(low, high): &(i16, i16)| u32::from(low as u16) << 16 | u32::from(high as u16);
    [kind, flags].into_iter().chain(set.iter().map(pair)).collect()
}

fn set_of(words: &[u32]) -> Exponents {
    words.iter().map(|&pair| ((pair >> 16) as u16 as i16, pair as u16 as i16)).collect()
}

/// The first word says of what kind a state is; [`state`] is the inverse.
pub(super) fn words(state: &State) -> Words {
    match state {
        State::Start => [START].into(),
        State::Minus => [MINUS].into(),
        &State::Zero { negative, phase, zeros } => {
            [ZERO, phase as u32 | u32::from(negative) << 2, zeros as u32].into()
        }
        State::Read(read) => {
            let flags = read.phase as u32
                | u32::from(read.exponent) << 2
                | u32::from(read.side) << 3
                | u32::from(read.residue.twos) << 8
                | u32::from(read.residue.fives) << 16;
            let (value, node) = (read.residue.value, read.node);
            let places = [read.top as u32, read.fraction as u32, read.last as u32];
            let [top, fraction, last] = places;
            let (low, high) = (value as u32, (value >> 32) as u32);
            [READ, flags, top, node.from, node.to, node.depth, fraction, last, low, high].into()
        }
        State::Tail { fresh, plain, set } => {
            with_set(TAIL, u32::from(*fresh) | u32::from(*plain) << 1, set)
        }
        State::Mark { set } => with_set(MARK, 0, set),
        State::Signed { set, negative } => with_set(SIGNED, u32::from(*negative), set),
        State::Exponent(rest) => {
            let part = |at: u32| (rest.two >> (32 * at)) as u32;
            let flags = u32::from(rest.ends) | u32::from(rest.one) << 1;
            [EXPONENT, flags, part(0), part(1), part(2), part(3)].into()
        }
    }
}

pub(super) fn state(words: &[u32]) -> State {
    match *words {
        [MINUS] => State::Minus,
        [ZERO, flags, zeros] => {
            State::Zero { negative: flags & 4 != 0, phase: phase(flags), zeros: signed(zeros) }
        }
        [READ, flags, top, from, to, depth, fraction, last, low, high] => State::Read(Read {
            side: (flags >> 3 & 1) as u8,
            phase: phase(flags),
            exponent: flags & 4 != 0,
            top: signed(top),
            node: Node { from, to, depth },
            fraction: signed(fraction),
            last: signed(last),
            residue: Residue {
                value: u64::from(high) << 32 | u64::from(low),
                twos: (flags >> 8) as u8,
                fives: (flags >> 16) as u8,
            },
        }),
        [TAIL, flags, ref set @ ..] => {
            State::Tail { fresh: flags & 1 != 0, plain: flags & 2 != 0, set: set_of(set) }
        }
        [MARK, _, ref set @ ..] => State::Mark { set: set_of(set) },
        [SIGNED, flags, ref set @ ..] => {
            State::Signed { set: set_of(set), negative: flags & 1 != 0 }
        }
        [EXPONENT, flags, a, b, c, d] => State::Exponent(Rest {
            ends: flags & 1 != 0,
            one: (flags >> 1) as u16,
            two: [d, c, b, a].iter().fold(0, |two, &part| two << 32 | u128::from(part)),
        }),
        _ => State::Start,
    }
}

impl Stepper for Machine {
    fn start(&self) -> Words {
        words(&State::Start)
    }

    fn accepts(&self, at: &[u32]) -> bool {
        Self::accepts(self, &state(at))
    }

    fn rest(&self, at: &[u32]) -> u32 {
        self.least_rest(&state(at))
    }

    fn edges(&self, at: &[u32]) -> Result<Vec<Edge>, Error> {
        let from = state(at);
        let mut edges: Vec<Edge> = Vec::new();
        for byte in *b"+-.0123456789Ee" {
            let Some(to) = self.step(&from, byte) else { continue };
            let to = words(&to);
            match edges.last_mut() {
                Some(last) if last.1 + 1 == byte && last.2 == to => last.1 = byte,
                _ => edges.push((byte, byte, to)),
            }
        }
        Ok(edges)
    }

    fn bytes(&self) -> &[(u8, u8)] {
        if self.style.literal {
            return if self.sides[self.side(true)].is_wanted() {
                &[(b'-', b'-'), (b'0', b'9')]
            } else {
                &[(b'0', b'9')]
            };
        }
        &[(b'+', b'+'), (b'-', b'.'), (b'0', b'9'), (b'E', b'E'), (b'e', b'e')]
    }
}
