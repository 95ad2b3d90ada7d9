//! Where schemas stand, by which draft they are read, and where references lead.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::document::{Documents, Span, Value, ValueId, escape};
use super::options::Draft;
use super::remark::{Reason, Remark};
use super::uri;
use crate::error::Error;
use crate::json::Decimal;
use crate::limits::Limits;

const NOWHERE: u32 = u32::MAX;

/// A schema with a URI of its own: a whole document, or what an `$id` begins.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) root: ValueId,
    draft: Draft,
    /// Whether the keywords of the validation vocabulary have an effect.
    validates: bool,
    anchors: Vec<(Arc<str>, ValueId)>,
    /// Anchors that `$dynamicRef` looks for; the one without a name is that of `$recursiveRef`.
    pub(crate) dynamic: Vec<(Arc<str>, ValueId)>,
}

/// What a reference leads to.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) schema: ValueId,
    /// The name of the dynamic anchor, if that is how it was found.
    pub(crate) dynamic: Option<Arc<str>>,
}

/// All documents, and what is known of their schemas.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) documents: Documents,
    pub(crate) resources: Vec<Resource>,
    pub(crate) remarks: Vec<Remark>,
    /// The resource of each value that is a schema.
    places: Vec<u32>,
    by_uri: HashMap<String, u32, FxBuildHasher>,
    /// Documents that no reference asked for yet.
    registry: BTreeMap<String, Arc<str>>,
    default_draft: Draft,
    limits: Limits,
}

impl Index {
    pub(crate) fn new(
        text: &str,
        draft: Option<Draft>,
        registry: &BTreeMap<String, Arc<str>>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let mut index = Self {
            documents: Documents::default(),
            resources: Vec::new(),
            remarks: Vec::new(),
            places: Vec::new(),
            by_uri: HashMap::default(),
            registry: registry.clone(),
            default_draft: draft.unwrap_or(Draft::Draft202012),
            limits: limits.clone(),
        };
        index.load(text, String::new())?;
        Ok(index)
    }

    /// Reads and checks a document.
    fn load(&mut self, text: &str, uri: String) -> Result<(), Error> {
        let root = self.documents.read(text, &self.limits)?;
        self.places.resize(self.documents.len(), NOWHERE);
        let (draft, validates) = self.draft_named_by(root)?.unwrap_or((self.default_draft, true));
        let resource = self.add(uri, root, draft, validates);
        self.walk(root, resource)
    }

    fn add(&mut self, uri: String, root: ValueId, draft: Draft, validates: bool) -> u32 {
        let resource = self.resources.len() as u32;
        self.by_uri.entry(uri.clone()).or_insert(resource);
        self.resources.push(Resource {
            uri,
            root,
            draft,
            validates,
            anchors: Vec::new(),
            dynamic: Vec::new(),
        });
        resource
    }

    /// What `$schema` says: the draft, and whether its validation vocabulary is in use.
    fn draft_named_by(&mut self, root: ValueId) -> Result<Option<(Draft, bool)>, Error> {
        let named = self.documents.members_of(root).iter();
        let mut named = named.filter(|(key, _)| self.documents.text(*key) == "$schema");
        let Some(&(key, value)) = named.next() else { return Ok(None) };
        let Some(name) = self.documents.string(value) else { return Ok(None) };
        let (name, _) = uri::split(name);
        if let Some(draft) = known_draft(name) {
            return Ok(Some((draft, true)));
        }
        let name = name.to_owned();
        if is_old_draft(&name) {
            return Err(Error::UnsupportedSchema {
                pointer: self.documents.pointer(root),
                keyword: "$schema".to_owned(),
                message: format!("drafts before 4 are not read: {name:?}"),
            });
        }
        let Some(text) = self.registry.get(&name).cloned() else {
            self.remark(root, key, Reason::UnknownDraft);
            return Ok(None);
        };
        // Only two members matter, and a metaschema may name itself: it is not loaded as a schema here.
        let mut metaschema = Documents::default();
        let meta = metaschema.read(&text, &self.limits)?;
        let draft = metaschema.member(meta, "$schema").and_then(|value| metaschema.string(value));
        let draft = draft.and_then(|name| known_draft(uri::split(name).0));
        let validates = match metaschema.member(meta, "$vocabulary") {
            Some(list) => metaschema
                .members_of(list)
                .iter()
                .any(|(name, _)| metaschema.text(*name).ends_with("/vocab/validation")),
            None => true,
        };
        Ok(Some((draft.unwrap_or(self.default_draft), validates)))
    }

    /// Notes where a schema object stands: in the resource, or in one that its `$id` begins.
    pub(crate) fn enter(&mut self, id: ValueId, resource: u32) -> Result<u32, Error> {
        let draft = self.draft(resource);
        let id_word = if draft == Draft::Draft4 { "id" } else { "$id" };
        let (mut identity, mut reference) = (None, false);
        let mut anchors: [Option<ValueId>; 3] = [None; 3];
        for (key, value) in self.documents.members_of(id) {
            match self.documents.text(*key) {
                "$ref" => reference = true,
                "$anchor" if draft >= Draft::Draft201909 => anchors[0] = Some(*value),
                "$dynamicAnchor" if draft >= Draft::Draft202012 => anchors[1] = Some(*value),
                "$recursiveAnchor" if draft == Draft::Draft201909 => anchors[2] = Some(*value),
                word if word == id_word => identity = self.documents.string(*value),
                _ => {}
            }
        }
        let mut here = resource;
        if let Some(identity) = identity
            && !(reference && draft <= Draft::Draft7)
        {
            let (base, fragment) = uri::split(identity);
            if draft >= Draft::Draft201909 && !fragment.is_empty() {
                return Err(self.invalid(id, "$id must not have a fragment"));
            }
            let name: Option<Arc<str>> = (!fragment.is_empty()).then(|| Arc::from(fragment));
            if !base.is_empty() {
                let uri = uri::resolve(&self.resources[here as usize].uri, base);
                let root = self.documents.root_of(id) == id;
                if root {
                    // The document keeps the name by which it was found.
                    self.by_uri.entry(uri.clone()).or_insert(here);
                    self.resources[here as usize].uri = uri;
                } else {
                    let inherited = (draft, self.resources[here as usize].validates);
                    let (draft, validates) = self.draft_named_by(id)?.unwrap_or(inherited);
                    here = self.add(uri, id, draft, validates);
                }
            }
            if let Some(name) = name {
                self.resources[here as usize].anchors.push((name, id));
            }
        }
        self.set_place(id, here);
        let names = anchors.map(|value| Some(Arc::from(self.documents.string(value?)?)));
        let [name, dynamic, _] = names;
        let recursive = anchors[2]
            .is_some_and(|value| matches!(self.documents.value(value), Value::Bool(true)));
        let resource = &mut self.resources[here as usize];
        resource.anchors.extend(name.map(|name: Arc<str>| (name, id)));
        if let Some(name) = dynamic {
            resource.anchors.push((Arc::clone(&name), id));
            resource.dynamic.push((name, id));
        }
        if recursive && resource.root == id {
            resource.dynamic.push((Arc::from(""), id));
        }
        Ok(here)
    }

    pub(crate) fn set_place(&mut self, id: ValueId, resource: u32) {
        self.places[id.0 as usize] = resource;
    }

    /// The resource that a schema belongs to.
    pub(crate) fn resource_of(&self, id: ValueId) -> u32 {
        self.places[id.0 as usize]
    }

    pub(crate) fn draft(&self, resource: u32) -> Draft {
        self.resources[resource as usize].draft
    }

    /// Whether integers are told by how they are written, as draft 4 has it: there `1.0` is none.
    pub(crate) fn integers_by_text(&self) -> bool {
        self.draft(0) == Draft::Draft4
    }

    pub(crate) fn validates(&self, resource: u32) -> bool {
        self.resources[resource as usize].validates
    }

    pub(crate) fn has_dynamic_anchors(&self) -> bool {
        self.resources.iter().any(|resource| !resource.dynamic.is_empty())
    }

    /// Where a reference leads, that stands in the schema `from`.
    pub(crate) fn follow(
        &mut self,
        from: ValueId,
        keyword: &str,
        reference: &str,
    ) -> Result<Target, Error> {
        let dangling = |index: &Self| Error::InvalidSchema {
            pointer: index.pointer_to(from, keyword),
            message: format!("{keyword} leads nowhere: {reference:?}"),
        };
        let here = self.resource_of(from);
        let (base, fragment) = uri::split(reference);
        let resource = if base.is_empty() {
            here
        } else {
            let uri = uri::resolve(&self.resources[here as usize].uri, base);
            match self.find(&uri)? {
                Some(resource) => resource,
                None => {
                    return Err(Error::UnsupportedSchema {
                        pointer: self.documents.pointer(from),
                        keyword: keyword.to_owned(),
                        message: format!("{uri:?} is not in the registry, and nothing is fetched"),
                    });
                }
            }
        };
        let fragment = uri::unescape(fragment).ok_or_else(|| dangling(self))?;
        if fragment.is_empty() || fragment.starts_with('/') {
            let schema = self.by_pointer(resource, &fragment)?.ok_or_else(|| dangling(self))?;
            return Ok(Target { schema, dynamic: None });
        }
        let found = &self.resources[resource as usize];
        let of = |list: &[(Arc<str>, ValueId)]| {
            list.iter().find(|(name, _)| **name == *fragment).cloned()
        };
        let dynamic = of(&found.dynamic);
        let (_, schema) =
            dynamic.clone().or_else(|| of(&found.anchors)).ok_or_else(|| dangling(self))?;
        Ok(Target { schema, dynamic: dynamic.map(|(name, _)| name) })
    }

    /// The resource of that URI, from the registry if need be.
    fn find(&mut self, uri: &str) -> Result<Option<u32>, Error> {
        if let Some(&resource) = self.by_uri.get(uri) {
            return Ok(Some(resource));
        }
        let hashed = format!("{uri}#");
        for name in [uri, &hashed] {
            if let Some(text) = self.registry.remove(name) {
                self.load(&text, uri.to_owned())?;
                return Ok(self.by_uri.get(uri).copied());
            }
        }
        // Any document may define the URI by an `$id`, and then it holds the end of it. Those that turn out to be no
        // schemas are none of this schema's business.
        let end = uri.rsplit('/').next().unwrap_or(uri);
        let names: Vec<String> = self
            .registry
            .iter()
            .filter(|(_, text)| text.contains(end))
            .map(|(name, _)| name.clone())
            .collect();
        for name in names {
            if let Some(text) = self.registry.remove(&name) {
                let _ = self.load(&text, uri::split(&name).0.to_owned());
            }
            if let Some(&resource) = self.by_uri.get(uri) {
                return Ok(Some(resource));
            }
        }
        Ok(None)
    }

    /// The schema at a pointer from the root of a resource.
    fn by_pointer(&mut self, resource: u32, pointer: &str) -> Result<Option<ValueId>, Error> {
        let mut here = self.resources[resource as usize].root;
        let mut within = resource;
        for step in pointer.split('/').skip(1) {
            if self.places[here.0 as usize] != NOWHERE {
                within = self.places[here.0 as usize];
            }
            let next = match self.documents.value(here) {
                Value::Object(..) if !step.contains('~') => self.documents.member(here, step),
                Value::Object(..) => {
                    self.documents.member(here, &step.replace("~1", "/").replace("~0", "~"))
                }
                Value::Array(start, end) => step
                    .parse::<usize>()
                    .ok()
                    .and_then(|at| self.documents.items(start, end).get(at).copied()),
                _ => None,
            };
            let Some(next) = next else { return Ok(None) };
            here = next;
        }
        // A place that no keyword makes a schema, such as one below an unknown keyword.
        if self.places[here.0 as usize] == NOWHERE {
            self.walk(here, within)?;
        }
        Ok(Some(here))
    }

    /// A value that counts something, huge ones cut down.
    pub(crate) fn count(&self, id: ValueId) -> Option<u64> {
        let Value::Number(span) = self.documents.value(id) else { return None };
        let text = self.documents.text(span);
        if let Ok(count) = text.parse() {
            return Some(count);
        }
        let number = Decimal::parse(text).ok()?;
        if !number.is_integer() || number.is_negative() {
            return None;
        }
        Some(number.to_string().parse().unwrap_or(u64::MAX))
    }

    /// A value that is a number.
    pub(crate) fn number(&self, id: ValueId) -> Result<Decimal, Error> {
        let text = match self.documents.value(id) {
            Value::Number(span) => self.documents.text(span),
            _ => return Err(self.invalid(id, "a number is missing")),
        };
        Decimal::parse(text).map_err(|error| {
            let way = self.documents.way(id);
            let is_schema = |of: &ValueId| self.places[of.0 as usize] != NOWHERE;
            let holder = way.iter().rfind(|(of, _)| is_schema(of)).or(way.first()).cloned();
            let (schema, keyword) = holder.unwrap_or((id, String::new()));
            let (pointer, message) = (self.documents.pointer(schema), error.to_string());
            Error::UnsupportedSchema { pointer, keyword, message }
        })
    }

    pub(crate) fn remark(&mut self, at: ValueId, keyword: Span, reason: Reason) {
        self.remarks.push(Remark { at, keyword, reason });
    }

    /// A pointer to the value of a keyword.
    pub(crate) fn pointer_to(&self, schema: ValueId, keyword: &str) -> String {
        format!("{}/{}", self.documents.pointer(schema), escape(keyword))
    }

    pub(crate) fn invalid(&self, at: ValueId, message: &str) -> Error {
        Error::InvalidSchema { pointer: self.documents.pointer(at), message: message.to_owned() }
    }
}

fn known_draft(uri: &str) -> Option<Draft> {
    let rest = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?;
    let path = rest.strip_prefix("json-schema.org/")?;
    Some(match path.trim_end_matches('/') {
        "draft-04/schema" => Draft::Draft4,
        "draft-06/schema" => Draft::Draft6,
        "draft-07/schema" => Draft::Draft7,
        "draft/2019-09/schema" => Draft::Draft201909,
        "draft/2020-12/schema" => Draft::Draft202012,
        _ => return None,
    })
}

fn is_old_draft(uri: &str) -> bool {
    uri.split_once("json-schema.org/draft-0")
        .is_some_and(|(_, rest)| rest.starts_with(['0', '1', '2', '3']))
}
