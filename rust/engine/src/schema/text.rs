//! Patterns and formats of a schema, as questions on strings.

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::matching;
use super::names::Names;
use super::node::FormatId;
use super::normal::{PatternId, StringPart, StringSet};
use super::sample::{self, SAMPLES};
use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::{Pattern, ecma};
use crate::terminal::{Budget, Language};

/// Languages of at most so many strings become lists.
const FEW: u64 = 1_000;
/// Operations that one question on a language may cost.
const OPERATIONS: u64 = 2_000_000;
/// Operations to find out whether a language runs out.
const BEGINNINGS: u64 = 50_000;

/// All patterns and formats that a schema uses.
#[derive(Debug)]
pub(crate) struct Texts {
    limits: Limits,
    sources: Names,
    patterns: Vec<Arc<Pattern>>,
    /// Patterns that only the older syntax allows.
    loose: Vec<bool>,
    formats: Names,
    format_patterns: Vec<&'static Pattern>,
    matched: HashMap<(PatternId, Arc<str>), bool, FxBuildHasher>,
    empty: HashMap<Language, bool, FxBuildHasher>,
    /// The strings of patterns that few strings match.
    few: HashMap<PatternId, Option<Vec<Arc<str>>>, FxBuildHasher>,
}

impl Texts {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            sources: Names::default(),
            patterns: Vec::new(),
            loose: Vec::new(),
            formats: Names::default(),
            format_patterns: Vec::new(),
            matched: HashMap::default(),
            empty: HashMap::default(),
            few: HashMap::default(),
        }
    }

    /// The pattern of that source.
    pub(crate) fn pattern(&mut self, source: &str) -> Result<PatternId, Error> {
        if let Some(known) = self.sources.find(source) {
            return Ok(PatternId(known));
        }
        let parsed = ecma::parse(source, &self.limits)?;
        self.patterns.push(Arc::new(parsed.pattern));
        self.loose.push(parsed.loose);
        Ok(PatternId(self.sources.intern(source)))
    }

    /// Whether a pattern can only be read without the `u` flag.
    pub(crate) fn is_loose(&self, pattern: PatternId) -> bool {
        self.loose[pattern.0 as usize]
    }

    pub(crate) fn source(&self, pattern: PatternId) -> &Arc<str> {
        self.sources.get(pattern.0)
    }

    pub(crate) fn parsed(&self, pattern: PatternId) -> &Arc<Pattern> {
        &self.patterns[pattern.0 as usize]
    }

    /// A format that restricts strings.
    pub(crate) fn format(&mut self, name: &str, pattern: &'static Pattern) -> FormatId {
        let id = self.formats.intern(name);
        if id as usize == self.format_patterns.len() {
            self.format_patterns.push(pattern);
        }
        FormatId(id)
    }

    pub(crate) fn format_name(&self, format: FormatId) -> Arc<str> {
        Arc::clone(self.formats.get(format.0))
    }

    /// Whether a pattern matches somewhere in a string.
    pub(crate) fn matches(&mut self, pattern: PatternId, text: &Arc<str>) -> Result<bool, Error> {
        let key = (pattern, Arc::clone(text));
        if let Some(known) = self.matched.get(&key) {
            return Ok(*known);
        }
        let found = whole_matches(&self.patterns[pattern.0 as usize], text)?;
        self.matched.insert(key, found);
        Ok(found)
    }

    /// Whether a string meets a condition.
    pub(crate) fn meets(&mut self, part: &StringPart, text: &Arc<str>) -> Result<bool, Error> {
        match part {
            StringPart::Pattern(pattern) => self.matches(*pattern, text),
            StringPart::Format(name) => match self.formats.find(name) {
                Some(format) => whole_matches(self.format_patterns[format as usize], text),
                None => Ok(true),
            },
        }
    }

    /// The pattern that a condition is about. All formats of conditions are known.
    fn part(&self, part: &StringPart) -> Option<Pattern> {
        let pattern = match part {
            StringPart::Pattern(pattern) => self.parsed(*pattern),
            StringPart::Format(name) => self.format_patterns[self.formats.find(name)? as usize],
        };
        Some(pattern.clone())
    }

    fn language(&self, set: &StringSet) -> Language {
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Language {
            parts: set
                .parts
                .iter()
                .filter_map(|(part, sign)| Some((self.part(part)?, *sign)))
                .collect(),
            min_chars: small(set.min_chars),
            max_chars: set.max_chars.map(small),
        }
    }

    /// All strings that meet some condition of a set, if there is one that few strings meet.
    pub(crate) fn few(&mut self, set: &StringSet) -> Result<Option<Vec<Arc<str>>>, Error> {
        for (part, sign) in &set.parts {
            if let (StringPart::Pattern(pattern), true) = (part, sign)
                && let Some(texts) = self.few_of(*pattern)?
            {
                return Ok(Some(texts));
            }
        }
        Ok(None)
    }

    fn few_of(&mut self, id: PatternId) -> Result<Option<Vec<Arc<str>>>, Error> {
        if let Some(known) = self.few.get(&id) {
            return Ok(known.clone());
        }
        let pattern = self.parsed(id);
        let mut found = None;
        if matching::most(pattern) <= FEW {
            let language =
                Language { parts: vec![((**pattern).clone(), true)], ..Language::default() };
            let texts = language.finite(FEW as usize, &mut Budget::new(OPERATIONS))?;
            found = texts.map(|texts| texts.into_iter().map(Arc::from).collect());
        }
        self.few.insert(id, found.clone());
        Ok(found)
    }

    /// Whether some beginning is one of finitely many strings of a set only; if that is hard to tell, it may be.
    pub(crate) fn runs_out(&mut self, set: &StringSet) -> bool {
        if set.values.is_some() || set.max_chars.is_some() {
            return true;
        }
        if set.parts.is_empty() {
            return false;
        }
        let language = self.language(set);
        language.runs_out(&mut Budget::new(BEGINNINGS)).unwrap_or(true)
    }

    /// How many strings a set has, a bound from below, if they are fewer than `most`; `None` if there are so many.
    pub(crate) fn count(&mut self, set: &StringSet, most: u64) -> Option<u64> {
        if let Some(values) = &set.values {
            return Some(values.len() as u64).filter(|count| *count < most);
        }
        let most = most.saturating_add(set.excluded.len() as u64);
        if set.max_chars.is_none() && set.parts.is_empty() || !self.runs_out(set) {
            return None;
        }
        let language = self.language(set);
        if language.is_endless(&mut Budget::new(OPERATIONS)).unwrap_or(false) {
            return None;
        }
        let found = language.finite(most as usize, &mut Budget::new(OPERATIONS));
        // What is hard to count may be few.
        let count = found.map_or(Some(0), |all| all.map(|all| all.len() as u64));
        count.map(|count| count.saturating_sub(set.excluded.len() as u64))
    }

    /// Whether no string is in a set that lists none.
    pub(crate) fn is_empty(&mut self, set: &StringSet) -> Result<bool, Error> {
        if let ([(part, true)], 0, None, true) =
            (&set.parts[..], set.min_chars, set.max_chars, set.excluded.is_empty())
        {
            match part {
                // Every format that is known has strings.
                StringPart::Format(_) => return Ok(false),
                StringPart::Pattern(pattern) => {
                    let pattern = self.parsed(*pattern);
                    if !pattern.has_look() {
                        return Ok(pattern.is_void());
                    }
                }
            }
        }
        if self.has_sample(set)? {
            return Ok(false);
        }
        let language = self.language(set);
        if let Some(known) = self.empty.get(&language) {
            return Ok(*known);
        }
        let mut budget = Budget::new(OPERATIONS);
        let mut empty = language.is_empty(&mut budget)?;
        if !empty && !set.excluded.is_empty() {
            // Nothing is left if the language has no more strings than those left out.
            let all = language.finite(set.excluded.len(), &mut budget)?;
            empty = all.is_some_and(|all| all.iter().all(|text| set.excluded.contains(&**text)));
            return Ok(empty);
        }
        self.empty.insert(language, empty);
        Ok(empty)
    }

    /// Whether one of a few strings is in the set.
    fn has_sample(&self, set: &StringSet) -> Result<bool, Error> {
        let pattern = |part: &StringPart| match part {
            StringPart::Pattern(pattern) => Some(&**self.parsed(*pattern)),
            StringPart::Format(name) => {
                Some(self.format_patterns[self.formats.find(name)? as usize])
            }
        };
        let parts: Vec<(&Pattern, bool)> =
            set.parts.iter().filter_map(|(part, wanted)| Some((pattern(part)?, *wanted))).collect();
        if parts.iter().any(|(pattern, _)| pattern.has_look()) {
            return Ok(false);
        }
        let wanted: Vec<&Pattern> = parts.iter().filter(|part| part.1).map(|part| part.0).collect();
        let chars = usize::try_from(set.min_chars).unwrap_or(usize::MAX);
        for number in 0..SAMPLES {
            let more = if number % 2 == 0 { chars } else { chars.saturating_add(1) };
            let text = match wanted.get(number as usize % wanted.len().max(1)) {
                Some(pattern) => match sample::sample(pattern, number, more) {
                    Some(text) => text,
                    None => continue,
                },
                None => sample::any(number, more),
            };
            let length = text.chars().count() as u64;
            let fits = length >= set.min_chars
                && set.max_chars.is_none_or(|most| length <= most)
                && !set.excluded.contains(&*text);
            if fits && parts.iter().all(|(p, wanted)| matching::matches(p, &text) == *wanted) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn whole_matches(pattern: &Pattern, text: &str) -> Result<bool, Error> {
    if !pattern.has_look() {
        return Ok(matching::matches(pattern, text));
    }
    let language = Language { parts: vec![(pattern.clone(), true)], ..Language::default() };
    language.contains(text, &mut Budget::new(OPERATIONS))
}
