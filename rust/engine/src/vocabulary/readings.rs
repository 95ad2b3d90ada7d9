//! A subtree of a token trie, read by an automaton that many grammars have: which tokens it takes whole, and what is left
//! of those that go on behind a match.
//!
//! Neither depends on the grammar around, so both are kept for all grammars. Different ways to a match that leave the same
//! rest are one: behind a gap it is of no account how wide it was.

use std::sync::{Arc, PoisonError};

use super::Vocabulary;
use super::split::{Exits, Tokens, is_apart};
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
        let mut read = Found::default();
        let loops = if trie.id == 0 && top == 0 && except == [None; 2] {
            reader.loops(start)? & trie.below[0]
        } else {
            0
        };
        let mut ready = None;
        if loops != 0 {
            // What a loop reads is ready, and where tokens leave it.
            let split = self.split(trie, 0, loops, None);
            for (node, back) in split.exits.iter().flat_map(Exits::nodes) {
                let state = self.behind(trie, node, back, start, reader)?;
                read.subtree(trie, node, state, reader)?;
            }
            ready = Some(split);
        }
        let mut child = top + 1;
        while child < trie.skip[top] as usize {
            let byte = trie.byte[child];
            if !except.contains(&Some(byte)) && (loops == 0 || is_apart(byte, loops)) {
                read.subtree(trie, child, start, reader)?;
            }
            child = trie.skip[child] as usize;
        }
        let Found { inside, leaving } = read;
        let few = if trie.id == 0 && top == 0 { FEW } else { usize::MAX };
        let inside = match ready {
            Some(split) => split.inside.with(&inside),
            None => self.tokens_of(inside, few),
        };
        Ok(Reading { inside, exits: Exits::behind(leaving) })
    }

    /// Where the last bytes before a node of the whole trie lead.
    fn behind(
        &self,
        trie: &Trie,
        node: usize,
        back: usize,
        start: u32,
        reader: &mut impl Reads,
    ) -> Result<u32, Error> {
        let some = trie.order[trie.first[node] as usize];
        let bytes = self.token_bytes(some).expect("the trie holds text tokens");
        let end = trie.depth[node] as usize - 1;
        let mut state = start;
        for &byte in &bytes[end - back..end] {
            state = if state == 0 { 0 } else { reader.step(state, byte)? };
        }
        Ok(state)
    }
}

/// What was found out about some tokens.
#[derive(Default)]
struct Found {
    /// Those that are part of a match.
    inside: Vec<TokenId>,
    /// Nodes behind a match, each with its byte.
    leaving: Vec<(u8, u32)>,
}

impl Found {
    /// Reads a node, from the state before it, and all that is below.
    fn subtree(
        &mut self,
        trie: &Trie,
        top: usize,
        before: u32,
        reader: &mut impl Reads,
    ) -> Result<(), Error> {
        let mut path = vec![before];
        let end = trie.skip[top] as usize;
        let mut node = top;
        while node < end {
            let at = node;
            node = trie.skip[at] as usize;
            let depth = (trie.depth[at] - trie.depth[top]) as usize;
            let from = path[depth];
            let state = if from == 0 { 0 } else { reader.step(from, trie.byte[at])? };
            if state == 0 {
                continue;
            }
            self.inside.extend_from_slice(trie.ending_at(at));
            let below = trie.ending_below(at);
            if below.is_empty() {
                continue;
            }
            let (ends, goes_on) = reader.ends(state)?;
            if ends {
                let mut child = at + 1;
                while child < node {
                    self.leaving.push((trie.byte[child], child as u32));
                    child = trie.skip[child] as usize;
                }
            }
            if !goes_on {
                continue;
            }
            if below.len() >= WHOLE && trie.below[at] & !reader.loops(state)? == 0 {
                self.inside.extend_from_slice(below);
                continue;
            }
            path.truncate(depth + 1);
            path.push(state);
            node = at + 1;
        }
        Ok(())
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
