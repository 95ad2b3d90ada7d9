//! Sets of strings as terminals: the strings' JSON texts, quotes included.

use super::any_string::any_string;
use super::formats;
use super::source::Lowered;
use super::spelled::{literal, quoted, strings_of};
use crate::error::Error;
use crate::grammar::Terminal;
use crate::json::{Spelling, format as json_format};
use crate::pattern::Pattern;
use crate::schema::normal::{Shape, StringPart, StringSet};

/// The texts of a set that lists its strings, where each string has one text.
pub(super) fn listed(schema: &Lowered, set: &StringSet) -> Option<Vec<Vec<u8>>> {
    let values = set.values.as_ref().filter(|_| schema.spelling == Spelling::Canonical)?;
    values.iter().map(|value| literal(value)).collect()
}

/// A terminal of the texts of the strings.
pub(super) fn terminal(schema: &Lowered, label: &str, set: &StringSet) -> Result<Terminal, Error> {
    if let Some(values) = &set.values {
        return Ok(Terminal::new(label, strings(schema, values.iter().map(|value| &**value))?));
    }
    let bounded = set.min_chars > 0 || set.max_chars.is_some();
    if set.parts.is_empty() && !bounded && set.excluded.is_empty() {
        return Ok(Terminal::new(label, any_string(schema.spelling)));
    }
    if set.parts.is_empty() && !bounded && !set.excluded.is_empty() {
        let excluded = set.excluded.iter().map(|value| &**value);
        return Ok(Terminal::new(label, schema.names(false, excluded)));
    }
    if let ([(StringPart::Format(name), true)], false, true) =
        (&set.parts[..], bounded, set.excluded.is_empty())
        && let Some(shared) = formats::shared(name, schema.spelling)?
    {
        return Ok(Terminal::new(label, shared));
    }
    let mut conditions = Vec::new();
    for (part, wanted) in &set.parts {
        conditions.push((meeting(schema, part)?, *wanted));
    }
    if !set.excluded.is_empty() {
        let excluded = strings(schema, set.excluded.iter().map(|value| &**value))?;
        conditions.push((excluded, false));
    }
    // What is wanted comes first; that it is a string needs no saying beside it.
    let first = conditions.iter().position(|(_, wanted)| *wanted);
    let pattern = match first {
        Some(first) if !bounded => conditions.remove(first).0,
        _ => {
            let length = |chars: u64| u32::try_from(chars).unwrap_or(u32::MAX);
            strings_of(schema.spelling, length(set.min_chars), set.max_chars.map(length))
        }
    };
    Ok(Terminal { also: conditions, ..Terminal::new(label, pattern) })
}

/// The texts of the strings that meet a condition.
fn meeting(schema: &Lowered, part: &StringPart) -> Result<Pattern, Error> {
    match part {
        StringPart::Pattern(id) => quoted(&schema.normal.parsed(*id), schema.spelling),
        StringPart::Format(name) => {
            let known = json_format(name).and_then(|format| format.pattern());
            let pattern = known.ok_or_else(|| Error::UnsupportedSchema {
                pointer: String::new(),
                keyword: "format".into(),
                message: format!("the format {name:?} is not supported"),
            })?;
            quoted(pattern, schema.spelling)
        }
    }
}

/// A lower bound of the length of the texts of a shape that is no container.
pub(super) fn shortest(shape: &Shape) -> u32 {
    match shape {
        Shape::Null | Shape::Bool { yes: true, .. } => 4,
        Shape::Bool { .. } => 5,
        Shape::String(set) => {
            let listed = set.values.iter().flatten().map(|value| value.len() as u64).min();
            let inner = listed.unwrap_or(set.min_chars).min(u64::from(u32::MAX / 4));
            inner as u32 + 2
        }
        Shape::Number(_) | Shape::Array(_) | Shape::Object(_) => 1,
    }
}

fn strings<'a>(
    schema: &Lowered,
    values: impl Iterator<Item = &'a str> + Clone,
) -> Result<Pattern, Error> {
    if schema.spelling == Spelling::Canonical
        && let Some(texts) = values.clone().map(literal).collect()
    {
        return Ok(Pattern::Strings(texts));
    }
    Ok(schema.names(true, values))
}
