//! A local state in parts that can be walked one by one.
//!
//! What a set of items allows is what any of them allows. Together they lead to many states: a name beside twenty
//! keywords has one for each beginning of each, and in each grammar rule others. Apart they lead to few, in which loops
//! are seen, and the same parts come again in other states. A *front* is all items that read alike: they are at the same
//! place of the same terminal and owe the same.

use crate::automaton::{Item, LocalId, Machine, Position, Strand};

impl<'a> Machine<'a> {
    /// The states of the fronts of a local state; none if it is one front itself.
    pub(super) fn fronts(&self, local: LocalId) -> &'a [LocalId] {
        let state = self.tables.locals.get(local);
        state.fronts.get_or_init(|| {
            let front = |item: &Item| (item.awaits, item.obligation);
            let first = state.items.first().map(front);
            if state.items.iter().all(|item| Some(front(item)) == first) {
                return Box::default();
            }
            let mut items = state.items.to_vec();
            items.sort_by_key(front);
            let parts = items.chunk_by(|a, b| front(a) == front(b));
            let fronts: Box<[_]> = parts.map(|part| self.local(&mut part.to_vec())).collect();
            self.tables.meter.add(fronts.len() * size_of::<LocalId>());
            fronts
        })
    }

    /// Whether a position is more than one front.
    pub(super) fn has_fronts(&self, position: Position) -> bool {
        position.strand().is_none_or(|strand| !self.fronts(strand.local).is_empty())
    }

    /// The fronts of all strands of a position, each as a position of its own; none if it is one front itself.
    pub(super) fn fronts_of(&self, position: Position) -> Vec<Position> {
        let mut parts = Vec::new();
        for strand in self.strands(position) {
            match self.fronts(strand.local) {
                [] => parts.push(Position::single(strand)),
                fronts => parts.extend(
                    fronts.iter().map(|&local| Position::single(Strand { local, ..strand })),
                ),
            }
        }
        if parts.len() == 1 {
            parts.clear();
        }
        parts
    }
}
