//! Numbers, strings and booleans under a conjunction.

use std::sync::Arc;

use super::facts::Fact;
use super::node::{FRACTION, INTEGER, NUMBER, NumberAtom, Scalars, StringAtom};
use super::normal::{StringPart, StringSet};
use super::space::{Space, Status};
use crate::error::Error;
use crate::json::number::Bound;
use crate::json::{Decimal, NumberSet};

/// Listed strings before they become a set: sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct StringFacts {
    pub(super) values: Option<Vec<Arc<str>>>,
    pub(super) rest: StringSet,
}

/// Adds a fact on numbers. `false` means that nothing is left.
pub(super) fn learn_number(set: &mut NumberSet, fact: &Fact) -> bool {
    let mut more = NumberSet::default();
    match fact {
        Fact::Types(types) => {
            more.integer = types & NUMBER == INTEGER;
            more.not_integer = types & NUMBER == FRACTION;
        }
        Fact::Scalars(scalars, true) => {
            more = NumberSet::of_values(scalars.numbers.iter().cloned())
        }
        Fact::Scalars(scalars, false) => more.excluded.extend(scalars.numbers.iter().cloned()),
        Fact::Number(NumberAtom::Min(bound), true) => more.min = Some(bound.clone()),
        Fact::Number(NumberAtom::Max(bound), true) => more.max = Some(bound.clone()),
        Fact::Number(NumberAtom::Min(bound), false) => more.max = Some(opposite(bound)),
        Fact::Number(NumberAtom::Max(bound), false) => more.min = Some(opposite(bound)),
        Fact::Number(NumberAtom::Multiple(of), true) => more.multiple_of.push(of.clone()),
        Fact::Number(NumberAtom::Multiple(of), false) => more.not_multiple_of.push(of.clone()),
        _ => return true,
    }
    *set = set.intersect(&more);
    !(set.integer && set.not_integer) && set.values.as_ref().is_none_or(|values| !values.is_empty())
}

fn opposite(bound: &Bound) -> Bound {
    Bound { value: bound.value.clone(), exclusive: !bound.exclusive }
}

/// Whether a fact is known to hold or to fail for all numbers of a set. `by_text`: an integral value may be written as
/// no integer.
pub(super) fn judge_number(set: &NumberSet, fact: &Fact, by_text: bool) -> Status {
    if let Some(values) = &set.values {
        let of_type = matches!(fact, Fact::Types(types) if types & NUMBER == INTEGER);
        if by_text && of_type && !set.integer && values.iter().any(Decimal::is_integer) {
            return Status::Open;
        }
        let mut one = NumberSet::default();
        let alive = learn_number(&mut one, fact);
        let holding = values.iter().filter(|value| alive && one.contains(value)).count();
        return match holding {
            0 => Status::Fails,
            all if all == values.len() => Status::Holds,
            _ => Status::Open,
        };
    }
    match fact {
        Fact::Types(types) => match types & NUMBER {
            NUMBER => Status::Holds,
            INTEGER if set.integer => Status::Holds,
            INTEGER if set.not_integer => Status::Fails,
            FRACTION if set.not_integer => Status::Holds,
            FRACTION if set.integer => Status::Fails,
            0 => Status::Fails,
            _ => Status::Open,
        },
        Fact::Scalars(scalars, sign)
            if !scalars.numbers.iter().any(|value| set.contains(value)) =>
        {
            if *sign {
                Status::Fails
            } else {
                Status::Holds
            }
        }
        _ => Status::Open,
    }
}

/// Adds a fact on booleans: whether `true` and `false` are left.
pub(super) fn learn_bool(left: &mut [bool; 2], fact: &Fact) -> bool {
    if let Fact::Scalars(scalars, sign) = fact {
        left[0] &= scalars.yes == *sign;
        left[1] &= scalars.no == *sign;
    }
    left[0] || left[1]
}

/// Whether `null` is left.
pub(super) fn learn_null(fact: &Fact) -> bool {
    !matches!(fact, Fact::Scalars(scalars, sign) if scalars.null != *sign)
}

impl Space {
    /// Adds a fact on strings. `false` means that nothing is left.
    pub(super) fn learn_string(&mut self, set: &mut StringFacts, fact: &Fact) -> bool {
        let rest = &mut set.rest;
        match fact {
            Fact::Scalars(scalars, true) => {
                let Scalars { strings, .. } = &**scalars;
                set.values = Some(match set.values.take() {
                    None => strings.clone(),
                    Some(values) => values
                        .into_iter()
                        .filter(|value| strings.binary_search(value).is_ok())
                        .collect(),
                });
                return set.values.as_ref().is_some_and(|values| !values.is_empty());
            }
            Fact::Scalars(scalars, false) => rest.excluded.extend(scalars.strings.iter().cloned()),
            Fact::String(StringAtom::MinChars(min), true) => {
                rest.min_chars = rest.min_chars.max(*min)
            }
            Fact::String(StringAtom::MinChars(min), false) => {
                let Some(max) = min.checked_sub(1) else { return false };
                shorten(rest, max);
            }
            Fact::String(StringAtom::MaxChars(max), true) => shorten(rest, *max),
            Fact::String(StringAtom::MaxChars(max), false) => {
                let Some(min) = max.checked_add(1) else { return false };
                rest.min_chars = rest.min_chars.max(min);
            }
            Fact::String(atom, sign) => {
                let part = match atom {
                    StringAtom::Pattern(pattern) => StringPart::Pattern(*pattern),
                    StringAtom::Format(format) => {
                        StringPart::Format(self.builder.texts.format_name(*format))
                    }
                    _ => return true,
                };
                if rest.parts.contains(&(part.clone(), !sign)) {
                    return false;
                }
                if !rest.parts.contains(&(part.clone(), *sign)) {
                    rest.parts.push((part, *sign));
                }
            }
            _ => {}
        }
        rest.max_chars.is_none_or(|max| rest.min_chars <= max)
    }

    /// Whether a fact is known to hold or to fail for all strings of a set.
    pub(super) fn judge_string(&mut self, set: &StringFacts, fact: &Fact) -> Result<Status, Error> {
        let Some(values) = &set.values else {
            return Ok(match fact {
                Fact::Types(types) if types & super::node::STRING == 0 => Status::Fails,
                Fact::Types(_) => Status::Holds,
                _ => Status::Open,
            });
        };
        let mut one = StringFacts::default();
        let alive = self.learn_string(&mut one, fact);
        self.charge(values.len() as u64 / 16)?;
        let (mut holding, mut failing) = (false, false);
        for value in values {
            if alive && self.string_has(value, &one)? { holding = true } else { failing = true }
        }
        Ok(match (holding, failing) {
            (true, false) => Status::Holds,
            (false, _) => Status::Fails,
            _ => Status::Open,
        })
    }

    fn string_has(&mut self, text: &Arc<str>, facts: &StringFacts) -> Result<bool, Error> {
        let listed = facts.values.as_ref();
        Ok(listed.is_none_or(|values| values.binary_search(text).is_ok())
            && self.string_in(text, &facts.rest)?)
    }

    /// Whether a string meets all conditions of a set that lists none.
    pub(super) fn string_in(&mut self, text: &Arc<str>, set: &StringSet) -> Result<bool, Error> {
        if set.excluded.contains(text) {
            return Ok(false);
        }
        if set.min_chars > 0 || set.max_chars.is_some() {
            let chars = text.chars().count() as u64;
            if chars < set.min_chars || set.max_chars.is_some_and(|max| chars > max) {
                return Ok(false);
            }
        }
        for (part, sign) in &set.parts {
            if self.builder.texts.meets(part, text)? != *sign {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The set of the strings, or none if it is empty.
    pub(super) fn string_set(&mut self, facts: StringFacts) -> Result<Option<StringSet>, Error> {
        let StringFacts { values, mut rest } = facts;
        let values = match values {
            Some(values) => Some(values),
            None if rest.max_chars == Some(0) => Some(vec![Arc::from("")]),
            None if rest.parts.is_empty() => None,
            None => self.builder.texts.few(&rest)?,
        };
        if let Some(values) = values {
            let free = rest == StringSet::default();
            let mut left = Vec::with_capacity(values.len());
            for value in values {
                if free || self.string_in(&value, &rest)? {
                    left.push(value);
                }
            }
            if left.is_empty() {
                return Ok(None);
            }
            return Ok(Some(StringSet {
                values: Some(left.into_iter().collect()),
                ..StringSet::default()
            }));
        }
        if !rest.excluded.is_empty() {
            let excluded = std::mem::take(&mut rest.excluded);
            for text in excluded {
                if self.string_in(&text, &rest)? {
                    rest.excluded.insert(text);
                }
            }
        }
        if !rest.parts.is_empty() && self.builder.texts.is_empty(&rest)? {
            return Ok(None);
        }
        Ok(Some(rest))
    }
}

fn shorten(set: &mut StringSet, max: u64) {
    set.max_chars = Some(set.max_chars.map_or(max, |known| known.min(max)));
}
