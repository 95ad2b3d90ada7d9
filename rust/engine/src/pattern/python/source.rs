//! The pattern's text, read in tokens as Python does: one code point, or a backslash and one code point.

use crate::error::Error;

/// A code point of the pattern, or what a backslash makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Byte offset of its start, the backslash included.
    pub(super) at: usize,
    /// The code point, without the backslash.
    pub(super) char: char,
    /// Whether a backslash stands before it.
    pub(super) escaped: bool,
}

impl Token {
    /// Whether this is `char` without a backslash.
    pub(super) fn is(self, char: char) -> bool {
        !self.escaped && self.char == char
    }

    /// The token as it stands in the pattern.
    pub(super) fn text(self) -> String {
        if self.escaped { format!("\\{}", self.char) } else { self.char.to_string() }
    }
}

/// A cursor over the pattern's tokens.
#[derive(Clone, Debug)]
pub(super) struct Source<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Source<'a> {
    /// Fails if the last backslash has nothing to escape, so that no later step has to.
    pub(super) fn new(text: &'a str) -> Result<Self, Error> {
        let mut bytes = text.bytes();
        while let Some(byte) = bytes.next() {
            if byte == b'\\' && bytes.next().is_none() {
                let message = "bad escape: a character is expected after the backslash";
                return Err(Error::syntax(message, text, text.len() - 1));
            }
        }
        Ok(Self { text, at: 0 })
    }

    /// Byte offset of the next token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes back to an offset that [`Self::at`] gave.
    pub(super) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// The next token, which stays.
    pub(super) fn peek(&self) -> Option<Token> {
        let mut chars = self.text[self.at..].chars();
        let first = chars.next()?;
        let token = Token { at: self.at, char: first, escaped: false };
        match chars.next() {
            Some(char) if first == '\\' => Some(Token { char, escaped: true, ..token }),
            _ => Some(token),
        }
    }

    /// The next token, taken.
    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.at += usize::from(token.escaped) + token.char.len_utf8();
        Some(token)
    }

    /// Takes `char` if it comes next, without a backslash.
    pub(super) fn eat(&mut self, char: char) -> bool {
        let found = self.peek().is_some_and(|token| token.is(char));
        if found {
            self.next();
        }
        found
    }

    /// Takes up to `most` digits of a base and gives their text.
    pub(super) fn digits(&mut self, most: usize, radix: u32) -> &'a str {
        let start = self.at;
        for _ in 0..most {
            match self.peek() {
                Some(token) if !token.escaped && token.char.is_digit(radix) => self.next(),
                _ => break,
            };
        }
        &self.text[start..self.at]
    }

    /// An error at a byte offset.
    pub(super) fn error(&self, message: impl Into<String>, at: usize) -> Error {
        Error::syntax(message, self.text, at)
    }

    /// An error for a construct that Python has and this does not.
    pub(super) fn unsupported(&self, construct: &str, at: usize) -> Error {
        self.error(format!("{construct} not supported"), at)
    }

    /// The text from `start` up to the next token.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }
}
