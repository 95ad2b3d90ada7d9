//! Walks the token trie in step with the automata and sets one bit for each token that can follow.
//!
//! A byte that cannot follow skips its whole subtree. A subtree whose characters all lead back to the state at its root
//! is taken whole. Below a node with many tokens, those that go round such a loop come ready from the vocabulary, see
//! [`crate::vocabulary::split`]: only the rests behind the loop are walked, and what does not begin with it.

use std::sync::Arc;

use super::memo::Masks;
use super::out::Out;
use crate::automaton::{Await, ByteSet, Fuel, Position, Reach};
use crate::error::Error;
use crate::vocabulary::split::{Split, is_apart};
use crate::vocabulary::trie::{Classes, Trie};

/// Subtrees of fewer tokens are not worth asking whether they can be taken whole.
const WHOLE: usize = 12;

/// Subtrees of fewer tokens are not worth being split.
const SPLIT: usize = 128;

/// What is left to walk: all that is below a node, from the position there.
enum Task {
    Tokens(usize, Position),
    /// The rests behind a loop at the position, by their place among the exits of the split.
    Rests(Arc<Split>, usize, Position),
}

impl Masks<'_> {
    /// Writes the tokens that can follow at `position`; `out` comes in empty. Returns how far down the stack was read,
    /// `Reach(0)` if all of it.
    pub(super) fn walk(
        &self,
        position: Position,
        out: &mut Out<'_>,
        fuel: &mut Fuel,
    ) -> Result<Reach, Error> {
        let mut walk = Walk {
            masks: self,
            out,
            reach: Reach(u32::MAX),
            tasks: vec![Task::Tokens(0, position)],
            path: Vec::new(),
            visited: 0,
        };
        while let Some(task) = walk.tasks.pop() {
            walk.run(task, fuel)?;
        }
        let Walk { reach, visited, .. } = walk;
        fuel.spend(visited)?;
        self.count(visited);
        for strand in self.machine.strands(position) {
            let local = self.machine.tables.locals.get(strand.local);
            if local.tokens {
                for item in &local.items {
                    if let Await::Token(token) = item.awaits
                        && (token as usize) < self.words * 32
                    {
                        out.add(&[token]);
                    }
                }
            }
        }
        Ok(reach)
    }
}

struct Walk<'a, 'o> {
    masks: &'a Masks<'a>,
    out: &'a mut Out<'o>,
    reach: Reach,
    tasks: Vec<Task>,
    /// The position at each depth below the root of a task, and the bytes that it may read.
    path: Vec<(Position, ByteSet)>,
    visited: u64,
}

impl Walk<'_, '_> {
    fn run(&mut self, task: Task, fuel: &mut Fuel) -> Result<(), Error> {
        let vocabulary = self.masks.vocabulary;
        match task {
            Task::Tokens(top, position) => {
                let trie = vocabulary.trie();
                let mut ready = 0;
                if trie.ending_below(top).len() >= SPLIT {
                    ready = self.masks.loops(position, fuel)? & trie.below[top];
                }
                if ready != 0 {
                    let split = vocabulary.split(top, ready);
                    self.out.add_tokens(&split.inside);
                    let live = self.live(position);
                    for (at, exits) in split.exits.iter().enumerate() {
                        if live.has(exits.byte) {
                            self.tasks.push(Task::Rests(split.clone(), at, position));
                        }
                    }
                    if trie.below[top] & !ready == 0 {
                        return Ok(());
                    }
                }
                self.below(trie, top, position, ready, true, fuel)
            }
            Task::Rests(split, at, position) => {
                let trie = vocabulary.rests(&split.exits[at]);
                self.below(trie, 0, position, 0, false, fuel)
            }
        }
    }

    /// Walks below the node `top`, except for children that begin with one of the classes in `ready`. Where `split` says
    /// so, large subtrees become tasks of their own.
    fn below(
        &mut self,
        trie: &Trie,
        top: usize,
        position: Position,
        ready: Classes,
        split: bool,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let machine = self.masks.machine;
        self.path.clear();
        self.path.push((position, self.live(position)));
        let level = trie.depth[top] as usize;
        let end = trie.skip[top] as usize;
        let mut node = top + 1;
        while node < end {
            self.visited += 1;
            let depth = trie.depth[node] as usize - level;
            let byte = trie.byte[node];
            let (from, live) = &self.path[depth - 1];
            if !live.has(byte) || depth == 1 && ready != 0 && !is_apart(byte, ready) {
                node = trie.skip[node] as usize;
                continue;
            }
            let next = machine.step(*from, byte, &mut self.reach, fuel)?;
            if next == Position::DEAD {
                node = trie.skip[node] as usize;
                continue;
            }
            let ending = trie.ending_at(node);
            let mut is_live = None;
            if !ending.is_empty() {
                is_live = Some(machine.is_live(next, &mut self.reach, fuel)?);
                if is_live == Some(true) {
                    self.out.add(ending);
                }
            }
            let below = trie.ending_below(node);
            if below.len() >= WHOLE {
                let large = split && below.len() >= SPLIT;
                let loops = self.masks.loops(next, fuel)? & trie.below[node];
                let whole = trie.below[node] & !loops == 0;
                if (whole || large) && is_live.is_none() {
                    is_live = Some(machine.is_live(next, &mut self.reach, fuel)?);
                }
                if (whole || large) && is_live == Some(false) {
                    node = trie.skip[node] as usize;
                    continue;
                }
                if large && loops != 0 {
                    self.tasks.push(Task::Tokens(node, next));
                    node = trie.skip[node] as usize;
                    continue;
                }
                if whole {
                    self.out.add(below);
                    node = trie.skip[node] as usize;
                    continue;
                }
            } else if below.is_empty() {
                node = trie.skip[node] as usize;
                continue;
            }
            self.path.truncate(depth);
            self.path.push((next, self.live(next)));
            node += 1;
        }
        Ok(())
    }

    /// The bytes that may follow.
    fn live(&self, position: Position) -> ByteSet {
        let locals = &self.masks.machine.tables.locals;
        if let Some(strand) = position.strand() {
            return locals.get(strand.local).live;
        }
        let mut live = ByteSet::default();
        for strand in self.masks.machine.strands(position) {
            live.merge(&locals.get(strand.local).live);
        }
        live
    }
}
