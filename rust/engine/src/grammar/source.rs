//! Rules and terminals that are made when a text first needs them.
//!
//! A [`Source`] stands for rules that nobody has listed: too many to list, or not worth it before some text comes to
//! them. A grammar's own rules call them by [`Expr::Made`]; from there on the source's rules call each other.
//!
//! Numbers are the source's own business: a [`Maker`] may hand out new ones as it makes bodies, and must answer for
//! each that it handed out. The numbers that a grammar's own rules mention mean the same to every maker.
//!
//! What a source promises, since none of it is worked out from rules that do not exist yet:
//!
//! - A rule never produces the empty text, nor does a terminal.
//! - Every rule and terminal that a body mentions can produce something finite.
//! - No left recursion: no rule calls itself, directly or through others, before something was read.
//! - Every cycle of calls that are not at the end of their rule goes through a framed rule. (Otherwise states never
//!   repeat, and limits are reached.)
//! - The same number always gets the same answer from the same maker.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use super::{Expr, Terminal};
use crate::error::Error;
use crate::ids::{RuleId, TerminalId};

/// Where rules and terminals come from that are made on demand. Immutable; shared by grammars and threads.
pub trait Source: Debug + Send + Sync {
    /// Tells sources apart: two with the same fingerprint make the same language.
    fn fingerprint(&self) -> u128;

    /// Begins to make rules. Each generation of a compiled grammar's tables opens one maker and drops it with the
    /// tables, so that what makers remember stays bounded.
    fn open(&self) -> Box<dyn Maker>;

    /// The bytes that some text of the source can hold. Asked only if the vocabulary lacks a byte.
    fn used_bytes(&self) -> [bool; 256];

    /// What to save of it; `None` if it cannot be saved.
    fn saved(&self) -> Option<SavedSource> {
        None
    }
}

/// A source as it is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSource {
    /// What kind of source it is, by which the reader is found.
    pub kind: &'static str,
    /// What it is made from.
    pub bytes: Vec<u8>,
}

/// Makes the rules and terminals of a [`Source`].
pub trait Maker: Send + Sync {
    /// Makes a rule. In its body, [`Expr::Rule`] and [`Expr::Terminal`] carry numbers of this maker; special tokens,
    /// unbounded repetition and other sources have no place there.
    ///
    /// # Errors
    /// Whatever keeps the source from making it. The step that needed the rule fails and changes nothing; a later one
    /// asks again.
    fn rule(&self, rule: RuleId) -> Result<MadeRule, Error>;

    /// Makes a terminal.
    ///
    /// # Errors
    /// As [`Self::rule`].
    fn terminal(&self, terminal: TerminalId) -> Result<Terminal, Error>;

    /// A lower bound of the length of the rule's texts in bytes; the closer, the less the search for a shortest
    /// completion has to look at.
    fn shortest(&self, rule: RuleId) -> u32;

    /// Whether the maker has handed out keys of objects which, behind some beginning, finitely many texts complete.
    /// Where no object may have a key twice, these can run out. A maker that has begun to say so goes on to.
    fn has_scarce_keys(&self) -> bool {
        false
    }

    /// Bytes that the maker holds, charged to `Limits::state_bytes`.
    fn held_bytes(&self) -> usize;
}

/// A rule as a [`Maker`] makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeRule {
    /// What it stands for.
    pub body: Expr,
    /// Whether calls of it go to the stack. Others are expanded where they stand. A call at the very end of a rule
    /// needs neither.
    pub framed: bool,
    /// What its texts are part of.
    pub within: Within,
}

/// What the texts of a made rule are part of, besides what its caller's are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Within {
    /// Nothing: a whole value, or no JSON at all.
    #[default]
    Caller,
    /// An object, or an array whose items may be equal: from its bracket to the other, values left out.
    Container,
    /// An array of which no two items may be equal, in the same way. Items are compared as JSON Schema does, so that the
    /// text has to be JSON from there on.
    DistinctItems,
}

impl PartialEq for dyn Source {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}

impl Eq for dyn Source {}

impl Hash for dyn Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.fingerprint());
    }
}
