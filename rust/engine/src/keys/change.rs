//! What a byte does to a tracker's state.

use super::escape::{Escape, Read};
use super::values::{Built, Container};
use super::{Keys, KeysId, Open, OpenId, Place, State, Step, TextId, is_bare};

impl Keys<'_> {
    pub(super) fn change(&self, state: State, byte: u8, distinct: bool) -> Step {
        let State { open, place } = state;
        let next = match place {
            Place::Value { escaped: true } => {
                State { open, place: Place::Value { escaped: false } }
            }
            Place::Value { .. } if byte == b'"' => self.outside(open, false),
            Place::Value { .. } => State { open, place: Place::Value { escaped: byte == b'\\' } },
            Place::Outside { key, .. } => return self.leave(open, key, byte, distinct),
            Place::Text { key, text, left, also, escape } => {
                let used = &self.table.used;
                let behind = |bytes: &[u8]| (used.behind(left, bytes), used.behind(also, bytes));
                match escape.read(byte) {
                    Read::On(escape, decoded) => {
                        let (left, also) = behind(decoded.as_slice());
                        let text = self.longer(text, decoded.as_slice());
                        State { open, place: Place::Text { key, text, left, also, escape } }
                    }
                    Read::End(decoded) => {
                        let text = self.longer(text, decoded.as_slice());
                        if !key {
                            return self.end_value(open, text);
                        }
                        if used.ends(behind(decoded.as_slice()).0) {
                            return Step::Repeated;
                        }
                        self.outside(self.with_key(open, text), false)
                    }
                }
            }
            Place::Bare { text, .. } if is_bare(byte) => {
                self.bare(open, self.longer_bare(text, byte))
            }
            Place::Bare { text, .. } => {
                let value = self.intern(&self.bare_value(text));
                let (open, _) = self.with_value(open, value);
                let place = Place::Outside { key: false, noted: self.top(open).noted() };
                return self.change(State { open, place }, byte, distinct);
            }
        };
        Step::On(self.intern_state(next))
    }

    /// What a byte does outside of strings, numbers and words.
    fn leave(&self, open: OpenId, key: bool, byte: u8, distinct: bool) -> Step {
        let top = self.top(open);
        let next = match byte {
            b'"' if key => {
                let left = top.keys.unwrap_or(0);
                let also = top.built.map_or(0, |built| self.expected_keys(&built));
                let escape = Escape::None;
                State { open, place: Place::Text { key, text: 0, left, also, escape } }
            }
            b'"' if top.noted() => {
                let text = self.intern(&[Self::STRING]);
                let left = self.table.used.behind(self.against(&top), &[Self::STRING]);
                let escape = Escape::None;
                State { open, place: Place::Text { key, text, left, also: 0, escape } }
            }
            b'"' => State { open, place: Place::Value { escaped: false } },
            b'{' | b'[' => {
                let empty = if byte == b'{' { Container::OBJECT } else { Container::ARRAY };
                let built = top.noted().then(|| self.begin(empty, self.against(&top)));
                let keys = (byte == b'{').then_some(0);
                let items = (byte == b'[' && distinct).then_some(0);
                let inner = Open { keys, below: open, any: top.any, items, built };
                self.outside(self.intern_open(inner), keys.is_some())
            }
            b'}' | b']' => match top.built {
                Some(built) => return self.end_value(top.below, self.container(built.so_far)),
                None => self.outside(top.below, false),
            },
            b',' => self.outside(open, top.keys.is_some()),
            _ if top.noted() && is_bare(byte) => self.bare(open, self.longer_bare(0, byte)),
            _ => self.outside(open, key),
        };
        Step::On(self.intern_state(next))
    }

    fn outside(&self, open: OpenId, key: bool) -> State {
        State { open, place: Place::Outside { key, noted: self.top(open).noted() } }
    }

    fn bare(&self, open: OpenId, text: TextId) -> State {
        let top = self.top(open);
        let raw = self.bytes(text);
        let risk = self.may_equal(self.against(&top), &raw);
        let value = self.bare_value(text);
        let equal = top.items.is_some_and(|items| self.contains(items, &value));
        State { open, place: Place::Bare { text, risk, equal } }
    }

    /// The state behind a value in a container.
    fn end_value(&self, open: OpenId, value: TextId) -> Step {
        let (open, equal) = self.with_value(open, value);
        let id = self.intern_state(self.outside(open, false));
        if equal { Step::Equal(id) } else { Step::On(id) }
    }

    /// The object with one more key.
    fn with_key(&self, open: OpenId, key: TextId) -> OpenId {
        let top = self.top(open);
        let used = top.keys.unwrap_or(0);
        let keys = Some(self.table.used.with(used, &self.bytes(key), self.meter));
        let built = top.built.map(|built| self.named(built, key));
        self.intern_open(Open { keys, any: true, built, ..top })
    }

    /// The container with one more value, and whether that equals an earlier item.
    fn with_value(&self, open: OpenId, value: TextId) -> (OpenId, bool) {
        let top = self.top(open);
        if !top.noted() {
            return (open, false);
        }
        let bytes = self.bytes(value);
        let equal = top.items.is_some_and(|items| self.contains(items, &bytes));
        let with = |items| self.table.used.with(items, &bytes, self.meter);
        let items = if equal { top.items } else { top.items.map(with) };
        let built: Option<Built> = top.built.map(|built| self.grown(built, value));
        (self.intern_open(Open { items, built, ..top }), equal)
    }

    fn intern_state(&self, state: State) -> KeysId {
        let (id, new) = self.table.states.insert((state, ()));
        if new {
            self.meter.add(size_of::<State>() + 32);
        }
        id
    }

    fn intern_open(&self, open: Open) -> OpenId {
        let (id, new) = self.table.open.insert((open, ()));
        if new {
            self.meter.add(size_of::<Open>() + 32);
        }
        id
    }

    /// The number of a text.
    pub(super) fn intern(&self, bytes: &[u8]) -> TextId {
        self.longer(0, bytes)
    }

    pub(super) fn longer(&self, text: TextId, bytes: &[u8]) -> TextId {
        bytes.iter().fold(text, |text, &byte| {
            let (id, new) = self.table.texts.insert(((text, byte), ()));
            if new {
                self.meter.add(48);
            }
            id
        })
    }

    /// A text without its last byte.
    pub(super) fn shorter(&self, text: TextId) -> TextId {
        self.table.texts.get(text).0.0
    }

    pub(super) fn bytes(&self, mut text: TextId) -> Vec<u8> {
        let mut bytes = Vec::new();
        while text != 0 {
            let (before, byte) = self.table.texts.get(text).0;
            bytes.push(byte);
            text = before;
        }
        bytes.reverse();
        bytes
    }
}
