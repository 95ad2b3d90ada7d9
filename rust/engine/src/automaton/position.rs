//! Where a text stands: a set of strands, each a local state on a stack.
//!
//! [`Machine::step`] is the one function that reads a byte. Masks and accepting both go through it.

use super::context::Contexts;
use super::fuel::Fuel;
use super::local::{Await, Item, LocalId, MoveId, Point};
use super::machine::Machine;
use super::network::NodeId;
use super::obligation::ObligationId;
use super::stack::{Stack, StackId};
use super::table::{Bounds, ByteSet, Listed};
use crate::error::Error;
use crate::ids::TokenId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Strand {
    pub(crate) local: LocalId,
    pub(crate) stack: StackId,
}

/// A set of strands in one word: a single strand as it is, several by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position(u64);

/// How far down a walk has read the stack: the least height of a node whose edges it followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach(pub(crate) u32);

/// What goes on below a frame whose rule ended, and how far down that read.
pub(crate) struct Popped {
    strands: Box<[Strand]>,
    reach: u32,
}

impl Position {
    /// Nothing can follow.
    pub(crate) const DEAD: Self = Self(0);
    const SEVERAL: u64 = 1 << 63;

    pub(crate) fn single(strand: Strand) -> Self {
        Self(u64::from(strand.local) << 32 | u64::from(strand.stack))
    }

    /// The strand, if there is just one.
    #[inline]
    pub(crate) fn strand(self) -> Option<Strand> {
        (self.0 & Self::SEVERAL == 0 && self != Self::DEAD)
            .then_some(Strand { local: (self.0 >> 32) as u32, stack: self.0 as u32 })
    }
}

impl Machine<'_> {
    /// Calls `visit` with each strand.
    #[inline]
    pub(crate) fn strands(&self, position: Position) -> impl Iterator<Item = Strand> + '_ {
        let single = position.strand();
        let several: &[Strand] = if position.0 & Position::SEVERAL != 0 {
            &self.tables.strands.get(position.0 as u32).0
        } else {
            &[]
        };
        single.into_iter().chain(several.iter().copied())
    }

    /// Where a text begins.
    pub(crate) fn start(&self, fuel: &mut Fuel) -> Result<Position, Error> {
        let position = self.begin(self.core.network.start, fuel)?;
        if !self.core.network.nullable {
            return Ok(position);
        }
        let mut out: Vec<Strand> = self.strands(position).collect();
        out.push(Strand { local: self.done(0), stack: Stack::ROOT });
        self.position(out, fuel)
    }

    /// Where a text of the rule that starts at a node begins.
    pub(super) fn begin(&self, node: NodeId, fuel: &mut Fuel) -> Result<Position, Error> {
        let obligation = self.first_obligation(fuel)?;
        let first = self.close_point(Point { node, context: 0, obligation }, fuel)?;
        let mut out = Vec::new();
        self.apply(first, Stack::ROOT, &mut out, &mut Reach(u32::MAX), fuel)?;
        self.position(out, fuel)
    }

    fn done(&self, obligation: ObligationId) -> LocalId {
        self.local(&mut vec![Item { awaits: Await::Nothing, node: 0, context: 0, obligation }])
    }

    /// The position after one more byte.
    #[inline]
    pub(crate) fn step(
        &self,
        position: Position,
        byte: u8,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        if let Some(Strand { local, stack }) = position.strand() {
            let id = self.step_local(local, byte, fuel)?;
            if let Some(local) = self.stays(id) {
                return Ok(if local == 0 {
                    Position::DEAD
                } else {
                    Position::single(Strand { local, stack })
                });
            }
            let made = self.parts(id);
            if made.stay == 0
                && made.pops.is_empty()
                && let [(returns, inner)] = *made.pushes
                && let Some(local) = self.stays(inner)
            {
                let meter = &self.tables.meter;
                let returns = self.tables.contexts.list(returns);
                let stack =
                    returns.iter().fold(stack, |s, &r| self.tables.stacks.push(r, s, meter));
                return Ok(Position::single(Strand { local, stack }));
            }
        }
        let (next, read) = match self.tables.steps.get((position, byte)) {
            Some(known) => known,
            None => self.make_position(position, byte, fuel)?,
        };
        reach.0 = reach.0.min(read.0);
        Ok(next)
    }

    #[cold]
    fn make_position(
        &self,
        position: Position,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<(Position, Reach), Error> {
        let mut reach = Reach(u32::MAX);
        let step = |local, fuel: &mut Fuel| self.step_local(local, byte, fuel);
        let next = self.step_strands(position, step, &mut reach, fuel)?;
        if self.check_memory().is_err() {
            // Nothing is missing: it is only not remembered.
            return Ok((next, reach));
        }
        self.tables.meter.add(48);
        Ok(self.tables.steps.set((position, byte), (next, reach)))
    }

    /// The position after a special token that the grammar asks for.
    pub(crate) fn step_special(
        &self,
        position: Position,
        token: TokenId,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        self.step_strands(
            position,
            |local, fuel| self.step_token(local, token, fuel),
            &mut Reach(u32::MAX),
            fuel,
        )
    }

    fn step_strands(
        &self,
        position: Position,
        step: impl Fn(LocalId, &mut Fuel) -> Result<MoveId, Error>,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        let mut out = Vec::new();
        for strand in self.strands(position) {
            fuel.spend(1)?;
            let id = step(strand.local, fuel)?;
            self.apply(id, strand.stack, &mut out, reach, fuel)?;
        }
        self.position(out, fuel)
    }

    /// The position after a move of one strand.
    pub(super) fn carry_out(
        &self,
        id: MoveId,
        stack: StackId,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        let mut out = Vec::new();
        self.apply(id, stack, &mut out, reach, fuel)?;
        self.position(out, fuel)
    }

    /// Carries out a move on a stack. What lies below a frame that ends is read through [`Self::popped`].
    fn apply(
        &self,
        id: MoveId,
        stack: StackId,
        out: &mut Vec<Strand>,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<(), Error> {
        let mut todo = vec![(id, stack)];
        while let Some((id, stack)) = todo.pop() {
            let made = self.parts(id);
            if made.stay != 0 {
                out.push(Strand { local: made.stay, stack });
            }
            for &(returns, inner) in made.pushes {
                let meter = &self.tables.meter;
                let returns = self.tables.contexts.list(returns);
                todo.push((
                    inner,
                    returns.iter().fold(stack, |s, &r| self.tables.stacks.push(r, s, meter)),
                ));
            }
            for &obligation in made.pops {
                let popped = self.popped(stack, obligation, fuel)?;
                out.extend_from_slice(&popped.strands);
                reach.0 = reach.0.min(popped.reach);
            }
        }
        Ok(())
    }

    /// What goes on below a frame of `stack` that ends under an obligation; remembered, so that a chain of ends is
    /// followed only once. The list of open questions stands in for recursion.
    fn popped(
        &self,
        stack: StackId,
        obligation: ObligationId,
        fuel: &mut Fuel,
    ) -> Result<&Popped, Error> {
        let table = &self.tables.popped;
        let mut todo = vec![(stack, obligation)];
        while let Some(&key) = todo.last() {
            if table.lookup(&key).is_some() {
                todo.pop();
                continue;
            }
            fuel.spend(1)?;
            self.check_memory()?;
            let mut out = Vec::new();
            let mut reach = self.tables.stacks.height(key.0);
            let open = todo.len();
            for &(at, below) in self.tables.stacks.edges(key.0) {
                if at == Contexts::DONE {
                    out.push(Strand { local: self.done(key.1), stack: Stack::ROOT });
                    continue;
                }
                let (node, context) = self.tables.contexts.place(at);
                let id = self.close_point(Point { node, context, obligation: key.1 }, fuel)?;
                let made = self.parts(id);
                if made.stay != 0 {
                    out.push(Strand { local: made.stay, stack: below });
                }
                for &obligation in made.pops {
                    match table.lookup(&(below, obligation)) {
                        Some(id) => {
                            let popped = &table.get(id).1;
                            out.extend_from_slice(&popped.strands);
                            reach = reach.min(popped.reach);
                        }
                        None => todo.push((below, obligation)),
                    }
                }
            }
            if todo.len() == open {
                self.merge(&mut out, fuel)?;
                self.tables.meter.add(96 + out.len() * 8);
                table.insert((key, Popped { strands: out.into(), reach }));
            }
        }
        let id = table.lookup(&(stack, obligation)).expect("made above");
        Ok(&table.get(id).1)
    }

    /// Strands with the same stack become one, then strands with the same local state.
    fn merge(&self, strands: &mut Vec<Strand>, fuel: &mut Fuel) -> Result<(), Error> {
        if strands.len() < 2 {
            return Ok(());
        }
        strands.sort_unstable_by_key(|s| (s.stack, s.local));
        strands.dedup_by(|next, kept| {
            let same = next.stack == kept.stack;
            if same {
                kept.local = self.union_local(kept.local, next.local);
            }
            same
        });
        strands.sort_unstable();
        let (tables, most) = (self.tables, self.core.limits.state_bytes);
        let mut failed = None;
        strands.dedup_by(|next, kept| {
            let same = next.local == kept.local && failed.is_none();
            if same {
                match tables.stacks.union(kept.stack, next.stack, &tables.meter, most, fuel) {
                    Ok(stack) => kept.stack = stack,
                    Err(error) => failed = Some(error),
                }
            }
            same
        });
        failed.map_or(Ok(()), Err)
    }

    pub(super) fn position(
        &self,
        mut strands: Vec<Strand>,
        fuel: &mut Fuel,
    ) -> Result<Position, Error> {
        self.merge(&mut strands, fuel)?;
        Ok(match strands[..] {
            [] => Position::DEAD,
            [strand] => Position::single(strand),
            _ => {
                let bytes = 48 + strands.len() * 8;
                let (id, new) =
                    self.tables.strands.intern(&strands, || Listed(strands.as_slice().into(), ()));
                if new {
                    self.tables.meter.add(bytes);
                }
                Position(Position::SEVERAL | u64::from(id))
            }
        })
    }

    /// The bytes at which transitions may change, and those that may lead on.
    pub(crate) fn alphabet(&self, position: Position) -> (Bounds, ByteSet) {
        let (mut bounds, mut live) = (Bounds::default(), ByteSet::default());
        for strand in self.strands(position) {
            let local = self.tables.locals.get(strand.local);
            bounds.merge(&local.bounds);
            live.merge(&local.live);
        }
        (bounds, live)
    }

    /// The bytes that may lead on.
    #[inline]
    pub(crate) fn live_bytes(&self, position: Position) -> ByteSet {
        match position.strand() {
            Some(strand) => self.tables.locals.get(strand.local).live,
            None => self.alphabet(position).1,
        }
    }

    /// Whether the text is complete here.
    pub(crate) fn is_done(&self, position: Position) -> bool {
        self.strands(position).any(|s| self.tables.locals.get(s.local).done)
    }

    /// Whether a special token can follow.
    pub(crate) fn wants_special(&self, position: Position) -> bool {
        self.strands(position).any(|s| self.tables.locals.get(s.local).tokens)
    }
}
