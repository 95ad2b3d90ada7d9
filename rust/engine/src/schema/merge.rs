//! Shapes of one type that can be one shape.

use super::normal::{Shape, StringSet};
use crate::json::NumberSet;

/// Merges the shapes from `first` on, which are of one type.
pub(super) fn merge(shapes: &mut Vec<Shape>, first: usize) {
    if shapes.len() < first + 2 {
        return;
    }
    let mut merged: Vec<Shape> = Vec::with_capacity(shapes.len() - first);
    for shape in shapes.drain(first..) {
        if is_free(&shape) {
            merged = vec![shape];
            break;
        }
        if !merged.iter_mut().any(|known| join(known, &shape)) {
            merged.push(shape);
        }
    }
    shapes.append(&mut merged);
}

/// Whether it is every value of its type.
fn is_free(shape: &Shape) -> bool {
    match shape {
        Shape::Null | Shape::Bool { yes: true, no: true } => true,
        Shape::Number(set) => *set == NumberSet::default(),
        Shape::String(set) => *set == StringSet::default(),
        _ => false,
    }
}

/// Makes the first shape the union of both, if it can be one.
fn join(known: &mut Shape, other: &Shape) -> bool {
    match (known, other) {
        (Shape::Bool { yes, no }, Shape::Bool { yes: more_yes, no: more_no }) => {
            *yes |= more_yes;
            *no |= more_no;
            true
        }
        (Shape::Number(NumberSet { values: Some(values), .. }), Shape::Number(other))
            if other.values.is_some() =>
        {
            values.extend(other.values.iter().flatten().cloned());
            true
        }
        (Shape::String(StringSet { values: Some(values), .. }), Shape::String(other))
            if other.values.is_some() =>
        {
            values.extend(other.values.iter().flatten().cloned());
            true
        }
        (known, other) => known == other,
    }
}
