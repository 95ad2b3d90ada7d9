//! Sources for tests: an ordinary grammar served rule by rule, and rules that nobody lists.

#![allow(dead_code, reason = "each test uses a part of it")]

use stackmask::pattern::Pattern;
use stackmask::{
    Ending, Error, Expr, Grammar, MadeRule, Maker, RuleId, Source, Terminal, TerminalId, Within,
};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Makes rules by a function of their numbers.
pub(crate) type Make = dyn Fn(u32) -> Result<MadeRule, Error> + Send + Sync;

/// A source whose rules are a function of their numbers.
#[derive(Clone)]
pub(crate) struct Served {
    pub(crate) make: Arc<Make>,
    pub(crate) terminals: Arc<Vec<Terminal>>,
    /// Fewest bytes of a rule's texts.
    pub(crate) shortest: Arc<dyn Fn(u32) -> u32 + Send + Sync>,
    /// How many rules were made.
    pub(crate) made: Arc<AtomicU64>,
    pub(crate) fingerprint: u128,
    pub(crate) held: usize,
}

impl std::fmt::Debug for Served {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Served").finish_non_exhaustive()
    }
}

impl Source for Served {
    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn open(&self) -> Box<dyn Maker> {
        Box::new(self.clone())
    }

    fn used_bytes(&self) -> [bool; 256] {
        std::array::from_fn(|b| b < 0x80)
    }
}

impl Maker for Served {
    fn rule(&self, rule: RuleId) -> Result<MadeRule, Error> {
        self.made.fetch_add(1, Ordering::Relaxed);
        (self.make)(rule.0)
    }

    fn terminal(&self, terminal: TerminalId) -> Result<Terminal, Error> {
        Ok(self.terminals[terminal.0 as usize].clone())
    }

    fn shortest(&self, rule: RuleId) -> u32 {
        (self.shortest)(rule.0)
    }

    fn held_bytes(&self) -> usize {
        self.held
    }
}

impl Served {
    pub(crate) fn new(
        texts: &[&str],
        make: impl Fn(u32) -> Result<MadeRule, Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            make: Arc::new(make),
            terminals: Arc::new(texts.iter().map(|t| literal(t)).collect()),
            shortest: Arc::new(|_| 1),
            made: Arc::default(),
            fingerprint: 0,
            held: 0,
        }
    }

    /// A grammar whose texts are those of rule 0.
    pub(crate) fn grammar(&self) -> Grammar {
        let mut grammar = Grammar::new(Ending::Free);
        let source = grammar.source(Arc::new(self.clone()));
        grammar.rule("text", Expr::Made { source, rule: RuleId(0) });
        grammar
    }
}

pub(crate) fn literal(text: &str) -> Terminal {
    Terminal::new(text, Pattern::Bytes(text.as_bytes().to_vec()))
}

pub(crate) fn t(number: u32) -> Expr {
    Expr::Terminal(TerminalId(number))
}

pub(crate) fn r(number: u32) -> Expr {
    Expr::Rule(RuleId(number))
}

pub(crate) fn tail(body: Expr) -> Result<MadeRule, Error> {
    Ok(MadeRule { body, framed: false, within: Within::Caller })
}

/// `[`, then `min` to `max` times `1` between commas, then `]`: a rule for each count.
pub(crate) fn list(min: u32, max: u32) -> Served {
    Served::new(&["[", "]", ",", "1"], move |rule| {
        let Some(count) = rule.checked_sub(1) else {
            return tail(Expr::Seq(vec![t(0), r(1)]));
        };
        let mut ways = Vec::new();
        if count >= min {
            ways.push(t(1));
        }
        if count < max {
            let more = [(count > 0).then(|| t(2)), Some(t(3)), Some(r(rule + 1))];
            ways.push(Expr::Seq(more.into_iter().flatten().collect()));
        }
        tail(Expr::Alt(ways))
    })
}

/// `{`, then each of the letters at most once in any order between commas, then `}`: a rule for each set of letters
/// that was seen, numbered as they come up.
pub(crate) fn any_order(keys: &'static [&'static str]) -> Served {
    type Sets = (Vec<BTreeSet<u32>>, HashMap<BTreeSet<u32>, u32>);
    let known: Mutex<Sets> = Mutex::new((vec![BTreeSet::new()], HashMap::new()));
    let texts: Vec<&str> = ["{", "}", ","].into_iter().chain(keys.iter().copied()).collect();
    Served::new(&texts, move |rule| {
        let Some(set) = rule.checked_sub(1) else {
            return tail(Expr::Seq(vec![t(0), r(1)]));
        };
        let mut known = known.lock().expect("no panic while it was held");
        let seen = known.0[set as usize].clone();
        let mut ways = vec![t(1)];
        for key in (0..keys.len() as u32).filter(|k| !seen.contains(k)) {
            let mut next = seen.clone();
            next.insert(key);
            let number = match known.1.get(&next) {
                Some(&number) => number,
                None => {
                    known.0.push(next.clone());
                    let number = known.0.len() as u32 - 1;
                    known.1.insert(next, number);
                    number
                }
            };
            let comma = (!seen.is_empty()).then(|| t(2));
            let rest = [comma, Some(t(3 + key)), Some(r(number + 1))];
            ways.push(Expr::Seq(rest.into_iter().flatten().collect()));
        }
        tail(Expr::Alt(ways))
    })
}
