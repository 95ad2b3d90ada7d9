//! A parsed pattern that may hold anchors.

use crate::pattern::Pattern;

/// A pattern, or what of it cannot be one because anchors are inside.
#[derive(Debug)]
pub(in crate::pattern) enum Node {
    /// Without anchors.
    Plain(Pattern),
    /// `^`, `\A`: nothing stands before.
    Start,
    /// `$`: nothing follows, or one line feed as the last character.
    End,
    /// `\Z`, `\z`: nothing follows.
    VeryEnd,
    /// One after the other.
    Concat(Vec<Node>),
    /// Any one of these.
    Alt(Vec<Node>),
    /// `min` to `max` times the body.
    Repeat {
        /// What is repeated.
        body: Box<Node>,
        /// Fewest times.
        min: u32,
        /// Most times, or without bound.
        max: Option<u32>,
        /// Whether more repetitions are preferred to fewer.
        greedy: bool,
    },
}

impl Node {
    /// Any one of these, as a plain pattern if all are plain.
    pub(in crate::pattern) fn alt(mut nodes: Vec<Node>) -> Node {
        if nodes.len() == 1 {
            return nodes.swap_remove(0);
        }
        if nodes.iter().all(|node| matches!(node, Node::Plain(_))) {
            return Node::Plain(Pattern::Alt(nodes.into_iter().filter_map(Node::plain).collect()));
        }
        Node::Alt(nodes)
    }

    /// The node, repeated.
    pub(in crate::pattern) fn repeat(self, min: u32, max: Option<u32>, greedy: bool) -> Node {
        match (self, min, max) {
            (_, _, Some(0)) => Node::Plain(Pattern::Empty),
            (Node::Plain(Pattern::Empty), ..) => Node::Plain(Pattern::Empty),
            (body, 1, Some(1)) => body,
            (Node::Plain(body), ..) => {
                Node::Plain(Pattern::Repeat { body: Box::new(body), min, max, greedy })
            }
            (body, ..) => Node::Repeat { body: Box::new(body), min, max, greedy },
        }
    }

    /// One after the other; neighbours without anchors become one plain pattern.
    pub(in crate::pattern) fn concat(nodes: Vec<Node>) -> Node {
        let mut parts: Vec<Node> = Vec::new();
        let mut run: Vec<Pattern> = Vec::new();
        for node in nodes {
            match node {
                Node::Plain(pattern) => append(&mut run, pattern),
                node => {
                    flush(&mut parts, &mut run);
                    parts.push(node);
                }
            }
        }
        if parts.is_empty() {
            return Node::Plain(concat(run));
        }
        flush(&mut parts, &mut run);
        if parts.len() == 1 { parts.swap_remove(0) } else { Node::Concat(parts) }
    }

    /// Whether `^` or `\A` is inside.
    pub(super) fn has_start(&self) -> bool {
        match self {
            Node::Start => true,
            Node::Plain(_) | Node::End | Node::VeryEnd => false,
            Node::Concat(nodes) | Node::Alt(nodes) => nodes.iter().any(Node::has_start),
            Node::Repeat { body, .. } => body.has_start(),
        }
    }

    fn plain(self) -> Option<Pattern> {
        match self {
            Node::Plain(pattern) => Some(pattern),
            _ => None,
        }
    }
}

fn flush(parts: &mut Vec<Node>, run: &mut Vec<Pattern>) {
    if !run.is_empty() {
        parts.push(Node::Plain(concat(std::mem::take(run))));
    }
}

/// Adds a pattern to the end of a sequence.
pub(super) fn append(run: &mut Vec<Pattern>, pattern: Pattern) {
    match (run.last_mut(), pattern) {
        (_, Pattern::Empty) => {}
        (Some(Pattern::Bytes(left)), Pattern::Bytes(right)) => left.extend(right),
        (None, Pattern::Concat(parts)) => *run = parts,
        // Moving more than a few parts at every level of nesting would add up.
        (_, Pattern::Concat(parts)) if parts.len() <= 64 => {
            for part in parts {
                append(run, part);
            }
        }
        (_, pattern) => run.push(pattern),
    }
}

/// The pattern of a sequence that [`append`] made.
pub(super) fn concat(mut run: Vec<Pattern>) -> Pattern {
    match run.len() {
        0 => Pattern::Empty,
        1 => run.swap_remove(0),
        _ => Pattern::Concat(run),
    }
}
