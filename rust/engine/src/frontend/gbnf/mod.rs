//! GBNF, the notation of llama.cpp's grammars.
//!
//! Rules are `name ::= alternatives`, the text matches the rule `root`. Alternatives hold literals, classes, `.`, names,
//! groups and repetitions, and `<[7]>`, the token with this id. Lines end rules, but not within a group and not before or
//! after a bar. Left recursion, which llama.cpp refuses, is nothing special here.
//!
//! | file | |
//! |---|---|
//! | `parse` | the text to rules |
//! | `chars` | literals, classes and their escapes |
//! | `lower` | rules to a grammar, with what is regular as terminals |

mod chars;
mod lower;
mod parse;

use crate::error::Error;
use crate::grammar::Grammar;
use crate::ids::TokenId;
use crate::limits::Limits;
use crate::pattern::Pattern;

/// What stands on the right of a rule.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// What reads characters by itself.
    Chars(Pattern),
    /// A rule by its number, in the order in which names appear.
    Rule(usize),
    Token(TokenId),
    Seq(Vec<Item>),
    Alt(Vec<Item>),
    Repeat {
        body: Box<Item>,
        min: u32,
        max: Option<u32>,
    },
}

/// A rule, or the name of one.
#[derive(Debug)]
struct Named {
    name: String,
    /// Where it is first mentioned.
    at: usize,
    body: Option<Item>,
}

impl Grammar {
    /// The grammar that a text in llama.cpp's notation GBNF writes, from the rule `start` on, which it calls `root`.
    ///
    /// # Errors
    /// [`Error::Syntax`] with its place if the text cannot be read, names a rule that it does not have, or asks for
    /// tokens by name; [`Error::TooComplex`] past a limit.
    pub fn from_gbnf(text: &str, start: &str, limits: &Limits) -> Result<Self, Error> {
        limits.check_source(text)?;
        let rules = parse::rules(text, limits)?;
        if let Some(missing) = rules.iter().find(|rule| rule.body.is_none()) {
            let message = format!("there is no rule {:?}", missing.name);
            return Err(Error::syntax(message, text, missing.at));
        }
        let Some(start) = rules.iter().position(|rule| rule.name == start) else {
            return Err(Error::Grammar(format!(
                "the grammar has no rule {start:?}, where a text starts"
            )));
        };
        lower::lower(&rules, start, limits)
    }
}

#[cfg(test)]
mod tests;
