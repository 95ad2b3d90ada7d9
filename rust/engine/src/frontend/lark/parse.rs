//! Tokens to statements.

use super::ast::{Alternatives, Declared, Definition, How, Import, Name, Statement};
use super::lex::{DIRECTIVES, Kind, Lexer, Token};
use super::source::Source;
use crate::error::Error;
use crate::limits::{Limits, check};

/// The statements of a file.
pub(super) fn parse(source: &Source, limits: &Limits) -> Result<Vec<Statement>, Error> {
    let mut lexer = Lexer::new(source);
    let token = lexer.next()?;
    let mut parser = Parser { source, lexer, token, depth: 0, limits };
    let mut statements = Vec::new();
    let mut rules = 0;
    loop {
        match parser.token.kind {
            Kind::End => return Ok(statements),
            Kind::Newline => {
                parser.advance()?;
                continue;
            }
            Kind::Rule | Kind::Modifiers | Kind::Terminal => {
                rules += u64::from(parser.token.kind != Kind::Terminal);
                check("rules of the grammar", "rules", limits.rules as u64, rules)?;
                let definition = parser.definition()?;
                statements.push(Statement::Define(How::New, definition));
            }
            Kind::Directive => statements.push(parser.directive()?),
            Kind::Mark | Kind::Op | Kind::String | Kind::Regex | Kind::Number => {
                return Err(parser
                    .unexpected("the name of a rule or terminal, or a directive such as %ignore"));
            }
        }
        if parser.token.kind != Kind::Newline {
            return Err(parser.unexpected("`|` or the end of the line"));
        }
    }
}

pub(super) struct Parser<'a, 'l> {
    pub(super) source: &'a Source,
    lexer: Lexer<'a>,
    /// The token that is looked at.
    pub(super) token: Token<'a>,
    /// How many parentheses are open.
    pub(super) depth: usize,
    pub(super) limits: &'l Limits,
}

impl<'a> Parser<'a, '_> {
    /// Gives the current token and moves to the next.
    pub(super) fn advance(&mut self) -> Result<Token<'a>, Error> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let message = format!("unexpected {}: expected {expected}", self.token.describe());
        self.source.error(self.token.at, message)
    }

    pub(super) fn eat(&mut self, mark: &str) -> Result<bool, Error> {
        let found = self.token.is(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, mark: &str) -> Result<(), Error> {
        if self.eat(mark)? { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    pub(super) fn name(&self, token: Token<'_>) -> Name {
        Name { text: token.text.into(), at: self.source.at(token.at) }
    }

    pub(super) fn name_of(&mut self, kind: Kind, expected: &str) -> Result<Name, Error> {
        if self.token.kind != kind {
            return Err(self.unexpected(expected));
        }
        let token = self.advance()?;
        Ok(self.name(token))
    }

    fn any_name(&mut self) -> Result<Name, Error> {
        let kind = if self.token.kind == Kind::Rule { Kind::Rule } else { Kind::Terminal };
        self.name_of(kind, "a name")
    }

    /// A rule, a template or a terminal.
    fn definition(&mut self) -> Result<Definition, Error> {
        let modifiers = if self.token.kind == Kind::Modifiers { self.advance()?.text } else { "" };
        let terminal = modifiers.is_empty() && self.token.kind == Kind::Terminal;
        let kind = if terminal { Kind::Terminal } else { Kind::Rule };
        let name = self.name_of(kind, "the name of a rule")?;
        self.check_case(&name)?;
        if modifiers.contains('?') && name.text.starts_with('_') {
            let message =
                format!("rule `{}` is inlined already, so it cannot be marked with `?`", name.text);
            return Err(self.source.error(name.at.byte, message));
        }
        let params = if terminal { Vec::new() } else { self.params()? };
        self.priority()?;
        if self.token.is("{") {
            return Err(self.unexpected("`:` (only rules can be templates)"));
        }
        self.expect(":")?;
        let body = self.alternatives(if terminal { None } else { Some(&name) })?;
        if terminal && is_empty(&body) {
            let message = format!("terminal `{}` is empty", name.text);
            return Err(self.source.error(name.at.byte, message));
        }
        let keep_all = modifiers.contains('!');
        Ok(Definition { name, terminal, params, keep_all, body: Some(body) })
    }

    /// Refuses a name that goes on in the other case. Elsewhere it would be two names.
    fn check_case(&self, name: &Name) -> Result<(), Error> {
        let rest = &self.source.text[name.at.byte..];
        let len = rest.bytes().take_while(|&b| b == b'_' || b.is_ascii_alphanumeric()).count();
        if len == name.text.len() {
            return Ok(());
        }
        let word = &rest[..len];
        let message = format!(
            "name `{word}` mixes cases: rules are named in lower case, terminals in upper case"
        );
        Err(self.source.error(name.at.byte, message))
    }

    /// `{a, b}` behind the name of a template.
    fn params(&mut self) -> Result<Vec<Name>, Error> {
        let mut params = Vec::new();
        if self.eat("{")? {
            loop {
                params.push(self.name_of(Kind::Rule, "a lower-case name, a parameter")?);
                if !self.eat(",")? {
                    break;
                }
            }
            self.expect("}")?;
        }
        Ok(params)
    }

    /// Priorities choose among the trees of a text, never whether it has one.
    fn priority(&mut self) -> Result<(), Error> {
        if self.eat(".")? {
            if self.token.kind != Kind::Number {
                return Err(self.unexpected("a number, the priority"));
            }
            self.advance()?;
        }
        Ok(())
    }

    fn directive(&mut self) -> Result<Statement, Error> {
        let Token { text, at, .. } = self.token;
        if !DIRECTIVES.contains(&text) {
            return Err(self.unexpected(&format!("one of {}", DIRECTIVES.join(", "))));
        }
        self.advance()?;
        match text {
            "%ignore" => {
                let body = self.alternatives(None)?;
                if is_empty(&body) {
                    return Err(self.unexpected("what to ignore"));
                }
                Ok(Statement::Ignore { at: self.source.at(at), body })
            }
            "%import" => self.import(at),
            "%declare" => self.declare(),
            _ => {
                let how = if text == "%override" { How::Override } else { How::Extend };
                if !matches!(self.token.kind, Kind::Rule | Kind::Modifiers | Kind::Terminal) {
                    return Err(self.unexpected("a rule or a terminal with its definition"));
                }
                Ok(Statement::Define(how, self.definition()?))
            }
        }
    }

    fn declare(&mut self) -> Result<Statement, Error> {
        let mut declared = Vec::new();
        while matches!(self.token.kind, Kind::Rule | Kind::Terminal) {
            let token = self.advance()?;
            let terminal = token.kind == Kind::Terminal;
            declared.push(Declared { name: self.name(token), terminal });
        }
        if declared.is_empty() {
            return Err(self.unexpected("a name to declare"));
        }
        Ok(Statement::Declare(declared))
    }

    fn import(&mut self, at: usize) -> Result<Statement, Error> {
        let relative = self.eat(".")?;
        let mut path = vec![self.any_name()?];
        while self.eat(".")? {
            path.push(self.any_name()?);
        }
        let mut names = Vec::new();
        if self.eat("(")? {
            loop {
                names.push((self.any_name()?, None));
                if !self.eat(",")? {
                    break;
                }
            }
            self.expect(")")?;
        } else {
            let name = path.pop().filter(|_| !path.is_empty());
            let Some(name) = name else {
                let expected = "`.` and a name, or a list of names in parentheses";
                return Err(self.unexpected(expected));
            };
            let alias = if self.eat("->")? { Some(self.import_alias(&name)?) } else { None };
            names.push((name, alias));
        }
        Ok(Statement::Import(Import { at: self.source.at(at), relative, path, names }))
    }

    fn import_alias(&mut self, name: &Name) -> Result<Name, Error> {
        let terminal = name.text.bytes().any(|b| b.is_ascii_uppercase());
        let (kind, expected) = if terminal {
            (Kind::Terminal, "an upper-case name for the imported terminal")
        } else {
            (Kind::Rule, "a lower-case name for the imported rule")
        };
        self.name_of(kind, expected)
    }
}

fn is_empty(body: &Alternatives) -> bool {
    matches!(&body[..], [only] if only.parts.is_empty())
}
