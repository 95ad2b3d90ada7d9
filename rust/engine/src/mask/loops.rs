//! Which characters lead a state back to itself, whatever lies below its frame.

use super::memo::Masks;
use crate::automaton::{Await, Bounds, ByteSet, Fuel, Lexer, LocalId, Machine, Position};
use crate::error::Error;
use crate::vocabulary::trie::{ASCII, Classes, WIDE_RUN, class_of};

impl Masks<'_> {
    /// The classes of characters that lead back to a position.
    pub(super) fn loops(&self, position: Position, fuel: &mut Fuel) -> Result<Classes, Error> {
        let mut loops = ASCII | WIDE_RUN;
        for strand in self.machine.strands(position) {
            loops &= of_local(self.machine, strand.local, fuel)?;
            if loops == 0 {
                break;
            }
        }
        Ok(loops)
    }
}

fn of_local(machine: Machine<'_>, id: LocalId, fuel: &mut Fuel) -> Result<Classes, Error> {
    let local = machine.tables.locals.get(id);
    if let Some(&known) = local.loops.get() {
        return Ok(known);
    }
    // If every item is in the middle of a terminal, the state loops where all of them do. Else at most where one does.
    let (mut some, mut all, mut plain) = (0, ASCII | WIDE_RUN, true);
    for item in &local.items {
        // What waits for no byte is gone with the next.
        let Await::Lexer(state, _) = item.awaits else { return Ok(*local.loops.get_or_init(|| 0)) };
        let loops = of_lexer(machine, state, fuel)?;
        some |= loops;
        all &= loops;
        plain &= item.obligation == 0 && !machine.tables.lexer.get(state).accepts();
    }
    let found = if plain || some == 0 {
        all
    } else {
        let stay = |at, byte, fuel: &mut Fuel| {
            Ok(machine.stays(machine.step_local(at, byte, fuel)?).unwrap_or(0))
        };
        let look = |at| {
            let local = machine.tables.locals.get(at);
            (local.bounds, local.live)
        };
        find(id, some, stay, look, fuel)?
    };
    Ok(*local.loops.get_or_init(|| found))
}

/// The same for a terminal alone, where no match may end on the way.
fn of_lexer(machine: Machine<'_>, id: u32, fuel: &mut Fuel) -> Result<Classes, Error> {
    let lexer = &machine.tables.lexer;
    if let Some(&known) = lexer.get(id).loops.get() {
        return Ok(known);
    }
    let run = machine.run();
    let stay = |at, byte, fuel: &mut Fuel| {
        let next = lexer.step(run, at, byte, fuel)?;
        Ok(if next != id && lexer.get(next).accepts() { Lexer::DEAD } else { next })
    };
    let look = |at| {
        let state = lexer.get(at);
        (state.bounds, state.live)
    };
    let found = find(id, ASCII | WIDE_RUN, stay, look, fuel)?;
    Ok(*lexer.get(id).loops.get_or_init(|| found))
}

/// First bytes of characters, the range of the second, and how many follow that, all from 80 to BF.
const LEADS: [(u8, u8, u8, u8, u8); 8] = [
    (0xc2, 0xdf, 0x80, 0xbf, 0),
    (0xe0, 0xe0, 0xa0, 0xbf, 1),
    (0xe1, 0xec, 0x80, 0xbf, 1),
    (0xed, 0xed, 0x80, 0x9f, 1),
    (0xee, 0xef, 0x80, 0xbf, 1),
    (0xf0, 0xf0, 0x90, 0xbf, 2),
    (0xf1, 0xf3, 0x80, 0xbf, 2),
    (0xf4, 0xf4, 0x80, 0x8f, 2),
];

/// Which of the `asked` classes lead from `id` back to it. `stay` is the state after a byte, 0 if there is none that
/// counts; `look` gives the bytes at which that may change, and those that may lead on.
fn find(
    id: u32,
    asked: Classes,
    stay: impl Fn(u32, u8, &mut Fuel) -> Result<u32, Error>,
    look: impl Fn(u32) -> (Bounds, ByteSet),
    fuel: &mut Fuel,
) -> Result<Classes, Error> {
    let (bounds, live) = look(id);
    let mut found = asked & ASCII;
    for byte in bounds.firsts().take_while(|b| *b < 0x80) {
        let classes =
            (byte..=bounds.last_of_class(byte).min(0x7f)).fold(0, |c, b| c | 1 << class_of(b));
        if found & classes != 0 && !(live.has(byte) && stay(id, byte, fuel)? == id) {
            found &= !classes;
        }
    }
    if asked & WIDE_RUN != WIDE_RUN {
        return Ok(found);
    }
    // Ranges within a character that were seen to lead back as a whole.
    let mut whole: Vec<(u32, u8, u8, u8)> = Vec::new();
    for (first, last, lo, hi, more) in LEADS {
        let mut lead = first;
        loop {
            if !live.has(lead) {
                return Ok(found);
            }
            let mut at = stay(id, lead, fuel)?;
            let (mut lo, mut hi) = (lo, hi);
            for left in (0..=more).rev() {
                if whole.contains(&(at, lo, hi, left)) {
                    at = id;
                    break;
                }
                let bounds = look(at).0;
                let next = stay(at, lo, fuel)?;
                let mut byte = bounds.last_of_class(lo);
                while byte < hi {
                    byte += 1;
                    if stay(at, byte, fuel)? != next {
                        return Ok(found);
                    }
                    byte = bounds.last_of_class(byte);
                }
                if next == 0 {
                    return Ok(found);
                }
                whole.push((at, lo, hi, left));
                at = next;
                (lo, hi) = (0x80, 0xbf);
            }
            if at != id {
                return Ok(found);
            }
            lead = bounds.last_of_class(lead).max(lead);
            if lead >= last {
                break;
            }
            lead += 1;
        }
    }
    Ok(found | WIDE_RUN)
}
