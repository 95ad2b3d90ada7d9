//! Addresses and names of hosts: RFC 2673, RFC 4291, RFC 1123.

use crate::json::parts::{class, concat, either, numbers, optional, repeat, star, text, times};
use crate::pattern::{Look, Pattern};

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

/// Most characters of a name, RFC 1035 section 2.3.4. Of the 255 octets of a name, one is the length of its first label
/// and one ends it.
const NAME: u32 = 253;

/// RFC 1123 section 2.1: labels of letters, digits and inner hyphens, at most 63 characters each and 253 in all. None
/// begins with `xn--`.
pub(super) fn hostname() -> Pattern {
    let all = repeat(class("azAZ09--.."), 1, Some(NAME));
    let names = concat([label(), star(concat([text("."), label()]))]);
    concat([Look::rest(all, false).into(), names])
}

fn label() -> Pattern {
    let alphanumeric = || class("azAZ09");
    // So many characters more, the last no hyphen; behind a hyphen there has to be one.
    let more = |most: u32| concat([repeat(class("azAZ09--"), 0, Some(most - 1)), alphanumeric()]);
    let end = |most| optional(more(most));
    let behind_hyphens = concat([text("-"), alphanumeric(), end(59)]);
    let behind_n = optional(either([concat([alphanumeric(), end(60)]), behind_hyphens]));
    let behind_x = optional(either([
        concat([class("amozAMOZ09"), end(61)]),
        concat([text("-"), more(61)]),
        concat([class("nnNN"), behind_n]),
    ]));
    either([concat([class("awyzAWYZ09"), end(62)]), concat([class("xxXX"), behind_x])])
}
