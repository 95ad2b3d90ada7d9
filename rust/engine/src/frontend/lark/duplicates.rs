//! Rules with two alternatives that are the same, which Lark refuses as "Rules defined twice".
//!
//! Lark writes each rule out as plain alternatives. Equal ones become one, unless they differ in their alias or in the
//! placeholders that absent parts in brackets leave: `[A] [A]` is `A` twice. Templates are not looked at, as what
//! their parameters leave behind depends on the arguments, and neither are rules beyond [`MOST`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Alternatives, Ast, DefId, Definition, Form, LiteralKind};
use super::load::Loaded;
use super::patterns::{Content, content};
use crate::error::Error;

/// The most symbols of a rule that is written out. Lark itself does not come far beyond.
const MOST: usize = 1 << 16;

/// From this many repetitions on, Lark makes rules of their own for them.
const MANY: u32 = 50;

/// A terminal, a rule, or what stands for the rule of a loop.
type Symbol = u32;

/// The placeholder for an absent part.
const ABSENT: Symbol = 0;

/// Sequences of symbols without repetition, in order of appearance.
type Expansions = Vec<Vec<Symbol>>;

/// What makes two expressions the same to Lark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key<'a> {
    Name(&'a str),
    Literal(Content<'a>),
    Template(&'a str, Vec<Symbol>),
    Group(Vec<Vec<Symbol>>),
    Repeat(Symbol, u32, Option<u32>, bool),
    /// The rule of `x*` and `x+`.
    Loop(Symbol),
    /// The rule of many repetitions.
    Many(Symbol, u32, Option<u32>),
}

/// Checks all rules in scope, used or not.
pub(super) fn check_duplicates<'a>(
    loaded: &'a Loaded,
    contents: &FxHashMap<Content<'a>, DefId>,
) -> Result<(), Error> {
    let mut checker = Checker { loaded, contents, keep_all: false, symbols: FxHashMap::default() };
    for (_, id) in &loaded.scope.entries {
        let definition = &loaded.definitions.all[*id];
        let Definition { terminal: false, body: Some(body), name, params, .. } = definition else {
            continue;
        };
        if !params.is_empty() || !may_repeat(body) {
            continue;
        }
        checker.keep_all = definition.keep_all;
        if checker.repeats(body) {
            let message = format!(
                "rule `{}` has the same alternative twice, once its optional parts are written out, with other \
                 placeholders or aliases (Lark says \"Rules defined twice\"): write `x?` for `[x]`, or drop one",
                loaded.sources.word(name.at)
            );
            return Err(loaded.sources.error(name.at, message));
        }
    }
    Ok(())
}

/// Whether there are brackets or aliases, without which equal alternatives are one.
fn may_repeat(body: &Alternatives) -> bool {
    fn brackets(ast: &Ast) -> bool {
        match ast {
            Ast::Repeat { form: Form::Brackets, .. } => true,
            Ast::Repeat { body, .. } => brackets(body),
            Ast::Group(body) => body.iter().flat_map(|a| &a.parts).any(brackets),
            _ => false,
        }
    }
    body.iter().any(|a| a.alias.is_some() || a.parts.iter().any(brackets))
}

struct Checker<'a, 'c> {
    loaded: &'a Loaded,
    contents: &'c FxHashMap<Content<'a>, DefId>,
    /// Whether the rule keeps all tokens, so that strings leave placeholders too.
    keep_all: bool,
    symbols: FxHashMap<Key<'a>, Symbol>,
}

/// What was found out about an expression: too much to be written out, or a loop that repeats itself.
enum Stop {
    TooMuch,
    Twice,
}

impl<'a> Checker<'a, '_> {
    /// Whether the rule is one that Lark refuses.
    fn repeats(&mut self, body: &'a Alternatives) -> bool {
        let mut all = FxHashSet::default();
        let mut written = FxHashSet::default();
        for alternative in body {
            let alias = alternative.alias.as_ref().map(|name| &*name.text);
            let found = match self.sequence(&alternative.parts) {
                Ok(found) => found,
                Err(Stop::TooMuch) => return false,
                Err(Stop::Twice) => return true,
            };
            for expansion in found {
                if !all.insert((expansion.clone(), alias)) {
                    continue;
                }
                let present = present(&expansion);
                if !present.is_empty() && !written.insert(present) {
                    return true;
                }
            }
        }
        false
    }

    fn symbol(&mut self, key: Key<'a>) -> Symbol {
        let next = self.symbols.len() as Symbol + 1;
        *self.symbols.entry(key).or_insert(next)
    }

    /// The symbol of a value, or one that stands for the structure of an expression.
    fn structure(&mut self, ast: &'a Ast) -> Symbol {
        let key = match ast {
            Ast::Rule(name) | Ast::Terminal(name) => Key::Name(&name.text),
            Ast::Literal(literal) => match self.contents.get(&content(literal)) {
                Some(&id) => Key::Name(&self.loaded.definitions.all[id].name.text),
                None => Key::Literal(content(literal)),
            },
            Ast::Part(id) => Key::Name(&self.loaded.definitions.all[*id].name.text),
            Ast::Template(name, arguments) => {
                Key::Template(&name.text, arguments.iter().map(|a| self.structure(a)).collect())
            }
            Ast::Group(body) => {
                let sequence = |parts: &'a Vec<Ast>, this: &mut Self| {
                    parts.iter().map(|part| this.structure(part)).collect()
                };
                Key::Group(body.iter().map(|a| sequence(&a.parts, self)).collect())
            }
            Ast::Repeat { body, min, max, form } => {
                Key::Repeat(self.structure(body), *min, *max, *form == Form::Brackets)
            }
        };
        self.symbol(key)
    }

    fn alternatives(&mut self, body: &'a Alternatives) -> Result<Expansions, Stop> {
        let mut all = Vec::new();
        for alternative in body {
            all.extend(self.sequence(&alternative.parts)?);
        }
        unique(all)
    }

    fn sequence(&mut self, parts: &'a [Ast]) -> Result<Expansions, Stop> {
        let mut all = vec![Vec::new()];
        for part in parts {
            let next = self.expand(part)?;
            all = product(&all, &next)?;
        }
        unique(all)
    }

    fn expand(&mut self, ast: &'a Ast) -> Result<Expansions, Stop> {
        let Ast::Repeat { body, min, max, form } = ast else {
            return match ast {
                Ast::Group(body) => self.alternatives(body),
                _ => Ok(vec![vec![self.structure(ast)]]),
            };
        };
        let inner = self.expand(body)?;
        match (form, min, max) {
            (Form::Brackets, ..) => {
                let mut all = inner;
                all.push(vec![ABSENT; self.size(body)]);
                unique(all)
            }
            (Form::Operator, _, Some(_)) => {
                let mut all = inner;
                all.push(Vec::new());
                unique(all)
            }
            (Form::Operator, _, None) => {
                // The rule of the loop is `inner | loop inner`, so that no part of it may be there twice.
                let mut seen = FxHashSet::default();
                if inner.iter().any(|expansion| !seen.insert(present(expansion))) {
                    return Err(Stop::Twice);
                }
                let structure = self.structure(body);
                let mut all = vec![vec![self.symbol(Key::Loop(structure))]];
                if *min == 0 {
                    all.push(Vec::new());
                }
                Ok(all)
            }
            _ => self.counted(body, inner, *min, *max),
        }
    }

    fn counted(
        &mut self,
        body: &'a Ast,
        inner: Expansions,
        min: u32,
        max: Option<u32>,
    ) -> Result<Expansions, Stop> {
        let most = max.unwrap_or(min);
        if most >= MANY {
            let placeholders = inner.iter().any(|expansion| expansion.contains(&ABSENT));
            if placeholders {
                return Err(Stop::Twice);
            }
            let structure = self.structure(body);
            return Ok(vec![vec![self.symbol(Key::Many(structure, min, max))]]);
        }
        let mut power = vec![Vec::new()];
        let mut all = Vec::new();
        for count in 0..=most {
            if count >= min {
                all.extend(power.iter().cloned());
            }
            if count < most {
                power = product(&power, &inner)?;
            }
        }
        unique(all)
    }

    /// How many placeholders an absent expression leaves: as many as it has children in the tree, at most.
    fn size(&self, ast: &Ast) -> usize {
        let all = |body: &Alternatives| {
            let sizes = body.iter().map(|a| a.parts.iter().map(|p| self.size(p)).sum());
            sizes.max().unwrap_or(0)
        };
        match ast {
            Ast::Rule(name) | Ast::Template(name, _) => usize::from(!name.text.starts_with('_')),
            Ast::Terminal(name) => usize::from(self.keep_all || !name.text.starts_with('_')),
            Ast::Literal(literal) => {
                usize::from(self.keep_all || literal.kind != LiteralKind::String)
            }
            Ast::Part(_) => 1,
            Ast::Group(body) => all(body),
            Ast::Repeat { max: None, form: Form::Operator, .. } => 0,
            Ast::Repeat { body, form: Form::Operator | Form::Brackets, .. } => self.size(body),
            Ast::Repeat { body, min, max, .. } => {
                let most = max.unwrap_or(*min);
                if most < MANY { self.size(body) * most as usize } else { 0 }
            }
        }
    }
}

/// The expansion without its placeholders.
fn present(expansion: &[Symbol]) -> Vec<Symbol> {
    expansion.iter().copied().filter(|&symbol| symbol != ABSENT).collect()
}

fn unique(all: Expansions) -> Result<Expansions, Stop> {
    if all.iter().map(|expansion| expansion.len() + 1).sum::<usize>() > MOST {
        return Err(Stop::TooMuch);
    }
    let mut seen = FxHashSet::default();
    Ok(all.into_iter().filter(|expansion| seen.insert(expansion.clone())).collect())
}

fn product(left: &Expansions, right: &Expansions) -> Result<Expansions, Stop> {
    let symbols = |all: &Expansions| all.iter().map(|e| e.len() + 1).sum::<usize>();
    if symbols(left) * right.len() + symbols(right) * left.len() > MOST {
        return Err(Stop::TooMuch);
    }
    let joined = |l: &Vec<Symbol>, r: &Vec<Symbol>| l.iter().chain(r).copied().collect();
    unique(left.iter().flat_map(|l| right.iter().map(move |r| joined(l, r))).collect())
}
