//! What the benches have in common.

use stackmask::{CompiledGrammar, Grammar, Limits, TokenId, Vocabulary};
use std::sync::Arc;

/// That of the `tokenizer.json` that `STACKMASK_TOKENIZER` names, or the embedded one.
pub(crate) fn vocabulary() -> Arc<Vocabulary> {
    let Ok(path) = std::env::var("STACKMASK_TOKENIZER") else {
        return Arc::new(Vocabulary::byte_level());
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Arc::new(Vocabulary::from_tokenizer_json(&text, None, None, None).expect("a vocabulary"))
}

pub(crate) fn compiled(grammar: &Grammar, vocabulary: &Arc<Vocabulary>) -> CompiledGrammar {
    CompiledGrammar::new(grammar, vocabulary.clone(), &Limits::default()).expect("it compiles")
}

/// The text by longest tokens.
#[allow(dead_code, reason = "not every bench replays a text")]
pub(crate) fn tokens(vocabulary: &Vocabulary, text: &str) -> Vec<TokenId> {
    let mut rest = text.as_bytes();
    let mut ids = Vec::new();
    while !rest.is_empty() {
        let (length, id) = (0..vocabulary.vocab_size() as TokenId)
            .filter_map(|id| Some((vocabulary.token_bytes(id)?, id)))
            .filter(|(bytes, _)| rest.starts_with(bytes))
            .map(|(bytes, id)| (bytes.len(), id))
            .max()
            .expect("a token for every byte");
        ids.push(id);
        rest = &rest[length..];
    }
    ids
}
