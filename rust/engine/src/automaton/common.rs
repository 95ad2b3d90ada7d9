//! Items whose terminals all grammars share: what they read depends on the terminal alone, and only what follows behind
//! it on the grammar.

use super::fuel::Fuel;
use super::local::{Await, Item, LocalId, MoveId, Point};
use super::machine::Machine;
use super::position::{Position, Reach, Strand};
use super::stack::StackId;
use crate::error::Error;
use crate::pattern::Stepper;
use crate::terminal::Common;

/// A local state, divided.
pub(crate) struct Division {
    /// By terminal.
    pub(crate) common: Box<[CommonPart]>,
    /// All other items; 0 if there are none.
    pub(crate) others: LocalId,
}

/// How far an item, or one of several, reads what all grammars share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sharing {
    /// Not at all.
    #[default]
    None,
    /// But for some bytes.
    Nearly,
    Wholly,
}

/// Items that are at the same place of a terminal that all grammars share.
#[derive(Clone, Copy)]
pub(crate) struct CommonPart {
    pub(crate) at: Common,
    /// The lexer state that stands for that here.
    lexer: u32,
    /// The local state of these items.
    pub(crate) own: LocalId,
    /// What they do once the terminal has ended.
    behind: MoveId,
}

impl<'a> Machine<'a> {
    pub(super) fn sharing(&self, item: &Item) -> Sharing {
        match self.common(item) {
            None => Sharing::None,
            Some((common, _)) if common.is_exact() => Sharing::Wholly,
            Some(_) => Sharing::Nearly,
        }
    }

    /// What an item reads that all grammars share, if it owes nothing, and its lexer state.
    fn common(&self, item: &Item) -> Option<(Common, u32)> {
        match item.awaits {
            Await::Lexer(state, _) if !self.core.has_obligations() => {
                self.tables.lexer.get(state).common.map(|common| (common, state))
            }
            _ => None,
        }
    }

    /// How far some strand reads such a terminal.
    #[inline]
    pub(crate) fn shares(&self, position: Position) -> Sharing {
        let locals = &self.tables.locals;
        self.strands(position).map(|strand| locals.get(strand.local).common).max().unwrap_or_default()
    }

    /// A local state by what it reads.
    pub(crate) fn division(&self, id: LocalId, fuel: &mut Fuel) -> Result<&'a Division, Error> {
        let local = self.tables.locals.get(id);
        if let Some(known) = local.division.get() {
            return Ok(known);
        }
        let mut others: Vec<Item> = Vec::new();
        let mut parts: Vec<(Common, u32, Vec<Item>)> = Vec::new();
        for &item in &local.items {
            match self.common(&item) {
                None => others.push(item),
                Some((at, lexer)) => match parts.iter_mut().find(|part| part.1 == lexer) {
                    Some(part) => part.2.push(item),
                    None => parts.push((at, lexer, vec![item])),
                },
            }
        }
        let mut common = Vec::with_capacity(parts.len());
        for (at, lexer, mut items) in parts {
            let points = items.iter().map(|item| {
                let Item { node, context, obligation, .. } = *item;
                Point { node, context, obligation }
            });
            let behind = self.close_points(points, fuel)?;
            let own = if items.len() == local.items.len() { id } else { self.local(&mut items) };
            common.push(CommonPart { at, lexer, own, behind });
        }
        let others = if others.is_empty() { 0 } else { self.local(&mut others) };
        let bytes = size_of::<Division>() + common.len() * size_of::<CommonPart>();
        Ok(local.division.get_or_init(|| {
            self.tables.meter.add(bytes);
            Box::new(Division { common: common.into(), others })
        }))
    }

    /// The automaton of a part.
    pub(crate) fn automaton(&self, part: CommonPart) -> &'a dyn Stepper {
        self.tables.lexer.automaton(self.run(), part.lexer).expect("the state is a common one")
    }

    /// Where a strand is once the terminal of one of its parts has ended.
    pub(crate) fn behind(
        &self,
        part: CommonPart,
        stack: StackId,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        if let Some(local) = self.stays(part.behind) {
            return Ok(Position::single(Strand { local, stack }));
        }
        self.carry_out(part.behind, stack, reach, fuel)
    }
}
