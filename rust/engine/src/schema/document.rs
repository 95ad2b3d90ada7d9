//! Schemas as trees: a reader of JSON whose numbers stay exact, and whose depth is bounded.
//!
//! All documents of a compilation share one arena, so that a value is named by one number wherever it stands. A value's
//! number is smaller than those of its parts, and larger than those of everything before it in the text.

use std::ops::Range;

use hashbrown::HashSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::error::Error;
use crate::limits::Limits;

/// A value of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ValueId(pub(crate) u32);

/// A text within the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written.
    Number(Span),
    /// A string, its escapes resolved.
    String(Span),
    /// The items are this part of the arena's items.
    Array(u32, u32),
    /// The members are this part of the arena's members.
    Object(u32, u32),
}

/// Members of objects that have no more are looked through.
const MANY: usize = 16;

/// The arena.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    text: String,
    values: Vec<Value>,
    items: Vec<ValueId>,
    members: Vec<(Span, ValueId)>,
    /// The members of objects that have many, in the order of their names.
    orders: FxHashMap<ValueId, Box<[u32]>>,
    /// The roots, in ascending order.
    roots: Vec<ValueId>,
}

impl Documents {
    /// Reads a further document.
    pub(crate) fn read(&mut self, text: &str, limits: &Limits) -> Result<ValueId, Error> {
        limits.check_source_length(text)?;
        if self.text.len() + text.len() > u32::MAX as usize / 2 {
            return Err(invalid(text, 0, "the schemas are too large"));
        }
        let start = self.text.len();
        self.text.push_str(text);
        let root = ValueId(self.values.len() as u32);
        let mut reader = Reader {
            arena: self,
            source: text,
            base: start,
            at: 0,
            deepest: limits.source_nesting,
            depth: limits.source_nesting,
            items: Vec::new(),
            members: Vec::new(),
        };
        reader.document()?;
        self.roots.push(root);
        Ok(root)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value.
    pub(crate) fn value(&self, id: ValueId) -> Value {
        self.values[id.0 as usize]
    }

    /// A text of the arena.
    pub(crate) fn text(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The items of an array.
    pub(crate) fn items(&self, start: u32, end: u32) -> &[ValueId] {
        &self.items[start as usize..end as usize]
    }

    /// The members of an object.
    pub(crate) fn members(&self, start: u32, end: u32) -> &[(Span, ValueId)] {
        &self.members[start as usize..end as usize]
    }

    /// The items of a value that is an array, else none.
    pub(crate) fn items_of(&self, id: ValueId) -> &[ValueId] {
        match self.value(id) {
            Value::Array(start, end) => self.items(start, end),
            _ => &[],
        }
    }

    /// The members of a value that is an object, else none.
    pub(crate) fn members_of(&self, id: ValueId) -> &[(Span, ValueId)] {
        match self.value(id) {
            Value::Object(start, end) => self.members(start, end),
            _ => &[],
        }
    }

    /// The member of that name.
    pub(crate) fn member(&self, id: ValueId, name: &str) -> Option<ValueId> {
        if let Some(order) = self.orders.get(&id) {
            let members = self.members_of(id);
            let key = |at: u32| self.text(members[at as usize].0);
            let &first = order.get(order.partition_point(|&at| key(at) < name))?;
            return (key(first) == name).then(|| members[first as usize].1);
        }
        self.members_of(id).iter().find(|(key, _)| self.text(*key) == name).map(|(_, value)| *value)
    }

    /// Makes members quick to find where they are many.
    fn order(&mut self, id: ValueId) {
        let members = self.members_of(id);
        if members.len() > MANY {
            let mut order: Box<[u32]> = (0..members.len() as u32).collect();
            order.sort_by_key(|&at| self.text(members[at as usize].0));
            self.orders.insert(id, order);
        }
    }

    /// The text of a value that is a string.
    pub(crate) fn string(&self, id: ValueId) -> Option<&str> {
        match self.value(id) {
            Value::String(span) => Some(self.text(span)),
            _ => None,
        }
    }

    /// The root of the document that holds the value.
    pub(crate) fn root_of(&self, id: ValueId) -> ValueId {
        let after = self.roots.partition_point(|root| *root <= id);
        self.roots.get(after.wrapping_sub(1)).copied().unwrap_or(ValueId(0))
    }

    /// A JSON Pointer to the value, from its document's root.
    pub(crate) fn pointer(&self, id: ValueId) -> String {
        let mut pointer = String::new();
        for (_, step) in self.way(id) {
            pointer.push('/');
            pointer.push_str(&escape(&step));
        }
        pointer
    }

    /// The arrays and objects around a value, from its document's root on, each with the step that leads on.
    pub(crate) fn way(&self, id: ValueId) -> Vec<(ValueId, String)> {
        let mut way = Vec::new();
        let mut here = self.root_of(id);
        while here != id {
            let next = match self.value(here) {
                Value::Array(start, end) => {
                    let items = self.items(start, end);
                    let at = items.partition_point(|item| *item <= id);
                    at.checked_sub(1).map(|at| (at.to_string(), items[at]))
                }
                Value::Object(start, end) => {
                    let members = self.members(start, end);
                    let at = members.partition_point(|(_, value)| *value <= id);
                    at.checked_sub(1).map(|at| (self.text(members[at].0).to_owned(), members[at].1))
                }
                _ => None,
            };
            let Some((step, value)) = next else { break };
            way.push((here, step));
            here = value;
        }
        way
    }
}

/// A step of a JSON Pointer.
pub(crate) fn escape(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

fn invalid(source: &str, at: usize, what: &str) -> Error {
    let place = crate::error::Place::at(source, at);
    Error::InvalidSchema {
        pointer: String::new(),
        message: format!("not JSON: {what} at line {}, column {}", place.line, place.column),
    }
}

/// Of a schema that is nested beyond the limit.
fn too_deep(limit: u64) -> Error {
    let (what, name) = ("nesting of the schema", "source_nesting");
    Error::TooComplex { what, name, limit, given: limit + 1 }
}

struct Reader<'a> {
    arena: &'a mut Documents,
    source: &'a str,
    /// Where the source begins in the arena's text.
    base: usize,
    at: usize,
    /// How deep values may nest, and how much deeper.
    deepest: usize,
    depth: usize,
    /// Parts of containers that are still open.
    items: Vec<ValueId>,
    members: Vec<(Span, ValueId)>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Error> {
        self.blanks();
        self.value()?;
        self.blanks();
        if self.at < self.source.len() {
            Err(self.error("more text after the value"))
        } else {
            Ok(())
        }
    }

    fn error(&self, what: &str) -> Error {
        invalid(self.source, self.at, what)
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<ValueId, Error> {
        let id = ValueId(self.arena.values.len() as u32);
        self.arena.values.push(Value::Null);
        let value = match self.peek() {
            Some(b'{') => self.container(b'}', Self::object)?,
            Some(b'[') => self.container(b']', Self::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(_) => self.word()?,
            None => return Err(self.error("the text ends where a value is missing")),
        };
        self.arena.values[id.0 as usize] = value;
        self.arena.order(id);
        Ok(id)
    }

    fn word(&mut self) -> Result<Value, Error> {
        let words =
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)];
        for (word, value) in words {
            if self.source[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.error("no value begins like this"))
    }

    fn container(
        &mut self,
        end: u8,
        parts: fn(&mut Self, u8) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(too_deep(self.deepest as u64));
        };
        self.depth = depth;
        self.at += 1;
        self.blanks();
        let value = parts(self, end)?;
        self.depth += 1;
        Ok(value)
    }

    /// After a part: whether another one follows.
    fn another(&mut self, end: u8) -> Result<bool, Error> {
        self.blanks();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.blanks();
                Ok(true)
            }
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.error("a comma or the end of the container is missing")),
        }
    }

    fn array(&mut self, end: u8) -> Result<Value, Error> {
        let mark = self.items.len();
        let mut more = self.peek() != Some(end);
        if !more {
            self.at += 1;
        }
        while more {
            let item = self.value()?;
            self.items.push(item);
            more = self.another(end)?;
        }
        let start = self.arena.items.len() as u32;
        self.arena.items.extend(self.items.drain(mark..));
        Ok(Value::Array(start, self.arena.items.len() as u32))
    }

    fn object(&mut self, end: u8) -> Result<Value, Error> {
        let mark = self.members.len();
        let mut more = self.peek() != Some(end);
        if !more {
            self.at += 1;
        }
        while more {
            if self.peek() != Some(b'"') {
                return Err(self.error("a key is missing"));
            }
            let key = self.string()?;
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.error("a colon is missing"));
            }
            self.at += 1;
            self.blanks();
            let value = self.value()?;
            self.members.push((key, value));
            more = self.another(end)?;
        }
        self.check_keys(mark)?;
        let start = self.arena.members.len() as u32;
        self.arena.members.extend(self.members.drain(mark..));
        Ok(Value::Object(start, self.arena.members.len() as u32))
    }

    /// Refuses a key that stands twice: readers differ on which of both counts.
    fn check_keys(&self, mark: usize) -> Result<(), Error> {
        let members = &self.members[mark..];
        let text = |at: usize| self.arena.text(members[at].0);
        let twice = if members.len() <= 12 {
            (1..members.len()).find(|&at| (0..at).any(|before| text(before) == text(at)))
        } else {
            let mut seen = HashSet::with_capacity_and_hasher(members.len(), FxBuildHasher);
            (0..members.len()).find(|&at| !seen.insert(text(at)))
        };
        match twice {
            Some(at) => {
                Err(self
                    .error(&format!("the key {:?} stands twice in the object that ends", text(at))))
            }
            None => Ok(()),
        }
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span { start: (self.base + range.start) as u32, end: (self.base + range.end) as u32 }
    }

    fn number(&mut self) -> Result<Span, Error> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let start = reader.at;
            while reader.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                reader.at += 1;
            }
            if reader.at == start { Err(reader.error("a digit is missing")) } else { Ok(()) }
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            digits(self)?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            digits(self)?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            digits(self)?;
        }
        Ok(self.span(start..self.at))
    }

    fn string(&mut self) -> Result<Span, Error> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.span(start..self.at - 1));
                }
                Some(b'\\') => return self.escaped(start),
                Some(0..=0x1F) => return Err(self.error("a control character in a string")),
                Some(_) => self.at += 1,
                None => return Err(self.error("a string without an end")),
            }
        }
    }

    /// The rest of a string whose first escape is here.
    fn escaped(&mut self, start: usize) -> Result<Span, Error> {
        let mut text = self.source[start..self.at].to_owned();
        loop {
            let plain = self.at;
            while !matches!(self.peek(), Some(b'"' | b'\\' | 0..=0x1F) | None) {
                self.at += 1;
            }
            text.push_str(&self.source[plain..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    let character = self.escape()?;
                    text.push(character);
                }
                Some(_) => return Err(self.error("a control character in a string")),
                None => return Err(self.error("a string without an end")),
            }
        }
        self.at += 1;
        let start = self.arena.text.len() as u32;
        self.arena.text.push_str(&text);
        Ok(Span { start, end: self.arena.text.len() as u32 })
    }

    fn escape(&mut self) -> Result<char, Error> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.code_unit()?;
                let code = match unit {
                    0xD800..=0xDBFF if self.source[self.at..].starts_with("\\u") => {
                        self.at += 2;
                        let low = self.code_unit()?;
                        match low {
                            0xDC00..=0xDFFF => 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00),
                            _ => unit,
                        }
                    }
                    _ => unit,
                };
                match char::from_u32(code) {
                    Some(character) => character,
                    None => {
                        return Err(self.error("half of a surrogate pair, which no text can hold"));
                    }
                }
            }
            _ => {
                self.at -= 1;
                return Err(self.error("an unknown escape"));
            }
        })
    }

    fn code_unit(&mut self) -> Result<u32, Error> {
        let digits = self.source.get(self.at..self.at + 4);
        let unit = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match unit {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => Err(self.error("four hexadecimal digits are missing")),
        }
    }
}
