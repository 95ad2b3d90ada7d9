//! Terminals that do not end anywhere, in random grammars, against their definition on whole strings.
//!
//! All strings up to a length are enumerated. What continues to one of them must be allowed; what is allowed
//! beyond that must have a completion that the definition accepts.

mod naive;
mod random;
mod reference;
mod support;

use naive::Language;
use random::{Kind, Model};
use stackmask::{CompiledGrammar, Ending, Limits, Matcher, TokenId, Vocabulary};
use support::masks::{try_mask, unlike_its_trial};
use support::random::{Random, compare_many};
use support::vocabularies;

/// Strings up to this length are enumerated, and masks compared after prefixes of up to [`PREFIX`].
const LENGTH: usize = 7;
const PREFIX: usize = 3;

#[test]
fn dynamic_endings_equal_their_definition() {
    run("dynamic", Ending::Dynamic, 150);
}

#[test]
fn dynamic_complete_endings_equal_their_definition() {
    run("dynamic_complete", Ending::DynamicComplete, 150);
}

#[test]
fn longest_endings_equal_their_definition() {
    run("longest", Ending::Longest, 150);
}

fn run(name: &str, ending: Ending, least: u64) {
    let draw = |random: &mut Random| {
        let mut model = Model::random(random, Kind::NotEmpty);
        for _ in 0..random.below(3).saturating_sub(usize::from(random.chance(50))) {
            model.ignore.push(random.below(model.terminals.len()));
        }
        model.ignore.sort_unstable();
        model.ignore.dedup();
        model
    };
    let compare =
        |model: &Model, random: &mut Random| compare(&Language { model, ending }, ending, random);
    compare_many(name, least, 5, draw, compare, |model| format!("{model:?}"));
}

fn compare(language: &Language<'_>, ending: Ending, random: &mut Random) -> Result<u64, String> {
    let all = strings();
    let members: Vec<&Vec<u8>> = all.iter().filter(|s| language.accepts(s)).collect();
    let more: Vec<Vec<u8>> =
        (0..20).map(|_| (0..random.between(2, 4)).map(|_| *random.pick(b"ab")).collect()).collect();
    let vocabulary = vocabularies::bytes_and(&more);
    let grammar = language.model.grammar(ending);
    // Dead ends under obligations are found by exhausting a search; what takes longer is refused.
    let limits = Limits { step_work: 1_000_000, ..Limits::default() };
    let compiled = match CompiledGrammar::new(&grammar, vocabulary.clone(), &limits) {
        Ok(compiled) => compiled,
        Err(_) if members.is_empty() => return Ok(0),
        Err(e) => return Err(format!("not compiled: {e}")),
    };

    for text in &all {
        let mut matcher = compiled.matcher();
        let taken = matcher.accept_bytes(text).map_err(|e| e.to_string())?;
        let accepted = taken == text.len() && matcher.is_completed();
        if accepted != members.contains(&text) {
            return Err(format!("{:?}: accepted is {accepted}", text.escape_ascii().to_string()));
        }
    }

    let mut bits = 0;
    for prefix in all.iter().filter(|s| s.len() <= PREFIX) {
        let mut matcher = compiled.matcher();
        if matcher.accept_bytes(prefix).map_err(|e| e.to_string())? < prefix.len() {
            continue;
        }
        let at = |what: String| format!("after {:?}: {what}", prefix.escape_ascii().to_string());
        let mask = match try_mask(&mut matcher) {
            Ok(mask) => mask,
            Err(e) => return Err(at(e.to_string())),
        };
        if let Some(id) = unlike_its_trial(&matcher, &mask).map_err(at)? {
            return Err(at(format!("token {id} is not as accepted: {}", mask[id])));
        }
        for (id, &allowed) in mask.iter().enumerate() {
            let Some(token) = vocabulary.token_bytes(id as TokenId) else { continue };
            let text = [prefix.as_slice(), token].concat();
            let witnessed = members.iter().any(|m| m.starts_with(&text));
            let shown = || token.escape_ascii().to_string();
            if witnessed && !allowed {
                return Err(at(format!("{:?} is refused", shown())));
            }
            if allowed && !witnessed {
                completes(&matcher, id as TokenId, &text, language, &vocabulary)
                    .map_err(|what| at(format!("{:?}: {what}", shown())))?;
            }
        }
        bits += mask.len() as u64;
    }
    Ok(bits)
}

/// The engine's own completion of an allowed token must be in the language.
fn completes(
    matcher: &Matcher,
    id: TokenId,
    text: &[u8],
    language: &Language<'_>,
    vocabulary: &Vocabulary,
) -> Result<(), String> {
    let mut matcher = matcher.clone();
    if !matcher.accept_token(id).map_err(|e| e.to_string())? {
        return Err("is in the mask but was refused".into());
    }
    assert!(vocabulary.token_bytes(id).is_some());
    let completion = matcher.shortest_completion().map_err(|e| e.to_string())?;
    let whole = [text, completion.as_slice()].concat();
    // Longer ones exist in principle; the oracle's positions do not reach that far.
    if whole.len() < 64 && !language.accepts(&whole) {
        return Err(format!("completed to {:?}", whole.escape_ascii().to_string()));
    }
    Ok(())
}

/// All strings of `a` and `b` up to [`LENGTH`].
fn strings() -> Vec<Vec<u8>> {
    (0..=LENGTH)
        .flat_map(|len| {
            (0..1usize << len).map(move |bits| {
                (0..len).map(|i| if bits >> i & 1 == 1 { b'b' } else { b'a' }).collect()
            })
        })
        .collect()
}

#[test]
fn the_definition_agrees_with_known_cases_of_lark() {
    use Ending::{Dynamic, DynamicComplete, Longest};
    use random::Node;
    use stackmask::pattern::Pattern;
    let bytes = |s: &str| Pattern::Bytes(s.into());
    let accepts = |terminals: Vec<Pattern>, ignore: Vec<usize>, ending, text: &str| {
        let rules = vec![Node::Seq(vec![Node::Terminal(0), Node::Terminal(1)])];
        let model = Model { start: 0, rules, terminals, ignore };
        Language { model: &model, ending }.accepts(text.as_bytes())
    };
    // /a|ab/ "c": Python takes the "a" and never the "ab".
    let short = || vec![Pattern::Alt(vec![bytes("a"), bytes("ab")]), bytes("c")];
    assert!(accepts(short(), vec![], Dynamic, "ac") && !accepts(short(), vec![], Dynamic, "abc"));
    assert!(!accepts(short(), vec![], DynamicComplete, "abc"));
    // /ab|a/ "b": the longer one is preferred where it fits; a shorter text ends it earlier.
    let long = || vec![Pattern::Alt(vec![bytes("ab"), bytes("a")]), bytes("b")];
    assert!(accepts(long(), vec![], Dynamic, "abb") && !accepts(long(), vec![], Dynamic, "ab"));
    assert!(accepts(long(), vec![], DynamicComplete, "ab"));
    // The longest match ends it, whichever alternative that is.
    assert!(accepts(short(), vec![], Longest, "abc") && accepts(short(), vec![], Longest, "ac"));
    assert!(!accepts(long(), vec![], Longest, "ab"));
    // An ignored run is taken whole.
    let run = Pattern::Repeat { body: Box::new(bytes("x")), min: 1, max: None, greedy: true };
    let ignoring = || vec![bytes("a"), bytes("xb"), run.clone()];
    assert!(
        accepts(ignoring(), vec![2], Dynamic, "axb")
            && !accepts(ignoring(), vec![2], Dynamic, "axxb")
    );
    let plain = || vec![bytes("a"), bytes("b"), run.clone()];
    assert!(
        accepts(plain(), vec![2], Dynamic, "xxaxbxx") && !accepts(plain(), vec![2], Dynamic, "axx")
    );
}
