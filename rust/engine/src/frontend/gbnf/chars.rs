//! Literals and classes.

use super::parse::Parser;
use crate::error::Error;
use crate::pattern::{CharSet, Pattern};

impl Parser<'_> {
    /// What stands behind an opening quotation mark.
    pub(super) fn literal(&mut self) -> Result<Pattern, Error> {
        let start = self.at - 1;
        let mut bytes = String::new();
        loop {
            match self.peek() {
                Some('"') => break,
                None | Some('\n') => return self.fail(start, "the literal has no closing quote"),
                Some(_) => bytes.push(self.character()?),
            }
        }
        self.at += 1;
        Ok(if bytes.is_empty() { Pattern::Empty } else { Pattern::Bytes(bytes.into_bytes()) })
    }

    /// What stands behind an opening bracket.
    pub(super) fn class(&mut self) -> Result<Pattern, Error> {
        let start = self.at - 1;
        let negated = self.takes("^");
        let mut ranges = Vec::new();
        loop {
            match self.peek() {
                Some(']') => break,
                None | Some('\n') => return self.fail(start, "the class has no closing bracket"),
                Some(_) => {}
            }
            let place = self.at;
            let first = self.character()?;
            let is_range = self.peek() == Some('-') && !self.rest()[1..].starts_with(']');
            if !is_range {
                ranges.push((first, first));
                continue;
            }
            self.at += 1;
            if matches!(self.peek(), None | Some('\n')) {
                return self.fail(start, "the class has no closing bracket");
            }
            let last = self.character()?;
            if last < first {
                return self.fail(place, "the range ends before it begins");
            }
            ranges.push((first, last));
        }
        self.at += 1;
        if ranges.is_empty() {
            return self.fail(start, "the class is empty");
        }
        let set = CharSet::new(ranges);
        let set = if negated { set.negate() } else { set };
        if set.is_empty() {
            return self.fail(start, "the class excludes every character");
        }
        Ok(Pattern::Class(set))
    }

    /// One character, escaped or not; there is one.
    fn character(&mut self) -> Result<char, Error> {
        let start = self.at;
        let character = self.next().unwrap_or_default();
        if character != '\\' {
            return Ok(character);
        }
        let digits = match self.next() {
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some(same @ ('\\' | '"' | '[' | ']' | '-')) => return Ok(same),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => {
                return self.fail(start, "an unknown escape: \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\xHH \\uHHHH \\UHHHHHHHH are known");
            }
        };
        let code =
            self.rest().get(..digits).filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(code) = code.and_then(|code| u32::from_str_radix(code, 16).ok()) else {
            return self.fail(start, &format!("the escape needs {digits} hexadecimal digits"));
        };
        self.at += digits;
        match char::from_u32(code) {
            Some(character) => Ok(character),
            None => self.fail(start, "the escape names no character of Unicode"),
        }
    }
}
