//! What terminals that all grammars share make of tokens; kept with the vocabulary.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::loops::find;
use super::memo::Masks;
use crate::automaton::{Bounds, ByteSet, Common, Part, Reader};
use crate::error::Error;
use crate::vocabulary::readings::{Reading, Reads};
use crate::vocabulary::trie::{Classes, Trie, WHOLE};

impl Masks<'_> {
    /// What a part of a local state reads below a node, up to the end of its terminal.
    pub(super) fn reading(
        &self,
        trie: &Trie,
        node: usize,
        (part, common): (&Part, Common),
    ) -> Result<Arc<Reading>, Error> {
        let Common { automaton, state, except } = common;
        self.vocabulary.reading(trie, node, (automaton, state), except, &|except| {
            let reader = Reader::new(self.machine.automaton(part));
            let mut reader = TokenReader { reader, loops: FxHashMap::default() };
            self.vocabulary.read(trie, node, state, except, &mut reader)
        })
    }
}

/// An automaton that reads tokens, and what is known of it.
struct TokenReader<'a> {
    reader: Reader<'a>,
    loops: FxHashMap<u32, Classes>,
}

impl Reads for TokenReader<'_> {
    fn step(&mut self, state: u32, byte: u8) -> Result<u32, Error> {
        Ok(self.reader.state(state)?.next[usize::from(byte)])
    }

    fn ends(&mut self, state: u32) -> Result<(bool, bool), Error> {
        let state = self.reader.state(state)?;
        Ok((state.accepts, !state.live.is_empty()))
    }

    fn loops(&mut self, state: u32) -> Result<Classes, Error> {
        if let Some(&known) = self.loops.get(&state) {
            return Ok(known);
        }
        let found = if self.reader.state(state)?.accepts {
            0
        } else {
            let reader = RefCell::new(&mut self.reader);
            let mut step = |at, byte| Ok(reader.borrow_mut().state(at)?.next[usize::from(byte)]);
            // What cannot be laid out is on no loop.
            let look = |at| match reader.borrow_mut().state(at) {
                Ok(state) => (state.bounds, state.live),
                Err(_) => (Bounds::default(), ByteSet::NONE),
            };
            find(state, WHOLE, Some(state), 0, &mut step, &look)?.1
        };
        self.loops.insert(state, found);
        Ok(found)
    }
}
