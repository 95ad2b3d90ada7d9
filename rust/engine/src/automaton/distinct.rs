//! Arrays whose items must differ: which strands stand right inside of one.
//!
//! Whether an item equals another one is known outside, see [`crate::keys`]. Where it does, the strands for which that
//! is allowed go on.

use super::fuel::Fuel;
use super::local::Item;
use super::machine::Machine;
use super::position::{Position, Strand};
use crate::error::Error;
use crate::grammar::Within;

impl Machine<'_> {
    /// Whether the innermost open container of some strand is an array whose items must differ.
    pub(crate) fn is_distinct(&self, position: Position) -> bool {
        self.strands(position).any(|strand| {
            self.tables.locals.get(strand.local).items.iter().any(|item| self.is_within(item))
        })
    }

    /// The position without what stands right inside of such an array.
    pub(crate) fn without_distinct(
        &self,
        position: Position,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        let mut left = Vec::new();
        for strand in self.strands(position) {
            let items = &self.tables.locals.get(strand.local).items;
            fuel.spend(items.len() as u64)?;
            let mut kept = items.iter().copied().filter(|i| !self.is_within(i)).collect();
            let local = self.local(&mut kept);
            if local != 0 {
                left.push(Strand { local, ..strand });
            }
        }
        self.position(left, fuel)
    }

    fn is_within(&self, item: &Item) -> bool {
        // What stands for a whole value is inside of what its caller is.
        let mut around = std::iter::once(item.node).chain(self.returns(item.context));
        around
            .find_map(|node| match self.node(node).within {
                Within::Caller => None,
                within => Some(within),
            })
            .is_some_and(|within| within == Within::DistinctItems)
    }
}
