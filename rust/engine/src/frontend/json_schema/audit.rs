//! What cannot be enforced is found when the grammar is made, not when a text comes to it.

use rustc_hash::FxHashSet;

use super::distinct::{Distinct, distinct};
use super::source::Lowered;
use crate::error::{Diagnostic, Error};
use crate::schema::Unsupported;
use crate::schema::normal::{ArrayShape, Equality, GoalId, Literal, ObjectShape, Shape};

/// What there is to know of all goals together.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// What is left out, if that was asked for.
    pub(super) remarks: Vec<Diagnostic>,
    /// Whether some object may have keys that are not listed, which come in any order, or the items of some array are
    /// compared: the rules alone do not see to that.
    pub(super) open: bool,
}

/// Looks at every goal that a text can come to.
///
/// # Errors
/// [`Error::UnsupportedSchema`] for what cannot be enforced, unless it is to be left out; what making a terminal
/// ends in.
pub(super) fn audit(schema: &Lowered, unsupported: Unsupported) -> Result<Audit, Error> {
    let mut audit = Audit::default();
    let root = schema.normal.root();
    let mut seen = FxHashSet::from_iter([root]);
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        for shape in &schema.normal.goal(id)?.shapes {
            match shape {
                // Patterns and formats were read when the schema was.
                Shape::Null | Shape::Bool { .. } | Shape::String(_) => {}
                Shape::Number(set) if set.is_whole_type() => {}
                Shape::Number(set) => {
                    schema.number(set).map_err(|error| located(schema, id, error))?;
                }
                Shape::Array(array) => {
                    let distinct = distinct(schema, array)?;
                    audit.open |= matches!(distinct, Some(Distinct::Tracked(_)));
                    if let Some(message) = equality(array, distinct) {
                        let keyword = "uniqueItems";
                        let pointer = schema.normal.pointer_of(id, keyword)?;
                        if unsupported == Unsupported::Error {
                            let (keyword, message) = (keyword.to_owned(), message.to_owned());
                            return Err(Error::UnsupportedSchema { pointer, keyword, message });
                        }
                        let remark = Diagnostic::on_keyword(pointer, keyword, message);
                        if !audit.remarks.contains(&remark) {
                            audit.remarks.push(remark);
                        }
                    }
                    push(goals_of_array(array), &mut seen, &mut todo);
                }
                Shape::Object(object) => {
                    audit.open |= !object.classes.is_empty()
                        || object.keys.iter().any(|key| !key.listed && key.value.is_some());
                    push(goals_of_object(object), &mut seen, &mut todo);
                }
            }
        }
    }
    Ok(audit)
}

/// The same error with its pointer, if it has none.
fn located(schema: &Lowered, goal: GoalId, error: Error) -> Error {
    match error {
        Error::UnsupportedSchema { pointer, keyword, message } if pointer.is_empty() => {
            let pointer = schema.normal.pointer_of(goal, &keyword).unwrap_or_default();
            Error::UnsupportedSchema { pointer, keyword, message }
        }
        error => error,
    }
}

fn push(goals: impl Iterator<Item = GoalId>, seen: &mut FxHashSet<GoalId>, todo: &mut Vec<GoalId>) {
    todo.extend(goals.filter(|goal| seen.insert(*goal)));
}

fn goals_of_array(array: &ArrayShape) -> impl Iterator<Item = GoalId> {
    let counted = array.contains.iter().flat_map(|contains| [contains.goal, contains.other]);
    array.prefix.iter().copied().chain(array.rest).chain(counted)
}

fn goals_of_object(object: &ObjectShape) -> impl Iterator<Item = GoalId> {
    let named = object.keys.iter().filter_map(|key| key.value);
    let literals = object.clauses.iter().flat_map(|clause| &clause.0);
    let chosen = literals.filter_map(|literal| match *literal {
        Literal::Value(_, goal) | Literal::SomeKey(_, goal) => Some(goal),
        Literal::Absent(_) | Literal::AtLeast(_) | Literal::AtMost(_) => None,
    });
    let classes = object.classes.iter().flat_map(|class| [class.names, class.value]);
    named.chain(classes).chain(chosen)
}

/// Why the equality of items cannot be decided, if it cannot.
fn equality(array: &ArrayShape, distinct: Option<Distinct>) -> Option<&'static str> {
    match (array.equality, distinct) {
        (Equality::Repeated, _) => Some("that two items must be equal is not enforced"),
        (_, Some(_)) => None,
        (_, None) if array.contains.is_empty() => Some(
            "items must differ, and whether enough values are left cannot be decided for values that are few and \
             not listed",
        ),
        (_, None) => {
            Some("items must differ and some are counted, but not all of their values are listed")
        }
    }
}
