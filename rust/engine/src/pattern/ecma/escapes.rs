//! What a backslash and a character stand for.

use super::classes::{category, property};
use super::parser::{Flags, Parser};
use crate::error::Error;
use crate::pattern::CharSet;

/// A character, which may be half of a pair, or a set.
pub(super) enum Escape {
    Point(u32),
    Set(CharSet),
}

impl Parser<'_> {
    /// Reads an escape after its backslash, which stands at `open`. Assertions and references to groups are for the
    /// caller to take first.
    pub(super) fn escape(
        &mut self,
        open: usize,
        in_class: bool,
        flags: Flags,
    ) -> Result<Escape, Error> {
        let Some(c) = self.next() else {
            return Err(self.error("a character is expected after the backslash", open));
        };
        if let Some(set) = category(c, flags.ignore_case && self.unicode) {
            return Ok(Escape::Set(set));
        }
        let point = match c {
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            'b' if in_class => 0x08,
            '-' if in_class => '-'.into(),
            'p' | 'P' if self.unicode => return self.property(c == 'P', open, flags),
            'x' => match self.hex(2) {
                Some(point) => point,
                None => self.itself(c, open)?,
            },
            'u' => match self.unicode_escape() {
                Some(point) => point,
                None => self.itself(c, open)?,
            },
            'c' => match self.peek() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.next();
                    u32::from(letter) % 32
                }
                Some(more)
                    if in_class && !self.unicode && (more.is_ascii_digit() || more == '_') =>
                {
                    self.next();
                    u32::from(more) % 32
                }
                _ if self.unicode => return Err(self.bad(open)),
                // The backslash stands for itself, and so will the letter.
                _ => {
                    self.back(c);
                    '\\'.into()
                }
            },
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => 0,
            '0'..='7' if !self.unicode => self.octal(c),
            _ => self.itself(c, open)?,
        };
        Ok(Escape::Point(point))
    }

    fn bad(&self, open: usize) -> Error {
        self.error(format!("bad escape {}", self.since(open)), open)
    }

    /// A character that stands for itself although a backslash is before it.
    fn itself(&self, c: char, open: usize) -> Result<u32, Error> {
        let syntax = "^$\\.*+?()[]{}|/".contains(c);
        if syntax || !(self.unicode || c == 'k' && self.named) {
            return Ok(c.into());
        }
        Err(self.bad(open))
    }

    fn property(&mut self, negated: bool, open: usize, flags: Flags) -> Result<Escape, Error> {
        let mut name = String::new();
        if !self.eat('{') {
            return Err(self.error("a property in braces is expected", open));
        }
        loop {
            match self.next() {
                Some('}') => break,
                Some(c) if name.len() < 100 => name.push(c),
                _ => return Err(self.error("'}' is expected after the name of a property", open)),
            }
        }
        let Some(mut set) = property(&name) else {
            let message = format!("no such property: {name} (a script is written Script=Greek)");
            return Err(self.error(message, open));
        };
        if flags.ignore_case {
            set = super::classes::fold(&set);
        }
        Ok(Escape::Set(if negated { set.negate() } else { set }))
    }

    /// So many hexadecimal digits, or nothing is taken.
    fn hex(&mut self, count: usize) -> Option<u32> {
        let digits: String = self.rest().chars().take(count).collect();
        if digits.len() < count || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.skip(count);
        u32::from_str_radix(&digits, 16).ok()
    }

    /// What stands after `\u`; a pair of surrogates is one character.
    fn unicode_escape(&mut self) -> Option<u32> {
        if self.unicode && self.rest().starts_with('{') {
            let digits = &self.rest()[1..self.rest().find('}')?];
            let short = digits.trim_start_matches('0');
            let valid = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
            if !valid || short.len() > 6 {
                return None;
            }
            let point = if short.is_empty() { 0 } else { u32::from_str_radix(short, 16).ok()? };
            if point > 0x10_FFFF {
                return None;
            }
            self.skip(digits.len() + 2);
            return Some(point);
        }
        let first = self.hex(4)?;
        if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            let before = self.place();
            self.skip(2);
            match self.hex(4) {
                Some(second) if (0xDC00..0xE000).contains(&second) => {
                    return Some(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
                }
                _ => self.seek(before),
            }
        }
        Some(first)
    }

    /// An octal number below 256, whose first digit was taken.
    fn octal(&mut self, first: char) -> u32 {
        let mut number = first.to_digit(8).unwrap_or(0);
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(8))
            && number * 8 + digit < 256
        {
            number = number * 8 + digit;
            self.next();
        }
        number
    }
}
