//! Values by what they stand for, as texts that are equal just if the values are.
//!
//! A text begins with a byte for its kind. A string goes on with its characters, a number with its digits (see
//! `number`), a word with its first letter, a container with its number. So a set of values is a set of texts.
//!
//! A container that is part of an item is built up value by value, beside the earlier ones that it may turn out to
//! equal: those that agree with it so far. As soon as there is none it is new, however it ends.

use super::used::UsedId;
use super::{Keys, TextId};

/// The number of a container, so far or whole.
pub(super) type ContainerId = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Container {
    EmptyArray,
    /// An array with one more item, and how many it has.
    Array(ContainerId, TextId, u32),
    /// Keys and values, sorted.
    Object(Box<[(TextId, TextId)]>),
}

/// A container that is part of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Built {
    pub(super) so_far: ContainerId,
    /// The earlier values that agree with it so far.
    pub(super) expected: UsedId,
    /// The key whose value comes next.
    key: TextId,
}

impl Container {
    /// The numbers of the empty ones.
    pub(super) const ARRAY: ContainerId = 0;
    pub(super) const OBJECT: ContainerId = 1;

    /// The empty ones, in that order.
    pub(super) fn empty() -> [Self; 2] {
        [Self::EmptyArray, Self::Object(Box::default())]
    }

    /// How many items an array has; `None` for an object.
    fn items(&self) -> Option<u32> {
        match self {
            Self::EmptyArray => Some(0),
            Self::Array(_, _, items) => Some(*items),
            Self::Object(_) => None,
        }
    }
}

impl Keys<'_> {
    /// How the texts of strings and of containers begin.
    pub(super) const STRING: u8 = 0;
    const CONTAINER: u8 = 3;

    fn container_at(&self, id: ContainerId) -> &Container {
        &self.table.containers.get(id).0
    }

    fn intern_container(&self, container: Container) -> ContainerId {
        let own = if let Container::Object(members) = &container { members.len() * 8 } else { 0 };
        let (id, new) = self.table.containers.insert((container, ()));
        if new {
            self.meter.add(size_of::<Container>() + own + 32);
        }
        id
    }

    /// The value of a container.
    pub(super) fn container(&self, id: ContainerId) -> TextId {
        let [a, b, c, d] = id.to_be_bytes();
        self.intern(&[Self::CONTAINER, a, b, c, d])
    }

    /// Whether a value is in a set.
    pub(super) fn contains(&self, set: UsedId, value: &[u8]) -> bool {
        self.table.used.ends(self.table.used.behind(set, value))
    }

    /// The containers of a set.
    fn containers(&self, set: UsedId) -> Vec<ContainerId> {
        let mut open = vec![(self.table.used.behind(set, &[Self::CONTAINER]), 0, 0)];
        let mut found = Vec::new();
        while let Some((node, id, depth)) = open.pop() {
            if depth == size_of::<ContainerId>() {
                found.extend((node != 0).then_some(id));
                continue;
            }
            let nexts = self.table.used.nexts(node);
            let nexts = nexts.map(|byte| (self.table.used.behind(node, &[byte]), byte));
            open.extend(nexts.map(|(next, byte)| (next, id << 8 | u32::from(byte), depth + 1)));
        }
        found
    }

    fn set_of(&self, values: impl Iterator<Item = TextId>, set: UsedId) -> UsedId {
        values.fold(set, |set, value| self.table.used.with(set, &self.bytes(value), self.meter))
    }

    /// The containers of a set that fit, as a set.
    fn only(&self, set: UsedId, fits: impl Fn(&Container) -> bool) -> UsedId {
        let all = self.containers(set);
        let fit: Vec<_> = all.iter().filter(|id| fits(self.container_at(**id))).collect();
        if fit.len() == all.len() && self.table.used.nexts(set).all(|kind| kind == Self::CONTAINER)
        {
            return set;
        }
        self.set_of(fit.into_iter().map(|id| self.container(*id)), 0)
    }

    /// The value of a container at a place: that of a key, or of the item behind so many.
    fn value_at(&self, container: &Container, built: &Built) -> Option<TextId> {
        let behind = match self.container_at(built.so_far).items() {
            Some(behind) => behind,
            None => {
                let Container::Object(members) = container else { return None };
                let at = members.binary_search_by_key(&built.key, |member| member.0).ok()?;
                return Some(members[at].1);
            }
        };
        let mut at = container;
        while let Container::Array(before, last, items) = at {
            if *items == behind + 1 {
                return Some(*last);
            }
            at = self.container_at(*before);
        }
        None
    }

    /// A container that begins where a value may turn out to equal one of a set.
    pub(super) fn begin(&self, empty: ContainerId, against: UsedId) -> Built {
        let array = empty == Container::ARRAY;
        let expected = self.only(against, |container| container.items().is_some() == array);
        Built { so_far: empty, expected, key: 0 }
    }

    /// The object with a key whose value comes next.
    pub(super) fn named(&self, built: Built, key: TextId) -> Built {
        let built = Built { key, ..built };
        let expected = self.only(built.expected, |c| self.value_at(c, &built).is_some());
        Built { expected, ..built }
    }

    /// The container with one more value.
    pub(super) fn grown(&self, built: Built, value: TextId) -> Built {
        let expected = self.only(built.expected, |c| self.value_at(c, &built) == Some(value));
        let so_far = match self.container_at(built.so_far) {
            Container::Object(members) => {
                let mut members = members.to_vec();
                let at = members.partition_point(|member| member.0 < built.key);
                members.insert(at, (built.key, value));
                Container::Object(members.into())
            }
            array => Container::Array(built.so_far, value, array.items().unwrap_or(0) + 1),
        };
        Built { so_far: self.intern_container(so_far), expected, key: 0 }
    }

    /// The keys of the objects that one may turn out to equal.
    pub(super) fn expected_keys(&self, built: &Built) -> UsedId {
        let objects = self.containers(built.expected).into_iter();
        objects.fold(0, |set, id| match self.container_at(id) {
            Container::Object(members) => self.set_of(members.iter().map(|m| m.0), set),
            _ => set,
        })
    }

    /// The earlier values that matter to the next one in a container.
    pub(super) fn against(&self, top: &super::Open) -> UsedId {
        let items = top.items.unwrap_or(0);
        let Some(built) = &top.built else { return items };
        let expected = self.containers(built.expected).into_iter();
        let values = expected.filter_map(|id| self.value_at(self.container_at(id), built));
        self.set_of(values, items)
    }
}
