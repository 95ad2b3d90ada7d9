//! What the programs that measure schemas are given: `FILE [ROUNDS [ID]]`, where each line of the file is a JSON object
//! with a `schema` and perhaps `id` and `tests`.

use serde_json::Value;

/// The objects of the file, or the one with this id, each with its id; and the rounds.
pub(crate) fn arguments() -> (Vec<(String, Value)>, u32) {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file of schemas, one JSON object a line");
    let rounds = arguments.next().map_or(1, |rounds| rounds.parse().expect("a number"));
    let wanted = arguments.next();
    let text = std::fs::read_to_string(file).expect("a file");
    let cases = text.lines().map(|line| {
        let case: Value = serde_json::from_str(line).expect("JSON");
        (case["id"].as_str().unwrap_or_default().to_owned(), case)
    });
    let cases = cases.filter(|(id, _)| wanted.as_ref().is_none_or(|wanted| wanted == id)).collect();
    (cases, rounds)
}
