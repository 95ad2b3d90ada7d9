//! Grammars of `grammars/` in the reference's notation: here those whose terminals end where only one end fits, so that
//! plain context-free meaning is Lark's. Written from what the headers of the files promise.

use super::{json, preferred};

/// What a text may hold beyond ASCII.
const CHARACTERS: &str = r"
beyond: [\xc2-\xdf] tail
beyond: [\xe0] [\xa0-\xbf] tail
beyond: [\xe1-\xec\xee\xef] tail tail
beyond: [\xed] [\x80-\x9f] tail
beyond: [\xf0] [\x90-\xbf] tail tail
beyond: [\xf1-\xf3] tail tail tail
beyond: [\xf4] [\x80-\x8f] tail tail
tail: [\x80-\xbf]
";

const ARITHMETIC: &str = r#"
text: w sum
w: | w [ \t\x0c\r\n]
sum: product | sum "+" w product | sum "-" w product
product: signed | product [*/%] w signed
signed: power | [+\-] w signed
power: atom | atom "^" w signed
atom: number w | name w | name w "(" w ")" w | name w "(" w arguments ")" w | "(" w sum ")" w
arguments: sum | arguments "," w sum
number: digits fraction exponent
fraction: | "." digits
exponent: | [eE] sign digits
sign: | [+\-]
digits: [0-9] | digits [0-9]
name: [A-Za-z_] | name [A-Za-z0-9_]
"#;

const CSV: &str = r#"
text: records | records line
records: record | records line record
line: "\r\n" | "\n"
record: quoted | bare | field "," fields
fields: field | fields "," field
field: | quoted | bare
quoted: "\"" inside "\""
inside: | inside "\"\"" | inside [\x09\x0a\x0d\x20\x21\x23-\x7e] | inside beyond
bare: letter | bare letter
letter: [\x20\x21\x23-\x2b\x2d-\x7e] | beyond
"#;

const ISO_DATETIME: &str = r#"
text: date | date [tT\x20] time | date [tT\x20] time offset | leap
date: year "-" long "-" to31 | year "-" short "-" to30 | year "-02-" to28 | leapyear "-02-29"
date: year "-" to365 | leapyear "-366"
d: [0-9]
year: d d d d
leapyear: d d "0" [48] | d d [2468] [048] | d d [13579] [26] | [02468] [048] "00" | [13579] [26] "00"
long: "0" [13578] | "1" [02]
short: "0" [469] | "11"
to28: "0" [1-9] | "1" d | "2" [0-8]
to30: to28 | "29" | "30"
to31: to30 | "31"
to365: "00" [1-9] | "0" [1-9] d | [12] d d | "3" [0-5] d | "36" [0-5]
time: hour ":" sixty | hour ":" sixty ":" sixty | hour ":" sixty ":" sixty fraction
hour: [01] d | "2" [0-3]
sixty: [0-5] d
fraction: "." d | fraction d
offset: [zZ] | [+\-] hour ":" sixty
leap: year leapday [tT\x20] "23:59:60" [zZ] | year leapday [tT\x20] "23:59:60" fraction [zZ]
leapday: "-06-30" | "-12-31"
"#;

const URL: &str = r##"
text: scheme ":" hierarchy query fragment
scheme: [A-Za-z] | scheme [A-Za-z0-9+.\-]
hierarchy: "//" authority rest | "/" | "/" segment rest | segment rest |
rest: | rest "/" | rest "/" segment
authority: host | host ":" digits | user "@" host | user "@" host ":" digits
authority: host ":" | user "@" host ":"
user: | user common | user ":"
host: | name | "[" ipv6 "]" | "[" [vV] hexes "." future "]"
name: common | name common
common: [A-Za-z0-9\-._~!$&'()*+,;=] | "%" hex hex
future: [A-Za-z0-9\-._~!$&'()*+,;=:] | future [A-Za-z0-9\-._~!$&'()*+,;=:]
segment: common | segment common | [:@] | segment [:@]
query: | "?" marks
fragment: | "#" marks
marks: | marks common | marks [:@/?]
digits: [0-9] | digits [0-9]
hexes: hex | hexes hex
hex: [0-9A-Fa-f]
group: hex | hex hex | hex hex hex | hex hex hex hex
g: group ":"
last: group ":" group | octet "." octet "." octet "." octet
octet: [0-9] | [1-9] [0-9] | "1" [0-9] [0-9] | "2" [0-4] [0-9] | "25" [0-5]
ipv6: g g g g g g last | "::" g g g g g last
ipv6: to1 "::" g g g g last | to2 "::" g g g last | to3 "::" g g last
ipv6: to4 "::" g last | to5 "::" last | to6 "::" group | to7 "::"
to1: | group
to2: to1 | g group
to3: to2 | g g group
to4: to3 | g g g group
to5: to4 | g g g g group
to6: to5 | g g g g g group
to7: to6 | g g g g g g group
"##;

/// The grammar of this name.
pub(crate) fn notation(name: &str) -> String {
    let known = match name {
        "arithmetic" => Some(ARITHMETIC.into()),
        "csv" => Some(format!("{CSV}{CHARACTERS}")),
        "iso_datetime" => Some(ISO_DATETIME.into()),
        "json" => Some(json::notation(json::Gap::Any)),
        "url" => Some(URL.into()),
        _ => preferred::notation(name).map(|own| format!("{own}{CHARACTERS}")),
    };
    known.unwrap_or_else(|| panic!("{name} has a notation"))
}
