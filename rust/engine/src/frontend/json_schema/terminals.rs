//! The terminals of a schema: punctuation, literals, strings, numbers and keys.

use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::numbering::Numbering;
use super::object::{Plan, ShapeId};
use super::source::Lowered;
use super::strings;
use super::unique::Scalar;
use crate::error::Error;
use crate::grammar::{Expr, Terminal};
use crate::ids::TerminalId;
use crate::json::NumberSet;
use crate::pattern::Pattern;
use crate::schema::normal::{Shape, StringSet};

/// What every schema's texts are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// White space around the text.
    Gap,
    BeginObject,
    EndObject,
    /// A closing brace right behind [`Mark::BeginObject`].
    EndEmptyObject,
    BeginArray,
    EndArray,
    /// A closing bracket right behind [`Mark::BeginArray`].
    EndEmptyArray,
    Comma,
    Colon,
}

/// What a terminal was made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Purpose {
    Mark(Mark),
    Name(Arc<str>),
}

/// The terminals of one maker, numbered by content.
#[derive(Debug)]
pub(super) struct Terminals {
    schema: Arc<Lowered>,
    made: Numbering<Terminal>,
    /// So that what is asked for often is not made again.
    known: Mutex<FxHashMap<Purpose, TerminalId>>,
    classes: Mutex<FxHashMap<(ShapeId, u32), Expr>>,
    /// Whether keys were made that may run out.
    scarce: AtomicBool,
}

impl Terminals {
    pub(super) fn new(schema: Arc<Lowered>) -> Self {
        Self {
            schema,
            made: Numbering::new(),
            known: Mutex::default(),
            classes: Mutex::default(),
            scarce: AtomicBool::new(false),
        }
    }

    pub(super) fn terminal(&self, id: TerminalId) -> Result<Terminal, Error> {
        let made = self.made.key(id.0);
        made.map(|terminal| Terminal::clone(&terminal))
            .ok_or_else(|| Error::Grammar(format!("the schema has no terminal number {}", id.0)))
    }

    /// Whether keys were made that may run out.
    pub(super) fn has_scarce_keys(&self) -> bool {
        self.scarce.load(Ordering::Acquire)
    }

    /// Keys are made that may run out.
    pub(super) fn tell_of_scarce_keys(&self) {
        self.scarce.store(true, Ordering::Release);
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.made.len() * 256
    }

    fn add(&self, terminal: Terminal) -> TerminalId {
        TerminalId(self.made.number(terminal))
    }

    fn known(
        &self,
        purpose: Purpose,
        make: impl FnOnce() -> Result<Terminal, Error>,
    ) -> Result<TerminalId, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = known.get(&purpose) {
            return Ok(id);
        }
        let id = self.add(make()?);
        known.insert(purpose, id);
        Ok(id)
    }

    /// A terminal of punctuation.
    pub(super) fn mark(&self, mark: Mark) -> Result<TerminalId, Error> {
        let layout = &self.schema.layout;
        self.known(Purpose::Mark(mark), || {
            let bytes = |text: &str| Pattern::Bytes(text.into());
            let (name, pattern) = match mark {
                Mark::Gap => {
                    let gap = layout.around.as_ref().map(|(gap, _)| gap.clone());
                    ("gap", gap.unwrap_or(Pattern::Empty))
                }
                Mark::BeginObject => ("{", layout.opening("{")),
                Mark::EndObject => ("}", layout.closing("}")),
                Mark::EndEmptyObject => ("}", bytes("}")),
                Mark::BeginArray => ("[", layout.opening("[")),
                Mark::EndArray => ("]", layout.closing("]")),
                Mark::EndEmptyArray => ("]", bytes("]")),
                Mark::Comma => (",", layout.comma.clone()),
                Mark::Colon => (":", layout.colon.clone()),
            };
            Ok(match layout.common {
                true => Terminal::common(name, pattern),
                false => Terminal::new(name, pattern),
            })
        })
    }

    /// A key that the schema names.
    pub(super) fn name(&self, name: &Arc<str>) -> Result<Expr, Error> {
        let id = self.known(Purpose::Name(name.clone()), || {
            let set = StringSet { values: Some([name.clone()].into()), ..StringSet::default() };
            strings::terminal(&self.schema, name, &set)
        })?;
        Ok(Expr::Terminal(id))
    }

    /// The keys of a class.
    pub(super) fn class(&self, plan: &Plan, class: u32) -> Result<Expr, Error> {
        let place = (plan.id, class);
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = classes.get(&place) {
            return Ok(known.clone());
        }
        let names = self.schema.normal.goal(plan.shape.classes[class as usize].names)?;
        let mut choices = Vec::new();
        for shape in &names.shapes {
            let Shape::String(set) = shape else { continue };
            let set = excluding(set, plan.shape.keys.iter().map(|key| &key.name));
            if set.values.as_ref().is_some_and(|values| values.is_empty()) {
                continue;
            }
            if !self.has_scarce_keys() && self.schema.normal.runs_out(&set) {
                self.tell_of_scarce_keys();
            }
            let terminal = strings::terminal(&self.schema, "key", &set)?;
            choices.push(Expr::Terminal(self.add(terminal)));
        }
        let made = Expr::Alt(choices);
        classes.insert(place, made.clone());
        Ok(made)
    }

    /// One value.
    pub(super) fn scalar(&self, value: &Scalar) -> Result<Expr, Error> {
        let shape = match value {
            Scalar::Null => Shape::Null,
            Scalar::Bool(value) => Shape::Bool { yes: *value, no: !value },
            Scalar::Number(value) => Shape::Number(NumberSet::of_values([value.clone()])),
            Scalar::String(value) => Shape::String(StringSet {
                values: Some([value.clone()].into()),
                ..StringSet::default()
            }),
        };
        Ok(Expr::Alt(self.scalars(iter::once(&shape))?))
    }

    /// The values of these shapes that are no containers.
    pub(super) fn scalars<'a>(
        &self,
        shapes: impl Iterator<Item = &'a Shape>,
    ) -> Result<Vec<Expr>, Error> {
        let mut literals: Vec<Vec<u8>> = Vec::new();
        let (mut terminals, mut common) = (Vec::new(), true);
        for shape in shapes {
            match shape {
                Shape::Null => literals.push(b"null".to_vec()),
                Shape::Bool { yes, no } => {
                    literals.extend(yes.then(|| b"true".to_vec()));
                    literals.extend(no.then(|| b"false".to_vec()));
                }
                Shape::String(set) => match strings::listed(&self.schema, set) {
                    Some(texts) => {
                        literals.extend(texts);
                        common = false;
                    }
                    None => {
                        terminals.push(strings::terminal(&self.schema, "string", set)?);
                    }
                },
                Shape::Number(set) => {
                    let pattern = Pattern::clone(&*self.schema.number(set)?);
                    terminals.push(match self.schema.is_common(set) {
                        true => Terminal::common("number", pattern),
                        false => Terminal::new("number", pattern),
                    });
                }
                Shape::Array(_) | Shape::Object(_) => {}
            }
        }
        if !literals.is_empty() {
            literals.sort_unstable();
            literals.dedup();
            let pattern = Pattern::Strings(literals);
            terminals.push(match common {
                true => Terminal::common("literal", pattern),
                false => Terminal::new("literal", pattern),
            });
        }
        Ok(terminals.into_iter().map(|terminal| Expr::Terminal(self.add(terminal))).collect())
    }
}

/// The set without some more strings.
fn excluding<'a>(set: &StringSet, names: impl Iterator<Item = &'a Arc<str>>) -> StringSet {
    let mut set = set.clone();
    match &mut set.values {
        Some(values) => {
            for name in names {
                values.remove(name);
            }
        }
        None => set.excluded.extend(names.cloned()),
    }
    set
}
