//! `fill_batch`: many matchers, one call for each decoding step.

use crate::buffer::Bitmask;
use crate::convert::size;
use crate::errors::{MatcherError, OrRaise, engine};
use crate::matcher::GrammarMatcher;
use crate::pool::pool;
use crate::rows::with_rows;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use stackmask::{Error, Matcher};

/// Fewer matchers than this are filled by the caller: waking a thread takes longer than a mask.
const PARALLEL: usize = 8;

#[pyfunction]
#[pyo3(signature = (matchers, bitmask, indices=None))]
pub(crate) fn fill_batch(
    py: Python<'_>,
    matchers: &Bound<'_, PyAny>,
    bitmask: &Bound<'_, PyAny>,
    indices: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<bool>> {
    let matchers = matchers
        .try_iter()?
        .map(|matcher| Ok(matcher?.cast_into::<GrammarMatcher>()?))
        .collect::<PyResult<Vec<_>>>()?;
    refuse_duplicates(&matchers)?;
    let width = matchers.iter().map(|matcher| matcher.get().words()).max().unwrap_or(0);
    let checked = Bitmask::new(bitmask, width)?;
    let rows = rows(indices, matchers.len(), &checked)?;

    let matchers: Vec<&GrammarMatcher> = matchers.iter().map(Bound::get).collect();
    if matchers.len() < PARALLEL
        && let Some(masked) = write_ready(py, &matchers, &checked, &rows)?
    {
        return Ok(masked);
    }
    with_rows(bitmask, &checked, &rows, |rows| fill_all(&matchers, rows))
}

fn refuse_duplicates(matchers: &[Bound<'_, GrammarMatcher>]) -> PyResult<()> {
    let mut seen = FxHashSet::default();
    match matchers.iter().position(|matcher| !seen.insert(matcher.as_ptr() as usize)) {
        None => Ok(()),
        Some(at) => Err(MatcherError::new_err(format!("matcher {at} is in the batch twice"))),
    }
}

/// The row of each matcher: the rows in order, or those that `indices` names.
fn rows(
    indices: Option<&Bound<'_, PyAny>>,
    matchers: usize,
    bitmask: &Bitmask,
) -> PyResult<Vec<usize>> {
    let Some(indices) = indices else {
        if matchers > bitmask.rows() {
            let rows = bitmask.rows();
            let text = format!("{matchers} matchers do not fit in the bitmask's {rows} rows");
            return Err(PyValueError::new_err(text));
        }
        return Ok((0..matchers).collect());
    };
    let rows =
        indices.try_iter()?.map(|row| size(&row?, "row")).collect::<PyResult<Vec<usize>>>()?;
    if rows.len() != matchers {
        let text = format!("{} indices for {matchers} matchers", rows.len());
        return Err(PyValueError::new_err(text));
    }
    let mut seen = FxHashSet::default();
    for &row in &rows {
        bitmask.check_row(row)?;
        if !seen.insert(row) {
            return Err(PyValueError::new_err(format!("row {row} is given twice")));
        }
    }
    Ok(rows)
}

/// Writes a few masks that were all made before, which takes less time than to give up the interpreter's lock. `None` if
/// some mask has to be made; then nothing is written.
fn write_ready(
    py: Python<'_>,
    matchers: &[&GrammarMatcher],
    bitmask: &Bitmask,
    rows: &[usize],
) -> PyResult<Option<Vec<bool>>> {
    let written = engine(|| {
        let held = matchers.iter().map(|matcher| matcher.take()).collect::<Result<Vec<_>, _>>()?;
        let masks: Option<Vec<_>> = held.iter().map(|matcher| matcher.ready_mask()).collect();
        let Some(masks) = masks else { return Ok(None) };
        let written = masks.iter().zip(rows).zip(&held).map(|((mask, &row), matcher)| {
            bitmask.write_ready(py, row, mask, matcher.vocabulary().vocab_size())
        });
        Ok(Some(written.collect::<PyResult<Vec<bool>>>()))
    });
    written.or_raise(py)?.transpose()
}

/// Each mask into its row, or an error before any matcher is touched if one of them is busy.
fn fill_all(matchers: &[&GrammarMatcher], rows: &mut [&mut [u32]]) -> Result<Vec<bool>, Error> {
    let mut held = matchers.iter().map(|matcher| matcher.take()).collect::<Result<Vec<_>, _>>()?;
    let matchers: Vec<&mut Matcher> = held.iter_mut().map(|matcher| &mut **matcher).collect();
    let fill = |(matcher, row): (&mut Matcher, &mut &mut [u32])| matcher.fill_mask(row);
    if matchers.len() < PARALLEL {
        return matchers.into_iter().zip(rows).map(fill).collect();
    }
    pool()
        .map_err(Error::Matcher)?
        .install(|| matchers.into_par_iter().zip(rows).map(fill).collect())
}
