//! Keys of JSON objects, each at most once: what a grammar without counters of its own cannot say.
//!
//! A tracker beside the position follows the JSON structure of the bytes. It refuses a byte that closes a key which
//! the object had before, and takes tokens that would do so from masks. Keys are compared by the text that they stand
//! for, however it is spelled. The grammar has to see to everything else: that the bytes are JSON, and that some key
//! is left wherever one is due.
//!
//! The tracker's states are immutable and numbered, so that forks and history hold numbers, as they do for positions.
//!
//! | file | |
//! |---|---|
//! | `escape` | the bytes that a string stands for |
//! | `used` | sets of keys |
//! | `clear` | tokens that a mask must not hold |

mod clear;
mod escape;
mod used;

use crate::error::Error;
use crate::limits::check;
use crate::terminal::table::{Arena, ByteSet, Memo, Meter, Table};
use escape::{Escape, Read};
use used::{Used, UsedId};

/// The number of a tracker's state.
pub(crate) type KeysId = u32;

/// The number of an open container; 0 is none.
type OpenId = u32;

/// The number of the bytes of a key so far; 0 is none.
type TextId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    open: OpenId,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// Outside of strings; whether the next one is a key.
    Outside { key: bool },
    /// In a string that is no key.
    Value { escaped: bool },
    /// In a key: its text so far, what is left of the object's other keys behind it, and its last escape.
    Key { text: TextId, left: UsedId, escape: Escape },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Open {
    /// The keys of an object; an array has none.
    keys: Option<UsedId>,
    below: OpenId,
    /// Whether there is a key here or below.
    any: bool,
}

/// What of an object's keys the text can still repeat where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Left(UsedId, Escape);

/// What the trackers of one generation have made.
pub(crate) struct KeyTable {
    states: Table<(State, ())>,
    open: Table<(Open, ())>,
    texts: Table<((TextId, u8), ())>,
    used: Used,
    /// For what is left of keys, the runs of tokens that complete one of them.
    closing: Memo<(UsedId, Escape), u32>,
    runs: Arena<Box<[(u32, u32)]>>,
}

/// The tracker: its tables, and what they are charged to.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    pub(crate) table: &'a KeyTable,
    pub(crate) meter: &'a Meter,
    pub(crate) state_bytes: usize,
}

impl KeyTable {
    pub(crate) fn new() -> Self {
        let table = Self {
            states: Table::new(),
            open: Table::new(),
            texts: Table::new(),
            used: Used::new(),
            closing: Memo::new(),
            runs: Arena::new(),
        };
        // Number 0 of each: the start of a text, no container, no byte.
        table.states.insert((State { open: 0, place: Place::Outside { key: false } }, ()));
        table.open.insert((Open { keys: None, below: 0, any: false }, ()));
        // No byte may lead to the empty text: not even U+0000 behind it.
        table.texts.insert(((TextId::MAX, 0), ()));
        table
    }
}

impl Keys<'_> {
    /// The start of a text.
    pub(crate) const START: KeysId = 0;

    /// Fails if the tables are full.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let limit = self.state_bytes as u64;
        check("bytes of states", "state_bytes", limit, self.meter.bytes() as u64)
    }

    /// The state after one more byte; `None` if it closes a key that the object had before.
    #[inline]
    pub(crate) fn step(&self, keys: KeysId, byte: u8) -> Result<Option<KeysId>, Error> {
        let state = self.table.states.get(keys).0;
        if stays(state.place, byte) {
            return Ok(Some(keys));
        }
        self.check()?;
        Ok(self.change(state, byte))
    }

    /// The state after these bytes; `None` if they repeat a key.
    pub(crate) fn follow(&self, keys: KeysId, bytes: &[u8]) -> Result<Option<KeysId>, Error> {
        let mut at = keys;
        for &byte in bytes {
            match self.step(at, byte)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// The bytes that may bring the text nearer to a key that the object had, or to another place.
    pub(crate) fn tells_apart(&self, keys: KeysId) -> ByteSet {
        let mut apart = ByteSet::default();
        match self.table.states.get(keys).0.place {
            Place::Key { left: 0, escape: Escape::None, .. } => {}
            Place::Key { left, escape: Escape::None, .. } => {
                self.table.used.nexts(left).for_each(|byte| apart.add_range(byte, byte));
            }
            Place::Key { .. } => apart = ByteSet::ALL,
            Place::Outside { .. } | Place::Value { .. } => {}
        }
        for byte in *b"\"\\,{}[]" {
            apart.add_range(byte, byte);
        }
        apart
    }

    /// What of the object's keys the text can still repeat: in a key, or where one comes next. `None` elsewhere, and
    /// if the key is a new one however it ends.
    pub(crate) fn left(&self, keys: KeysId) -> Option<Left> {
        let State { open, place } = self.table.states.get(keys).0;
        let left = match place {
            Place::Key { left, escape, .. } => Left(left, escape),
            Place::Outside { key: true } => {
                Left(self.table.open.get(open).0.keys.unwrap_or(0), Escape::None)
            }
            Place::Outside { key: false } | Place::Value { .. } => return None,
        };
        (left.0 != 0).then_some(left)
    }

    fn change(&self, state: State, byte: u8) -> Option<KeysId> {
        let State { open, place } = state;
        let top = self.table.open.get(open).0;
        let next =
            match place {
                Place::Value { escaped: true } => {
                    State { open, place: Place::Value { escaped: false } }
                }
                Place::Value { escaped: false } => State {
                    open,
                    place: if byte == b'"' {
                        Place::Outside { key: false }
                    } else {
                        Place::Value { escaped: byte == b'\\' }
                    },
                },
                Place::Outside { key } => match byte {
                    b'"' => {
                        let left = top.keys.filter(|_| key);
                        let place = left.map_or(Place::Value { escaped: false }, |left| {
                            Place::Key { text: 0, left, escape: Escape::None }
                        });
                        State { open, place }
                    }
                    b'{' | b'[' => {
                        let keys = (byte == b'{').then_some(0);
                        let open = self.open(Open { keys, below: open, any: top.any });
                        State { open, place: Place::Outside { key: keys.is_some() } }
                    }
                    b'}' | b']' => State { open: top.below, place: Place::Outside { key: false } },
                    b',' => State { open, place: Place::Outside { key: top.keys.is_some() } },
                    _ => state,
                },
                Place::Key { text, left, escape } => match escape.read(byte) {
                    Read::On(escape, decoded) => {
                        let left = self.table.used.behind(left, decoded.as_slice());
                        let text = self.longer(text, decoded.as_slice());
                        State { open, place: Place::Key { text, left, escape } }
                    }
                    Read::End(decoded) => {
                        let left = self.table.used.behind(left, decoded.as_slice());
                        if self.table.used.ends(left) {
                            return None;
                        }
                        let key = self.bytes(self.longer(text, decoded.as_slice()));
                        let used = top.keys.unwrap_or(0);
                        let keys = Some(self.table.used.with(used, &key, self.meter));
                        let open = self.open(Open { keys, any: true, ..top });
                        State { open, place: Place::Outside { key: false } }
                    }
                },
            };
        let (id, new) = self.table.states.insert((next, ()));
        if new {
            self.meter.add(size_of::<State>() + 32);
        }
        Some(id)
    }

    fn open(&self, open: Open) -> OpenId {
        let (id, new) = self.table.open.insert((open, ()));
        if new {
            self.meter.add(size_of::<Open>() + 32);
        }
        id
    }

    fn longer(&self, text: TextId, bytes: &[u8]) -> TextId {
        bytes.iter().fold(text, |text, &byte| {
            let (id, new) = self.table.texts.insert(((text, byte), ()));
            if new {
                self.meter.add(48);
            }
            id
        })
    }

    fn bytes(&self, mut text: TextId) -> Vec<u8> {
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

/// Whether a byte changes nothing, as most do.
#[inline]
fn stays(place: Place, byte: u8) -> bool {
    match place {
        Place::Value { escaped: false } => byte != b'"' && byte != b'\\',
        Place::Outside { .. } => !matches!(byte, b'"' | b',' | b'{' | b'}' | b'[' | b']'),
        _ => false,
    }
}
