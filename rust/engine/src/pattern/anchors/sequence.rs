//! The items of one alternative while it is read.

use crate::pattern::{CharSet, Pattern};

use super::node::Node;

/// What a quantifier would apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// There is nothing yet.
    Nothing,
    /// The last so many bytes of the last item.
    Literal(usize),
    /// The last item.
    Atom,
    /// An anchor, which no quantifier takes.
    Anchor,
    /// Something that has its quantifier.
    Repeat,
}

/// The items of one alternative.
#[derive(Debug)]
pub(in crate::pattern) struct Sequence {
    items: Vec<Node>,
    last: Last,
}

impl Sequence {
    pub(in crate::pattern) fn new() -> Self {
        Self { items: Vec::new(), last: Last::Nothing }
    }

    /// Whether no item was read, not even an empty group.
    pub(in crate::pattern) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds a code point, to the literal before it if there is one.
    pub(in crate::pattern) fn literal(&mut self, char: char) {
        let mut buffer = [0; 4];
        let bytes = char.encode_utf8(&mut buffer).as_bytes();
        match (self.last, self.items.last_mut()) {
            (Last::Literal(_), Some(Node::Plain(Pattern::Bytes(text)))) => {
                text.extend_from_slice(bytes);
            }
            _ => self.items.push(Node::Plain(Pattern::Bytes(bytes.to_vec()))),
        }
        self.last = Last::Literal(bytes.len());
    }

    /// Adds one code point of a set.
    pub(in crate::pattern) fn class(&mut self, set: CharSet) {
        match *set.ranges() {
            [(a, b)] if a == b => self.literal(a),
            _ => self.atom(Node::Plain(Pattern::Class(set))),
        }
    }

    /// Adds what a quantifier takes as a whole.
    pub(in crate::pattern) fn atom(&mut self, node: Node) {
        self.items.push(node);
        self.last = Last::Atom;
    }

    /// Adds an anchor.
    pub(in crate::pattern) fn anchor(&mut self, node: Node) {
        self.items.push(node);
        self.last = Last::Anchor;
    }

    /// Repeats the last code point, class or group.
    ///
    /// # Errors
    /// What to report if there is none, or if it is repeated already.
    pub(in crate::pattern) fn repeat(
        &mut self,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    ) -> Result<(), &'static str> {
        const NOTHING: &str = "nothing to repeat: a character, class or group is expected before";
        let body = match self.last {
            Last::Nothing | Last::Anchor => return Err(NOTHING),
            Last::Repeat => return Err("multiple repeat: put the first repetition into a group"),
            Last::Literal(length) => match self.items.last_mut() {
                Some(Node::Plain(Pattern::Bytes(text))) if text.len() > length => {
                    Some(Node::Plain(Pattern::Bytes(text.split_off(text.len() - length))))
                }
                _ => self.items.pop(),
            },
            Last::Atom => self.items.pop(),
        };
        self.items.push(body.ok_or(NOTHING)?.repeat(min, max, greedy));
        self.last = Last::Repeat;
        Ok(())
    }

    /// Takes away the last item.
    pub(in crate::pattern) fn take(&mut self) -> Node {
        self.items.pop().unwrap_or(Node::Plain(Pattern::Empty))
    }

    /// Adds what has its quantifier.
    pub(in crate::pattern) fn repeated(&mut self, node: Node) {
        self.items.push(node);
        self.last = Last::Repeat;
    }

    /// The items, one after the other.
    pub(in crate::pattern) fn finish(self) -> Node {
        Node::concat(self.items)
    }
}
