//! Masks along drafts of speculative decoding: a chain of tokens, or a tree of them.
//!
//! A draft token that is refused ends its branch, as do ids that are no token, such as the −1 that loops pad drafts
//! with. The matcher ends where it began.

use crate::error::Error;
use crate::ids::TokenId;
use crate::matcher::Matcher;

/// A draft as a tree. Node 0 stands for where the matcher is; it has no token of its own.
#[derive(Clone, Copy, Debug)]
pub struct DraftTree<'a> {
    /// The token of each node.
    pub tokens: &'a [i64],
    /// The first child of each node, or −1.
    pub first_child: &'a [i64],
    /// The next child of each node's parent, or −1.
    pub next_sibling: &'a [i64],
}

impl DraftTree<'_> {
    fn check(&self) -> Result<(), Error> {
        let nodes = self.tokens.len();
        if nodes == 0 || self.first_child.len() != nodes || self.next_sibling.len() != nodes {
            return Err(Error::Matcher(format!(
                "a draft tree needs as many first children and next siblings as tokens, and a root: got {}, {} and {nodes}",
                self.first_child.len(),
                self.next_sibling.len(),
            )));
        }
        let mut seen = vec![false; nodes];
        seen[0] = true;
        for &link in self.first_child.iter().chain(self.next_sibling) {
            if link == -1 {
                continue;
            }
            match usize::try_from(link).ok().and_then(|at| seen.get_mut(at)) {
                None => {
                    return Err(Error::Matcher(format!(
                        "node {link} is not in the draft tree of {nodes} nodes"
                    )));
                }
                Some(true) => {
                    return Err(Error::Matcher(format!(
                        "node {link} of the draft tree is reached in two ways"
                    )));
                }
                Some(seen) => *seen = true,
            }
        }
        Ok(())
    }
}

impl Matcher {
    /// Masks along a chain of draft tokens: `row` is called with 0 and the mask here, then with `k` and the mask after
    /// `k` tokens. Returns how many masks there are, which is one more than the tokens that fit. Nothing follows a
    /// stop token.
    ///
    /// # Errors
    /// [`Error::TooComplex`] past a limit. The matcher is where it began.
    pub fn fill_draft_chain(
        &mut self,
        draft: &[i64],
        mut row: impl FnMut(usize, &[u32]),
    ) -> Result<usize, Error> {
        let mut words = vec![0; self.vocabulary().vocab_size().div_ceil(32)];
        let start = self.num_accepted();
        let result = (|| {
            let mut filled = 0;
            loop {
                self.fill_mask(&mut words)?;
                row(filled, &words);
                filled += 1;
                let Some(&token) = draft.get(filled - 1) else { return Ok(filled) };
                if !self.accept_draft(token)? {
                    return Ok(filled);
                }
            }
        })();
        self.rollback(self.num_accepted() - start)?;
        result
    }

    /// Masks at the nodes of a draft tree: `row` is called with a node's index and the mask after its token, for each
    /// node that all tokens up to it lead to. Returns how many that are.
    ///
    /// # Errors
    /// [`Error::Matcher`] if the links are no tree; [`Error::TooComplex`] past a limit. The matcher is where it began.
    pub fn fill_draft_tree(
        &mut self,
        tree: DraftTree<'_>,
        mut row: impl FnMut(usize, &[u32]),
    ) -> Result<usize, Error> {
        tree.check()?;
        let mut words = vec![0; self.vocabulary().vocab_size().div_ceil(32)];
        let start = self.num_accepted();
        let result = (|| {
            self.fill_mask(&mut words)?;
            row(0, &words);
            let mut filled = 1;
            // Nodes to visit, each with the number of tokens accepted before it.
            let mut todo = vec![(tree.first_child[0], start)];
            while let Some((link, depth)) = todo.pop() {
                let Ok(node) = usize::try_from(link) else { continue };
                self.rollback(self.num_accepted() - depth)?;
                todo.push((tree.next_sibling[node], depth));
                if self.accept_draft(tree.tokens[node])? {
                    self.fill_mask(&mut words)?;
                    row(node, &words);
                    filled += 1;
                    todo.push((tree.first_child[node], depth + 1));
                }
            }
            Ok(filled)
        })();
        self.rollback(self.num_accepted() - start)?;
        result
    }

    fn accept_draft(&mut self, token: i64) -> Result<bool, Error> {
        match TokenId::try_from(token) {
            Ok(id) if (id as usize) < self.vocabulary().vocab_size() => self.accept_token(id),
            _ => Ok(false),
        }
    }
}
