//! Ends of terminals that are matched against pieces of the text too, as `dynamic_complete` does.
//!
//! Let a terminal match the first `n` characters of a text. Then it may also end wherever it would if the text was cut
//! behind some character before the `n`th, and began with it. Where a terminal asks nothing of the text around it, that
//! is so for each of its matches. Otherwise two matches of it are followed: the *whole* one, against the text as it is,
//! and that of the piece. Once the latter has ended, the text owes a place for the cut: one where what the piece's match
//! asked is met if nothing followed, and behind which the whole match goes on and comes about. The first such place will
//! do, since the others ask for more.

use super::duty::DutyId;
use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::obligation::{ObligationId, Obligations};
use super::table::{Bounds, Listed, Meter, Table};
use crate::error::Error;

/// The number of a list of pieces; 0 is none.
pub(super) type PiecesId = u32;

/// A match against a piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Piece {
    /// Where the whole match stands.
    whole: u32,
    /// What the match owes that has ended, up to the cut; [`OPEN`] if it has not.
    owed: ObligationId,
}

/// Of the one terminal that is being read.
const OPEN: ObligationId = ObligationId::MAX;

pub(super) struct Pieces(Table<Listed<Piece, ()>>);

impl Pieces {
    pub(super) fn new() -> Self {
        let lists = Table::new();
        lists.insert(Listed(Box::default(), ()));
        Self(lists)
    }

    fn list(&self, id: PiecesId) -> &[Piece] {
        &self.0.get(id).0
    }

    fn set(&self, mut list: Vec<Piece>, meter: &Meter) -> PiecesId {
        list.sort_unstable();
        list.dedup();
        let bytes = 32 + list.len() * size_of::<Piece>();
        let (id, new) = self.0.insert(Listed(list.into(), ()));
        if new {
            meter.add(bytes);
        }
        id
    }
}

impl Obligations {
    /// What is owed while a match against a piece is read, beside the whole match.
    pub(super) fn begin_piece(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        whole: u32,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        let (states, mut rest) = self.split(id);
        let mut list = self.pieces.list(rest.pieces).to_vec();
        list.push(Piece { whole, owed: OPEN });
        rest.pieces = self.pieces.set(list, run.meter);
        self.set(lexer, run, states.to_vec(), rest, fuel)
    }

    /// What is owed once that match has ended in a state under a duty; `None` if that cannot be met.
    pub(super) fn end_piece(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        id: ObligationId,
        (state, duty): (u32, DutyId),
        fuel: &mut Fuel,
    ) -> Result<Option<ObligationId>, Error> {
        let outranked = self.with(lexer, run, 0, state, fuel)?;
        let Some(owed) = self.with_duty(lexer, run, outranked, duty, fuel)? else {
            return Ok(None);
        };
        let (states, mut rest) = self.split(id);
        let ended =
            |piece: &Piece| if piece.owed == OPEN { Piece { owed, ..*piece } } else { *piece };
        let list = self.pieces.list(rest.pieces).iter().map(ended).collect();
        rest.pieces = self.pieces.set(list, run.meter);
        self.set(lexer, run, states.to_vec(), rest, fuel).map(Some)
    }

    /// The bytes at which something of these pieces may change.
    pub(super) fn bounds_of_pieces(&self, lexer: &Lexer, id: PiecesId) -> Bounds {
        let mut bounds = Bounds::default();
        for piece in self.pieces.list(id) {
            bounds.merge(&lexer.get(piece.whole).bounds);
            if piece.owed != OPEN {
                bounds.merge(&self.get(piece.owed).bounds);
                bounds.add(0x80, 0xBF);
            }
        }
        bounds
    }

    /// The pieces after one more byte, and the duty before it with what those add to it that are cut here; `None` if
    /// something of it cannot be met any more.
    pub(super) fn step_pieces(
        &self,
        lexer: &Lexer,
        run: Run<'_>,
        (id, mut duty): (PiecesId, DutyId),
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<(PiecesId, DutyId)>, Error> {
        if id == 0 {
            return Ok(Some((id, duty)));
        }
        let cuttable = !(0x80..0xC0).contains(&byte);
        let mut list = Vec::new();
        for &Piece { whole, owed } in self.pieces.list(id) {
            fuel.spend(1)?;
            if owed != OPEN && cuttable && self.get(owed).met {
                let to_come = lexer.match_to_come(run, whole)?;
                let Some(both) = to_come.and_then(|to_come| lexer.both(run, duty, to_come)) else {
                    return Ok(None);
                };
                duty = both;
                continue;
            }
            let whole = lexer.step(run, whole, byte, fuel)?;
            if !lexer.get(whole).goes_on() {
                return Ok(None);
            }
            let owed = match owed {
                OPEN => Some(OPEN),
                owed => self.step(lexer, run, owed, byte, fuel)?,
            };
            let Some(owed) = owed else { return Ok(None) };
            list.push(Piece { whole, owed });
        }
        Ok(Some((self.pieces.set(list, run.meter), duty)))
    }
}
