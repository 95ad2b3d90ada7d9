//! What compiling a grammar leaves: immutable, and the same for every vocabulary.

use std::sync::Arc;

use super::local::Debt;
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
    /// Terminals that match otherwise against a piece of the text, where they are matched against pieces.
    cut: Vec<TerminalId>,
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
        let (mut looking_back, mut cut) = (Vec::new(), Vec::new());
        for (number, terminal) in grammar.terminals.iter().enumerate() {
            let pattern = match grammar.ending {
                Ending::Free => terminal.to_run()?,
                _ => terminal.whole(),
            };
            let void = pattern.is_void();
            let pc = if void { 0 } else { program.add(&pattern, None)? };
            starts.push(pc);
            if !void && grammar.ending.is_ordered() && pattern.has_look() {
                let decided = is_decided(&pattern);
                if !decided {
                    looking_back.push(pc);
                }
                if grammar.ending == Ending::DynamicComplete && (!decided || pattern.looks_ahead())
                {
                    cut.push(TerminalId(number as u32));
                }
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
            cut,
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
        self.ending.is_ordered()
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

    /// What a terminal leaves where it ends, as matched against the whole text.
    pub(super) fn debt(&self, label: Label) -> Debt {
        match self.ending {
            Ending::Free => Debt::None,
            Ending::Longest | Ending::Dynamic => Debt::Rank,
            Ending::DynamicComplete => match label {
                Label::Ignored(_) | Label::Newline(_) => Debt::Rank,
                _ if self.is_cut(label) => Debt::Rank,
                _ => Debt::None,
            },
        }
    }

    /// Whether a terminal is matched against pieces of the text too, and not in the same way.
    pub(super) fn is_cut(&self, label: Label) -> bool {
        matches!(label, Label::Terminal(terminal) if self.cut.contains(&terminal))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let nodes = &self.network.nodes;
        let edges: usize = nodes.iter().map(|n| n.edges.len()).sum();
        edges * 12 + nodes.len() * 28 + self.program.len() as usize * 48
    }
}
