//! Objects under a conjunction: what is known of each key, of all other keys, and of how many there are.

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::facts::{Fact, Filter};
use super::node::{KeyId, Lit};
use super::space::{Space, Status};
use crate::error::Error;

/// With more keys than this, they are found by a map.
const FEW: usize = 12;

/// What is known of one key.
#[derive(Clone, Debug)]
pub(super) struct KeyFacts {
    pub(super) key: KeyId,
    /// What its value satisfies.
    pub(super) lits: Vec<Lit>,
    pub(super) required: bool,
    /// Whether the schema lists it as a key.
    pub(super) listed: bool,
}

/// What is known of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectFacts {
    pub(super) keys: Vec<KeyFacts>,
    places: HashMap<KeyId, u32, FxBuildHasher>,
    pub(super) classes: Vec<(Arc<Filter>, Lit)>,
    /// Keys that have to be there, whatever they are called.
    pub(super) some: Vec<(Arc<Filter>, Lit)>,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl ObjectFacts {
    pub(super) fn find(&self, key: KeyId) -> Option<usize> {
        if self.keys.len() > FEW {
            return self.places.get(&key).map(|at| *at as usize);
        }
        self.keys.iter().position(|known| known.key == key)
    }

    fn push(&mut self, key: KeyFacts) -> usize {
        let at = self.keys.len();
        if at == FEW {
            self.places.extend(self.keys.iter().zip(0..).map(|(known, at)| (known.key, at)));
        }
        if at >= FEW {
            self.places.insert(key.key, at as u32);
        }
        self.keys.push(key);
        at
    }

    pub(super) fn required(&self) -> u64 {
        self.keys.iter().filter(|key| key.required).count() as u64
    }
}

pub(super) fn add(lits: &mut Vec<Lit>, lit: Lit) -> bool {
    let new = lit != Lit::TRUE && !lits.contains(&lit);
    if new {
        lits.push(lit);
    }
    new
}

impl Space {
    /// The place of a key, which is made if need be.
    pub(super) fn key_place(
        &mut self,
        object: &mut ObjectFacts,
        key: KeyId,
    ) -> Result<usize, Error> {
        if let Some(at) = object.find(key) {
            return Ok(at);
        }
        let lits = self.lits_by_class(object, key)?;
        Ok(object.push(KeyFacts { key, lits, required: false, listed: true }))
    }

    /// What the classes say about the value of a key.
    fn lits_by_class(&mut self, object: &ObjectFacts, key: KeyId) -> Result<Vec<Lit>, Error> {
        let mut lits = Vec::new();
        for (filter, lit) in &object.classes {
            if self.passes(filter, key)? {
                add(&mut lits, *lit);
            }
        }
        Ok(lits)
    }

    /// Whether a key is in a set of keys.
    pub(super) fn passes(&mut self, filter: &Filter, key: KeyId) -> Result<bool, Error> {
        if filter.outside.binary_search(&key).is_ok() {
            return Ok(false);
        }
        if filter.patterns.is_empty() && filter.names.is_empty() {
            return Ok(true);
        }
        let text = Arc::clone(self.builder.keys.get(key.0));
        for (pattern, sign) in &filter.patterns {
            if self.builder.texts.matches(*pattern, &text)? != *sign {
                return Ok(false);
            }
        }
        for lit in &filter.names {
            if !self.string_satisfies(&text, *lit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a fact. `false` means that nothing is left.
    pub(super) fn learn_object(
        &mut self,
        object: &mut ObjectFacts,
        fact: &Fact,
    ) -> Result<bool, Error> {
        match fact {
            Fact::Key(key, lit) => {
                let at = self.key_place(object, *key)?;
                let known = &mut object.keys[at];
                add(&mut known.lits, *lit);
                Ok(!(known.required && *lit == Lit::FALSE))
            }
            Fact::Has(key, lit) => {
                let at = self.key_place(object, *key)?;
                let known = &mut object.keys[at];
                known.required = true;
                add(&mut known.lits, *lit);
                Ok(!known.lits.contains(&Lit::FALSE))
            }
            Fact::Absent(key) => {
                let at = self.key_place(object, *key)?;
                let known = &mut object.keys[at];
                add(&mut known.lits, Lit::FALSE);
                Ok(!known.required)
            }
            Fact::Class(filter, lit) => {
                for key in &filter.outside {
                    self.key_place(object, *key)?;
                }
                object.classes.push((Arc::clone(filter), *lit));
                for at in 0..object.keys.len() {
                    if self.passes(filter, object.keys[at].key)? {
                        let known = &mut object.keys[at];
                        add(&mut known.lits, *lit);
                        if known.required && *lit == Lit::FALSE {
                            return Ok(false);
                        }
                    }
                }
                Ok(true)
            }
            Fact::Some(filter, lit) => {
                for key in &filter.outside {
                    self.key_place(object, *key)?;
                }
                object.some.push((Arc::clone(filter), *lit));
                Ok(true)
            }
            Fact::MinKeys(min) => {
                object.min = object.min.max(*min);
                Ok(object.max.is_none_or(|max| max >= object.min))
            }
            Fact::MaxKeys(max) => {
                let max = object.max.map_or(*max, |known| known.min(*max));
                object.max = Some(max);
                Ok(max >= object.min && max >= object.required())
            }
            Fact::Scalars(_, sign) => Ok(!sign),
            _ => Ok(true),
        }
    }

    /// Whether a fact is known to hold or to fail.
    pub(super) fn judge_object(
        &mut self,
        object: &ObjectFacts,
        fact: &Fact,
    ) -> Result<Status, Error> {
        Ok(match fact {
            Fact::Absent(key) => match object.find(*key).map(|at| &object.keys[at]) {
                Some(known) if known.required => Status::Fails,
                Some(known) if known.lits.contains(&Lit::FALSE) => Status::Holds,
                _ => Status::Open,
            },
            Fact::Has(key, lit) | Fact::Key(key, lit) => {
                let (mut lits, required) = match object.find(*key) {
                    Some(at) => (object.keys[at].lits.clone(), object.keys[at].required),
                    None => (self.lits_by_class(object, *key)?, false),
                };
                let there = matches!(fact, Fact::Has(..));
                let known = lits.len();
                if !add(&mut lits, *lit) {
                    // What is asked for is known already.
                    return Ok(if there && lits.contains(&Lit::FALSE) {
                        Status::Fails
                    } else if required || !there {
                        Status::Holds
                    } else {
                        Status::Open
                    });
                }
                if self.is_quickly_empty(&lits)? {
                    return Ok(if there || required { Status::Fails } else { Status::Open });
                }
                if required || !there {
                    lits[known] = lit.not();
                    if self.is_quickly_empty(&lits)? {
                        return Ok(Status::Holds);
                    }
                }
                Status::Open
            }
            Fact::MinKeys(min) if object.min.max(object.required()) >= *min => Status::Holds,
            Fact::MinKeys(min) if object.max.is_some_and(|max| max < *min) => Status::Fails,
            Fact::MaxKeys(max) if object.max.is_some_and(|known| known <= *max) => Status::Holds,
            Fact::MaxKeys(max) if object.min.max(object.required()) > *max => Status::Fails,
            Fact::Class(_, lit) if *lit == Lit::TRUE => Status::Holds,
            Fact::Scalars(_, true) => Status::Fails,
            Fact::Scalars(_, false) => Status::Holds,
            _ => Status::Open,
        })
    }
}
