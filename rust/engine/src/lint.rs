//! What an author of a grammar may not have meant: remarks that stop nothing, and cost more to find than compiling does.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::compiled::CompiledGrammar;
use crate::error::{Diagnostic, Error};
use crate::grammar::{Expr, Grammar};
use crate::ids::TerminalId;
use crate::limits::Limits;
use crate::pattern::Pattern;
use crate::terminal::{Budget, Language};
use crate::vocabulary::Vocabulary;

/// Work that a question about one terminal may cost; beyond, there is no remark.
const WORK: u64 = 200_000;

/// Names that one remark lists.
const NAMES: usize = 5;

/// So many blanks stand for any number.
const MANY: usize = 2000;

impl Grammar {
    /// Remarks on the grammar: what [`CompiledGrammar::warnings`] says; rules that can end only against what their own
    /// terminals take; strings that other terminals match too; blanks without end.
    ///
    /// # Errors
    /// Those of compiling the grammar.
    pub fn lint(&self, limits: &Limits) -> Result<Vec<Diagnostic>, Error> {
        let vocabulary = Arc::new(Vocabulary::byte_level());
        let compiled = CompiledGrammar::new(self, vocabulary, limits)?;
        let mut remarks = compiled.warnings().to_vec();
        let mut remark = |message: String| remarks.push(Diagnostic::new(message));
        for rule in compiled.endless_rules()? {
            remark(format!(
                "rule {:?} can never end: its terminals take what others need to follow them",
                self.rules[rule.index()].name
            ));
        }
        self.swallowed(&mut remark);
        self.blanks(&mut remark);
        Ok(remarks)
    }

    /// Strings that are also matches of other terminals.
    fn swallowed(&self, remark: &mut impl FnMut(String)) {
        let mut found: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for string in &self.terminals {
            let Pattern::Bytes(bytes) = &string.pattern else { continue };
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            for (other, terminal) in self.terminals.iter().enumerate() {
                let plain = matches!(terminal.pattern, Pattern::Bytes(_));
                if !plain && matches(&terminal.whole(), text) {
                    found.entry(other).or_default().push(&string.name);
                }
            }
        }
        for (other, strings) in found {
            let name = &self.terminals[other].name;
            let more = strings.len().saturating_sub(NAMES);
            let mut list = strings[..strings.len() - more].join(", ");
            if more > 0 {
                list.push_str(&format!(" and {more} more"));
            }
            remark(format!(
                "terminal {name:?} also matches {list}: where both may come, either reading counts"
            ));
        }
    }

    /// Terminals and repetitions that let blanks go on without end.
    fn blanks(&self, remark: &mut impl FnMut(String)) {
        let is_blank = |id: TerminalId| {
            let pattern = self.terminals[id.index()].whole();
            [" ", "\t", "\n", "\r\n"].iter().any(|blank| matches(&pattern, blank))
        };
        for &id in &self.ignore {
            if is_blank(id) {
                remark(format!(
                    "terminal {:?} is ignored, so that blanks can go on without end: bounded ones in the rules keep a \
                     model from writing nothing else",
                    self.terminals[id.index()].name
                ));
            }
        }
        for (id, terminal) in self.terminals.iter().enumerate() {
            let ignored = self.ignore.contains(&TerminalId(id as u32));
            let pattern = terminal.whole();
            if !ignored && [" ", "\t", "\n"].iter().any(|b| matches(&pattern, &b.repeat(MANY))) {
                remark(format!(
                    "terminal {:?} matches blanks without end: bound it, as [ \\n]{{0,8}} is",
                    terminal.name
                ));
            }
        }
        for rule in &self.rules {
            if repeats(&rule.body, &is_blank) {
                remark(format!("rule {:?} repeats blanks without end: bound it", rule.name));
            }
        }
    }
}

/// Whether a repetition without bound repeats a terminal of the kind alone.
fn repeats(expr: &Expr, kind: &impl Fn(TerminalId) -> bool) -> bool {
    match expr {
        Expr::Repeat { body, max: None, .. } if matches!(&**body, Expr::Terminal(id) if kind(*id)) => {
            true
        }
        Expr::Repeat { body, .. } => repeats(body, kind),
        Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().any(|part| repeats(part, kind)),
        _ => false,
    }
}

/// Whether a text is one of the pattern's strings, as far as that is found out with little work.
fn matches(pattern: &Pattern, text: &str) -> bool {
    let language = Language { parts: vec![(pattern.clone(), true)], ..Language::default() };
    language.contains(text, &mut Budget::new(WORK)).unwrap_or(false)
}
