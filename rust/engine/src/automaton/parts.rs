//! A local state by what its items read.
//!
//! What a terminal reads depends on the terminal alone, and only what follows behind it on where it stands. So items at
//! the same place of a terminal are a *part*, of which what follows is asked once they have ended.

use std::sync::OnceLock;

use super::fuel::Fuel;
use super::local::{Await, Item, LocalId, MoveId, Point};
use super::machine::Machine;
use super::position::{Position, Reach, Strand};
use super::stack::StackId;
use crate::error::Error;
use crate::pattern::Stepper;
use crate::terminal::Common;

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

/// Items that are at the same place of a terminal.
pub(crate) struct Part {
    /// The state of the terminal.
    pub(crate) lexer: u32,
    /// What that is in all grammars, if it is that.
    pub(crate) common: Option<Common>,
    items: Box<[Item]>,
    /// The local state of these items.
    own: OnceLock<LocalId>,
    /// What they do once the terminal has ended.
    behind: OnceLock<MoveId>,
}

impl<'a> Machine<'a> {
    pub(super) fn sharing(&self, item: &Item) -> Sharing {
        match item.awaits {
            Await::Lexer(state, _) if !self.core.has_obligations() => {
                match self.tables.lexer.get(state).common {
                    None => Sharing::None,
                    Some(common) if common.is_exact() => Sharing::Wholly,
                    Some(_) => Sharing::Nearly,
                }
            }
            _ => Sharing::None,
        }
    }

    /// How far some strand reads what all grammars share.
    #[inline]
    pub(crate) fn shares(&self, position: Position) -> Sharing {
        let locals = &self.tables.locals;
        let sharing = self.strands(position).map(|strand| locals.get(strand.local).sharing);
        sharing.max().unwrap_or_default()
    }

    /// The parts of a local state, where no obligations are.
    pub(crate) fn parts_of(&self, id: LocalId) -> &'a [Part] {
        let local = self.tables.locals.get(id);
        local.parts.get_or_init(|| {
            let mut items: Vec<(u32, Item)> = Vec::with_capacity(local.items.len());
            items.extend(local.items.iter().filter_map(|item| match item.awaits {
                Await::Lexer(state, _) => Some((state, *item)),
                Await::Token(_) | Await::Nothing => None,
            }));
            // Sorted as they are in the state, so by lexer state first.
            let parts: Box<[Part]> = items
                .chunk_by(|a, b| a.0 == b.0)
                .map(|part| Part {
                    lexer: part[0].0,
                    common: self.tables.lexer.get(part[0].0).common,
                    items: part.iter().map(|item| item.1).collect(),
                    own: OnceLock::new(),
                    behind: OnceLock::new(),
                })
                .collect();
            let bytes = parts.len() * size_of::<Part>() + items.len() * size_of::<Item>();
            self.tables.meter.add(bytes);
            parts
        })
    }

    /// The local state of a part of a local state.
    pub(crate) fn own(&self, of: LocalId, part: &Part) -> LocalId {
        *part.own.get_or_init(|| {
            let whole = self.tables.locals.get(of).items.len() == part.items.len();
            if whole { of } else { self.local(&mut part.items.to_vec()) }
        })
    }

    /// The local state of several parts together.
    pub(crate) fn together(&self, of: LocalId, parts: &[&Part]) -> LocalId {
        match parts {
            [] => 0,
            [part] => self.own(of, part),
            parts => {
                let items = parts.iter().flat_map(|part| &part.items).copied();
                self.local(&mut items.collect())
            }
        }
    }

    /// The automaton that all grammars share and that a part is in.
    pub(crate) fn automaton(&self, part: &Part) -> &'a dyn Stepper {
        self.tables.lexer.automaton(self.run(), part.lexer).expect("the state is a common one")
    }

    /// Where a strand is once the terminal of a part has ended.
    pub(crate) fn behind(
        &self,
        part: &Part,
        stack: StackId,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        let id = match part.behind.get() {
            Some(&known) => known,
            None => {
                let points = part.items.iter().map(|item| {
                    let Item { node, context, obligation, .. } = *item;
                    Point { node, context, obligation }
                });
                let made = self.close_points(points, fuel)?;
                *part.behind.get_or_init(|| made)
            }
        };
        match self.stays(id) {
            Some(local) => Ok(Position::single(Strand { local, stack })),
            None => self.carry_out(id, stack, reach, fuel),
        }
    }
}
