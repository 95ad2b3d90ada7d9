//! The parser. It recurses over groups, which the limit of nesting bounds.

use rustc_hash::FxHashSet;

use super::anchor;
use super::classes::{fold, line_ends, word};
use super::escapes::Escape;
use crate::error::Error;
use crate::limits::{self, Limits};
use crate::pattern::anchors::node::Node;
use crate::pattern::anchors::sequence::Sequence;
use crate::pattern::{CharSet, Look, Pattern};

/// Counts up to here are counted; no text is as long.
const MOST: u32 = 1 << 30;

/// Flags that a group can set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multi_line: bool,
    pub(super) dot_all: bool,
}

/// A pattern as it was read.
pub(super) struct Read {
    pub(super) node: Node,
    /// Whether it holds conditions besides anchors.
    pub(super) has_looks: bool,
}

pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Whether the `u` flag is set.
    pub(super) unicode: bool,
    /// Whether anchors are to be conditions too.
    looks: bool,
    has_looks: bool,
    /// Whether a group has a name, which makes `\k` a reference.
    pub(super) named: bool,
    groups: u32,
    names: FxHashSet<String>,
    depth: u64,
    limits: &'a Limits,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, unicode: bool, looks: bool, limits: &'a Limits) -> Self {
        let (groups, named) = count_groups(text);
        Self {
            text,
            at: 0,
            unicode,
            looks,
            has_looks: false,
            named,
            groups,
            names: FxHashSet::default(),
            depth: 0,
            limits,
        }
    }

    pub(super) fn parse(mut self) -> Result<Read, Error> {
        let node = self.alternatives(Flags::default())?;
        if self.at < self.text.len() {
            return Err(self.error("unbalanced parenthesis: no group is open", self.at));
        }
        Ok(Read { node, has_looks: self.has_looks })
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.next();
        }
        found
    }

    /// Takes so many bytes, which are ASCII.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Gives back a character.
    pub(super) fn back(&mut self, c: char) {
        self.at -= c.len_utf8();
    }

    pub(super) fn place(&self) -> usize {
        self.at
    }

    pub(super) fn seek(&mut self, place: usize) {
        self.at = place;
    }

    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    pub(super) fn error(&self, message: impl Into<String>, at: usize) -> Error {
        Error::syntax(message, self.text, at)
    }

    fn alternatives(&mut self, flags: Flags) -> Result<Node, Error> {
        let mut all = Vec::new();
        loop {
            all.push(self.sequence(flags)?);
            if !self.eat('|') {
                return Ok(Node::alt(all));
            }
        }
    }

    fn sequence(&mut self, flags: Flags) -> Result<Node, Error> {
        let mut sequence = Sequence::new();
        while let Some(c) = self.peek().filter(|&c| c != '|' && c != ')') {
            let open = self.at;
            self.next();
            match c {
                '^' => sequence.anchor(self.line_anchor(false, flags)),
                '$' => sequence.anchor(self.line_anchor(true, flags)),
                '.' => {
                    let none = CharSet::new([]);
                    let excluded = if flags.dot_all { none } else { line_ends() };
                    sequence.class(excluded.negate());
                }
                '(' => self.group(open, flags, &mut sequence)?,
                '[' => {
                    let set = self.class(open, flags)?;
                    sequence.class(set);
                }
                '\\' => self.escaped(open, flags, &mut sequence)?,
                '*' | '+' | '?' | '{' if self.quantifier(c, open, &mut sequence)? => {}
                '{' | '}' | ']' if self.unicode => {
                    return Err(self.error(format!("a lone {c} must be written \\{c}"), open));
                }
                _ => self.literal(c.into(), flags, &mut sequence),
            }
        }
        Ok(sequence.finish())
    }

    /// A character; a surrogate alone is nothing.
    fn literal(&self, point: u32, flags: Flags, sequence: &mut Sequence) {
        let set = CharSet::new(char::from_u32(point).map(|c| (c, c)));
        sequence.class(if flags.ignore_case { fold(&set) } else { set });
    }

    fn line_anchor(&mut self, end: bool, flags: Flags) -> Node {
        if flags.multi_line {
            self.has_looks = true;
            let line_end = Pattern::Class(line_ends());
            let inner =
                if end { Look::ahead(line_end, false) } else { Look::behind(line_end, false) };
            return Node::Plain(Pattern::Alt(vec![anchor(end), inner.into()]));
        }
        match (self.looks, end) {
            (true, end) => Node::Plain(anchor(end)),
            (false, true) => Node::VeryEnd,
            (false, false) => Node::Start,
        }
    }

    fn escaped(&mut self, open: usize, flags: Flags, sequence: &mut Sequence) -> Result<(), Error> {
        match self.peek() {
            Some(c @ ('b' | 'B')) => {
                self.next();
                self.has_looks = true;
                let word = word(flags.ignore_case && self.unicode);
                sequence.anchor(Node::Plain(Pattern::word_boundary(&word, c == 'B')));
                return Ok(());
            }
            Some('1'..='9') => {
                let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
                let number: Option<u32> = self.rest()[..digits].parse().ok();
                if self.unicode || number.is_some_and(|number| number <= self.groups) {
                    return Err(
                        self.error("back-references are not supported: they are not regular", open)
                    );
                }
            }
            Some('k') if self.unicode || self.named => {
                return Err(
                    self.error("back-references are not supported: they are not regular", open)
                );
            }
            _ => {}
        }
        match self.escape(open, false, flags)? {
            Escape::Point(point) => self.literal(point, flags, sequence),
            Escape::Set(set) => sequence.class(set),
        }
        Ok(())
    }

    /// Reads a quantifier whose first character was taken; false if it is none.
    fn quantifier(&mut self, c: char, open: usize, sequence: &mut Sequence) -> Result<bool, Error> {
        let (min, max) = match c {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => match self.counts(open)? {
                Some(counts) => counts,
                None => return Ok(false),
            },
        };
        let greedy = !self.eat('?');
        sequence.repeat(min, max, greedy).map_err(|message| self.error(message, open))?;
        Ok(true)
    }

    /// What stands between braces, if it is counts; otherwise nothing is taken.
    fn counts(&mut self, open: usize) -> Result<Option<(u32, Option<u32>)>, Error> {
        let start = self.at;
        let low = self.digits();
        let comma = self.eat(',');
        let high = if comma { self.digits() } else { low };
        if low.is_empty() || !self.eat('}') {
            self.at = start;
            return Ok(None);
        }
        let min = self.count(low, open)?;
        let max = if high.is_empty() { None } else { Some(self.count(high, open)?) };
        if max.is_some_and(|max| max < min) {
            let message = "the least number of repetitions is greater than the most";
            return Err(self.error(message, open));
        }
        Ok(Some((min, max)))
    }

    fn digits(&mut self) -> &'a str {
        let start = self.at;
        self.at += self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.since(start)
    }

    fn count(&self, digits: &str, open: usize) -> Result<u32, Error> {
        match digits.trim_start_matches('0') {
            "" => Ok(0),
            digits => match digits.parse() {
                Ok(count) if count <= MOST => Ok(count),
                _ => Err(self.error(format!("a repetition count is above {MOST}"), open)),
            },
        }
    }

    fn group(&mut self, open: usize, flags: Flags, sequence: &mut Sequence) -> Result<(), Error> {
        let mut inner = flags;
        let mut look = None;
        if self.eat('?') {
            match self.next() {
                Some(':') => {}
                Some(c @ ('=' | '!')) => look = Some((false, c == '!')),
                Some('<') if self.eat('=') => look = Some((true, false)),
                Some('<') if self.eat('!') => look = Some((true, true)),
                Some('<') => self.name(open)?,
                Some('i' | 'm' | 's' | '-') => {
                    self.at -= 1;
                    inner = self.modifiers(open, flags)?;
                }
                _ => {
                    let message = format!("unknown group extension {}", self.since(open));
                    return Err(self.error(message, open));
                }
            }
        }
        self.depth += 1;
        let most = self.limits.source_nesting as u64;
        limits::check("nesting of groups in a pattern", "source_nesting", most, self.depth)?;
        let node = self.alternatives(inner)?;
        self.depth -= 1;
        if !self.eat(')') {
            return Err(self.error("unterminated group: ')' is expected", open));
        }
        let Some((behind, negative)) = look else {
            sequence.atom(node);
            return Ok(());
        };
        self.has_looks = true;
        // In the first reading anchors are left in, and only the second one counts.
        let body = match node {
            Node::Plain(body) => body,
            _ => Pattern::Empty,
        };
        let look = Node::Plain(Look { behind, negative, body, open: true }.into());
        if self.unicode || behind {
            sequence.anchor(look);
        } else {
            sequence.atom(look);
        }
        Ok(())
    }

    fn name(&mut self, open: usize) -> Result<(), Error> {
        let start = self.at;
        loop {
            match self.next() {
                Some('>') => break,
                Some(c)
                    if c.is_alphanumeric() || matches!(c, '_' | '$' | '\u{200c}' | '\u{200d}') => {}
                _ => return Err(self.error("bad name of a group: '>' is expected after it", open)),
            }
        }
        let name = &self.text[start..self.at - 1];
        if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) {
            return Err(self.error("bad name of a group", open));
        }
        if !self.names.insert(name.to_owned()) {
            return Err(self.error(format!("a second group named {name}"), open));
        }
        Ok(())
    }

    fn modifiers(&mut self, open: usize, flags: Flags) -> Result<Flags, Error> {
        let (mut new, mut on, mut seen) = (flags, true, String::new());
        loop {
            let c = self.next();
            let flag = match c {
                Some('i') => &mut new.ignore_case,
                Some('m') => &mut new.multi_line,
                Some('s') => &mut new.dot_all,
                Some('-') if on => {
                    on = false;
                    continue;
                }
                Some(':') if !seen.is_empty() => return Ok(new),
                _ => return Err(self.error("bad flags of a group", open)),
            };
            *flag = on;
            if let Some(c) = c {
                if seen.contains(c) {
                    return Err(self.error("a flag is given twice", open));
                }
                seen.push(c);
            }
        }
    }

    /// Reads a class after its bracket.
    fn class(&mut self, open: usize, flags: Flags) -> Result<CharSet, Error> {
        let negated = self.eat('^');
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut sets = CharSet::new([]);
        while let Some(low) = self.member(open, flags)? {
            let before = self.at;
            let dash = self.eat('-');
            if !dash || self.peek() == Some(']') {
                self.at = before;
                add(&mut ranges, &mut sets, low);
                continue;
            }
            let Some(high) = self.member(open, flags)? else { break };
            match (low, high) {
                (Escape::Point(a), Escape::Point(b)) if a <= b => {
                    ranges.extend(crate::pattern::charset::points(a, b));
                }
                (Escape::Point(_), Escape::Point(_)) => {
                    return Err(
                        self.error("bad character range: its ends are out of order", before)
                    );
                }
                _ if self.unicode => {
                    return Err(
                        self.error("bad character range: its ends are not characters", before)
                    );
                }
                (low, high) => {
                    ranges.push(('-', '-'));
                    add(&mut ranges, &mut sets, low);
                    add(&mut ranges, &mut sets, high);
                }
            }
        }
        let mut set = CharSet::new(ranges);
        if flags.ignore_case {
            set = fold(&set);
        }
        set = set.union(&sets);
        Ok(if negated { set.negate() } else { set })
    }

    /// The next member of a class, or none at its end.
    fn member(&mut self, open: usize, flags: Flags) -> Result<Option<Escape>, Error> {
        let at = self.at;
        match self.next() {
            None => Err(self.error("unterminated character class: ']' is expected", open)),
            Some(']') => Ok(None),
            Some('\\') => self.escape(at, true, flags).map(Some),
            Some(c) => Ok(Some(Escape::Point(c.into()))),
        }
    }
}

fn add(ranges: &mut Vec<(char, char)>, sets: &mut CharSet, member: Escape) {
    match member {
        Escape::Point(point) => ranges.extend(crate::pattern::charset::points(point, point)),
        Escape::Set(set) => *sets = sets.union(&set),
    }
}

/// How many groups capture, and whether one has a name.
fn count_groups(text: &str) -> (u32, bool) {
    let (mut groups, mut named, mut in_class) = (0, false, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => {
                let rest = &bytes[at + 1..];
                let name = rest.starts_with(b"?<") && !matches!(rest.get(2), Some(b'=' | b'!'));
                named |= name;
                groups += u32::from(name || rest.first() != Some(&b'?'));
            }
            _ => {}
        }
        at += 1;
    }
    (groups, named)
}
