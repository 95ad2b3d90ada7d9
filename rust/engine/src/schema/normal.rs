//! The normal form of a schema: goals, each a union of shapes, each of which some value satisfies.
//!
//! A *goal* stands for a set of JSON values. It is a conjunction of parts of the schema and of their negations, and
//! its shapes are the alternatives left of it, one type each. Shapes of one goal may overlap. Goals are interned:
//! equal ids mean equal sets (the converse need not hold).
//!
//! What is promised of every goal that can be reached from the root:
//! - each shape has a value, and so have the goals of its keys and items, unless the text says otherwise;
//! - a union of the shapes' values is exactly the goal's set.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::json::NumberSet;

/// A goal of a normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalId(pub u32);

/// A pattern of a normal form, by its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternId(pub u32);

/// A set of JSON values: a union of shapes. Without shapes it is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// The alternatives, each with a value.
    pub shapes: Vec<Shape>,
    /// Whether this is every JSON value. Such a goal has one shape of each type, all of them free, and its items and
    /// keys are this goal again.
    pub any: bool,
}

/// Values of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `null`.
    Null,
    /// `true`, `false` or either.
    Bool {
        /// Whether `true` is one of them.
        yes: bool,
        /// Whether `false` is one of them.
        no: bool,
    },
    /// Numbers.
    Number(NumberSet),
    /// Strings.
    String(StringSet),
    /// Arrays.
    Array(ArrayShape),
    /// Objects.
    Object(ObjectShape),
}

/// One condition on a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StringPart {
    /// Some part of the string matches an ECMA-262 pattern.
    Pattern(PatternId),
    /// The string is of a known format.
    Format(Arc<str>),
}

/// Strings that meet all of these conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringSet {
    /// If given, exactly these strings; every other condition was applied to them already and is left out.
    pub values: Option<BTreeSet<Arc<str>>>,
    /// Strings that are not in the set.
    pub excluded: BTreeSet<Arc<str>>,
    /// Fewest code points.
    pub min_chars: u64,
    /// Most code points.
    pub max_chars: Option<u64>,
    /// Conditions that hold (`true`) or do not hold (`false`), without duplicates.
    pub parts: Vec<(StringPart, bool)>,
}

/// Whether items of an array may be equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Equality {
    /// They may.
    #[default]
    Free,
    /// No two are equal.
    Unique,
    /// At least two are equal.
    Repeated,
}

/// Arrays that meet all of these conditions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrayShape {
    /// The goals of the first items. An item of an empty goal cannot be, so `max` is at most its index.
    pub prefix: Vec<GoalId>,
    /// The goal of every further item. `None` if there is none, and then `max` is at most the prefix's length.
    pub rest: Option<GoalId>,
    /// Fewest items.
    pub min: u64,
    /// Most items.
    pub max: Option<u64>,
    /// Whether items may be equal.
    pub equality: Equality,
    /// Items that have to be counted.
    pub contains: Vec<Contains>,
}

/// A count of certain items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contains {
    /// Items before this index do not count.
    pub from: u64,
    /// Items in this goal count.
    pub goal: GoalId,
    /// The values that are not in `goal`. Each item from `from` on is in exactly one of both.
    pub other: GoalId,
    /// At least so many.
    pub min: u64,
    /// At most so many.
    pub max: Option<u64>,
}

/// Objects that meet all of these conditions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectShape {
    /// The keys that the schema names, in order of first mention. A key that is missing here belongs to a class.
    pub keys: Vec<Key>,
    /// All other keys: disjoint, and each key outside `keys` is in one of the classes, or may not be.
    pub classes: Vec<KeyClass>,
    /// Fewest keys.
    pub min: u64,
    /// Most keys.
    pub max: Option<u64>,
    /// What remains to be chosen: each clause has to hold.
    pub clauses: Vec<Clause>,
}

/// A key that the schema names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub name: Arc<str>,
    /// Its value, or `None` if the key must not be there.
    pub value: Option<GoalId>,
    /// Whether it has to be there.
    pub required: bool,
    /// Whether the schema lists it as a key of its objects. Others are members of small sets of keys, such as a
    /// pattern describes; they come after all that are listed.
    pub listed: bool,
}

/// Keys that are not named, and have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyClass {
    /// The keys: those strings of this goal that [`ObjectShape::keys`] does not name. Only its string shapes count.
    pub names: GoalId,
    /// Their value. Classes whose keys cannot be there are left out.
    pub value: GoalId,
}

/// At least one of these holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause(pub Vec<Literal>);

/// A condition on an object. Keys and classes are indices into their shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The key is not there.
    Absent(u32),
    /// The key is there, with a value in the goal, which is within the key's own goal.
    Value(u32, GoalId),
    /// Some key of the class is there with a value in the goal, which is within the class's own goal.
    SomeKey(u32, GoalId),
    /// There are at least so many keys.
    AtLeast(u64),
    /// There are at most so many keys.
    AtMost(u64),
}

/// How far an object's text has come, to ask whether it can still end well
/// (`Normal::completes`). Keys and clauses are indices into the shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rest {
    /// The named keys that were written, in ascending order.
    pub written: Vec<u32>,
    /// The named keys that may still be written, in ascending order.
    pub left: Vec<u32>,
    /// How many keys of each class were written.
    pub others: Vec<u64>,
    /// Whether keys of classes may still be written.
    pub open: bool,
    /// The clauses that no written key fulfils, in ascending order. What was written fulfils no literal of these any
    /// more; keys that are left, absence and counts may.
    pub clauses: Vec<u32>,
}
