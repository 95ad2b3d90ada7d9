use super::*;
use serde_json::{Value, json};

fn read(file: &Value) -> Result<Vocabulary, Error> {
    Vocabulary::from_tokenizer_json(&file.to_string(), None, None, None)
}

fn message(result: Result<Vocabulary, Error>) -> String {
    match result {
        Err(Error::Vocabulary(message)) => message,
        other => panic!("expected a vocabulary error, not {other:?}"),
    }
}

fn end(id: u32) -> Value {
    json!({"id": id, "content": "</s>", "special": true})
}

fn byte_level(vocab: Value, added: Value) -> Value {
    json!({
        "added_tokens": added,
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocab, "merges": [["a", "b"], "c d"]},
    })
}

fn llama(vocab: Value, added: Value) -> Value {
    json!({
        "added_tokens": added,
        "normalizer": {"type": "Prepend", "prepend": "▁"},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ]},
        "model": {"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": true},
    })
}

#[test]
fn added_tokens_are_literal() {
    let added =
        json!([{"id": 3, "content": "é", "special": false}, {"id": 4, "content": "\n\n"}, end(5)]);
    let v = read(&byte_level(json!({"Ġa": 0, "Ċ": 1, "é": 2}), added)).unwrap();
    assert_eq!(v.token_bytes(0).unwrap(), b" a");
    assert_eq!(v.token_bytes(1).unwrap(), b"\n");
    assert_eq!(v.token_bytes(2).unwrap(), [0xE9]);
    assert_eq!(v.token_bytes(3).unwrap(), "é".as_bytes());
    assert_eq!(v.token_bytes(4).unwrap(), b"\n\n");
    assert_eq!((v.special_token_ids(), v.stop_token_ids()), (&[5][..], &[5][..]));
}

#[test]
fn the_added_token_wins_over_the_piece_of_its_id() {
    let added = json!([{"id": 1, "content": "[TOOL]", "special": true}, {"id": 2, "content": "Ġx"}, end(3)]);
    let v = read(&byte_level(json!({"a": 0, "[TOOL]": 1, "Ġx": 2, "</s>": 3}), added)).unwrap();
    assert_eq!(v.token_bytes(1), None);
    assert_eq!(v.token_bytes(2).unwrap(), "Ġx".as_bytes());
    assert_eq!(v.special_token_ids(), [1, 3]);
    let clash = read(&byte_level(json!({"a": 0, "b": 0}), json!([end(1)])));
    assert!(message(clash).contains("two pieces have the id 0"));
}

#[test]
fn how_an_added_token_is_found_changes_no_bytes() {
    let added = json!([
        {"id": 1, "content": " x ", "lstrip": true, "rstrip": true, "normalized": true, "single_word": true},
        end(2),
    ]);
    let v = read(&llama(json!({"▁a": 0}), added)).unwrap();
    assert_eq!(v.token_bytes(1).unwrap(), b" x ");
    // Nor does the decoder's Strip.
    assert_eq!(v.token_bytes(0).unwrap(), b" a");
}

#[test]
fn byte_fallback_takes_only_the_exact_form() {
    let vocab = json!({"<0x0A>": 0, "\n": 1, "<0x20>": 2, "▁": 3, "<0x0AB>": 4});
    let v = read(&llama(vocab, json!([{"id": 5, "content": "<0x41>"}, end(6)]))).unwrap();
    assert_eq!(v.token_bytes(0), v.token_bytes(1));
    assert_eq!(v.token_bytes(2).unwrap(), b" ");
    assert_eq!(v.token_bytes(3).unwrap(), b" ");
    assert_eq!(v.token_bytes(4).unwrap(), b"<0x0AB>");
    assert_eq!(v.token_bytes(5).unwrap(), b"<0x41>");
}

#[test]
fn a_space_mark_is_text_in_a_byte_level_vocabulary() {
    let v = read(&byte_level(json!({"▁": 0, "<0x0A>": 1}), json!([end(2)]))).unwrap();
    assert_eq!(v.token_bytes(0).unwrap(), "▁".as_bytes());
    assert_eq!(v.token_bytes(1).unwrap(), b"<0x0A>");
}

#[test]
fn the_size_of_the_model_decides() {
    let file = byte_level(
        json!({"a": 0, "b": 5}),
        json!([end(1), {"id": 9, "content": "<image>", "special": true}]),
    );
    let text = file.to_string();
    let v = read(&file).unwrap();
    assert_eq!((v.vocab_size(), v.token_bytes(3)), (10, None));
    let v = Vocabulary::from_tokenizer_json(&text, None, None, Some(16)).unwrap();
    assert_eq!((v.vocab_size(), v.special_token_ids()), (16, &[1, 9][..]));
    let v = Vocabulary::from_tokenizer_json(&text, None, None, Some(5)).unwrap();
    assert_eq!((v.vocab_size(), v.special_token_ids()), (5, &[1][..]));
    let huge = byte_level(json!({"a": 4_000_000_000_u32}), json!([end(1)]));
    assert!(message(read(&huge)).contains("4000000000"));
}

#[test]
fn stop_tokens_are_known_by_name_or_given() {
    let special = |id, name: &str| json!({"id": id, "content": name, "special": true});
    let added =
        json!([special(1, "<|im_end|>"), special(2, "<|endoftext|>"), special(3, "<|im_start|>")]);
    let file = byte_level(json!({"a": 0}), added);
    assert_eq!(read(&file).unwrap().stop_token_ids(), [1, 2]);
    let v =
        Vocabulary::from_tokenizer_json(&file.to_string(), Some(&[3]), Some(&[]), None).unwrap();
    assert_eq!((v.stop_token_ids(), v.special_token_ids()), (&[3][..], &[][..]));
    assert_eq!(v.token_bytes(1).unwrap(), b"<|im_end|>");
    // What is not special ends nothing, whatever its name.
    let file = byte_level(json!({"</s>": 0}), json!([special(3, "<|im_start|>")]));
    assert!(message(read(&file)).contains("stop_token_ids"));
}

#[test]
fn byte_level_is_found_in_sequences_and_in_the_pre_tokenizer() {
    let mut file = byte_level(json!({"Ġ": 0}), json!([end(1)]));
    file["decoder"] = json!({"type": "Sequence", "decoders": [{"type": "ByteLevel"}]});
    assert_eq!(read(&file).unwrap().token_bytes(0).unwrap(), b" ");
    file["decoder"] = Value::Null;
    file["pre_tokenizer"] = json!({"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "x"}, "behavior": "Isolated", "invert": false},
        {"type": "ByteLevel", "add_prefix_space": false},
    ]});
    assert_eq!(read(&file).unwrap().token_bytes(0).unwrap(), b" ");
}

#[test]
fn unigram_models_have_their_ids_by_position() {
    let file = json!({
        "added_tokens": [end(0)],
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
        "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true,
                  "vocab": [["</s>", 0.0], ["▁a", -1.5], ["<0xE9>", -2]]},
    });
    let v = read(&file).unwrap();
    assert_eq!((v.vocab_size(), v.token_bytes(0)), (3, None));
    assert_eq!(v.token_bytes(1).unwrap(), b" a");
    assert_eq!(v.token_bytes(2).unwrap(), [0xE9]);
    let mut file = file;
    file["model"]["byte_fallback"] = json!(false);
    assert_eq!(read(&file).unwrap().token_bytes(2).unwrap(), b"<0xE9>");
}

#[test]
fn what_cannot_be_told_is_refused() {
    let with = |path: &str, value: Value| {
        let mut file = byte_level(json!({"a": 0, "▁b": 2}), json!([end(1)]));
        *file.pointer_mut(path).unwrap() = value;
        message(read(&file))
    };
    assert!(with("/model/type", json!("WordPiece")).contains("WordPiece"));
    assert!(with("/decoder", json!({"type": "WordPiece"})).contains("decoder WordPiece"));
    assert!(with("/decoder", Value::Null).contains("neither its decoder"));
    assert!(with("/decoder", json!({"type": "ByteFallback"})).contains("U+2581"));
    let both =
        json!({"type": "Sequence", "decoders": [{"type": "ByteLevel"}, {"type": "Metaspace"}]});
    assert!(with("/decoder", both).contains("at once"));
    let replace = json!({"type": "Replace", "pattern": {"Regex": "▁"}, "content": " "});
    assert!(with("/decoder", replace).contains("replaces"));
    assert!(with("/model/vocab", json!("x")).contains("cannot be read"));
    let mut clip = byte_level(json!({"a</w>": 0}), json!([end(1)]));
    clip["model"]["end_of_word_suffix"] = json!("</w>");
    assert!(message(read(&clip)).contains("end_of_word_suffix"));
    let nameless = json!({"decoder": {"type": "ByteLevel"}, "model": {"vocab": {"a": 0}}});
    assert!(message(read(&nameless)).contains("unnamed"));
    assert!(
        message(Vocabulary::from_tokenizer_json("{", None, None, None)).contains("cannot be read")
    );
}
