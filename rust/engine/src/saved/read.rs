//! Bytes to grammars.

use std::sync::Arc;

use super::write::DEPTH;
use crate::codec::{Reader, damaged};
use crate::error::{Diagnostic, Error};
use crate::frontend::saved_source;
use crate::grammar::{Ending, Expr, Grammar, Layout, Rule, Terminal};
use crate::ids::{RuleId, TerminalId};
use crate::pattern::{ByteAutomaton, ByteState, CharSet, Look, Pattern};

pub(super) fn grammar(left: &mut Reader<'_>) -> Result<Grammar, Error> {
    let rules =
        left.list(|left| Ok(Rule { name: left.text()?.to_owned(), body: expr(left, 0)? }))?;
    let terminals = left.list(|left| {
        Ok(Terminal {
            name: left.text()?.to_owned(),
            common: left.flag()?,
            pattern: pattern(left, 0)?,
            also: left.list(|left| Ok((pattern(left, 0)?, left.flag()?)))?,
        })
    })?;
    let start = RuleId(left.number()?);
    let ending = match left.number::<u8>()? {
        0 => Ending::Free,
        1 => Ending::Longest,
        2 => Ending::Dynamic,
        3 => Ending::DynamicComplete,
        _ => return Err(damaged()),
    };
    let ignore = left.list(|left| left.number().map(TerminalId))?;
    let unique_keys = left.flag()?;
    let scoped_keys = left.flag()?;
    let layout = left.option(|left| {
        Ok(Layout {
            newline: TerminalId(left.number()?),
            indent: TerminalId(left.number()?),
            dedent: TerminalId(left.number()?),
            tab: left.number()?,
        })
    })?;
    let notes = left.list(|left| {
        let pointer = left.option(Reader::text)?.map(str::to_owned);
        let keyword = left.option(Reader::text)?.map(str::to_owned);
        Ok(Diagnostic { pointer, keyword, message: left.text()?.to_owned() })
    })?;
    let sources = left.list(|left| {
        let (kind, bytes) = (left.text()?, left.bytes()?);
        saved_source(kind, bytes)
    })?;
    Ok(Grammar {
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
    })
}

fn deeper(depth: u32) -> Result<u32, Error> {
    if depth < DEPTH { Ok(depth + 1) } else { Err(damaged()) }
}

/// How often a body is repeated.
fn rounds(left: &mut Reader<'_>) -> Result<(u32, Option<u32>), Error> {
    let (min, max) = (left.number()?, left.option(Reader::number)?);
    if max.is_some_and(|max| max < min) { Err(damaged()) } else { Ok((min, max)) }
}

fn expr(left: &mut Reader<'_>, depth: u32) -> Result<Expr, Error> {
    Ok(match left.number::<u8>()? {
        0 => Expr::Empty,
        1 => Expr::Terminal(TerminalId(left.number()?)),
        2 => Expr::Rule(RuleId(left.number()?)),
        3 => Expr::Made { source: left.number()?, rule: RuleId(left.number()?) },
        4 => Expr::Token(left.number()?),
        5 => {
            let depth = deeper(depth)?;
            Expr::Seq(left.list(|left| expr(left, depth))?)
        }
        6 => {
            let depth = deeper(depth)?;
            Expr::Alt(left.list(|left| expr(left, depth))?)
        }
        7 => {
            let body = Box::new(expr(left, deeper(depth)?)?);
            let (min, max) = rounds(left)?;
            Expr::Repeat { body, min, max }
        }
        _ => return Err(damaged()),
    })
}

fn pattern(left: &mut Reader<'_>, depth: u32) -> Result<Pattern, Error> {
    Ok(match left.number::<u8>()? {
        0 => Pattern::Empty,
        1 => Pattern::Bytes(left.bytes()?.to_vec()),
        2 => Pattern::Class(class(left)?),
        3 => {
            let (behind, negative, open) = (left.flag()?, left.flag()?, left.flag()?);
            Look { behind, negative, open, body: pattern(left, deeper(depth)?)? }.into()
        }
        4 => {
            let depth = deeper(depth)?;
            Pattern::Concat(left.list(|left| pattern(left, depth))?)
        }
        5 => {
            let depth = deeper(depth)?;
            Pattern::Alt(left.list(|left| pattern(left, depth))?)
        }
        6 => Pattern::Strings(left.list(|left| left.bytes().map(<[u8]>::to_vec))?),
        7 => Pattern::Automaton(Arc::new(automaton(left)?)),
        8 => {
            let body = Box::new(pattern(left, deeper(depth)?)?);
            let (min, max) = rounds(left)?;
            Pattern::Repeat { body, min, max, greedy: left.flag()? }
        }
        _ => return Err(damaged()),
    })
}

fn class(left: &mut Reader<'_>) -> Result<CharSet, Error> {
    let character = |left: &mut Reader<'_>| char::from_u32(left.number()?).ok_or_else(damaged);
    let ranges = left.list(|left| Ok((character(left)?, character(left)?)))?;
    Ok(CharSet::new(ranges))
}

fn automaton(left: &mut Reader<'_>) -> Result<ByteAutomaton, Error> {
    let states = left.list(|left| {
        let accepting = left.flag()?;
        let edges = left.list(|left| Ok((left.number()?, left.number()?, left.number()?)))?;
        Ok(ByteState { accepting, edges })
    })?;
    ByteAutomaton::new(states)
}
