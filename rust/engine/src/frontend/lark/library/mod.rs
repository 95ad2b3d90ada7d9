//! The grammars of Lark's library, which `%import` finds without a file.
//!
//! Their texts are Stackmask's own. Each terminal and rule has the language of the one of that name in Lark 1.3.

mod common;
mod lark;
mod python;
mod unicode;

/// The names by which they are imported.
pub(super) const NAMES: [&str; 4] = ["common", "lark", "python", "unicode"];

/// The text of a library grammar.
pub(super) fn text(name: &str) -> Option<&'static str> {
    match name {
        "common" => Some(common::TEXT),
        "lark" => Some(lark::TEXT),
        "python" => Some(python::TEXT),
        "unicode" => Some(unicode::TEXT),
        _ => None,
    }
}

/// The mend for an undefined terminal that the library has.
pub(super) fn hint(name: &str) -> String {
    let defines = |text: &str| {
        let start = format!("\n{name}:");
        text.contains(&start)
    };
    match NAMES.iter().find(|library| text(library).is_some_and(defines)) {
        Some(library) => format!(" (`%import {library}.{name}` defines it)"),
        None => String::new(),
    }
}
