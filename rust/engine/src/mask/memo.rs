//! Which finished mask belongs to a position: remembered by what was read of the stack, never by all of it.
//!
//! A strand's mask depends on its local state and on the frames that tokens can leave, most often none to three. A
//! decision tree asks for just these: its root is the local state, each edge one frame's return. In front of it each
//! position remembers its own mask.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::loops::Loop;
use super::out::Out;
use super::owns::Owns;
use super::rows::Link;
use super::stored::Stored;
use crate::automaton::{Arena, Fuel, Machine, Memo, Meter, Position, Reach, Strand};
use crate::error::Error;
use crate::vocabulary::Vocabulary;
use crate::vocabulary::trie::Classes;

/// The finished masks of one generation of tables, for one vocabulary.
pub(crate) struct MaskTable {
    stored: Arena<Stored>,
    positions: Memo<Position, u32>,
    tree: Memo<(Question, u64), Answer>,
    pub(super) loops: Memo<Position, Loop>,
    pub(super) links: Memo<(Position, Classes), Link>,
    pub(super) owns: Owns,
    /// Numbers handed out to inner nodes of the tree.
    questions: AtomicU32,
    /// Where the bitmaps are that masks keep alive, each of which is charged once.
    bases: Mutex<FxHashSet<usize>>,
    pub(super) meter: Meter,
    walked: AtomicU64,
}

/// A node of the decision tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    Local(u32),
    Below(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Mask(u32),
    /// One more frame must be read; the node's number.
    More(u32),
}

/// A node whose edges are several is a frame of its own kind: its whole identity is what was read.
const WHOLE_NODE: u64 = 1 << 63;

/// What answers questions about masks.
#[derive(Clone, Copy)]
pub(crate) struct Masks<'a> {
    pub(crate) machine: Machine<'a>,
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) table: &'a MaskTable,
    pub(crate) words: usize,
}

impl MaskTable {
    pub(crate) fn new() -> Self {
        Self {
            stored: Arena::new(),
            positions: Memo::new(),
            tree: Memo::new(),
            loops: Memo::new(),
            links: Memo::new(),
            owns: Owns::new(),
            questions: AtomicU32::new(0),
            bases: Mutex::default(),
            meter: Meter::default(),
            walked: AtomicU64::new(0),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.meter.bytes()
    }

    /// Trie nodes walked so far.
    pub(crate) fn nodes_walked(&self) -> u64 {
        self.walked.load(Ordering::Relaxed)
    }
}

impl<'a> Masks<'a> {
    /// The mask at `position`, if it was made before.
    #[inline]
    pub(crate) fn known(&self, position: Position) -> Option<&'a Stored> {
        self.table.positions.get(position).map(|id| self.table.stored.get(id))
    }

    /// Writes the mask at `position` over `words`, which has the length of one mask. After an error they are as they
    /// were.
    #[inline]
    pub(crate) fn fill(
        &self,
        position: Position,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        match self.table.positions.get(position) {
            Some(id) => {
                self.table.stored.get(id).write(words);
                Ok(())
            }
            None => {
                let before = words.to_vec();
                let found = self.find(position, words, fuel);
                if found.is_err() {
                    words.copy_from_slice(&before);
                }
                found
            }
        }
    }

    #[cold]
    fn find(&self, position: Position, words: &mut [u32], fuel: &mut Fuel) -> Result<(), Error> {
        let id = match position.strand() {
            Some(strand) => self.strand(strand, words, fuel)?.0,
            None => self.union(self.machine.strands(position), words, fuel)?.0,
        };
        if let Some(id) = id {
            self.table.meter.add(48);
            self.table.positions.set(position, id);
        }
        Ok(())
    }

    /// The mask of one strand, written to `words`; its number if it is stored, and how far down the stack it reads.
    fn strand(
        &self,
        strand: Strand,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(Option<u32>, Reach), Error> {
        if let Some((id, reach)) = self.look_up(strand)
            && self.is_good(strand, fuel)?
        {
            self.table.stored.get(id).write(words);
            return Ok((Some(id), reach));
        }
        // Without obligations a walk reads the parts one by one.
        let fronts = match self.machine.core.has_obligations() {
            true => self.machine.fronts(strand.local),
            false => &[],
        };
        let (id, reach) = if fronts.is_empty() {
            let mut out = Out::new(words);
            let reach = self.walk(Position::single(strand), &mut out, fuel)?;
            (self.store(|| Stored::new(out, self.vocabulary)), reach)
        } else {
            self.union(fronts.iter().map(|&local| Strand { local, ..strand }), words, fuel)?
        };
        if let Some(id) = id
            && reach.0 != 0
            && self.is_good(strand, fuel)?
        {
            self.remember(strand, reach, id);
        }
        Ok((id, reach))
    }

    /// What any of the strands allows: the mask of each is made, or found, on its own.
    fn union(
        &self,
        strands: impl Iterator<Item = Strand>,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<(Option<u32>, Reach), Error> {
        let (mut own, mut reach) = (Vec::new(), Reach(u32::MAX));
        words.fill(0);
        for strand in strands {
            if let Some((id, read)) = self.look_up(strand)
                && self.is_good(strand, fuel)?
            {
                reach.0 = reach.0.min(read.0);
                self.table.stored.get(id).add_to(words);
                continue;
            }
            own.resize(self.words, 0);
            let (id, read) = self.strand(strand, &mut own, fuel)?;
            reach.0 = reach.0.min(read.0);
            match id {
                Some(id) => self.table.stored.get(id).add_to(words),
                None => words.iter_mut().zip(&own).for_each(|(to, from)| *to |= from),
            }
        }
        Ok((self.store(|| Stored::of(words, self.vocabulary)), reach))
    }

    /// With obligations, what is remembered holds for stacks that are good, and was made on one. What a mask relied on
    /// counts by then.
    fn is_good(&self, strand: Strand, fuel: &mut Fuel) -> Result<bool, Error> {
        Ok(!self.machine.core.has_obligations()
            || self.machine.is_good_stack(strand.stack, fuel)?)
    }

    fn store(&self, mask: impl FnOnce() -> Stored) -> Option<u32> {
        // Past the bound masks are made anew each time: slower, and as exact.
        if self.table.meter.bytes() >= self.machine.core.limits.mask_bytes {
            return None;
        }
        let stored = mask();
        self.table.meter.add(stored.bytes());
        if let Some(base) = stored.parts().0 {
            let mut bases = self.table.bases.lock().unwrap_or_else(PoisonError::into_inner);
            if bases.insert(base.as_ptr() as usize) {
                self.table.meter.add(size_of_val(base));
            }
        }
        Some(self.table.stored.push(stored))
    }

    /// The frame that a stack node shows when it is read, and the node below if that is one node.
    fn frame(&self, stack: u32) -> (u64, Option<u32>) {
        match *self.machine.tables.stacks.edges(stack) {
            [(at, below)] => (u64::from(at), Some(below)),
            _ => (WHOLE_NODE | u64::from(stack), None),
        }
    }

    /// The remembered mask of a strand, and how far down the stack was read to find it.
    fn look_up(&self, strand: Strand) -> Option<(u32, Reach)> {
        let mut reach = Reach(u32::MAX);
        let mut question = Question::Local(strand.local);
        let mut frame = u64::MAX;
        let mut stack = Some(strand.stack);
        loop {
            match self.table.tree.get((question, frame))? {
                Answer::Mask(id) => return Some((id, reach)),
                Answer::More(node) => {
                    question = Question::Below(node);
                    let at = stack?;
                    reach.0 = self.machine.tables.stacks.height(at);
                    let (next, below) = self.frame(at);
                    frame = next;
                    stack = below;
                }
            }
        }
    }

    fn remember(&self, strand: Strand, reach: Reach, mask: u32) {
        let height = self.machine.tables.stacks.height(strand.stack);
        let mut left = (height + 1).saturating_sub(reach.0);
        let mut question = Question::Local(strand.local);
        let mut frame = u64::MAX;
        let mut stack = Some(strand.stack);
        let table = self.table;
        while left > 0 {
            let Some(at) = stack else { break };
            let node = table.questions.fetch_add(1, Ordering::Relaxed);
            match table.tree.set((question, frame), Answer::More(node)) {
                Answer::More(node) => question = Question::Below(node),
                Answer::Mask(_) => return,
            }
            let (next, below) = self.frame(at);
            frame = next;
            stack = below;
            left -= 1;
        }
        table.meter.add(64);
        table.tree.set((question, frame), Answer::Mask(mask));
    }

    pub(super) fn count(&self, nodes: u64) {
        self.table.walked.fetch_add(nodes, Ordering::Relaxed);
    }
}
