//! Terminals as Lark makes them: one regex each, pasted together from the texts of its parts.
//!
//! The pasting decides the language, as in `/a|b/ "c"`, which is the regex `a|bc`; and it decides the order of
//! alternatives. So a terminal with a regex in it is written out and read as one pattern. Terminals of strings
//! and ranges alone need no text.

use std::rc::Rc;

use super::ast::{Flags, Form, Literal, LiteralKind};
use super::source::{At, Sources};
use super::width::{Widths, widths};
use crate::error::{Error, Place};
use crate::limits::{Limits, check};
use crate::pattern::python::{self, Anchors};
use crate::pattern::{CharSet, Pattern};

/// A terminal or a part of one.
#[derive(Debug)]
pub(super) struct Node<'a> {
    shape: Shape<'a>,
    /// The flags that Lark wraps around the text.
    flags: Flags,
    /// Characters of Lark's `Pattern.value`, by which it orders alternatives.
    value_len: u64,
    /// Bytes of the regex with its flags, at most, plus one for each node.
    size: u64,
    depth: usize,
    /// Whether no regex is in it.
    plain: bool,
}

#[derive(Debug)]
enum Shape<'a> {
    Literal(&'a Literal),
    Concat(Vec<Rc<Node<'a>>>),
    Alt(Vec<Rc<Node<'a>>>),
    Repeat { body: Rc<Node<'a>>, min: u32, max: Option<u32>, form: Form },
}

/// Makes nodes and patterns, and bounds what all of them cost.
#[derive(Debug)]
pub(super) struct Builder<'l> {
    sources: &'l Sources,
    /// Flags of all terminals.
    flags: python::Flags,
    limits: &'l Limits,
    written: u64,
}

/// Where a piece of a written regex comes from: its first character in the text, and the literal.
type Pieces<'n> = Vec<(usize, &'n Literal)>;

impl<'l> Builder<'l> {
    pub(super) fn new(sources: &'l Sources, flags: python::Flags, limits: &'l Limits) -> Self {
        Self { sources, flags, limits, written: 0 }
    }

    pub(super) fn literal<'a>(&self, literal: &'a Literal) -> Rc<Node<'a>> {
        let (value_len, text_len) = match literal.kind {
            LiteralKind::String => (literal.value.chars().count(), escape(&literal.value).len()),
            LiteralKind::Regex | LiteralKind::Range => {
                (literal.value.chars().count(), literal.value.len())
            }
        };
        let plain = self.flags == python::Flags::default()
            && match literal.kind {
                LiteralKind::String => literal.flags.is_empty(),
                LiteralKind::Regex => false,
                LiteralKind::Range => plain_range(&literal.value).is_some(),
            };
        Rc::new(Node {
            shape: Shape::Literal(literal),
            flags: literal.flags,
            value_len: value_len as u64,
            size: 1 + text_len as u64 + wrapping(literal.flags),
            depth: 1,
            plain,
        })
    }

    pub(super) fn concat<'a>(&self, mut parts: Vec<Rc<Node<'a>>>) -> Result<Rc<Node<'a>>, Error> {
        if parts.len() == 1
            && let Some(only) = parts.pop()
        {
            return Ok(only);
        }
        let length = parts.iter().fold(0, |n: u64, p| n.saturating_add(p.text_len()));
        self.node(Shape::Concat(parts), Flags::default(), length)
    }

    /// The alternatives in Lark's order: wider ones first, by the most and then the least that they match,
    /// then those with the longer text.
    pub(super) fn alt<'a>(
        &mut self,
        mut options: Vec<Rc<Node<'a>>>,
    ) -> Result<Rc<Node<'a>>, Error> {
        if options.len() == 1
            && let Some(only) = options.pop()
        {
            return Ok(only);
        }
        let mut keyed = Vec::with_capacity(options.len());
        for option in options {
            let Widths { min, max } = self.node_widths(&option)?;
            keyed.push(((max, min, option.value_len), option));
        }
        keyed.sort_by(|(a, _), (b, _)| b.cmp(a));
        let options: Vec<_> = keyed.into_iter().map(|(_, option)| option).collect();
        let length = options.iter().fold(3, |n: u64, o| n.saturating_add(o.text_len() + 1));
        self.node(Shape::Alt(options), Flags::default(), length)
    }

    pub(super) fn repeat<'a>(
        &self,
        body: &Rc<Node<'a>>,
        min: u32,
        max: Option<u32>,
        form: Form,
    ) -> Result<Rc<Node<'a>>, Error> {
        let length = body.text_len().saturating_add(4 + operator(min, max, form).len() as u64);
        self.node(Shape::Repeat { body: Rc::clone(body), min, max, form }, body.flags, length)
    }

    fn node<'a>(
        &self,
        shape: Shape<'a>,
        flags: Flags,
        value_len: u64,
    ) -> Result<Rc<Node<'a>>, Error> {
        let parts: &[Rc<Node<'a>>] = match &shape {
            Shape::Literal(_) => &[],
            Shape::Concat(parts) | Shape::Alt(parts) => parts,
            Shape::Repeat { body, .. } => std::slice::from_ref(body),
        };
        let depth = 1 + parts.iter().map(|p| p.depth).max().unwrap_or(0);
        // Reading, writing and dropping a node recurse, and references nest as parentheses do.
        let most = self.limits.source_nesting as u64;
        check("nesting of terminals within terminals", "source_nesting", most, depth as u64)?;
        let around = 32 + wrapping(flags) + parts.len() as u64;
        let size = parts.iter().fold(around, |n, p| n.saturating_add(p.size));
        let plain = parts.iter().all(|p| p.plain);
        Ok(Rc::new(Node { shape, flags, value_len, size, depth, plain }))
    }

    pub(super) fn error(&self, at: At, message: String) -> Error {
        self.sources.error(at, message)
    }

    /// The pattern of a terminal.
    pub(super) fn pattern(&mut self, node: &Node<'_>) -> Result<Pattern, Error> {
        // References can double the text with every terminal.
        self.written = self.written.saturating_add(node.size);
        let what = "text in bytes of the terminals, with those that they refer to written out";
        check(what, "source_bytes", self.limits.source_bytes as u64, self.written)?;
        if node.plain {
            return node.plain_pattern().settle_rounds(self.limits);
        }
        let mut text = Writer::default();
        node.write(&mut text);
        python::parse(&text.out, self.flags, Anchors::Terminal, self.limits)
            .map_err(|error| self.locate(error, &text))?
            .settle_rounds(self.limits)
    }

    fn node_widths(&mut self, node: &Node<'_>) -> Result<Widths, Error> {
        match &node.shape {
            Shape::Literal(literal) if literal.kind == LiteralKind::String => {
                let length = u128::from(node.value_len);
                Ok(Widths { min: length, max: length })
            }
            _ => Ok(widths(&self.pattern(node)?)),
        }
    }

    /// Moves the place of an error in a written regex to the literal that it came from.
    fn locate(&self, error: Error, text: &Writer<'_>) -> Error {
        let Error::Syntax { message, place: Some(place) } = error else { return error };
        let at = offset(&text.out, &place);
        let piece = text.pieces.partition_point(|piece| piece.0 <= at).saturating_sub(1);
        let Some(&(start, literal)) = text.pieces.get(piece) else {
            return Error::Syntax { message, place: None };
        };
        let inner = match literal.kind {
            LiteralKind::Regex => self.source_offset(literal, at.saturating_sub(start)),
            LiteralKind::String | LiteralKind::Range => 0,
        };
        self.sources.error(At { byte: literal.at.byte + inner, ..literal.at }, message)
    }

    /// Where in its file, counted from its first byte, character `index` of a regex literal stands.
    fn source_offset(&self, literal: &Literal, index: usize) -> usize {
        let text = self.sources.text(literal.at, literal.len);
        let close = text.rfind('/').unwrap_or(1);
        let characters = super::literal::evaluate(&text[1..close]).unwrap_or_default();
        1 + characters.get(index).map_or(close - 1, |&(_, at)| at)
    }
}

/// The index of the character at a place.
fn offset(text: &str, place: &Place) -> usize {
    let lines = text.split('\n').take(place.line as usize - 1);
    lines.map(|line| line.chars().count() + 1).sum::<usize>() + place.column as usize - 1
}

impl Node<'_> {
    /// Characters of the regex with its flags.
    fn text_len(&self) -> u64 {
        let value = match &self.shape {
            Shape::Literal(literal) if literal.kind == LiteralKind::String => {
                escape(&literal.value).chars().count() as u64
            }
            _ => self.value_len,
        };
        value.saturating_add(wrapping(self.flags))
    }

    fn plain_pattern(&self) -> Pattern {
        match &self.shape {
            Shape::Literal(literal) => match plain_range(&literal.value) {
                Some(range) if literal.kind == LiteralKind::Range => {
                    Pattern::Class(CharSet::new([range]))
                }
                _ => Pattern::Bytes(literal.value.as_bytes().to_vec()),
            },
            Shape::Concat(parts) if parts.is_empty() => Pattern::Empty,
            Shape::Concat(parts) => {
                Pattern::Concat(parts.iter().map(|p| p.plain_pattern()).collect())
            }
            Shape::Alt(options) => {
                Pattern::Alt(options.iter().map(|o| o.plain_pattern()).collect())
            }
            &Shape::Repeat { ref body, min, max, .. } => {
                Pattern::Repeat { body: Box::new(body.plain_pattern()), min, max, greedy: true }
            }
        }
    }

    fn write<'n>(&'n self, text: &mut Writer<'n>) {
        for letter in self.flags.letters() {
            text.push("(?");
            text.push(char::from(letter).encode_utf8(&mut [0; 4]));
            text.push(":");
        }
        match &self.shape {
            Shape::Literal(literal) => {
                text.pieces.push((text.length, literal));
                match literal.kind {
                    LiteralKind::String => text.push(&escape(&literal.value)),
                    LiteralKind::Regex | LiteralKind::Range => text.push(&literal.value),
                }
            }
            Shape::Concat(parts) => parts.iter().for_each(|p| p.write(text)),
            Shape::Alt(options) => {
                for (i, option) in options.iter().enumerate() {
                    text.push(if i == 0 { "(?:" } else { "|" });
                    option.write(text);
                }
                text.push(")");
            }
            &Shape::Repeat { ref body, min, max, form } => {
                text.push("(?:");
                body.write(text);
                text.push(")");
                text.push(&operator(min, max, form));
            }
        }
        for _ in self.flags.letters() {
            text.push(")");
        }
    }
}

/// A regex in the making.
#[derive(Default)]
struct Writer<'n> {
    out: String,
    /// Characters written.
    length: usize,
    pieces: Pieces<'n>,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.length += text.chars().count();
    }
}

fn operator(min: u32, max: Option<u32>, form: Form) -> String {
    match (form, min, max) {
        (Form::Operator | Form::Brackets, 0, Some(_)) => "?".to_owned(),
        (Form::Operator | Form::Brackets, 0, None) => "*".to_owned(),
        (Form::Operator | Form::Brackets, ..) => "+".to_owned(),
        (Form::Exactly, ..) => format!("{{{min}}}"),
        (Form::Between, ..) => format!("{{{min},{}}}", max.unwrap_or(min)),
    }
}

/// Characters that `(?i:` and `)` and the like add.
fn wrapping(flags: Flags) -> u64 {
    5 * flags.letters().count() as u64
}

/// As Python's `re.escape`.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The ends of the range `[a-z]`, if it has no meaning to `re` but the plain one.
fn plain_range(value: &str) -> Option<(char, char)> {
    let mut chars = value.strip_prefix('[')?.strip_suffix(']')?.chars();
    let (first, '-', last, None) = (chars.next()?, chars.next()?, chars.next()?, chars.next())
    else {
        return None;
    };
    let special = |c| matches!(c, '^' | ']' | '[' | '\\' | '-' | '&' | '~' | '|');
    (first <= last && !special(first) && !special(last)).then_some((first, last))
}
