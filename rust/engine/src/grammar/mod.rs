//! The one form that every front end lowers to: rules over terminals.
//!
//! A grammar knows nothing of vocabularies, and its text is never parsed again.

pub mod check;
pub mod source;

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Diagnostic, Error};
use crate::ids::{RuleId, TerminalId, TokenId};
use crate::pattern::{Look, Pattern};
use crate::terminal::Shared;

pub use source::{MadeRule, Maker, SavedSource, Source, Within};

/// Where a terminal may end, which changes the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Wherever its pattern matches: plain context-free semantics.
    Free,
    /// Only where its pattern cannot match more of the text.
    Longest,
    /// Lark's `lexer="dynamic"`: where Python's `re` would end the match.
    Dynamic,
    /// Lark's `lexer="dynamic_complete"`: also where `re` would end it on a shorter text.
    DynamicComplete,
}

impl Ending {
    /// Whether it hangs on the order of preference within a pattern.
    pub(crate) fn is_ordered(self) -> bool {
        matches!(self, Self::Dynamic | Self::DynamicComplete)
    }
}

/// The right-hand side of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// The empty string.
    Empty,
    /// A terminal.
    Terminal(TerminalId),
    /// A rule.
    Rule(RuleId),
    /// A rule of a source, made when a text first needs it.
    Made {
        /// Which of [`Grammar::sources`].
        source: u32,
        /// The source's number of the rule.
        rule: RuleId,
    },
    /// One special token of the model's vocabulary, by its id.
    Token(TokenId),
    /// One after the other.
    Seq(Vec<Expr>),
    /// Any one of these. No alternative at all matches nothing.
    Alt(Vec<Expr>),
    /// `min` to `max` times the body.
    Repeat {
        /// What is repeated.
        body: Box<Expr>,
        /// Fewest times.
        min: u32,
        /// Most times, or without bound.
        max: Option<u32>,
    },
}

/// A named rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The name, for messages.
    pub name: String,
    /// What it stands for.
    pub body: Expr,
}

/// A named terminal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Terminal {
    /// The name, for messages.
    pub name: String,
    /// The strings that it matches, if they match all of `also`.
    pub pattern: Pattern,
    /// Further patterns, each with whether the whole string must match it or must not. Only for [`Ending::Free`].
    pub also: Vec<(Pattern, bool)>,
    /// Whether it is one of those that many grammars have and that have few states, which are then the same for all of
    /// them. Only for [`Ending::Free`].
    pub(crate) common: bool,
}

impl Terminal {
    /// A terminal of the strings that one pattern matches.
    pub fn new(name: impl Into<String>, pattern: Pattern) -> Self {
        Self { name: name.into(), pattern, also: Vec::new(), common: false }
    }

    /// One of those that many grammars have.
    pub(crate) fn common(name: impl Into<String>, pattern: Pattern) -> Self {
        Self { common: true, ..Self::new(name, pattern) }
    }

    /// The pattern that is to be run for it.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if it is too large.
    pub(crate) fn to_run(&self) -> Result<Cow<'_, Pattern>, Error> {
        let whole = self.whole();
        if self.common
            && !whole.is_nullable()
            && !whole.is_void()
            && let Some(shared) = Shared::of(&whole)?
        {
            return Ok(Cow::Owned(Pattern::Lazy(shared)));
        }
        Ok(whole)
    }

    /// One pattern for all of it, whose further patterns are conditions.
    pub(crate) fn whole(&self) -> Cow<'_, Pattern> {
        if self.also.is_empty() {
            return Cow::Borrowed(&self.pattern);
        }
        let also = self.also.iter().map(|(body, wanted)| Look::rest(body.clone(), !wanted).into());
        Cow::Owned(Pattern::Concat(also.chain([self.pattern.clone()]).collect()))
    }
}

/// Indentation. The column of a newline terminal is the width of the spaces and tabs behind its last line feed. An
/// indent reads nothing, stands behind a newline terminal whose column is beyond that of the block, and begins a block
/// there. A dedent reads nothing and ends a block, behind a newline terminal whose column is that of a block around it,
/// or at the end of the text. Before other terminals the column must be that of the block.
///
/// Every rule must end the blocks that it begins, and no others, whichever way it is taken, and every round of a
/// repetition. A newline terminal must be able to end after its line feed, and after any number of spaces or tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The newline terminal.
    pub newline: TerminalId,
    /// The terminal that stands for an indent; its pattern is not asked.
    pub indent: TerminalId,
    /// The terminal that stands for a dedent; its pattern is not asked.
    pub dedent: TerminalId,
    /// How many columns a tab is wide.
    pub tab: u32,
}

impl Layout {
    /// Whether a terminal stands for an indent or a dedent, which read nothing.
    pub(crate) fn is_zero_width(&self, terminal: TerminalId) -> bool {
        terminal == self.indent || terminal == self.dedent
    }
}

/// A context-free grammar over terminals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grammar {
    /// The rules.
    pub rules: Vec<Rule>,
    /// The terminals.
    pub terminals: Vec<Terminal>,
    /// The rule that a whole text must match.
    pub start: RuleId,
    /// Where terminals may end.
    pub ending: Ending,
    /// Terminals that may stand before any terminal and at the end of the text.
    pub ignore: Vec<TerminalId>,
    /// Whether no object of the text, which must be JSON then, may have a key twice. Keys are compared by the text
    /// that they stand for. The grammar must leave some new key wherever it asks for one.
    pub unique_keys: bool,
    /// Whether that is asked of what [`Grammar::sources`] make alone, each on its own, and not of what is around.
    pub scoped_keys: bool,
    /// Which terminals stand for indentation, if any do.
    pub layout: Option<Layout>,
    /// Where [`Expr::Made`] rules come from.
    pub sources: Vec<Arc<dyn Source>>,
    /// What the front end remarked on the source, such as rules that it left out since nothing uses them.
    pub notes: Vec<Diagnostic>,
}

impl Grammar {
    /// An empty grammar whose start will be the first rule.
    pub fn new(ending: Ending) -> Self {
        Self {
            rules: Vec::new(),
            terminals: Vec::new(),
            start: RuleId(0),
            ending,
            ignore: Vec::new(),
            unique_keys: false,
            scoped_keys: false,
            layout: None,
            sources: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a rule.
    pub fn rule(&mut self, name: impl Into<String>, body: Expr) -> RuleId {
        let id = RuleId(self.rules.len() as u32);
        self.rules.push(Rule { name: name.into(), body });
        id
    }

    /// Adds a terminal.
    pub fn terminal(&mut self, name: impl Into<String>, pattern: Pattern) -> TerminalId {
        let id = TerminalId(self.terminals.len() as u32);
        self.terminals.push(Terminal::new(name, pattern));
        id
    }

    /// Adds a terminal that many grammars have.
    pub(crate) fn common_terminal(&mut self, name: &str, pattern: Pattern) -> TerminalId {
        let id = self.terminal(name, Pattern::Empty);
        self.terminals[id.index()] = Terminal::common(name, pattern);
        id
    }

    /// Adds a source of rules; returns its number for [`Expr::Made`].
    pub fn source(&mut self, source: Arc<dyn Source>) -> u32 {
        self.sources.push(source);
        self.sources.len() as u32 - 1
    }
}
