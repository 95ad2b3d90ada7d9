//! A subtree of the token trie, split by how many characters a token has before it leaves a set of classes.
//!
//! Where a state counts characters, they lead from state to state. Tokens made of them alone are allowed up to
//! some number, and those that leave matter by their rest and by the number before it.

use std::sync::{Arc, PoisonError};

use super::Vocabulary;
use super::split::{Divided, Exits, Tokens, divide};
use super::trie::{Classes, Trie};
use crate::ids::TokenId;

/// Up to so many characters, sets of tokens are ready. Few tokens have more.
const SHORT: u32 = 20;

/// See the module.
#[derive(Debug)]
pub(crate) struct Runs {
    /// The tokens made of at most so many characters of the classes, from one.
    short: Vec<Tokens>,
    /// Those of more, with their number of characters, in its order.
    long: Box<[(u32, TokenId)]>,
    /// Those that leave, by the number of characters before, then by the first byte of their rest.
    pub(crate) exits: Vec<Exits>,
}

impl Runs {
    /// The tokens made of at most so many characters, at least one: a set, and some more.
    pub(crate) fn within(&self, most: u32) -> (&Tokens, impl Iterator<Item = TokenId>) {
        let more = self.long.iter().take_while(move |token| token.0 <= most).map(|token| token.1);
        (&self.short[(most.min(SHORT) - 1) as usize], more)
    }

    fn bytes(&self) -> usize {
        let short: usize = self.short.iter().map(|tokens| tokens.bytes() + 24).sum();
        short + self.long.len() * 8 + self.exits.iter().map(Exits::bytes).sum::<usize>() + 96
    }
}

impl Vocabulary {
    /// The tokens below a node of a trie, split for these classes by numbers of characters.
    pub(crate) fn runs(&self, trie: &Trie, node: usize, classes: Classes) -> Arc<Runs> {
        let key = (trie.id, node as u32, classes, None);
        let counted = &self.splits.counted;
        let known = counted.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = Arc::new(self.make_runs(trie, node, classes));
            self.splits.charge(made.bytes());
            let mut counted = counted.write().unwrap_or_else(PoisonError::into_inner);
            counted.entry(key).or_insert(made).clone()
        })
    }

    fn make_runs(&self, trie: &Trie, top: usize, classes: Classes) -> Runs {
        let Divided { mut inside, exits } = divide(trie, top, classes, None, true);
        inside.sort_unstable_by_key(|run| run.0);
        let upto = |most| inside.partition_point(|run| run.0 <= most);
        let tokens = |&(length, from, to): &(u32, u32, u32)| {
            trie.order[from as usize..to as usize].iter().map(move |&id| (length, id))
        };
        let mut all = self.some_tokens();
        let short = (1..=SHORT).map(|most| {
            let next = inside[upto(most - 1)..upto(most)].iter();
            all.extend(next.flat_map(tokens).map(|token| token.1));
            all.tokens()
        });
        let short = short.collect();
        Runs { short, long: inside[upto(SHORT)..].iter().flat_map(tokens).collect(), exits }
    }
}
