//! The normal form against the official JSON Schema test suite, where the corpora are present.

mod values;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use stackmask::schema::{Draft, Formats, Normal, Options};
use stackmask::{Error, Limits};

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft201909),
    ("draft2020-12", Draft::Draft202012),
];

#[test]
fn the_required_part_is_right_in_every_draft() {
    let Some(corpora) = std::env::var_os("STACKMASK_CORPORA") else { return };
    let suite = Path::new(&corpora).join("json-schema-test-suite");
    let registry = registry(&suite);
    let mut wrong = Vec::new();
    let mut tally = Vec::new();
    for (name, draft) in DRAFTS {
        let (mut right, mut total) = (0, 0);
        for file in json_files(&suite.join("tests").join(name)) {
            let groups: Value = read(&file);
            for group in groups.as_array().expect("groups") {
                let options = Options {
                    draft: Some(draft),
                    registry: registry.clone(),
                    formats: Formats::Annotate,
                    ..Options::default()
                };
                let normal =
                    Normal::new(&group["schema"].to_string(), &options, &Limits::default());
                for test in group["tests"].as_array().expect("tests") {
                    total += 1;
                    let verdict = match &normal {
                        Ok(normal) => Ok(values::is_in(normal, normal.root(), &test["data"])),
                        Err(Error::UnsatisfiableSchema { .. }) => Ok(false),
                        Err(error) => Err(error.to_string()),
                    };
                    if verdict == Ok(test["valid"].as_bool().expect("a verdict")) {
                        right += 1;
                    } else {
                        wrong.push(format!(
                            "{name} {} / {} / {}: {verdict:?}",
                            file.file_name().unwrap_or_default().to_string_lossy(),
                            group["description"],
                            test["description"]
                        ));
                    }
                }
            }
        }
        tally.push(format!("{name}: {right} of {total}"));
    }
    assert!(wrong.is_empty(), "{}\n{}", tally.join("\n"), wrong.join("\n"));
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON")
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files
}

/// The remotes of the suite, and the metaschemas if a folder of them is given.
fn registry(suite: &Path) -> BTreeMap<String, Arc<str>> {
    let mut registry = BTreeMap::new();
    let remotes = suite.join("remotes");
    let mut folders = vec![remotes.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let below = path.strip_prefix(&remotes).expect("below the remotes");
            let uri = format!("http://localhost:1234/{}", below.display());
            registry.insert(uri, Arc::from(fs::read_to_string(&path).expect("a file")));
        }
    }
    if let Some(folder) = std::env::var_os("STACKMASK_METASCHEMAS") {
        let mut folders = vec![PathBuf::from(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).expect("a file");
                let schema: Value = serde_json::from_str(&text).expect("JSON");
                let id = schema["$id"].as_str().or(schema["id"].as_str()).unwrap_or_default();
                registry.insert(id.trim_end_matches('#').to_owned(), Arc::from(text));
            }
        }
    }
    registry
}
