//! The right-hand sides of definitions.

use super::ast::{Alternative, Alternatives, Ast, Form, Name};
use super::lex::{Kind, Token};
use super::literal;
use super::parse::Parser;
use crate::error::{Error, Place};
use crate::limits::check;

impl Parser<'_, '_> {
    /// Alternatives, which only have aliases if they are the body of the rule `rule`.
    pub(super) fn alternatives(&mut self, rule: Option<&Name>) -> Result<Alternatives, Error> {
        let mut alternatives = Vec::new();
        loop {
            let mut parts = Vec::new();
            while let Some(part) = self.repeated()? {
                parts.push(part);
            }
            let alias = if self.token.is("->") { Some(self.alias(rule)?) } else { None };
            alternatives.push(Alternative { parts, alias });
            if !self.eat("|")? {
                return Ok(alternatives);
            }
        }
    }

    fn alias(&mut self, rule: Option<&Name>) -> Result<Name, Error> {
        let message = match rule {
            None => "only a whole alternative of a rule can have an alias".to_owned(),
            Some(rule) if rule.text.starts_with('_') => {
                format!("rule `{}` is inlined, so its alternatives cannot have aliases", rule.text)
            }
            Some(_) => {
                self.advance()?;
                return self.name_of(Kind::Rule, "a lower-case name, the alias");
            }
        };
        Err(self.source.error(self.token.at, message))
    }

    /// One expression with its operator, or none where no expression starts.
    fn repeated(&mut self) -> Result<Option<Ast>, Error> {
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

    fn atom(&mut self) -> Result<Option<Ast>, Error> {
        match self.token.kind {
            Kind::Mark if self.token.is("(") || self.token.is("[") => self.group().map(Some),
            Kind::Op | Kind::Modifiers | Kind::Number => Err(self.unexpected("a value")),
            _ => self.value(),
        }
    }

    /// A name, a literal or a template with its arguments.
    fn value(&mut self) -> Result<Option<Ast>, Error> {
        let kind = self.token.kind;
        if !matches!(kind, Kind::Rule | Kind::Terminal | Kind::String | Kind::Regex) {
            return Ok(None);
        }
        let token = self.advance()?;
        Ok(Some(match kind {
            Kind::Rule if self.token.is("{") => {
                let name = self.name(token);
                Ast::Template(name, self.arguments()?)
            }
            Kind::Rule => Ast::Rule(self.name(token)),
            Kind::Terminal => Ast::Terminal(self.name(token)),
            Kind::String if self.token.is("..") => {
                self.advance()?;
                if self.token.kind != Kind::String {
                    return Err(self.unexpected("a string, the end of the range"));
                }
                let last = self.advance()?;
                Ast::Literal(literal::range(self.source, token, last)?)
            }
            Kind::String => Ast::Literal(literal::string(self.source, token)?),
            _ => Ast::Literal(literal::regex(self.source, token)?),
        }))
    }

    /// `{a, "b", c{d}}`
    fn arguments(&mut self) -> Result<Vec<Ast>, Error> {
        self.open()?;
        let mut arguments = Vec::new();
        loop {
            match self.value()? {
                Some(argument) => arguments.push(argument),
                None => {
                    let expected = "an argument: a name, a literal or a template with arguments";
                    return Err(self.unexpected(expected));
                }
            }
            if !self.eat(",")? {
                break;
            }
        }
        self.expect("}")?;
        self.depth -= 1;
        Ok(arguments)
    }

    /// Takes an opening mark and counts it.
    fn open(&mut self) -> Result<Token<'_>, Error> {
        self.depth += 1;
        check(
            "nesting of the grammar's parentheses",
            "source_nesting",
            self.limits.source_nesting as u64,
            self.depth as u64,
        )?;
        self.advance()
    }

    fn group(&mut self) -> Result<Ast, Error> {
        let at = self.token.at;
        let round = self.open()?.is("(");
        let alternatives = self.alternatives(None)?;
        let (open, close) = if round { ("(", ")") } else { ("[", "]") };
        if !self.token.is(close) {
            let line = Place::at(&self.source.text, at).line;
            let expected = format!("`{close}` to close the `{open}` of line {line}");
            return Err(self.unexpected(&expected));
        }
        self.advance()?;
        self.depth -= 1;
        let group = Ast::Group(alternatives);
        Ok(match round {
            true => group,
            false => {
                Ast::Repeat { body: Box::new(group), min: 0, max: Some(1), form: Form::Brackets }
            }
        })
    }
}
