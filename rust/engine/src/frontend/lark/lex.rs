//! Characters to tokens. Comments, blanks and continued lines are skipped here.

use super::source::Source;
use crate::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A lower-case name.
    Rule,
    /// An upper-case name.
    Terminal,
    String,
    Regex,
    /// `?`, `*` or `+` behind an expression.
    Op,
    /// `!` or `?` or both, before the name of a rule.
    Modifiers,
    Number,
    /// `%` and a word.
    Directive,
    /// Any other mark, by its text.
    Mark,
    /// The end of a line that does not go on.
    Newline,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// The byte behind it.
    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// What messages call it.
    pub(super) fn describe(&self) -> String {
        match self.kind {
            Kind::Newline => "end of line".to_owned(),
            Kind::End => "end of file".to_owned(),
            _ => {
                let short: String = self.text.chars().take(40).collect();
                format!("`{short}{}`", if short.len() < self.text.len() { "…" } else { "" })
            }
        }
    }
}

/// The words that may follow a percent sign.
pub(super) const DIRECTIVES: [&str; 5] = ["%ignore", "%import", "%declare", "%override", "%extend"];

#[derive(Debug)]
pub(super) struct Lexer<'a> {
    source: &'a Source,
    at: usize,
    ended: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, at: 0, ended: false }
    }

    fn rest(&self) -> &'a str {
        &self.source.text[self.at..]
    }

    fn token(&mut self, kind: Kind, len: usize) -> Token<'a> {
        let at = self.at;
        self.at += len;
        Token { kind, text: &self.source.text[at..self.at], at }
    }

    /// The next token; at the end of the text a [`Kind::Newline`] first, then [`Kind::End`] for ever.
    pub(super) fn next(&mut self) -> Result<Token<'a>, Error> {
        if let Some(newline) = self.skip() {
            return Ok(newline);
        }
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            let kind = if self.ended { Kind::End } else { Kind::Newline };
            self.ended = true;
            return Ok(self.token(kind, 0));
        };
        let bytes = rest.as_bytes();
        let second = bytes.get(1).copied().unwrap_or(0);
        match first {
            '"' => self.string(),
            '/' => self.regex(),
            '%' => {
                let known = DIRECTIVES.iter().find(|name| rest.starts_with(**name));
                let word = || 1 + bytes[1..].iter().take_while(|b| b.is_ascii_lowercase()).count();
                Ok(self.token(Kind::Directive, known.map_or_else(word, |name| name.len())))
            }
            '0'..='9' => Ok(self.number(0)),
            '+' | '-' if second.is_ascii_digit() => Ok(self.number(1)),
            '-' if second == b'>' => Ok(self.token(Kind::Mark, 2)),
            '.' if second == b'.' => Ok(self.token(Kind::Mark, 2)),
            '*' | '+' => Ok(self.token(Kind::Op, 1)),
            '!' | '?' => {
                let len = if matches!((first, second), ('!', b'?') | ('?', b'!')) { 2 } else { 1 };
                if bytes.get(len).is_some_and(|&b| b == b'_' || b.is_ascii_lowercase()) {
                    Ok(self.token(Kind::Modifiers, len))
                } else if first == '?' {
                    Ok(self.token(Kind::Op, 1))
                } else {
                    Err(self.source.error(self.at, "`!` belongs right before the name of a rule"))
                }
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ':' | ',' | '|' | '.' | '~' => {
                Ok(self.token(Kind::Mark, 1))
            }
            'a'..='z' | 'A'..='Z' | '_' => self.name(),
            _ => Err(self.source.error(self.at, format!("unexpected character {first:?}"))),
        }
    }

    /// Skips what means nothing. Gives the line's end, if the next line neither goes on nor was a comment.
    fn skip(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            if blank > 0 {
                self.at += blank;
                continue;
            }
            let bare = rest.trim_start();
            if bare.starts_with("//") || bare.starts_with('#') {
                // A comment swallows the line's end before it, so that an alternative may follow the comment.
                let space = rest.len() - bare.len();
                self.at += space + bare.find('\n').unwrap_or(bare.len());
                continue;
            }
            if let Some(after) = rest.strip_prefix('\\') {
                let trimmed = after.trim_start_matches(' ');
                let trimmed = trimmed.strip_prefix('\r').unwrap_or(trimmed);
                if let Some(next) = trimmed.strip_prefix('\n') {
                    self.at += rest.len() - next.len();
                    continue;
                }
            }
            if !(rest.starts_with('\n') || rest.starts_with("\r\n")) {
                return None;
            }
            let space = rest.len() - rest.trim_start().len();
            let after = &rest[space..];
            if after.starts_with('|') {
                self.at += space;
                continue;
            }
            return Some(self.token(Kind::Newline, space));
        }
    }

    fn string(&mut self) -> Result<Token<'a>, Error> {
        let bytes = self.rest().as_bytes();
        let mut end = 1;
        loop {
            match bytes.get(end) {
                None | Some(b'\n') => {
                    return Err(self
                        .source
                        .error(self.at, "this string is not closed on its line"));
                }
                Some(b'\\') if matches!(bytes.get(end + 1), Some(b'"' | b'\\')) => end += 2,
                Some(b'"') => break,
                Some(_) => end += 1,
            }
        }
        end += 1;
        let flag = usize::from(bytes.get(end) == Some(&b'i'));
        Ok(self.token(Kind::String, end + flag))
    }

    fn regex(&mut self) -> Result<Token<'a>, Error> {
        let bytes = self.rest().as_bytes();
        let mut end = 1;
        loop {
            match bytes.get(end) {
                None => {
                    return Err(self
                        .source
                        .error(self.at, "this regex is not closed: expected `/`"));
                }
                Some(b'\\') if matches!(bytes.get(end + 1), Some(b'/' | b'\\')) => end += 2,
                Some(b'/') => break,
                Some(_) => end += 1,
            }
        }
        end += 1;
        end += bytes[end..].iter().take_while(|b| b"imslux".contains(b)).count();
        Ok(self.token(Kind::Regex, end))
    }

    fn number(&mut self, sign: usize) -> Token<'a> {
        let digits = self.rest()[sign..].bytes().take_while(u8::is_ascii_digit).count();
        self.token(Kind::Number, sign + digits)
    }

    /// A name in one case. Where the case changes another name begins, as for Lark.
    fn name(&mut self) -> Result<Token<'a>, Error> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let first = bytes[usize::from(bytes[0] == b'_')..].first().copied().unwrap_or(0);
        let (kind, len) = if first.is_ascii_lowercase() {
            let fits = |b: &&u8| matches!(b, b'_' | b'a'..=b'z' | b'0'..=b'9');
            (Kind::Rule, bytes.iter().take_while(fits).count())
        } else if first.is_ascii_uppercase() {
            let fits = |b: &&u8| matches!(b, b'_' | b'A'..=b'Z' | b'0'..=b'9');
            (Kind::Terminal, bytes.iter().take_while(fits).count())
        } else {
            let len = bytes.iter().take_while(|&&b| b == b'_' || b.is_ascii_alphanumeric()).count();
            let word = &rest[..len];
            let message = if word.starts_with("__") {
                format!("name `{word}`: two leading underscores are reserved")
            } else {
                format!("`{word}` is no name: expected a letter")
            };
            return Err(self.source.error(self.at, message));
        };
        Ok(self.token(kind, len))
    }
}
