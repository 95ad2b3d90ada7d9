//! One decoding step on JSON documents, warm: the mask, the accept, a fork and a rollback.
//!
//! On the vocabulary of `STACKMASK_TOKENIZER`, a `tokenizer.json`, or on the embedded byte vocabulary.

mod shared;

use criterion::{BatchSize, Criterion};
use shared::{compiled, tokens, vocabulary};
use stackmask::{Grammar, Matcher, TokenId, Whitespace};
use std::hint::black_box;

const DOCUMENT: &str = r#"{"id": 17, "tags": ["a", "b c", "東京"], "price": -1.5e3, "at": {"x": [[], {}, null, true]}}"#;

/// Masks and accepts a whole document.
fn replay(matcher: &mut Matcher, ids: &[TokenId], words: &mut [u32]) {
    for &id in ids {
        black_box(matcher.fill_mask(words)).expect("a mask");
        assert_eq!(matcher.accept_token(id), Ok(true));
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let vocabulary = vocabulary();
    let ids = tokens(&vocabulary, DOCUMENT);
    let mut words = vec![0; vocabulary.vocab_size().div_ceil(32)];
    let json = Grammar::json(Whitespace::Bounded);
    let warm = compiled(&json, &vocabulary);
    replay(&mut warm.matcher(), &ids, &mut words);

    criterion.bench_function("json/warm document", |b| {
        b.iter(|| replay(&mut warm.matcher(), &ids, &mut words));
    });
    criterion.bench_function("json/cold document", |b| {
        let cold = || compiled(&json, &vocabulary).matcher();
        b.iter_batched_ref(cold, |m| replay(m, &ids, &mut words), BatchSize::PerIteration);
    });
    let mut matcher = warm.matcher();
    assert_eq!(matcher.accept_tokens(&ids[..ids.len() / 2]), Ok(ids.len() / 2));
    criterion.bench_function("json/mask", |b| b.iter(|| matcher.fill_mask(&mut words)));
    criterion.bench_function("json/fork", |b| b.iter(|| matcher.clone()));
    criterion.bench_function("json/accept and rollback", |b| {
        b.iter(|| {
            assert_eq!(matcher.accept_token(ids[ids.len() / 2]), Ok(true));
            matcher.rollback(1)
        });
    });
    criterion.final_summary();
}
