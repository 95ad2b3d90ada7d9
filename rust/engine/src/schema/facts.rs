//! What a literal says about values of one type: facts that hold together, and choices.

use std::sync::Arc;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::node::{
    ArrayAtoms, KeyId, Lit, NUMBER, Node, NumberAtom, ObjectAtoms, Scalars, StringAtom, Types,
};
use super::normal::PatternId;
use super::space::Space;
use crate::error::Error;

/// One condition on a value of a type that is known. A condition on another type never occurs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fact {
    /// The number is of these types.
    Types(Types),
    /// The value is (`true`) or is not among those.
    Scalars(Arc<Scalars>, bool),
    Number(NumberAtom, bool),
    String(StringAtom, bool),
    MinItems(u64),
    MaxItems(u64),
    /// Whether all items differ.
    Distinct(bool),
    /// The item is missing or satisfies the literal.
    Item(u64, Lit),
    /// The item is there and satisfies the literal.
    HasItem(u64, Lit),
    /// Every item from there on satisfies the literal.
    Items(u64, Lit),
    /// So many items from there on satisfy the literal.
    Count(u64, Lit, u64, Option<u64>),
    /// The key is missing or its value satisfies the literal.
    Key(KeyId, Lit),
    /// The key is there and its value satisfies the literal.
    Has(KeyId, Lit),
    Absent(KeyId),
    /// The value of every such key satisfies the literal.
    Class(Arc<Filter>, Lit),
    /// Such a key is there, and its value satisfies the literal.
    Some(Arc<Filter>, Lit),
    MinKeys(u64),
    MaxKeys(u64),
}

/// A set of keys: those that meet all of this.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// Patterns that match, or do not.
    pub(super) patterns: Vec<(PatternId, bool)>,
    /// None of these, in ascending order.
    pub(super) outside: Vec<KeyId>,
    /// As strings they satisfy these.
    pub(super) names: Vec<Lit>,
}

/// One alternative of a choice.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Branch {
    Fact(Fact),
    Lits(Vec<Lit>),
    /// The facts and literals hold together.
    Both(Vec<Fact>, Vec<Lit>),
}

/// At least one of these holds.
pub(super) type Choice = Vec<Branch>;

/// Everything that a literal says about one type.
#[derive(Clone, Debug, Default)]
pub(super) struct Opened {
    /// No value satisfies it.
    pub(super) dead: bool,
    pub(super) facts: Vec<Fact>,
    pub(super) choices: Vec<Choice>,
    /// The literals that it entails without a choice.
    pub(super) lits: Vec<Lit>,
}

/// What is still to be opened.
enum Task {
    Lit(Lit),
    /// The node's own conditions on the type, which come behind those of the nodes that it includes.
    Own(Lit),
    /// All that a reference leads to was opened.
    Leave,
}

impl Space {
    /// What a literal says about values of a type.
    pub(super) fn open(&mut self, lit: Lit, ty: Types) -> Result<Arc<Opened>, Error> {
        if let Some(opened) = self.opened.get(&(lit, ty)) {
            return Ok(Arc::clone(opened));
        }
        if !self.opening.insert((lit, ty)) {
            // A branch of `oneOf` leads back here, while it is asked what the branches have in common. Nothing is
            // known then, so that nothing is disjoint.
            return Ok(Arc::default());
        }
        let opened = self.opened_anew(lit, ty).map(Arc::new);
        self.opening.remove(&(lit, ty));
        let opened = opened?;
        self.opened.insert((lit, ty), Arc::clone(&opened));
        Ok(opened)
    }

    fn opened_anew(&mut self, lit: Lit, ty: Types) -> Result<Opened, Error> {
        let mut opened = Opened::default();
        let mut seen = HashSet::with_hasher(FxBuildHasher);
        let mut tasks = vec![Task::Lit(lit)];
        // References whose targets are being opened: one that leads back to itself adds nothing, so that in the least
        // reading no value satisfies it.
        let mut path: Vec<Lit> = Vec::new();
        while let Some(task) = tasks.pop() {
            if opened.dead {
                break;
            }
            match task {
                Task::Own(lit) => self.own(lit, ty, &mut opened),
                Task::Leave => {
                    path.pop();
                }
                Task::Lit(lit) => {
                    if !seen.insert(lit) {
                        opened.dead |= !lit.is_negative() && path.contains(&lit);
                        continue;
                    }
                    if seen.contains(&lit.not()) {
                        opened.dead = true;
                    }
                    self.charge(1)?;
                    opened.lits.push(lit);
                    let real = self.builder.resolved(lit)?;
                    let known = opened.choices.len();
                    if real != lit {
                        path.push(lit);
                        tasks.extend([Task::Leave, Task::Lit(real)]);
                    } else if self.builder.nodes.get(lit).link.is_some() {
                        opened.dead |= !lit.is_negative();
                    } else if lit.is_negative() {
                        self.refuted(lit, ty, &mut opened, &mut tasks)?;
                    } else {
                        self.asserted(lit, ty, &mut opened, &mut tasks)?;
                    }
                    without_circles(&mut opened.choices, known, &path);
                }
            }
        }
        Ok(opened)
    }

    /// A node holds.
    fn asserted(
        &mut self,
        lit: Lit,
        ty: Types,
        opened: &mut Opened,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Error> {
        let node = self.builder.nodes.get(lit);
        if node.types & ty == 0 {
            opened.dead = true;
            return Ok(());
        }
        let late = node.object.as_ref().is_some_and(|object| object.late);
        if late {
            tasks.push(Task::Own(lit));
        }
        tasks.extend(node.all.iter().rev().map(|lit| Task::Lit(*lit)));
        if !late {
            tasks.push(Task::Own(lit));
        }
        for list in &node.any {
            opened.choices.push(list.iter().map(|lit| Branch::Lits(vec![*lit])).collect());
        }
        for list in node.one.clone() {
            let choice = self.exactly_one(&list, ty)?;
            opened.choices.push(choice);
        }
        Ok(())
    }

    /// The node's own conditions.
    fn own(&mut self, lit: Lit, ty: Types, opened: &mut Opened) {
        let node = self.builder.nodes.get(lit);
        let facts = &mut opened.facts;
        if ty == NUMBER && node.types & NUMBER != NUMBER {
            facts.push(Fact::Types(node.types & NUMBER));
        }
        if let Some(scalars) = &node.scalars {
            facts.push(Fact::Scalars(Arc::clone(scalars), true));
        }
        match ty {
            super::node::NUMBER => {
                facts.extend(node.number.iter().map(|atom| Fact::Number(atom.clone(), true)));
            }
            super::node::STRING => {
                facts.extend(node.string.iter().map(|atom| Fact::String(*atom, true)));
            }
            super::node::ARRAY => {
                if let Some(array) = &node.array {
                    array_facts(array, facts);
                }
            }
            super::node::OBJECT => {
                if let Some(object) = &node.object {
                    object_facts(object, opened);
                }
            }
            _ => {}
        }
    }

    /// A node does not hold.
    fn refuted(
        &mut self,
        lit: Lit,
        ty: Types,
        opened: &mut Opened,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Error> {
        let node = self.builder.nodes.get(lit);
        if node.types & ty == 0 {
            return Ok(());
        }
        let mut choice = Choice::new();
        failures(node, ty, &mut choice);
        choice.extend(node.all.iter().map(|lit| Branch::Lits(vec![lit.not()])));
        for list in &node.any {
            choice.push(Branch::Lits(list.iter().map(|lit| lit.not()).collect()));
        }
        for list in &node.one {
            choice.push(Branch::Lits(list.iter().map(|lit| lit.not()).collect()));
            for (at, one) in list.iter().enumerate() {
                choice.extend(list[..at].iter().map(|other| Branch::Lits(vec![*one, *other])));
            }
        }
        self.charge(choice.len() as u64)?;
        match choice.len() {
            0 => opened.dead = true,
            1 => match choice.remove(0) {
                Branch::Fact(fact) => opened.facts.push(fact),
                Branch::Lits(lits) => tasks.extend(lits.into_iter().rev().map(Task::Lit)),
                Branch::Both(facts, lits) => {
                    opened.facts.extend(facts);
                    tasks.extend(lits.into_iter().rev().map(Task::Lit));
                }
            },
            _ => opened.choices.push(choice),
        }
        Ok(())
    }

    /// One of the list and none of the others that could hold beside it.
    fn exactly_one(&mut self, list: &[Lit], ty: Types) -> Result<Choice, Error> {
        let live: Vec<Lit> =
            list.iter().copied().filter(|lit| self.builder.nodes.mask(*lit) & ty != 0).collect();
        let mut branches: Vec<Vec<Lit>> = live.iter().map(|lit| vec![*lit]).collect();
        let told_apart = self.told_apart(&live, ty)?;
        for at in 0..live.len() {
            for other in 0..at {
                if told_apart || self.are_disjoint(live[at], live[other], ty)? {
                    continue;
                }
                branches[at].push(live[other].not());
                branches[other].push(live[at].not());
            }
        }
        Ok(branches.into_iter().map(Branch::Lits).collect())
    }
}

/// Takes out of the choices from `known` on what leads back to a reference that is being opened.
fn without_circles(choices: &mut Vec<Choice>, known: usize, path: &[Lit]) {
    if path.is_empty() {
        return;
    }
    let back = |branch: &Branch, negative: bool| match branch {
        Branch::Lits(lits) => {
            lits.iter().any(|lit| lit.is_negative() == negative && path.contains(lit))
        }
        _ => false,
    };
    for choice in &mut choices[known..] {
        choice.retain(|branch| !back(branch, false));
    }
    let holds = |branch: &Branch| {
        matches!(branch, Branch::Lits(lits) if lits.len() == 1) && back(branch, true)
    };
    let mut at = 0;
    choices.retain(|choice| {
        at += 1;
        at <= known || !choice.iter().any(holds)
    });
}

/// A filter that lets all keys pass that neither properties nor patterns of the schema mention.
fn additional(object: &ObjectAtoms) -> Filter {
    let mut outside: Vec<KeyId> = object.properties.iter().map(|(key, _)| *key).collect();
    outside.sort_unstable();
    let patterns = object.patterns.iter().map(|(pattern, _)| (*pattern, false)).collect();
    Filter { patterns, outside, names: Vec::new() }
}

fn matching(pattern: PatternId) -> Arc<Filter> {
    Arc::new(Filter { patterns: vec![(pattern, true)], ..Filter::default() })
}

fn object_facts(object: &ObjectAtoms, opened: &mut Opened) {
    let facts = &mut opened.facts;
    facts.extend(object.properties.iter().map(|(key, lit)| Fact::Key(*key, *lit)));
    facts.extend(object.required.iter().map(|key| Fact::Has(*key, Lit::TRUE)));
    for (pattern, lit) in &object.patterns {
        facts.push(Fact::Class(matching(*pattern), *lit));
    }
    if let Some(lit) = object.additional {
        facts.push(Fact::Class(Arc::new(additional(object)), lit));
    }
    if let Some(names) = object.names {
        let filter = Filter { names: vec![names.not()], ..Filter::default() };
        facts.push(Fact::Class(Arc::new(filter), Lit::FALSE));
    }
    if object.min > 0 {
        facts.push(Fact::MinKeys(object.min));
    }
    facts.extend(object.max.map(Fact::MaxKeys));
    for (key, lit) in &object.dependents {
        opened.choices.push(vec![Branch::Fact(Fact::Absent(*key)), Branch::Lits(vec![*lit])]);
    }
}

fn array_facts(array: &ArrayAtoms, facts: &mut Vec<Fact>) {
    for (at, lit) in array.prefix.iter().enumerate().filter(|(_, lit)| **lit != Lit::TRUE) {
        facts.push(Fact::Item(at as u64, *lit));
    }
    facts.extend(array.items.map(|lit| Fact::Items(array.prefix.len() as u64, lit)));
    if array.min > 0 {
        facts.push(Fact::MinItems(array.min));
    }
    facts.extend(array.max.map(Fact::MaxItems));
    if array.unique {
        facts.push(Fact::Distinct(true));
    }
    for (lit, min, max) in &array.contains {
        facts.push(Fact::Count(0, *lit, *min, *max));
    }
}

/// The ways in which a node's own conditions on a type can fail.
fn failures(node: &Node, ty: Types, choice: &mut Choice) {
    let mut fail = |fact: Fact| choice.push(Branch::Fact(fact));
    if ty == NUMBER && node.types & NUMBER != NUMBER {
        fail(Fact::Types(NUMBER & !node.types));
    }
    if let Some(scalars) = &node.scalars {
        fail(Fact::Scalars(Arc::clone(scalars), false));
    }
    match ty {
        super::node::NUMBER => {
            node.number.iter().for_each(|atom| fail(Fact::Number(atom.clone(), false)));
        }
        super::node::STRING => {
            node.string.iter().for_each(|atom| fail(Fact::String(*atom, false)));
        }
        super::node::ARRAY => {
            if let Some(array) = &node.array {
                array_failures(array, &mut fail);
            }
        }
        super::node::OBJECT => {
            if let Some(object) = &node.object {
                object_failures(object, choice);
            }
        }
        _ => {}
    }
}

fn array_failures(array: &ArrayAtoms, fail: &mut impl FnMut(Fact)) {
    if let Some(most) = array.min.checked_sub(1) {
        fail(Fact::MaxItems(most));
    }
    if let Some(max) = array.max {
        fail(Fact::MinItems(max.saturating_add(1)));
    }
    for (at, lit) in array.prefix.iter().enumerate().filter(|(_, lit)| **lit != Lit::TRUE) {
        fail(Fact::HasItem(at as u64, lit.not()));
    }
    if let Some(lit) = array.items {
        fail(Fact::Count(array.prefix.len() as u64, lit.not(), 1, None));
    }
    if array.unique {
        fail(Fact::Distinct(false));
    }
    for (lit, min, max) in &array.contains {
        if let Some(most) = min.checked_sub(1) {
            fail(Fact::Count(0, *lit, 0, Some(most)));
        }
        if let Some(max) = max {
            fail(Fact::Count(0, *lit, max.saturating_add(1), None));
        }
    }
}

fn object_failures(object: &ObjectAtoms, choice: &mut Choice) {
    let mut fail = |fact: Fact| choice.push(Branch::Fact(fact));
    for key in &object.required {
        fail(Fact::Absent(*key));
    }
    for (key, lit) in object.properties.iter().filter(|(_, lit)| *lit != Lit::TRUE) {
        fail(Fact::Has(*key, lit.not()));
    }
    for (pattern, lit) in object.patterns.iter().filter(|(_, lit)| *lit != Lit::TRUE) {
        fail(Fact::Some(matching(*pattern), lit.not()));
    }
    if let Some(lit) = object.additional {
        fail(Fact::Some(Arc::new(additional(object)), lit.not()));
    }
    if let Some(names) = object.names {
        let filter = Filter { names: vec![names.not()], ..Filter::default() };
        fail(Fact::Some(Arc::new(filter), Lit::TRUE));
    }
    if let Some(most) = object.min.checked_sub(1) {
        fail(Fact::MaxKeys(most));
    }
    if let Some(max) = object.max {
        fail(Fact::MinKeys(max.saturating_add(1)));
    }
    for (key, lit) in &object.dependents {
        choice.push(Branch::Both(vec![Fact::Has(*key, Lit::TRUE)], vec![lit.not()]));
    }
}
