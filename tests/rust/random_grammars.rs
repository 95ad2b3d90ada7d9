//! Random grammars with small random vocabularies: every mask equals brute force over every token.
//!
//! `STACKMASK_SEED` repeats a run, `STACKMASK_GRAMMARS` makes it longer.

mod random;
mod reference;
mod support;

use std::collections::BTreeSet;

use random::{Kind, Model};
use reference::Chart;
use stackmask::{CompiledGrammar, Ending, Limits, Matcher, TokenId};
use support::masks::{try_mask, unlike_its_trial};
use support::random::{Random, compare_many, seed};
use support::vocabularies;

const ALPHABET: &[u8] = b"aabbc()";
const ALPHABET_WITH_PARTS: &[u8] = b"aabbc()\xc3\xa9";

/// What to compare: bits so far and where the first difference was.
type Outcome = Result<u64, String>;

#[test]
fn masks_over_plain_terminals_equal_brute_force() {
    run("plain", Kind::Plain, ALPHABET, 1_500);
}

#[test]
fn masks_over_pattern_terminals_equal_brute_force() {
    run("patterns", Kind::Any, ALPHABET_WITH_PARTS, 1_000);
}

fn run(name: &str, kind: Kind, alphabet: &[u8], least: u64) {
    let compare = |model: &Model, random: &mut Random| compare(model, random, alphabet);
    let describe = |model: &Model| format!("{model:?}\n{}", model.notation());
    compare_many(name, least, 50, |random| Model::random(random, kind), compare, describe);
}

fn compare(model: &Model, random: &mut Random, alphabet: &[u8]) -> Outcome {
    let grammar = model.grammar(Ending::Free);
    let reference = reference::Grammar::parse(&model.notation());
    let vocabulary = vocabularies::random(random, alphabet);
    let compiled = CompiledGrammar::new(&grammar, vocabulary.clone(), &Limits::default());
    if reference.is_empty() {
        return match compiled {
            Ok(_) => Err("a start that produces nothing was compiled".into()),
            Err(_) => Ok(0),
        };
    }
    let compiled = compiled.map_err(|e| format!("not compiled: {e}"))?;
    let stop = vocabulary.stop_token_ids()[0];
    let mut sorted: Vec<(&[u8], TokenId)> = (0..vocabulary.vocab_size() as TokenId)
        .filter_map(|id| Some((vocabulary.token_bytes(id)?, id)))
        .collect();
    sorted.sort();
    let texts: Vec<&[u8]> = sorted.iter().map(|&(text, _)| text).collect();

    let mut bits = 0;
    for _ in 0..3 {
        let mut chart = Chart::new(&reference);
        let mut matcher = compiled.matcher();
        let mut text: Vec<u8> = Vec::new();
        for _ in 0..random.between(4, 12) {
            let at = |what: &str| format!("after {:?}: {what}", text.escape_ascii().to_string());
            let mut expected = vec![false; vocabulary.vocab_size()];
            for (viable, &(_, id)) in chart.viable(&texts).into_iter().zip(&sorted) {
                expected[id as usize] = viable;
            }
            expected[stop as usize] = chart.accepts();
            let mask = try_mask(&mut matcher).map_err(|e| at(&e.to_string()))?;
            let shown = |id: usize| {
                let text = vocabulary.token_bytes(id as TokenId).unwrap_or(b"<stop>");
                format!(
                    "{:?}, engine {}, reference {}",
                    text.escape_ascii().to_string(),
                    mask[id],
                    expected[id]
                )
            };
            if let Some(id) = (0..mask.len()).find(|&id| mask[id] != expected[id]) {
                return Err(at(&shown(id)));
            }
            if let Some(id) = unlike_its_trial(&matcher, &mask)? {
                return Err(at(&format!("not as accepted: {}", shown(id))));
            }
            if matcher.is_completed() != chart.accepts() {
                return Err(at("is_completed is wrong"));
            }
            bits += mask.len() as u64;
            let Some(id) = choose(&mask, stop, random) else { break };
            step(&mut matcher, id).map_err(|what| at(&what))?;
            for &b in vocabulary.token_bytes(id).expect("text") {
                assert!(chart.push(b), "the reference allowed the token");
                text.push(b);
            }
        }
        completes_shortest(&matcher, &mut chart, alphabet)?;
    }
    Ok(bits)
}

/// The shortest completion completes the text, and none is shorter.
fn completes_shortest(
    matcher: &Matcher,
    chart: &mut Chart<'_>,
    alphabet: &[u8],
) -> Result<(), String> {
    let completion = matcher.shortest_completion().map_err(|e| e.to_string())?;
    let len = chart.len();
    let completes = completion.iter().all(|&b| chart.push(b)) && chart.accepts();
    chart.truncate(len);
    let shown = completion.escape_ascii().to_string();
    if !completes {
        return Err(format!("{shown:?} completes nothing"));
    }
    // Longer ones are too many to try all that are shorter.
    let letters = BTreeSet::from_iter(alphabet.iter().copied());
    if (1..=4).contains(&completion.len()) && can_end(chart, &letters, completion.len() - 1) {
        return Err(format!("{shown:?} is not the shortest completion"));
    }
    Ok(())
}

/// Whether at most `more` bytes complete the text.
fn can_end(chart: &mut Chart<'_>, letters: &BTreeSet<u8>, more: usize) -> bool {
    if chart.accepts() {
        return true;
    }
    let len = chart.len();
    more > 0
        && letters.iter().any(|&byte| {
            let found = chart.push(byte) && can_end(chart, letters, more - 1);
            chart.truncate(len);
            found
        })
}

/// One of the allowed tokens. Long ones are preferred, as single bytes are far more.
fn choose(mask: &[bool], stop: TokenId, random: &mut Random) -> Option<TokenId> {
    let allowed: Vec<usize> = (0..mask.len()).filter(|&i| mask[i] && i != stop as usize).collect();
    let long: Vec<usize> = allowed.iter().copied().filter(|&i| i >= 256).collect();
    let from = if !long.is_empty() && random.chance(60) { &long } else { &allowed };
    (!from.is_empty()).then(|| *random.pick(from) as TokenId)
}

fn step(matcher: &mut Matcher, id: TokenId) -> Result<(), String> {
    match matcher.accept_token(id) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("token {id} is in the mask but was refused")),
        Err(e) => Err(e.to_string()),
    }
}

#[test]
fn most_random_grammars_produce_more_than_one_byte() {
    for kind in [Kind::Plain, Kind::Any] {
        let mut random = Random::new(seed());
        let rich = (0..300)
            .filter(|_| {
                let notation = Model::random(&mut random, kind).notation();
                let reference = reference::Grammar::parse(&notation);
                !reference.is_empty()
                    && ALPHABET
                        .iter()
                        .any(|&a| ALPHABET.iter().any(|&b| reference.is_prefix(&[a, b])))
            })
            .count();
        assert!((150..300).contains(&rich), "{rich} of 300 {kind:?}");
    }
}
