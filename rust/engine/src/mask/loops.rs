//! Which characters lead round a loop: from a position to another, or itself, that all of them lead back to.
//!
//! From the position before a loop a few characters may lead elsewhere: those that a key's name begins with lead to a
//! position of their own, all others to where any key goes on. They are the exceptions.

use super::memo::Masks;
use crate::automaton::{
    Await, Bounds, ByteSet, Fuel, Item, Lexer, LocalId, LocalLoops, Machine, Position, Reach,
    Strand,
};
use crate::error::Error;
use crate::vocabulary::trie::{ASCII, Classes, SEPARATORS, WHOLE, WIDE, WIDE_RUN, class_of};

/// A loop that a position is on or before, or a row of positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// Where each character of the classes leads, from the position and from here.
    pub(super) to: Position,
    pub(super) classes: Classes,
    /// First bytes of characters of the classes that lead elsewhere from the position; from `to` none does.
    pub(super) except: ByteSet,
    /// How far down the stack going round it reads.
    pub(super) reach: Reach,
    /// If it is a row, how many characters of the classes can be read in it, `u32::MAX` if any number; 0 for a loop.
    pub(super) row: u32,
}

impl Loop {
    pub(super) const NONE: Self = Self {
        to: Position::DEAD,
        classes: 0,
        except: ByteSet::NONE,
        reach: Reach(u32::MAX),
        row: 0,
    };

    /// Whether it is worth to take tokens of these classes, and to look at those that begin with exceptions again.
    pub(super) fn are_few(except: &ByteSet, classes: Classes) -> bool {
        2 * except.and(&ByteSet::of(0..=0x7f)).len() < ascii_of(classes).len()
    }
}

/// Bytes after which a state is most often on a loop, if one is near. More than one, as each may be an exception.
const SAMPLES: [u8; 3] = *b"Q0~";

impl Masks<'_> {
    /// The widest loop of a position; its classes are empty if there is none, or none that was looked for.
    pub(super) fn loops(&self, position: Position, fuel: &mut Fuel) -> Result<Loop, Error> {
        self.loops_within(position, 2, fuel)
    }

    fn loops_within(&self, position: Position, turns: u32, fuel: &mut Fuel) -> Result<Loop, Error> {
        // If every terminal is in the middle of a match, the position loops where all of them do. Else only where some
        // terminal loops is it worth trying.
        let mut all = WHOLE;
        for strand in self.machine.strands(position) {
            all &= of_local(self.machine, strand.local, fuel)?.plain;
        }
        if all != 0 {
            let mut reach = Reach(u32::MAX);
            return Ok(match self.machine.is_live(position, &mut reach, fuel)? {
                true => Loop { to: position, classes: all, reach, ..Loop::NONE },
                false => Loop::NONE,
            });
        }
        if turns == 0 {
            return Ok(Loop::NONE);
        }
        if let Some(known) = self.table.loops.get(position) {
            return Ok(known);
        }
        if let Some(found) = self.lazy_loop(position, fuel)? {
            self.table.meter.add(64);
            return Ok(self.table.loops.set(position, found));
        }
        let mut asked = 0;
        for strand in self.machine.strands(position) {
            asked |= before_local(self.machine, strand.local, fuel)?;
        }
        let mut found = match asked {
            0 => Loop::NONE,
            _ => self.find_loop(position, asked, turns, fuel)?,
        };
        if found.classes == 0 {
            found = self.find_row(position, fuel)?;
        }
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

    /// The loop before which a position is that is in one state of an automaton by a rule of its own: it is enough to
    /// hold its transitions against those of the loop.
    fn lazy_loop(&self, position: Position, fuel: &mut Fuel) -> Result<Option<Loop>, Error> {
        let Some(strand) = position.strand() else { return Ok(None) };
        let machine = self.machine;
        let items = &machine.tables.locals.get(strand.local).items;
        let Some(&Item { awaits: Await::Lexer(state, _), .. }) = items.first() else {
            return Ok(None);
        };
        let alike = |item: &Item| item.awaits == items[0].awaits && item.obligation == 0;
        let (lexer, run) = (&machine.tables.lexer, machine.run());
        if !lexer.is_lazy(run, state) || !items.iter().all(alike) {
            return Ok(None);
        }
        for sample in SAMPLES {
            let on = lexer.step(run, state, sample, fuel)?;
            let classes = of_lexer(machine, on, fuel)?;
            let Some(agreed) = lexer.agreed(run, state, on).filter(|_| classes != 0) else {
                continue;
            };
            let except = firsts_of(classes).without(&agreed);
            if except.has(sample) || !Loop::are_few(&except, classes) {
                continue;
            }
            let mut reach = Reach(u32::MAX);
            let to = machine.step(position, sample, &mut reach, fuel)?;
            return Ok(Some(Loop { to, classes, except, reach, row: 0 }));
        }
        Ok(None)
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
        let (to, classes) = find(position, asked, None, Position::DEAD, &mut step, &look)?;
        let mut found = Loop { to, classes, ..Loop::NONE };
        if to != position && classes != 0 {
            // With exceptions it is one loop for all that lead to it, and its tokens are made ready once.
            let around = self.loops_within(to, turns - 1, fuel)?;
            if around.to == to && around.except.is_empty() && around.row == 0 {
                let mut step = |at, byte| self.machine.step(at, byte, &mut reach, fuel);
                found.except =
                    exceptions(position, to, Position::DEAD, around.classes, &mut step, &look)?;
                if Loop::are_few(&found.except, around.classes) {
                    found.classes = around.classes;
                } else {
                    found.except = ByteSet::NONE;
                    found.classes &= around.classes;
                }
            } else {
                found.classes = 0;
            }
            reach.0 = reach.0.min(around.reach.0);
        }
        if found.classes == 0 || !self.machine.is_live(to, &mut reach, fuel)? {
            return Ok(Loop::NONE);
        }
        Ok(Loop { reach, ..found })
    }
}

fn of_local(machine: Machine<'_>, id: LocalId, fuel: &mut Fuel) -> Result<LocalLoops, Error> {
    let local = machine.tables.locals.get(id);
    if let Some(&known) = local.loops.get() {
        return Ok(known);
    }
    let mut all = WHOLE;
    let mut loops = LocalLoops { plain: 0, one: 0, alone: 0 };
    let mut best = None;
    for &item in &local.items {
        let Await::Lexer(state, _) = item.awaits else {
            // What waits for no byte is gone with the next.
            all = 0;
            continue;
        };
        let own = of_lexer(machine, state, fuel)?;
        let free = machine.tables.obligations.is_free(item.obligation);
        let within = free && !machine.tables.lexer.get(state).ends_here();
        all &= if within { own } else { 0 };
        if free && own.count_ones() > loops.one.count_ones() {
            (loops.one, best) = (own, Some(item));
        }
    }
    if let Some(item) = best {
        loops.alone = if local.items.len() == 1 { id } else { machine.local(&mut vec![item]) };
    }
    loops.plain = all;
    Ok(*local.loops.get_or_init(|| loops))
}

/// The classes of characters on which it is worth looking for a loop.
fn before_local(machine: Machine<'_>, id: LocalId, fuel: &mut Fuel) -> Result<Classes, Error> {
    let mut asked = 0;
    for item in &machine.tables.locals.get(id).items {
        if let Await::Lexer(state, _) = item.awaits {
            asked |= before(machine, state, fuel)?;
        }
    }
    Ok(asked)
}

/// The classes of characters that lead a terminal back to its state, where no match may end on the way.
pub(super) fn of_lexer(machine: Machine<'_>, id: u32, fuel: &mut Fuel) -> Result<Classes, Error> {
    let lexer = &machine.tables.lexer;
    if let Some(&known) = lexer.get(id).loops.get() {
        return Ok(known);
    }
    let run = machine.run();
    if !lexer.may_loop(run, id) {
        return Ok(*lexer.get(id).loops.get_or_init(|| 0));
    }
    let mut step = |at, byte| {
        let next = lexer.step(run, at, byte, fuel)?;
        Ok(if next != id && lexer.get(next).ends_here() { Lexer::DEAD } else { next })
    };
    let look = |at| {
        let state = lexer.get(at);
        (state.bounds, state.live)
    };
    let found = find(id, WHOLE, Some(id), Lexer::DEAD, &mut step, &look)?;
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
        found |= WIDE_RUN | SEPARATORS;
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

/// The ASCII characters of these classes.
pub(super) fn ascii_of(classes: Classes) -> ByteSet {
    let mut bytes = ByteSet::of_ascii(classes & ASCII);
    if classes >> class_of(0) & 1 == 1 {
        bytes = bytes.or(&CONTROLS);
    }
    bytes
}

/// The control characters that have no classes of their own.
const CONTROLS: ByteSet = {
    let (mut bytes, mut byte) = (0, 0);
    while byte < 0x20 {
        if class_of(byte) == class_of(0) {
            bytes |= 1 << byte;
        }
        byte += 1;
    }
    ByteSet::of_ascii(bytes)
};

/// The first bytes of characters of these classes.
pub(super) fn firsts_of(classes: Classes) -> ByteSet {
    let bytes = ascii_of(classes);
    if classes >> WIDE & 1 == 0 {
        return bytes;
    }
    bytes.or(&ByteSet::of(0xc2..=0xf4))
}

/// The first bytes of characters of these classes that do not lead from `from` to `to`.
pub(super) fn exceptions<S: Copy + PartialEq>(
    from: S,
    to: S,
    dead: S,
    classes: Classes,
    step: &mut impl FnMut(S, u8) -> Result<S, Error>,
    look: &impl Fn(S) -> (Bounds, ByteSet),
) -> Result<ByteSet, Error> {
    let (bounds, live) = look(from);
    let all = ascii_of(classes);
    let mut except = ByteSet::NONE;
    for first in bounds.firsts().take_while(|b| *b < 0x80) {
        let last = bounds.last_of_class(first).min(0x7f);
        let own = all.and(&ByteSet::of(first..=last));
        if !own.is_empty() && (!live.has(first) || step(from, first)? != to) {
            except.merge(&own);
        }
    }
    if classes & WIDE_RUN == WIDE_RUN {
        let mut characters = Characters { target: Some(to), dead, whole: Vec::new() };
        for leads in LEADS {
            let mut lead = leads.first;
            while lead <= leads.last {
                let last = bounds.last_of_class(lead).min(leads.last);
                if !characters.lead_to_it(from, lead, leads, step, look)? {
                    except.add_range(lead, last);
                }
                lead = last + 1;
            }
        }
        if classes & SEPARATORS != 0 && !separators_lead(from, to, step)? {
            except.add_range(0xe2, 0xe2);
        }
    }
    Ok(except)
}

/// Whether U+2028 and U+2029 lead from one state to the other.
fn separators_lead<S: Copy + PartialEq>(
    from: S,
    to: S,
    step: &mut impl FnMut(S, u8) -> Result<S, Error>,
) -> Result<bool, Error> {
    let within = step(from, 0xe2)?;
    let within = step(within, 0x80)?;
    Ok(step(within, 0xa8)? == to && step(within, 0xa9)? == to)
}

/// First bytes of characters, the range of the second, and how many follow that, all from 80 to BF.
#[derive(Clone, Copy)]
struct Leads {
    first: u8,
    last: u8,
    lo: u8,
    hi: u8,
    more: u8,
}

const fn leads(first: u8, last: u8, lo: u8, hi: u8, more: u8) -> Leads {
    Leads { first, last, lo, hi, more }
}

const LEADS: [Leads; 8] = [
    leads(0xc2, 0xdf, 0x80, 0xbf, 0),
    leads(0xe0, 0xe0, 0xa0, 0xbf, 1),
    leads(0xe1, 0xec, 0x80, 0xbf, 1),
    leads(0xed, 0xed, 0x80, 0x9f, 1),
    leads(0xee, 0xef, 0x80, 0xbf, 1),
    leads(0xf0, 0xf0, 0x90, 0xbf, 2),
    leads(0xf1, 0xf3, 0x80, 0xbf, 2),
    leads(0xf4, 0xf4, 0x80, 0x8f, 2),
];

/// Where most of the `asked` classes lead from `from`, or those that lead to `only`. A class counts if all its
/// characters lead there. `step` gives the state after a byte; `look` the bytes at which that may change, and those that
/// may lead on.
pub(super) fn find<S: Copy + PartialEq>(
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
    // A state that is on no loop by ASCII is taken to be on none, as most are not.
    let worth = only.is_none() || found.1 != 0;
    if asked & WIDE_RUN == WIDE_RUN && worth {
        let only = if found.1 == 0 { only } else { Some(found.0) };
        if let Some(to) = wide(from, only, dead, step, look)? {
            found = (to, found.1 | WIDE_RUN);
            if asked & SEPARATORS != 0 && separators_lead(from, to, step)? {
                found.1 |= SEPARATORS;
            }
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
    let bounds = look(from).0;
    let mut characters = Characters { target: only, dead, whole: Vec::new() };
    for leads in LEADS {
        let mut lead = leads.first;
        while lead <= leads.last {
            if !characters.lead_to_it(from, lead, leads, step, look)? {
                return Ok(None);
            }
            lead = bounds.last_of_class(lead).saturating_add(1);
        }
    }
    Ok(characters.target)
}

/// Looks whether characters beyond ASCII lead to one place.
struct Characters<S> {
    /// The place, once there is one.
    target: Option<S>,
    dead: S,
    /// Ranges within a character that were seen to lead to the target as a whole.
    whole: Vec<(S, u8, u8, u8)>,
}

impl<S: Copy + PartialEq> Characters<S> {
    /// Whether all characters that begin with `lead` lead there, but for U+2028 and U+2029 where they are apart.
    fn lead_to_it(
        &mut self,
        from: S,
        lead: u8,
        leads: Leads,
        step: &mut impl FnMut(S, u8) -> Result<S, Error>,
        look: &impl Fn(S) -> (Bounds, ByteSet),
    ) -> Result<bool, Error> {
        let (bounds, live) = look(from);
        if !live.has(lead) {
            return Ok(false);
        }
        let at = step(from, lead)?;
        let Leads { lo, hi, more, .. } = leads;
        if lead == 0xe2 && bounds.last_of_class(lead) == lead {
            let within = step(at, 0x80)?;
            return Ok(self.rest_leads_to_it(at, (0x81, 0xbf), 1, step, look)?
                && self.rest_leads_to_it(within, (0x80, 0xa7), 0, step, look)?
                && self.rest_leads_to_it(within, (0xaa, 0xbf), 0, step, look)?);
        }
        self.rest_leads_to_it(at, (lo, hi), more, step, look)
    }

    /// Whether all rests of characters do that begin in this range and have so many bytes more.
    fn rest_leads_to_it(
        &mut self,
        from: S,
        (mut lo, mut hi): (u8, u8),
        more: u8,
        step: &mut impl FnMut(S, u8) -> Result<S, Error>,
        look: &impl Fn(S) -> (Bounds, ByteSet),
    ) -> Result<bool, Error> {
        let known = self.whole.len();
        let mut at = from;
        for left in (0..=more).rev() {
            if self.whole.contains(&(at, lo, hi, left)) {
                return Ok(true);
            }
            let bounds = look(at).0;
            let next = step(at, lo)?;
            let mut one = next != self.dead;
            let mut byte = bounds.last_of_class(lo);
            while one && byte < hi {
                byte += 1;
                one = step(at, byte)? == next;
                byte = bounds.last_of_class(byte);
            }
            if !one || left == 0 && *self.target.get_or_insert(next) != next {
                self.whole.truncate(known);
                return Ok(false);
            }
            self.whole.push((at, lo, hi, left));
            at = next;
            (lo, hi) = (0x80, 0xbf);
        }
        Ok(true)
    }
}
