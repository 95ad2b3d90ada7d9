//! What a Lark file says, statement by statement, before any name is looked up.
//!
//! Places are byte offsets into the file's text.

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Item<'a> {
    Rule(Definition<'a>),
    Terminal(Definition<'a>),
    Ignore { at: usize, body: Alternatives<'a> },
    Import(Import<'a>),
}

/// `name: body`, of a rule or of a terminal.
#[derive(Debug)]
pub(super) struct Definition<'a> {
    pub(super) name: Name<'a>,
    pub(super) body: Alternatives<'a>,
}

/// `%import library.name -> alias`, once for each name of a list.
#[derive(Debug)]
pub(super) struct Import<'a> {
    pub(super) library: Name<'a>,
    pub(super) name: Name<'a>,
    pub(super) alias: Option<Name<'a>>,
}

/// One or more alternatives, each of them a possibly empty sequence.
pub(super) type Alternatives<'a> = Vec<Vec<Ast<'a>>>;

/// An expression.
#[derive(Debug)]
pub(super) enum Ast<'a> {
    Rule(Name<'a>),
    Terminal(Name<'a>),
    Literal(Literal<'a>),
    Group(Alternatives<'a>),
    Repeat { body: Box<Ast<'a>>, min: u32, max: Option<u32>, form: Form },
}

/// How a repetition was written, which decides the length of Lark's regex for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `?`, `*`, `+` or `[…]`.
    Operator,
    /// `~n`.
    Exactly,
    /// `~n..m`.
    Between,
}

/// A string, a regex or a range.
#[derive(Clone, Debug)]
pub(super) struct Literal<'a> {
    pub(super) kind: LiteralKind,
    /// The text of a string, else the regex that Lark makes of it.
    pub(super) value: String,
    pub(super) flags: Flags,
    /// As it stands in the file.
    pub(super) source: &'a str,
    pub(super) at: usize,
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
