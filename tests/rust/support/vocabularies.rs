//! Vocabularies for tests.

use super::random::Random;
use stackmask::{TokenId, Vocabulary};
use std::sync::Arc;

/// These tokens, of which id 0 is the stop token whatever its text.
pub(crate) fn words(tokens: &[&[u8]]) -> Arc<Vocabulary> {
    let tokens = tokens.iter().map(|t| Some(t.to_vec())).collect();
    Arc::new(Vocabulary::new(tokens, &[0], &[0], None).expect("a vocabulary"))
}

/// The 256 bytes as ids 0 to 255, `more` from 256 on, and a stop token at the end.
pub(crate) fn bytes_and(more: &[Vec<u8>]) -> Arc<Vocabulary> {
    let mut tokens: Vec<Option<Vec<u8>>> = (0..=255).map(|b| Some(vec![b])).collect();
    tokens.extend(more.iter().cloned().map(Some));
    tokens.push(Some(b"<end>".to_vec()));
    let stop = tokens.len() as TokenId - 1;
    Arc::new(Vocabulary::new(tokens, &[stop], &[stop], None).expect("a vocabulary"))
}

/// All bytes, random tokens of 1 to 6 bytes over `alphabet` with duplicates, and a stop token.
pub(crate) fn random(random: &mut Random, alphabet: &[u8]) -> Arc<Vocabulary> {
    let mut more: Vec<Vec<u8>> = Vec::new();
    for _ in 0..random.between(10, 60) {
        if !more.is_empty() && random.chance(10) {
            let twice = random.pick(&more).clone();
            more.push(twice);
        } else {
            more.push((0..random.between(1, 6)).map(|_| *random.pick(alphabet)).collect());
        }
    }
    bytes_and(&more)
}

/// All bytes, tokens that begin, end and spell the strings of JSON in parts and several at once, and these.
pub(crate) fn quotes_and(more: &[&str]) -> Arc<Vocabulary> {
    let shared = [
        "{\"", "\":", "\",\"", "\":\"", "\"}", "\"]", "},\"", "\"a\"", "a\"", "\\u0061", "\\u00",
        "\\u006", "\\\"", "1,", "b",
    ];
    let all = shared.iter().chain(more).map(|text| text.as_bytes().to_vec());
    bytes_and(&all.collect::<Vec<_>>())
}

/// All bytes, and tokens that span the symbols of JSON and parts of its strings.
pub(crate) fn json() -> Arc<Vocabulary> {
    let more = [
        "{\"",
        "\":",
        "\": ",
        "\",",
        "\", \"",
        "\"}",
        "\"]",
        "}}",
        "]]",
        "}]",
        "},",
        "],",
        "[[",
        "[{",
        "[]",
        "{}",
        "true",
        "false",
        "null",
        "tr",
        "ue",
        "12",
        "3.5",
        "e+1",
        "0.",
        "\\u",
        "\\n",
        "\\\\",
        "\\\"",
        "00e9",
        "d83d",
        "\\ud83d",
        "\\ude00",
        "ab",
        "abc",
        " a",
        "  ",
        "\n",
        "\n  ",
        "\r\n",
        "é",
        "日本",
        "日本語",
        "😀",
        "a\nb",
        "id",
        "name\": \"",
        "]\n",
        "}\n",
        ", ",
        ": ",
        "1, 2",
        "-1",
        "-",
        "null,",
        "\"a\": [",
    ];
    let mut more: Vec<Vec<u8>> = more.iter().map(|t| t.as_bytes().to_vec()).collect();
    // Parts of characters, alone and behind text.
    more.extend([
        b"\xe6\x97".to_vec(),
        b"\xa5".to_vec(),
        b"a\xf0\x9f".to_vec(),
        b"\x98\x80\"".to_vec(),
    ]);
    bytes_and(&more)
}
