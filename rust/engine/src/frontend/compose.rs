//! Grammars within grammars, and the free text between them.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::told_apart::check_values;
use crate::error::Error;
use crate::grammar::{Ending, Expr, Grammar};
use crate::ids::{RuleId, TerminalId};
use crate::limits::{Limits, check};
use crate::pattern::{ByteAutomaton, ByteState, Pattern};

/// Puts a grammar together from others.
#[derive(Debug)]
pub struct Composer {
    grammar: Grammar,
    /// Rules whose texts are JSON values.
    values: FxHashSet<RuleId>,
}

impl Default for Composer {
    fn default() -> Self {
        Self { grammar: Grammar::new(Ending::Free), values: FxHashSet::default() }
    }
}

impl Composer {
    /// The texts of another grammar.
    ///
    /// # Errors
    /// [`Error::Grammar`] if what the grammar means depends on the whole text: on where terminals end, on what is ignored, or on
    /// the keys that objects had before, unless it is a JSON Schema.
    pub fn embed(&mut self, other: &Grammar) -> Result<Expr, Error> {
        if other.ending != Ending::Free || !other.ignore.is_empty() || other.layout.is_some() {
            return Err(Error::Grammar(
                "a grammar of Lark's cannot stand within another one, as its terminals end depending on the whole text"
                    .into(),
            ));
        }
        let value = other.terminals.is_empty() && !other.sources.is_empty();
        if other.unique_keys && !value {
            return Err(Error::Grammar(
                "the grammar of any JSON with unique keys cannot stand within another one: take an empty JSON Schema"
                    .into(),
            ));
        }
        let own = &mut self.grammar;
        own.unique_keys |= other.unique_keys;
        let (rules, terminals) = (own.rules.len() as u32, own.terminals.len() as u32);
        let shift = Shift { rules, terminals, sources: own.sources.len() as u32 };
        own.terminals.extend(other.terminals.iter().cloned());
        own.sources.extend(other.sources.iter().cloned());
        own.notes.extend(other.notes.iter().cloned());
        for rule in &other.rules {
            own.rule(rule.name.clone(), shift.expr(&rule.body));
        }
        let start = RuleId(rules + other.start.0);
        if value {
            self.values.insert(start);
        }
        Ok(Expr::Rule(start))
    }

    #[cfg(test)]
    pub(super) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// This text alone.
    pub fn literal(&mut self, text: &str) -> Expr {
        if text.is_empty() {
            return Expr::Empty;
        }
        Expr::Terminal(self.grammar.terminal(text, Pattern::Bytes(text.into())))
    }

    /// Any text in which none of `stops` stands, or with `end`, any text up to the end of `stops[end]`, which is the first
    /// of them that stands in it. Of several that end at the same place, the longest counts.
    ///
    /// # Errors
    /// [`Error::Grammar`] if one of `stops` is empty; [`Error::TooComplex`] if they are too long.
    pub fn text(
        &mut self,
        stops: &[String],
        end: Option<usize>,
        limits: &Limits,
    ) -> Result<Expr, Error> {
        let pattern = Pattern::Automaton(Arc::new(free_text(stops, end, limits)?));
        // The same free text stands between all the parts.
        let known = self.grammar.terminals.iter().position(|terminal| terminal.pattern == pattern);
        Ok(Expr::Terminal(match known {
            Some(known) => TerminalId(known as u32),
            None => self.grammar.terminal("text", pattern),
        }))
    }

    /// The grammar whose texts are those of `start`.
    ///
    /// # Errors
    /// [`Error::Grammar`] if keys of a JSON Schema have to be compared and its values cannot be told from what is around
    /// them; [`Error::TooComplex`] past a limit.
    pub fn finish(mut self, start: Expr, limits: &Limits) -> Result<Grammar, Error> {
        if self.grammar.unique_keys {
            check_values(&start, &self.grammar.terminals, &self.values, limits)?;
            self.grammar.scoped_keys = true;
        }
        self.grammar.start = self.grammar.rule("start", start);
        Ok(self.grammar)
    }
}

/// How far the numbers of an embedded grammar are moved.
struct Shift {
    rules: u32,
    terminals: u32,
    sources: u32,
}

impl Shift {
    fn expr(&self, expr: &Expr) -> Expr {
        let all = |parts: &[Expr]| parts.iter().map(|part| self.expr(part)).collect();
        match expr {
            Expr::Empty => Expr::Empty,
            Expr::Terminal(id) => Expr::Terminal(TerminalId(id.0 + self.terminals)),
            Expr::Rule(id) => Expr::Rule(RuleId(id.0 + self.rules)),
            Expr::Made { source, rule } => {
                Expr::Made { source: source + self.sources, rule: *rule }
            }
            Expr::Token(id) => Expr::Token(*id),
            Expr::Seq(parts) => Expr::Seq(all(parts)),
            Expr::Alt(parts) => Expr::Alt(all(parts)),
            Expr::Repeat { body, min, max } => {
                Expr::Repeat { body: Box::new(self.expr(body)), min: *min, max: *max }
            }
        }
    }
}

/// What a search for several texts at once knows of what it read: the longest beginning of one of them at its end.
struct Search {
    next: Vec<[u32; 256]>,
    /// The longest of the texts that ends here.
    found: Vec<Option<usize>>,
}

impl Search {
    fn new(texts: &[String]) -> Self {
        const NONE: u32 = u32::MAX;
        let (mut next, mut found) = (vec![[NONE; 256]], vec![None]);
        for (number, text) in texts.iter().enumerate() {
            let mut at = 0;
            for &byte in text.as_bytes() {
                if next[at][usize::from(byte)] == NONE {
                    next[at][usize::from(byte)] = next.len() as u32;
                    next.push([NONE; 256]);
                    found.push(None);
                }
                at = next[at][usize::from(byte)] as usize;
            }
            found[at].get_or_insert(number);
        }
        // Level by level, so that the shorter end of a beginning is complete before the beginning is.
        let mut shorter = vec![0; next.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            if found[at].is_none() {
                found[at] = found[shorter[at]];
            }
            let fallbacks = if at == 0 { [0; 256] } else { next[shorter[at]] };
            let mut row = next[at];
            for (next, fallback) in row.iter_mut().zip(fallbacks) {
                if *next == NONE {
                    *next = fallback;
                } else {
                    shorter[*next as usize] = fallback as usize;
                    queue.push_back(*next as usize);
                }
            }
            next[at] = row;
        }
        Self { next, found }
    }
}

/// Between characters.
const TEXT: u8 = 0;

/// Where a byte leads within UTF-8: how many more bytes follow, with the leads that are special apart.
fn utf8(state: u8, byte: u8) -> Option<u8> {
    let (one, two, three, e0, ed, f0, f4) = (1, 2, 3, 4, 5, 6, 7);
    Some(match (state, byte) {
        (TEXT, 0..=0x7f) => TEXT,
        (TEXT, 0xc2..=0xdf) => one,
        (TEXT, 0xe0) => e0,
        (TEXT, 0xed) => ed,
        (TEXT, 0xe1..=0xef) => two,
        (TEXT, 0xf0) => f0,
        (TEXT, 0xf1..=0xf3) => three,
        (TEXT, 0xf4) => f4,
        (1, 0x80..=0xbf) => TEXT,
        (2, 0x80..=0xbf) | (4, 0xa0..=0xbf) | (5, 0x80..=0x9f) => one,
        (3, 0x80..=0xbf) | (6, 0x90..=0xbf) | (7, 0x80..=0x8f) => two,
        _ => return None,
    })
}

/// See [`Composer::text`].
fn free_text(
    stops: &[String],
    end: Option<usize>,
    limits: &Limits,
) -> Result<ByteAutomaton, Error> {
    if stops.iter().any(String::is_empty) {
        return Err(Error::Grammar("what ends a free text must not be empty".into()));
    }
    let length: usize = stops.iter().map(String::len).sum();
    let most = limits.instructions.min(100_000) as u64;
    check("bytes of what ends a free text", "instructions", most, length as u64)?;
    let search = Search::new(stops);
    let mut numbers = FxHashMap::from_iter([((0, TEXT), 0)]);
    let mut order = vec![(0, TEXT)];
    let mut states: Vec<ByteState> = Vec::new();
    let mut at = 0;
    while let Some(&(place, within)) = order.get(at) {
        at += 1;
        let found = search.found[place as usize];
        let mut state = ByteState {
            accepting: match end {
                None => within == TEXT,
                Some(_) => found.is_some() && found == end,
            },
            edges: Vec::new(),
        };
        // Nothing follows the end.
        for byte in (0..=u8::MAX).take_while(|_| found.is_none()) {
            let Some(within) = utf8(within, byte) else { continue };
            let next = (search.next[place as usize][usize::from(byte)], within);
            if end.is_none() && search.found[next.0 as usize].is_some() {
                continue;
            }
            let number = *numbers.entry(next).or_insert_with(|| {
                order.push(next);
                order.len() as u32 - 1
            });
            match state.edges.last_mut() {
                Some(last) if last.2 == number && u32::from(last.1) + 1 == u32::from(byte) => {
                    last.1 = byte;
                }
                _ => state.edges.push((byte, byte, number)),
            }
        }
        states.push(state);
    }
    ByteAutomaton::new(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automaton(stops: &[&str], end: Option<usize>) -> ByteAutomaton {
        let stops: Vec<String> = stops.iter().map(|stop| (*stop).to_owned()).collect();
        free_text(&stops, end, &Limits::default()).expect("an automaton")
    }

    /// The first of `stops` that is whole in a text: the longest, and where it ends.
    fn first(stops: &[&str], text: &str) -> Option<(usize, usize)> {
        let ends = (0..=text.len()).filter(|&end| text.is_char_boundary(end));
        ends.flat_map(|end| {
            let here = (0..stops.len()).filter(move |&n| text[..end].ends_with(stops[n]));
            here.max_by_key(|&n| stops[n].len()).map(|n| (n, end))
        })
        .next()
    }

    /// Every text of a few characters.
    fn texts(characters: &[char], length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..length {
            last = last
                .iter()
                .flat_map(|text| characters.iter().map(move |c| format!("{text}{c}")))
                .collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    #[test]
    fn free_text_ends_at_the_first_stop() {
        let cases: &[&[&str]] = &[
            &["ab"],
            &["aa", "aab"],
            &["aba", "b"],
            &["b", "ab", "aab"],
            &["é", "aé"],
            &["abab", "bb", "éa"],
            &["aaa"],
        ];
        for stops in cases {
            let free = automaton(stops, None);
            let until: Vec<ByteAutomaton> =
                (0..stops.len()).map(|end| automaton(stops, Some(end))).collect();
            for text in texts(&['a', 'b', 'é'], 6) {
                let first = first(stops, &text);
                assert_eq!(free.matches(text.as_bytes()), first.is_none(), "{stops:?}: {text}");
                for (end, until) in until.iter().enumerate() {
                    let ends = first == Some((end, text.len()));
                    assert_eq!(until.matches(text.as_bytes()), ends, "{stops:?}, {end}: {text}");
                }
            }
        }
    }

    #[test]
    fn free_text_is_utf_8() {
        let free = automaton(&["\u{10ffff}x"], None);
        for text in ["", "é", "中", "😀", "\u{10ffff}", "\0", "\u{d7ff}\u{e000}"] {
            assert!(free.matches(text.as_bytes()), "{text:?}");
            let bytes = text.as_bytes();
            assert!(
                (1..bytes.len())
                    .all(|cut| !free.matches(&bytes[..cut]) || text.is_char_boundary(cut))
            );
        }
        for bytes in [
            &b"\xc0\x80"[..],
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
            b"\x80",
            b"\xff",
            b"\xe0\x80\x80",
        ] {
            assert!(!free.matches(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn what_needs_the_whole_text_is_refused() {
        let mut composer = Composer::default();
        let mut unique = Grammar::json(crate::frontend::Whitespace::None);
        assert!(composer.embed(&unique).is_ok());
        unique.unique_keys = true;
        assert!(composer.embed(&unique).is_err());
        unique.unique_keys = false;
        unique.ending = Ending::Dynamic;
        assert!(composer.embed(&unique).is_err());
        assert!(composer.text(&[String::new()], None, &Limits::default()).is_err());
    }
}
