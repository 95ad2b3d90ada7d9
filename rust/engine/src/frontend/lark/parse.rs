//! Tokens to statements.

use super::ast::{Alternatives, Ast, Definition, Form, Import, Item, Name};
use super::lex::{Kind, Lexer, Token};
use super::literal;
use super::source::Source;
use crate::error::Error;
use crate::limits::{Limits, check};

/// The statements of a file.
pub(super) fn parse<'a>(source: Source<'a>, limits: &Limits) -> Result<Vec<Item<'a>>, Error> {
    let mut lexer = Lexer::new(source);
    let token = lexer.next()?;
    let mut parser = Parser { source, lexer, token, depth: 0, limits };
    let mut items = Vec::new();
    let mut rules = 0;
    loop {
        match parser.token.kind {
            Kind::End => return Ok(items),
            Kind::Newline => {
                parser.advance()?;
                continue;
            }
            Kind::Rule | Kind::Modifiers => {
                rules += 1;
                check("rules of the grammar", "rules", limits.rules as u64, rules)?;
                items.push(Item::Rule(parser.rule()?));
            }
            Kind::Terminal => items.push(Item::Terminal(parser.terminal()?)),
            Kind::Directive => parser.directive(&mut items)?,
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

struct Parser<'a, 'l> {
    source: Source<'a>,
    lexer: Lexer<'a>,
    /// The token that is looked at.
    token: Token<'a>,
    depth: usize,
    limits: &'l Limits,
}

impl<'a> Parser<'a, '_> {
    /// Gives the current token and moves to the next.
    fn advance(&mut self) -> Result<Token<'a>, Error> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn unexpected(&self, expected: &str) -> Error {
        let message = format!("unexpected {}: expected {expected}", self.token.describe());
        self.source.error(self.token.at, message)
    }

    fn unsupported(&self, at: usize, what: &str) -> Error {
        self.source.error(at, format!("{what} not supported yet"))
    }

    fn eat(&mut self, mark: &str) -> Result<bool, Error> {
        let found = self.token.is(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, mark: &str) -> Result<(), Error> {
        if self.eat(mark)? { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    fn name_of(&mut self, kind: Kind, expected: &str) -> Result<Name<'a>, Error> {
        if self.token.kind != kind {
            return Err(self.unexpected(expected));
        }
        let token = self.advance()?;
        Ok(Name { text: token.text, at: token.at })
    }

    fn any_name(&mut self) -> Result<Name<'a>, Error> {
        let kind = if self.token.kind == Kind::Rule { Kind::Rule } else { Kind::Terminal };
        self.name_of(kind, "a name")
    }

    fn rule(&mut self) -> Result<Definition<'a>, Error> {
        let expands = self.token.kind == Kind::Modifiers && self.advance()?.text.contains('?');
        let name = self.name_of(Kind::Rule, "the name of a rule")?;
        if expands && name.text.starts_with('_') {
            let message =
                format!("rule `{}` is inlined already, so it cannot be marked with `?`", name.text);
            return Err(self.source.error(name.at, message));
        }
        if self.token.is("{") {
            return Err(self.unsupported(self.token.at, "templates are"));
        }
        self.priority()?;
        self.expect(":")?;
        let body = self.alternatives(Some(name))?;
        Ok(Definition { name, body })
    }

    fn terminal(&mut self) -> Result<Definition<'a>, Error> {
        let name = self.name_of(Kind::Terminal, "the name of a terminal")?;
        self.priority()?;
        self.expect(":")?;
        let body = self.alternatives(None)?;
        if matches!(&body[..], [only] if only.is_empty()) {
            return Err(self.source.error(name.at, format!("terminal `{}` is empty", name.text)));
        }
        Ok(Definition { name, body })
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

    fn directive(&mut self, items: &mut Vec<Item<'a>>) -> Result<(), Error> {
        let Token { text, at, .. } = self.token;
        match text {
            "%ignore" => {
                self.advance()?;
                let body = self.alternatives(None)?;
                if matches!(&body[..], [only] if only.is_empty()) {
                    return Err(self.unexpected("what to ignore"));
                }
                items.push(Item::Ignore { at, body });
                Ok(())
            }
            "%import" => {
                self.advance()?;
                self.import(items)
            }
            "%override" | "%extend" | "%declare" => {
                Err(self.unsupported(at, &format!("{text} is")))
            }
            _ => Err(self.unexpected("%ignore or %import")),
        }
    }

    fn import(&mut self, items: &mut Vec<Item<'a>>) -> Result<(), Error> {
        if self.token.is(".") {
            return Err(self.unsupported(self.token.at, "imports from other files are"));
        }
        let library = self.any_name()?;
        if library.text != "common" {
            return Err(
                self.unsupported(library.at, &format!("imports from `{}` are", library.text))
            );
        }
        let dotted = self.eat(".")?;
        if self.eat("(")? {
            loop {
                items.push(Item::Import(Import { library, name: self.any_name()?, alias: None }));
                if !self.eat(",")? {
                    return self.expect(")");
                }
            }
        }
        if !dotted {
            return Err(self.unexpected("`.` and a name, or a list of names in parentheses"));
        }
        let name = self.any_name()?;
        let alias = if self.eat("->")? {
            Some(self.name_of(Kind::Terminal, "an upper-case name for the imported terminal")?)
        } else {
            None
        };
        items.push(Item::Import(Import { library, name, alias }));
        Ok(())
    }

    /// Alternatives, which only have aliases if they are the body of the rule `rule`.
    fn alternatives(&mut self, rule: Option<Name<'a>>) -> Result<Alternatives<'a>, Error> {
        let mut alternatives = Vec::new();
        loop {
            let mut sequence = Vec::new();
            while let Some(item) = self.repeated()? {
                sequence.push(item);
            }
            alternatives.push(sequence);
            if self.token.is("->") {
                self.alias(rule)?;
            }
            if !self.eat("|")? {
                return Ok(alternatives);
            }
        }
    }

    fn alias(&mut self, rule: Option<Name<'a>>) -> Result<(), Error> {
        let message = match rule {
            None => "only a whole alternative of a rule can have an alias".to_owned(),
            Some(rule) if rule.text.starts_with('_') => {
                format!("rule `{}` is inlined, so its alternatives cannot have aliases", rule.text)
            }
            Some(_) => {
                self.advance()?;
                self.name_of(Kind::Rule, "a lower-case name, the alias")?;
                return Ok(());
            }
        };
        Err(self.source.error(self.token.at, message))
    }

    /// One expression with its operator, or none where no expression starts.
    fn repeated(&mut self) -> Result<Option<Ast<'a>>, Error> {
        let Some(body) = self.atom()? else { return Ok(None) };
        let (min, max, form) = if self.token.kind == Kind::Op {
            match self.advance()?.text {
                "?" => (0, Some(1), Form::Operator),
                "*" => (0, None, Form::Operator),
                _ => (1, None, Form::Operator),
            }
        } else if self.eat("~")? {
            let at = self.token.at;
            let min = self.count()?;
            if self.eat("..")? {
                let max = self.count()?;
                if max < min {
                    return Err(self.source.error(
                        at,
                        format!("`{min}..{max}` is no range: {max} is less than {min}"),
                    ));
                }
                (min, Some(max), Form::Between)
            } else {
                (min, Some(min), Form::Exactly)
            }
        } else {
            return Ok(Some(body));
        };
        if self.token.kind == Kind::Op || self.token.is("~") {
            return Err(self
                .unexpected("no second operator (put what the first applies to in parentheses)"));
        }
        Ok(Some(Ast::Repeat { body: Box::new(body), min, max, form }))
    }

    fn count(&mut self) -> Result<u32, Error> {
        let token = self.token;
        if token.kind != Kind::Number {
            return Err(self.unexpected("a number of repetitions"));
        }
        let Ok(count) = token.text.parse() else {
            let message =
                format!("`{}` is no number of repetitions: expected 0 to {}", token.text, u32::MAX);
            return Err(self.source.error(token.at, message));
        };
        self.advance()?;
        Ok(count)
    }

    fn atom(&mut self) -> Result<Option<Ast<'a>>, Error> {
        let Token { kind, text, at } = self.token;
        let atom = match kind {
            Kind::Rule => {
                self.advance()?;
                if self.token.is("{") {
                    return Err(self.unsupported(self.token.at, "templates are"));
                }
                Ast::Rule(Name { text, at })
            }
            Kind::Terminal => {
                self.advance()?;
                Ast::Terminal(Name { text, at })
            }
            Kind::String => {
                let first = self.advance()?;
                if self.eat("..")? {
                    if self.token.kind != Kind::String {
                        return Err(self.unexpected("a string, the end of the range"));
                    }
                    let last = self.advance()?;
                    Ast::Literal(literal::range(&self.source, first, last)?)
                } else {
                    Ast::Literal(literal::string(&self.source, first)?)
                }
            }
            Kind::Regex => {
                let token = self.advance()?;
                Ast::Literal(literal::regex(&self.source, token)?)
            }
            Kind::Mark if text == "(" || text == "[" => return self.group().map(Some),
            Kind::Op | Kind::Modifiers | Kind::Number => return Err(self.unexpected("a value")),
            _ => return Ok(None),
        };
        Ok(Some(atom))
    }

    fn group(&mut self) -> Result<Ast<'a>, Error> {
        self.depth += 1;
        check(
            "nesting of the grammar's parentheses",
            "source_nesting",
            self.limits.source_nesting as u64,
            self.depth as u64,
        )?;
        let open = self.advance()?;
        let alternatives = self.alternatives(None)?;
        let close = if open.text == "(" { ")" } else { "]" };
        if !self.token.is(close) {
            let line = crate::error::Place::at(self.source.text, open.at).line;
            let expected = format!("`{close}` to close the `{}` of line {line}", open.text);
            return Err(self.unexpected(&expected));
        }
        self.advance()?;
        self.depth -= 1;
        let group = Ast::Group(alternatives);
        Ok(match open.text {
            "(" => group,
            _ => Ast::Repeat { body: Box::new(group), min: 0, max: Some(1), form: Form::Operator },
        })
    }
}
