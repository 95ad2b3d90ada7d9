//! What masks cost on first and on later visits, in time and in trie nodes.
//!
//! On the vocabulary of `STACKMASK_TOKENIZER`, a `tokenizer.json`, or on the embedded byte vocabulary. Each text is read
//! twice by one compiled grammar: the first time makes states and masks, the second finds them.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

mod shared;

use shared::{compiled, tokens, vocabulary};
use stackmask::{Grammar, LarkOptions, Limits, TokenId, Vocabulary, Whitespace};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const DOCUMENTS: [&str; 3] = [
    r#"{"id": 17, "tags": ["a", "b c", "東京"], "price": -1.5e3, "at": {"x": [[], {}, null, true]}}"#,
    r#"[{"name": "naïve \"quoted\" back\\slash", "n": [0, -1, 7, 123456789], "f": [0.5, 1e-9]}, "a\nb", []]"#,
    r#"{"city": {"zip-code": {"order": [[1, [2, [3, {"a": {"b": "Привет 😀"}}]]]]}}, "ok": false, "e": {}}"#,
];

fn main() {
    let vocabulary = vocabulary();
    println!(
        "{:22} {:>6} {:>6} {:>9} {:>9} {:>10} {:>9} {:>8} {:>8} {:>8} {:>9}",
        "µs",
        "masks",
        "comp",
        "cold p50",
        "p90",
        "p99",
        "worst",
        "warm p50",
        "p99",
        "accept",
        "nodes"
    );
    let only = std::env::var("ONLY").ok();
    let wanted = |name: &str| only.as_ref().is_none_or(|o| name.contains(o.as_str()));
    for (i, document) in DOCUMENTS.iter().enumerate() {
        let name = format!("json {i}");
        if wanted(&name) {
            row(&name, &Grammar::json(Whitespace::Bounded), &vocabulary, &[document.to_string()]);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(root.join("grammars")).expect("the folder of grammars");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "lark"));
    paths.sort();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if !wanted(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a grammar file");
        let options = LarkOptions { file: path.to_str(), ..LarkOptions::default() };
        let grammar = Grammar::from_lark(&text, &options, &Limits::default()).expect("a grammar");
        let suite = root.join("tests/suite/grammars").join(format!("{name}.toml"));
        let suite: toml::Table =
            std::fs::read_to_string(suite).expect("a suite file").parse().expect("TOML");
        let texts: Vec<String> = suite["accepts"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|t| t.as_str().expect("a text").to_owned())
            .collect();
        row(&name, &grammar, &vocabulary, &texts);
    }
}

fn row(name: &str, grammar: &Grammar, vocabulary: &Arc<Vocabulary>, texts: &[String]) {
    let texts: Vec<Vec<TokenId>> = texts.iter().map(|t| tokens(vocabulary, t)).collect();
    let began = Instant::now();
    let compiled = compiled(grammar, vocabulary);
    let compile = began.elapsed().as_nanos() as u64;
    let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
    let (mut cold, mut warm, mut accepts) = (Vec::new(), Vec::new(), Vec::new());
    let mut nodes = 0;
    for round in 0..2 {
        for ids in &texts {
            let mut matcher = compiled.matcher();
            for at in 0..=ids.len() {
                let began = Instant::now();
                matcher.fill_mask(&mut words).expect("a mask");
                let took = began.elapsed().as_nanos() as u64;
                if round == 0 { &mut cold } else { &mut warm }.push(took);
                if at < ids.len() {
                    let began = Instant::now();
                    assert_eq!(matcher.accept_token(ids[at]), Ok(true), "{name}");
                    if round == 1 {
                        accepts.push(began.elapsed().as_nanos() as u64);
                    }
                }
            }
        }
        if round == 0 {
            nodes = compiled.nodes_walked();
        }
    }
    cold.sort_unstable();
    warm.sort_unstable();
    accepts.sort_unstable();
    let at = |v: &[u64], q: f64| {
        let at = ((v.len() as f64 * q) as usize).min(v.len() - 1);
        v.get(at).map_or(0.0, |&n| n as f64 / 1000.0)
    };
    println!(
        "{name:22} {:6} {:6.0} {:9.2} {:9.1} {:10.1} {:9.1} {:8.2} {:8.2} {:8.2} {:9}",
        cold.len(),
        compile as f64 / 1000.0,
        at(&cold, 0.5),
        at(&cold, 0.9),
        at(&cold, 0.99),
        at(&cold, 1.0),
        at(&warm, 0.5),
        at(&warm, 0.99),
        at(&accepts, 0.5),
        nodes / cold.len() as u64
    );
}
