//! Walks the token trie in step with the automata and sets one bit for each token that can follow.
//!
//! A refused byte skips its whole subtree. A subtree whose characters all lead back to the state at its root is taken
//! whole. If the state at the start has many such characters, the tokens made of them alone come ready from the trie,
//! and the walk only visits the others.

use super::memo::Masks;
use crate::automaton::{Await, Fuel, LocalId, Machine, Position, Reach};
use crate::error::Error;
use crate::vocabulary::trie::{Classes, WIDE, WIDE_RUN, WITHIN, class_of};

/// Subtrees of fewer tokens are not worth asking whether they can be taken whole.
const WHOLE: u32 = 12;

/// Characters that a state must lead back to itself on for the ready bitmaps to be worth their unions.
const MANY: u32 = 20;

impl Masks<'_> {
    /// Sets the bits of the tokens that can follow at `position`; `words` comes in cleared. Returns how far down the
    /// stack was read, `Reach(0)` if all of it.
    pub(super) fn walk(
        &self,
        position: Position,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<Reach, Error> {
        let Self { machine, trie, .. } = *self;
        let mut reach = Reach(u32::MAX);
        let ready = self.loops(position, fuel)?;
        let ready = if ready.count_ones() >= MANY { ready } else { 0 };
        if ready != 0 {
            trie.made_of(ready, words);
        }
        let mut path = vec![position];
        let mut visited = 0;
        let mut node = 1;
        while node < trie.byte.len() {
            if (trie.above[node] | trie.below[node]) & !WITHIN & !ready == 0 {
                // Every token here is in the ready bitmap.
                node = trie.skip[node] as usize;
                continue;
            }
            visited += 1;
            let depth = trie.depth[node] as usize;
            let next = machine.step(path[depth - 1], trie.byte[node], &mut reach, fuel)?;
            if next == Position::DEAD {
                node = trie.skip[node] as usize;
                continue;
            }
            path.truncate(depth);
            path.push(next);
            let (from, own) = (trie.first[node], trie.first[node + 1]);
            if from != own && machine.is_live(next, &mut reach, fuel)? {
                set(words, &trie.order[from as usize..own as usize]);
            }
            let end = trie.first[trie.skip[node] as usize];
            if end - own >= WHOLE && trie.below[node] & !self.loops(next, fuel)? == 0 {
                set(words, &trie.order[own as usize..end as usize]);
                node = trie.skip[node] as usize;
                continue;
            }
            node += 1;
        }
        fuel.spend(visited)?;
        self.count(visited);
        for strand in machine.strands(position) {
            let local = machine.tables.locals.get(strand.local);
            if local.tokens {
                for item in &local.items {
                    if let Await::Token(token) = item.awaits
                        && (token as usize) < words.len() * 32
                    {
                        words[token as usize / 32] |= 1 << (token % 32);
                    }
                }
            }
        }
        Ok(reach)
    }

    /// The classes of characters that lead back to a position of one strand, whatever lies below its frame.
    fn loops(&self, position: Position, fuel: &mut Fuel) -> Result<Classes, Error> {
        let Some(strand) = position.strand() else { return Ok(0) };
        let local = self.machine.tables.locals.get(strand.local);
        if let Some(&known) = local.loops.get() {
            return Ok(known);
        }
        let found = find_loops(self.machine, strand.local, fuel)?;
        Ok(*local.loops.get_or_init(|| found))
    }
}

fn set(words: &mut [u32], tokens: &[u32]) {
    for &token in tokens {
        words[token as usize / 32] |= 1 << (token % 32);
    }
}

/// Where a byte leads if it stays in the frame, else 0.
fn stay(machine: Machine<'_>, local: LocalId, byte: u8, fuel: &mut Fuel) -> Result<LocalId, Error> {
    let made = &machine.tables.moves.get(machine.step_local(local, byte, fuel)?).0;
    Ok(if made.stays() { made.stay } else { 0 })
}

fn find_loops(machine: Machine<'_>, local: LocalId, fuel: &mut Fuel) -> Result<Classes, Error> {
    let mut other = 0;
    for byte in 0..0x80 {
        if stay(machine, local, byte, fuel)? != local {
            other |= 1 << class_of(byte);
        }
    }
    let ascii = (1 << WIDE) - 1;
    let mut loops = ascii & !other;
    // The first bytes of characters, with the range of the second; further bytes are all 80 to BF.
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
    let mut whole = Vec::new();
    for (first, last, lo, hi, more) in LEADS {
        for lead in first..=last {
            let mut at = stay(machine, local, lead, fuel)?;
            let (mut lo, mut hi) = (lo, hi);
            for left in (0..=more).rev() {
                if at == 0 {
                    return Ok(loops);
                }
                if whole.contains(&(at, lo, hi, left)) {
                    at = local;
                    break;
                }
                let next = stay(machine, at, lo, fuel)?;
                for byte in lo..=hi {
                    if stay(machine, at, byte, fuel)? != next {
                        return Ok(loops);
                    }
                }
                whole.push((at, lo, hi, left));
                at = next;
                (lo, hi) = (0x80, 0xbf);
            }
            if at != local {
                return Ok(loops);
            }
        }
    }
    loops |= WIDE_RUN;
    Ok(loops)
}
