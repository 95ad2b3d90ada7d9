//! Positions that differ only in the round of one counted loop. See [`crate::terminal::rounds`].

use super::lexer_rounds::Rounds;
use super::local::Await;
use super::machine::Machine;
use super::position::{Position, Strand};
use crate::error::Error;

impl Machine<'_> {
    /// Whether all terminals are automata by rules of their own, which count in no loops.
    pub(crate) fn is_lazy(&self, position: Position) -> bool {
        self.strands(position).all(|strand| {
            let items = &self.tables.locals.get(strand.local).items;
            items.iter().all(|item| match item.awaits {
                Await::Lexer(state, _) => self.tables.lexer.is_lazy(self.run(), state),
                _ => true,
            })
        })
    }

    /// The round that a position is in, where only one terminal goes on, in one counted loop, and owes nothing.
    pub(crate) fn rounds(&self, position: Position) -> Option<Rounds> {
        let local = self.tables.locals.get(position.strand()?.local);
        match *local.items {
            [item] if item.obligation == 0 => match item.awaits {
                Await::Lexer(state, _) => self.tables.lexer.rounds(self.run(), state),
                _ => None,
            },
            _ => None,
        }
    }

    /// Such a position in another round, up to one past the last.
    pub(crate) fn in_round(&self, position: Position, round: u32) -> Result<Position, Error> {
        let strand = position.strand().expect("its round is known");
        let mut items = self.tables.locals.get(strand.local).items.to_vec();
        for item in &mut items {
            if let Await::Lexer(state, _) = &mut item.awaits {
                *state = self.tables.lexer.in_round(self.run(), *state, round)?;
            }
        }
        Ok(Position::single(Strand { local: self.local(&mut items), ..strand }))
    }
}
