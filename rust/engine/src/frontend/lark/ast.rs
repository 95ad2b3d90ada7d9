//! What a Lark file says, statement by statement.
//!
//! Names are those of the whole grammar: what an imported file defines is renamed when it is imported.

use super::source::At;

/// The number of a definition. A definition keeps its number when another overrides it.
pub(super) type DefId = usize;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: Box<str>,
    pub(super) at: At,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Statement {
    Define(How, Definition),
    Ignore { at: At, body: Alternatives },
    Import(Import),
    Declare(Vec<Declared>),
}

/// What a definition does to one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// There must be none.
    New,
    /// `%override`
    Override,
    /// `%extend`
    Extend,
}

/// One name of a `%declare`.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) name: Name,
    pub(super) terminal: bool,
}

/// `name: body`, of a rule or of a terminal.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: Name,
    pub(super) terminal: bool,
    /// The parameters of a template.
    pub(super) params: Vec<Name>,
    /// `!`: filters no tokens out of the tree.
    pub(super) keep_all: bool,
    /// None if it was only declared.
    pub(super) body: Option<Alternatives>,
}

/// `%import path.name -> alias`, or a list of names.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) at: At,
    pub(super) relative: bool,
    pub(super) path: Vec<Name>,
    pub(super) names: Vec<(Name, Option<Name>)>,
}

/// One or more alternatives.
pub(super) type Alternatives = Vec<Alternative>;

/// A possibly empty sequence.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) parts: Vec<Ast>,
    pub(super) alias: Option<Name>,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Ast {
    Rule(Name),
    Terminal(Name),
    /// A terminal in a terminal, once its name was looked up.
    Part(DefId),
    /// `name{argument, ...}`
    Template(Name, Vec<Ast>),
    Literal(Literal),
    Group(Alternatives),
    Repeat {
        body: Box<Ast>,
        min: u32,
        max: Option<u32>,
        form: Form,
    },
}

/// How a repetition was written, which decides the length of Lark's regex for it, and which rules are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `?`, `*` or `+`.
    Operator,
    /// `[…]`.
    Brackets,
    /// `~n`.
    Exactly,
    /// `~n..m`.
    Between,
}

/// A string, a regex or a range.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) kind: LiteralKind,
    /// The text of a string, else the regex that Lark makes of it.
    pub(super) value: Box<str>,
    pub(super) flags: Flags,
    pub(super) at: At,
    /// Bytes of the source text.
    pub(super) len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LiteralKind {
    String,
    Regex,
    Range,
}

/// The set of flags behind a literal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Flags(u8);

impl Flags {
    const LETTERS: &'static [u8] = b"imsux";

    /// Adds the flag of this letter, unless there is none.
    pub(super) fn add(&mut self, letter: u8) -> bool {
        let bit = Self::LETTERS.iter().position(|&l| l == letter);
        self.0 |= bit.map_or(0, |b| 1 << b);
        bit.is_some()
    }

    pub(super) fn has(self, letter: u8) -> bool {
        self.letters().any(|l| l == letter)
    }

    pub(super) fn letters(self) -> impl Iterator<Item = u8> {
        Self::LETTERS
            .iter()
            .enumerate()
            .filter(move |&(bit, _)| self.0 >> bit & 1 == 1)
            .map(|(_, &l)| l)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Visits all names, parts, templates and literals of a body, arguments of templates included.
pub(super) fn each<E>(
    body: &Alternatives,
    visit: &mut impl FnMut(&Ast) -> Result<(), E>,
) -> Result<(), E> {
    body.iter().flat_map(|a| &a.parts).try_for_each(|ast| each_in(ast, visit))
}

fn each_in<E>(ast: &Ast, visit: &mut impl FnMut(&Ast) -> Result<(), E>) -> Result<(), E> {
    match ast {
        Ast::Group(body) => each(body, visit),
        Ast::Repeat { body, .. } => each_in(body, visit),
        Ast::Template(_, arguments) => {
            visit(ast)?;
            arguments.iter().try_for_each(|a| each_in(a, visit))
        }
        Ast::Rule(_) | Ast::Terminal(_) | Ast::Part(_) | Ast::Literal(_) => visit(ast),
    }
}

/// As [`each`], to change them.
pub(super) fn each_mut<E>(
    body: &mut Alternatives,
    visit: &mut impl FnMut(&mut Ast) -> Result<(), E>,
) -> Result<(), E> {
    body.iter_mut().flat_map(|a| &mut a.parts).try_for_each(|ast| each_mut_in(ast, visit))
}

fn each_mut_in<E>(
    ast: &mut Ast,
    visit: &mut impl FnMut(&mut Ast) -> Result<(), E>,
) -> Result<(), E> {
    match ast {
        Ast::Group(body) => each_mut(body, visit),
        Ast::Repeat { body, .. } => each_mut_in(body, visit),
        Ast::Template(..) => {
            visit(ast)?;
            let Ast::Template(_, arguments) = ast else { return Ok(()) };
            arguments.iter_mut().try_for_each(|a| each_mut_in(a, visit))
        }
        Ast::Rule(_) | Ast::Terminal(_) | Ast::Part(_) | Ast::Literal(_) => visit(ast),
    }
}
