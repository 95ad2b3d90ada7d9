//! From what the keywords of one schema say to its node: some mean something together only.

use super::Builder;
use super::parts::{Parts, bounded};
use crate::error::Error;
use crate::json::number::Bound;
use crate::schema::document::ValueId;
use crate::schema::node::{ARRAY, ArrayAtoms, Lit, NULL, Node, OBJECT, ObjectAtoms};

impl Builder {
    /// Puts together what the keywords of one schema say.
    pub(super) fn combine(
        &mut self,
        mut parts: Parts,
        id: ValueId,
        scope: u32,
    ) -> Result<Lit, Error> {
        let node = &mut parts.node;
        if parts.nullable && parts.typed {
            node.types |= NULL;
        }
        for (upper, value) in parts.bounds.into_iter().enumerate() {
            if let Some(value) = value {
                let bound =
                    Bound { value: self.index.number(value)?, exclusive: parts.exclusive[upper] };
                node.number.push(bounded(bound, upper == 1));
            }
        }
        let listed = !parts.array.prefix.is_empty();
        // Before 2020-12, further items have a keyword of their own, without effect unless `items` is a list.
        let rest = if listed { parts.additional_items.or(parts.items) } else { parts.items };
        if let Some(rest) = rest {
            parts.array.items = Some(self.part(rest, scope)?).filter(|lit| *lit != Lit::TRUE);
        }
        if let Some(contains) = parts.contains {
            let lit = self.lit(contains, scope)?;
            let (min, max) = (parts.contains_min.unwrap_or(1), parts.contains_max);
            if min > 0 || max.is_some() {
                parts.array.contains.push((lit, min, max));
            }
        }
        if let [Some(condition), then, otherwise] = parts.condition
            && (then.is_some() || otherwise.is_some())
        {
            let condition = self.lit(condition, scope)?;
            if let Some(then) = then {
                let then = self.lit(then, scope)?;
                parts.node.any.push(vec![condition.not(), then]);
            }
            if let Some(otherwise) = otherwise {
                let otherwise = self.lit(otherwise, scope)?;
                parts.node.any.push(vec![condition, otherwise]);
            }
        }
        if parts.object.additional == Some(Lit::TRUE) {
            parts.object.additional = None;
        }
        if parts.object.names == Some(Lit::TRUE) {
            parts.object.names = None;
        }
        parts.object.late = parts.passes_on && !parts.owns_keys;
        if parts.array != ArrayAtoms::default() {
            parts.node.array = Some(Box::new(parts.array));
        }
        let late = std::mem::take(&mut parts.object.late);
        if parts.object != ObjectAtoms::default() {
            parts.object.late = late;
            parts.node.object = Some(Box::new(parts.object));
        }
        let mut lit = self.nodes.intern(parts.node);
        for (kind, value) in [OBJECT, ARRAY].into_iter().zip(parts.unevaluated) {
            if let Some(value) = value {
                let rest = self.unevaluated(id, lit, value, kind, scope)?;
                lit = self.nodes.intern(Node { all: vec![lit, rest], ..Node::default() });
            }
        }
        Ok(lit)
    }
}
