//! Masks along drafts of speculative decoding.

use crate::buffer::Bitmask;
use crate::convert::size;
use crate::matcher::GrammarMatcher;
use crate::rows::with_rows;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use stackmask::DraftTree;

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

#[pyfunction]
pub(crate) fn fill_draft_chain(
    entries: &Bound<'_, PyAny>,
    bitmask: &Bound<'_, PyAny>,
) -> PyResult<Vec<usize>> {
    let mut drafts = Vec::new();
    let mut words = 0;
    for entry in entries.try_iter()? {
        let (matcher, row, tokens): (
            Bound<'_, GrammarMatcher>,
            Bound<'_, PyAny>,
            Bound<'_, PyAny>,
        ) = entry?.extract()?;
        let row = size(&row, "row")?;
        words = words.max(matcher.get().words());
        drafts.push((matcher, row, draft_tokens(&tokens)?));
    }
    let checked = Bitmask::new(bitmask, words)?;
    let mut rows = Vec::new();
    for (_, first, tokens) in &drafts {
        checked.check_row(*first)?;
        checked.check_row(first + tokens.len())?;
        rows.extend(*first..=first + tokens.len());
    }
    let drafts: Vec<(&GrammarMatcher, &[i64])> =
        drafts.iter().map(|(matcher, _, tokens)| (matcher.get(), &**tokens)).collect();
    with_rows(bitmask, &checked, &rows, |mut rows| {
        let filled = drafts.iter().map(|(matcher, tokens)| {
            let (own, others) = std::mem::take(&mut rows).split_at_mut(tokens.len() + 1);
            rows = others;
            matcher.take()?.fill_draft_chain(tokens, own)
        });
        filled.collect()
    })
}

#[pyfunction]
pub(crate) fn fill_draft_tree(
    matcher: &Bound<'_, GrammarMatcher>,
    next_token: &Bound<'_, PyAny>,
    next_sibling: &Bound<'_, PyAny>,
    draft_tokens: &Bound<'_, PyAny>,
    bitmask: &Bound<'_, PyAny>,
) -> PyResult<usize> {
    let tokens = self::draft_tokens(draft_tokens)?;
    let (children, siblings) = (self::draft_tokens(next_token)?, self::draft_tokens(next_sibling)?);
    let checked = Bitmask::new(bitmask, matcher.get().words())?;
    if !tokens.is_empty() {
        checked.check_row(tokens.len() - 1)?;
    }
    let rows: Vec<usize> = (0..tokens.len()).collect();
    let tree = DraftTree { tokens: &tokens, first_child: &children, next_sibling: &siblings };
    let matcher = matcher.get();
    with_rows(bitmask, &checked, &rows, |rows| matcher.take()?.fill_draft_tree(tree, rows))
}
