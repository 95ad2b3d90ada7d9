//! Compiled grammars for tests.

use stackmask::pattern::{CharSet, Pattern};
use stackmask::{
    CompiledGrammar, Ending, Expr, Grammar, JsonSchemaOptions, Limits, Matcher, RuleId, Spelling,
    Vocabulary,
};
use std::sync::Arc;

/// A grammar that must compile.
pub(crate) fn compile(grammar: &Grammar, vocabulary: &Arc<Vocabulary>) -> CompiledGrammar {
    CompiledGrammar::new(grammar, vocabulary.clone(), &Limits::default()).expect("it compiles")
}

/// At the start of a grammar that must compile.
pub(crate) fn matcher(grammar: &Grammar, vocabulary: &Arc<Vocabulary>) -> Matcher {
    compile(grammar, vocabulary).matcher()
}

/// A pattern that must compile.
pub(crate) fn regex(pattern: &str) -> Grammar {
    Grammar::from_regex(pattern, &Limits::default()).expect("a pattern")
}

/// A terminal of these bytes, added to the grammar.
pub(crate) fn text(grammar: &mut Grammar, bytes: &[u8]) -> Expr {
    let name = String::from_utf8_lossy(bytes).into_owned();
    Expr::Terminal(grammar.terminal(name, Pattern::Bytes(bytes.to_vec())))
}

/// `e: e "+" e | e "*" e | "(" e ")" | /[0-9]+/`
pub(crate) fn ambiguous_sums() -> Grammar {
    let mut g = Grammar::new(Ending::Free);
    let number = Pattern::Repeat {
        body: Box::new(Pattern::Class(CharSet::new([('0', '9')]))),
        min: 1,
        max: None,
        greedy: true,
    };
    let e = || Expr::Rule(RuleId(0));
    let number = Expr::Terminal(g.terminal("number", number));
    let [plus, times, open, close] = [b"+", b"*", b"(", b")"].map(|t| text(&mut g, t));
    g.rule(
        "e",
        Expr::Alt(vec![
            Expr::Seq(vec![e(), plus, e()]),
            Expr::Seq(vec![e(), times, e()]),
            Expr::Seq(vec![open, e(), close]),
            number,
        ]),
    );
    g
}

/// `s: n s "a" | "b" | "(" s ")"` with `n: "c" |`: left recursion hidden behind a nullable rule.
pub(crate) fn hidden_recursion() -> Grammar {
    let mut g = Grammar::new(Ending::Free);
    let (s, n) = (Expr::Rule(RuleId(0)), Expr::Rule(RuleId(1)));
    let [a, b, c, open, close] = [b"a", b"b", b"c", b"(", b")"].map(|t| text(&mut g, t));
    let alternatives = vec![Expr::Seq(vec![n, s.clone(), a]), b, Expr::Seq(vec![open, s, close])];
    g.rule("s", Expr::Alt(alternatives));
    g.rule("n", Expr::Alt(vec![c, Expr::Empty]));
    g
}

/// A schema, compiled.
pub(crate) fn of_schema(
    schema: &str,
    spelling: Spelling,
    vocabulary: &Arc<Vocabulary>,
) -> CompiledGrammar {
    let options = JsonSchemaOptions { spelling, ..JsonSchemaOptions::default() };
    let grammar = Grammar::from_json_schema(schema, &options, &Limits::default()).expect(schema);
    compile(&grammar, vocabulary)
}
