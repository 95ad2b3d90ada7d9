//! The normal form against the suite of the project, against the official JSON Schema test suite where the corpora are
//! present, and where schemas are hard.

mod values;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use stackmask::schema::normal::Shape;
use stackmask::schema::{Draft, Formats, Normal, Options, UnknownFormat, Unsupported};
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
    // Without them, the few groups that refer to one have nothing to hold their values against.
    let metaschemas = std::env::var_os("STACKMASK_METASCHEMAS").is_some();
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
                let needs_metaschema = matches!(&normal, Err(Error::UnsupportedSchema { message, .. })
                    if message.contains("json-schema.org/"));
                if needs_metaschema && !metaschemas {
                    continue;
                }
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

/// The files below a folder, at any depth, with what they hold.
fn texts_below(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut folders = vec![folder.to_owned()];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a file");
                texts.push((path, text));
            }
        }
    }
    texts
}

/// The remotes of the suite, and the metaschemas if a folder of them is given.
fn registry(suite: &Path) -> BTreeMap<String, Arc<str>> {
    let mut registry = BTreeMap::new();
    let remotes = suite.join("remotes");
    for (path, text) in texts_below(&remotes) {
        let below = path.strip_prefix(&remotes).expect("below the remotes");
        registry.insert(format!("http://localhost:1234/{}", below.display()), Arc::from(text));
    }
    if let Some(folder) = std::env::var_os("STACKMASK_METASCHEMAS") {
        for (_, text) in texts_below(Path::new(&folder)) {
            let schema: Value = serde_json::from_str(&text).expect("JSON");
            let id = schema["$id"].as_str().or(schema["id"].as_str()).unwrap_or_default();
            registry.insert(id.trim_end_matches('#').to_owned(), Arc::from(text));
        }
    }
    registry
}

/// What a case of `tests/suite/json_schema` says.
struct Case {
    name: String,
    table: toml::Table,
}

impl Case {
    fn text(&self, key: &str) -> Option<&str> {
        self.table.get(key).and_then(toml::Value::as_str)
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let list = self.table.get(key).and_then(toml::Value::as_array);
        list.into_iter().flatten().filter_map(toml::Value::as_str).map(expanded).collect()
    }

    fn options(&self) -> Options {
        let registry = self.table.get("registry").and_then(toml::Value::as_table);
        let registry = registry
            .into_iter()
            .flatten()
            .filter_map(|(uri, text)| Some((uri.clone(), Arc::from(text.as_str()?))));
        let draft = self.text("draft").map(|draft| match draft {
            "4" | "draft4" => Draft::Draft4,
            "6" | "draft6" => Draft::Draft6,
            "7" | "draft7" => Draft::Draft7,
            "2019-09" => Draft::Draft201909,
            _ => Draft::Draft202012,
        });
        Options {
            draft,
            registry: registry.collect(),
            formats: match self.text("formats") {
                Some("annotate") => Formats::Annotate,
                _ => Formats::Assert,
            },
            unknown_format: match self.text("unknown_format") {
                Some("error") => UnknownFormat::Error,
                _ => UnknownFormat::Warn,
            },
            unsupported: match self.text("unsupported") {
                Some("warn") => Unsupported::Warn,
                _ => Unsupported::Error,
            },
            closed: self.table.get("additional_properties").and_then(toml::Value::as_bool)
                == Some(false),
        }
    }
}

/// `<a*3>` stands for `aaa`.
fn expanded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        let inside = rest[start + 1..].split_once('>').and_then(|(inside, after)| {
            let (part, count) = inside.rsplit_once('*')?;
            Some((part.repeat(count.parse().ok()?), after))
        });
        match inside {
            Some((repeated, after)) => {
                out.push_str(&repeated);
                rest = after;
            }
            None => {
                out.push('<');
                rest = &rest[start + 1..];
            }
        }
    }
    out + rest
}

/// Cases that say more than a normal form does, and why.
const BEYOND: [(&str, &str); 10] = [
    ("spelling/", "about texts, not values"),
    ("drafts/integers-of-draft-4-by-their-text", "about texts, not values"),
    ("drafts/in-draft-4-listed-integers-are-written-as-integers", "about texts, not values"),
    ("drafts/in-draft-4-an-integer-beside-its-value", "about texts, not values"),
    ("drafts/in-draft-4-what-is-no-integer-is-told-by-its-text", "about texts, not values"),
    ("drafts/in-draft-4-no-integer-within-bounds", "about texts, not values"),
    ("drafts/in-draft-4-one-of-several-conditions-is-the-text", "about texts, not values"),
    ("pointers/a-divisor-of-too-many-digits", "refused when its texts are made"),
    ("drafts/in-draft-4-minus-zero-is-an-integer", "about texts, not values"),
    ("format_uris/regex", "that format is refused"),
];

/// Whether the reader of this test, which has 64 bits for a number, keeps a text's numbers.
fn is_exact(text: &str) -> bool {
    !text.split(|c: char| !c.is_ascii_digit() && c != '.').any(|run| run.len() > 16)
}

/// The value of a text, or none if it has no value, as with a key that stands twice.
fn value_of(text: &str) -> Option<Value> {
    let value = serde_json::from_str(text).ok()?;
    let twice =
        Normal::new(&format!("{{\"const\": {text}}}"), &Options::default(), &Limits::default());
    twice.is_ok().then_some(value)
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/json_schema");
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file");
        let mut tables: toml::Table = text.parse().expect("TOML");
        let Some(toml::Value::Array(list)) = tables.remove("case") else { continue };
        for case in list {
            let toml::Value::Table(table) = case else { continue };
            let name = table.get("name").and_then(toml::Value::as_str).unwrap_or("").to_owned();
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(Case { name: format!("{stem}/{name}"), table });
        }
    }
    cases
}

#[test]
fn cases_of_every_keyword_agree() {
    let mut wrong = Vec::new();
    let all = cases();
    assert!(all.len() > 200, "only {} cases", all.len());
    for case in all {
        if BEYOND.iter().any(|(name, _)| case.name.starts_with(name)) {
            continue;
        }
        let schema = expanded(case.text("schema").expect("a schema"));
        let normal = Normal::new(&schema, &case.options(), &Limits::default());
        let mut fail = |what: String| wrong.push(format!("{}: {what}", case.name));
        if let Some(expected) = case.text("error") {
            let (class, pointer, keyword) = match &normal {
                Err(Error::InvalidSchema { pointer, .. }) => {
                    ("InvalidSchemaError", pointer.as_str(), "")
                }
                Err(Error::UnsupportedSchema { pointer, keyword, .. }) => {
                    ("UnsupportedSchemaError", pointer.as_str(), keyword.as_str())
                }
                Err(Error::UnsatisfiableSchema { pointer, .. }) => {
                    ("UnsatisfiableSchemaError", pointer.as_str(), "")
                }
                Err(Error::TooComplex { .. }) => ("GrammarTooComplexError", "", ""),
                Err(_) => ("GrammarError", "", ""),
                Ok(_) => ("none", "", ""),
            };
            let as_said = class == expected
                && case.text("pointer").is_none_or(|expected| expected == pointer)
                && case.text("keyword").is_none_or(|expected| expected == keyword);
            if !as_said {
                fail(format!("expected {expected}, got {class} at {pointer:?} {keyword:?}"));
            }
            continue;
        }
        let normal = match normal {
            Ok(normal) => normal,
            Err(error) => {
                fail(error.to_string());
                continue;
            }
        };
        let verdicts = [
            ("accepts", true),
            ("any_only", true),
            ("any", true),
            ("rejects", false),
            ("excluded", false),
        ];
        for (key, expected) in verdicts {
            for text in case.texts(key).iter().filter(|text| is_exact(text)) {
                let Some(value) = value_of(text) else {
                    if expected {
                        fail(format!("no value: {text}"));
                    }
                    continue;
                };
                if values::is_in(&normal, normal.root(), &value) != expected {
                    fail(format!("{text} should be {expected}"));
                }
            }
        }
        if let Some(expected) = case.table.get("warnings").and_then(toml::Value::as_array) {
            let expected: Vec<(String, String)> = expected
                .iter()
                .filter_map(|pair| {
                    let pair = pair.as_array()?;
                    Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned()))
                })
                .collect();
            let mut found: Vec<(String, String)> = normal
                .warnings()
                .iter()
                .map(|warning| {
                    (
                        warning.pointer.clone().unwrap_or_default(),
                        warning.keyword.clone().unwrap_or_default(),
                    )
                })
                .collect();
            let mut wanted = expected.clone();
            wanted.sort();
            found.sort();
            if wanted != found {
                fail(format!("warnings {found:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn normal(schema: &str) -> Result<Normal, Error> {
    Normal::new(schema, &Options::default(), &Limits::default())
}

/// Alternatives that overlap, since what tells them apart is optional: they must not be multiplied out.
#[test]
fn overlapping_alternatives_stay_clauses() {
    let branches: Vec<String> = (0..12)
        .map(|at| {
            format!(
                r#"{{"properties": {{"builder": {{"const": "b{at}"}}, "options": {{"required": ["o{at}"]}}, "x{at}": {{"type": "integer"}}}}, "required": ["k{at}"]}}"#
            )
        })
        .collect();
    let schema = format!(r#"{{"type": "object", "oneOf": [{}]}}"#, branches.join(", "));
    let normal = normal(&schema).expect("within the limits");
    assert!(normal.work() < 50_000, "{}", normal.work());
    let one = serde_json::json!({"k3": 1, "builder": "b3", "options": {"o3": 1}});
    let two = serde_json::json!({"k3": 1, "k4": 1});
    assert!(values::is_in(&normal, normal.root(), &one));
    assert!(!values::is_in(&normal, normal.root(), &two));
}

/// Many implications on one key.
#[test]
fn implications_on_one_key_are_not_multiplied_out() {
    let rules: Vec<String> = (0..120)
        .map(|at| {
            format!(
                r#"{{"if": {{"properties": {{"type": {{"const": "t{at}"}}}}}}, "then": {{"properties": {{"props": {{"required": ["p{at}"]}}}}}}}}"#
            )
        })
        .collect();
    let schema = format!(r#"{{"type": "object", "allOf": [{}]}}"#, rules.join(", "));
    let normal = normal(&schema).expect("within the limits");
    assert!(normal.work() < 300_000, "{}", normal.work());
    for (text, expected) in [
        (r#"{"type": "t7", "props": {"p7": 1}}"#, true),
        (r#"{"type": "t7", "props": {"p8": 1}}"#, false),
        (r#"{"type": "other", "props": {}}"#, true),
        (r#"{"props": {"p1": 1}}"#, false),
        (r"{}", true),
    ] {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(values::is_in(&normal, normal.root(), &value), expected, "{text}");
    }
}

/// An excluded container is visible to the question whether anything is left.
#[test]
fn excluded_containers_count() {
    let schema =
        r#"{"oneOf": [{"dependentRequired": {"a": ["b"]}}, {"enum": [2, {}, 1, {"a": 1}]}, true]}"#;
    let normal = normal(schema).expect("satisfiable");
    for (text, expected) in
        [("2", false), ("{}", false), (r#"{"a": 1}"#, false), (r#"{"a": 2}"#, true), ("3", false)]
    {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(values::is_in(&normal, normal.root(), &value), expected, "{text}");
    }
    let nested = r##"{"$ref": "#/$defs/a", "not": {"const": {"a": {}}}, "$defs": {"a": {"type": "object", "maxProperties": 1, "properties": {"a": {"type": "object", "maxProperties": 0}}, "additionalProperties": false, "required": ["a"]}}}"##;
    assert!(matches!(self::normal(nested), Err(Error::UnsatisfiableSchema { .. })));
}

/// Several names that must not all be allowed, with few keys: set cover.
#[test]
fn forbidden_names_under_a_bound_are_a_search() {
    let satisfiable = r#"{"type": "object", "maxProperties": 2, "allOf": [{"not": {"propertyNames": {"enum": ["a", "b"]}}}, {"not": {"propertyNames": {"enum": ["b", "c"]}}}, {"not": {"propertyNames": {"enum": ["a", "c"]}}}], "propertyNames": {"enum": ["a", "b", "c"]}}"#;
    assert!(matches!(normal(satisfiable), Err(Error::UnsatisfiableSchema { .. })));
    let more = satisfiable.replace("\"maxProperties\": 2", "\"maxProperties\": 3");
    let normal = normal(&more).expect("three keys are enough");
    assert!(values::is_in(&normal, normal.root(), &serde_json::json!({"a": 1, "b": 1, "c": 1})));
    assert!(!values::is_in(&normal, normal.root(), &serde_json::json!({"a": 1, "b": 1})));
}

/// What tells alternatives apart is a pattern of few strings.
#[test]
fn patterns_tell_alternatives_apart() {
    let branches: Vec<String> = (0..20)
        .map(|at| {
            format!(
                r#"{{"type": "object", "properties": {{"type": {{"type": "string", "pattern": "^T{at}$"}}, "v": {{"minimum": {at}}}}}, "required": ["type"]}}"#
            )
        })
        .collect();
    let normal =
        normal(&format!(r#"{{"oneOf": [{}]}}"#, branches.join(", "))).expect("satisfiable");
    let root = normal.goal(normal.root()).expect("within the limits");
    assert_eq!(root.shapes.len(), 20);
    let clauses: usize = root
        .shapes
        .iter()
        .map(|shape| match shape {
            Shape::Object(object) => object.clauses.len(),
            _ => 0,
        })
        .sum();
    assert_eq!(clauses, 0);
}

/// Circles of references end, whether they mean anything or not.
#[test]
fn circles_without_progress_end() {
    assert!(matches!(normal(r##"{"$ref": "#"}"##), Err(Error::UnsatisfiableSchema { .. })));
    assert!(matches!(
        normal(r##"{"not": {"$ref": "#"}}"##),
        Err(Error::UnsatisfiableSchema { .. })
    ));
    let endless = r##"{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}"##;
    assert!(matches!(normal(endless), Err(Error::UnsatisfiableSchema { .. })));
    let either = r##"{"anyOf": [{"type": "array", "items": {"$ref": "#"}, "minItems": 1}, {"type": "null"}]}"##;
    let normal = normal(either).expect("satisfiable");
    assert!(values::is_in(&normal, normal.root(), &serde_json::json!([[null]])));
    assert!(!values::is_in(&normal, normal.root(), &serde_json::json!([[]])));
}

/// Hostile schemas end in an answer or in an error.
#[test]
fn hostile_schemas_are_bounded() {
    let deep = format!("{}true{}", "{\"not\": ".repeat(60_000), "}".repeat(60_000));
    assert!(matches!(normal(&deep), Err(Error::TooComplex { name: "source_nesting", .. })));
    let chain: Vec<String> =
        (0..60_000).map(|at| format!(r##""d{at}": {{"$ref": "#/$defs/d{}"}}"##, at + 1)).collect();
    let chain = format!(
        r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d60000": {{"type": "string"}}}}}}"##,
        chain.join(", ")
    );
    let long = normal(&chain).expect("a chain");
    assert!(!values::is_in(&long, long.root(), &serde_json::json!(1)));
    let doubling = (0..40).fold("{\"type\": \"string\"}".to_owned(), |inner, _| {
        if inner.len() > 100_000 { inner } else { format!("{{\"allOf\": [{inner}, {inner}]}}") }
    });
    assert!(normal(&doubling).is_ok());
    let knots: Vec<String> = (0..30)
        .map(|at| format!(r#"{{"oneOf": [{{"required": ["a{at}"], "minProperties": {at}}}, {{"required": ["b{at}"], "maxProperties": 90}}, {{"properties": {{"c{at}": {{"type": "integer"}}}}, "required": ["d{at}"]}}]}}"#))
        .collect();
    let knots = format!(r#"{{"type": "object", "allOf": [{}]}}"#, knots.join(", "));
    let answer = normal(&knots);
    assert!(matches!(answer, Ok(_) | Err(Error::TooComplex { .. })), "{answer:?}");
}
