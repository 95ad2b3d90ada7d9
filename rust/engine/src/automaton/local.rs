//! Local automata: what one frame of the stack does with the next byte, made on demand.
//!
//! A local state is a set of items. A move from one says what stays in the frame, which frames are pushed above it,
//! and whether the frame's rule can end here; all that lies below the frame is left to [`super::position`].

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::context::{ContextId, ReturnsId};
use super::fuel::Fuel;
use super::lexer::Lexer;
use super::machine::Machine;
use super::network::NodeId;
use super::obligation::ObligationId;
use super::sketch::Label;
use super::table::{Bounds, ByteTable, Keyed};
use crate::error::Error;
use crate::ids::TokenId;

/// The number of a [`LocalState`]; 0 is the empty set.
pub(crate) type LocalId = u32;

/// The number of a [`Move`]; 0 is the one that leads nowhere.
pub(crate) type MoveId = u32;

/// What an item waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Await {
    /// More of a terminal, which is at this lexer state. The flag: what outranks its end is an obligation.
    Lexer(u32, bool),
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
    bounds: Bounds,
    next: ByteTable,
    /// Whether the text is complete here.
    pub(crate) done: bool,
    /// Whether some item waits for a special token.
    pub(crate) tokens: bool,
    /// Bytes that lead back here; made on first use. See [`crate::mask`].
    pub(crate) loops: OnceLock<u64>,
}

impl Keyed for LocalState {
    type Key = Box<[Item]>;
    fn key(&self) -> &Self::Key {
        &self.items
    }
}

/// What a byte does to a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    /// What goes on in this frame.
    pub(crate) stay: LocalId,
    /// What goes on in new frames: the frames' returns, and the move of the innermost.
    pub(crate) pushes: Box<[(ReturnsId, MoveId)]>,
    /// The obligations under which this frame's rule can end here.
    pub(crate) pops: Box<[ObligationId]>,
}

impl Move {
    pub(crate) fn stays(&self) -> bool {
        self.pushes.is_empty() && self.pops.is_empty()
    }
}

impl Machine<'_> {
    pub(crate) fn local(&self, mut items: Vec<Item>) -> LocalId {
        items.sort_unstable();
        items.dedup();
        let tables = self.tables;
        let items = items.into_boxed_slice();
        if let Some(id) = tables.locals.lookup(&items) {
            return id;
        }
        let mut bounds = Bounds::default();
        let (mut done, mut tokens) = (false, false);
        for item in &items {
            match item.awaits {
                Await::Lexer(state, _) => {
                    bounds.merge(&tables.lexer.get(state).bounds);
                    bounds.merge(&tables.obligations.bounds(item.obligation));
                }
                Await::Token(_) => tokens = true,
                Await::Nothing => done = true,
            }
        }
        let bytes = size_of::<LocalState>() + items.len() * size_of::<Item>() + 32;
        let state = LocalState {
            items,
            bounds,
            next: ByteTable::default(),
            done,
            tokens,
            loops: OnceLock::new(),
        };
        let (id, new) = tables.locals.insert(state);
        if new {
            tables.meter.add(bytes);
        }
        id
    }

    /// Both states at once, in the same frame.
    pub(crate) fn union_local(&self, a: LocalId, b: LocalId) -> LocalId {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.tables.local_unions.get(key) {
            return known;
        }
        let both = [a, b]
            .iter()
            .flat_map(|&id| self.tables.locals.get(id).items.iter().copied())
            .collect();
        self.tables.local_unions.set(key, self.local(both))
    }

    /// The move of a local state on a byte.
    #[inline]
    pub(crate) fn step_local(
        &self,
        state: LocalId,
        byte: u8,
        fuel: &mut Fuel,
    ) -> Result<MoveId, Error> {
        match self.tables.locals.get(state).next.get(byte) {
            Some(id) => Ok(id),
            None => self.make_step(state, byte, fuel),
        }
    }

    #[cold]
    fn make_step(&self, state: LocalId, byte: u8, fuel: &mut Fuel) -> Result<MoveId, Error> {
        self.check_memory()?;
        let tables = self.tables;
        let run = self.run();
        let from = tables.locals.get(state);
        let mut items = Vec::new();
        let mut points = Vec::new();
        for &item in &from.items {
            fuel.spend(1)?;
            let Await::Lexer(lexer, obliges) = item.awaits else { continue };
            let next = tables.lexer.step(run, lexer, byte, fuel)?;
            if next == Lexer::DEAD {
                continue;
            }
            let Some(obligation) =
                tables.obligations.step(&tables.lexer, run, item.obligation, byte, fuel)?
            else {
                continue;
            };
            let lexer = tables.lexer.get(next);
            if lexer.goes_on() {
                items.push(Item { awaits: Await::Lexer(next, obliges), obligation, ..item });
            }
            if lexer.accepts() {
                let obligation = if obliges {
                    tables.obligations.with(&tables.lexer, obligation, next)
                } else {
                    obligation
                };
                points.push(Point { node: item.node, context: item.context, obligation });
            }
        }
        let id = self.close(items, points, fuel)?;
        tables.meter.add(from.next.fill(from.bounds.class(byte), id));
        Ok(id)
    }

    /// The move of a local state on a special token.
    pub(crate) fn step_token(
        &self,
        state: LocalId,
        token: TokenId,
        fuel: &mut Fuel,
    ) -> Result<MoveId, Error> {
        let items = &self.tables.locals.get(state).items;
        let taken = items.iter().filter(|i| i.awaits == Await::Token(token));
        let points = taken
            .map(|i| Point { node: i.node, context: i.context, obligation: i.obligation })
            .collect();
        self.close(Vec::new(), points, fuel)
    }

    /// What follows a return to this place, whose obligation comes from above.
    pub(crate) fn close_point(&self, point: Point, fuel: &mut Fuel) -> Result<MoveId, Error> {
        if let Some(known) = self.tables.points.get(point) {
            return Ok(known);
        }
        let id = self.close(Vec::new(), vec![point], fuel)?;
        self.tables.meter.add(32);
        Ok(self.tables.points.set(point, id))
    }

    /// The items and points of one frame, closed under everything that reads nothing.
    fn close(
        &self,
        items: Vec<Item>,
        points: Vec<Point>,
        fuel: &mut Fuel,
    ) -> Result<MoveId, Error> {
        let mut closure = Closure { items, ..Closure::default() };
        let contexts = &self.tables.contexts;
        let network = &self.core.network;
        let run = self.run();
        let mut todo: Vec<(Point, bool)> = points.into_iter().map(|p| (p, true)).collect();
        while let Some((point, after)) = todo.pop() {
            if !closure.seen.insert((point, after)) {
                continue;
            }
            fuel.spend(1)?;
            let Point { node: id, context, obligation } = point;
            let node = self.node(id);
            if after && contexts.has_cut(context) && !node.ends() {
                let (returns, context) = contexts.split(context, run.meter);
                closure.push(returns, Point { node: id, context, obligation });
                continue;
            }
            for edge in &node.edges {
                fuel.spend(1)?;
                match edge.label {
                    Label::Terminal(terminal) | Label::Ignored(terminal) => {
                        let start =
                            self.tables.lexer.start(run, self.core.start_of(terminal), fuel)?;
                        let awaits = Await::Lexer(start, self.core.obliges(edge.label));
                        closure.items.push(Item { awaits, node: edge.to, context, obligation });
                    }
                    Label::Token(token) => {
                        closure.items.push(Item {
                            awaits: Await::Token(token),
                            node: edge.to,
                            context,
                            obligation,
                        });
                    }
                    Label::MadeTerminal(source, terminal) => {
                        let pc = self.start_of_made(source, terminal)?;
                        let start = self.tables.lexer.start(run, pc, fuel)?;
                        let awaits = Await::Lexer(start, self.core.obliges(edge.label));
                        closure.items.push(Item { awaits, node: edge.to, context, obligation });
                    }
                    Label::Made(source, rule) => {
                        let entry = self.enter_made(source, rule, fuel)?;
                        let context = if edge.tail {
                            context
                        } else {
                            contexts.push(edge.to, context, entry.framed, run.meter)
                        };
                        todo.push((Point { node: entry.node, context, obligation }, false));
                    }
                    Label::Call(rule) => {
                        let cut = network.cut[rule.index()];
                        let context = if edge.tail {
                            context
                        } else {
                            contexts.push(edge.to, context, cut, run.meter)
                        };
                        let node = network.entry[rule.index()].expect("a called rule has an entry");
                        todo.push((Point { node, context, obligation }, false));
                    }
                }
            }
            if node.last {
                if context == 0 {
                    closure.pops.push(obligation);
                } else {
                    let link = contexts.link(context);
                    todo.push((Point { node: link.node, context: link.below, obligation }, true));
                }
            }
        }
        self.finish(closure, fuel)
    }

    fn finish(&self, mut closure: Closure, fuel: &mut Fuel) -> Result<MoveId, Error> {
        closure.pops.sort_unstable();
        closure.pops.dedup();
        let mut pushes = Vec::new();
        for (returns, points) in closure.pushes {
            // The points of a new frame hold no cut links, so that this goes one level deep.
            pushes.push((returns, self.close(Vec::new(), points, fuel)?));
        }
        let stay = if closure.items.is_empty() { 0 } else { self.local(closure.items) };
        let made = Move { stay, pushes: pushes.into(), pops: closure.pops.into() };
        let bytes = size_of::<Move>() + made.pushes.len() * 8 + made.pops.len() * 4 + 32;
        let (id, new) = self.tables.moves.insert((made, ()));
        if new {
            self.tables.meter.add(bytes);
        }
        Ok(id)
    }
}

#[derive(Default)]
struct Closure {
    items: Vec<Item>,
    pushes: Vec<(ReturnsId, Vec<Point>)>,
    pops: Vec<ObligationId>,
    seen: FxHashSet<(Point, bool)>,
}

impl Closure {
    fn push(&mut self, returns: ReturnsId, point: Point) {
        match self.pushes.iter_mut().find(|p| p.0 == returns) {
            Some((_, points)) => points.push(point),
            None => self.pushes.push((returns, vec![point])),
        }
    }
}
