//! Rules that are made on demand: the same language as if they had been listed, and nothing made that no text needs.

mod served;
mod support;

use served::{Served, any_order, list, r, t, tail};
use stackmask::pattern::Pattern;
use stackmask::{
    CompiledGrammar, Ending, Error, Expr, Grammar, Limits, MadeRule, Matcher, RuleId, Terminal,
    TokenId, Within,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support::grammars::compile;
use support::masks::{allowed, mask, try_mask};
use support::random::{Random, report, seed};
use support::vocabularies;

/// A random grammar that keeps the promises of sources: each alternative begins with a terminal.
struct Model {
    /// Body and whether it is framed.
    rules: Vec<(Expr, bool)>,
    terminals: Vec<Terminal>,
}

impl Model {
    fn random(random: &mut Random) -> Self {
        let texts = ["a", "b", "ab", "(", ")", "c", "aa"];
        let mut terminals: Vec<Terminal> = texts.iter().map(|t| served::literal(t)).collect();
        let class = Pattern::Class(stackmask::pattern::CharSet::new([('a', 'b')]));
        let many = Pattern::Repeat { body: Box::new(class), min: 1, max: Some(3), greedy: true };
        terminals.push(Terminal::new("ab+", many));
        let count = random.between(1, 6);
        let rules = (0..count)
            .map(|rule| {
                let ways = random.between(1, 3);
                // The last alternative calls nothing, so that every rule ends.
                let body = (0..=ways).map(|way| {
                    let mut parts = vec![Self::terminal(random, terminals.len())];
                    for _ in 0..random.below(4) {
                        let part =
                            Self::part(random, terminals.len(), (way < ways).then_some(count));
                        parts.push(part);
                    }
                    Expr::Seq(parts)
                });
                let body = Expr::Alt(body.collect());
                (body, rule == 0 || random.chance(30))
            })
            .collect();
        let mut model = Self { rules, terminals };
        model.frame_cycles();
        model
    }

    fn terminal(random: &mut Random, count: usize) -> Expr {
        t(random.below(count) as u32)
    }

    fn part(random: &mut Random, terminals: usize, rules: Option<usize>) -> Expr {
        let plain = match rules {
            Some(count) if random.chance(40) => r(random.below(count) as u32),
            _ => Self::terminal(random, terminals),
        };
        match random.below(6) {
            0 => Expr::Alt(vec![plain, Expr::Empty]),
            1 => Expr::Repeat { body: Box::new(plain), min: 0, max: Some(2) },
            2 => {
                let more = Expr::Alt(vec![Expr::Empty, Self::terminal(random, terminals)]);
                let body = Box::new(Expr::Seq(vec![plain, more]));
                Expr::Repeat { body, min: 1, max: Some(3) }
            }
            _ => plain,
        }
    }

    /// A call to a rule that does not come later is framed, so that every cycle has one.
    fn frame_cycles(&mut self) {
        fn calls(expr: &Expr, found: &mut Vec<u32>) {
            match expr {
                Expr::Rule(rule) => found.push(rule.0),
                Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().for_each(|p| calls(p, found)),
                Expr::Repeat { body, .. } => calls(body, found),
                _ => {}
            }
        }
        for rule in 0..self.rules.len() {
            let mut found = Vec::new();
            calls(&self.rules[rule].0, &mut found);
            for to in found {
                self.rules[to as usize].1 |= to as usize <= rule;
            }
        }
    }

    /// Fewest bytes of each rule's texts, by trying until nothing changes.
    fn shortest(&self) -> Vec<u32> {
        fn least(expr: &Expr, known: &[u32], terminals: &[Terminal]) -> u32 {
            match expr {
                Expr::Terminal(t) => match &terminals[t.0 as usize].pattern {
                    Pattern::Bytes(bytes) => bytes.len() as u32,
                    _ => 1,
                },
                Expr::Rule(rule) => known[rule.0 as usize],
                Expr::Seq(parts) => {
                    let all = parts.iter().map(|p| least(p, known, terminals));
                    all.fold(0, u32::saturating_add)
                }
                Expr::Alt(parts) => {
                    parts.iter().map(|p| least(p, known, terminals)).min().expect("a way")
                }
                Expr::Repeat { body, min, .. } => {
                    least(body, known, terminals).saturating_mul(*min)
                }
                _ => 0,
            }
        }
        let mut known = vec![u32::MAX; self.rules.len()];
        loop {
            let next: Vec<u32> =
                self.rules.iter().map(|(body, _)| least(body, &known, &self.terminals)).collect();
            if next == known {
                return known;
            }
            known = next;
        }
    }

    fn listed(&self) -> Grammar {
        let mut grammar = Grammar::new(Ending::Free);
        grammar.terminals = self.terminals.clone();
        for (number, (body, _)) in self.rules.iter().enumerate() {
            grammar.rule(format!("r{number}"), body.clone());
        }
        grammar
    }

    fn served(&self) -> Served {
        let rules = self.rules.clone();
        let mut served = Served::new(&[], move |rule| {
            let (body, framed) = rules[rule as usize].clone();
            Ok(MadeRule { body, framed, within: Within::Caller })
        });
        served.terminals = Arc::new(self.terminals.clone());
        let shortest = self.shortest();
        served.shortest = Arc::new(move |rule| shortest[rule as usize]);
        served
    }
}

/// Walks both at once by random tokens; their masks must be the same all the way. Fails where one of them is past its
/// limits.
fn walk_both(
    one: &mut Matcher,
    other: &mut Matcher,
    random: &mut Random,
    steps: usize,
) -> Result<usize, Error> {
    let mut bits = 0;
    for _ in 0..steps {
        let both = (try_mask(one)?, try_mask(other)?);
        assert_eq!(both.0, both.1);
        assert_eq!(one.is_completed(), other.is_completed());
        bits += both.0.len();
        let ids = (0..both.0.len()).filter(|&id| both.0[id]).map(|id| id as TokenId);
        let allowed: Vec<TokenId> = ids.collect();
        let long: Vec<TokenId> = allowed.iter().copied().filter(|&id| id >= 256).collect();
        let from = if !long.is_empty() && random.chance(60) { &long } else { &allowed };
        let id = *random.pick(from);
        assert!(one.accept_token(id)? && other.accept_token(id)?);
        if one.is_terminated() {
            break;
        }
    }
    if !one.is_terminated() {
        let end = other.shortest_completion()?;
        assert_eq!(one.accept_bytes(&end)?, end.len());
        assert!(one.is_completed());
    }
    Ok(bits)
}

#[test]
fn served_rules_are_the_listed_ones() {
    const GRAMMARS: u64 = 1_000;
    let seed = seed();
    let (mut bits, mut full) = (0, 0);
    for i in 0..GRAMMARS {
        let mut random = Random::new(seed.wrapping_add(i));
        let model = Model::random(&mut random);
        let vocabulary = vocabularies::random(&mut random, b"aabb()c");
        let listed = compile(&model.listed(), &vocabulary);
        let served = compile(&model.served().grammar(), &vocabulary);
        for _ in 0..3 {
            match walk_both(&mut listed.matcher(), &mut served.matcher(), &mut random, 12) {
                Ok(compared) => bits += compared,
                // One grammar in some thousands is so ambiguous that its stacks fill the tables.
                Err(Error::TooComplex { name: "state_bytes" | "step_work", .. }) => {
                    full += 1;
                    break;
                }
                Err(error) => panic!("{error}, STACKMASK_SEED={seed}"),
            }
        }
    }
    assert!(full <= GRAMMARS / 200, "{full} grammars past their limits, STACKMASK_SEED={seed}");
    report(&format!("sources: {bits} bits compared, STACKMASK_SEED={seed}"));
}

#[test]
fn as_many_as_and_no_regular_language() {
    // 0: "a" 0 "b" | "a" "b"
    let nested = Served::new(&["a", "b"], |_| {
        let body = Expr::Alt(vec![Expr::Seq(vec![t(0), r(0), t(1)]), Expr::Seq(vec![t(0), t(1)])]);
        Ok(MadeRule { body, framed: true, within: Within::Caller })
    });
    // 2n: after n of "a"; 2n + 1: n of "b" are due.
    let counted = Served::new(&["a", "b"], |rule| {
        let n = rule / 2;
        tail(match (rule % 2, n) {
            (0, 0) => Expr::Seq(vec![t(0), r(2)]),
            (0, 1) => Expr::Alt(vec![t(1), Expr::Seq(vec![t(0), r(4)])]),
            (0, _) => Expr::Alt(vec![
                Expr::Seq(vec![t(0), r(rule + 2)]),
                Expr::Seq(vec![t(1), r(2 * (n - 1) + 1)]),
            ]),
            (_, 1) => t(1),
            _ => Expr::Seq(vec![t(1), r(rule - 2)]),
        })
    });
    let tokens = ["a", "b", "aa", "ab", "abb", "bb", "aabb", "aaabbb", "bbb"];
    let vocabulary = vocabularies::bytes_and(&tokens.map(|t| t.as_bytes().to_vec()));
    let is_prefix = |text: &[u8]| {
        let a = text.iter().take_while(|&&b| b == b'a').count();
        let b = text.len() - a;
        text[a..].iter().all(|&b| b == b'b') && b <= a
    };
    for source in [nested, counted] {
        let compiled = compile(&source.grammar(), &vocabulary);
        let mut random = Random::new(5);
        for _ in 0..20 {
            let mut matcher = compiled.matcher();
            let mut text: Vec<u8> = Vec::new();
            for _ in 0..30 {
                let stop = vocabulary.stop_token_ids()[0];
                let half = text.len() / 2;
                let whole = half > 0
                    && is_prefix(&text)
                    && 2 * half == text.len()
                    && text[half - 1] == b'a'
                    && text[half] == b'b';
                for (id, allowed) in mask(&mut matcher).into_iter().enumerate() {
                    let id = id as TokenId;
                    let expected = if id == stop {
                        whole
                    } else {
                        let longer = [&text, vocabulary.token_bytes(id).expect("bytes")].concat();
                        is_prefix(&longer)
                    };
                    assert_eq!(allowed, expected, "{text:?} {id}");
                }
                let id = *random.pick(&allowed(&mut matcher));
                assert_eq!(matcher.accept_token(id), Ok(true));
                if id == stop {
                    break;
                }
                text.extend(vocabulary.token_bytes(id).expect("bytes"));
            }
        }
    }
}

#[test]
fn a_counter_is_made_as_far_as_it_is_counted() {
    let source = list(99_990, 100_000);
    let vocabulary = vocabularies::bytes_and(&[b",1".to_vec(), b"1,".to_vec(), b"1]".to_vec()]);
    let compiled = compile(&source.grammar(), &vocabulary);
    let mut matcher = compiled.matcher();
    assert_eq!(source.made.load(Ordering::Relaxed), 1);
    let text = |count: usize| [b"[".as_slice(), &b"1,".repeat(count - 1), b"1"].concat();
    let some = text(100);
    assert_eq!(matcher.accept_bytes(&some), Ok(some.len()));
    assert!(source.made.load(Ordering::Relaxed) <= 103);
    matcher.reset();
    let least = text(99_989);
    assert_eq!(matcher.accept_bytes(&least), Ok(least.len()));
    assert!(!matcher.is_token_allowed(b']'.into()).expect("an answer"));
    assert_eq!(matcher.accept_bytes(b",1"), Ok(2));
    assert!(matcher.is_token_allowed(b']'.into()).expect("an answer"));
    assert_eq!(matcher.accept_bytes(&b",1".repeat(11)), Ok(20));
    assert_eq!(allowed(&mut matcher), [TokenId::from(b']')]);
}

#[test]
fn keys_come_in_any_order_and_once() {
    const KEYS: &[&str] = &["a", "b", "ab", "c", "ca"];
    // Listed: a rule for each of the 32 sets.
    let mut listed = Grammar::new(Ending::Free);
    let texts = ["{", "}", ","].iter().chain(KEYS);
    listed.terminals = texts.map(|t| served::literal(t)).collect();
    listed.rule("text", Expr::Seq(vec![t(0), r(1)]));
    for set in 0..1u32 << KEYS.len() {
        let mut ways = vec![t(1)];
        for key in (0..KEYS.len() as u32).filter(|k| set >> k & 1 == 0) {
            let comma = if set == 0 { Expr::Empty } else { t(2) };
            ways.push(Expr::Seq(vec![comma, t(3 + key), r(1 + (set | 1 << key))]));
        }
        listed.rule(format!("seen{set}"), Expr::Alt(ways));
    }
    let tokens = ["{a", "a,", "ab", ",ab", "b,", "ca", "c,a", "ca}", "a}", "},", "b,c", ",c"];
    let vocabulary = vocabularies::bytes_and(&tokens.map(|t| t.as_bytes().to_vec()));
    let listed = compile(&listed, &vocabulary);
    let served = compile(&any_order(KEYS).grammar(), &vocabulary);
    let mut random = Random::new(seed());
    for _ in 0..100 {
        walk_both(&mut listed.matcher(), &mut served.matcher(), &mut random, 20)
            .expect("both within the limits");
    }
}

#[test]
fn threads_share_what_was_made() {
    const KEYS: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h"];
    let vocabulary = vocabularies::bytes_and(&[b"a,".to_vec(), b",b".to_vec()]);
    let shared = compile(&any_order(KEYS).grammar(), &vocabulary);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (shared, vocabulary) = (&shared, &vocabulary);
            scope.spawn(move || {
                let own = compile(&any_order(KEYS).grammar(), vocabulary);
                let mut random = Random::new(thread);
                for _ in 0..40 {
                    walk_both(&mut own.matcher(), &mut shared.matcher(), &mut random, 30)
                        .expect("both within the limits");
                }
            });
        }
    });
}

#[test]
fn limits_bound_what_is_made() {
    let long = b",1".repeat(1_000);
    let vocabulary = vocabularies::bytes_and(&[b",1".to_vec(), long]);
    let limits = [
        ("rules", Limits { rules: 40, ..Limits::default() }),
        ("state_bytes", Limits { state_bytes: 60_000, ..Limits::default() }),
        ("step_work", Limits { step_work: 300, ..Limits::default() }),
    ];
    for (name, limits) in limits {
        let grammar = list(0, 100_000).grammar();
        let compiled = CompiledGrammar::new(&grammar, vocabulary.clone(), &limits).expect(name);
        for _ in 0..3 {
            let mut matcher = compiled.matcher();
            assert_eq!(matcher.accept_bytes(b"[1"), Ok(2));
            let mut steps = 0;
            let error = loop {
                let before = matcher.num_accepted();
                // One token, one budget of work.
                match matcher.accept_token(if name == "step_work" { 257 } else { 256 }) {
                    Ok(taken) => assert!(taken),
                    Err(error) => {
                        assert_eq!(matcher.num_accepted(), before);
                        break error;
                    }
                }
                steps += 1;
                if steps > 50_000 {
                    panic!("{name}: no limit was reached");
                }
            };
            assert!(matches!(error, Error::TooComplex { name: n, .. } if n == name), "{error}");
            matcher.rollback(1).expect("a step was taken");
        }
    }
}

#[test]
fn what_a_maker_holds_is_charged() {
    let mut source = list(0, 10);
    source.held = 1_000_000;
    let vocabulary = vocabularies::bytes_and(&[]);
    let least = compile(&source.grammar(), &vocabulary).memory_bytes();
    assert!(least > 1_000_000);
    let limits = Limits { state_bytes: 999_999, ..Limits::default() };
    let compiled = CompiledGrammar::new(&source.grammar(), vocabulary, &limits);
    let error = compiled.and_then(|c| c.matcher().accept_bytes(b"[1")).expect_err("it is full");
    assert!(matches!(error, Error::TooComplex { name: "state_bytes", .. }), "{error}");
}

#[test]
fn an_error_of_the_source_leaves_the_matcher_as_it_was() {
    let broken = Arc::new(AtomicBool::new(true));
    let inner = list(0, 10);
    let source = Served {
        make: {
            let (broken, inner) = (broken.clone(), inner.make.clone());
            Arc::new(move |rule| {
                if rule == 4 && broken.load(Ordering::Relaxed) {
                    return Err(Error::Grammar("not today".into()));
                }
                inner(rule)
            })
        },
        ..inner.clone()
    };
    let vocabulary = vocabularies::bytes_and(&[b"1,".to_vec(), b",1".to_vec()]);
    let compiled = compile(&source.grammar(), &vocabulary);
    let mut matcher = compiled.matcher();
    assert_eq!(matcher.accept_bytes(b"[1,1,"), Ok(5));
    for _ in 0..2 {
        assert_eq!(matcher.accept_bytes(b"1"), Err(Error::Grammar("not today".into())));
        assert_eq!(matcher.accept_token(b'1'.into()), Err(Error::Grammar("not today".into())));
        let mut words = vec![7; vocabulary.vocab_size().div_ceil(32)];
        assert!(matcher.fill_mask(&mut words).is_err());
        assert!(words.iter().all(|&w| w == 7));
        assert_eq!(matcher.num_accepted(), 1);
    }
    broken.store(false, Ordering::Relaxed);
    let mut whole = compile(&inner.grammar(), &vocabulary).matcher();
    assert_eq!(whole.accept_bytes(b"[1,1,"), Ok(5));
    walk_both(&mut matcher, &mut whole, &mut Random::new(1), 5).expect("both within the limits");
}

#[test]
fn broken_promises_are_errors() {
    let vocabulary = vocabularies::bytes_and(&[]);
    let limits = Limits { step_work: 100_000, ..Limits::default() };
    let refused = |source: Served| {
        let compiled = CompiledGrammar::new(&source.grammar(), vocabulary.clone(), &limits);
        let outcome = compiled.and_then(|c| c.matcher().accept_bytes(b"aaaa").map(|_| c));
        outcome.map(|_| ()).expect_err("a promise was broken").to_string()
    };
    let grammar = "source 0 broke its promise: rule 0 can be empty";
    assert!(
        refused(Served::new(&["a"], |_| tail(Expr::Alt(vec![t(0), Expr::Empty]))))
            .starts_with(grammar)
    );
    assert!(refused(Served::new(&["a"], |_| tail(Expr::Alt(vec![])))).starts_with(grammar));
    let terminal = "source 0 broke its promise: terminal 0 can be empty";
    assert!(refused(Served::new(&[""], |_| tail(t(0)))).starts_with(terminal));
    let place = "source 0 uses what has no place in a made rule";
    let endless = Expr::Repeat { body: Box::new(t(0)), min: 0, max: None };
    for body in [endless, Expr::Token(3), Expr::Made { source: 0, rule: RuleId(0) }] {
        let body = Expr::Seq(vec![t(0), body]);
        assert!(refused(Served::new(&["a"], move |_| tail(body.clone()))).starts_with(place));
    }
    // Left recursion goes on until a limit is reached.
    let recursive = refused(Served::new(&["a"], |rule| {
        let body = Expr::Alt(vec![t(0), Expr::Seq(vec![r(rule), t(0)])]);
        Ok(MadeRule { body, framed: true, within: Within::Caller })
    }));
    assert!(recursive.contains("exceeds the limit"), "{recursive}");
}

#[test]
fn rules_of_several_sources_stand_among_ordinary_ones() {
    let mut grammar = Grammar::new(Ending::Free);
    let one = grammar.source(Arc::new(list(1, 3)));
    let other = grammar.source(Arc::new(any_order(&["x", "y"])));
    let dash = support::grammars::text(&mut grammar, b"-");
    let made = |source| Expr::Made { source, rule: RuleId(0) };
    let more = Expr::Seq(vec![dash, Expr::Alt(vec![made(one), made(other)])]);
    let more = Expr::Repeat { body: Box::new(more), min: 0, max: None };
    grammar.rule("text", Expr::Seq(vec![made(one), more]));
    let vocabulary = vocabularies::bytes_and(&[b"]-{".to_vec(), b"}-[1".to_vec()]);
    let compiled = compile(&grammar, &vocabulary);
    for (text, whole) in
        [("[1]", true), ("[1,1,1]-{y,x}-[1]-{}", true), ("[1]-{x}-{x", false), ("[1]-", false)]
    {
        let mut matcher = compiled.matcher();
        assert_eq!(matcher.accept_bytes(text.as_bytes()), Ok(text.len()), "{text}");
        assert_eq!(matcher.is_completed(), whole, "{text}");
    }
    for (text, taken) in [("[]", 1), ("[1,1,1,", 6), ("[1]-{x,x", 7), ("{", 0)] {
        assert_eq!(compiled.matcher().accept_bytes(text.as_bytes()), Ok(taken), "{text}");
    }
}

#[test]
fn grammars_are_equal_by_the_fingerprints_of_their_sources() {
    let one = list(0, 3).grammar();
    let mut other = list(0, 4);
    other.fingerprint = 1;
    assert_eq!(one, list(0, 3).grammar());
    assert_ne!(one, other.grammar());
    let mut dangling = Grammar::new(Ending::Free);
    dangling.rule("text", Expr::Made { source: 0, rule: RuleId(0) });
    let error = dangling.check().expect_err("there is no source");
    assert_eq!(error.to_string(), "rule \"text\" refers to source number 0, but the grammar has 0");
}
