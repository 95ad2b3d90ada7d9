//! The text of a grammar to its rules.

use rustc_hash::FxHashMap;

use super::{Item, Named};
use crate::error::Error;
use crate::limits::{Limits, check};
use crate::pattern::{CharSet, Pattern};

/// Repetitions of one item right behind each other, which nest without a parenthesis.
const REPETITIONS: u32 = 2;

pub(super) fn rules(text: &str, limits: &Limits) -> Result<Vec<Named>, Error> {
    let mut parser =
        Parser { text, at: 0, depth: 0, limits, rules: Vec::new(), numbers: FxHashMap::default() };
    loop {
        parser.space(true);
        if parser.rest().is_empty() {
            return Ok(parser.rules);
        }
        parser.rule()?;
        check("rules", "rules", limits.rules as u64, parser.rules.len() as u64)?;
    }
}

pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// Of open groups.
    depth: usize,
    limits: &'t Limits,
    rules: Vec<Named>,
    numbers: FxHashMap<&'t str, usize>,
}

impl<'t> Parser<'t> {
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    pub(super) fn takes(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    pub(super) fn fail<T>(&self, at: usize, message: &str) -> Result<T, Error> {
        Err(Error::syntax(message, self.text, at))
    }

    /// Passes blanks and comments, and line breaks if they do not matter.
    fn space(&mut self, lines: bool) {
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' => self.at += 1,
                '\n' | '\r' if lines => self.at += 1,
                '#' => self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len()),
                _ => break,
            }
        }
    }

    /// Whether a bar follows, if need be on a later line.
    fn bar(&mut self) -> bool {
        let before = self.at;
        self.space(true);
        let found = self.takes("|");
        if !found {
            self.at = before;
        }
        found
    }

    fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// The number of a rule.
    fn number(&mut self, name: &'t str, at: usize) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.rules.push(Named { name: name.to_owned(), at, body: None });
            self.rules.len() - 1
        })
    }

    fn rule(&mut self) -> Result<(), Error> {
        let start = self.at;
        let Some(name) = self.name() else {
            return self.fail(start, "a rule is expected: a name and ::=");
        };
        self.space(false);
        if !self.takes("::=") {
            return self.fail(self.at, &format!("::= is expected after the name {name:?}"));
        }
        let number = self.number(name, start);
        if self.rules[number].body.is_some() {
            return self.fail(start, &format!("a second rule {name:?}"));
        }
        self.space(true);
        let body = self.alternatives()?;
        match self.peek() {
            None | Some('\n' | '\r') => {}
            Some(')') => return self.fail(self.at, "a parenthesis that no other opens"),
            Some(other) => return self.fail(self.at, &format!("{other:?} cannot stand here")),
        }
        self.rules[number].body = Some(body);
        Ok(())
    }

    fn alternatives(&mut self) -> Result<Item, Error> {
        let mut alternatives = vec![self.sequence()?];
        while self.bar() {
            self.space(true);
            alternatives.push(self.sequence()?);
        }
        Ok(match alternatives.pop() {
            Some(only) if alternatives.is_empty() => only,
            last => {
                alternatives.extend(last);
                Item::Alt(alternatives)
            }
        })
    }

    fn sequence(&mut self) -> Result<Item, Error> {
        let mut items = Vec::new();
        loop {
            self.space(self.depth > 0);
            let before = self.at;
            let Some(item) = self.item()? else { break };
            // A name with ::= behind it begins the next rule: that it stands on this line is a mistake.
            if matches!(item, Item::Rule(_)) {
                self.space(false);
                if self.rest().starts_with("::=") {
                    return self.fail(before, "a rule cannot begin here: it needs a line of its own, outside of parentheses");
                }
            }
            items.push(self.repeated(item)?);
        }
        Ok(match items.pop() {
            Some(only) if items.is_empty() => only,
            last => {
                items.extend(last);
                Item::Seq(items)
            }
        })
    }

    /// An item without what repeats it; none at the end of a sequence.
    fn item(&mut self) -> Result<Option<Item>, Error> {
        let start = self.at;
        if let Some(name) = self.name() {
            return Ok(Some(Item::Rule(self.number(name, start))));
        }
        Ok(Some(match self.peek() {
            Some('"') => {
                self.at += 1;
                Item::Chars(self.literal()?)
            }
            Some('[') => {
                self.at += 1;
                Item::Chars(self.class()?)
            }
            Some('.') => {
                self.at += 1;
                Item::Chars(Pattern::Class(CharSet::all()))
            }
            Some('(') => {
                self.at += 1;
                self.group(start)?
            }
            Some('<') => Item::Token(self.token()?),
            Some('!') => {
                return self.fail(start, "tokens that are excluded are not supported");
            }
            Some('*' | '+' | '?' | '{') => return self.fail(start, "there is nothing to repeat"),
            _ => return Ok(None),
        }))
    }

    fn group(&mut self, start: usize) -> Result<Item, Error> {
        self.depth += 1;
        let most = self.limits.source_nesting as u64;
        check("nesting of the grammar's groups", "source_nesting", most, self.depth as u64)?;
        self.space(true);
        let inside = self.alternatives()?;
        self.space(true);
        if !self.takes(")") {
            return match self.peek() {
                None => self.fail(start, "the parenthesis is not closed"),
                Some(other) => self.fail(self.at, &format!("{other:?} cannot stand here")),
            };
        }
        self.depth -= 1;
        Ok(inside)
    }

    /// `<[id]>`.
    fn token(&mut self) -> Result<u32, Error> {
        let start = self.at;
        if !self.takes("<[") {
            return self.fail(
                start,
                "tokens are named by their ids, as in <[7]>: names depend on the vocabulary",
            );
        }
        let id = self.count();
        match id {
            Some(id) if self.takes("]>") => Ok(id),
            _ => self.fail(start, "a token is written as <[id]>"),
        }
    }

    fn count(&mut self) -> Option<u32> {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += length;
        rest[..length].parse().ok()
    }

    /// The item with all that repeats it.
    fn repeated(&mut self, mut item: Item) -> Result<Item, Error> {
        let mut repetitions = 0;
        loop {
            self.space(self.depth > 0);
            let start = self.at;
            let (min, max) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => self.bounds()?,
                _ => return Ok(item),
            };
            if self.at == start {
                self.at += 1;
            }
            repetitions += 1;
            if repetitions > REPETITIONS {
                return self.fail(start, "too many repetitions of one item: put it in a group");
            }
            item = Item::Repeat { body: Box::new(item), min, max };
        }
    }

    /// `{m}`, `{m,}` or `{m,n}`; also `{,n}`.
    fn bounds(&mut self) -> Result<(u32, Option<u32>), Error> {
        const FORM: &str = "a repetition is written as {m}, {m,} or {m,n}, with numbers below 2^32";
        let start = self.at;
        self.at += 1;
        self.space(false);
        let is_digit = |parser: &Self| parser.peek().is_some_and(|c| c.is_ascii_digit());
        let min = if is_digit(self) { self.count() } else { Some(0) };
        let has_min = self.text[start + 1..self.at].contains(|c: char| c.is_ascii_digit());
        self.space(false);
        let comma = self.takes(",");
        self.space(false);
        let max = match (comma, is_digit(self)) {
            (true, true) => self.count().map(Some),
            (true, false) => Some(None),
            (false, _) => Some(min),
        };
        self.space(false);
        let (Some(min), Some(max), true, true) = (min, max, self.takes("}"), has_min || comma)
        else {
            return self.fail(start, FORM);
        };
        if max.is_some_and(|max| max < min) {
            return self.fail(start, "the repetition has a smaller upper than lower bound");
        }
        Ok((min, max))
    }
}
