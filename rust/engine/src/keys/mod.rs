//! Keys of JSON objects, each at most once, and items of arrays, no two of which are equal: what a grammar without
//! counters of its own cannot say.
//!
//! A tracker beside the position follows the JSON structure of the bytes. It refuses a byte that closes a key which
//! the object had before, and takes tokens that would do so from masks. Keys are compared by the text that they stand
//! for, however it is spelled. It tells of an item that equals an earlier one of its array, if the items of that array
//! must differ; whose strands have to go then is not its business. The grammar has to see to everything else: that the
//! bytes are JSON, and that some key or item is left wherever one is due.
//!
//! The tracker's states are immutable and numbered, so that forks and history hold numbers, as they do for positions.
//!
//! | file | |
//! |---|---|
//! | `escape` | the bytes that a string stands for |
//! | `number` | numbers by value |
//! | `used` | sets of keys and of values |
//! | `values` | values of all kinds, and which earlier ones a value can still turn out to equal |
//! | `change` | what a byte does |
//! | `clear` | tokens that a mask must not hold |

mod change;
mod clear;
mod escape;
mod number;
mod used;
mod values;

use crate::error::Error;
use crate::limits::check;
use crate::terminal::table::{Arena, ByteSet, Memo, Meter, Table};
use escape::Escape;
use used::{Used, UsedId};
use values::{Built, Container};

/// The number of a tracker's state.
pub(crate) type KeysId = u32;

/// The number of an open container; 0 is none.
type OpenId = u32;

/// The number of the bytes of a text so far; 0 is none.
type TextId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    open: OpenId,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// Outside of strings: whether the next one is a key, and whether values are noted here.
    Outside { key: bool, noted: bool },
    /// In a string that is neither a key nor noted.
    Value { escaped: bool },
    /// In a key or a noted string: its text so far, and its last escape.
    Text {
        key: bool,
        text: TextId,
        /// What is left behind it of the object's other keys; of a value, of those that it may turn out to equal.
        left: UsedId,
        /// Of a key: what is left of the keys of objects that this one may turn out to equal.
        also: UsedId,
        escape: Escape,
    },
    /// In a noted number or word: its text so far, as far as it matters.
    Bare {
        text: TextId,
        /// Whether it can still turn out to equal an earlier value that matters.
        risk: bool,
        /// Whether it would equal an earlier item if it ended here.
        equal: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Open {
    /// The keys of an object; an array has none.
    keys: Option<UsedId>,
    below: OpenId,
    /// Whether there is a key here or below.
    any: bool,
    /// The items of an array whose items must differ.
    items: Option<UsedId>,
    /// The value so far, if it is part of an item.
    built: Option<Built>,
}

impl Open {
    /// Whether the values in it are noted.
    fn noted(&self) -> bool {
        self.items.is_some() || self.built.is_some()
    }
}

/// What the text can still repeat where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Left {
    /// Keys of the object.
    Keys(UsedId, Escape),
    /// Items.
    Items(KeysId),
}

/// What a byte did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    On(KeysId),
    /// It closed a key that the object had before.
    Repeated,
    /// It ended an item that equals an earlier one.
    Equal(KeysId),
}

/// What the trackers of one generation have made.
pub(crate) struct KeyTable {
    states: Table<(State, ())>,
    /// Where bytes lead, but for most bytes; the flag: the items of an array that begins must differ.
    steps: Memo<(KeysId, u8, bool), Step>,
    open: Table<(Open, ())>,
    texts: Table<((TextId, u8), ())>,
    used: Used,
    containers: Table<(Container, ())>,
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
            steps: Memo::new(),
            open: Table::new(),
            texts: Table::new(),
            used: Used::new(),
            containers: Table::new(),
            closing: Memo::new(),
            runs: Arena::new(),
        };
        // Number 0 of each: the start of a text, no container, no byte.
        let place = Place::Outside { key: false, noted: false };
        table.states.insert((State { open: 0, place }, ()));
        let open = Open { keys: None, below: 0, any: false, items: None, built: None };
        table.open.insert((open, ()));
        // No byte may lead to the empty text: not even U+0000 behind it.
        table.texts.insert(((TextId::MAX, 0), ()));
        for empty in Container::empty() {
            table.containers.insert((empty, ()));
        }
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

    fn state(&self, keys: KeysId) -> State {
        self.table.states.get(keys).0
    }

    fn top(&self, open: OpenId) -> Open {
        self.table.open.get(open).0
    }

    /// The state after one more byte; `distinct`: if it begins an array, the items of that must differ.
    #[inline]
    pub(crate) fn step(&self, keys: KeysId, byte: u8, distinct: bool) -> Result<Step, Error> {
        let state = self.state(keys);
        if stays(state.place, byte) {
            return Ok(Step::On(keys));
        }
        if let Some(known) = self.table.steps.get((keys, byte, distinct)) {
            return Ok(known);
        }
        self.check()?;
        Ok(self.make_step(keys, byte, distinct))
    }

    fn make_step(&self, keys: KeysId, byte: u8, distinct: bool) -> Step {
        let step = self.change(self.state(keys), byte, distinct);
        self.meter.add(48);
        self.table.steps.set((keys, byte, distinct), step)
    }

    /// Whether the byte begins an array.
    #[inline]
    pub(crate) fn opens_array(&self, keys: KeysId, byte: u8) -> bool {
        byte == b'[' && matches!(self.state(keys).place, Place::Outside { .. })
    }

    /// Whether the byte is behind a number or word that equals an earlier item.
    #[inline]
    pub(crate) fn ends_equal(&self, keys: KeysId, byte: u8) -> bool {
        matches!(self.state(keys).place, Place::Bare { equal: true, .. } if !is_bare(byte))
    }

    /// Whether values are noted where the text stands, or comes to next.
    pub(crate) fn notes(&self, keys: KeysId) -> bool {
        self.top(self.state(keys).open).noted()
    }

    /// Whether the text stands in a string.
    pub(crate) fn in_string(&self, keys: KeysId) -> bool {
        matches!(self.state(keys).place, Place::Text { .. } | Place::Value { .. })
    }

    /// Within a number or word that equals no earlier value that matters: the container that it is in.
    pub(crate) fn new_number(&self, keys: KeysId) -> Option<u32> {
        let State { open, place } = self.state(keys);
        matches!(place, Place::Bare { risk: false, .. }).then_some(open)
    }

    /// The bytes that may bring the text nearer to a key that the object had, or to another place.
    pub(crate) fn tells_apart(&self, keys: KeysId) -> ByteSet {
        let mut apart = ByteSet::default();
        match self.state(keys).place {
            Place::Text { left, also, escape: Escape::None, .. } => {
                for set in [left, also] {
                    self.table.used.nexts(set).for_each(|byte| apart.add_range(byte, byte));
                }
            }
            Place::Bare { risk: false, .. } => {}
            Place::Outside { noted: true, .. } | Place::Text { .. } | Place::Bare { .. } => {
                apart = ByteSet::ALL;
            }
            Place::Outside { .. } | Place::Value { .. } => {}
        }
        for byte in *b"\"\\,{}[]" {
            apart.add_range(byte, byte);
        }
        apart
    }

    /// What the text can still repeat where it stands: an earlier item, or where keys are `scarce` a key of the object,
    /// in a key or where one comes next. `None` elsewhere, and if what was begun is new however it ends.
    pub(crate) fn left(&self, keys: KeysId, scarce: bool) -> Option<Left> {
        let State { open, place } = self.state(keys);
        let top = self.top(open);
        let risk = match place {
            Place::Text { key: true, also, .. } => also != 0,
            Place::Text { left, .. } => left != 0,
            Place::Bare { risk, .. } => risk,
            Place::Outside { .. } => top.built.is_some_and(|built| built.expected != 0),
            Place::Value { .. } => false,
        };
        if risk {
            return Some(Left::Items(keys));
        }
        let (left, escape) = match place {
            Place::Text { key: true, left, escape, .. } => (left, escape),
            Place::Outside { key: true, .. } => (top.keys.unwrap_or(0), Escape::None),
            _ => return None,
        };
        (scarce && left != 0).then_some(Left::Keys(left, escape))
    }
}

/// Whether a byte changes nothing, as most do.
#[inline]
fn stays(place: Place, byte: u8) -> bool {
    match place {
        Place::Value { escaped: false } => byte != b'"' && byte != b'\\',
        Place::Outside { noted: false, .. } => {
            !matches!(byte, b'"' | b',' | b'{' | b'}' | b'[' | b']')
        }
        Place::Outside { .. } => matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b':'),
        _ => false,
    }
}

/// Whether a byte can stand in a number or a word.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}
