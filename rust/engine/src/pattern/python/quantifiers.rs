//! Quantifiers.

use crate::error::Error;

use super::source::{Source, Token};

/// The largest count that a repetition may name.
const MOST: u32 = 65_536;

/// How often, and whether more is preferred.
#[derive(Debug)]
pub(super) struct Quantifier {
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    pub(super) greedy: bool,
    /// Whether what was taken is never given back.
    pub(super) possessive: bool,
}

/// Reads a quantifier whose first character was taken. None is a brace that starts no quantifier; nothing after it is
/// taken then.
pub(super) fn quantifier(
    source: &mut Source<'_>,
    token: Token,
) -> Result<Option<Quantifier>, Error> {
    let (min, max) = match token.char {
        '*' => (0, None),
        '+' => (1, None),
        '?' => (0, Some(1)),
        _ => match counts(source, token)? {
            Some(counts) => counts,
            None => return Ok(None),
        },
    };
    let greedy = !source.eat('?');
    let possessive = greedy && source.eat('+');
    Ok(Some(Quantifier { min, max, greedy, possessive }))
}

fn counts(source: &mut Source<'_>, token: Token) -> Result<Option<(u32, Option<u32>)>, Error> {
    let start = source.at();
    let low = source.digits(usize::MAX, 10);
    let comma = source.eat(',');
    let high = if comma { source.digits(usize::MAX, 10) } else { low };
    if (low.is_empty() && !comma) || !source.eat('}') {
        source.seek(start);
        return Ok(None);
    }
    let min = if low.is_empty() { 0 } else { count(source, token, low)? };
    let max = if high.is_empty() { None } else { Some(count(source, token, high)?) };
    if max.is_some_and(|max| max < min) {
        let message = "the least number of repetitions is greater than the most";
        return Err(source.error(message, token.at));
    }
    Ok(Some((min, max)))
}

fn count(source: &Source<'_>, token: Token, digits: &str) -> Result<u32, Error> {
    // The digits may be too many for any integer.
    match digits.trim_start_matches('0') {
        "" => Ok(0),
        digits => match digits.parse() {
            Ok(count) if count <= MOST => Ok(count),
            _ => Err(source.error(format!("a repetition count is above {MOST}"), token.at)),
        },
    }
}
