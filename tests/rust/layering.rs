//! Which module may use which: every arrow points down the table.

use std::fs;
use std::path::{Path, PathBuf};

/// Each layer and the layers that it may use besides itself. A file or folder right under `src` is a layer.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ids", &[]),
    ("error", &["ids"]),
    ("cancel", &["error"]),
    ("limits", &["error", "cancel"]),
    ("codec", &["error", "limits"]),
    ("pattern", &["error", "limits"]),
    ("terminal", &["error", "cancel", "limits", "pattern"]),
    ("json", &["error", "limits", "pattern"]),
    ("schema", &["error", "limits", "pattern", "terminal", "json"]),
    ("grammar", &["ids", "error", "limits", "pattern", "terminal"]),
    ("vocabulary", &["ids", "error", "limits"]),
    ("keys", &["ids", "error", "limits", "terminal", "vocabulary"]),
    (
        "frontend",
        &["ids", "error", "limits", "codec", "pattern", "terminal", "json", "schema", "grammar"],
    ),
    ("automaton", &["ids", "error", "limits", "pattern", "terminal", "grammar"]),
    ("mask", &["ids", "error", "limits", "automaton", "vocabulary"]),
    (
        "compiled",
        &[
            "ids",
            "error",
            "limits",
            "pattern",
            "grammar",
            "vocabulary",
            "keys",
            "automaton",
            "mask",
        ],
    ),
    ("coverage", &["error", "automaton", "compiled"]),
    (
        "lint",
        &["ids", "error", "limits", "pattern", "terminal", "grammar", "vocabulary", "compiled"],
    ),
    (
        "matcher",
        &[
            "ids",
            "error",
            "limits",
            "pattern",
            "grammar",
            "vocabulary",
            "automaton",
            "mask",
            "compiled",
        ],
    ),
    (
        "saved",
        &[
            "ids",
            "error",
            "limits",
            "codec",
            "pattern",
            "json",
            "schema",
            "grammar",
            "frontend",
            "vocabulary",
            "compiled",
        ],
    ),
    ("draft", &["ids", "error", "matcher"]),
];

#[test]
fn modules_use_only_what_lies_below_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in files(&source) {
        let layer = layer_of(&source, &file);
        if layer == "lib" {
            continue;
        }
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == layer) else {
            wrong.push(format!("{}: the layer {layer:?} is not in the table", file.display()));
            continue;
        };
        let text = fs::read_to_string(&file).expect("a source file");
        for used in uses(&text) {
            if used != layer && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{}: {layer} must not use {used}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_has_no_cycle() {
    for (place, (layer, allowed)) in ALLOWED.iter().enumerate() {
        for used in *allowed {
            let below = ALLOWED[..place].iter().any(|(name, _)| name == used);
            assert!(below, "{layer} uses {used}, which does not come before it");
        }
    }
}

#[test]
fn uses_are_found_in_every_form() {
    let text = "use crate::grammar::{A, B};\nfn f() { crate::mask::g() }\n/// [`crate::Limits`]\nuse crate::{ids::X, error};";
    assert_eq!(uses(text), ["grammar", "mask", "ids", "error"]);
}

/// All Rust files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn layer_of(source: &Path, file: &Path) -> String {
    let below = file.strip_prefix(source).expect("a file below the source folder");
    let first = below.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules named right behind `crate::`, comments and names re-exported by the crate's root left out.
fn uses(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for (at, start) in line.match_indices("crate::") {
            let rest = &line[at + start.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => group.split([',', '}']).collect(),
                None => vec![rest],
            };
            for name in names {
                let name: String = name
                    .trim()
                    .chars()
                    .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                    .collect();
                if !name.is_empty() {
                    found.push(name);
                }
            }
        }
    }
    found
}
