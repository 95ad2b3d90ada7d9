//! Patterns and formats of a schema, as questions on strings.

use std::sync::Arc;

use hashbrown::HashMap;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use rustc_hash::FxBuildHasher;

use super::names::Names;
use super::node::FormatId;
use super::normal::{PatternId, StringPart, StringSet};
use crate::error::Error;

/// All patterns and formats that a schema uses.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    patterns: Names,
    parsed: Vec<Hir>,
    formats: Names,
    memo: HashMap<(PatternId, Arc<str>), bool, FxBuildHasher>,
}

impl Texts {
    /// The pattern of that source, or what is wrong with it.
    pub(crate) fn pattern(&mut self, source: &str) -> Result<PatternId, String> {
        let id = self.patterns.intern(source);
        if id as usize == self.parsed.len() {
            let hir = regex_syntax::Parser::new().parse(source).map_err(|error| error.to_string());
            self.parsed.push(hir?);
        }
        Ok(PatternId(id))
    }

    pub(crate) fn pattern_source(&self, pattern: PatternId) -> &Arc<str> {
        self.patterns.get(pattern.0)
    }

    /// The format of that name, if it is known.
    pub(crate) fn format(&mut self, _: &str) -> Option<FormatId> {
        None
    }

    pub(crate) fn format_name(&self, format: FormatId) -> Arc<str> {
        Arc::clone(self.formats.get(format.0))
    }

    /// Whether a pattern matches somewhere in a string.
    pub(crate) fn matches(&mut self, pattern: PatternId, text: &Arc<str>) -> Result<bool, Error> {
        if let Some(known) = self.memo.get(&(pattern, Arc::clone(text))) {
            return Ok(*known);
        }
        let hir = &self.parsed[pattern.0 as usize];
        let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let found = starts.any(|start| !ends(hir, text, &[start]).is_empty());
        self.memo.insert((pattern, Arc::clone(text)), found);
        Ok(found)
    }

    /// Whether a string meets a condition.
    pub(crate) fn meets(&mut self, part: &StringPart, text: &Arc<str>) -> Result<bool, Error> {
        match part {
            StringPart::Pattern(pattern) => self.matches(*pattern, text),
            StringPart::Format(_) => Ok(true),
        }
    }

    /// All strings of a set, if they are few.
    pub(crate) fn finite(&mut self, set: &StringSet) -> Result<Option<Vec<Arc<str>>>, Error> {
        for (part, sign) in &set.parts {
            if let (StringPart::Pattern(pattern), true) = (part, sign)
                && let Some(texts) = listed(&self.parsed[pattern.0 as usize])
            {
                return Ok(Some(texts));
            }
        }
        Ok(None)
    }

    /// Whether no string is in a set.
    pub(crate) fn is_empty(&mut self, _: &StringSet) -> Result<bool, Error> {
        Ok(false)
    }
}

fn listed(hir: &Hir) -> Option<Vec<Arc<str>>> {
    let HirKind::Concat(parts) = hir.kind() else { return None };
    let [first, middle @ .., last] = &parts[..] else { return None };
    if !matches!(first.kind(), HirKind::Look(Look::Start))
        || !matches!(last.kind(), HirKind::Look(Look::End))
    {
        return None;
    }
    let mut texts = vec![String::new()];
    for part in middle {
        let one = words(part)?;
        texts = texts.iter().flat_map(|a| one.iter().map(move |b| format!("{a}{b}"))).collect();
        if texts.len() > 1000 {
            return None;
        }
    }
    Some(texts.into_iter().map(Arc::from).collect())
}

fn words(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Empty => Some(vec![String::new()]),
        HirKind::Literal(literal) => Some(vec![String::from_utf8(literal.0.to_vec()).ok()?]),
        HirKind::Capture(capture) => words(&capture.sub),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(words(part)?);
            }
            Some(all)
        }
        HirKind::Class(Class::Unicode(class)) => {
            let mut all = Vec::new();
            for range in class.ranges() {
                for c in range.start()..=range.end() {
                    all.push(c.to_string());
                    if all.len() > 100 {
                        return None;
                    }
                }
            }
            Some(all)
        }
        HirKind::Concat(parts) => {
            let mut texts = vec![String::new()];
            for part in parts {
                let one = words(part)?;
                texts =
                    texts.iter().flat_map(|a| one.iter().map(move |b| format!("{a}{b}"))).collect();
            }
            Some(texts)
        }
        _ => None,
    }
}

fn ends(hir: &Hir, text: &str, starts: &[usize]) -> Vec<usize> {
    let mut out = Vec::new();
    match hir.kind() {
        HirKind::Empty => out.extend(starts),
        HirKind::Literal(literal) => {
            for start in starts {
                if text.as_bytes()[*start..].starts_with(&literal.0) {
                    out.push(start + literal.0.len());
                }
            }
        }
        HirKind::Class(Class::Unicode(class)) => {
            for start in starts {
                if let Some(c) = text[*start..].chars().next()
                    && class.ranges().iter().any(|range| range.start() <= c && c <= range.end())
                {
                    out.push(start + c.len_utf8());
                }
            }
        }
        HirKind::Class(Class::Bytes(_)) => {}
        HirKind::Look(look) => {
            for start in starts {
                let holds = match look {
                    Look::Start => *start == 0,
                    Look::End => *start == text.len(),
                    _ => true,
                };
                if holds {
                    out.push(*start);
                }
            }
        }
        HirKind::Repetition(repetition) => {
            let mut now = starts.to_vec();
            let mut count = 0;
            loop {
                if count >= repetition.min {
                    out.extend(&now);
                }
                if repetition.max.is_some_and(|max| count >= max) {
                    break;
                }
                now = ends(&repetition.sub, text, &now);
                now.retain(|at| count < repetition.min || !out.contains(at));
                if now.is_empty() {
                    break;
                }
                count += 1;
            }
        }
        HirKind::Capture(capture) => return ends(&capture.sub, text, starts),
        HirKind::Concat(parts) => {
            let mut now = starts.to_vec();
            for part in parts {
                now = ends(part, text, &now);
            }
            return now;
        }
        HirKind::Alternation(parts) => {
            for part in parts {
                out.extend(ends(part, text, starts));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
