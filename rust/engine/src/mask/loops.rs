//! Which characters lead round a loop: from a position to another, or itself, that all of them lead back to.

use super::memo::Masks;
use crate::automaton::{
    Await, Bounds, ByteSet, Fuel, Lexer, LocalId, LocalLoops, Machine, Position, Reach, Strand,
};
use crate::error::Error;
use crate::vocabulary::trie::{ASCII, Classes, WIDE_RUN, class_of};

/// A loop that a position is on or before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// Where each character of the classes leads, from the position and from here.
    pub(super) to: Position,
    pub(super) classes: Classes,
    /// How far down the stack going round it reads.
    pub(super) reach: Reach,
}

impl Loop {
    const NONE: Self = Self { to: Position::DEAD, classes: 0, reach: Reach(u32::MAX) };
}

impl Masks<'_> {
    /// The widest loop of a position; its classes are empty if there is none, or none that was looked for.
    pub(super) fn loops(&self, position: Position, fuel: &mut Fuel) -> Result<Loop, Error> {
        self.loops_within(position, 2, fuel)
    }

    fn loops_within(&self, position: Position, turns: u32, fuel: &mut Fuel) -> Result<Loop, Error> {
        // If every terminal is in the middle of a match, the position loops where all of them do. Else only where some
        // terminal loops is it worth trying.
        let (mut all, mut asked, mut plain) = (ASCII | WIDE_RUN, 0, true);
        for strand in self.machine.strands(position) {
            let own = of_local(self.machine, strand.local, fuel)?;
            plain &= own.plain.is_some();
            all &= own.plain.unwrap_or(0);
            asked |= own.asked;
        }
        if plain && all != 0 {
            let mut reach = Reach(u32::MAX);
            return Ok(match self.machine.is_live(position, &mut reach, fuel)? {
                true => Loop { to: position, classes: all, reach },
                false => Loop::NONE,
            });
        }
        if asked == 0 || turns == 0 {
            return Ok(Loop::NONE);
        }
        if let Some(known) = self.table.loops.get(position) {
            return Ok(known);
        }
        let found = self.find_loop(position, asked, turns, fuel)?;
        self.table.meter.add(64);
        Ok(self.table.loops.set(position, found))
    }

    /// Classes of which all characters leave the text open to something that was open before: a terminal that loops
    /// on them, whatever else goes on beside it. Tokens made of them can all follow.
    pub(super) fn covered(&self, position: Position, fuel: &mut Fuel) -> Result<Classes, Error> {
        let mut best = 0;
        for Strand { local, stack } in self.machine.strands(position) {
            let LocalLoops { one, alone, .. } = of_local(self.machine, local, fuel)?;
            if one.count_ones() > Classes::count_ones(best)
                && self.machine.is_easily_live(Strand { local: alone, stack }, fuel)?
            {
                best = one;
            }
        }
        Ok(best)
    }

    fn find_loop(
        &self,
        position: Position,
        asked: Classes,
        turns: u32,
        fuel: &mut Fuel,
    ) -> Result<Loop, Error> {
        let mut reach = Reach(u32::MAX);
        let look = |at| self.machine.alphabet(at);
        let mut step = |at, byte| self.machine.step(at, byte, &mut reach, fuel);
        let mut found = find(position, asked, None, Position::DEAD, &mut step, &look)?;
        if found.0 != position && found.1 != 0 {
            let next = self.loops_within(found.0, turns - 1, fuel)?;
            found.1 &= if next.to == found.0 { next.classes } else { 0 };
            reach.0 = reach.0.min(next.reach.0);
        }
        if found.1 == 0 || !self.machine.is_live(found.0, &mut reach, fuel)? {
            return Ok(Loop::NONE);
        }
        Ok(Loop { to: found.0, classes: found.1, reach })
    }
}

fn of_local(machine: Machine<'_>, id: LocalId, fuel: &mut Fuel) -> Result<LocalLoops, Error> {
    let local = machine.tables.locals.get(id);
    if let Some(&known) = local.loops.get() {
        return Ok(known);
    }
    let (mut all, mut plain) = (ASCII | WIDE_RUN, true);
    let mut loops = LocalLoops { plain: None, asked: 0, one: 0, alone: 0 };
    let mut best = None;
    for &item in &local.items {
        let Await::Lexer(state, _) = item.awaits else {
            // What waits for no byte is gone with the next.
            plain = false;
            continue;
        };
        let own = of_lexer(machine, state, fuel)?;
        all &= own;
        loops.asked |= before(machine, state, fuel)?;
        let free = machine.tables.obligations.is_free(item.obligation);
        plain &= free && !machine.tables.lexer.get(state).accepts();
        if free && own.count_ones() > loops.one.count_ones() {
            (loops.one, best) = (own, Some(item));
        }
    }
    if let Some(item) = best {
        loops.alone = if local.items.len() == 1 { id } else { machine.local(&mut vec![item]) };
    }
    // Before a loop no terminal is on it.
    loops.plain = (plain && (all != 0 || loops.asked == 0)).then_some(all);
    Ok(*local.loops.get_or_init(|| loops))
}

/// The classes of characters that lead a terminal back to its state, where no match may end on the way.
fn of_lexer(machine: Machine<'_>, id: u32, fuel: &mut Fuel) -> Result<Classes, Error> {
    let lexer = &machine.tables.lexer;
    if let Some(&known) = lexer.get(id).loops.get() {
        return Ok(known);
    }
    let run = machine.run();
    let mut step = |at, byte| {
        let next = lexer.step(run, at, byte, fuel)?;
        Ok(if next != id && lexer.get(next).accepts() { Lexer::DEAD } else { next })
    };
    let look = |at| {
        let state = lexer.get(at);
        (state.bounds, state.live)
    };
    let found = find(id, ASCII | WIDE_RUN, Some(id), Lexer::DEAD, &mut step, &look)?;
    Ok(*lexer.get(id).loops.get_or_init(|| found.1))
}

/// The classes of characters that lead a terminal to a loop on them.
fn before(machine: Machine<'_>, id: u32, fuel: &mut Fuel) -> Result<Classes, Error> {
    let lexer = &machine.tables.lexer;
    let state = lexer.get(id);
    if let Some(&known) = state.before_loops.get() {
        return Ok(known);
    }
    let mut found = of_lexer(machine, id, fuel)?;
    let wide = lexer.step(machine.run(), id, 0xc3, fuel)?;
    let wide = lexer.step(machine.run(), wide, 0xa9, fuel)?;
    if of_lexer(machine, wide, fuel)? & WIDE_RUN == WIDE_RUN {
        found |= WIDE_RUN;
    }
    for byte in state.bounds.firsts().take_while(|b| *b < 0x80) {
        let next = lexer.step(machine.run(), id, byte, fuel)?;
        if next != id && next != Lexer::DEAD {
            let classes = classes_of(byte, state.bounds.last_of_class(byte));
            found |= of_lexer(machine, next, fuel)? & classes;
        }
    }
    Ok(*state.before_loops.get_or_init(|| found))
}

fn classes_of(first: u8, last: u8) -> Classes {
    (first..=last.min(0x7f)).fold(0, |classes, byte| classes | 1 << class_of(byte))
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

/// Where most of the `asked` classes lead from `from`, or those that lead to `only`. A class counts if all its
/// characters lead there. `step` gives the state after a byte; `look` the bytes at which that may change, and those that
/// may lead on.
fn find<S: Copy + PartialEq>(
    from: S,
    asked: Classes,
    only: Option<S>,
    dead: S,
    step: &mut impl FnMut(S, u8) -> Result<S, Error>,
    look: &impl Fn(S) -> (Bounds, ByteSet),
) -> Result<(S, Classes), Error> {
    let (bounds, live) = look(from);
    // Classes by where they lead, and those that lead to several places.
    let mut targets: Vec<(S, Classes)> = Vec::new();
    for byte in bounds.firsts().take_while(|b| *b < 0x80) {
        let classes = classes_of(byte, bounds.last_of_class(byte));
        if asked & classes == 0 {
            continue;
        }
        let to = if live.has(byte) { step(from, byte)? } else { dead };
        match targets.iter_mut().find(|t| t.0 == to) {
            Some(target) => target.1 |= classes,
            None => targets.push((to, classes)),
        }
    }
    let apart = |(to, classes): (S, Classes)| {
        let others = targets.iter().filter(|t| t.0 != to).fold(0, |all, t| all | t.1);
        (to, classes & asked & !others)
    };
    let found = targets.iter().copied().filter(|t| t.0 != dead && only.is_none_or(|o| o == t.0));
    let found = found.map(apart).max_by_key(|t| t.1.count_ones());
    let mut found = found.unwrap_or((only.unwrap_or(dead), 0));
    if asked & WIDE_RUN == WIDE_RUN {
        let only = if found.1 == 0 { only } else { Some(found.0) };
        if let Some(to) = wide(from, only, dead, step, look)? {
            found = (to, found.1 | WIDE_RUN);
        }
    }
    Ok(found)
}

/// Where all characters beyond ASCII lead, if that is one place, and `only` if that is given.
fn wide<S: Copy + PartialEq>(
    from: S,
    only: Option<S>,
    dead: S,
    step: &mut impl FnMut(S, u8) -> Result<S, Error>,
    look: &impl Fn(S) -> (Bounds, ByteSet),
) -> Result<Option<S>, Error> {
    let (bounds, live) = look(from);
    let mut target = only;
    // Ranges within a character that were seen to lead to the target as a whole.
    let mut whole: Vec<(S, u8, u8, u8)> = Vec::new();
    for (first, last, lo, hi, more) in LEADS {
        let mut lead = first;
        loop {
            if !live.has(lead) {
                return Ok(None);
            }
            let mut at = step(from, lead)?;
            let (mut lo, mut hi) = (lo, hi);
            for left in (0..=more).rev() {
                if whole.contains(&(at, lo, hi, left)) {
                    break;
                }
                let bounds = look(at).0;
                let next = step(at, lo)?;
                let mut byte = bounds.last_of_class(lo);
                while byte < hi {
                    byte += 1;
                    if step(at, byte)? != next {
                        return Ok(None);
                    }
                    byte = bounds.last_of_class(byte);
                }
                if next == dead || left == 0 && *target.get_or_insert(next) != next {
                    return Ok(None);
                }
                whole.push((at, lo, hi, left));
                at = next;
                (lo, hi) = (0x80, 0xbf);
            }
            lead = bounds.last_of_class(lead);
            if lead >= last {
                break;
            }
            lead += 1;
        }
    }
    Ok(target)
}
