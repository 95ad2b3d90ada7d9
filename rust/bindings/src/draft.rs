//! Masks along drafts of speculative decoding.

use crate::buffer::{Bitmask, with_scratch};
use crate::convert::size;
use crate::errors::{OrRaise, engine};
use crate::matcher::GrammarMatcher;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use stackmask::{DraftTree, Error, Matcher};

/// A draft token; one too large for the type is no token, like −1.
fn draft_tokens(tokens: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let token = |token: PyResult<Bound<'_, PyAny>>| {
        let token = token?;
        token.extract().or_else(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(token.py()) { Ok(-1) } else { Err(error) }
        })
    };
    tokens.try_iter()?.map(token).collect()
}

/// Fills rows of `bitmask`, `most` of them at most, from masks that `fill` hands out, each with its row.
fn fill_rows(
    py: Python<'_>,
    matcher: &GrammarMatcher,
    bitmask: &Bitmask,
    first: usize,
    most: usize,
    fill: impl FnOnce(&mut Matcher, &mut dyn FnMut(usize, &[u32])) -> Result<usize, Error> + Send,
) -> PyResult<usize> {
    let width = matcher.words().max(1);
    with_scratch(width * most, |scratch| {
        let mut rows = Vec::with_capacity(most);
        let filled = py.detach(|| {
            engine(|| {
                let mut held = matcher.take()?;
                let mut free = scratch.chunks_exact_mut(width);
                fill(&mut held, &mut |row, words| {
                    // There are no more masks than tokens and one.
                    if let Some(place) = free.next() {
                        place.copy_from_slice(words);
                        rows.push(row);
                    }
                })
            })
        });
        let filled = filled.or_raise(py)?;
        for (row, words) in rows.into_iter().zip(scratch.chunks_exact(width)) {
            bitmask.write(py, first + row, words)?;
        }
        Ok(filled)
    })
}

#[pyfunction]
pub(crate) fn fill_draft_chain(
    py: Python<'_>,
    entries: &Bound<'_, PyAny>,
    bitmask: &Bound<'_, PyAny>,
) -> PyResult<Vec<usize>> {
    let mut checked = Vec::new();
    let mut words = 0;
    for entry in entries.try_iter()? {
        let (matcher, row, tokens): (
            Bound<'_, GrammarMatcher>,
            Bound<'_, PyAny>,
            Bound<'_, PyAny>,
        ) = entry?.extract()?;
        let row = size(&row, "row")?;
        words = words.max(matcher.get().words());
        checked.push((matcher, row, draft_tokens(&tokens)?));
    }
    let bitmask = Bitmask::new(bitmask, words)?;
    for (_, row, tokens) in &checked {
        bitmask.check_row(*row)?;
        bitmask.check_row(row.saturating_add(tokens.len()))?;
    }
    let filled = checked.iter().map(|(matcher, row, tokens)| {
        fill_rows(py, matcher.get(), &bitmask, *row, tokens.len() + 1, |matcher, write| {
            matcher.fill_draft_chain(tokens, write)
        })
    });
    filled.collect()
}

#[pyfunction]
pub(crate) fn fill_draft_tree(
    py: Python<'_>,
    matcher: &Bound<'_, GrammarMatcher>,
    next_token: &Bound<'_, PyAny>,
    next_sibling: &Bound<'_, PyAny>,
    draft_tokens: &Bound<'_, PyAny>,
    bitmask: &Bound<'_, PyAny>,
) -> PyResult<usize> {
    let tokens = self::draft_tokens(draft_tokens)?;
    let (children, siblings) = (self::draft_tokens(next_token)?, self::draft_tokens(next_sibling)?);
    let bitmask = Bitmask::new(bitmask, matcher.get().words())?;
    if !tokens.is_empty() {
        bitmask.check_row(tokens.len() - 1)?;
    }
    fill_rows(py, matcher.get(), &bitmask, 0, tokens.len(), |matcher, write| {
        let tree = DraftTree { tokens: &tokens, first_child: &children, next_sibling: &siblings };
        matcher.fill_draft_tree(tree, write)
    })
}
