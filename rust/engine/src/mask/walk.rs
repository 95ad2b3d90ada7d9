//! Walks the token trie in step with the automata and sets one bit for each token that can follow.
//!
//! A byte that cannot follow skips its whole subtree. A subtree whose characters all lead back to the state at its root
//! is taken whole. Below a node with many tokens, those that go round such a loop come ready from the vocabulary, see
//! [`crate::vocabulary::split`]: only the rests behind the loop are walked, and what does not begin with it.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::loops::{Loop, firsts_of};
use super::memo::Masks;
use super::out::Out;
use crate::automaton::{Await, ByteSet, Common, Fuel, Part, Position, Reach, Sharing, Strand};
use crate::error::Error;
use crate::vocabulary::split::Exits;
use crate::vocabulary::trie::{Classes, Trie, TrieId, Utf8, WIDE};

/// Subtrees of fewer tokens are not worth asking whether they can be taken whole.
const WHOLE: usize = 12;

/// Subtrees of fewer tokens are not worth being split.
const SPLIT: usize = 128;

/// Subtrees of fewer tokens are not worth to be read as nearly the same.
const NEARLY: usize = 32;

/// With more ways out, what is left of tokens takes long to gather anew for each byte that is an exception.
const LEAVING: usize = 2048;

/// What is left to walk: all that is below a node of a trie, from the position there.
struct Task {
    trie: Arc<Trie>,
    node: usize,
    position: Position,
    /// If there are any, only the children by these bytes, whose tokens were taken as if they led round a loop. If that
    /// is all bytes, nothing was taken, and nothing is to be.
    only: ByteSet,
    /// Whether it is known that its terminals read much.
    wide: bool,
}

/// Which tokens below the root of a task are dealt with already.
#[derive(Clone, Copy)]
enum Ready {
    Nothing,
    /// All that begin with a character of these classes, but for those that begin with these bytes.
    Begun(Classes, ByteSet),
    /// All that are made of these classes alone.
    Made(Classes),
    /// All that do not begin with these bytes. Those that do were taken too early.
    Besides(ByteSet),
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
            tasks: vec![Task {
                trie: self.vocabulary.trie().clone(),
                node: 0,
                position,
                only: ByteSet::NONE,
                wide: false,
            }],
            path: Vec::new(),
            seen: FxHashSet::default(),
            visited: 0,
        };
        walk.finish(fuel)?;
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
    path: Vec<Step>,
    /// Tasks that were begun.
    seen: FxHashSet<(TrieId, usize, Position)>,
    visited: u64,
}

/// A node on the way from the root of a task.
#[derive(Clone, Copy)]
struct Step {
    position: Position,
    /// The bytes that it may read.
    live: ByteSet,
    /// How far a character was read, if all before is of the classes that are ready.
    ready: Option<Utf8>,
}

impl Walk<'_, '_> {
    fn run(&mut self, task: Task, fuel: &mut Fuel) -> Result<(), Error> {
        let Task { trie, node: top, position, only, .. } = &task;
        let (top, position) = (*top, *position);
        if !has_child(trie, top, self.masks.machine.live_bytes(position)) && only.is_empty() {
            return Ok(());
        }
        if !only.is_empty() {
            return self.below(&task, Ready::Besides(*only), fuel);
        }
        if !task.wide && !self.masks.machine.core.has_obligations() {
            return self.read(trie, top, position, fuel);
        }
        if trie.ending_below(top).len() >= SPLIT {
            let fronts = self.masks.machine.fronts_of(position);
            if !fronts.is_empty() {
                for position in fronts {
                    self.push(trie, top, position);
                }
                return Ok(());
            }
        }
        if trie.ending_below(top).len() < SPLIT {
            return self.below(&task, Ready::Nothing, fuel);
        }
        let made = self.masks.covered(position, fuel)? & trie.below[top];
        let found = self.masks.loops(position, fuel)?;
        let begun = found.classes & trie.below[top];
        if begun == 0 && made == 0 {
            return self.below(&task, Ready::Nothing, fuel);
        }
        let vocabulary = self.masks.vocabulary;
        if made & !begun != 0 {
            self.out.add_tokens(&vocabulary.split(trie, top, made, None).inside);
            if trie.below[top] & !made == 0 {
                return Ok(());
            }
            return self.below(&task, Ready::Made(made), fuel);
        }
        self.reach.0 = self.reach.0.min(found.reach.0);
        // What few ways lead out of is gathered for each byte that is an exception.
        let except = match found.except.first() {
            Some(byte) if found.row == 0 && found.except.len() == 1 => {
                let split = vocabulary.split(trie, top, begun, None);
                (split.leaving() < LEAVING).then_some(byte)
            }
            _ => None,
        };
        let mut besides = ByteSet::NONE;
        if found.except.is_empty() || except.is_some() {
            besides = found.except;
            self.take(trie, top, position, found, except, fuel)?;
        } else {
            self.take_apart(trie, top, position, found, fuel)?;
        }
        if trie.below[top] & !begun == 0 && besides.is_empty() {
            return Ok(());
        }
        self.below(&task, Ready::Begun(begun, besides), fuel)
    }

    /// Whether terminals that all grammars share read what is below a node, or so nearly that it pays.
    fn is_shared(&self, trie: &Trie, node: usize, position: Position) -> bool {
        match self.masks.machine.shares(position) {
            Sharing::None => false,
            Sharing::Nearly => trie.ending_below(node).len() >= NEARLY,
            Sharing::Wholly => true,
        }
    }

    /// What a terminal reads comes ready, where it is one that all grammars share or reads little. What is left of tokens
    /// behind it becomes a task of its own, and so do all other terminals together.
    fn read(
        &mut self,
        trie: &Arc<Trie>,
        top: usize,
        position: Position,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let machine = self.masks.machine;
        let nearly = trie.ending_below(top).len() >= NEARLY;
        for Strand { local, stack } in machine.strands(position) {
            let mut wide: Vec<&Part> = Vec::new();
            for part in machine.parts_of(local) {
                let worth = |common: &Common| nearly || common.is_exact();
                if let Some(common) = part.common.filter(worth) {
                    self.visited += 1;
                    let reading = self.masks.reading(trie, top, (part, common))?;
                    self.out.add_tokens(&reading.inside);
                    if !reading.exits.is_empty() {
                        let next = machine.behind(part, stack, &mut self.reach, fuel)?;
                        let live = machine.live_bytes(next);
                        for exits in reading.exits.iter().filter(|exits| live.has(exits.byte)) {
                            self.push(&self.masks.vocabulary.rests(trie, exits), 0, next);
                        }
                    }
                    for byte in common.except.into_iter().flatten() {
                        let own =
                            Position::single(Strand { local: machine.own(local, part), stack });
                        self.go_on(trie, top, own, byte, fuel)?;
                    }
                } else if let Some(own) = self.masks.owned(trie, top, part.lexer, fuel)? {
                    self.visited += 1;
                    self.out.add(&own.inside);
                    if !own.exits.is_empty() {
                        let next = machine.behind(part, stack, &mut self.reach, fuel)?;
                        for &node in &own.exits {
                            self.push(trie, node as usize, next);
                        }
                    }
                } else {
                    wide.push(part);
                }
            }
            if !wide.is_empty() {
                let local = machine.together(local, &wide);
                let position = Position::single(Strand { local, stack });
                self.tasks.push(Task {
                    trie: trie.clone(),
                    node: top,
                    position,
                    only: ByteSet::NONE,
                    wide: true,
                });
            }
        }
        Ok(())
    }

    /// Takes what begins with one byte below a node.
    fn go_on(
        &mut self,
        trie: &Arc<Trie>,
        top: usize,
        position: Position,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let Some(child) = trie.child(top, byte) else { return Ok(()) };
        let machine = self.masks.machine;
        let next = machine.step(position, byte, &mut self.reach, fuel)?;
        if next == Position::DEAD {
            return Ok(());
        }
        self.visited += 1;
        let ending = trie.ending_at(child);
        if !ending.is_empty() && machine.is_live(next, &mut self.reach, fuel)? {
            self.out.add(ending);
        }
        if !trie.ending_below(child).is_empty() {
            self.push(trie, child, next);
        }
        Ok(())
    }

    /// A task, unless it was begun before.
    fn push(&mut self, trie: &Arc<Trie>, node: usize, position: Position) {
        if self.seen.insert((trie.id, node, position)) {
            let only = ByteSet::NONE;
            self.tasks.push(Task { trie: trie.clone(), node, position, only, wide: false });
        }
    }

    /// Takes the tokens below a node that begin with characters of a loop or a row, but not with `except`.
    fn take(
        &mut self,
        trie: &Trie,
        top: usize,
        position: Position,
        found: Loop,
        except: Option<u8>,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let vocabulary = self.masks.vocabulary;
        let begun = found.classes & trie.below[top];
        if found.row == 0 {
            let split = vocabulary.split(trie, top, begun, except);
            self.out.add_tokens(&split.inside);
            for exits in &split.exits {
                self.leave(trie, exits, if exits.after == 0 { position } else { found.to });
            }
            return Ok(());
        }
        let runs = vocabulary.runs(trie, top, begun);
        let (tokens, more) = runs.within(found.row);
        self.out.add_tokens(tokens);
        more.for_each(|token| self.out.add(&[token]));
        let (mut at, mut read) = (found.to, 1);
        for exits in &runs.exits {
            while read < exits.after && at != Position::DEAD {
                at = self.masks.along(at, found.classes, fuel)?;
                read += 1;
            }
            self.leave(trie, exits, if exits.after == 0 { position } else { at });
        }
        Ok(())
    }

    /// The same where some of the characters lead elsewhere: what begins with them is taken out again, and walked. That
    /// is done beside the mask, as others may have allowed the same tokens. Each level of it is at least one byte further
    /// in the tokens.
    fn take_apart(
        &mut self,
        trie: &Arc<Trie>,
        top: usize,
        position: Position,
        found: Loop,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let mut words = vec![0; self.out.words.len()];
        let mut walk = Walk {
            masks: self.masks,
            out: &mut Out::new(&mut words),
            reach: self.reach,
            // Behind the tasks for those that leave the loop, as these take tokens too that never entered it.
            tasks: vec![Task {
                trie: trie.clone(),
                node: top,
                position,
                only: found.except,
                wide: true,
            }],
            path: Vec::new(),
            seen: FxHashSet::default(),
            visited: 0,
        };
        walk.take(trie, top, position, found, None, fuel)?;
        walk.finish(fuel)?;
        (self.reach, self.visited) = (walk.reach, self.visited + walk.visited);
        self.out.merge(&words);
        Ok(())
    }

    fn finish(&mut self, fuel: &mut Fuel) -> Result<(), Error> {
        while let Some(task) = self.tasks.pop() {
            self.run(task, fuel)?;
        }
        Ok(())
    }

    /// The rests of tokens that leave a loop or a row, from where they do, are to be walked.
    fn leave(&mut self, trie: &Trie, exits: &Exits, position: Position) {
        if self.masks.machine.live_bytes(position).has(exits.byte) {
            let trie = self.masks.vocabulary.rests(trie, exits);
            // Before any character nothing has been read: to split these again would lead here again.
            let only = if exits.after == 0 { ByteSet::ALL } else { ByteSet::NONE };
            self.tasks.push(Task { trie, node: 0, position, only, wide: false });
        }
    }

    /// Walks what is not ready below the root of a task. Large subtrees become tasks of their own.
    fn below(&mut self, task: &Task, ready: Ready, fuel: &mut Fuel) -> Result<(), Error> {
        let machine = self.masks.machine;
        let Task { trie, node: top, position, .. } = task;
        let (apart, made) = match ready {
            Ready::Nothing | Ready::Besides(_) => (ByteSet::ALL, 0),
            Ready::Begun(classes, besides) => {
                (besides.or(&ByteSet::ALL.without(&firsts_of(classes))), 0)
            }
            Ready::Made(classes) => (ByteSet::ALL, classes),
        };
        let mut live = machine.live_bytes(*position);
        let ready_from = (made != 0).then_some(Utf8::Start);
        if let Ready::Besides(only) = ready {
            if only != ByteSet::ALL {
                self.clear(trie, *top, only);
            }
            live = live.and(&only);
        }
        live = live.and(&apart);
        self.path.clear();
        self.path.push(Step { position: *position, live, ready: ready_from });
        let Some(children) = trie.children(*top) else {
            return self.nodes(task, top + 1..trie.skip[*top] as usize, made, fuel);
        };
        for child in live.iter().map(|byte| children[usize::from(byte)] as usize) {
            if child != 0 {
                self.nodes(task, child..trie.skip[child] as usize, made, fuel)?;
            }
        }
        Ok(())
    }

    /// Takes the tokens out that begin with these bytes below a node.
    fn clear(&mut self, trie: &Trie, top: usize, bytes: ByteSet) {
        let mut child = top + 1;
        while child < trie.skip[top] as usize {
            let after = trie.skip[child] as usize;
            if bytes.has(trie.byte[child]) {
                let tokens = trie.first[child] as usize..trie.first[after] as usize;
                self.out.clear(&trie.order[tokens]);
            }
            child = after;
        }
    }

    /// Walks some of the nodes below the root of a task: whole subtrees of its children.
    fn nodes(
        &mut self,
        task: &Task,
        nodes: Range<usize>,
        made: Classes,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let machine = self.masks.machine;
        let Task { trie, node: top, .. } = task;
        let level = trie.depth[*top] as usize;
        let Range { start: mut node, end } = nodes;
        while node < end {
            let at = node;
            // Where to go on if nothing below this node is walked.
            node = trie.skip[at] as usize;
            self.visited += 1;
            let depth = trie.depth[at] as usize - level;
            let byte = trie.byte[at];
            let from = self.path[depth - 1];
            if !from.live.has(byte) {
                continue;
            }
            let ready = from.ready.and_then(|utf8| {
                let (next, class) = utf8.step(byte);
                (class & !made == 0 && (next == Utf8::Start || made >> WIDE & 1 == 1))
                    .then_some(next)
            });
            if ready.is_some() && trie.below[at] & !made == 0 {
                continue;
            }
            let next = machine.step(from.position, byte, &mut self.reach, fuel)?;
            if next == Position::DEAD {
                continue;
            }
            let ending = trie.ending_at(at);
            if ready.is_none()
                && !ending.is_empty()
                && machine.is_live(next, &mut self.reach, fuel)?
            {
                self.out.add(ending);
            }
            let below = trie.ending_below(at);
            if below.is_empty() {
                continue;
            }
            if self.is_shared(trie, at, next) {
                self.push(trie, at, next);
                continue;
            }
            if below.len() >= WHOLE {
                let made = self.masks.covered(next, fuel)?;
                if below.len() < SPLIT && trie.below[at] & !made == 0 {
                    self.out.add(below);
                    continue;
                }
                if below.len() >= SPLIT
                    && (made & trie.below[at] != 0
                        || machine.has_fronts(next)
                        || self.masks.loops(next, fuel)?.classes & trie.below[at] != 0)
                {
                    self.tasks.push(Task {
                        trie: trie.clone(),
                        node: at,
                        position: next,
                        only: ByteSet::NONE,
                        wide: false,
                    });
                    continue;
                }
            }
            self.path.truncate(depth);
            self.path.push(Step { position: next, live: machine.live_bytes(next), ready });
            node = at + 1;
        }
        Ok(())
    }
}

/// Whether a node has a child by one of these bytes.
fn has_child(trie: &Trie, node: usize, bytes: ByteSet) -> bool {
    if let Some(children) = trie.children(node) {
        return bytes.iter().any(|byte| children[usize::from(byte)] != 0);
    }
    let (mut child, end) = (node + 1, trie.skip[node] as usize);
    while child < end {
        if bytes.has(trie.byte[child]) {
            return true;
        }
        child = trie.skip[child] as usize;
    }
    false
}
