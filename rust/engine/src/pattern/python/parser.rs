//! The parser: alternatives and groups on a stack of its own, so that no nesting can exhaust the thread's.

use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::limits::{self, Limits};
use crate::pattern::anchors::node::Node;
use crate::pattern::anchors::sequence::Sequence;
use crate::pattern::charset::points;
use crate::pattern::{CharSet, Look, Pattern};

use super::atomic::first_match;
use super::categories::{category, property};
use super::escapes;
use super::flags::Flags;
use super::fold::fold;
use super::groups::{self, BACK_REFERENCE, Opening};
use super::source::{Source, Token};
use super::{classes, quantifiers};

/// A group that is not closed yet, or the whole pattern.
struct Frame {
    /// Byte offset of the parenthesis.
    open: usize,
    /// The alternatives before the current one.
    alternatives: Vec<Node>,
    /// The current alternative.
    sequence: Sequence,
    /// The flags inside.
    flags: Flags,
    kind: Kind,
}

/// What a group is for.
#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Look { behind: bool, negative: bool },
    Atomic,
}

/// A pattern as it was read.
pub(super) struct Read {
    pub(super) node: Node,
    /// Whether it holds conditions besides anchors.
    pub(super) has_looks: bool,
}

impl Frame {
    fn new(open: usize, flags: Flags, kind: Kind) -> Self {
        Self { open, alternatives: Vec::new(), sequence: Sequence::new(), flags, kind }
    }

    fn finish(mut self) -> Node {
        self.alternatives.push(self.sequence.finish());
        Node::alt(self.alternatives)
    }
}

/// A parser of one pattern.
pub(super) struct Parser<'a> {
    source: Source<'a>,
    /// Whether anchors are to be conditions too.
    looks: bool,
    has_looks: bool,
    limits: &'a Limits,
    /// Groups around the current one, outermost first.
    outer: Vec<Frame>,
    frame: Frame,
    names: FxHashSet<String>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        pattern: &'a str,
        flags: Flags,
        looks: bool,
        limits: &'a Limits,
    ) -> Result<Self, Error> {
        Ok(Self {
            source: Source::new(pattern)?,
            looks,
            has_looks: false,
            limits,
            outer: Vec::new(),
            frame: Frame::new(0, flags, Kind::Plain),
            names: FxHashSet::default(),
        })
    }

    pub(super) fn parse(mut self) -> Result<Read, Error> {
        while let Some(token) = self.source.next() {
            if self.frame.flags.verbose && self.skip(token) {
                continue;
            }
            if token.escaped {
                self.escape(token)?;
                continue;
            }
            match token.char {
                '|' => {
                    let done = std::mem::replace(&mut self.frame.sequence, Sequence::new());
                    self.frame.alternatives.push(done.finish());
                }
                '(' => self.open(token)?,
                ')' => self.close(token)?,
                '[' => {
                    let set = classes::class(&mut self.source, token.at, self.frame.flags)?;
                    self.frame.sequence.class(set);
                }
                '.' => {
                    let end = CharSet::single('\n');
                    let none = CharSet::new([]);
                    let excluded = if self.frame.flags.dot_all { none } else { end };
                    self.frame.sequence.class(excluded.negate());
                }
                '*' | '+' | '?' | '{' => self.quantify(token)?,
                '^' => self.line_anchor(Node::Start),
                '$' => self.line_anchor(Node::End),
                char => self.literal(char.into()),
            }
        }
        if self.outer.is_empty() {
            Ok(Read { node: self.frame.finish(), has_looks: self.has_looks })
        } else {
            Err(self.source.error("unterminated group: ')' is expected", self.frame.open))
        }
    }

    /// Skips white space, or a comment to the end of its line; says whether there was one.
    fn skip(&mut self, token: Token) -> bool {
        if token.escaped {
            return false;
        }
        if token.char == '#' {
            // A line feed after a backslash does not end a comment, in Python either.
            while self.source.next().is_some_and(|next| !next.is('\n')) {}
            return true;
        }
        matches!(token.char, ' ' | '\t'..='\r')
    }

    fn literal(&mut self, point: u32) {
        let set = CharSet::new(points(point, point));
        let flags = self.frame.flags;
        self.frame.sequence.class(if flags.ignore_case { fold(&set, flags.ascii) } else { set });
    }

    fn quantify(&mut self, token: Token) -> Result<(), Error> {
        let Some(found) = quantifiers::quantifier(&mut self.source, token)? else {
            self.literal(token.char.into());
            return Ok(());
        };
        self.frame
            .sequence
            .repeat(found.min, found.max, found.greedy)
            .map_err(|message| self.source.error(message, token.at))?;
        if found.possessive {
            let repeated = self.frame.sequence.take();
            let atomic = self.atomic(repeated, token, "this possessive quantifier")?;
            self.frame.sequence.repeated(atomic);
        }
        Ok(())
    }

    /// What a node matches first, and nothing else.
    fn atomic(&mut self, node: Node, token: Token, what: &str) -> Result<Node, Error> {
        self.has_looks = true;
        let pattern = match node {
            Node::Plain(pattern) => pattern,
            // Only the second reading counts, in which all is plain.
            _ => return Ok(Node::Plain(Pattern::Empty)),
        };
        first_match(pattern).map(Node::Plain).ok_or_else(|| {
            let message = format!(
                "{what} is not supported: only what matches in one way, and repetitions and alternatives of that, \
                 can be taken without going back"
            );
            self.source.error(message, token.at)
        })
    }

    fn escape(&mut self, token: Token) -> Result<(), Error> {
        if let Some(set) = category(token.char, self.frame.flags.ascii) {
            self.frame.sequence.class(set);
            return Ok(());
        }
        match token.char {
            'A' => {
                self.anchor(Node::Start);
                Ok(())
            }
            'Z' | 'z' => {
                self.anchor(Node::VeryEnd);
                Ok(())
            }
            'b' | 'B' => {
                self.has_looks = true;
                let word = category('w', self.frame.flags.ascii).expect("words have characters");
                let boundary = Pattern::word_boundary(&word, token.char == 'B');
                self.frame.sequence.anchor(Node::Plain(boundary));
                Ok(())
            }
            'p' | 'P' => {
                let set = property(&mut self.source, token)?;
                let Flags { ignore_case, ascii, .. } = self.frame.flags;
                self.frame.sequence.class(if ignore_case { fold(&set, ascii) } else { set });
                Ok(())
            }
            '0'..='9' if !escapes::is_octal(&self.source, token) => {
                Err(self.source.error(BACK_REFERENCE, token.at))
            }
            'g' | 'k' => Err(self.source.error(BACK_REFERENCE, token.at)),
            _ => {
                let point = escapes::code_point(&mut self.source, token, false)?;
                self.literal(point);
                Ok(())
            }
        }
    }

    fn line_anchor(&mut self, node: Node) {
        if !self.frame.flags.multi_line {
            return self.anchor(node);
        }
        self.has_looks = true;
        let line_feed = Pattern::Bytes(b"\n".to_vec());
        let (outer, inner) = match node {
            Node::Start => (Look::start(), Look::behind(line_feed, false)),
            _ => (Look::end(), Look::ahead(line_feed, false)),
        };
        let either = Pattern::Alt(vec![outer.into(), inner.into()]);
        self.frame.sequence.anchor(Node::Plain(either));
    }

    fn anchor(&mut self, node: Node) {
        let node = match node {
            node if !self.looks => node,
            Node::Start => Node::Plain(Look::start().into()),
            Node::End => {
                let line_feed = Pattern::Bytes(b"\n".to_vec());
                let rest = Pattern::Alt(vec![Pattern::Empty, line_feed]);
                Node::Plain(Look::rest(rest, false).into())
            }
            _ => Node::Plain(Look::end().into()),
        };
        self.frame.sequence.anchor(node);
    }

    fn open(&mut self, token: Token) -> Result<(), Error> {
        let depth = self.outer.len() as u64 + 1;
        let mut kind = Kind::Plain;
        let (flags, name) = match groups::opening(&mut self.source, token.at, self.frame.flags)? {
            Opening::Comment => return Ok(()),
            Opening::Global(flags) => {
                let started =
                    !self.frame.sequence.is_empty() || !self.frame.alternatives.is_empty();
                if started || !self.outer.is_empty() {
                    let message = "flags for the whole pattern belong at its start; \
                                       (?flags:...) sets them for a group";
                    return Err(self.source.error(message, token.at));
                }
                self.frame.flags = flags;
                return Ok(());
            }
            Opening::Group { flags, name } => (flags, name),
            Opening::Atomic => {
                kind = Kind::Atomic;
                (self.frame.flags, None)
            }
            Opening::Look { behind, negative } => {
                self.has_looks = true;
                kind = Kind::Look { behind, negative };
                (self.frame.flags, None)
            }
        };
        let most = self.limits.source_nesting as u64;
        limits::check("nesting of groups in a pattern", "source_nesting", most, depth)?;
        if let Some((name, at)) = name {
            if self.names.contains(&name) {
                return Err(self.source.error(format!("a second group named {name}"), at));
            }
            self.names.insert(name);
        }
        let inner = Frame::new(token.at, flags, kind);
        self.outer.push(std::mem::replace(&mut self.frame, inner));
        Ok(())
    }

    fn close(&mut self, token: Token) -> Result<(), Error> {
        let Some(outer) = self.outer.pop() else {
            return Err(self.source.error("unbalanced parenthesis: no group is open", token.at));
        };
        let group = std::mem::replace(&mut self.frame, outer);
        let (kind, at) = (group.kind, group.open);
        let node = group.finish();
        let node = match kind {
            Kind::Plain => node,
            Kind::Atomic => {
                let open = Token { at, char: '(', escaped: false };
                self.atomic(node, open, "this atomic group")?
            }
            Kind::Look { behind, negative } => {
                // In the first reading anchors are left in, and only the second one counts.
                let body = match node {
                    Node::Plain(body) => body,
                    _ => Pattern::Empty,
                };
                Node::Plain(Look { behind, negative, body, open: true }.into())
            }
        };
        self.frame.sequence.atom(node);
        Ok(())
    }
}
