//! Sets of characters that escapes and dots stand for.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::pattern::CharSet;

/// `\s`: white space and line terminators of the standard.
static SPACE: LazyLock<CharSet> = LazyLock::new(|| {
    CharSet::new([
        ('\t', '\r'),
        (' ', ' '),
        ('\u{a0}', '\u{a0}'),
        ('\u{1680}', '\u{1680}'),
        ('\u{2000}', '\u{200a}'),
        ('\u{2028}', '\u{2029}'),
        ('\u{202f}', '\u{202f}'),
        ('\u{205f}', '\u{205f}'),
        ('\u{3000}', '\u{3000}'),
        ('\u{feff}', '\u{feff}'),
    ])
});

/// What ends a line.
pub(super) fn line_ends() -> CharSet {
    CharSet::new([('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')])
}

/// `\w`, which holds two more characters if case is ignored.
pub(super) fn word(ignore_case: bool) -> CharSet {
    let word = CharSet::new([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]);
    if ignore_case { fold(&word) } else { word }
}

/// The set that a letter after a backslash names, if it is one of `dDsSwW`.
pub(super) fn category(letter: char, ignore_case: bool) -> Option<CharSet> {
    let set = match letter.to_ascii_lowercase() {
        'd' => CharSet::new([('0', '9')]),
        's' => SPACE.clone(),
        'w' => word(ignore_case),
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { set.negate() } else { set })
}

/// All characters that simple case folding makes equal to a member.
pub(super) fn fold(set: &CharSet) -> CharSet {
    let ranges = set.ranges().iter();
    let mut class = ClassUnicode::new(ranges.map(|&(a, b)| ClassUnicodeRange::new(a, b)));
    if class.try_case_fold_simple().is_err() {
        unreachable!("the case tables of regex-syntax are a feature this crate depends on");
    }
    CharSet::new(class.iter().map(|range| (range.start(), range.end())))
}

/// The set of a property, as it stands between the braces of `\p{...}`.
pub(super) fn property(name: &str) -> Option<CharSet> {
    let is_name = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    match name.split_once('=') {
        Some((key, value)) => {
            let keys = ["General_Category", "gc", "Script", "sc", "Script_Extensions", "scx"];
            if !keys.contains(&key) || !is_name(value) {
                return None;
            }
            set_of(&format!(r"\p{{{key}={value}}}"))
        }
        // A script needs its key.
        None if !is_name(name) => None,
        None => {
            let is_category = set_of(&format!(r"\p{{gc={name}}}")).is_some();
            let is_script = set_of(&format!(r"\p{{sc={name}}}")).is_some();
            if is_script && !is_category { None } else { set_of(&format!(r"\p{{{name}}}")) }
        }
    }
}

fn set_of(class: &str) -> Option<CharSet> {
    match regex_syntax::parse(class).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(CharSet::new(class.iter().map(|range| (range.start(), range.end()))))
        }
        // A class of one character.
        HirKind::Literal(literal) => {
            let text = String::from_utf8(literal.0.to_vec()).ok()?;
            Some(CharSet::single(text.chars().next()?))
        }
        _ => None,
    }
}
