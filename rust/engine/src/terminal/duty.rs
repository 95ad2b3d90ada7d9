//! Duties: what the rest of the text must match and must not, all of it.
//!
//! A duty is an interned set of lexer states, each of which is to accept at the end of the text or not to. What holds
//! already, whatever follows, is left out; a duty that cannot be met any more is none.

use super::lexer::Lexer;
use super::table::{Bounds, ByteTable, Keyed, Table};

/// The number of a duty; 0 asks for nothing.
pub(crate) type DutyId = u32;

/// A state and whether it must not accept.
pub(super) type Term = (u32, bool);

pub(super) struct Duty {
    terms: Box<[Term]>,
    pub(super) bounds: Bounds,
    /// At least so many bytes until it can be met.
    pub(super) least: u32,
    /// Whether it is met if the text ends here.
    pub(super) met: bool,
    pub(super) depth: u32,
    /// Transitions, as one more than the duty, or 0 if it fails.
    pub(super) next: ByteTable,
}

impl Keyed for Duty {
    type Key = [Term];
    fn key(&self) -> &[Term] {
        &self.terms
    }
}

pub(super) struct Duties(Table<Duty>);

impl Duties {
    pub(super) const NONE: DutyId = 0;

    pub(super) fn new() -> Self {
        let duties = Self(Table::new());
        duties.0.insert(Duty {
            terms: Box::default(),
            bounds: Bounds::default(),
            least: 0,
            met: true,
            depth: 0,
            next: ByteTable::default(),
        });
        duties
    }

    pub(super) fn get(&self, id: DutyId) -> &Duty {
        self.0.get(id)
    }

    pub(super) fn terms(&self, id: DutyId) -> &[Term] {
        &self.0.get(id).terms
    }

    /// The duty of all these terms, with the bytes of memory that it took; `None` if it cannot be met.
    pub(super) fn set(&self, lexer: &Lexer, terms: Vec<Term>) -> Option<(DutyId, usize)> {
        let mut kept: Vec<Term> = Vec::with_capacity(terms.len());
        for (state, negative) in terms {
            let holds = match state {
                Lexer::ALL => Some(true),
                _ if lexer.get(state).is_dead() => Some(false),
                _ => None,
            };
            match holds {
                None => kept.push((state, negative)),
                Some(holds) if holds == negative => return None,
                Some(_) => {}
            }
        }
        if kept.is_empty() {
            return Some((Self::NONE, 0));
        }
        kept.sort_unstable();
        kept.dedup();
        if kept.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        if let Some(id) = self.0.lookup(&kept) {
            return Some((id, 0));
        }
        let (mut bounds, mut least, mut met, mut depth) = (Bounds::default(), 0, true, 0);
        for &(state, negative) in &kept {
            let state = lexer.get(state);
            bounds.merge(&state.bounds);
            met &= state.accepts() != negative;
            depth = depth.max(state.depth + 1);
            if !negative {
                least = least.max(state.least);
            }
        }
        let bytes = size_of::<Duty>() + kept.len() * 8 + 32;
        let duty =
            Duty { terms: kept.into(), bounds, least, met, depth, next: ByteTable::default() };
        Some((self.0.insert(duty).0, bytes))
    }

    /// Whether whatever meets `strong` meets `weak`, as far as their terms show.
    pub(super) fn implies(&self, strong: DutyId, weak: DutyId) -> bool {
        if weak == Self::NONE || weak == strong {
            return true;
        }
        let strong = self.terms(strong);
        self.terms(weak).iter().all(|term| strong.binary_search(term).is_ok())
    }
}
