//! Making a vocabulary; reading and compiling JSON and each file of `grammars/`.
//!
//! On the vocabulary of `STACKMASK_TOKENIZER`, a `tokenizer.json`, or on the embedded byte vocabulary.

mod shared;
#[path = "shared/source.rs"]
mod source;

use criterion::{BatchSize, Criterion};
use shared::{compiled, vocabulary};
use stackmask::{Grammar, LarkOptions, Limits, TokenId, Vocabulary, Whitespace};
use std::path::Path;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let vocabulary = vocabulary();
    let tokens: Vec<Option<Vec<u8>>> = (0..vocabulary.vocab_size() as TokenId)
        .map(|id| vocabulary.token_bytes(id).map(<[u8]>::to_vec))
        .collect();
    let (stop, special) = (vocabulary.stop_token_ids(), vocabulary.special_token_ids());
    let json = Grammar::json(Whitespace::Bounded);

    criterion.bench_function("vocabulary and a first grammar", |b| {
        let make = |tokens| {
            let made = Vocabulary::new(tokens, stop, special, None).expect("a vocabulary");
            compiled(&json, &made.into())
        };
        b.iter_batched(|| tokens.clone(), make, BatchSize::PerIteration);
    });
    criterion.bench_function("json/compile", |b| b.iter(|| compiled(&json, &vocabulary)));

    // Rules made on demand: compiling makes one of them, the text makes all.
    let members = source::members();
    criterion.bench_function("source/compile", |b| b.iter(|| compiled(&members, &vocabulary)));
    let text = source::text();
    let walk = || {
        let mut matcher = compiled(&members, &vocabulary).matcher();
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len()));
        matcher
    };
    criterion.bench_function("source/compile and read 100 members", |b| b.iter(walk));

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    let entries = std::fs::read_dir(folder).expect("the folder of grammars");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "lark"));
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a grammar file");
        let options = LarkOptions { file: path.to_str(), ..LarkOptions::default() };
        let read = || Grammar::from_lark(&text, &options, &Limits::default()).expect("a grammar");
        let grammar = read();
        criterion.bench_function(&format!("{name}/read"), |b| b.iter(read));
        criterion.bench_function(&format!("{name}/compile"), |b| {
            b.iter(|| compiled(&grammar, &vocabulary));
        });
    }
    criterion.final_summary();
}
