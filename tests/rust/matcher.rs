//! Properties of matchers that hold for every grammar, on random walks.

mod support;

use proptest::prelude::*;
use proptest::sample::Index;
use stackmask::{CompiledGrammar, Grammar, Limits, Matcher, TokenId, Whitespace};
use std::sync::OnceLock;
use support::grammars::{ambiguous_sums, compile, hidden_recursion, regex};
use support::masks::{allowed, mask};
use support::random::{Random, report, seed};
use support::vocabularies;

/// Grammars that the properties are tried on.
fn grammars() -> &'static [CompiledGrammar] {
    static ALL: OnceLock<Vec<CompiledGrammar>> = OnceLock::new();
    ALL.get_or_init(|| {
        let json = vocabularies::json();
        let small = ["ab", "aa", "((", "))", "c(", "1+", "+1", "12", "*(", "bca", "é"];
        let small = vocabularies::bytes_and(&small.map(|t| t.as_bytes().to_vec()));
        vec![
            compile(&Grammar::json(Whitespace::Bounded), &json),
            compile(&Grammar::json(Whitespace::Any), &json),
            compile(&Grammar::json(Whitespace::None), &json),
            compile(&Grammar { unique_keys: true, ..Grammar::json(Whitespace::None) }, &json),
            compile(&ambiguous_sums(), &small),
            compile(&hidden_recursion(), &small),
            compile(&regex("(ab|a|é){2,5}(c|12)*"), &small),
            compile(
                &Grammar::from_choices(&["a", "ab", "abc", "12+", "é"], &Limits::default())
                    .expect("choices"),
                &small,
            ),
        ]
    })
}

/// A grammar, and numbers that a walk is chosen with.
fn walks() -> impl Strategy<Value = (usize, Vec<Index>)> {
    (0..grammars().len(), prop::collection::vec(any::<Index>(), 0..25))
}

/// Accepts the allowed token that each number picks, until termination. Returns the tokens.
fn walk(matcher: &mut Matcher, numbers: &[Index]) -> Vec<TokenId> {
    let mut tokens = Vec::new();
    for number in numbers {
        if matcher.is_terminated() {
            break;
        }
        let id = *number.get(&allowed(matcher));
        assert!(matcher.accept_token(id).expect("a step within the limits"));
        tokens.push(id);
    }
    tokens
}

/// The text of the tokens but for stop tokens, which have none.
fn text(matcher: &Matcher, tokens: &[TokenId]) -> Vec<u8> {
    tokens
        .iter()
        .filter_map(|&id| matcher.vocabulary().token_bytes(id))
        .flatten()
        .copied()
        .collect()
}

fn state(matcher: &mut Matcher) -> (Vec<bool>, bool, bool, usize) {
    (mask(matcher), matcher.is_completed(), matcher.is_terminated(), matcher.num_accepted())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rollback_undoes_and_leads_elsewhere(
        (g, first) in walks(),
        there in prop::collection::vec(any::<Index>(), 1..12),
        elsewhere in prop::collection::vec(any::<Index>(), 1..12),
    ) {
        let mut matcher = grammars()[g].matcher();
        let mut tokens = walk(&mut matcher, &first);
        let before = state(&mut matcher);
        let taken = walk(&mut matcher, &there).len();
        matcher.rollback(taken).expect("as many steps as were taken");
        prop_assert_eq!(state(&mut matcher), before);
        tokens.extend(walk(&mut matcher, &elsewhere));
        let mut fresh = grammars()[g].matcher();
        prop_assert_eq!(fresh.accept_tokens(&tokens), Ok(tokens.len()));
        prop_assert_eq!(state(&mut matcher), state(&mut fresh));
        // All the way back, step by step.
        while matcher.num_accepted() > 0 {
            matcher.rollback(1).expect("a step was taken");
        }
        prop_assert_eq!(state(&mut matcher), state(&mut grammars()[g].matcher()));
        prop_assert!(matcher.rollback(1).is_err());
    }

    #[test]
    fn rollback_crosses_the_stop_token((g, first) in walks(), other in any::<Index>()) {
        let mut matcher = grammars()[g].matcher();
        walk(&mut matcher, &first);
        if !matcher.is_terminated() {
            let end = matcher.shortest_completion().expect("a completion");
            matcher.accept_bytes(&end).expect("a step");
            let before = state(&mut matcher);
            let stop = matcher.vocabulary().stop_token_ids()[0];
            prop_assert_eq!(matcher.accept_token(stop), Ok(true));
            prop_assert!(matcher.is_terminated());
            prop_assert_eq!(allowed(&mut matcher), [stop]);
            matcher.rollback(1).expect("the stop token is a step");
            prop_assert_eq!(state(&mut matcher), before);
            walk(&mut matcher, &[other]);
        }
    }

    #[test]
    fn a_fork_is_a_replay((g, first) in walks(), left in walks(), right in walks()) {
        let mut matcher = grammars()[g].matcher();
        let tokens = walk(&mut matcher, &first);
        let mut fork = matcher.clone();
        let on_left = walk(&mut matcher, &left.1);
        let on_right = walk(&mut fork, &right.1);
        for (mut forked, more) in [(matcher, on_left), (fork, on_right)] {
            let mut replayed = grammars()[g].matcher();
            let tokens = [tokens.as_slice(), &more].concat();
            prop_assert_eq!(replayed.accept_tokens(&tokens), Ok(tokens.len()));
            prop_assert_eq!(state(&mut forked), state(&mut replayed));
        }
    }

    #[test]
    fn any_tokenisation_gives_the_same_mask((g, numbers) in walks(), cuts in prop::collection::vec(1usize..5, 1..8)) {
        let mut matcher = grammars()[g].matcher();
        let tokens = walk(&mut matcher, &numbers);
        let text = text(&matcher, &tokens);
        if matcher.is_terminated() {
            matcher.rollback(1).expect("the stop token is a step");
        }
        let expected = (mask(&mut matcher), matcher.is_completed());
        // The first 256 tokens of every vocabulary here are the bytes.
        let mut by_bytes = grammars()[g].matcher();
        let ids: Vec<TokenId> = text.iter().map(|&b| TokenId::from(b)).collect();
        prop_assert_eq!(by_bytes.accept_tokens(&ids), Ok(ids.len()));
        prop_assert_eq!(&(mask(&mut by_bytes), by_bytes.is_completed()), &expected);
        let mut in_pieces = grammars()[g].matcher();
        let mut rest = text.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at((*cut).min(rest.len()));
            prop_assert_eq!(in_pieces.accept_bytes(piece), Ok(piece.len()));
            rest = after;
        }
        prop_assert_eq!(&(mask(&mut in_pieces), in_pieces.is_completed()), &expected);
    }

    #[test]
    fn what_is_refused_or_asked_changes_nothing((g, numbers) in walks(), ids in prop::collection::vec(any::<Index>(), 1..6)) {
        let mut matcher = grammars()[g].matcher();
        walk(&mut matcher, &numbers);
        let before = state(&mut matcher);
        let size = before.0.len();
        let ids: Vec<TokenId> = ids.iter().map(|i| i.index(size) as TokenId).collect();
        for id in 0..size as TokenId {
            let is_allowed = before.0[id as usize] && !before.2;
            prop_assert_eq!(matcher.is_token_allowed(id), Ok(before.0[id as usize]));
            prop_assert_eq!(matcher.validate_tokens(&[id]), Ok(usize::from(is_allowed)));
            if !is_allowed {
                prop_assert_eq!(matcher.accept_token(id), Ok(false));
            }
        }
        let valid = matcher.validate_tokens(&ids).expect("within the limits");
        prop_assert!(matcher.accept_token(size as TokenId).is_err());
        prop_assert!(matcher.validate_tokens(&[TokenId::MAX]).is_err());
        prop_assert!(matcher.rollback(before.3 + 1).is_err());
        prop_assert_eq!(state(&mut matcher), before);
        let mut follower = matcher.clone();
        prop_assert_eq!(follower.accept_tokens(&ids), Ok(valid));
        prop_assert_eq!(follower.num_accepted(), matcher.num_accepted() + valid);
    }

    #[test]
    fn bytes_are_taken_as_far_as_they_fit((g, numbers) in walks(), more in "[a-c()0-9+*\\[\\]{}\", é:]{0,12}") {
        let mut matcher = grammars()[g].matcher();
        walk(&mut matcher, &numbers);
        let terminated = matcher.is_terminated();
        let accepted = matcher.num_accepted();
        let mut by_bytes = matcher.clone();
        let expected = more.bytes().take_while(|&b| {
            !terminated && by_bytes.accept_token(TokenId::from(b)) == Ok(true)
        }).count();
        prop_assert_eq!(matcher.accept_bytes(more.as_bytes()), Ok(expected));
        prop_assert_eq!(matcher.num_accepted(), accepted + usize::from(expected > 0));
        prop_assert_eq!(mask(&mut matcher), mask(&mut by_bytes));
    }

    #[test]
    fn the_shortest_completion_completes((g, numbers) in walks()) {
        let mut matcher = grammars()[g].matcher();
        walk(&mut matcher, &numbers);
        let before = state(&mut matcher);
        let text = matcher.shortest_completion().expect("a completion");
        let tokens = matcher.shortest_completion_tokens().expect("a completion");
        prop_assert_eq!(&state(&mut matcher), &before);
        prop_assert_eq!(text.is_empty(), before.1, "nothing is added to what is complete");
        let mut by_bytes = matcher.clone();
        prop_assert_eq!(by_bytes.accept_bytes(&text), Ok(text.len()));
        prop_assert!(by_bytes.is_completed());
        // A list that ends by a stop token or without one is complete either way.
        let taken = matcher.accept_tokens(&tokens).expect("within the limits");
        prop_assert_eq!(taken, tokens.len());
        prop_assert!(matcher.is_completed());
        prop_assert!(tokens.len() <= text.len() + 1);
    }

    #[test]
    fn forced_bytes_are_forced((g, numbers) in walks()) {
        let mut matcher = grammars()[g].matcher();
        walk(&mut matcher, &numbers);
        let before = state(&mut matcher);
        let forced = matcher.forced_bytes().expect("within the limits");
        prop_assert_eq!(&state(&mut matcher), &before);
        if matcher.is_terminated() {
            prop_assert!(forced.is_empty());
        }
        for &byte in &forced {
            prop_assert!(!matcher.is_completed(), "the text could end here");
            let fitting: Vec<u8> = (0..=255).filter(|&b| {
                matcher.validate_tokens(&[TokenId::from(b)]) == Ok(1)
            }).collect();
            prop_assert_eq!(fitting, [byte]);
            prop_assert_eq!(matcher.accept_bytes(&[byte]), Ok(1));
        }
    }

    #[test]
    fn forced_tokens_are_the_only_ones((g, numbers) in walks()) {
        let mut matcher = grammars()[g].matcher();
        walk(&mut matcher, &numbers);
        let before = state(&mut matcher);
        let forced = matcher.forced_tokens().expect("within the limits");
        prop_assert_eq!(&state(&mut matcher), &before);
        for id in forced {
            prop_assert_eq!(allowed(&mut matcher), [id]);
            prop_assert_eq!(matcher.accept_token(id), Ok(true));
        }
    }
}

#[test]
fn json_walks_never_end_in_nothing() {
    let seed = seed();
    let mut random = Random::new(seed);
    let compiled = compile(&Grammar::json(Whitespace::Bounded), &vocabularies::json());
    let (mut steps, mut documents) = (0, 0);
    while steps < 10_000 || documents < 100 {
        let mut matcher = compiled.matcher();
        let mut tokens = Vec::new();
        while !matcher.is_terminated() {
            let ids = allowed(&mut matcher);
            assert!(!ids.is_empty(), "nothing may follow {tokens:?}, STACKMASK_SEED={seed}");
            let id = favoured(&matcher, &ids, tokens.len(), &mut random);
            assert_eq!(matcher.accept_token(id), Ok(true), "{tokens:?}, STACKMASK_SEED={seed}");
            tokens.push(id);
            steps += 1;
        }
        let text = text(&matcher, &tokens);
        let parsed: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(&text);
        assert!(parsed.is_ok(), "{:?}, STACKMASK_SEED={seed}", String::from_utf8_lossy(&text));
        documents += 1;
    }
    report(&format!("JSON: {steps} steps in {documents} documents, STACKMASK_SEED={seed}"));
}

/// A token that closes something or the stop token, the more often the longer the document is.
fn favoured(matcher: &Matcher, ids: &[TokenId], step: usize, random: &mut Random) -> TokenId {
    let vocabulary = matcher.vocabulary();
    let closing: Vec<TokenId> = ids
        .iter()
        .copied()
        .filter(|&id| vocabulary.token_bytes(id).is_none_or(|t| matches!(t[0], b'}' | b']' | b'"')))
        .collect();
    let from = if !closing.is_empty() && random.chance(10 + step / 2) { &closing } else { ids };
    // The two hundred single bytes of a string would otherwise crowd out what gives structure.
    let structure: Vec<TokenId> = from.iter().copied().filter(|&id| id >= 256).collect();
    let from = if !structure.is_empty() && random.chance(70) { &structure } else { from };
    *random.pick(from)
}
