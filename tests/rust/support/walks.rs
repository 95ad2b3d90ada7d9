//! Random walks through the masks of schemas.

use super::grammars::of_schema;
use super::masks::{allowed, mask, unlike_its_trial};
use super::random::{Random, report, seed};
use stackmask::{Spelling, Vocabulary};
use std::sync::Arc;

/// Walks through the masks of schemas, each given with the beginning of a text, in both spellings: some token is allowed
/// wherever the text is not complete, and masks tell what accepting does. `check` gets each schema with a whole text.
pub(crate) fn walk_schemas(
    schemas: &[(&str, &str)],
    vocabulary: &Arc<Vocabulary>,
    walks: usize,
    check: impl Fn(&str, &[u8]),
) {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut compared = 0;
    for (schema, begun) in schemas {
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let compiled = of_schema(schema, spelling, vocabulary);
            let shown = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                format!("{schema}, {spelling:?}, {text}, STACKMASK_SEED={seed}")
            };
            for walk in 0..walks {
                let mut matcher = compiled.matcher();
                let mut text = Vec::new();
                if walk % 2 == 0 {
                    let taken = matcher.accept_bytes(begun.as_bytes()).expect("within limits");
                    assert_eq!(taken, begun.len(), "{schema} {begun}");
                    text.extend(begun.as_bytes());
                }
                for _ in 0..30 {
                    let ids = allowed(&mut matcher);
                    assert!(!ids.is_empty(), "no token: {}", shown(&text));
                    if random.chance(20) {
                        let bits = mask(&mut matcher);
                        assert_eq!(unlike_its_trial(&matcher, &bits), Ok(None), "{}", shown(&text));
                        compared += 1;
                    }
                    // What leads on within keys and items, more often than not.
                    let longer: Vec<u32> = ids.iter().copied().filter(|&id| id > 255).collect();
                    let from = if longer.is_empty() || random.chance(40) { &ids } else { &longer };
                    let id = *random.pick(from);
                    assert!(matcher.accept_token(id).expect("within limits"), "{}", shown(&text));
                    if matcher.is_terminated() {
                        break;
                    }
                    text.extend(vocabulary.token_bytes(id).expect("bytes"));
                }
                if !matcher.is_terminated() {
                    let end = matcher.shortest_completion();
                    let end = end.unwrap_or_else(|error| panic!("{error}: {}", shown(&text)));
                    assert_eq!(matcher.accept_bytes(&end), Ok(end.len()), "{}", shown(&text));
                    assert!(matcher.is_completed(), "{}", shown(&text));
                    text.extend(end);
                }
                check(schema, &text);
            }
        }
    }
    report(&format!("walks of schemas: {compared} masks compared, STACKMASK_SEED={seed}"));
}
