//! Addresses and names of hosts: RFC 2673, RFC 4291, RFC 1123.

use std::sync::Arc;

use crate::json::parts::{class, concat, either, numbers, optional, repeat, text, times};
use crate::pattern::{ByteAutomaton, ByteState, Pattern};

/// Four decimal octets without zeros in front: RFC 2673 section 3.2.
pub(super) fn ipv4() -> Pattern {
    let octet = numbers(0, 255, 1);
    concat([times(concat([octet.clone(), text(".")]), 3), octet])
}

/// RFC 4291 section 2.2: eight groups, `::` once for one or more of them, and four octets for the last two.
pub(super) fn ipv6() -> Pattern {
    either([ipv6_groups(1), ipv6_with_ipv4(1, ipv4())])
}

fn group() -> Pattern {
    repeat(class("09AFaf"), 1, Some(4))
}

/// `count` groups with colons between them.
fn groups(count: u32) -> Pattern {
    match count.checked_sub(1) {
        None => Pattern::Empty,
        Some(more) => concat([group(), times(concat([text(":"), group()]), more)]),
    }
}

/// Up to `most` groups with colons between them.
fn some_groups(most: u32) -> Pattern {
    match most.checked_sub(1) {
        None => Pattern::Empty,
        Some(more) => {
            optional(concat([group(), repeat(concat([text(":"), group()]), 0, Some(more))]))
        }
    }
}

/// Addresses in groups alone; `::` stands for at least `elided` of them.
pub(super) fn ipv6_groups(elided: u32) -> Pattern {
    let mut choices = vec![groups(8)];
    for left in 0..=8 - elided {
        choices.push(concat([groups(left), text("::"), some_groups(8 - elided - left)]));
    }
    Pattern::Alt(choices)
}

/// Addresses that end in four octets.
pub(super) fn ipv6_with_ipv4(elided: u32, octets: Pattern) -> Pattern {
    let each = |count| repeat(concat([group(), text(":")]), count, Some(count));
    let mut choices = vec![each(6)];
    for left in 0..=6 - elided {
        let right = repeat(concat([group(), text(":")]), 0, Some(6 - elided - left));
        choices.push(concat([groups(left), text("::"), right]));
    }
    concat([Pattern::Alt(choices), octets])
}

/// Most characters of a label and of a name, RFC 1035 section 2.3.4. Of the 255 octets of a name, one is the length
/// of its first label and one ends it.
const LABEL: usize = 63;
const NAME: usize = 253;

/// Where reading a name stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    /// Characters of the name so far.
    total: usize,
    /// Characters of the label so far. What cannot reach its bound any more is forgotten.
    length: usize,
    hyphen: bool,
    /// How much of `xn--` the label is.
    prefix: usize,
}

/// RFC 1123 section 2.1: labels of letters, digits and inner hyphens, at most 63 characters each and 253 in all. None
/// begins with `xn--`.
pub(super) fn hostname() -> Pattern {
    let start = Label { total: 0, length: 0, hyphen: false, prefix: 0 };
    let mut places = std::collections::BTreeMap::from([(start, 0u32)]);
    let mut order = vec![start];
    let mut states = Vec::new();
    while let Some(&label) = order.get(states.len()) {
        let mut edges: Vec<(u8, u8, u32)> = Vec::new();
        for byte in (0..=127u8).filter(|&b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.') {
            let Some(next) = label.step(byte) else { continue };
            let id = *places.entry(next).or_insert_with(|| {
                order.push(next);
                order.len() as u32 - 1
            });
            match edges.last_mut() {
                Some(last) if last.1 + 1 == byte && last.2 == id => last.1 = byte,
                _ => edges.push((byte, byte, id)),
            }
        }
        let accepting = label.length > 0 && !label.hyphen;
        states.push(ByteState { accepting, edges });
    }
    match ByteAutomaton::new(states) {
        Ok(automaton) => Pattern::Automaton(Arc::new(automaton)),
        // There is a state, and bytes are in order.
        Err(error) => unreachable!("{error}"),
    }
}

impl Label {
    fn step(self, byte: u8) -> Option<Self> {
        let total = self.total + 1;
        if total > NAME {
            return None;
        }
        if byte == b'.' {
            let ends = self.length > 0 && !self.hyphen;
            return ends.then_some(Self { total, length: 0, hyphen: false, prefix: 0 });
        }
        let hyphen = byte == b'-';
        if (hyphen && self.length == 0) || self.length == LABEL {
            return None;
        }
        let matched = self.prefix == self.length && {
            b"xn--".get(self.prefix).is_some_and(|b| b.eq_ignore_ascii_case(&byte))
        };
        let prefix = if matched { self.prefix + 1 } else { 0 };
        (prefix < 4).then_some(Self { total, length: self.length + 1, hyphen, prefix })
    }
}
