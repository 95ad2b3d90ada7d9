//! JSON, RFC 8259.

use crate::grammar::{Ending, Expr, Grammar};
use crate::ids::RuleId;
use crate::pattern::{CharSet, Pattern};

/// How much white space may stand in each gap of a JSON text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Whitespace {
    /// At most one line break and then at most 256 blanks, or at most 8 blanks without one.
    #[default]
    Bounded,
    /// None.
    None,
    /// As much as RFC 8259 allows: any amount.
    Any,
}

impl Grammar {
    /// Any JSON text. An object may have the same key several times, unless [`Grammar::unique_keys`] is set.
    pub fn json(whitespace: Whitespace) -> Self {
        let mut grammar = Self::new(Ending::Free);
        // Rules refer to each other in circles, so that their ids are needed before their bodies.
        let [text, value, object, array, pair] = ["text", "value", "object", "array", "pair"]
            .map(|name| grammar.rule(name, Expr::Empty));
        let gap = match gap(whitespace) {
            Some(pattern) => {
                let gap = grammar.common_terminal("gap", pattern);
                Expr::Alt(vec![Expr::Empty, Expr::Terminal(gap)])
            }
            None => Expr::Empty,
        };
        let string = Expr::Terminal(grammar.common_terminal("string", string()));
        let number = Expr::Terminal(grammar.common_terminal("number", number()));
        let mut literal = |text: &str| {
            Expr::Terminal(grammar.common_terminal(text, Pattern::Bytes(text.as_bytes().to_vec())))
        };
        let [begin_object, end_object, begin_array, end_array, comma, colon] =
            ["{", "}", "[", "]", ",", ":"].map(&mut literal);
        let [yes, no, null] = ["true", "false", "null"].map(&mut literal);

        let list = |begin: Expr, element: RuleId, end: Expr| {
            let element = Expr::Rule(element);
            let next = seq([gap.clone(), comma.clone(), gap.clone(), element.clone()]);
            let next = Expr::Repeat { body: Box::new(next), min: 0, max: None };
            let elements = seq([element, next, gap.clone()]);
            seq([begin, gap.clone(), Expr::Alt(vec![Expr::Empty, elements]), end])
        };
        let bodies = [
            (text, seq([gap.clone(), Expr::Rule(value), gap.clone()])),
            (
                value,
                Expr::Alt(vec![
                    Expr::Rule(object),
                    Expr::Rule(array),
                    string.clone(),
                    number,
                    yes,
                    no,
                    null,
                ]),
            ),
            (object, list(begin_object, pair, end_object)),
            (array, list(begin_array, value, end_array)),
            (pair, seq([string, gap.clone(), colon, gap.clone(), Expr::Rule(value)])),
        ];
        for (rule, body) in bodies {
            grammar.rules[rule.index()].body = body;
        }
        grammar
    }
}

/// One after the other, without those that are empty.
fn seq<const N: usize>(parts: [Expr; N]) -> Expr {
    Expr::Seq(parts.into_iter().filter(|part| *part != Expr::Empty).collect())
}

/// White space of at least one character, if any is allowed.
pub(super) fn gap(whitespace: Whitespace) -> Option<Pattern> {
    let blanks = |min, max| repeat(class([(' ', ' '), ('\t', '\t')]), min, Some(max));
    match whitespace {
        Whitespace::None => None,
        Whitespace::Any => {
            Some(repeat(class([(' ', ' '), ('\t', '\t'), ('\n', '\n'), ('\r', '\r')]), 1, None))
        }
        Whitespace::Bounded => {
            let line_break = Pattern::Concat(vec![optional(bytes("\r")), bytes("\n")]);
            let indent = Pattern::Concat(vec![line_break, blanks(0, 256)]);
            Some(Pattern::Alt(vec![blanks(1, 8), indent]))
        }
    }
}

fn string() -> Pattern {
    let plain = CharSet::new([('\0', '\u{1F}'), ('"', '"'), ('\\', '\\')]).negate();
    let escaped = CharSet::new("\"\\/bfnrt".chars().map(|c| (c, c)));
    let character = Pattern::Alt(vec![
        Pattern::Class(plain),
        Pattern::Concat(vec![bytes("\\"), Pattern::Class(escaped)]),
        code_unit(),
    ]);
    Pattern::Concat(vec![bytes("\""), repeat(character, 0, None), bytes("\"")])
}

/// `\uXXXX`, where surrogates are in pairs.
fn code_unit() -> Pattern {
    let hex = |count| repeat(class([('0', '9'), ('A', 'F'), ('a', 'f')]), count, Some(count));
    let other = class([('0', '9'), ('A', 'C'), ('E', 'F'), ('a', 'c'), ('e', 'f')]);
    let d = || class([('D', 'D'), ('d', 'd')]);
    let high = class([('8', '9'), ('A', 'B'), ('a', 'b')]);
    let low = class([('C', 'F'), ('c', 'f')]);
    Pattern::Concat(vec![
        bytes("\\u"),
        Pattern::Alt(vec![
            Pattern::Concat(vec![other, hex(3)]),
            Pattern::Concat(vec![d(), class([('0', '7')]), hex(2)]),
            Pattern::Concat(vec![d(), high, hex(2), bytes("\\u"), d(), low, hex(2)]),
        ]),
    ])
}

fn number() -> Pattern {
    let digits = |min| repeat(class([('0', '9')]), min, None);
    let whole =
        Pattern::Alt(vec![bytes("0"), Pattern::Concat(vec![class([('1', '9')]), digits(0)])]);
    let fraction = Pattern::Concat(vec![bytes("."), digits(1)]);
    let exponent = Pattern::Concat(vec![
        class([('E', 'E'), ('e', 'e')]),
        optional(class([('+', '+'), ('-', '-')])),
        digits(1),
    ]);
    Pattern::Concat(vec![optional(bytes("-")), whole, optional(fraction), optional(exponent)])
}

fn bytes(text: &str) -> Pattern {
    Pattern::Bytes(text.as_bytes().to_vec())
}

fn class<const N: usize>(ranges: [(char, char); N]) -> Pattern {
    Pattern::Class(CharSet::new(ranges))
}

fn repeat(body: Pattern, min: u32, max: Option<u32>) -> Pattern {
    Pattern::Repeat { body: Box::new(body), min, max, greedy: true }
}

fn optional(body: Pattern) -> Pattern {
    repeat(body, 0, Some(1))
}

#[cfg(test)]
mod tests;
