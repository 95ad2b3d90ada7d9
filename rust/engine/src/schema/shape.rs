//! From what is known of an object to its shape: named keys, classes of all other keys, clauses.

use std::sync::Arc;

use super::facts::{Branch, Choice, Fact, Filter};
use super::node::{KeyId, Lit, Node, StringAtom};
use super::normal::{Clause, GoalId, Key, KeyClass, Literal, ObjectShape, PatternId, Shape};
use super::object::{ObjectFacts, add};
use super::space::Space;
use crate::error::Error;
use crate::limits::check;

/// Most classes of keys. A product of more patterns is refused.
const CLASSES: u64 = 256;
/// Classes with at most so many keys become named keys.
const NAMED: usize = 10_000;

/// One condition that divides keys into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Pattern(PatternId),
    Name(Lit),
}

/// A class under construction: which tests its keys pass, and what their values satisfy.
struct Class {
    signs: Vec<bool>,
    names: GoalId,
    lits: Vec<Lit>,
    value: GoalId,
}

impl Space {
    /// The shape of the objects, or none if it is plain that there are none.
    pub(super) fn object_shape(
        &mut self,
        mut object: ObjectFacts,
        choices: &[Choice],
    ) -> Result<Option<ObjectShape>, Error> {
        self.name_keys(&mut object, choices)?;
        let tests = tests(&object, choices);
        let classes = self.classes(&mut object, &tests)?;
        let mut shape = ObjectShape {
            min: object.min,
            max: object.max,
            keys: Vec::with_capacity(object.keys.len()),
            ..ObjectShape::default()
        };
        for known in &object.keys {
            self.charge(1)?;
            let goal = self.goal_of(&known.lits)?;
            let empty = self.is_quickly_empty_goal(goal)?;
            if empty && known.required {
                return Ok(None);
            }
            shape.keys.push(Key {
                name: Arc::clone(self.builder.keys.get(known.key.0)),
                value: (!empty).then_some(goal),
                required: known.required,
                listed: known.listed,
            });
        }
        shape.classes = classes
            .iter()
            .map(|class| KeyClass { names: class.names, value: class.value })
            .collect();
        for (filter, lit) in object.some.clone() {
            let literals = self.some_key(&object, &classes, &tests, &filter, lit)?;
            if !add_clause(&mut shape, literals) {
                return Ok(None);
            }
        }
        for choice in choices {
            let mut literals = Vec::with_capacity(choice.len());
            for branch in choice {
                if let Branch::Fact(fact) = branch {
                    self.literal(fact, &object, &classes, &tests, &mut literals)?;
                }
            }
            if !add_clause(&mut shape, literals) {
                return Ok(None);
            }
        }
        Ok(tidy(&mut shape).then_some(shape))
    }

    /// Names all keys that choices mention.
    fn name_keys(&mut self, object: &mut ObjectFacts, choices: &[Choice]) -> Result<(), Error> {
        for branch in choices.iter().flatten() {
            match branch {
                Branch::Fact(Fact::Absent(key) | Fact::Has(key, _) | Fact::Key(key, _)) => {
                    self.key_place(object, *key)?;
                }
                Branch::Fact(Fact::Some(filter, _)) => {
                    for key in &filter.outside {
                        self.key_place(object, *key)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Divides the keys that are not named into classes. Those of few keys become named keys.
    fn classes(&mut self, object: &mut ObjectFacts, tests: &[Test]) -> Result<Vec<Class>, Error> {
        if tests.is_empty() {
            let mut lits = Vec::new();
            for (_, lit) in &object.classes {
                add(&mut lits, *lit);
            }
            if lits.contains(&Lit::FALSE) {
                return Ok(Vec::new());
            }
            let names = self.goal_of(&[self.strings])?;
            return Ok(self.class(Vec::new(), names, lits)?.into_iter().collect());
        }
        let mut partial: Vec<(Vec<bool>, Vec<Lit>)> = vec![(Vec::new(), vec![self.strings])];
        for test in tests {
            let lit = match test {
                Test::Pattern(pattern) => self.builder.nodes.intern(Node {
                    string: vec![StringAtom::Pattern(*pattern)],
                    ..Node::default()
                }),
                Test::Name(lit) => *lit,
            };
            let mut finer = Vec::with_capacity(2 * partial.len());
            for (signs, names) in partial {
                for sign in [true, false] {
                    self.charge(1)?;
                    let mut names = names.clone();
                    add(&mut names, if sign { lit } else { lit.not() });
                    if !self.is_quickly_empty(&names)? {
                        let mut signs = signs.clone();
                        signs.push(sign);
                        finer.push((signs, names));
                    }
                }
            }
            partial = finer;
            check("classes of keys", "schema_work", CLASSES, partial.len() as u64)?;
        }
        let mut classes = Vec::new();
        for (signs, names) in partial {
            let mut lits = Vec::new();
            for (filter, lit) in &object.classes {
                if takes(filter, tests, &signs) {
                    add(&mut lits, *lit);
                }
            }
            if lits.contains(&Lit::FALSE) {
                continue;
            }
            let names = self.goal_of(&names)?;
            if let Some(keys) = self.few_keys(names)? {
                for key in keys {
                    let key = KeyId(self.builder.keys.intern(&key));
                    let known = object.keys.len();
                    let at = self.key_place(object, key)?;
                    object.keys[at].listed &= at < known;
                }
                continue;
            }
            classes.extend(self.class(signs, names, lits)?);
        }
        Ok(classes)
    }

    /// A class, unless its keys can have no value.
    fn class(
        &mut self,
        signs: Vec<bool>,
        names: GoalId,
        lits: Vec<Lit>,
    ) -> Result<Option<Class>, Error> {
        let value = self.goal_of(&lits)?;
        let empty = self.is_quickly_empty_goal(value)?;
        Ok((!empty).then_some(Class { signs, names, lits, value }))
    }

    /// The strings of a goal, if they are few.
    fn few_keys(&mut self, names: GoalId) -> Result<Option<Vec<Arc<str>>>, Error> {
        self.work_out(names)?;
        let mut keys = Vec::new();
        for shape in &self.goals[names.0 as usize].goal.shapes {
            if let Shape::String(set) = shape {
                match &set.values {
                    Some(values) if keys.len() + values.len() <= NAMED => {
                        keys.extend(values.iter().cloned());
                    }
                    _ => return Ok(None),
                }
            }
        }
        Ok(Some(keys))
    }

    /// What a fact says, as literals of a clause. What cannot hold is left out.
    fn literal(
        &mut self,
        fact: &Fact,
        object: &ObjectFacts,
        classes: &[Class],
        tests: &[Test],
        literals: &mut Vec<Literal>,
    ) -> Result<(), Error> {
        match fact {
            Fact::Absent(key) => {
                let at = object.find(*key).filter(|&at| !object.keys[at].required);
                literals.extend(at.map(|at| Literal::Absent(at as u32)));
            }
            Fact::Has(key, lit) => {
                if let Some(at) = object.find(*key) {
                    literals.extend(self.value_literal(object, at, *lit)?);
                }
            }
            Fact::Some(filter, lit) => {
                literals.extend(self.some_key(object, classes, tests, filter, *lit)?);
            }
            Fact::MinKeys(min) => literals.push(Literal::AtLeast(*min)),
            Fact::MaxKeys(max) => literals.push(Literal::AtMost(*max)),
            _ => {}
        }
        Ok(())
    }

    fn value_literal(
        &mut self,
        object: &ObjectFacts,
        at: usize,
        lit: Lit,
    ) -> Result<Option<Literal>, Error> {
        let mut lits = object.keys[at].lits.clone();
        add(&mut lits, lit);
        let goal = self.goal_of(&lits)?;
        let empty = self.is_quickly_empty_goal(goal)?;
        Ok((!empty).then_some(Literal::Value(at as u32, goal)))
    }

    /// "Some key that passes the filter is there, with such a value", by named keys and classes.
    fn some_key(
        &mut self,
        object: &ObjectFacts,
        classes: &[Class],
        tests: &[Test],
        filter: &Arc<Filter>,
        lit: Lit,
    ) -> Result<Vec<Literal>, Error> {
        let mut literals = Vec::new();
        for at in 0..object.keys.len() {
            if self.passes(filter, object.keys[at].key)? {
                literals.extend(self.value_literal(object, at, lit)?);
            }
        }
        for (at, class) in classes.iter().enumerate() {
            if takes(filter, tests, &class.signs) {
                let mut lits = class.lits.clone();
                add(&mut lits, lit);
                let goal = self.goal_of(&lits)?;
                if !self.is_quickly_empty_goal(goal)? {
                    literals.push(Literal::SomeKey(at as u32, goal));
                }
            }
        }
        Ok(literals)
    }
}

/// All conditions that divide keys.
fn tests(object: &ObjectFacts, choices: &[Choice]) -> Vec<Test> {
    let mut tests = Vec::new();
    let of_facts = object.classes.iter().chain(&object.some).map(|(filter, _)| filter);
    let of_choices = choices.iter().flatten().filter_map(|branch| match branch {
        Branch::Fact(Fact::Some(filter, _)) => Some(filter),
        _ => None,
    });
    for filter in of_facts.chain(of_choices) {
        let patterns = filter.patterns.iter().map(|(pattern, _)| Test::Pattern(*pattern));
        // A condition and its negation divide alike.
        let names = filter.names.iter().map(|lit| Test::Name(positive(*lit)));
        for test in patterns.chain(names) {
            if !tests.contains(&test) {
                tests.push(test);
            }
        }
    }
    tests
}

fn positive(lit: Lit) -> Lit {
    if lit.is_negative() { lit.not() } else { lit }
}

/// Whether the keys of a class pass a filter. Keys that it leaves out are named.
fn takes(filter: &Filter, tests: &[Test], signs: &[bool]) -> bool {
    let passed = |test: Test| {
        tests.iter().position(|known| *known == test).and_then(|at| signs.get(at)).copied()
    };
    filter.patterns.iter().all(|(pattern, sign)| passed(Test::Pattern(*pattern)) == Some(*sign))
        && filter
            .names
            .iter()
            .all(|lit| passed(Test::Name(positive(*lit))) == Some(!lit.is_negative()))
}

/// Adds a clause. `false` means that it has no literal.
fn add_clause(shape: &mut ObjectShape, mut literals: Vec<Literal>) -> bool {
    let mut distinct: Vec<Literal> = Vec::with_capacity(literals.len());
    for literal in literals.drain(..) {
        if !distinct.contains(&literal) {
            distinct.push(literal);
        }
    }
    if distinct.is_empty() {
        return false;
    }
    let clause = Clause(distinct);
    if !shape.clauses.contains(&clause) {
        shape.clauses.push(clause);
    }
    true
}

/// Takes clauses of one literal into the keys where that says the same, and compares the counts. `false` means that
/// nothing is left.
pub(super) fn tidy(shape: &mut ObjectShape) -> bool {
    let clauses = std::mem::take(&mut shape.clauses);
    for clause in clauses {
        let [literal] = &clause.0[..] else {
            shape.clauses.push(clause);
            continue;
        };
        match *literal {
            Literal::Absent(at) => {
                let key = &mut shape.keys[at as usize];
                if key.required {
                    return false;
                }
                key.value = None;
            }
            // Only where the key's goal is already that of the literal: two literals on one key would need a goal of
            // both.
            Literal::Value(at, goal) if shape.keys[at as usize].value == Some(goal) => {
                shape.keys[at as usize].required = true;
            }
            Literal::AtLeast(min) => shape.min = shape.min.max(min),
            Literal::AtMost(max) => {
                shape.max = Some(shape.max.map_or(max, |known| known.min(max)));
            }
            Literal::Value(..) | Literal::SomeKey(..) => shape.clauses.push(clause),
        }
    }
    let required = shape.keys.iter().filter(|key| key.required).count() as u64;
    if shape.keys.iter().any(|key| key.required && key.value.is_none()) {
        return false;
    }
    if shape.max == Some(required) {
        for key in shape.keys.iter_mut().filter(|key| !key.required) {
            key.value = None;
        }
        shape.classes.clear();
        shape.clauses.iter_mut().for_each(|clause| {
            clause.0.retain(|literal| match literal {
                Literal::SomeKey(..) => false,
                Literal::Value(at, _) => shape.keys[*at as usize].value.is_some(),
                _ => true,
            });
        });
        if shape.clauses.iter().any(|clause| clause.0.is_empty()) {
            return false;
        }
    }
    if shape.classes.is_empty() {
        let most = shape.keys.iter().filter(|key| key.value.is_some()).count() as u64;
        if shape.min > most {
            return false;
        }
        if shape.max.is_some_and(|max| max >= most) {
            shape.max = None;
        }
    }
    if shape.min <= required {
        shape.min = 0;
    }
    shape.max.is_none_or(|max| max >= required.max(shape.min))
}
