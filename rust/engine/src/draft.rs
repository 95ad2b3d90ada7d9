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
    /// Masks along a chain of draft tokens: into the first of `rows` the mask here, into the one after `k` others the mask
    /// after `k` tokens. Returns how many are written, which is one more than the tokens that fit. Nothing follows a stop
    /// token.
    ///
    /// # Errors
    /// [`Error::Matcher`] if there are fewer rows than tokens and one, or a row is too short; [`Error::TooComplex`] past a
    /// limit. The matcher is where it began.
    pub fn fill_draft_chain(
        &mut self,
        draft: &[i64],
        rows: &mut [&mut [u32]],
    ) -> Result<usize, Error> {
        check_rows(rows.len(), draft.len() + 1)?;
        self.and_back(|matcher| {
            let mut filled = 0;
            for row in rows {
                matcher.fill_mask(row)?;
                filled += 1;
                let Some(&token) = draft.get(filled - 1) else { break };
                if !matcher.accept_draft(token)? {
                    break;
                }
            }
            Ok(filled)
        })
    }

    /// Masks at the nodes of a draft tree: into the row of a node's index the mask after its token, for each node that all
    /// tokens up to it lead to. Returns how many that are.
    ///
    /// # Errors
    /// [`Error::Matcher`] if the links are no tree, there are fewer rows than nodes, or a row is too short;
    /// [`Error::TooComplex`] past a limit. The matcher is where it began.
    pub fn fill_draft_tree(
        &mut self,
        tree: DraftTree<'_>,
        rows: &mut [&mut [u32]],
    ) -> Result<usize, Error> {
        tree.check()?;
        check_rows(rows.len(), tree.tokens.len())?;
        let start = self.num_accepted();
        self.and_back(|matcher| {
            matcher.fill_mask(rows[0])?;
            let mut filled = 1;
            // Nodes to visit, each with the number of tokens accepted before it.
            let mut todo = vec![(tree.first_child[0], start)];
            while let Some((link, depth)) = todo.pop() {
                let Ok(node) = usize::try_from(link) else { continue };
                matcher.rollback(matcher.num_accepted() - depth)?;
                todo.push((tree.next_sibling[node], depth));
                if matcher.accept_draft(tree.tokens[node])? {
                    matcher.fill_mask(rows[node])?;
                    filled += 1;
                    todo.push((tree.first_child[node], depth + 1));
                }
            }
            Ok(filled)
        })
    }

    /// What `go` returns, from where the matcher is, which is where it ends.
    fn and_back<R>(&mut self, go: impl FnOnce(&mut Self) -> Result<R, Error>) -> Result<R, Error> {
        let start = self.num_accepted();
        let result = go(self);
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

fn check_rows(rows: usize, needed: usize) -> Result<(), Error> {
    if rows < needed {
        return Err(Error::Matcher(format!("the draft needs {needed} rows, there are {rows}")));
    }
    Ok(())
}
