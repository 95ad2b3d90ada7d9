//! JSON pointers and UUIDs: RFC 6901, the draft of relative JSON pointers, RFC 4122.

use crate::json::parts::{class, concat, either, set, star, text, times};
use crate::pattern::Pattern;

/// RFC 6901 section 3.
pub(super) fn json_pointer() -> Pattern {
    let plain = Pattern::Class(set("//~~").negate());
    let character = either([plain, concat([text("~"), class("01")])]);
    star(concat([text("/"), star(character)]))
}

/// draft-handrews-relative-json-pointer-01 section 3.
pub(super) fn relative_json_pointer() -> Pattern {
    let steps = either([text("0"), concat([class("19"), star(class("09"))])]);
    concat([steps, either([text("#"), json_pointer()])])
}

/// RFC 4122 section 3, with any version and variant.
pub(super) fn uuid() -> Pattern {
    let hex = |count| times(class("09AFaf"), count);
    let middle = times(concat([hex(4), text("-")]), 3);
    concat([hex(8), text("-"), middle, hex(12)])
}
