//! Mailboxes: RFC 5321 and RFC 6531.

use super::network;
use crate::json::parts::{class, concat, either, numbers, plus, set, star, text, times};
use crate::pattern::{CharSet, Pattern};

/// `Mailbox` of RFC 5321 section 4.1.2. Of address literals only those of IPv4 and IPv6 exist.
pub(super) fn email() -> Pattern {
    mailbox(&set(""))
}

/// `Mailbox` of RFC 6531 section 3.3: characters beyond ASCII wherever letters may be. Labels are not checked against
/// the tables of IDNA.
pub(super) fn idn_email() -> Pattern {
    mailbox(&set("\u{80}\u{10FFFF}"))
}

fn mailbox(more: &CharSet) -> Pattern {
    let one_of = |ranges: &str| Pattern::Class(set(ranges).union(more));
    let atom = plus(one_of("azAZ09!!#'*+--//==??^`{~"));
    let dotted = |part: Pattern| concat([part.clone(), star(concat([text("."), part]))]);
    let quoted = either([one_of(" !#[]~"), concat([text("\\"), class(" ~")])]);
    let local = either([dotted(atom), concat([text("\""), star(quoted), text("\"")])]);
    let alphanumeric = || one_of("azAZ09");
    let label = concat([alphanumeric(), star(concat([star(text("-")), alphanumeric()]))]);
    concat([local, text("@"), either([dotted(label), literal()])])
}

/// `address-literal` of RFC 5321 section 4.1.3. In it, `::` stands for at least two groups.
fn literal() -> Pattern {
    let octet = || either([numbers(0, 255, 1), numbers(0, 99, 2), numbers(0, 99, 3)]);
    let ipv4 = || concat([octet(), times(concat([text("."), octet()]), 3)]);
    let tag = concat([class("IIii"), class("PPpp"), class("VVvv"), text("6:")]);
    let ipv6 = either([network::ipv6_groups(2), network::ipv6_with_ipv4(2, ipv4())]);
    concat([text("["), either([ipv4(), concat([tag, ipv6])]), text("]")])
}
