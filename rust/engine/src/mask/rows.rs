//! Rows: characters that lead from position to position, all of some classes the same way, as where they are counted.
//!
//! Most positions of a row differ in nothing but the round of a counted loop. What is found out at one of them is then
//! known of the others.

use super::loops::{Loop, ascii_of, exceptions, find, firsts_of};
use super::memo::Masks;
use crate::automaton::{ByteSet, Fuel, Position, Reach};
use crate::error::Error;
use crate::vocabulary::trie::{Classes, WHOLE};

/// Fewer characters than these are not worth looking where they lead.
const WORTH: u32 = 8;

/// Where characters of some classes lead from a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// Where most of the classes lead; [`Position::DEAD`] if none can follow.
    to: Position,
    /// Those of the classes of which all characters lead there.
    classes: Classes,
    reach: Reach,
}

impl Masks<'_> {
    /// The row that begins at a position which is on no loop. Where terminals leave obligations, none is looked for, nor
    /// in automata by rules of their own.
    pub(super) fn find_row(&self, position: Position, fuel: &mut Fuel) -> Result<Loop, Error> {
        if self.machine.core.has_obligations() || self.machine.is_lazy(position) {
            return Ok(Loop::NONE);
        }
        let Link { to, mut classes, mut reach } = self.link(position, WHOLE, fuel)?;
        if to == Position::DEAD || to == position || ascii_of(classes).len() < WORTH {
            return Ok(Loop::NONE);
        }
        let mut except = ByteSet::NONE;
        let around = self.link(to, WHOLE, fuel)?;
        reach.0 = reach.0.min(around.reach.0);
        if around.classes != classes && around.to != Position::DEAD {
            let look = |at| self.machine.alphabet(at);
            let mut step = |at, byte| self.machine.step(at, byte, &mut reach, fuel);
            let dead = Position::DEAD;
            let apart = exceptions(position, to, dead, around.classes, &mut step, &look)?;
            if Loop::are_few(&apart, around.classes) {
                (classes, except) = (around.classes, apart);
            }
        }
        let Some(length) = self.length(to, classes, &mut reach, fuel)? else {
            return Ok(Loop::NONE);
        };
        Ok(Loop { to, classes, except, reach, row: length.saturating_add(1) })
    }

    /// How many characters of the classes lead on in a row, as far as there are tokens of so many; `u32::MAX` if any
    /// number. `None` if they do not all lead the same way.
    fn length(
        &self,
        from: Position,
        classes: Classes,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<Option<u32>, Error> {
        let longest = self.vocabulary.trie().longest;
        let (mut at, mut length) = (from, 0);
        while length < longest {
            let link = self.link(at, classes, fuel)?;
            reach.0 = reach.0.min(link.reach.0);
            if link.classes != classes {
                return Ok(None);
            }
            if link.to == Position::DEAD {
                break;
            }
            if link.to == at {
                return Ok(Some(u32::MAX));
            }
            length += 1;
            let mut next = link.to;
            if let Some(rounds) = self.machine.rounds(at)
                && self.machine.in_round(at, rounds.at + 1)? == next
            {
                // From here on each character only counts, up to the last round.
                let skipped = (rounds.last - rounds.at).min(longest - length);
                next = self.machine.in_round(at, rounds.at + 1 + skipped)?;
                length += skipped;
            }
            at = next;
        }
        Ok(Some(length))
    }

    /// Where the characters of a row lead from a position in it.
    pub(super) fn along(
        &self,
        position: Position,
        classes: Classes,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        Ok(self.link(position, classes, fuel)?.to)
    }

    /// Where most of the `asked` classes lead.
    fn link(&self, from: Position, asked: Classes, fuel: &mut Fuel) -> Result<Link, Error> {
        if let Some(known) = self.table.links.get((from, asked)) {
            return Ok(known);
        }
        let found = self.find_link(from, asked, fuel)?;
        self.table.meter.add(64);
        Ok(self.table.links.set((from, asked), found))
    }

    fn find_link(&self, from: Position, asked: Classes, fuel: &mut Fuel) -> Result<Link, Error> {
        let machine = &self.machine;
        let mut reach = Reach(u32::MAX);
        if let Some(rounds) = machine.rounds(from)
            && rounds.at != rounds.first
        {
            let alike = self.link(machine.in_round(from, rounds.first)?, asked, fuel)?;
            let sample = ascii_of(alike.classes).first();
            if alike.to == Position::DEAD {
                return Ok(alike);
            }
            if let Some(byte) = sample {
                let to = machine.step(from, byte, &mut reach, fuel)?;
                return Ok(Link { to, classes: alike.classes, reach });
            }
        }
        let look = |at| machine.alphabet(at);
        if look(from).1.and(&firsts_of(asked)).is_empty() {
            return Ok(Link { to: Position::DEAD, classes: asked, reach });
        }
        let mut step = |at, byte| machine.step(at, byte, &mut reach, fuel);
        let (to, classes) = find(from, asked, None, Position::DEAD, &mut step, &look)?;
        Ok(Link { to, classes, reach })
    }
}
