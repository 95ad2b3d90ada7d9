//! Whether a JSON value is in a goal of a normal form, by its definition alone.

use serde_json::Value;
use stackmask::json::Decimal;
use stackmask::schema::Normal;
use stackmask::schema::normal::{
    ArrayShape, Equality, GoalId, Literal, ObjectShape, Shape, StringSet,
};

/// Whether a value is in the goal.
pub(crate) fn is_in(normal: &Normal, goal: GoalId, value: &Value) -> bool {
    let goal = normal.goal(goal).expect("within the limits");
    goal.shapes.iter().any(|shape| fits(normal, shape, value))
}

fn fits(normal: &Normal, shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::Null, Value::Null) => true,
        (Shape::Bool { yes, no }, Value::Bool(value)) => *(if *value { yes } else { no }),
        (Shape::Number(set), Value::Number(number)) => set.contains(&decimal(number)),
        (Shape::String(set), Value::String(text)) => string_in(normal, set, text),
        (Shape::Array(array), Value::Array(items)) => array_in(normal, array, items),
        (Shape::Object(object), Value::Object(members)) => object_in(normal, object, members),
        _ => false,
    }
}

fn decimal(number: &serde_json::Number) -> Decimal {
    Decimal::parse(&number.to_string()).expect("a number")
}

fn string_in(normal: &Normal, set: &StringSet, text: &str) -> bool {
    let chars = text.chars().count() as u64;
    set.values.as_ref().is_none_or(|values| values.contains(text))
        && !set.excluded.contains(text)
        && chars >= set.min_chars
        && set.max_chars.is_none_or(|max| chars <= max)
        && set.parts.iter().all(|(part, sign)| normal.meets(part, text).expect("decided") == *sign)
}

fn array_in(normal: &Normal, array: &ArrayShape, items: &[Value]) -> bool {
    let count = items.len() as u64;
    if count < array.min || array.max.is_some_and(|max| count > max) {
        return false;
    }
    for (at, item) in items.iter().enumerate() {
        let Some(goal) = array.prefix.get(at).copied().or(array.rest) else { return false };
        if !is_in(normal, goal, item) {
            return false;
        }
    }
    let repeated = (0..items.len()).any(|a| (0..a).any(|b| equal(&items[a], &items[b])));
    match array.equality {
        Equality::Unique if repeated => return false,
        Equality::Repeated if !repeated => return false,
        _ => {}
    }
    array.contains.iter().all(|contains| {
        let from = items.iter().skip(contains.from as usize);
        let mut count = 0;
        for item in from {
            let inside = is_in(normal, contains.goal, item);
            assert_ne!(inside, is_in(normal, contains.other, item), "not a complement: {item}");
            count += u64::from(inside);
        }
        count >= contains.min && contains.max.is_none_or(|max| count <= max)
    })
}

type Members = serde_json::Map<String, Value>;

fn object_in(normal: &Normal, object: &ObjectShape, members: &Members) -> bool {
    let count = members.len() as u64;
    if count < object.min || object.max.is_some_and(|max| count > max) {
        return false;
    }
    for key in &object.keys {
        let fits = match (members.get(&*key.name), key.value) {
            (None, _) => !key.required,
            (Some(_), None) => false,
            (Some(value), Some(goal)) => is_in(normal, goal, value),
        };
        if !fits {
            return false;
        }
    }
    // The class of each key that is not named.
    let mut others = Vec::new();
    for (key, value) in members {
        if object.keys.iter().any(|named| *named.name == **key) {
            continue;
        }
        let name = Value::String(key.clone());
        let classes: Vec<usize> = (0..object.classes.len())
            .filter(|&at| is_in(normal, object.classes[at].names, &name))
            .collect();
        assert!(classes.len() < 2, "{key:?} is in several classes");
        match classes[..] {
            [class] if is_in(normal, object.classes[class].value, value) => {
                others.push((class as u32, value));
            }
            _ => return false,
        }
    }
    let holds = |literal: &Literal| match literal {
        Literal::Absent(key) => !members.contains_key(&*object.keys[*key as usize].name),
        Literal::Value(key, goal) => members
            .get(&*object.keys[*key as usize].name)
            .is_some_and(|value| is_in(normal, *goal, value)),
        Literal::SomeKey(class, goal) => {
            others.iter().any(|(known, value)| known == class && is_in(normal, *goal, value))
        }
        Literal::AtLeast(min) => count >= *min,
        Literal::AtMost(max) => count <= *max,
    };
    object.clauses.iter().all(|clause| clause.0.iter().any(holds))
}

/// Equality of JSON values: `1` equals `1.0`.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => decimal(a) == decimal(b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => a == b,
    }
}
