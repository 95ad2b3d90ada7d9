//! JSON, RFC 8259, in the reference's notation.

use std::fmt::Write;

/// How much white space a gap may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    None,
    /// At most one line break and then at most 256 blanks, or at most 8 blanks.
    Bounded,
    Any,
}

const TEXTS: &str = r#"
text: w value w
value: object | array | string | number | "true" | "false" | "null"
object: "{" w "}" | "{" members "}"
members: member | members "," member
member: w string w ":" w value w
array: "[" w "]" | "[" elements "]"
elements: w value w | elements "," w value w
number: minus integer fraction exponent
minus: "-" |
integer: "0" | [1-9] digits
digits: | digits [0-9]
some_digits: [0-9] digits
fraction: "." some_digits |
exponent: [eE] sign some_digits |
sign: [+\-] |
string: "\"" characters "\""
characters: | characters character
character: [\x20\x21\x23-\x5b\x5d-\x7f]
character: [\xc2-\xdf] tail
character: "\xe0" [\xa0-\xbf] tail
character: [\xe1-\xec\xee\xef] tail tail
character: "\xed" [\x80-\x9f] tail
character: "\xf0" [\x90-\xbf] tail tail
character: [\xf1-\xf3] tail tail tail
character: "\xf4" [\x80-\x8f] tail tail
character: "\\" [\"\\/bfnrt]
character: "\\u" scalar
character: "\\u" high "\\u" low
tail: [\x80-\xbf]
hex: [0-9a-fA-F]
scalar: [0-9abcefABCEF] hex hex hex | [dD] [0-7] hex hex
high: [dD] [89abAB] hex hex
low: [dD] [c-fC-F] hex hex
"#;

/// The grammar of all JSON texts.
pub(crate) fn notation(gap: Gap) -> String {
    let mut text = TEXTS.to_owned();
    match gap {
        Gap::None => text.push_str("w:\n"),
        Gap::Any => text.push_str("w: | w [ \\t\\r\\n]\n"),
        Gap::Bounded => {
            text.push_str("w: b8 | \"\\n\" b256 | \"\\r\\n\" b256\nb0:\n");
            for n in 1..=256 {
                writeln!(text, "b{n}: | [ \\t] b{}", n - 1).expect("a string can be written to");
            }
        }
    }
    text
}
