//! `compose`: grammars put together, for `stackmask._structural_tags`.

use crate::errors::{GrammarError, OrRaise, engine};
use crate::grammar::Grammar;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use stackmask::{Composer, Expr, Limits};

/// Nesting of parts.
const DEPTH: u32 = 500;

#[pyfunction]
pub(crate) fn compose(py: Python<'_>, part: &Bound<'_, PyTuple>) -> PyResult<Grammar> {
    let mut composer = Composer::default();
    let start = expr(part, &mut composer, 0)?;
    Grammar::build(py, || composer.finish(start, &Limits::default()))
}

/// A part is a tuple that begins with its kind.
fn expr(part: &Bound<'_, PyTuple>, composer: &mut Composer, depth: u32) -> PyResult<Expr> {
    let py = part.py();
    if depth > DEPTH {
        return Err(GrammarError::new_err("the parts are nested too deeply"));
    }
    let kind: String = part.get_item(0)?.extract()?;
    let several = |composer: &mut Composer| -> PyResult<Vec<Expr>> {
        let parts = part.get_item(1)?.cast_into::<PyList>()?;
        parts.iter().map(|part| expr(part.cast()?, composer, depth + 1)).collect()
    };
    Ok(match kind.as_str() {
        "literal" => composer.literal(&part.get_item(1)?.extract::<String>()?),
        "token" => Expr::Token(part.get_item(1)?.extract()?),
        "text" => {
            let (stops, end): (Vec<String>, Option<usize>) =
                (part.get_item(1)?.extract()?, part.get_item(2)?.extract()?);
            engine(|| composer.text(&stops, end, &Limits::default())).or_raise(py)?
        }
        "grammar" => {
            let grammar = part.get_item(1)?.cast_into::<Grammar>()?;
            engine(|| composer.embed(&grammar.get().inner)).or_raise(py)?
        }
        "sequence" => Expr::Seq(several(composer)?),
        "any" => Expr::Alt(several(composer)?),
        "repeat" => {
            let body = Box::new(expr(part.get_item(1)?.cast()?, composer, depth + 1)?);
            Expr::Repeat {
                body,
                min: part.get_item(2)?.extract()?,
                max: part.get_item(3)?.extract()?,
            }
        }
        _ => return Err(PyValueError::new_err(format!("no kind of part: {kind:?}"))),
    })
}
