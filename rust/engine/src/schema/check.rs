//! Checks that a schema is one, as the metaschemas would, and remarks on what has no effect.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::document::{Value, ValueId};
use super::index::Index;
use super::keywords::{Effect, Form, Word};
use super::options::Draft;
use super::remark::Reason;
use crate::error::Error;
use crate::json::Decimal;

const TYPE_NAMES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

impl Index {
    /// Checks a schema and all schemas within it, and notes where they stand.
    pub(crate) fn walk(&mut self, id: ValueId, resource: u32) -> Result<(), Error> {
        let (start, end) = match self.documents.value(id) {
            Value::Object(start, end) => (start, end),
            Value::Bool(_) if self.draft(resource) > Draft::Draft4 => {
                self.set_place(id, resource);
                return Ok(());
            }
            _ => return Err(self.invalid(id, "a schema has to be an object or a boolean")),
        };
        let resource = self.enter(id, resource)?;
        let draft = self.draft(resource);
        for at in start..end {
            let (key, value) = self.documents.members(at, at + 1)[0];
            match Word::find(self.documents.text(key)).filter(|word| word.row().is_in(draft)) {
                Some(word) => {
                    self.check(word, value, resource)?;
                    if word.row().effect == Effect::Warned {
                        self.remark(id, key, Reason::Annotation);
                    }
                }
                None => self.remark(id, key, Reason::Unknown),
            }
        }
        if draft == Draft::Draft4 {
            self.check_flags_of_draft_4(id)?;
        }
        Ok(())
    }

    fn check_flags_of_draft_4(&self, id: ValueId) -> Result<(), Error> {
        for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if self.documents.member(id, flag).is_some()
                && self.documents.member(id, bound).is_none()
            {
                return Err(
                    self.invalid(id, &format!("in draft 4, {flag} needs {bound} beside it"))
                );
            }
        }
        Ok(())
    }

    fn check(&mut self, word: Word, id: ValueId, resource: u32) -> Result<(), Error> {
        let draft = self.draft(resource);
        let value = self.documents.value(id);
        let wrong = |index: &Self, what: &str| {
            Err(index.invalid(id, &format!("{} has to be {what}", word.row().name)))
        };
        match word.row().form {
            Form::Any => Ok(()),
            Form::Text | Form::Regex => match value {
                Value::String(_) => Ok(()),
                _ => wrong(self, "a string"),
            },
            Form::Flag => match value {
                Value::Bool(_) => Ok(()),
                _ => wrong(self, "true or false"),
            },
            Form::Count => match self.count(id) {
                Some(_) => Ok(()),
                None => wrong(self, "an integer that is not negative"),
            },
            Form::Number => match value {
                Value::Number(_) => Ok(()),
                _ => wrong(self, "a number"),
            },
            Form::Positive => match value {
                Value::Number(_) if self.number(id)? > Decimal::zero() => Ok(()),
                _ => wrong(self, "a number above 0"),
            },
            Form::Exclusive => match value {
                Value::Number(_) if draft > Draft::Draft4 => Ok(()),
                Value::Bool(_) if draft == Draft::Draft4 => Ok(()),
                _ if draft == Draft::Draft4 => wrong(self, "true or false in draft 4"),
                _ => wrong(self, "a number"),
            },
            Form::List => match value {
                Value::Array(..) => Ok(()),
                _ => wrong(self, "an array"),
            },
            Form::Values => match value {
                Value::Array(start, end) if start < end || draft > Draft::Draft6 => Ok(()),
                Value::Array(..) => wrong(self, "an array with at least one value"),
                _ => wrong(self, "an array"),
            },
            Form::Texts => {
                self.check_texts(word, id)?;
                if draft == Draft::Draft4 && self.documents.items_of(id).is_empty() {
                    return wrong(self, "an array with at least one string in draft 4");
                }
                Ok(())
            }
            Form::TextsByKey => {
                self.each_member(word, id, |index, value| index.check_texts(word, value))
            }
            Form::Types => self.check_types(word, id),
            Form::Schema => self.walk(id, resource),
            Form::SchemaOrFlag => match value {
                Value::Bool(_) => {
                    self.set_place(id, resource);
                    Ok(())
                }
                _ => self.walk(id, resource),
            },
            Form::Schemas => self.walk_list(word, id, resource),
            Form::SchemaOrSchemas => match value {
                Value::Array(..) if draft < Draft::Draft202012 => {
                    self.walk_list(word, id, resource)
                }
                _ => self.walk(id, resource),
            },
            Form::SchemaByKey | Form::SchemaByRegex => {
                self.each_member(word, id, |index, value| index.walk(value, resource))
            }
            Form::Dependencies => {
                self.each_member(word, id, |index, value| match index.documents.value(value) {
                    Value::Array(..) => index.check_texts(word, value),
                    _ => index.walk(value, resource),
                })
            }
            Form::FlagByKey => {
                self.each_member(word, id, |index, value| match index.documents.value(value) {
                    Value::Bool(_) => Ok(()),
                    _ => Err(index.invalid(value, "a vocabulary has to be true or false")),
                })
            }
        }
    }

    fn walk_list(&mut self, word: Word, id: ValueId, resource: u32) -> Result<(), Error> {
        match self.documents.value(id) {
            Value::Array(start, end) if start < end => {
                for at in start..end {
                    let item = self.documents.items(at, at + 1)[0];
                    self.walk(item, resource)?;
                }
                Ok(())
            }
            _ => {
                let name = word.row().name;
                Err(self
                    .invalid(id, &format!("{name} has to be an array with at least one schema")))
            }
        }
    }

    fn each_member(
        &mut self,
        word: Word,
        id: ValueId,
        mut check: impl FnMut(&mut Self, ValueId) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Value::Object(start, end) = self.documents.value(id) else {
            return Err(self.invalid(id, &format!("{} has to be an object", word.row().name)));
        };
        for at in start..end {
            let (_, value) = self.documents.members(at, at + 1)[0];
            check(self, value)?;
        }
        Ok(())
    }

    /// A list of distinct strings.
    fn check_texts(&self, word: Word, id: ValueId) -> Result<(), Error> {
        let name = word.row().name;
        let Value::Array(start, end) = self.documents.value(id) else {
            return Err(self.invalid(id, &format!("{name} needs an array of strings here")));
        };
        let mut seen = HashSet::with_hasher(FxBuildHasher);
        for item in self.documents.items(start, end) {
            match self.documents.string(*item) {
                Some(text) if seen.insert(text) => {}
                Some(text) => {
                    return Err(self.invalid(*item, &format!("{name} names {text:?} twice")));
                }
                None => {
                    return Err(self.invalid(*item, &format!("{name} needs a string here")));
                }
            }
        }
        Ok(())
    }

    fn check_types(&self, word: Word, id: ValueId) -> Result<(), Error> {
        let known = |id: ValueId| match self.documents.string(id) {
            Some(name) if TYPE_NAMES.contains(&name) => Ok(()),
            Some(name) => Err(self.invalid(id, &format!("there is no type {name:?}"))),
            None => Err(self.invalid(id, "a type has to be a string")),
        };
        match self.documents.value(id) {
            Value::Array(start, end) if start < end => {
                self.documents.items(start, end).iter().try_for_each(|item| known(*item))?;
                self.check_texts(word, id)
            }
            Value::Array(..) => Err(self.invalid(id, "type needs at least one type")),
            _ => known(id),
        }
    }
}
