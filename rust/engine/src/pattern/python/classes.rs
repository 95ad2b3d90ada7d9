//! Classes in brackets.

use crate::error::Error;
use crate::pattern::CharSet;
use crate::pattern::charset::points;

use super::categories::{category, property};
use super::escapes;
use super::flags::Flags;
use super::fold::fold;
use super::source::{Source, Token};

/// One member of a class.
enum Member {
    Point(u32),
    Category(CharSet),
}

/// Reads a class after its `[`, which stands at `open`.
pub(super) fn class(source: &mut Source<'_>, open: usize, flags: Flags) -> Result<CharSet, Error> {
    let negated = source.eat('^');
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut categories: Vec<(char, char)> = Vec::new();
    let mut first = true;
    loop {
        let token = next(source, open)?;
        if token.is(']') && !first {
            break;
        }
        first = false;
        let low = member(source, token, flags)?;
        let dash = source.at();
        let high = if source.eat('-') {
            let token = next(source, open)?;
            if token.is(']') {
                // A hyphen before the bracket is a member.
                source.seek(dash);
                None
            } else {
                Some(member(source, token, flags)?)
            }
        } else {
            None
        };
        match (low, high) {
            (Member::Point(low), None) => ranges.extend(points(low, low)),
            (Member::Category(set), None) => categories.extend(set.ranges()),
            (Member::Point(low), Some(Member::Point(high))) if low <= high => {
                ranges.extend(points(low, high));
            }
            _ => {
                let range = source.since(token.at);
                let message = format!(
                    "bad character range {range}: its ends are out of order or not characters"
                );
                return Err(source.error(message, token.at));
            }
        }
    }
    let mut set = CharSet::new(ranges);
    if flags.ignore_case {
        set = fold(&set, flags.ascii);
    }
    if !categories.is_empty() {
        // Categories hold both cases of a letter or neither, so there is nothing to fold in them.
        set = set.union(&CharSet::new(categories));
    }
    Ok(if negated { set.negate() } else { set })
}

fn next(source: &mut Source<'_>, open: usize) -> Result<Token, Error> {
    source.next().ok_or_else(|| source.error("unterminated character class: ']' is expected", open))
}

fn member(source: &mut Source<'_>, token: Token, flags: Flags) -> Result<Member, Error> {
    if !token.escaped {
        return Ok(Member::Point(token.char.into()));
    }
    if matches!(token.char, 'p' | 'P') {
        let set = property(source, token)?;
        return Ok(Member::Category(if flags.ignore_case { fold(&set, flags.ascii) } else { set }));
    }
    match category(token.char, flags.ascii) {
        Some(set) => Ok(Member::Category(set)),
        None => escapes::code_point(source, token, true).map(Member::Point),
    }
}
