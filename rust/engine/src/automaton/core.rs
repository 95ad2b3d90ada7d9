//! What compiling a grammar leaves: immutable, and the same for every vocabulary.

use std::sync::Arc;

use super::network::Network;
use super::program::{Pc, Program};
use super::sketch::Label;
use crate::error::Error;
use crate::grammar::{Ending, Grammar, Layout, Source};
use crate::ids::TerminalId;
use crate::limits::Limits;
use crate::pattern::is_decided;
use crate::terminal::Missing;

/// The network of the rules and the program of the terminals.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) network: Network,
    pub(crate) program: Arc<Program>,
    pub(crate) sources: Vec<Arc<dyn Source>>,
    /// Where each terminal starts in the program.
    pub(super) starts: Vec<Pc>,
    ending: Ending,
    /// Where terminals start that look at the text before them.
    pub(super) looking_back: Vec<Pc>,
    pub(super) layout: Option<Layout>,
    /// Bytes that the vocabulary cannot write one by one, if there are any.
    pub(super) missing: Option<Box<Missing>>,
    pub(crate) limits: Limits,
}

impl Core {
    pub(crate) fn new(grammar: &Grammar, limits: &Limits, missing: &[u8]) -> Result<Self, Error> {
        let program = Arc::new(Program::new(limits));
        let mut starts = Vec::with_capacity(grammar.terminals.len());
        let mut lengths = Vec::with_capacity(grammar.terminals.len());
        let mut looking_back = Vec::new();
        for terminal in &grammar.terminals {
            let pattern = terminal.whole();
            let void = pattern.is_void();
            let pc = if void { 0 } else { program.add(&pattern, None)? };
            starts.push(pc);
            if !void && grammar.ending == Ending::Dynamic && !is_decided(&pattern) {
                looking_back.push(pc);
            }
            // A terminal that can be empty has an empty move beside it.
            lengths.push(if void { u32::MAX } else { program.rest(pc) });
        }
        let network = Network::new(grammar, limits, &lengths)?;
        Ok(Self {
            network,
            program,
            sources: grammar.sources.clone(),
            starts,
            ending: grammar.ending,
            looking_back,
            layout: grammar.layout,
            missing: (!missing.is_empty()).then(|| {
                let mut table = Box::new([false; 256]);
                missing.iter().for_each(|&byte| table[usize::from(byte)] = true);
                table
            }),
            limits: limits.clone(),
        })
    }

    pub(crate) fn start_of(&self, terminal: TerminalId) -> Pc {
        self.starts[terminal.index()]
    }

    /// Whether the threads of a terminal have an order of preference.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(self.ending, Ending::Dynamic | Ending::DynamicComplete)
    }

    /// Bytes that some text can hold, or more.
    pub(super) fn used_bytes(&self) -> [bool; 256] {
        let mut used = self.program.used_bytes();
        for source in &self.sources {
            for (used, also) in used.iter_mut().zip(source.used_bytes()) {
                *used |= also;
            }
        }
        used
    }

    /// Whether any end can leave an obligation.
    pub(crate) fn has_obligations(&self) -> bool {
        self.ending != Ending::Free
    }

    /// Whether what outranks a match must not match later.
    pub(crate) fn obliges(&self, label: Label) -> bool {
        match self.ending {
            Ending::Free => false,
            Ending::Longest | Ending::Dynamic => true,
            Ending::DynamicComplete => matches!(label, Label::Ignored(_) | Label::Newline(_)),
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let nodes = &self.network.nodes;
        let edges: usize = nodes.iter().map(|n| n.edges.len()).sum();
        edges * 12 + nodes.len() * 28 + self.program.len() as usize * 48
    }
}
