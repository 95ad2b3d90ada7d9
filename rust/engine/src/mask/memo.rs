//! Which finished mask belongs to a position: remembered by what was read of the stack, never by all of it.
//!
//! A strand's mask depends on its local state and on the frames that tokens can leave, most often none to three. A
//! decision tree asks for just these: its root is the local state, each edge one frame's return. In front of it each
//! position remembers its own mask.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::loops::Loop;
use super::out::Out;
use super::stored::Stored;
use crate::automaton::{Arena, Fuel, Machine, Memo, Meter, Position, Reach, Strand};
use crate::error::Error;
use crate::vocabulary::Vocabulary;

/// The finished masks of one generation of tables, for one vocabulary.
pub(crate) struct MaskTable {
    stored: Arena<Stored>,
    positions: Memo<Position, u32>,
    tree: Memo<(Question, u64), Answer>,
    pub(super) loops: Memo<Position, Loop>,
    /// Numbers handed out to inner nodes of the tree.
    questions: AtomicU32,
    /// Shared bitmaps that masks keep alive.
    bases: Mutex<Vec<Arc<[u32]>>>,
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
            questions: AtomicU32::new(0),
            bases: Mutex::new(Vec::new()),
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
        let id = if let Some(strand) = position.strand() {
            self.strand(position, strand, words, fuel)?
        } else {
            let mut own = vec![0; self.words];
            words.fill(0);
            for strand in self.machine.strands(position) {
                self.strand(Position::single(strand), strand, &mut own, fuel)?;
                for (to, from) in words.iter_mut().zip(&own) {
                    *to |= from;
                }
            }
            self.store(|| Stored::of(words))
        };
        if let Some(id) = id {
            self.table.meter.add(48);
            self.table.positions.set(position, id);
        }
        Ok(())
    }

    /// The mask of one strand, written to `words`; its number if it is stored.
    fn strand(
        &self,
        position: Position,
        strand: Strand,
        words: &mut [u32],
        fuel: &mut Fuel,
    ) -> Result<Option<u32>, Error> {
        if let Some(id) = self.look_up(strand)
            && self.is_good(strand, fuel)?
        {
            self.table.stored.get(id).write(words);
            return Ok(Some(id));
        }
        let mut out = Out::new(words);
        let reach = self.walk(position, &mut out, fuel)?;
        let Some(id) = self.store(|| Stored::new(out)) else { return Ok(None) };
        if reach.0 != 0 && self.is_good(strand, fuel)? {
            self.remember(strand, reach, id);
        }
        Ok(Some(id))
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
        if let Stored::Over(base, _) = &stored {
            let mut bases = self.table.bases.lock().unwrap_or_else(PoisonError::into_inner);
            if !bases.iter().any(|known| Arc::ptr_eq(known, base)) {
                self.table.meter.add(base.len() * 4);
                bases.push(base.clone());
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

    fn look_up(&self, strand: Strand) -> Option<u32> {
        let mut question = Question::Local(strand.local);
        let mut frame = u64::MAX;
        let mut stack = Some(strand.stack);
        loop {
            match self.table.tree.get((question, frame))? {
                Answer::Mask(id) => return Some(id),
                Answer::More(node) => {
                    question = Question::Below(node);
                    let (next, below) = self.frame(stack?);
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
