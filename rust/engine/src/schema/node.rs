//! Parts of schemas, interned by structure: what the algebra computes with.
//!
//! A node is a conjunction of conditions, each on one type, and of other nodes. Equal structure means equal node, so
//! that copies of a subschema are recognised, whatever their annotations and wherever they stand.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::document::ValueId;
use super::normal::PatternId;
use crate::json::Decimal;
use crate::json::number::Bound;

/// A set of types, one bit each. Integers and other numbers are two.
pub(crate) type Types = u8;

pub(crate) const NULL: Types = 1;
pub(crate) const BOOL: Types = 2;
pub(crate) const FRACTION: Types = 4;
pub(crate) const INTEGER: Types = 8;
pub(crate) const NUMBER: Types = FRACTION | INTEGER;
pub(crate) const STRING: Types = 16;
pub(crate) const ARRAY: Types = 32;
pub(crate) const OBJECT: Types = 64;
pub(crate) const ALL_TYPES: Types = 127;
/// One context for each type that a conjunction is worked out for.
pub(crate) const CONTEXTS: [Types; 6] = [NULL, BOOL, NUMBER, STRING, ARRAY, OBJECT];

/// A node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(pub(crate) u32);

impl Lit {
    /// What every value satisfies.
    pub(crate) const TRUE: Self = Self(0);
    /// What no value satisfies.
    pub(crate) const FALSE: Self = Self(1);

    /// What exactly the other values satisfy.
    pub(crate) fn not(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// A key that the schema names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct KeyId(pub(crate) u32);

/// A format, by its place among those that the schema uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FormatId(pub(crate) u32);

/// Listed values, containers left out. All lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Scalars {
    pub(crate) null: bool,
    pub(crate) yes: bool,
    pub(crate) no: bool,
    pub(crate) numbers: Vec<Decimal>,
    pub(crate) strings: Vec<Arc<str>>,
}

impl Scalars {
    /// The types of the listed values.
    pub(crate) fn types(&self) -> Types {
        let mut types = 0;
        if self.null {
            types |= NULL;
        }
        if self.yes || self.no {
            types |= BOOL;
        }
        for number in &self.numbers {
            types |= if number.is_integer() { INTEGER } else { FRACTION };
        }
        if !self.strings.is_empty() {
            types |= STRING;
        }
        types
    }
}

/// One condition on a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NumberAtom {
    Min(Bound),
    Max(Bound),
    Multiple(Decimal),
}

/// One condition on a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StringAtom {
    MinChars(u64),
    MaxChars(u64),
    Pattern(PatternId),
    Format(FormatId),
}

/// Conditions on an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ArrayAtoms {
    /// What the first items satisfy.
    pub(crate) prefix: Vec<Lit>,
    /// What all further items satisfy.
    pub(crate) items: Option<Lit>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) unique: bool,
    /// Between `.1` and `.2` items satisfy `.0`.
    pub(crate) contains: Vec<(Lit, u64, Option<u64>)>,
}

/// Conditions on an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ObjectAtoms {
    pub(crate) properties: Vec<(KeyId, Lit)>,
    pub(crate) patterns: Vec<(PatternId, Lit)>,
    /// What the values of the other keys satisfy.
    pub(crate) additional: Option<Lit>,
    /// What the keys satisfy.
    pub(crate) names: Option<Lit>,
    pub(crate) required: Vec<KeyId>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    /// What the object satisfies if the key is there.
    pub(crate) dependents: Vec<(KeyId, Lit)>,
    /// Whether keys of the parts in [`Node::all`] come before those of this node.
    pub(crate) late: bool,
}

/// A conjunction of conditions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) types: Types,
    /// If given, the value is one of these.
    pub(crate) scalars: Option<Arc<Scalars>>,
    pub(crate) number: Vec<NumberAtom>,
    pub(crate) string: Vec<StringAtom>,
    pub(crate) array: Option<Box<ArrayAtoms>>,
    pub(crate) object: Option<Box<ObjectAtoms>>,
    /// All of these.
    pub(crate) all: Vec<Lit>,
    /// Of each list at least one.
    pub(crate) any: Vec<Vec<Lit>>,
    /// Of each list exactly one.
    pub(crate) one: Vec<Vec<Lit>>,
    /// What this place of the schema says, in this dynamic scope.
    pub(crate) link: Option<(ValueId, u32)>,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            types: ALL_TYPES,
            scalars: None,
            number: Vec::new(),
            string: Vec::new(),
            array: None,
            object: None,
            all: Vec::new(),
            any: Vec::new(),
            one: Vec::new(),
            link: None,
        }
    }
}

impl Node {
    /// Exactly the listed values. `by_text`: integers are told by their text, so that a listed number, which stands
    /// for all its texts, may be of either type.
    pub(crate) fn of_scalars(scalars: Scalars, by_text: bool) -> Self {
        let mut types = scalars.types();
        if by_text && types & INTEGER != 0 {
            types |= FRACTION;
        }
        Self { types, scalars: Some(Arc::new(scalars)), ..Self::default() }
    }

    /// What the types of its own conditions are, those on other nodes left out.
    fn conditioned(&self) -> Types {
        let mut types = 0;
        if !self.number.is_empty() {
            types |= NUMBER;
        }
        if !self.string.is_empty() {
            types |= STRING;
        }
        if self.array.is_some() {
            types |= ARRAY;
        }
        if self.object.is_some() {
            types |= OBJECT;
        }
        if self.scalars.is_some() || !self.one.is_empty() || self.link.is_some() {
            types = ALL_TYPES;
        }
        types
    }

    fn is_plain(&self) -> bool {
        self.types == ALL_TYPES && self.conditioned() == 0
    }
}

/// All nodes of a schema.
#[derive(Debug)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    /// The types that values of each literal may have, a bound from above.
    masks: Vec<Types>,
    table: HashTable<u32>,
}

impl Nodes {
    pub(crate) fn new() -> Self {
        let mut nodes = Self { nodes: Vec::new(), masks: Vec::new(), table: HashTable::new() };
        nodes.intern(Node::default());
        nodes
    }

    pub(crate) fn get(&self, lit: Lit) -> &Node {
        &self.nodes[lit.index()]
    }

    /// The types that values of the literal may have. Some of them may turn out to be impossible.
    pub(crate) fn mask(&self, lit: Lit) -> Types {
        self.masks[lit.0 as usize]
    }

    /// The literal of a node. What says nothing of its own is the literal that it passes on.
    pub(crate) fn intern(&mut self, mut node: Node) -> Lit {
        node.all.retain(|lit| *lit != Lit::TRUE);
        if node.all.contains(&Lit::FALSE) || node.types == 0 {
            node = Node { types: 0, ..Node::default() };
        }
        for list in &mut node.any {
            list.retain(|lit| *lit != Lit::FALSE);
        }
        node.any.retain(|list| !list.contains(&Lit::TRUE));
        for lists in [&mut node.any, &mut node.one] {
            node.all.extend(lists.extract_if(.., |list| list.len() == 1).flatten());
        }
        if node.any.iter().chain(&node.one).any(Vec::is_empty) {
            node = Node { types: 0, ..Node::default() };
        }
        if node.types == 0 && !self.nodes.is_empty() {
            return Lit::FALSE;
        }
        if let [lit] = node.all[..]
            && node.any.is_empty()
            && node.is_plain()
        {
            return lit;
        }
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(&at) = self.table.find(hash, |&at| self.nodes[at as usize] == node) {
            return Lit(at << 1);
        }
        let at = self.nodes.len() as u32;
        let (yes, no) = self.masks_of(&node);
        self.masks.extend([yes, no]);
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.table.insert_unique(hash, at, |&at| FxBuildHasher.hash_one(&nodes[at as usize]));
        Lit(at << 1)
    }

    fn masks_of(&self, node: &Node) -> (Types, Types) {
        let mut yes = node.types;
        let mut no = (ALL_TYPES & !node.types) | (node.types & node.conditioned());
        if let Some(scalars) = &node.scalars {
            yes &= scalars.types();
        }
        for lit in &node.all {
            yes &= self.mask(*lit);
            no |= self.mask(lit.not());
        }
        for list in &node.any {
            yes &= list.iter().fold(0, |types, lit| types | self.mask(*lit));
            no |= list.iter().fold(ALL_TYPES, |types, lit| types & self.mask(lit.not()));
        }
        for list in &node.one {
            yes &= list.iter().fold(0, |types, lit| types | self.mask(*lit));
        }
        (yes, no)
    }
}
