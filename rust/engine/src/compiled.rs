//! A grammar compiled for a vocabulary: immutable, and shared by all its matchers.

mod clear;
mod endings;
mod steps;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::automaton::{Core, Fuel, Machine, Position, Reach, Tables};
use crate::error::{Diagnostic, Error};
use crate::grammar::Grammar;
use crate::ids::RuleId;
use crate::keys::{KeyTable, Keys, KeysId};
use crate::limits::Limits;
use crate::mask::{MaskTable, Masks};
use crate::vocabulary::Vocabulary;
use endings::Endings;
pub(crate) use steps::Steps;

/// Work that is spent on whether a grammar has any text.
const BEGINNING: u64 = 100_000;

/// A grammar compiled for a vocabulary. Cloning it is cheap; threads may share it.
#[derive(Clone, Debug)]
pub struct CompiledGrammar {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    /// What it was compiled from, to be saved.
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) core: Core,
    pub(crate) vocabulary: Arc<Vocabulary>,
    warnings: Vec<Diagnostic>,
    pub(crate) unique_keys: bool,
    current: Mutex<Arc<Generation>>,
}

/// One generation of tables. Matchers keep the one that they began with alive; when it is half full, new ones begin
/// with a fresh one, so that what is held stays bounded and nobody's history is lost.
pub(crate) struct Generation {
    /// In boxes, as they are too large to be moved about.
    pub(crate) tables: Box<Tables>,
    pub(crate) masks: Box<MaskTable>,
    keys: Option<Box<KeyTable>>,
    endings: Endings,
    /// Where a text begins.
    pub(crate) start: Spot,
}

/// Where a text stands: its position, and which keys and items its objects and arrays have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Spot {
    pub(crate) position: Position,
    pub(crate) keys: KeysId,
}

impl Generation {
    fn new(core: &Core, unique_keys: bool) -> Result<Self, Error> {
        let tables = Box::new(Tables::new(core));
        let position =
            Machine { core, tables: &tables }.start(&mut Fuel::new(core.limits.step_work))?;
        let start = Spot { position, keys: Keys::START };
        let keys = unique_keys.then(|| Box::new(KeyTable::new()));
        let masks = Box::new(MaskTable::new());
        Ok(Self { tables, masks, keys, endings: Endings::new(), start })
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledGrammar")
            .field("vocabulary", &self.vocabulary)
            .finish_non_exhaustive()
    }
}

impl CompiledGrammar {
    /// Compiles a grammar.
    ///
    /// # Errors
    /// [`Error::Grammar`] if the grammar produces no finite text, [`Error::TooComplex`] past a limit,
    /// [`Error::Vocabulary`] if the grammar can need a byte that no token of the vocabulary writes alone.
    pub fn new(
        grammar: &Grammar,
        vocabulary: Arc<Vocabulary>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Self::of(Arc::new(grammar.clone()), vocabulary, limits)
    }

    /// As [`CompiledGrammar::new`], for a grammar that is shared already.
    ///
    /// # Errors
    /// The same.
    pub fn of(
        grammar: Arc<Grammar>,
        vocabulary: Arc<Vocabulary>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let warnings = grammar.check()?;
        let core = Core::new(&grammar, limits, vocabulary.missing_bytes())?;
        let size = vocabulary.vocab_size();
        if let Some(id) = core.network.tokens().find(|&id| id as usize >= size) {
            return Err(Error::Vocabulary(format!(
                "the grammar asks for token id {id}, which is outside the vocabulary of {size} tokens"
            )));
        }
        // Now, so that no first mask pays for it.
        vocabulary.prepare();
        let unique_keys = grammar.unique_keys;
        let current = Mutex::new(Arc::new(Generation::new(&core, unique_keys)?));
        let inner = Inner { grammar, core, vocabulary, warnings, unique_keys, current };
        let compiled = Self { inner: Arc::new(inner) };
        compiled.check_layout()?;
        if !compiled.can_begin()? {
            let grammar = &compiled.inner.grammar;
            return Err(Error::Grammar(format!(
                "rule {:?}, where the grammar starts, can produce no finite text: its terminals take what others \
                 need to follow them",
                grammar.rules[grammar.start.index()].name
            )));
        }
        compiled.check_bytes()?;
        Ok(compiled)
    }

    /// Refuses newline terminals that cannot lead to each column.
    fn check_layout(&self) -> Result<(), Error> {
        let Inner { grammar, core, .. } = &*self.inner;
        let Some(layout) = grammar.layout else { return Ok(()) };
        let generation = self.inner.generation();
        let mut fuel = Fuel::new(core.limits.step_work);
        if self.inner.machine(&generation).reaches_all_columns(layout, &mut fuel)? {
            return Ok(());
        }
        Err(Error::Grammar(format!(
            "terminal {:?}, which sets the indentation, must be able to end after a line feed and any number of spaces \
             or tabs, as /\\r?\\n[ \\t]*/ does",
            grammar.terminals[layout.newline.index()].name
        )))
    }

    /// Whether there is any text, given where its terminals may end. If that takes long to find out, it is asked for
    /// each first byte, as the first mask does; if that takes long too, there may be.
    fn can_begin(&self) -> Result<bool, Error> {
        let generation = self.inner.generation();
        let machine = self.inner.machine(&generation);
        let budget = self.inner.core.limits.step_work.min(BEGINNING);
        let ask = |position| match machine.is_live(
            position,
            &mut Reach(u32::MAX),
            &mut Fuel::new(budget),
        ) {
            Err(Error::TooComplex { .. }) => Ok(None),
            found => found.map(Some),
        };
        let start = generation.start.position;
        if let Some(found) = ask(start)? {
            return Ok(found);
        }
        let (bounds, live) = machine.alphabet(start);
        for byte in bounds.firsts().filter(|&byte| live.has(byte)) {
            let mut fuel = Fuel::new(budget);
            match machine.step(start, byte, &mut Reach(u32::MAX), &mut fuel) {
                Ok(next) if ask(next)? == Some(false) => {}
                Err(error) if !matches!(error, Error::TooComplex { .. }) => return Err(error),
                _ => return Ok(true),
            }
        }
        Ok(machine.is_done(start) || machine.wants_special(start))
    }

    /// Rules that other rules call and that can never end, given where their terminals may end.
    pub(crate) fn endless_rules(&self) -> Result<Vec<RuleId>, Error> {
        let generation = self.inner.generation();
        let mut found = Vec::new();
        for rule in 0..self.inner.core.network.entry.len() as u32 {
            let mut fuel = Fuel::new(self.inner.core.limits.step_work);
            match self.inner.machine(&generation).can_end(RuleId(rule), &mut fuel) {
                Ok(false) => found.push(RuleId(rule)),
                Ok(true) | Err(Error::TooComplex { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Remarks on the grammar, such as rules that nothing uses.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.inner.warnings
    }

    /// The vocabulary that it was compiled for.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.inner.vocabulary
    }

    /// Bytes held, tables that were made on demand included; the vocabulary is not.
    pub fn memory_bytes(&self) -> usize {
        let generation = self.inner.generation();
        self.inner.core.memory_bytes() + generation.tables.bytes() + generation.masks.bytes()
    }

    /// States made so far, of one frame each: they are made when a text first needs them.
    pub fn num_states(&self) -> usize {
        self.inner.generation().tables.locals.len()
    }

    /// Trie nodes that masks have walked so far: a count of work, for tests and benchmarks.
    pub fn nodes_walked(&self) -> u64 {
        self.inner.generation().masks.nodes_walked()
    }
}

impl Inner {
    /// The tables that a new matcher begins with.
    pub(crate) fn generation(&self) -> Arc<Generation> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let limits = &self.core.limits;
        let full =
            current.tables.are_half_full(limits) || current.masks.bytes() >= limits.mask_bytes;
        // The first generation was made under the same limits, so a fresh one can be made too.
        if full && let Ok(fresh) = Generation::new(&self.core, self.unique_keys) {
            *current = Arc::new(fresh);
        }
        current.clone()
    }

    pub(crate) fn machine<'a>(&'a self, generation: &'a Generation) -> Machine<'a> {
        Machine { core: &self.core, tables: &generation.tables }
    }

    /// What follows the keys of objects and the items of arrays, if the grammar asks for that.
    pub(crate) fn keys<'a>(&'a self, generation: &'a Generation) -> Option<Keys<'a>> {
        let table = generation.keys.as_deref()?;
        let meter = &generation.tables.meter;
        Some(Keys { table, meter, state_bytes: self.core.limits.state_bytes })
    }

    pub(crate) fn masks<'a>(&'a self, generation: &'a Generation) -> Masks<'a> {
        Masks {
            machine: self.machine(generation),
            vocabulary: &self.vocabulary,
            table: &generation.masks,
            words: self.vocabulary.vocab_size().div_ceil(32),
        }
    }
}
