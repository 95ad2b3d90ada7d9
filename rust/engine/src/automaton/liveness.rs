//! Whether a text can still be completed.
//!
//! Without obligations every position can: the networks hold nothing that cannot end. With them, a terminal may be
//! followed only by what its longer matches begin with too, and then nothing can follow it. That is found out by
//! searching for a way to the end. To search once and not for each stack, the question is split: of a local state some
//! *ends* are known, obligations under which its frame can end, and so they are for each place that a stack returns to.
//! Where they lead to the end of the text, the position is live; only otherwise the whole of it is searched.
//!
//! What is known of one stack holds for another only if both can go on after the same ends. A stack is *good* if it, and
//! all below, can go on after every end that was ever relied on.

use super::context::Contexts;
use super::ends::Work;
use super::fuel::Fuel;
use super::machine::Machine;
use super::obligation::ObligationId;
use super::position::{Position, Reach, Strand};
use super::stack::StackId;
use crate::error::Error;
use crate::ids::RuleId;

impl Machine<'_> {
    /// Whether some text goes on from here to a complete one. `reach` is lowered if that depends on more of the stack
    /// than that it is good.
    pub(crate) fn is_live(
        &self,
        position: Position,
        reach: &mut Reach,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        if position == Position::DEAD {
            return Ok(false);
        }
        if !self.core.has_obligations() {
            return Ok(true);
        }
        for strand in self.strands(position) {
            let local = self.tables.locals.get(strand.local);
            if local.done || local.tokens {
                return Ok(true);
            }
        }
        for strand in self.strands(position) {
            if self.is_easily_live(strand, fuel)? {
                return Ok(true);
            }
        }
        reach.0 = 0;
        if let Some(known) = self.tables.live.get(position) {
            return Ok(known);
        }
        let goal = |p: Position| {
            self.is_done(p) || self.wants_special(p) || self.tables.live.get(p) == Some(true)
        };
        // All positions on the way are live, so that each bit of a way is looked for once.
        let Some(way) = self.search(position, goal, fuel)? else {
            return Ok(self.tables.live.set(position, false));
        };
        let mut at = position;
        for byte in way {
            self.tables.meter.add(32);
            self.tables.live.set(at, true);
            at = self.step(at, byte, &mut Reach(u32::MAX), fuel)?;
        }
        Ok(self.tables.live.set(position, true))
    }

    /// Whether some text is one of the rule's.
    pub(crate) fn can_end(&self, rule: RuleId, fuel: &mut Fuel) -> Result<bool, Error> {
        let Some(node) = self.core.network.entry[rule.index()] else { return Ok(true) };
        let position = self.begin(node, fuel)?;
        self.is_live(position, &mut Reach(u32::MAX), fuel)
    }

    /// Whether that is so, where it takes little work to see.
    pub(crate) fn is_easily_live(&self, strand: Strand, fuel: &mut Fuel) -> Result<bool, Error> {
        if !self.core.has_obligations() {
            return Ok(true);
        }
        for end in self.ends(strand.local, &mut Work::default(), fuel)?.settled() {
            if self.goes_on_after(strand.stack, end, fuel)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a stack leads to the end of the text after a frame on it that ended like this, as far as that is easily
    /// seen.
    fn goes_on_after(
        &self,
        stack: StackId,
        end: ObligationId,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        let memo = &self.tables.goes_on;
        let mut todo = vec![(stack, end)];
        'open: while let Some(&(node, end)) = todo.last() {
            if memo.get((node, end)).is_some() {
                todo.pop();
                continue;
            }
            self.tables.relied.insert((end, ()));
            let open = todo.len();
            for &(at, below) in self.tables.stacks.edges(node) {
                if at == Contexts::DONE {
                    if self.tables.obligations.get(end).met {
                        todo.truncate(open);
                        memo.set((node, end), true);
                        continue 'open;
                    }
                    continue;
                }
                for after in self.ends_of_return(at, end, &mut Work::default(), fuel)?.settled() {
                    match memo.get((below, after)) {
                        Some(true) => {
                            todo.truncate(open);
                            memo.set((node, end), true);
                            continue 'open;
                        }
                        Some(false) => {}
                        None => todo.push((below, after)),
                    }
                }
            }
            if todo.len() == open {
                self.tables.meter.add(40);
                memo.set((node, end), false);
            }
        }
        Ok(memo.get((stack, end)) == Some(true))
    }

    /// Whether the stack, and every one below, can go on after all ends that were relied on.
    pub(crate) fn is_good_stack(&self, stack: StackId, fuel: &mut Fuel) -> Result<bool, Error> {
        let memo = &self.tables.good_stacks;
        let relied = &self.tables.relied;
        let mut todo = vec![stack];
        while let Some(&node) = todo.last() {
            let count = relied.len();
            if memo.get((node, count)).is_some() {
                todo.pop();
                continue;
            }
            let open = todo.len();
            let mut good = true;
            for &(at, below) in self.tables.stacks.edges(node) {
                if at != Contexts::DONE {
                    match memo.get((below, count)) {
                        Some(known) => good &= known,
                        None => todo.push(below),
                    }
                }
            }
            if todo.len() > open {
                continue;
            }
            for end in 0..count {
                good = good && self.goes_on_after(node, relied.get(end as u32).0, fuel)?;
            }
            self.tables.meter.add(40);
            // If more was relied on to find that out, it is asked again for all of it.
            memo.set((node, count), good);
        }
        Ok(memo.get((stack, relied.len())) == Some(true))
    }
}
