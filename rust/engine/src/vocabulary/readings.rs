//! A subtree of a token trie, read by an automaton that many grammars have: which tokens it takes whole, and what is left
//! of those that go on behind a match.
//!
//! Neither depends on the grammar around, so both are kept for all grammars. Different ways to a match that leave the same
//! rest are one: behind a gap it is of no account how wide it was.

use std::sync::{Arc, PoisonError};

use super::Vocabulary;
use super::split::{Exits, Tokens};
use super::trie::{Classes, Trie, TrieId};
use crate::error::Error;
use crate::ids::TokenId;

/// More tokens are a bitmap where the whole trie is read, so that masks are that and a few more.
const FEW: usize = 64;

/// Subtrees of fewer tokens are not worth asking whether they can be taken whole.
const WHOLE: usize = 12;

/// An automaton that reads tokens. State 0 is dead.
pub(crate) trait Reads {
    /// Where a byte leads.
    fn step(&mut self, state: u32, byte: u8) -> Result<u32, Error>;

    /// Whether a match can end here, and whether one can go on.
    fn ends(&mut self, state: u32) -> Result<(bool, bool), Error>;

    /// Characters that lead back here, where no match ends.
    fn loops(&mut self, state: u32) -> Result<Classes, Error>;
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The tokens that are part of a match, up to its end at most.
    pub(crate) inside: Tokens,
    /// What is left of the tokens that go on behind a match.
    pub(crate) exits: Vec<Exits>,
}

/// A node of a trie, an automaton by its number, the state of it there, and bytes whose children are left out.
pub(super) type ReadAt = (TrieId, u32, u32, u32, [Option<u8>; 2]);

impl Vocabulary {
    /// What a state of an automaton reads below a node; without what begins with the bytes of `except`.
    pub(crate) fn reading(
        &self,
        trie: &Trie,
        node: usize,
        (automaton, state): (u32, u32),
        except: [Option<u8>; 2],
        read: &dyn Fn([Option<u8>; 2]) -> Result<Reading, Error>,
    ) -> Result<Arc<Reading>, Error> {
        let key = (trie.id, node as u32, automaton, state, except);
        let readings = &self.splits.readings;
        let known = readings.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let made = Arc::new(match except {
            // Each token is in this trie once.
            [first @ Some(_), last] if trie.id == 0 => {
                let left = if last.is_some() { [first, None] } else { [None; 2] };
                let all = self.reading(trie, node, (automaton, state), left, read)?;
                all.without(trie, node, last.or(first))
            }
            except => read(except)?,
        });
        self.splits.charge(made.bytes());
        let mut readings = readings.write().unwrap_or_else(PoisonError::into_inner);
        Ok(readings.entry(key).or_insert(made).clone())
    }

    /// Reads all that is below a node, but for what begins with the bytes of `except`.
    pub(crate) fn read(
        &self,
        trie: &Trie,
        top: usize,
        start: u32,
        except: [Option<u8>; 2],
        reader: &mut impl Reads,
    ) -> Result<Reading, Error> {
        let mut inside: Vec<TokenId> = Vec::new();
        let mut leaving: Vec<(u8, u32)> = Vec::new();
        let mut path = vec![start];
        let end = trie.skip[top] as usize;
        let mut node = top + 1;
        while node < end {
            let at = node;
            node = trie.skip[at] as usize;
            let depth = (trie.depth[at] - trie.depth[top]) as usize;
            if depth == 1 && except.contains(&Some(trie.byte[at])) {
                continue;
            }
            let state = reader.step(path[depth - 1], trie.byte[at])?;
            if state == 0 {
                continue;
            }
            inside.extend_from_slice(trie.ending_at(at));
            if trie.ending_below(at).is_empty() {
                continue;
            }
            let (ends, goes_on) = reader.ends(state)?;
            if ends {
                let mut child = at + 1;
                while child < node {
                    leaving.push((trie.byte[child], child as u32));
                    child = trie.skip[child] as usize;
                }
            }
            if !goes_on {
                continue;
            }
            let below = trie.ending_below(at);
            if below.len() >= WHOLE && trie.below[at] & !reader.loops(state)? == 0 {
                inside.extend_from_slice(below);
                continue;
            }
            path.truncate(depth);
            path.push(state);
            node = at + 1;
        }
        let few = if trie.id == 0 && top == 0 { FEW } else { usize::MAX };
        Ok(Reading { inside: self.tokens_of(inside, few), exits: Exits::behind(leaving) })
    }
}

impl Reading {
    /// The same without what begins with a byte.
    fn without(&self, trie: &Trie, top: usize, byte: Option<u8>) -> Self {
        let apart = byte.and_then(|byte| trie.child(top, byte));
        let apart = apart.map_or(0..0, |child| child..trie.skip[child] as usize);
        Self {
            inside: self.inside.without(trie.ending_within(&apart)),
            exits: self.exits.iter().filter_map(|exits| exits.without(&apart)).collect(),
        }
    }

    fn bytes(&self) -> usize {
        self.inside.bytes() + self.exits.iter().map(Exits::bytes).sum::<usize>() + 96
    }
}
