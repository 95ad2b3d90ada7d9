//! A real tokenizer's vocabulary, if `STACKMASK_TOKENIZER` names a `tokenizer.json`.
//!
//! At sampled states every bit of the mask equals `validate_tokens`, and at some of them the reference, in whose
//! notation JSON and the shipped grammars are written too.
//! `STACKMASK_REFERENCE_STATES` says how many (3 unless given).

mod reference;
mod support;

use reference::Chart;
use reference::json::Gap;
use stackmask::{
    CompiledGrammar, Grammar, LarkOptions, Limits, Matcher, TokenId, Vocabulary, Whitespace,
};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use support::masks::mask;
use support::random::{Random, number, report, seed};

const STATES: usize = 50;

/// Is given a matcher, the text so far and the mask.
type Check<'c> = dyn FnMut(&mut Matcher, &[u8], &[bool]) + 'c;

fn vocabulary() -> Option<Arc<Vocabulary>> {
    let Ok(path) = std::env::var("STACKMASK_TOKENIZER") else {
        report("skipped: STACKMASK_TOKENIZER names no tokenizer.json");
        return None;
    };
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Some(Arc::new(Vocabulary::from_tokenizer_json(&text, None, None, None).expect("a vocabulary")))
}

/// Calls `check` at states spread over random documents of the grammar.
fn at_states(compiled: &CompiledGrammar, states: usize, check: &mut Check<'_>) {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut checked = 0;
    while checked < states {
        let mut matcher = compiled.matcher();
        let mut text = Vec::new();
        for _ in 0..100 {
            if matcher.is_terminated() || checked == states {
                break;
            }
            let mask = mask(&mut matcher);
            if random.chance(20) {
                check(&mut matcher, &text, &mask);
                checked += 1;
            }
            let id = choose(&mask, &matcher, &mut random);
            assert_eq!(matcher.accept_token(id), Ok(true), "STACKMASK_SEED={seed}");
            text.extend_from_slice(matcher.vocabulary().token_bytes(id).unwrap_or(b""));
        }
    }
    report(&format!("{checked} states, STACKMASK_SEED={seed}"));
}

/// Short tokens are favoured: they hold the structure, and there are few of them.
fn choose(mask: &[bool], matcher: &Matcher, random: &mut Random) -> TokenId {
    let allowed: Vec<TokenId> =
        (0..mask.len()).filter(|&i| mask[i]).map(|i| i as TokenId).collect();
    let length = |id: TokenId| matcher.vocabulary().token_bytes(id).map_or(1, <[u8]>::len);
    let short: Vec<TokenId> = allowed.iter().copied().filter(|&id| length(id) <= 2).collect();
    let from = if !short.is_empty() && random.chance(60) { &short } else { &allowed };
    *random.pick(from)
}

fn equals_validation(matcher: &mut Matcher, text: &[u8], mask: &[bool]) {
    for (id, &allowed) in mask.iter().enumerate() {
        let valid = matcher.validate_tokens(&[id as TokenId]) == Ok(1);
        assert_eq!(allowed, valid, "token {id} after {:?}", String::from_utf8_lossy(text));
    }
}

/// The tokens in the order of their bytes, and what the reference says of each.
struct Oracle<'v> {
    vocabulary: &'v Vocabulary,
    sorted: Vec<(&'v [u8], usize)>,
    reference: reference::Grammar,
    /// States that are still to be compared.
    left: u64,
}

impl<'v> Oracle<'v> {
    fn new(vocabulary: &'v Vocabulary, notation: &str) -> Self {
        let mut sorted: Vec<(&[u8], usize)> = (0..vocabulary.vocab_size())
            .filter_map(|id| Some((vocabulary.token_bytes(id as TokenId)?, id)))
            .filter(|(bytes, _)| !bytes.is_empty())
            .collect();
        sorted.sort();
        let left = number("STACKMASK_REFERENCE_STATES").unwrap_or(3);
        Self { vocabulary, sorted, reference: reference::Grammar::parse(notation), left }
    }

    fn check(&mut self, text: &[u8], mask: &[bool]) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let mut chart = Chart::new(&self.reference);
        assert!(text.iter().all(|&b| chart.push(b)), "{:?}", String::from_utf8_lossy(text));
        let texts: Vec<&[u8]> = self.sorted.iter().map(|&(bytes, _)| bytes).collect();
        let mut expected = vec![false; mask.len()];
        for (viable, &(_, id)) in chart.viable(&texts).into_iter().zip(&self.sorted) {
            expected[id] = viable;
        }
        for &stop in self.vocabulary.stop_token_ids() {
            expected[stop as usize] = chart.accepts();
        }
        for (id, (allowed, expected)) in mask.iter().zip(expected).enumerate() {
            assert_eq!(
                *allowed,
                expected,
                "token {id} after {:?}",
                text.escape_ascii().to_string()
            );
        }
    }
}

#[test]
fn json_masks_equal_validation_and_the_reference() {
    let Some(vocabulary) = vocabulary() else { return };
    let grammar = Grammar::json(Whitespace::Bounded);
    let compiled = CompiledGrammar::new(&grammar, vocabulary.clone(), &Limits::default());
    let compiled = compiled.expect("JSON compiles");
    let mut oracle = Oracle::new(&vocabulary, &reference::json::notation(Gap::Bounded));
    at_states(&compiled, STATES, &mut |matcher, text, mask| {
        equals_validation(matcher, text, mask);
        oracle.check(text, mask);
    });
}

#[test]
fn masks_of_shipped_grammars_equal_validation_and_the_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    let Ok(entries) = fs::read_dir(&folder) else { return };
    let Some(vocabulary) = vocabulary() else { return };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "lark"));
    paths.sort();
    for path in paths {
        report(&path.display().to_string());
        let text = fs::read_to_string(&path).expect("a grammar file");
        let options = LarkOptions { file: path.to_str(), ..LarkOptions::default() };
        let grammar = Grammar::from_lark(&text, &options, &Limits::default());
        let grammar = grammar.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let compiled = CompiledGrammar::new(&grammar, vocabulary.clone(), &Limits::default());
        let compiled = compiled.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let mut oracle = Oracle::new(&vocabulary, &reference::shipped::notation(name));
        at_states(&compiled, STATES, &mut |matcher, text, mask| {
            equals_validation(matcher, text, mask);
            oracle.check(text, mask);
        });
    }
}
