//! Where expanded calls return to: chains of return nodes inside one frame of the stack.
//!
//! A chain may hold *cut* links while the first terminal of a cut rule is being read; they become frames of the stack
//! once that terminal has ended.

use super::network::NodeId;
use super::table::{Memo, Meter, Table};

/// The number of a chain; 0 is the empty one, the frame's own level.
pub(crate) type ContextId = u32;

/// The number of a place to return to in the frame below.
pub(crate) type ReturnId = u32;

/// One link: the node to go on at, and the chain below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) node: NodeId,
    pub(crate) below: ContextId,
    pub(crate) cut: bool,
}

pub(crate) struct Contexts {
    links: Table<(Link, bool)>,
    returns: Table<((NodeId, ContextId), ())>,
    splits: Memo<ContextId, (ReturnsId, ContextId)>,
    lists: Table<(Box<[ReturnId]>, ())>,
}

/// The number of a list of returns, the outermost first; 0 is the empty one.
pub(crate) type ReturnsId = u32;

impl Contexts {
    /// The return of the bottom frame: the text is complete.
    pub(crate) const DONE: ReturnId = 0;

    pub(crate) fn new() -> Self {
        let contexts = Self {
            links: Table::new(),
            returns: Table::new(),
            splits: Memo::new(),
            lists: Table::new(),
        };
        contexts.links.insert((Link { node: NodeId::MAX, below: 0, cut: false }, false));
        contexts.returns.insert(((NodeId::MAX, 0), ()));
        contexts.lists.insert((Box::default(), ()));
        contexts
    }

    pub(crate) fn link(&self, id: ContextId) -> Link {
        self.links.get(id).0
    }

    pub(crate) fn has_cut(&self, id: ContextId) -> bool {
        self.links.get(id).1
    }

    pub(crate) fn push(
        &self,
        node: NodeId,
        below: ContextId,
        cut: bool,
        meter: &Meter,
    ) -> ContextId {
        let link = (Link { node, below, cut }, cut || self.has_cut(below));
        let (id, new) = self.links.insert(link);
        if new {
            meter.add(size_of::<(Link, bool)>() + 16);
        }
        id
    }

    pub(crate) fn place(&self, id: ReturnId) -> (NodeId, ContextId) {
        self.returns.get(id).0
    }

    pub(crate) fn list(&self, id: ReturnsId) -> &[ReturnId] {
        &self.lists.get(id).0
    }

    /// The frames that a chain with cut links pushes, and what is left of it in the innermost.
    pub(crate) fn split(&self, id: ContextId, meter: &Meter) -> (ReturnsId, ContextId) {
        if let Some(known) = self.splits.get(id) {
            return known;
        }
        let mut chain = Vec::new();
        let mut at = id;
        while at != 0 {
            let link = self.link(at);
            chain.push(link);
            at = link.below;
        }
        let mut returns = Vec::new();
        let mut local = 0;
        for link in chain.into_iter().rev() {
            if link.cut {
                returns.push(self.returns.insert(((link.node, local), ())).0);
                local = 0;
            } else {
                local = self.push(link.node, local, false, meter);
            }
        }
        // The list, its returns and what is remembered of the split.
        meter.add(64 + returns.len() * 32);
        let list = self.lists.insert((returns.into(), ())).0;
        self.splits.set(id, (list, local))
    }
}
