//! Python values as the JSON text that `json.dumps` gives, without calling it.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::fmt::Write;

/// Deeper values are left to `json.dumps`, which knows what to say of those that hold themselves.
const DEEPEST: usize = 100;

/// The JSON text of what is made of the plain types that JSON has, and not too deep; `None` for all else, which
/// `json.dumps` may know how to write.
pub(crate) fn plain_text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let mut text = String::new();
    Ok(write(value, DEEPEST, &mut text)?.map(|()| text))
}

fn write(value: &Bound<'_, PyAny>, depth: usize, out: &mut String) -> PyResult<Option<()>> {
    if let Ok(string) = value.cast_exact::<PyString>() {
        return Ok(quote(string, out));
    }
    if let Ok(dict) = value.cast_exact::<PyDict>() {
        return object(dict, depth, out);
    }
    if let Ok(list) = value.cast_exact::<PyList>() {
        return items(list.iter(), depth, out);
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        return items(tuple.iter(), depth, out);
    }
    if let Ok(flag) = value.cast_exact::<PyBool>() {
        out.push_str(if flag.is_true() { "true" } else { "false" });
    } else if value.is_none() {
        out.push_str("null");
    } else if value.is_exact_instance_of::<PyInt>() {
        match value.extract::<i64>() {
            // Writing to a string cannot fail.
            Ok(number) => {
                let _ = write!(out, "{number}");
            }
            Err(_) => out.push_str(value.repr()?.to_str()?),
        }
    } else if let Ok(number) = value.cast_exact::<PyFloat>()
        && number.value().is_finite()
    {
        out.push_str(number.repr()?.to_str()?);
    } else {
        return Ok(None);
    }
    Ok(Some(()))
}

fn object(dict: &Bound<'_, PyDict>, depth: usize, out: &mut String) -> PyResult<Option<()>> {
    let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
    let mut mark = "{";
    for (key, value) in dict {
        out.push_str(mark);
        mark = ", ";
        // `json.dumps` turns some other keys into strings.
        let Some(()) = key.cast_exact::<PyString>().ok().and_then(|key| quote(key, out)) else {
            return Ok(None);
        };
        out.push_str(": ");
        let Some(()) = write(&value, depth, out)? else { return Ok(None) };
    }
    out.push_str(if mark == "{" { "{}" } else { "}" });
    Ok(Some(()))
}

fn items<'py>(
    values: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
    out: &mut String,
) -> PyResult<Option<()>> {
    let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
    let mut mark = "[";
    for value in values {
        out.push_str(mark);
        mark = ", ";
        let Some(()) = write(&value, depth, out)? else { return Ok(None) };
    }
    out.push_str(if mark == "[" { "[]" } else { "]" });
    Ok(Some(()))
}

/// `None` for a string with a lone surrogate.
fn quote(string: &Bound<'_, PyString>, out: &mut String) -> Option<()> {
    let text = string.to_str().ok()?;
    out.push('"');
    let mut plain = 0;
    for (at, c) in text.char_indices() {
        if matches!(c, ' '..='~') && c != '"' && c != '\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + c.len_utf8();
        escape(c, out);
    }
    out.push_str(&text[plain..]);
    out.push('"');
    Some(())
}

fn escape(c: char, out: &mut String) {
    let short = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
            return;
        }
    };
    out.push_str(short);
}
