//! A source in the shape of JSON objects: one rule for each place between two members.

use stackmask::pattern::{CharSet, Pattern};
use stackmask::{
    Ending, Error, Expr, Grammar, MadeRule, Maker, RuleId, Source, Terminal, TerminalId, Within,
};
use std::sync::Arc;

/// Members of each object, named by their place.
pub(crate) const MEMBERS: u32 = 100;

#[derive(Clone, Debug)]
struct Members;

impl Source for Members {
    fn fingerprint(&self) -> u128 {
        0
    }

    fn open(&self) -> Box<dyn Maker> {
        Box::new(Members)
    }

    fn used_bytes(&self) -> [bool; 256] {
        std::array::from_fn(|b| (0x20..0x7f).contains(&b))
    }
}

const GAP: u32 = 0;
const WORD: u32 = 1;
const OPEN: u32 = 2;
const CLOSE: u32 = 3;
const KEYS: u32 = 4;

fn t(number: u32) -> Expr {
    Expr::Terminal(TerminalId(number))
}

fn gap() -> Expr {
    Expr::Alt(vec![Expr::Empty, t(GAP)])
}

impl Maker for Members {
    /// Rule 0 is the object; rule `n` has read `n - 1` members.
    fn rule(&self, rule: RuleId) -> Result<MadeRule, Error> {
        let next = Expr::Rule(RuleId(rule.0 + 1));
        let body = if rule.0 == 0 {
            Expr::Seq(vec![t(OPEN), gap(), next])
        } else {
            let member = Expr::Seq(vec![t(KEYS + rule.0), gap(), t(WORD), gap(), next]);
            Expr::Alt(if rule.0 > MEMBERS { vec![t(CLOSE)] } else { vec![t(CLOSE), member] })
        };
        Ok(MadeRule { body, framed: rule.0 == 0, within: Within::Caller })
    }

    fn terminal(&self, terminal: TerminalId) -> Result<Terminal, Error> {
        let bytes = |text: &str| Pattern::Bytes(text.as_bytes().to_vec());
        let many = |pairs: [(char, char); 1], min| Pattern::Repeat {
            body: Box::new(Pattern::Class(CharSet::new(pairs))),
            min,
            max: None,
            greedy: true,
        };
        let pattern = match terminal.0 {
            GAP => many([(' ', ' ')], 1),
            WORD => Pattern::Concat(vec![bytes("\""), many([('a', 'z')], 0), bytes("\"")]),
            OPEN => bytes("{"),
            CLOSE => bytes("}"),
            key => bytes(&format!("\"key{}\":", key - KEYS)),
        };
        Ok(Terminal::new("", pattern))
    }

    fn shortest(&self, _: RuleId) -> u32 {
        1
    }

    fn held_bytes(&self) -> usize {
        0
    }
}

/// A grammar whose text is one such object.
pub(crate) fn members() -> Grammar {
    let mut grammar = Grammar::new(Ending::Free);
    let source = grammar.source(Arc::new(Members));
    grammar.rule("text", Expr::Made { source, rule: RuleId(0) });
    grammar
}

/// The object with all of its members.
pub(crate) fn text() -> String {
    let members: String = (1..=MEMBERS).map(|n| format!("\"key{n}\":\"abc\"")).collect();
    format!("{{{members}}}")
}
