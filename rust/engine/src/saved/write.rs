//! Grammars to bytes.

use crate::codec::Writer;
use crate::error::{Diagnostic, Error};
use crate::grammar::{Ending, Expr, Grammar, Layout, Rule, Terminal};
use crate::pattern::{ByteAutomaton, CharSet, Look, Pattern};

/// What is nested deeper is not saved: reading it could run out of stack.
pub(super) const DEPTH: u32 = 1000;

pub(super) fn grammar(out: &mut Writer, grammar: &Grammar) -> Result<(), Error> {
    let Grammar {
        rules,
        terminals,
        start,
        ending,
        ignore,
        unique_keys,
        scoped_keys,
        layout,
        sources,
        notes,
    } = grammar;
    for rule in rules {
        check_depth(expr_depth(&rule.body), &rule.name)?;
    }
    for terminal in terminals {
        let also = terminal.also.iter().map(|(pattern, _)| pattern);
        for pattern in also.chain([&terminal.pattern]) {
            if has_lazy(pattern) {
                return Err(Error::Grammar(format!(
                    "{:?} is an automaton by a rule of its own, which cannot be saved",
                    terminal.name
                )));
            }
            check_depth(pattern_depth(pattern), &terminal.name)?;
        }
    }
    out.list(rules, |out, Rule { name, body }| {
        out.text(name);
        expr(out, body);
    });
    out.list(terminals, |out, Terminal { name, pattern: own, also, common }| {
        out.text(name);
        flag(out, *common);
        pattern(out, own);
        out.list(also, |out, (condition, wanted)| {
            pattern(out, condition);
            flag(out, *wanted);
        });
    });
    out.number(start.0);
    out.number(match ending {
        Ending::Free => 0u8,
        Ending::Longest => 1,
        Ending::Dynamic => 2,
        Ending::DynamicComplete => 3,
    });
    out.list(ignore, |out, id| out.number(id.0));
    flag(out, *unique_keys);
    flag(out, *scoped_keys);
    out.option(*layout, |out, Layout { newline, indent, dedent, tab }| {
        for number in [newline.0, indent.0, dedent.0, tab] {
            out.number(number);
        }
    });
    out.list(notes, |out, Diagnostic { pointer, keyword, message }| {
        out.option(pointer.as_deref(), Writer::text);
        out.option(keyword.as_deref(), Writer::text);
        out.text(message);
    });
    out.length(sources.len());
    for source in sources {
        let Some(saved) = source.saved() else {
            return Err(Error::Grammar("a source of the grammar's rules cannot be saved".into()));
        };
        out.text(saved.kind);
        out.bytes(&saved.bytes);
    }
    Ok(())
}

fn check_depth(depth: u32, name: &str) -> Result<(), Error> {
    if depth <= DEPTH {
        return Ok(());
    }
    let message = format!("{name:?} is nested {depth} deep: no more than {DEPTH} can be saved");
    Err(Error::Grammar(message))
}

fn flag(out: &mut Writer, flag: bool) {
    out.number(u8::from(flag));
}

fn expr(out: &mut Writer, expression: &Expr) {
    let mut tag = |tag: u8| out.number(tag);
    match expression {
        Expr::Empty => tag(0),
        Expr::Terminal(id) => {
            tag(1);
            out.number(id.0);
        }
        Expr::Rule(id) => {
            tag(2);
            out.number(id.0);
        }
        Expr::Made { source, rule } => {
            tag(3);
            out.number(*source);
            out.number(rule.0);
        }
        Expr::Token(id) => {
            tag(4);
            out.number(*id);
        }
        Expr::Seq(parts) => {
            tag(5);
            out.list(parts, expr);
        }
        Expr::Alt(parts) => {
            tag(6);
            out.list(parts, expr);
        }
        Expr::Repeat { body, min, max } => {
            tag(7);
            expr(out, body);
            out.number(*min);
            out.option(*max, Writer::number);
        }
    }
}

fn pattern(out: &mut Writer, whole: &Pattern) {
    let mut tag = |tag: u8| out.number(tag);
    match whole {
        Pattern::Empty => tag(0),
        Pattern::Bytes(bytes) => {
            tag(1);
            out.bytes(bytes);
        }
        Pattern::Class(set) => {
            tag(2);
            class(out, set);
        }
        Pattern::Look(look) => {
            tag(3);
            let Look { behind, negative, body, open } = &**look;
            for bit in [behind, negative, open] {
                flag(out, *bit);
            }
            pattern(out, body);
        }
        Pattern::Concat(parts) => {
            tag(4);
            out.list(parts, pattern);
        }
        Pattern::Alt(parts) => {
            tag(5);
            out.list(parts, pattern);
        }
        Pattern::Strings(strings) => {
            tag(6);
            out.list(strings, |out, string| out.bytes(string));
        }
        Pattern::Automaton(made) => {
            tag(7);
            automaton(out, made);
        }
        // Refused before anything is written; no reader takes it.
        Pattern::Lazy(_) => tag(u8::MAX),
        Pattern::Repeat { body, min, max, greedy } => {
            tag(8);
            pattern(out, body);
            out.number(*min);
            out.option(*max, Writer::number);
            flag(out, *greedy);
        }
    }
}

fn class(out: &mut Writer, set: &CharSet) {
    out.list(set.ranges(), |out, &(first, last)| {
        out.number(first);
        out.number(last);
    });
}

fn automaton(out: &mut Writer, automaton: &ByteAutomaton) {
    out.list(automaton.states(), |out, state| {
        flag(out, state.accepting);
        out.list(&state.edges, |out, &(first, last, to)| {
            out.number(first);
            out.number(last);
            out.number(to);
        });
    });
}

fn expr_depth(expression: &Expr) -> u32 {
    let inside = match expression {
        Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().map(expr_depth).max(),
        Expr::Repeat { body, .. } => Some(expr_depth(body)),
        _ => None,
    };
    inside.map_or(0, |depth| depth + 1)
}

fn pattern_depth(pattern: &Pattern) -> u32 {
    let inside = match pattern {
        Pattern::Concat(parts) | Pattern::Alt(parts) => parts.iter().map(pattern_depth).max(),
        Pattern::Repeat { body, .. } => Some(pattern_depth(body)),
        Pattern::Look(look) => Some(pattern_depth(&look.body)),
        _ => None,
    };
    inside.map_or(0, |depth| depth + 1)
}

fn has_lazy(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Lazy(_) => true,
        Pattern::Concat(parts) | Pattern::Alt(parts) => parts.iter().any(has_lazy),
        Pattern::Repeat { body, .. } => has_lazy(body),
        Pattern::Look(look) => has_lazy(&look.body),
        _ => false,
    }
}
