//! Types and listed values.

use std::sync::Arc;

use super::Builder;
use crate::error::Error;
use crate::schema::document::{Value, ValueId};
use crate::schema::node::{
    ARRAY, ArrayAtoms, BOOL, INTEGER, KeyId, Lit, NULL, NUMBER, Node, OBJECT, ObjectAtoms, STRING,
    Scalars, Types,
};

impl Builder {
    pub(super) fn types(&self, id: ValueId) -> Types {
        let one = |id: ValueId| match self.index.documents.string(id) {
            Some("null") => NULL,
            Some("boolean") => BOOL,
            Some("integer") => INTEGER,
            Some("number") => NUMBER,
            Some("string") => STRING,
            Some("array") => ARRAY,
            Some("object") => OBJECT,
            _ => 0,
        };
        match self.index.documents.value(id) {
            Value::Array(start, end) => self
                .index
                .documents
                .items(start, end)
                .iter()
                .fold(0, |types, item| types | one(*item)),
            _ => one(id),
        }
    }

    /// Narrows a node to one of the listed values.
    pub(super) fn listed(&mut self, node: &mut Node, values: &[ValueId]) -> Result<(), Error> {
        let mut scalars = Scalars::default();
        let mut containers = Vec::new();
        for value in values {
            self.collect(*value, &mut scalars, &mut containers)?;
        }
        let scalars = Node::of_scalars(sorted(scalars), self.index.integers_by_text());
        if containers.is_empty() && node.scalars.is_none() {
            node.scalars = scalars.scalars;
            node.types &= scalars.types;
            return Ok(());
        }
        let mut list = Vec::with_capacity(containers.len() + 1);
        if scalars.types != 0 {
            list.push(self.nodes.intern(scalars));
        }
        list.extend(containers);
        node.any.push(list);
        Ok(())
    }

    fn collect(
        &mut self,
        value: ValueId,
        scalars: &mut Scalars,
        containers: &mut Vec<Lit>,
    ) -> Result<(), Error> {
        match self.index.documents.value(value) {
            Value::Null => scalars.null = true,
            Value::Bool(true) => scalars.yes = true,
            Value::Bool(false) => scalars.no = true,
            Value::Number(_) => scalars.numbers.push(self.index.number(value)?),
            Value::String(text) => {
                scalars.strings.push(Arc::from(self.index.documents.text(text)));
            }
            Value::Array(..) | Value::Object(..) => containers.push(self.constant(value)?),
        }
        Ok(())
    }

    /// The literal of exactly one value.
    fn constant(&mut self, value: ValueId) -> Result<Lit, Error> {
        let node = match self.index.documents.value(value) {
            Value::Array(start, end) => {
                let prefix: Vec<Lit> = (start..end)
                    .map(|at| {
                        let item = self.index.documents.items(at, at + 1)[0];
                        self.constant(item)
                    })
                    .collect::<Result<_, Error>>()?;
                let length = prefix.len() as u64;
                let array =
                    ArrayAtoms { prefix, min: length, max: Some(length), ..ArrayAtoms::default() };
                Node { types: ARRAY, array: Some(Box::new(array)), ..Node::default() }
            }
            Value::Object(..) => {
                let members = self.members(value);
                let properties: Vec<(KeyId, Lit)> = members
                    .into_iter()
                    .map(|(key, value)| Ok((self.key(key), self.constant(value)?)))
                    .collect::<Result<_, Error>>()?;
                let object = ObjectAtoms {
                    required: properties.iter().map(|(key, _)| *key).collect(),
                    max: Some(properties.len() as u64),
                    properties,
                    ..ObjectAtoms::default()
                };
                Node { types: OBJECT, object: Some(Box::new(object)), ..Node::default() }
            }
            _ => {
                let mut scalars = Scalars::default();
                self.collect(value, &mut scalars, &mut Vec::new())?;
                Node::of_scalars(scalars, self.index.integers_by_text())
            }
        };
        Ok(if node.types == 0 { Lit::FALSE } else { self.nodes.intern(node) })
    }
}

fn sorted(mut scalars: Scalars) -> Scalars {
    scalars.numbers.sort();
    scalars.numbers.dedup();
    scalars.strings.sort();
    scalars.strings.dedup();
    scalars
}
