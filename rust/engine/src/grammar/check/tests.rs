use super::*;
use crate::pattern::Pattern;

fn rule(id: u32) -> Expr {
    Expr::Rule(RuleId(id))
}

fn terminal(id: u32) -> Expr {
    Expr::Terminal(TerminalId(id))
}

fn repeat(body: Expr, min: u32, max: Option<u32>) -> Expr {
    Expr::Repeat { body: Box::new(body), min, max }
}

/// Rules r0, r1 and so on over the terminals A, which matches "a", and VOID, which matches nothing.
fn grammar(bodies: Vec<Expr>) -> Grammar {
    let mut grammar = Grammar::new(Ending::Longest);
    grammar.terminal("A", Pattern::Bytes(b"a".to_vec()));
    grammar.terminal("VOID", Pattern::Alt(Vec::new()));
    for (i, body) in bodies.into_iter().enumerate() {
        grammar.rule(format!("r{i}"), body);
    }
    grammar
}

fn refused(grammar: &Grammar) -> String {
    match grammar.check() {
        Err(Error::Grammar(message)) => message,
        other => panic!("expected a grammar error, not {other:?}"),
    }
}

fn remarks(grammar: &Grammar) -> Vec<String> {
    grammar.check().unwrap().into_iter().map(|d| d.message).collect()
}

#[test]
fn ids_must_be_in_range() {
    assert!(refused(&Grammar::new(Ending::Free)).contains("no rules"));
    assert!(
        refused(&grammar(vec![repeat(rule(1), 0, None)])).contains("rule \"r0\" refers to rule")
    );
    assert!(refused(&grammar(vec![Expr::Seq(vec![terminal(2)])])).contains("terminal number 2"));
    let mut start = grammar(vec![terminal(0)]);
    start.start = RuleId(1);
    assert!(refused(&start).contains("the start refers"));
    let mut ignore = grammar(vec![terminal(0)]);
    ignore.ignore.push(TerminalId(9));
    assert!(refused(&ignore).contains("the ignore list refers"));
}

#[test]
fn the_start_must_produce_a_finite_text() {
    let loops = || Expr::Seq(vec![terminal(0), rule(0)]);
    for body in [
        loops(),
        Expr::Alt(Vec::new()),
        Expr::Alt(vec![loops(), terminal(1)]),
        repeat(loops(), 1, None),
        repeat(terminal(0), 2, Some(1)),
        rule(0),
    ] {
        assert!(refused(&grammar(vec![body])).contains("\"r0\""));
    }
    for body in [
        Expr::Empty,
        Expr::Token(7),
        Expr::Seq(Vec::new()),
        Expr::Alt(vec![loops(), terminal(0), terminal(0)]),
        repeat(loops(), 0, None),
        repeat(rule(0), 0, Some(0)),
    ] {
        assert!(grammar(vec![body]).check().is_ok());
    }
}

#[test]
fn the_rest_is_remarked() {
    let mut g = grammar(vec![
        Expr::Alt(vec![terminal(0), rule(1)]),
        Expr::Seq(vec![rule(1), terminal(0)]),
        terminal(1),
    ]);
    assert_eq!(
        remarks(&g),
        [
            "rule \"r1\" can produce no finite text",
            "rule \"r2\" is unused",
            "rule \"r2\" can produce no finite text",
            "terminal \"VOID\" is unused",
            "terminal \"VOID\" matches nothing",
        ]
    );
    g.ignore.push(TerminalId(1));
    assert!(!remarks(&g).iter().any(|r| r == "terminal \"VOID\" is unused"));
}

#[test]
fn a_terminal_in_use_must_not_match_the_empty_string() {
    let mut g = grammar(vec![terminal(0)]);
    let blank = g.terminal("BLANK", Pattern::Empty);
    assert!(remarks(&g).contains(&"terminal \"BLANK\" is unused".to_owned()));
    g.ignore.push(blank);
    assert!(refused(&g).contains("\"BLANK\""));
    g.ending = Ending::Free;
    assert!(g.check().is_ok());
}

#[test]
fn long_chains_of_rules_are_no_problem() {
    let count = 500_000;
    let mut bodies: Vec<_> =
        (1..count).map(|next| Expr::Seq(vec![rule(next), Expr::Empty])).collect();
    bodies.push(terminal(0));
    let mut chain = grammar(bodies);
    assert_eq!(remarks(&chain).len(), 2);
    chain.rules[count as usize - 1].body = rule(0);
    assert!(refused(&chain).contains("\"r0\""));
    let mut fan = vec![Expr::Alt((1..count).map(rule).collect())];
    fan.extend((1..count).map(|_| Expr::Seq(vec![terminal(0), repeat(rule(0), 0, None)])));
    assert_eq!(remarks(&grammar(fan)).len(), 2);
}

#[test]
fn terminals_of_several_patterns() {
    let bytes = |text: &str| Pattern::Bytes(text.as_bytes().to_vec());
    let with = |also: Vec<(Pattern, bool)>, ending| {
        let mut grammar = Grammar::new(ending);
        let pattern = Pattern::Alt(vec![bytes("a"), bytes("bc"), Pattern::Empty]);
        let terminal = grammar.terminal("T", pattern);
        grammar.terminals[0].also = also;
        grammar.rule("start", Expr::Terminal(terminal));
        grammar.check()
    };
    let not_a = || vec![(bytes("a"), false)];
    assert_eq!(with(not_a(), Ending::Free), Ok(Vec::new()));
    assert!(
        matches!(with(not_a(), Ending::Longest), Err(Error::Grammar(m)) if m.contains("\"T\""))
    );
    let nothing = vec![(Pattern::Alt(vec![bytes("a"), bytes("b")]), true), (bytes("a"), false)];
    assert!(matches!(with(nothing, Ending::Free), Err(Error::Grammar(m)) if m.contains("start")));
    let empty = vec![(Pattern::Alt(vec![bytes("ab"), Pattern::Empty]), true)];
    assert_eq!(with(empty, Ending::Free), Ok(Vec::new()));
}
