//! Goals: conjunctions of literals, interned, and worked out on demand.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet, HashTable};
use rustc_hash::FxBuildHasher;

use super::build::Builder;
use super::facts::{Branch, Fact, Opened};
use super::node::{ALL_TYPES, ARRAY, CONTEXTS, KeyId, Lit, Node, OBJECT, STRING, Types};
use super::normal::{Goal, GoalId, Shape};
use crate::error::Error;
use crate::limits::{Limits, check};

/// Conjunctions of containers are worked out within each other to this depth; deeper ones wait for their turn.
const DEPTH: u32 = 3;
/// Lists of alternatives up to this length are compared pair by pair with all that is known.
const COMPARED: usize = 8;
/// Choices within choices that a single string is tried on.
const NESTED: u32 = 64;

/// What is known of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Holds,
    Fails,
    Open,
}

/// How far a goal is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Closed,
    Underway,
    Done,
}

/// Whether some value is in a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Unknown,
    Live,
    Empty,
}

#[derive(Debug)]
pub(super) struct Conjunction {
    /// In order of first mention.
    lits: Vec<Lit>,
    /// In ascending order.
    key: Vec<Lit>,
    progress: Progress,
    pub(super) goal: Arc<Goal>,
    pub(super) life: Life,
    /// Whether it can be reached from what was asked for.
    pub(super) reached: bool,
}

/// All goals of a schema.
#[derive(Debug)]
pub(super) struct Space {
    pub(super) builder: Builder,
    pub(super) opened: HashMap<(Lit, Types), Arc<Opened>, FxBuildHasher>,
    /// What is being opened at the moment.
    pub(super) opening: HashSet<(Lit, Types), FxBuildHasher>,
    pub(super) goals: Vec<Conjunction>,
    table: HashTable<u32>,
    work: u64,
    most: u64,
    depth: u32,
    /// The literal of all strings.
    pub(super) strings: Lit,
}

impl Space {
    pub(super) fn new(mut builder: Builder, limits: &Limits) -> Self {
        let strings = builder.nodes.intern(Node { types: STRING, ..Node::default() });
        Self {
            builder,
            opened: HashMap::default(),
            opening: HashSet::default(),
            goals: Vec::new(),
            table: HashTable::new(),
            work: 0,
            most: limits.schema_work,
            depth: 0,
            strings,
        }
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Counts work.
    pub(super) fn charge(&mut self, work: u64) -> Result<(), Error> {
        self.work += work;
        check("work on the schema", "schema_work", self.most, self.work)
    }

    /// The goal of a conjunction.
    pub(super) fn goal_of(&mut self, lits: &[Lit]) -> Result<GoalId, Error> {
        let mut key = lits.to_vec();
        key.sort_unstable();
        key.dedup();
        if key.first() == Some(&Lit::TRUE) {
            key.remove(0);
        }
        // A literal and its negation are neighbours in this order.
        let contradiction = key.windows(2).any(|pair| pair[0].not() == pair[1]);
        if contradiction || key.first() == Some(&Lit::FALSE) {
            key = vec![Lit::FALSE];
        }
        let hash = FxBuildHasher.hash_one(&key);
        let found = self.table.find(hash, |&at| self.goals[at as usize].key == key);
        if let Some(&at) = found {
            return Ok(GoalId(at));
        }
        self.charge(1)?;
        let at = self.goals.len() as u32;
        let in_order = if key.len() < 2 { key.clone() } else { lits.to_vec() };
        self.goals.push(Conjunction {
            lits: in_order,
            key,
            progress: Progress::Closed,
            goal: Arc::default(),
            life: Life::Unknown,
            reached: false,
        });
        let goals = &self.goals;
        let hash_of = |&at: &u32| FxBuildHasher.hash_one(&goals[at as usize].key);
        self.table.insert_unique(hash, at, hash_of);
        Ok(GoalId(at))
    }

    /// The literals of a goal, in order of first mention.
    pub(super) fn lits_of(&self, goal: GoalId) -> &[Lit] {
        &self.goals[goal.0 as usize].lits
    }

    fn mask(&self, lits: &[Lit]) -> Types {
        lits.iter().fold(ALL_TYPES, |types, lit| types & self.builder.nodes.mask(*lit))
    }

    /// Whether a conjunction is plainly empty. `false` means nothing.
    pub(super) fn is_quickly_empty(&mut self, lits: &[Lit]) -> Result<bool, Error> {
        if self.mask(lits) == 0 {
            return Ok(true);
        }
        let goal = self.goal_of(lits)?;
        self.is_quickly_empty_goal(goal)
    }

    /// Whether a goal is plainly empty. `false` means nothing.
    pub(super) fn is_quickly_empty_goal(&mut self, id: GoalId) -> Result<bool, Error> {
        let goal = &self.goals[id.0 as usize];
        match (goal.life, goal.progress) {
            (Life::Empty, _) => return Ok(true),
            (Life::Live, _) | (_, Progress::Underway) => return Ok(false),
            (_, Progress::Done) => return Ok(goal.goal.shapes.is_empty()),
            (_, Progress::Closed) => {}
        }
        let mask = self.mask(&goal.lits);
        if mask & (ARRAY | OBJECT) != 0 && self.depth >= DEPTH {
            return Ok(mask == 0);
        }
        self.work_out(id)?;
        Ok(self.goals[id.0 as usize].goal.shapes.is_empty())
    }

    /// Works out the shapes of a goal.
    pub(super) fn work_out(&mut self, id: GoalId) -> Result<(), Error> {
        let goal = &mut self.goals[id.0 as usize];
        if goal.progress != Progress::Closed {
            return Ok(());
        }
        goal.progress = Progress::Underway;
        let lits = goal.lits.clone();
        let any = lits.is_empty();
        let mask = self.mask(&lits);
        let mut shapes = Vec::new();
        self.depth += 1;
        for ty in CONTEXTS {
            if mask & ty != 0 {
                let solved = self.solve(&lits, ty, &mut shapes);
                solved.map_err(|error| self.located(error, id))?;
            }
        }
        self.depth -= 1;
        let goal = &mut self.goals[id.0 as usize];
        goal.progress = Progress::Done;
        goal.goal = Arc::new(Goal { shapes, any });
        Ok(())
    }

    /// Replaces the shapes of a goal by fewer of the same meaning.
    pub(super) fn replace(&mut self, id: GoalId, shapes: Vec<Shape>) {
        let goal = &mut self.goals[id.0 as usize];
        let any = goal.goal.any;
        goal.goal = Arc::new(Goal { shapes, any });
    }

    /// Whether no two of the alternatives have a value in common, by one key that tells all of them apart.
    pub(super) fn told_apart(&mut self, list: &[Lit], ty: Types) -> Result<bool, Error> {
        if ty != OBJECT || list.len() < 3 {
            return Ok(false);
        }
        let mut opened = Vec::with_capacity(list.len());
        for lit in list {
            opened.push(self.open(*lit, ty)?);
        }
        for fact in &opened[0].facts {
            let Fact::Key(key, _) = fact else { continue };
            let mut seen = HashSet::with_hasher(FxBuildHasher);
            let apart = opened.iter().all(|alternative| {
                let Some(values) = self.listed_strings(alternative, *key) else { return false };
                values.iter().all(|value| seen.insert(value.as_ref()))
            });
            if apart {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The only values that a required key can have, if they are listed strings.
    fn listed_strings(&self, opened: &Opened, key: KeyId) -> Option<&[Arc<str>]> {
        let required = |fact: &Fact| matches!(fact, Fact::Has(known, _) if *known == key);
        if !opened.facts.iter().any(required) {
            return None;
        }
        opened.facts.iter().find_map(|fact| match fact {
            Fact::Key(known, lit) if *known == key && !lit.is_negative() => {
                let node = self.builder.nodes.get(*lit);
                let scalars = node.scalars.as_ref()?;
                (scalars.types() & node.types == STRING).then_some(&scalars.strings[..])
            }
            _ => None,
        })
    }

    /// Whether two literals plainly have no value of a type in common.
    pub(super) fn are_disjoint(&mut self, one: Lit, other: Lit, ty: Types) -> Result<bool, Error> {
        if self.builder.nodes.mask(one) & self.builder.nodes.mask(other) & ty == 0 {
            return Ok(true);
        }
        self.charge(1)?;
        if ty == OBJECT {
            let (a, b) = (self.open(one, ty)?, self.open(other, ty)?);
            if a.dead || b.dead || self.clash(&a, &b)? || self.clash(&b, &a)? {
                return Ok(true);
            }
        }
        if ty == OBJECT && a_lot(&self.opened, one, other, ty) {
            return Ok(false);
        }
        let only = self.builder.nodes.intern(Node { types: ty, ..Node::default() });
        self.is_quickly_empty(&[one, other, only])
    }

    /// Whether some key that one alternative requires cannot be there in both.
    fn clash(&mut self, one: &Opened, other: &Opened) -> Result<bool, Error> {
        for fact in &one.facts {
            let Fact::Has(key, own) = fact else { continue };
            let of = |opened: &Opened| {
                let lits = opened.facts.iter().filter_map(|fact| match fact {
                    Fact::Key(known, lit) | Fact::Has(known, lit) if known == key => Some(*lit),
                    _ => None,
                });
                lits.collect::<Vec<Lit>>()
            };
            let (mine, theirs) = (of(one), of(other));
            if theirs.is_empty() {
                for fact in &other.facts {
                    if let Fact::Class(filter, Lit::FALSE) = fact
                        && self.passes(filter, *key)?
                    {
                        return Ok(true);
                    }
                }
                continue;
            }
            let mut lits = vec![*own];
            lits.extend(mine);
            lits.extend(theirs);
            if self.mask(&lits) & (ARRAY | OBJECT) == 0 && self.is_quickly_empty(&lits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a string satisfies a literal.
    pub(super) fn string_satisfies(&mut self, text: &Arc<str>, lit: Lit) -> Result<bool, Error> {
        self.tries(text, lit, NESTED)
    }

    fn tries(&mut self, text: &Arc<str>, lit: Lit, nested: u32) -> Result<bool, Error> {
        self.charge(1)?;
        let Some(nested) = nested.checked_sub(1) else {
            return Err(Error::TooComplex {
                what: "choices within choices on one key",
                name: "schema_work",
                limit: u64::from(NESTED),
                given: u64::from(NESTED) + 1,
            });
        };
        let opened = self.open(lit, STRING)?;
        if opened.dead {
            return Ok(false);
        }
        for fact in &opened.facts {
            if !self.string_meets(text, fact)? {
                return Ok(false);
            }
        }
        for choice in &opened.choices {
            let mut found = false;
            for branch in choice {
                let (facts, lits): (&[Fact], &[Lit]) = match branch {
                    Branch::Fact(fact) => (std::slice::from_ref(fact), &[]),
                    Branch::Lits(lits) => (&[], lits),
                    Branch::Both(facts, lits) => (facts, lits),
                };
                found = true;
                for fact in facts {
                    found = found && self.string_meets(text, fact)?;
                }
                for lit in lits {
                    found = found && self.tries(text, *lit, nested)?;
                }
                if found {
                    break;
                }
            }
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn string_meets(&mut self, text: &Arc<str>, fact: &Fact) -> Result<bool, Error> {
        let values = Some(vec![Arc::clone(text)]);
        let facts = super::scalar::StringFacts { values, ..Default::default() };
        Ok(self.judge_string(&facts, fact)? == Status::Holds)
    }
}

/// Whether two alternatives say so much that comparing them wholly is not worth it.
fn a_lot(
    opened: &HashMap<(Lit, Types), Arc<Opened>, FxBuildHasher>,
    one: Lit,
    other: Lit,
    ty: Types,
) -> bool {
    [one, other]
        .iter()
        .any(|lit| opened.get(&(*lit, ty)).is_some_and(|opened| opened.facts.len() > 4 * COMPARED))
}
