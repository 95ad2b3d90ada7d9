//! Newline terminals with the indents and dedents behind them, which read nothing. See [`super::columns`].

use super::columns::ColumnsId;
use super::fuel::Fuel;
use super::lexer::Lexer;
use super::local::{Await, Item, LocalId, Point};
use super::machine::Machine;
use super::network::Edge;
use super::obligation::ObligationId;
use super::sketch::Label;
use crate::error::Error;
use crate::grammar::Layout;

/// Rounds after which spaces that lead to ever new states are taken to end.
const ROUNDS: usize = 64;

/// What waits behind an edge, and the places past it that read nothing.
type LaidOut = (Vec<Item>, Vec<Point>);

impl Machine<'_> {
    /// Whether an edge can be taken where indentation is at this point.
    #[inline]
    pub(super) fn admits(&self, obligation: ObligationId, label: Label) -> bool {
        let Some((columns, at)) = self.tables.obligations.columns(obligation) else { return true };
        match label {
            Label::Call(_) | Label::Made(..) => columns.can_call(at),
            Label::Indent | Label::Dedent => true,
            _ => columns.is_settled(at),
        }
    }

    /// What an edge of indentation leads to from `from`.
    pub(super) fn lay_out(
        &self,
        from: Point,
        edge: Edge,
        fuel: &mut Fuel,
    ) -> Result<LaidOut, Error> {
        let meter = &self.tables.meter;
        let (mut items, mut points) = (Vec::new(), Vec::new());
        let Some((columns, at)) = self.tables.obligations.columns(from.obligation) else {
            return Ok((items, points));
        };
        let (reading, past): (Option<ColumnsId>, Vec<ColumnsId>) = match edge.label {
            Label::Newline(_) => {
                let past = [Some(columns.deeper(at, meter)), columns.shallower(at, meter)];
                (Some(columns.newline(at, meter)), past.into_iter().flatten().collect())
            }
            Label::Indent => (columns.indent(at, meter), Vec::new()),
            Label::Dedent => {
                let dedent = columns.dedent(at, meter);
                (dedent.reading, Vec::from_iter(dedent.on))
            }
            _ => (None, Vec::new()),
        };
        let Point { context, .. } = from;
        for columns in past {
            let obligation = self.with_columns(from.obligation, columns, fuel)?;
            points.push(Point { node: edge.to, context, obligation });
        }
        if let (Some(columns), Some(layout)) = (reading, self.core.layout) {
            let obligation = self.with_columns(from.obligation, columns, fuel)?;
            let start = self.begin_terminal(layout.newline, obligation, fuel)?;
            let awaits = Await::Lexer(start, self.core.debt(Label::Newline(layout.newline)));
            items.push(Item { awaits, node: edge.to, context, obligation });
        }
        Ok((items, points))
    }

    fn with_columns(
        &self,
        obligation: ObligationId,
        columns: ColumnsId,
        fuel: &mut Fuel,
    ) -> Result<ObligationId, Error> {
        let tables = self.tables;
        tables.obligations.with_columns(&tables.lexer, self.run(), obligation, columns, fuel)
    }

    /// A local state in blocks of which nothing is known. Whether a frame can end does not depend on the columns, as
    /// newline terminals can lead to each.
    pub(super) fn forget(&self, local: LocalId, fuel: &mut Fuel) -> Result<LocalId, Error> {
        if self.core.layout.is_none() {
            return Ok(local);
        }
        if let Some(known) = self.tables.forgotten.get(local) {
            return Ok(known);
        }
        let (tables, run) = (self.tables, self.run());
        let mut items = tables.locals.get(local).items.to_vec();
        for item in &mut items {
            let owed = &tables.obligations;
            item.obligation = owed.forget(&tables.lexer, run, item.obligation, fuel)?;
        }
        tables.meter.add(32);
        Ok(tables.forgotten.set(local, self.local(&mut items)))
    }

    /// Whether an item is in a newline terminal past the column that it must come to, and no line can begin.
    pub(super) fn is_too_far(&self, item: &Item, fuel: &mut Fuel) -> Result<bool, Error> {
        let Some((columns, at)) = self.tables.obligations.columns(item.obligation) else {
            return Ok(false);
        };
        let Await::Lexer(from, _) = item.awaits else { return Ok(false) };
        if !columns.is_past(at) {
            return Ok(false);
        }
        if let Some(known) = self.tables.last_lines.get(from) {
            return Ok(known);
        }
        let (run, lexer) = (self.run(), &self.tables.lexer);
        let mut reached = vec![from];
        let mut next = 0;
        let mut last = true;
        while last && let Some(&at) = reached.get(next) {
            let state = lexer.get(at);
            last = reached.len() < ROUNDS
                && (0..=255).all(|b| [b' ', b'\t'].contains(&b) || !state.live.has(b));
            for white in [b' ', b'\t'] {
                let to = lexer.step(run, at, white, fuel)?;
                if to != Lexer::DEAD && !reached.contains(&to) {
                    reached.push(to);
                }
            }
            next += 1;
        }
        self.tables.meter.add(32);
        Ok(self.tables.last_lines.set(from, last))
    }

    /// Whether newline terminals can end after a line feed, and then after any number of spaces, or of tabs.
    pub(crate) fn reaches_all_columns(
        &self,
        layout: Layout,
        fuel: &mut Fuel,
    ) -> Result<bool, Error> {
        let (run, lexer) = (self.run(), &self.tables.lexer);
        let start = lexer.start(run, self.core.start_of(layout.newline), fuel)?;
        for line in ["\n", "\r\n"] {
            let mut begun = start;
            for byte in line.bytes() {
                begun = lexer.step(run, begun, byte, fuel)?;
            }
            for white in [b' ', b'\t'] {
                let (mut at, mut seen) = (begun, Vec::new());
                while at != Lexer::DEAD && !lexer.get(at).endings().is_empty() {
                    if seen.contains(&at) {
                        return Ok(true);
                    }
                    if seen.len() == ROUNDS {
                        break;
                    }
                    seen.push(at);
                    at = lexer.step(run, at, white, fuel)?;
                }
            }
        }
        Ok(false)
    }
}
