//! Local automata: what one frame of the stack does with the next byte, made on demand.
//!
//! A local state is a set of items. A move from one says what stays in the frame, which frames are pushed above it,
//! and whether the frame's rule can end here; all that lies below the frame is left to [`super::position`].

use std::sync::{OnceLock, TryLockError};

use super::context::{ContextId, ReturnsId};
use super::ends::Ends;
use super::fuel::Fuel;
use super::lexer::Lexer;
use super::machine::Machine;
use super::network::NodeId;
use super::obligation::ObligationId;
use super::parts::{Part, Sharing};
use super::sketch::Label;
use super::table::{Bounds, ByteSet, ByteTable, Keyed, Seen};
use crate::error::Error;
use crate::ids::{TerminalId, TokenId};

/// The number of a [`LocalState`]; 0 is the empty set.
pub(crate) type LocalId = u32;

/// What a byte does to a frame: the number of the local state that it stays in, 0 if it leads nowhere, or from
/// [`MORE`] on the number of a [`Move`] that does more than that.
pub(crate) type MoveId = u32;

const MORE: MoveId = 1 << 31;

/// What a terminal leaves where it ends, besides what its conditions ask of the rest of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Debt {
    /// Nothing.
    None,
    /// What outranks the end is an obligation.
    Rank,
    /// It was matched against a piece of the text, and there must be one. See [`super::pieces`].
    Piece,
}

/// What an item waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Await {
    /// More of a terminal, which is at this lexer state.
    Lexer(u32, Debt),
    /// One special token.
    Token(TokenId),
    /// Nothing: the text is complete.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Item {
    pub(crate) awaits: Await,
    /// Where to go on after that.
    pub(crate) node: NodeId,
    pub(crate) context: ContextId,
    pub(crate) obligation: ObligationId,
}

/// What an item is after a byte, and where it leads if its terminal can end there.
type Stepped = (Option<Item>, Vec<Point>);

/// A place between terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    pub(crate) node: NodeId,
    pub(crate) context: ContextId,
    pub(crate) obligation: ObligationId,
}

#[derive(Default)]
pub(crate) struct LocalState {
    pub(crate) items: Box<[Item]>,
    /// Bytes at which transitions may change.
    pub(crate) bounds: Bounds,
    /// Bytes that may lead on; no other does.
    pub(crate) live: ByteSet,
    next: ByteTable,
    /// Whether the text is complete here.
    pub(crate) done: bool,
    /// Whether some item waits for a special token.
    pub(crate) tokens: bool,
    /// How the frame can end, once that was asked. See [`super::liveness`].
    pub(crate) ends: OnceLock<Ends>,
    /// What is known of the characters on which it loops; made on first use. See [`crate::mask`].
    pub(crate) loops: OnceLock<LocalLoops>,
    /// The states of its fronts, if there are several; made on first use. See [`crate::mask`].
    pub(crate) fronts: OnceLock<Box<[LocalId]>>,
    /// How far some item reads a terminal that all grammars share.
    pub(crate) sharing: Sharing,
    /// Its parts, made on first use. See [`super::parts`].
    pub(super) parts: OnceLock<Box<[Part]>>,
}

/// Sets of characters, in the terms of [`crate::mask`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalLoops {
    /// Those that lead back to this state, where all terminals are in the middle of a match and owe nothing.
    pub(crate) plain: u128,
    /// Those after which one of the items is there again.
    pub(crate) one: u128,
    /// The state of that item alone.
    pub(crate) alone: LocalId,
}

impl Keyed for LocalState {
    type Key = [Item];
    fn key(&self) -> &[Item] {
        &self.items
    }
}

/// What a byte does to a frame if it does more than lead to another local state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    /// What goes on in this frame.
    pub(crate) stay: LocalId,
    /// What goes on in new frames, sorted: the frames' returns, and the move of the innermost.
    pub(crate) pushes: Box<[(ReturnsId, MoveId)]>,
    /// The obligations under which this frame's rule can end here.
    pub(crate) pops: Box<[ObligationId]>,
}

/// The parts of a move.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) stay: LocalId,
    pub(crate) pushes: &'a [(ReturnsId, MoveId)],
    pub(crate) pops: &'a [ObligationId],
}

impl<'t> Machine<'t> {
    /// The local state with these items, which are left sorted and without those that cannot go on.
    pub(crate) fn local(&self, items: &mut Vec<Item>) -> LocalId {
        items.retain(|item| self.goes_on(item));
        items.sort_unstable();
        items.dedup();
        if items.is_empty() {
            return 0;
        }
        let tables = self.tables;
        let make = || {
            let (mut bounds, mut live) = (Bounds::default(), ByteSet::default());
            let (mut done, mut tokens) = (false, false);
            for item in items.iter() {
                match item.awaits {
                    Await::Lexer(state, _) => {
                        let state = tables.lexer.get(state);
                        let owed = tables.obligations.get(item.obligation);
                        bounds.merge(&state.bounds);
                        bounds.merge(&owed.bounds);
                        live.merge(&state.live.without(&owed.matching));
                    }
                    Await::Token(_) => tokens = true,
                    Await::Nothing => done = true,
                }
            }
            let sharing = items.iter().map(|item| self.sharing(item)).max().unwrap_or_default();
            let items = items.as_slice().into();
            LocalState { items, bounds, live, done, tokens, sharing, ..LocalState::default() }
        };
        let (id, new) = tables.locals.intern(items, make);
        if new {
            tables.meter.add(size_of::<LocalState>() + items.len() * size_of::<Item>() + 32);
        }
        id
    }

    /// False if each byte that the terminal can read next breaks an obligation, or if the text ends and owes
    /// something.
    fn goes_on(&self, item: &Item) -> bool {
        let owed = self.tables.obligations.get(item.obligation);
        let state = match item.awaits {
            Await::Lexer(state, _) => state,
            Await::Token(_) => return true,
            Await::Nothing => return owed.met,
        };
        item.obligation == 0
            || !self.tables.lexer.get(state).live.without(&owed.matching).is_empty()
    }

    /// Both states at once, in the same frame.
    pub(crate) fn union_local(&self, a: LocalId, b: LocalId) -> LocalId {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.tables.local_unions.get(key) {
            return known;
        }
        let mut both = [a, b].map(|id| &*self.tables.locals.get(id).items).concat();
        self.tables.meter.add(32);
        self.tables.local_unions.set(key, self.local(&mut both))
    }

    #[inline]
    pub(crate) fn parts(&self, id: MoveId) -> Parts<'t> {
        if id < MORE {
            return Parts { stay: id, pushes: &[], pops: &[] };
        }
        let made = &self.tables.moves.get(id - MORE).0;
        Parts { stay: made.stay, pushes: &made.pushes, pops: &made.pops }
    }

    /// The local state that a move leads to, if it does no more than that; 0 if it leads nowhere.
    #[inline]
    pub(crate) fn stays(&self, id: MoveId) -> Option<LocalId> {
        (id < MORE).then_some(id)
    }

    /// The move of a local state on a byte.
    #[inline]
    pub(crate) fn step_local(
        &self,
        state: LocalId,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<MoveId, Error> {
        let from = self.tables.locals.get(state);
        if !from.live.has(byte) {
            return Ok(0);
        }
        match from.next.get(byte) {
            Some(id) => Ok(id),
            None => self.make_step(from, byte, fuel),
        }
    }

    #[cold]
    fn make_step(&self, from: &LocalState, byte: u8, fuel: &mut Fuel) -> Result<MoveId, Error> {
        self.check_memory()?;
        let tables = self.tables;
        let mut scratch = self.scratch();
        for &item in &from.items {
            fuel.spend(1)?;
            let Some((next, points)) = self.step_item(item, byte, fuel)? else { continue };
            scratch.items.extend(next);
            for point in points {
                scratch.moves.push(self.close_point(point, fuel)?);
            }
        }
        let id = self.gather(&mut scratch);
        self.give_back(scratch);
        tables.meter.add(from.next.fill(from.bounds.class(byte), id));
        Ok(id)
    }

    /// The item after a byte; `None` if it cannot read it.
    pub(super) fn step_item(
        &self,
        item: Item,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<Option<Stepped>, Error> {
        let (tables, run) = (self.tables, self.run());
        let Await::Lexer(lexer, debt) = item.awaits else { return Ok(None) };
        let next = tables.lexer.step(run, lexer, byte, fuel)?;
        if next == Lexer::DEAD {
            return Ok(None);
        }
        let Some(obligation) =
            tables.obligations.step(&tables.lexer, run, item.obligation, byte, fuel)?
        else {
            return Ok(None);
        };
        let lexer = tables.lexer.get(next);
        let owed = &tables.obligations;
        let awaits = Await::Lexer(next, debt);
        let on = lexer.goes_on().then_some(Item { awaits, obligation, ..item });
        let on = match on {
            Some(on) if self.is_too_far(&on, fuel)? => None,
            on => on,
        };
        let mut points = Vec::new();
        for &duty in lexer.endings() {
            let left = match debt {
                Debt::None => owed.with_duty(&tables.lexer, run, obligation, duty, fuel)?,
                Debt::Rank => {
                    let ranked = owed.with(&tables.lexer, run, obligation, next, fuel)?;
                    owed.with_duty(&tables.lexer, run, ranked, duty, fuel)?
                }
                Debt::Piece => {
                    owed.end_piece(&tables.lexer, run, obligation, (next, duty), fuel)?
                }
            };
            let Item { node, context, .. } = item;
            let Some(obligation) = left else { continue };
            let ended = owed.end(&tables.lexer, run, obligation, fuel)?;
            points.extend(ended.map(|obligation| Point { node, context, obligation }));
        }
        Ok(Some((on, points)))
    }

    /// The move of a local state on a special token.
    pub(crate) fn step_token(
        &self,
        state: LocalId,
        token: TokenId,
        fuel: &mut Fuel,
    ) -> Result<MoveId, Error> {
        let items = &self.tables.locals.get(state).items;
        let mut scratch = self.scratch();
        for item in items.iter().filter(|i| i.awaits == Await::Token(token)) {
            let Item { node, context, obligation, .. } = *item;
            scratch.moves.push(self.close_point(Point { node, context, obligation }, fuel)?);
        }
        let id = self.gather(&mut scratch);
        self.give_back(scratch);
        Ok(id)
    }

    /// What follows a terminal that has ended, or a return, at this place: everything that reads nothing is done.
    pub(crate) fn close_point(&self, point: Point, fuel: &mut Fuel) -> Result<MoveId, Error> {
        if let Some(known) = self.tables.points.get(point) {
            return Ok(known);
        }
        let mut scratch = self.scratch();
        self.close(point, &mut scratch, fuel)?;
        let id = self.gather(&mut scratch);
        self.give_back(scratch);
        self.tables.meter.add(48);
        Ok(self.tables.points.set(point, id))
    }

    /// The same for several places at once.
    pub(super) fn close_points(
        &self,
        points: impl Iterator<Item = Point>,
        fuel: &mut Fuel,
    ) -> Result<MoveId, Error> {
        let mut scratch = self.scratch();
        for point in points {
            scratch.moves.push(self.close_point(point, fuel)?);
        }
        let id = self.gather(&mut scratch);
        self.give_back(scratch);
        Ok(id)
    }

    fn close(&self, from: Point, scratch: &mut Scratch, fuel: &mut Fuel) -> Result<(), Error> {
        let contexts = &self.tables.contexts;
        let network = &self.core.network;
        let run = self.run();
        scratch.todo.push((from, true));
        while let Some((point, after)) = scratch.todo.pop() {
            if !scratch.seen.insert((point, after)) {
                continue;
            }
            fuel.spend(1)?;
            let Point { node: id, context, obligation } = point;
            let node = self.node(id);
            if after && contexts.has_cut(context) && !node.ends() {
                // The context in the new frame holds no cut links, so that this goes one level deep.
                let (returns, context) = contexts.split(context, run.meter);
                let inner = self.close_point(Point { node: id, context, obligation }, fuel)?;
                scratch.pushes.push((returns, inner));
                continue;
            }
            for edge in &node.edges {
                fuel.spend(1)?;
                if !self.admits(obligation, edge.label) {
                    continue;
                }
                match edge.label {
                    Label::Terminal(terminal) | Label::Ignored(terminal) => {
                        // What is ignored before anything that follows is ignored before all of it: one item does.
                        let all = matches!(edge.label, Label::Ignored(_))
                            && obligation == from.obligation
                            && self.core.sources.is_empty();
                        if all && scratch.ignored.contains(&terminal) {
                            continue;
                        }
                        let start = self.begin_terminal(terminal, obligation, fuel)?;
                        if start == Lexer::DEAD {
                            continue;
                        }
                        let awaits = Await::Lexer(start, self.core.debt(edge.label));
                        let (mut node, mut context) = (edge.to, context);
                        if all {
                            scratch.ignored.push(terminal);
                            (node, context) = (from.node, from.context);
                        }
                        let item = Item { awaits, node, context, obligation };
                        scratch.items.push(item);
                        if self.core.is_cut(edge.label) {
                            scratch.items.extend(self.begin_piece(terminal, item, start, fuel)?);
                        }
                    }
                    Label::Newline(_) | Label::Indent | Label::Dedent => {
                        let (items, points) = self.lay_out(point, *edge, fuel)?;
                        scratch.items.extend(items);
                        scratch.todo.extend(points.into_iter().map(|point| (point, after)));
                    }
                    Label::Token(token) => {
                        let awaits = Await::Token(token);
                        scratch.items.push(Item { awaits, node: edge.to, context, obligation });
                    }
                    Label::MadeTerminal(source, terminal) => {
                        let pc = self.start_of_made(source, terminal)?;
                        let start = self.tables.lexer.start(run, pc, fuel)?;
                        let awaits = Await::Lexer(start, self.core.debt(edge.label));
                        scratch.items.push(Item { awaits, node: edge.to, context, obligation });
                    }
                    Label::Made(source, rule) => {
                        let entry = self.enter_made(source, rule, fuel)?;
                        let context = if edge.tail {
                            context
                        } else {
                            contexts.push(edge.to, context, entry.framed, run.meter)
                        };
                        scratch.todo.push((Point { node: entry.node, context, obligation }, false));
                    }
                    Label::Call(rule) => {
                        let cut = network.cut[rule.index()];
                        let context = if edge.tail {
                            context
                        } else {
                            contexts.push(edge.to, context, cut, run.meter)
                        };
                        let node = network.entry[rule.index()].expect("a called rule has an entry");
                        scratch.todo.push((Point { node, context, obligation }, false));
                    }
                }
            }
            if node.last {
                if context == 0 {
                    scratch.pops.push(obligation);
                } else {
                    let link = contexts.link(context);
                    let point = Point { node: link.node, context: link.below, obligation };
                    scratch.todo.push((point, true));
                }
            }
        }
        Ok(())
    }

    /// The state before the first byte of a terminal at a place with this obligation.
    pub(super) fn begin_terminal(
        &self,
        terminal: TerminalId,
        obligation: ObligationId,
        fuel: &mut Fuel,
    ) -> Result<u32, Error> {
        let (run, tables, pc) = (self.run(), self.tables, self.core.start_of(terminal));
        if self.core.looking_back.contains(&pc) {
            let runs = tables.obligations.before(obligation);
            return tables.lexer.start_behind(run, pc, runs, fuel);
        }
        tables.lexer.start(run, pc, fuel)
    }

    /// As an item at the start of a terminal, but of a match against a piece of the text; `None` if there is none.
    fn begin_piece(
        &self,
        terminal: TerminalId,
        item: Item,
        whole: u32,
        fuel: &mut Fuel,
    ) -> Result<Option<Item>, Error> {
        let (run, tables) = (self.run(), self.tables);
        let start = tables.lexer.start(run, self.core.start_of(terminal), fuel)?;
        if start == Lexer::DEAD {
            return Ok(None);
        }
        let owed = &tables.obligations;
        let obligation = owed.begin_piece(&tables.lexer, run, item.obligation, whole, fuel)?;
        Ok(Some(Item { awaits: Await::Lexer(start, Debt::Piece), obligation, ..item }))
    }

    /// The obligation at the start of a text.
    pub(super) fn first_obligation(&self, fuel: &mut Fuel) -> Result<ObligationId, Error> {
        let places = &self.core.looking_back;
        if places.is_empty() {
            return Ok(0);
        }
        let (run, tables) = (self.run(), self.tables);
        let runs = tables.lexer.runs_behind(run, places, fuel)?;
        tables.obligations.of_runs(&tables.lexer, run, runs, fuel)
    }

    /// Makes one move of everything in `scratch`.
    fn gather(&self, scratch: &mut Scratch) -> MoveId {
        if scratch.items.is_empty()
            && scratch.pushes.is_empty()
            && scratch.pops.is_empty()
            && let [only] = scratch.moves[..]
        {
            return only;
        }
        let mut stay = 0;
        for &id in &scratch.moves {
            let parts = self.parts(id);
            if scratch.items.is_empty() && stay == 0 {
                stay = parts.stay;
            } else {
                scratch.items.extend_from_slice(&self.tables.locals.get(parts.stay).items);
            }
            scratch.pushes.extend_from_slice(parts.pushes);
            scratch.pops.extend_from_slice(parts.pops);
        }
        if !scratch.items.is_empty() {
            scratch.items.extend_from_slice(&self.tables.locals.get(stay).items);
            stay = self.local(&mut scratch.items);
        }
        scratch.pops.sort_unstable();
        scratch.pops.dedup();
        scratch.pushes.sort_unstable();
        scratch.pushes.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = self.union_moves(kept.1, next.1);
            }
            same
        });
        scratch.pushes.retain(|push| push.1 != 0);
        if scratch.pushes.is_empty() && scratch.pops.is_empty() {
            return stay;
        }
        let pushes = scratch.pushes.as_slice().into();
        self.more(Move { stay, pushes, pops: scratch.pops.as_slice().into() })
    }

    fn more(&self, made: Move) -> MoveId {
        let bytes = size_of::<Move>() + made.pushes.len() * 8 + made.pops.len() * 4 + 32;
        let (id, new) = self.tables.moves.insert((made, ()));
        if new {
            self.tables.meter.add(bytes);
        }
        MORE + id
    }

    /// Both moves at once, of a frame that was just pushed and therefore pushes no other.
    fn union_moves(&self, a: MoveId, b: MoveId) -> MoveId {
        if a == b {
            return a;
        }
        let (a, b) = (self.parts(a), self.parts(b));
        debug_assert!(a.pushes.is_empty() && b.pushes.is_empty(), "one level deep");
        let stay = self.union_local(a.stay, b.stay);
        if a.pops.is_empty() && b.pops.is_empty() {
            return stay;
        }
        let mut pops = [a.pops, b.pops].concat();
        pops.sort_unstable();
        pops.dedup();
        self.more(Move { stay, pushes: Box::default(), pops: pops.into() })
    }

    fn scratch(&self) -> Scratch {
        let spare = match self.tables.scratch.try_lock() {
            Ok(mut spare) => spare.pop(),
            Err(TryLockError::Poisoned(spare)) => spare.into_inner().pop(),
            Err(TryLockError::WouldBlock) => None,
        };
        spare.unwrap_or_default()
    }

    fn give_back(&self, mut scratch: Scratch) {
        scratch.clear();
        if let Ok(mut spare) = self.tables.scratch.try_lock()
            && spare.len() < 4
        {
            spare.push(scratch);
        }
    }
}

/// Buffers for making one move.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    items: Vec<Item>,
    moves: Vec<MoveId>,
    pushes: Vec<(ReturnsId, MoveId)>,
    pops: Vec<ObligationId>,
    todo: Vec<(Point, bool)>,
    ignored: Vec<TerminalId>,
    seen: Seen<(Point, bool)>,
}

impl Scratch {
    fn clear(&mut self) {
        self.items.clear();
        self.moves.clear();
        self.pushes.clear();
        self.pops.clear();
        self.todo.clear();
        self.ignored.clear();
        self.seen.clear();
    }
}
