//! What terminals that no other grammar has make of tokens, as far as that is little: names that a schema lists, and
//! other literals. Wherever such a terminal stands, it reads the same.

use super::loops::of_lexer;
use super::memo::Masks;
use crate::automaton::{Arena, Fuel, Lexer, Memo};
use crate::error::Error;
use crate::ids::TokenId;
use crate::vocabulary::trie::{Trie, TrieId};

/// Of terminals that read more nodes than this it is not kept.
const MOST: usize = 128;

/// What was found out, by trie, node and lexer state; [`WIDE`] for too much.
pub(super) struct Owns {
    known: Memo<(TrieId, u32, u32), u32>,
    made: Arena<Own>,
}

const WIDE: u32 = u32::MAX;

/// What a terminal reads below a node.
pub(super) struct Own {
    /// The tokens that are part of a match, up to its end at most.
    pub(super) inside: Box<[TokenId]>,
    /// The nodes at which a match ends, and tokens go on.
    pub(super) exits: Box<[u32]>,
}

impl Owns {
    pub(super) fn new() -> Self {
        Self { known: Memo::new(), made: Arena::new() }
    }
}

impl<'a> Masks<'a> {
    /// What a lexer state reads below a node; `None` if that is much.
    pub(super) fn owned(
        &self,
        trie: &Trie,
        node: usize,
        lexer: u32,
        fuel: &mut Fuel,
    ) -> Result<Option<&'a Own>, Error> {
        let Owns { known, made } = &self.table.owns;
        let key = (trie.id, node as u32, lexer);
        let id = match known.get(key) {
            Some(id) => id,
            None => {
                let own = self.read_own(trie, node, lexer, fuel)?;
                let bytes = own.as_ref().map_or(0, |own| {
                    size_of::<Own>() + (own.inside.len() + own.exits.len()) * size_of::<u32>()
                });
                self.table.meter.add(48 + bytes);
                known.set(key, own.map_or(WIDE, |own| made.push(own)))
            }
        };
        Ok((id != WIDE).then(|| made.get(id)))
    }

    fn read_own(
        &self,
        trie: &Trie,
        top: usize,
        start: u32,
        fuel: &mut Fuel,
    ) -> Result<Option<Own>, Error> {
        if trie.ending_below(top).len() >= MOST && of_lexer(self.machine, start, fuel)? != 0 {
            return Ok(None);
        }
        let (lexer, run) = (&self.machine.tables.lexer, self.machine.run());
        let (mut inside, mut exits) = (Vec::new(), Vec::new());
        let mut path = vec![(start, lexer.get(start).live)];
        let (mut node, mut read) = (top + 1, 0);
        while node < trie.skip[top] as usize {
            let at = node;
            node = trie.skip[at] as usize;
            let depth = (trie.depth[at] - trie.depth[top]) as usize;
            let (from, live) = path[depth - 1];
            if !live.has(trie.byte[at]) {
                continue;
            }
            read += 1;
            if read > MOST {
                return Ok(None);
            }
            let state = lexer.step(run, from, trie.byte[at], fuel)?;
            if state == Lexer::DEAD {
                continue;
            }
            inside.extend_from_slice(trie.ending_at(at));
            if trie.ending_below(at).is_empty() {
                continue;
            }
            let state_at = lexer.get(state);
            if state_at.accepts() {
                exits.push(at as u32);
            }
            if state_at.goes_on() {
                path.truncate(depth);
                path.push((state, state_at.live));
                node = at + 1;
            }
        }
        Ok(Some(Own { inside: inside.into(), exits: exits.into() }))
    }
}
