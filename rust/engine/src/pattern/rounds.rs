//! Rounds of a repetition that match nothing.
//!
//! A backtracking matcher leaves a loop after a round that matched nothing. So in `(a??|b)*x` the way out is preferred
//! to `b`, which a loop over the same body that merely skips empty rounds would get wrong. [`Pattern::settle_rounds`]
//! writes such loops with bodies that match something, in the same order of preference: with A what the body prefers to
//! the empty match and B what it prefers the empty match to, a round is A, the way out, or B.

use super::Pattern;
use crate::error::Error;
use crate::limits::{Limits, check};

/// A pattern that may match nothing, by what is preferred to that.
struct Split {
    /// What matches something and is preferred to the empty match, or all there is if that never matches.
    above: Vec<Pattern>,
    /// Whether it matches nothing.
    empty: bool,
    /// What is less preferred.
    below: Vec<Pattern>,
}

impl Pattern {
    /// The same pattern with no empty rounds in its loops; the set of matches and their order stay as they are to a
    /// backtracking matcher.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if nested loops make too many copies of what is inside.
    pub(crate) fn settle_rounds(self, limits: &Limits) -> Result<Self, Error> {
        Settler { limits, made: 0 }.settle(self)
    }
}

struct Settler<'l> {
    limits: &'l Limits,
    /// Parts made so far.
    made: u64,
}

impl Settler<'_> {
    fn settle(&mut self, pattern: Pattern) -> Result<Pattern, Error> {
        let mut all = |parts: Vec<Pattern>| {
            parts.into_iter().map(|part| self.settle(part)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match pattern {
            Pattern::Concat(parts) => Pattern::Concat(all(parts)?),
            Pattern::Alt(parts) => Pattern::Alt(all(parts)?),
            Pattern::Repeat { body, min, max, greedy } => {
                let body = self.settle(*body)?;
                self.repeat(body, min, max, greedy)?
            }
            other => other,
        })
    }

    fn repeat(
        &mut self,
        body: Pattern,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    ) -> Result<Pattern, Error> {
        let more = max.is_none_or(|max| max > min);
        let split = if more && body.is_nullable() { self.split(&body)? } else { None };
        let Some(Split { above, below, .. }) = split else {
            return Ok(Pattern::Repeat { body: Box::new(body), min, max, greedy });
        };
        let rest = max.map(|max| max - min);
        let rounds = match (above.is_empty(), below.is_empty()) {
            (true, true) => Pattern::Empty,
            // After an empty round a lazy loop could only try what it has tried.
            _ if !greedy => repeated(alt(above.into_iter().chain(below)), rest, false),
            (false, true) => repeated(alt(above), rest, true),
            (true, false) => repeated(alt(below), rest, false),
            (false, false) => match rest {
                None => {
                    self.spend(&above)?;
                    let above = repeated(alt(above), None, true);
                    let next = Pattern::Concat(vec![alt(below), above.clone()]);
                    Pattern::Concat(vec![above, repeated(next, None, false)])
                }
                Some(rest) => self.counted(&above, &below, rest)?,
            },
        };
        if min == 0 {
            return Ok(rounds);
        }
        // The first rounds have to be, whatever they match.
        let first = Pattern::Repeat { body: Box::new(body), min, max: Some(min), greedy };
        Ok(Pattern::Concat(vec![first, rounds]))
    }

    /// At most `rounds` rounds of what is on both sides of the empty match, written out.
    fn counted(
        &mut self,
        above: &[Pattern],
        below: &[Pattern],
        rounds: u32,
    ) -> Result<Pattern, Error> {
        let mut all = Pattern::Empty;
        for _ in 0..rounds {
            self.spend(above)?;
            self.spend(below)?;
            self.spend(std::slice::from_ref(&all))?;
            let then = |part: Pattern, all: &Pattern| match all {
                Pattern::Empty => part,
                all => Pattern::Concat(vec![part, all.clone()]),
            };
            all = Pattern::Alt(vec![
                then(alt(above.to_vec()), &all),
                Pattern::Empty,
                then(alt(below.to_vec()), &all),
            ]);
        }
        Ok(all)
    }

    /// Splits a settled pattern; none if it has parts that match nothing only in some places.
    fn split(&mut self, pattern: &Pattern) -> Result<Option<Split>, Error> {
        self.spend(std::slice::from_ref(pattern))?;
        if !pattern.is_nullable() {
            let above = if pattern.is_void() { Vec::new() } else { vec![pattern.clone()] };
            return Ok(Some(Split { above, empty: false, below: Vec::new() }));
        }
        let nothing = Split { above: Vec::new(), empty: true, below: Vec::new() };
        Ok(match pattern {
            Pattern::Empty => Some(nothing),
            Pattern::Bytes(bytes) if bytes.is_empty() => Some(nothing),
            Pattern::Alt(options) => {
                let mut all = Split { empty: false, ..nothing };
                for option in options {
                    let Some(mut one) = self.split(option)? else { return Ok(None) };
                    if all.empty {
                        all.below.append(&mut one.above);
                    } else {
                        all.above.append(&mut one.above);
                    }
                    all.empty |= one.empty;
                    all.below.append(&mut one.below);
                }
                Some(all)
            }
            Pattern::Concat(parts) => {
                let mut all = nothing;
                for (index, part) in parts.iter().enumerate().rev() {
                    let Some(one) = self.split(part)? else { return Ok(None) };
                    let rest = &parts[index + 1..];
                    self.spend(rest)?;
                    let then = |part: Vec<Pattern>| {
                        let whole = || Pattern::Concat([&[alt(part.clone())], rest].concat());
                        if part.is_empty() { None } else { Some(whole()) }
                    };
                    all.above = then(one.above).into_iter().chain(all.above).collect();
                    all.below.extend(then(one.below));
                }
                Some(all)
            }
            Pattern::Repeat { body, min: 0, max, greedy } if !body.is_nullable() => {
                self.spend(std::slice::from_ref(body))?;
                let less = max.map(|max| max.saturating_sub(1));
                let body = body.as_ref().clone();
                let some = match less {
                    _ if *max == Some(0) => Vec::new(),
                    Some(0) => vec![body],
                    _ => vec![Pattern::Concat(vec![body.clone(), repeated(body, less, *greedy)])],
                };
                let (above, below) = if *greedy { (some, Vec::new()) } else { (Vec::new(), some) };
                Some(Split { above, empty: true, below })
            }
            // What is left of settled repetitions has a fixed number of rounds.
            Pattern::Repeat { body, min, max: Some(max), .. } if min == max => {
                let rounds = vec![body.as_ref().clone(); *min as usize];
                self.spend(&rounds)?;
                self.split(&Pattern::Concat(rounds))?
            }
            _ => None,
        })
    }

    fn spend(&mut self, parts: &[Pattern]) -> Result<(), Error> {
        const WHAT: &str = "parts of patterns whose loops can match nothing, written out";
        self.made = parts.iter().fold(self.made, |sum, part| sum.saturating_add(size(part)));
        check(WHAT, "instructions", self.limits.instructions as u64, self.made)
    }
}

fn alt(options: impl IntoIterator<Item = Pattern>) -> Pattern {
    let mut options: Vec<Pattern> = options.into_iter().collect();
    if options.len() == 1 { options.remove(0) } else { Pattern::Alt(options) }
}

fn repeated(body: Pattern, max: Option<u32>, greedy: bool) -> Pattern {
    Pattern::Repeat { body: Box::new(body), min: 0, max, greedy }
}

/// Parts of a pattern.
fn size(pattern: &Pattern) -> u64 {
    let all = |parts: &[Pattern]| parts.iter().fold(1, |sum: u64, p| sum.saturating_add(size(p)));
    match pattern {
        Pattern::Concat(parts) | Pattern::Alt(parts) => all(parts),
        Pattern::Repeat { body, .. } => size(body) + 1,
        Pattern::Strings(strings) => strings.len() as u64,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::python::{Anchors, Flags, parse};

    fn settled(pattern: &str, limits: &Limits) -> Result<Pattern, Error> {
        parse(pattern, Flags::default(), Anchors::Terminal, limits)?.settle_rounds(limits)
    }

    fn text(pattern: &Pattern) -> String {
        let all = |parts: &[Pattern], by: &str| parts.iter().map(text).collect::<Vec<_>>().join(by);
        match pattern {
            Pattern::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Pattern::Concat(parts) => all(parts, ""),
            Pattern::Alt(options) => format!("({})", all(options, "|")),
            Pattern::Repeat { body, min, max, greedy } => {
                let max = max.map_or(String::new(), |max| max.to_string());
                format!("({}){{{min},{max}}}{}", text(body), if *greedy { "" } else { "?" })
            }
            _ => String::new(),
        }
    }

    #[test]
    fn loops_are_written_without_empty_rounds() {
        for (pattern, want) in [
            ("(?:a??|b)*", "((a|b)){0,}?"),
            ("(?:a|c||b)*", "((a|c)){0,}(b((a|c)){0,}){0,}?"),
            ("(?:|b)*", "(b){0,}?"),
            ("(?:b|)*", "(b){0,}"),
            ("(?:b||a)*?", "((b|a)){0,}?"),
            ("(?:b|)+", "((b|)){1,1}(b){0,}"),
            ("(?:b|){0,3}", "(b){0,3}"),
            ("(?:a||b){0,2}", "(a(a||b)||b(a||b))"),
            ("(?:a?b?)*", "((a(b){0,1}|b)){0,}"),
            ("(?:ab)*", "(ab){0,}"),
            ("(?:(?:a|)*|b)*", "(a(a){0,}){0,}(b(a(a){0,}){0,}){0,}?"),
        ] {
            assert_eq!(text(&settled(pattern, &Limits::default()).unwrap()), want, "{pattern}");
        }
    }

    #[test]
    fn copies_are_bounded() {
        let nested = format!("{}a?|b?{}", "(?:".repeat(40), "|c?)*".repeat(40));
        assert!(matches!(settled(&nested, &Limits::default()), Err(Error::TooComplex { .. })));
        assert!(settled("(?:a?|b?){0,50}", &Limits::default()).is_err());
    }
}
