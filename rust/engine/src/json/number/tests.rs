//! Patterns of number sets against plain arithmetic on the texts.

mod oracle;
mod random;

use std::collections::BTreeMap;

use super::code::{state as state_of, words};
use super::machine::Machine;
use super::state::State;
use super::*;
use crate::error::Error;
use crate::pattern::{ByteAutomaton, ByteState, Pattern};
use oracle::{Value, is_member, verdict};
use random::Random;

/// The set's machine; `None` if the set is empty.
fn machine(set: &NumberSet, spelling: Spelling) -> Option<Machine> {
    set.machine(spelling).unwrap_or_else(|error| panic!("{set:?}: {error}"))
}

fn accepts(machine: &Machine, text: &str) -> bool {
    let mut state = State::Start;
    for byte in text.bytes() {
        match machine.step(&state, byte) {
            Some(next) => state = next,
            None => return false,
        }
    }
    machine.accepts(&state)
}

fn check(set: &NumberSet, spelling: Spelling, machine: &Machine, text: &str) -> bool {
    let found = accepts(machine, text);
    assert_eq!(found, verdict(set, spelling, text), "{spelling:?} {text} {set:?}");
    found
}

/// How many texts were accepted.
fn compare_on_random_texts(random: &mut Random, set: &NumberSet, spelling: Spelling) -> usize {
    let witness = set.witness().unwrap();
    let machine = machine(set, spelling);
    assert_eq!(machine.is_none(), witness.is_none(), "{set:?}");
    let Some(machine) = machine else { return 0 };
    let mut near = vec![Decimal::zero()];
    near.extend(witness.clone());
    near.extend(set.min.iter().chain(&set.max).map(|b| b.value.clone()));
    near.extend(set.excluded.iter().chain(set.values.iter().flatten()).cloned());
    let mut accepted = 0;
    for _ in 0..60 {
        let mut value = near[random.below(near.len())].clone();
        if random.chance(50) {
            let step = [set.step().unwrap_or(Decimal::one()), random.divisor()];
            let step = &step[random.below(2)];
            let steps = value.div_floor(step) + random.below(5) as i64 - 2;
            value = step.times(&steps);
        }
        let text = random.spell(&value);
        accepted += usize::from(check(set, spelling, &machine, &text));
        let mutant = random.mutate(&text);
        // Ten to the power of many digits is more than plain arithmetic can do.
        if mutant.split(['e', 'E']).nth(1).is_none_or(|exponent| exponent.len() <= 5) {
            accepted += usize::from(check(set, spelling, &machine, &mutant));
        }
    }
    if let Some(witness) = witness {
        assert!(is_member(set, &Value::of(&witness)), "{witness} {set:?}");
        assert!(accepts(&machine, &super::spelling::plain(&witness)), "{witness} {set:?}");
    }
    accepted
}

#[test]
fn random_sets_accept_exactly_their_values() {
    let mut random = Random(7);
    let mut accepted = 0;
    for _ in 0..250 {
        let set = random.set();
        for spelling in [Spelling::Canonical, Spelling::Any] {
            accepted += compare_on_random_texts(&mut random, &set, spelling);
        }
    }
    assert!(accepted > 12_000, "{accepted}");
}

#[test]
fn listed_values_accept_exactly_these() {
    let mut random = Random(11);
    for _ in 0..60 {
        let values: Vec<Decimal> = (0..1 + random.below(6)).map(|_| random.decimal()).collect();
        let listed = NumberSet::of_values(values);
        let mut set = listed.clone();
        if random.chance(50) {
            set = set.intersect(&random.set());
        }
        compare_on_random_texts(&mut random, &set, Spelling::Any);
    }
}

/// A set from a few texts: lower bound, upper bound, divisor. A bound behind `!` is left out itself.
fn set(min: &str, max: &str, divisor: &str) -> NumberSet {
    let bound = |text: &str| {
        (!text.is_empty()).then(|| Bound {
            value: number(text.trim_start_matches('!')),
            exclusive: text.starts_with('!'),
        })
    };
    let mut set = NumberSet { min: bound(min), max: bound(max), ..NumberSet::default() };
    match divisor {
        "" => {}
        "integer" => set.integer = true,
        "no integer" => set.not_integer = true,
        _ => match divisor.strip_prefix('!') {
            Some(divisor) => set.not_multiple_of.push(number(divisor)),
            None => set.multiple_of.push(number(divisor)),
        },
    }
    set
}

fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

#[test]
fn all_short_texts_have_the_right_verdict() {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..5 {
        let to = texts.len();
        for at in from..to {
            for c in "0125-.e+".chars() {
                texts.push(format!("{}{c}", texts[at]));
            }
        }
        from = to;
    }
    let mut listed = NumberSet::of_values(["0", "1", "15", "-0.5", "1e7"].map(number));
    listed.excluded.insert(number("15"));
    let mut holes = set("-2", "", "");
    holes.excluded.extend(["0", "1", "1.5", "10", "-0.1"].map(number));
    let sets = [
        set("", "", "integer"),
        set("0", "!1", ""),
        set("!0", "12", "integer"),
        set("-1.5", "1e3", "0.5"),
        set("", "-1e-5", ""),
        set("1", "", "no integer"),
        set("", "", "2.5"),
        set("5", "20", "!0.1"),
        set("-1", "-1", ""),
        set("2", "1", ""),
        listed,
        holes,
    ];
    for set in sets {
        for spelling in [Spelling::Canonical, Spelling::Any] {
            if spelling == Spelling::Canonical && set.values.is_some() {
                continue;
            }
            let Some(machine) = machine(&set, spelling) else {
                assert!(set.is_empty().unwrap(), "{set:?}");
                continue;
            };
            for text in &texts {
                check(&set, spelling, &machine, text);
            }
        }
    }
}

#[test]
fn examples() {
    let cases: &[(NumberSet, Spelling, &[&str], &[&str])] = &[
        (
            set("", "", "integer"),
            Spelling::Any,
            &["1.0", "1e2", "100e-2", "-0.0", "-0", "1.50e1", "0e-5", "0.00012e005", "1E+3"],
            &["1.5", "1.5e0", "15e-1", "1e-1", "01", "1.", "0.1e0", "1e", "--1"],
        ),
        (
            set("0", "100", "integer"),
            Spelling::Canonical,
            &["0", "7", "99", "100"],
            &["-0", "00", "101", "1.0", "1e1", "-1", "1000"],
        ),
        (
            set("!0", "!1", ""),
            Spelling::Canonical,
            &["0.5", "0.50", "1e-07", "9.99e-05", "0.00001", "1.5e-300"],
            &["0", "1", "1.0", "0.0", "1e-4", "1e-7", "1e-007", "10e-07", "1.5e+16", ".5", "1E-07"],
        ),
        (
            set("", "", "0.01"),
            Spelling::Canonical,
            &["19.99", "4.020", "-0.07", "0.0", "1e+16", "1.25e+22"],
            &["0.005", "1e-07", "1e16", "19.991"],
        ),
        (
            set("", "", "0.07"),
            Spelling::Any,
            &["0.07", "7e-2", "0.7e-1", "70e-3", "1.4", "0", "-21"],
            &["0.08", "7e-3", "1", "0.7e-2"],
        ),
        (
            set("9007199254740993", "9007199254740993", ""),
            Spelling::Any,
            &["9007199254740993", "9007199254740993.00", "9.007199254740993e15"],
            &["9007199254740992", "9007199254740993.1", "9.007199254740992e15"],
        ),
        (
            set("", "1e400", ""),
            Spelling::Any,
            &["1e400", "-1e999", "10e399", "0.1e401", "5"],
            &["1e401", "1.1e400", "11e399"],
        ),
        (
            set("1e-100", "", ""),
            Spelling::Any,
            &["1e-100", "1", "1e999", "0.1e-99"],
            &["1e-101", "0", "9e-101", "-1"],
        ),
    ];
    for (set, spelling, yes, no) in cases {
        let machine = machine(set, *spelling).unwrap();
        for text in *yes {
            assert!(accepts(&machine, text), "{text} {set:?}");
            check(set, *spelling, &machine, text);
        }
        for text in *no {
            assert!(!accepts(&machine, text), "{text} {set:?}");
            check(set, *spelling, &machine, text);
        }
    }
}

#[test]
fn long_texts() {
    let set = set("0", "", "integer");
    let machine = machine(&set, Spelling::Any).unwrap();
    let (nines, zeros) = ("9".repeat(500), "0".repeat(500));
    assert!(accepts(&machine, &nines));
    assert!(accepts(&machine, &format!("{nines}.{zeros}")));
    assert!(!accepts(&machine, &format!("{nines}.{zeros}1")));
    let digits = "9".repeat(63);
    assert!(accepts(&machine, &format!("1.{digits}e63")));
    assert!(!accepts(&machine, &format!("1.{digits}e62")));
    assert!(accepts(&machine, &format!("1{}e-63", "0".repeat(63))));
    assert!(!accepts(&machine, &format!("1{}e-64", "0".repeat(63))));
    assert!(accepts(&machine, &format!("1.{}e99", "9".repeat(90))));
}

#[test]
fn listed_values_are_written_as_python_writes_them() {
    let texts = |values: &[&str], integer: bool| {
        let set = NumberSet { integer, ..NumberSet::of_values(values.iter().map(|v| number(v))) };
        match set.pattern(Spelling::Canonical) {
            Ok(Pattern::Strings(texts)) => texts
                .into_iter()
                .map(|t| String::from_utf8(t).unwrap())
                .collect::<Vec<_>>()
                .join(" "),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(texts(&["1", "2.50"], false), "1 1.0 2.5");
    assert_eq!(texts(&["1.0", "2.5"], true), "1");
    assert_eq!(texts(&["0"], false), "-0.0 0 0.0");
    assert_eq!(texts(&["-0.0001", "1e-5"], false), "-0.0001 0.00001 1e-05");
    assert_eq!(texts(&["1.5e16", "123e-7"], false), "0.0000123 1.23e-05 1.5e+16 15000000000000000");
}

#[test]
fn unconstrained_numbers_are_not_an_automaton() {
    for spelling in [Spelling::Canonical, Spelling::Any] {
        assert!(matches!(NumberSet::any().pattern(spelling), Ok(Pattern::Concat(_))));
        let first = NumberSet::integers().pattern(spelling).unwrap();
        assert_eq!(first, NumberSet::integers().pattern(spelling).unwrap());
    }
}

#[test]
fn empty_sets_are_known() {
    let both = |a: NumberSet, b: NumberSet| a.intersect(&b);
    for empty in [
        set("1", "0", ""),
        set("!1", "1", ""),
        set("!1", "!2", "integer"),
        set("1", "6", "7"),
        both(set("", "", "integer"), set("", "", "no integer")),
        both(set("", "", "0.5"), set("", "", "!0.25")),
        both(set("-1", "1", "integer"), set("", "", "!1e-300")),
        both(set("", "", "6"), set("-11", "11", "!4")).intersect(&set("", "", "!6")),
        NumberSet { excluded: [number("3")].into(), ..set("3", "3", "") },
        NumberSet { excluded: ["1", "2", "3"].map(number).into(), ..set("1", "3", "integer") },
        NumberSet::of_values([]),
        both(NumberSet::of_values([number("1.5")]), NumberSet::integers()),
    ] {
        assert!(empty.is_empty().unwrap(), "{empty:?}");
        assert_eq!(empty.members(9).unwrap(), Some(Vec::new()));
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let pattern = empty.pattern(spelling).unwrap();
            assert!(pattern.is_void(), "{empty:?}");
        }
    }
}

#[test]
fn witnesses_are_found_where_they_are_rare() {
    let mut primes = set("1", "", "integer");
    primes.not_multiple_of = ["2", "3", "5", "7", "11", "13"].map(number).into();
    primes.excluded = ["1", "17", "19"].map(number).into();
    assert_eq!(primes.witness().unwrap(), Some(number("23")));
    let mut small = set("!0", "!1e-300", "");
    small.not_multiple_of = vec![number("1e-305")];
    let witness = small.witness().unwrap().unwrap();
    assert!(small.contains(&witness));
    let huge = set("1e300", "", "0.123456789");
    assert!(huge.contains(&huge.witness().unwrap().unwrap()));
    let mut left = set("-20", "-1", "3");
    left.not_multiple_of = vec![number("6")];
    assert_eq!(left.witness().unwrap(), Some(number("-3")));
}

#[test]
fn members_of_finite_sets() {
    let list = |set: &NumberSet| {
        let members = set.members(6).unwrap()?;
        Some(members.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(list(&set("-2", "!2", "integer")).unwrap(), "-2 -1 0 1");
    assert_eq!(list(&set("0.01", "0.02", "0.005")).unwrap(), "0.01 0.015 0.02");
    assert_eq!(list(&set("3", "3", "")).unwrap(), "3");
    assert_eq!(list(&set("0", "7", "integer")), None);
    assert_eq!(list(&set("0", "", "integer")), None);
    assert_eq!(list(&set("0", "1", "")), None);
    assert_eq!(list(&set("1", "5000000", "1000003")).unwrap(), "1000003 2000006 3000009 4000012");
}

#[test]
fn what_is_too_large_is_refused() {
    let larger = set("", "", "123456789012345678901").pattern(Spelling::Canonical);
    assert!(
        matches!(&larger, Err(Error::UnsupportedSchema { keyword, .. }) if keyword == "multipleOf"),
        "{larger:?}"
    );
    let zero = set("", "", "0").pattern(Spelling::Canonical);
    assert!(zero.unwrap_err().to_string().contains("not above zero"));
}

#[test]
fn long_lists_are_told_apart_in_any_spelling() {
    let mut random = Random(11);
    for (count, most) in [(1_000, 1_000), (1_000, 1_000_000), (3_000, 1_000_000_000)] {
        let numbers: BTreeSet<i64> =
            (0..count).map(|_| random.below(most) as i64 * 2 - most as i64).collect();
        let set = NumberSet::of_values(numbers.iter().map(|&n| Decimal::from(n)));
        let machine = machine(&set, Spelling::Any).expect("some");
        for &number in numbers.iter().step_by(7) {
            for value in [number, number + 1, number * 10, -number] {
                let member = numbers.contains(&value);
                let scaled = format!("{:e}", value as f64);
                let plus = scaled.replace('e', "e+0");
                for text in [format!("{value}"), format!("{value}.000"), scaled, plus] {
                    assert_eq!(accepts(&machine, &text), member, "{text}");
                }
            }
        }
    }
}

#[test]
fn common_sets_are_made_once() {
    let min = Some(Bound { value: Decimal::one(), exclusive: false });
    let set = NumberSet { min, integer: true, ..NumberSet::any() };
    for spelling in [Spelling::Canonical, Spelling::Any] {
        let made = || set.pattern(spelling).expect("small");
        assert!(matches!(made(), Pattern::Lazy(_)));
        assert_eq!(made(), made());
    }
}

/// Told by all states there are, where these are few.
#[test]
fn exactly_what_leads_to_a_match_is_live() {
    let mut random = Random(23);
    let (mut dead, mut compared, mut rests) = (0, 0, 0);
    for round in 0..120 {
        let set = match round % 3 {
            0 => random.set(),
            1 => random.set().intersect(&NumberSet::integers()),
            _ => NumberSet::of_values((0..3).map(|_| random.decimal())),
        };
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let Some(machine) = machine(&set, spelling) else { continue };
            let Some(states) = spread(&machine, 3_000) else { continue };
            let live = ByteAutomaton::new(states.iter().map(|s| s.1.clone()).collect());
            let live = live.expect("well-formed");
            compared += 1;
            dead += states.len() - live.states().len();
            let says = states.iter().filter(|s| machine.is_live(&s.0)).count();
            assert_eq!(says, live.states().len(), "{spelling:?} {set:?}");
            rests += check_rests(&machine, &states, &set);
        }
    }
    assert!(dead > 300 && compared > 40 && rests > 500, "{dead} {compared} {rests}");
}

/// No state is nearer to a match than it is said to be. Returns how many states are just as near.
fn check_rests(machine: &Machine, states: &[(State, ByteState)], set: &NumberSet) -> usize {
    // Rounds of "one more than the least of those that it leads to".
    let mut rests: Vec<u32> =
        states.iter().map(|state| if state.1.accepting { 0 } else { u32::MAX }).collect();
    loop {
        let after = |at: usize| {
            let next = states[at].1.edges.iter().map(|edge| rests[edge.2 as usize]).min();
            next.unwrap_or(u32::MAX).saturating_add(1).min(rests[at])
        };
        let next: Vec<u32> = (0..states.len()).map(after).collect();
        if next == rests {
            break;
        }
        rests = next;
    }
    let mut exact = 0;
    for ((state, _), rest) in states.iter().zip(rests).filter(|state| state.1 != u32::MAX) {
        let said = machine.least_rest(state);
        assert!(said <= rest, "{said} instead of {rest}: {state:?} {set:?}");
        exact += usize::from(said == rest);
    }
    exact
}

/// All states, dead ones included, if there are at most `most`.
fn spread(machine: &Machine, most: usize) -> Option<Vec<(State, ByteState)>> {
    let mut states = vec![State::Start];
    let mut known = BTreeMap::from([(words(&State::Start), 0)]);
    let mut done = Vec::new();
    while let Some(state) = states.get(done.len()).cloned() {
        let mut edges = Vec::new();
        for &byte in BYTES {
            let Some(next) = machine.next(&state, byte) else { continue };
            assert_eq!(state_of(&words(&next)), next);
            let at = *known.entry(words(&next)).or_insert_with(|| {
                states.push(next);
                states.len() as u32 - 1
            });
            edges.push((byte, byte, at));
        }
        let accepting = machine.accepts(&state);
        done.push((state, ByteState { accepting, edges }));
        if states.len() > most {
            return None;
        }
    }
    Some(done)
}

const BYTES: &[u8] = b"+-.0123456789Ee";

/// A state that can neither end nor go on would not be live.
#[test]
fn random_walks_do_not_end_in_nothing() {
    let mut random = Random(29);
    let mut bytes = 0;
    for round in 0..300 {
        let mut set = random.set();
        if round % 3 == 0 {
            set.multiple_of.push(number(["9973", "123456789", "1.7e-19"][random.below(3)]));
        }
        if round % 5 == 0 {
            set = NumberSet::of_values((0..20).map(|_| random.decimal()));
        }
        for spelling in [Spelling::Canonical, Spelling::Any] {
            let Some(machine) = machine(&set, spelling) else { continue };
            for _ in 0..4 {
                let mut state = State::Start;
                let mut text = String::new();
                for _ in 0..60 {
                    let steps = BYTES.iter().filter_map(|&b| Some((b, machine.step(&state, b)?)));
                    let mut steps: Vec<(u8, State)> = steps.collect();
                    let ends = machine.accepts(&state);
                    assert!(ends || !steps.is_empty(), "{spelling:?} {text} {set:?}");
                    assert!(machine.least_rest(&state) > 0 || ends);
                    if steps.is_empty() || (ends && random.chance(10)) {
                        break;
                    }
                    let (byte, next) = steps.swap_remove(random.below(steps.len()));
                    text.push(char::from(byte));
                    state = next;
                }
                bytes += text.len();
                if machine.accepts(&state) {
                    assert!(verdict(&set, spelling, &text), "{spelling:?} {text} {set:?}");
                }
            }
        }
    }
    assert!(bytes > 20_000, "{bytes}");
}
