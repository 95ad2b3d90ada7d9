//! Indentation: the columns of the open blocks, and what a newline terminal must make of them.
//!
//! An indent or a dedent reads nothing. It stands behind a newline terminal, whose end sets a column, and asks
//! something of that column. So a newline terminal is read for one of three outcomes, which is settled before its
//! first byte: the column of the block, some column beyond it, or that of a block around it. Where an indent or a dedent
//! is to follow, the item waits behind that, and where it leads is known already.
//!
//! The state is part of an item's obligation: it goes where the item goes.

use super::table::{Bounds, Meter, Table};

/// The number of a state; 0 is the outermost block, between terminals.
pub(crate) type ColumnsId = u32;

/// The number of a list of columns.
type Levels = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    levels: Levels,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// Between terminals, or in one that is no newline.
    Settled,
    /// Past a newline terminal that is yet to be read, at an indent.
    Deeper,
    /// Past a newline terminal that is yet to be read, at a dedent.
    Shallower,
    /// Only dedents follow.
    Closing,
    /// In a newline terminal that leads to the column of the block, with the column so far, if a line has begun.
    Level(Option<u32>),
    /// In one that leads to a column beyond that.
    Above(Option<u32>),
}

/// Where a dedent leads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dedent {
    /// The newline terminal is read behind it.
    pub(crate) reading: Option<ColumnsId>,
    /// It reads nothing, and more dedents or the end follow.
    pub(crate) on: Option<ColumnsId>,
}

pub(crate) struct Columns {
    states: Table<(State, ())>,
    levels: Table<((u32, Levels), ())>,
}

const BOTTOM: Levels = 0;
/// Columns that are not known: whatever is asked of them holds. Newline terminals can be followed by any number of
/// spaces or tabs, so the columns can always be what they have to be.
const ANY: Levels = 1;

impl Columns {
    /// Between terminals, in blocks of which nothing is known.
    pub(crate) const FREE: ColumnsId = 1;

    pub(crate) fn new() -> Self {
        let columns = Self { states: Table::new(), levels: Table::new() };
        columns.levels.insert(((0, BOTTOM), ()));
        columns.levels.insert(((u32::MAX, ANY), ()));
        columns.states.insert((State { levels: BOTTOM, phase: Phase::Settled }, ()));
        columns.states.insert((State { levels: ANY, phase: Phase::Settled }, ()));
        columns
    }

    fn get(&self, id: ColumnsId) -> State {
        self.states.get(id).0
    }

    fn state(&self, levels: Levels, phase: Phase, meter: &Meter) -> ColumnsId {
        let (id, new) = self.states.insert((State { levels, phase }, ()));
        if new {
            meter.add(size_of::<State>() + 32);
        }
        id
    }

    fn top(&self, levels: Levels) -> (u32, Levels) {
        self.levels.get(levels).0
    }

    /// Whether terminals can follow.
    pub(crate) fn is_settled(&self, id: ColumnsId) -> bool {
        id == 0 || self.get(id).phase == Phase::Settled
    }

    /// Whether a dedent is to come, behind a newline that was not read yet.
    pub(crate) fn is_shallower(&self, id: ColumnsId) -> bool {
        self.get(id).phase == Phase::Shallower
    }

    /// Whether the text can end, once all rules have.
    pub(crate) fn can_end(&self, id: ColumnsId) -> bool {
        matches!(self.get(id).phase, Phase::Settled | Phase::Closing)
    }

    /// Whether rules can follow, which end blocks only if they began them.
    pub(crate) fn can_call(&self, id: ColumnsId) -> bool {
        id == 0 || matches!(self.get(id).phase, Phase::Settled | Phase::Deeper)
    }

    /// The state that reads a newline terminal which leads to the column of the block.
    pub(crate) fn newline(&self, id: ColumnsId, meter: &Meter) -> ColumnsId {
        self.state(self.get(id).levels, Phase::Level(None), meter)
    }

    /// The state past a newline terminal whose indent is to come.
    pub(crate) fn deeper(&self, id: ColumnsId, meter: &Meter) -> ColumnsId {
        self.state(self.get(id).levels, Phase::Deeper, meter)
    }

    /// The state past a newline terminal whose dedent is to come, if there is a block to end.
    pub(crate) fn shallower(&self, id: ColumnsId, meter: &Meter) -> Option<ColumnsId> {
        let levels = self.get(id).levels;
        (levels != BOTTOM).then(|| self.state(levels, Phase::Shallower, meter))
    }

    /// The state that reads a newline terminal at an indent.
    pub(crate) fn indent(&self, id: ColumnsId, meter: &Meter) -> Option<ColumnsId> {
        let State { levels, phase } = self.get(id);
        (phase == Phase::Deeper).then(|| self.state(levels, Phase::Above(None), meter))
    }

    /// Where a dedent leads.
    pub(crate) fn dedent(&self, id: ColumnsId, meter: &Meter) -> Dedent {
        let State { levels, phase } = self.get(id);
        if levels == BOTTOM {
            return Dedent::default();
        }
        let below = self.top(levels).1;
        match phase {
            Phase::Settled | Phase::Closing => {
                Dedent { reading: None, on: Some(self.state(below, Phase::Closing, meter)) }
            }
            Phase::Shallower => Dedent {
                reading: Some(self.state(below, Phase::Level(None), meter)),
                on: Some(self.state(below, Phase::Shallower, meter)),
            },
            Phase::Deeper | Phase::Level(_) | Phase::Above(_) => Dedent::default(),
        }
    }

    /// The state after a byte; a tab is `tab` columns wide.
    pub(crate) fn step(&self, id: ColumnsId, byte: u8, tab: u32, meter: &Meter) -> ColumnsId {
        let State { levels, phase } = self.get(id);
        let on = |column: Option<u32>| match byte {
            b'\n' => Some(0),
            _ if levels == ANY => column,
            b' ' => column.map(|column| column.saturating_add(1)),
            b'\t' => column.map(|column| column.saturating_add(tab)),
            _ => column,
        };
        match phase {
            Phase::Level(column) => {
                // All columns past the one that it must come to are the same.
                let past = self.top(levels).0.saturating_add(1);
                let column = on(column).map(|column| column.min(past));
                self.state(levels, Phase::Level(column), meter)
            }
            Phase::Above(column) => self.state(levels, Phase::Above(on(column)), meter),
            _ => id,
        }
    }

    /// The state after a terminal that ends here; `None` if it is a newline with the wrong column.
    pub(crate) fn end(&self, id: ColumnsId, meter: &Meter) -> Option<ColumnsId> {
        let State { levels, phase } = self.get(id);
        let (Phase::Level(column) | Phase::Above(column)) = phase else { return Some(id) };
        let column = column?;
        if levels == ANY {
            return Some(Self::FREE);
        }
        let top = self.top(levels).0;
        let levels = match phase {
            Phase::Above(_) if column > top => {
                let (levels, new) = self.levels.insert(((column, levels), ()));
                if new {
                    meter.add(48);
                }
                levels
            }
            Phase::Level(_) if column == top => levels,
            _ => return None,
        };
        Some(self.state(levels, Phase::Settled, meter))
    }

    /// The same in blocks of which nothing is known. Where the column is past the one that it must come to, a line must
    /// begin first.
    pub(crate) fn forget(&self, id: ColumnsId, meter: &Meter) -> ColumnsId {
        let State { phase, .. } = self.get(id);
        let phase = match phase {
            Phase::Level(_) if self.is_past(id) => Phase::Level(None),
            Phase::Level(column) => Phase::Level(column.map(|_| 0)),
            Phase::Above(column) => Phase::Above(column.map(|_| 0)),
            other => other,
        };
        self.state(ANY, phase, meter)
    }

    /// Whether the column is past the one that it must come to.
    pub(crate) fn is_past(&self, id: ColumnsId) -> bool {
        let State { levels, phase } = self.get(id);
        matches!(phase, Phase::Level(Some(column)) if column > self.top(levels).0)
    }

    /// The bytes at which the state may change.
    pub(crate) fn bounds(&self, id: ColumnsId) -> Bounds {
        let mut bounds = Bounds::default();
        if matches!(self.get(id).phase, Phase::Level(_) | Phase::Above(_)) {
            for byte in [b'\t', b'\n', b' '] {
                bounds.add(byte, byte);
            }
        }
        bounds
    }
}
