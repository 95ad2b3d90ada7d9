//! A conjunction for one type: facts are learned, choices judged, and what is left is split or kept as clauses.
//!
//! Alternatives that each say one thing about an object stay clauses of its shape and are never multiplied out;
//! only choices between several conditions at once are split, those with the fewest alternatives first.

use std::sync::Arc;

use super::array::ArrayFacts;
use super::facts::{Branch, Choice, Fact, Opened};
use super::node::{ARRAY, BOOL, Lit, NULL, NUMBER, OBJECT, STRING, Types};
use super::normal::Shape;
use super::object::ObjectFacts;
use super::scalar::{StringFacts, judge_number, learn_bool, learn_null, learn_number};
use super::space::{Space, Status};
use crate::error::Error;
use crate::json::NumberSet;

/// One alternative with many conditions is distributed over the others if it says at most so many things.
const DISTRIBUTED: usize = 4;
/// The same where many choices wait, so that splitting would multiply them.
const DISTRIBUTED_AMONG_MANY: usize = 64;
const MANY: usize = 5;
/// Choices within alternatives are looked into to this depth.
const NESTED: u32 = 4;

/// What is known of a value of one type.
#[derive(Clone, Debug)]
enum Facts {
    Null(bool),
    Bool([bool; 2]),
    Number(NumberSet),
    String(StringFacts),
    Array(ArrayFacts),
    Object(ObjectFacts),
}

#[derive(Clone, Debug)]
struct State {
    facts: Facts,
    /// What holds.
    lits: Vec<Lit>,
    choices: Vec<Choice>,
}

impl Space {
    /// Adds the shapes of a conjunction that are of one type.
    pub(super) fn solve(
        &mut self,
        lits: &[Lit],
        ty: Types,
        shapes: &mut Vec<Shape>,
    ) -> Result<(), Error> {
        let facts = match ty {
            NULL => Facts::Null(true),
            BOOL => Facts::Bool([true; 2]),
            NUMBER => Facts::Number(NumberSet::default()),
            STRING => Facts::String(StringFacts::default()),
            ARRAY => Facts::Array(ArrayFacts::default()),
            _ => Facts::Object(ObjectFacts::default()),
        };
        let mut state = State { facts, lits: Vec::new(), choices: Vec::new() };
        for lit in lits {
            if !self.assume(&mut state, *lit, ty)? {
                return Ok(());
            }
        }
        let first = shapes.len();
        let mut states = vec![state];
        while let Some(mut state) = states.pop() {
            if !self.propagate(&mut state, ty)? {
                continue;
            }
            match self.next_split(&mut state, ty)? {
                Some(at) => self.split(state, at, ty, &mut states)?,
                None => self.finish(state, shapes)?,
            }
        }
        super::merge::merge(shapes, first);
        Ok(())
    }

    /// A literal holds. `false` means that nothing is left.
    fn assume(&mut self, state: &mut State, lit: Lit, ty: Types) -> Result<bool, Error> {
        if state.lits.contains(&lit) {
            return Ok(true);
        }
        let opened = self.open(lit, ty)?;
        if opened.dead || opened.lits.iter().any(|lit| state.lits.contains(&lit.not())) {
            return Ok(false);
        }
        for lit in &opened.lits {
            if !state.lits.contains(lit) {
                state.lits.push(*lit);
            }
        }
        for fact in &opened.facts {
            if !self.learn(state, fact)? {
                return Ok(false);
            }
        }
        state.choices.extend(opened.choices.iter().cloned());
        Ok(true)
    }

    fn learn(&mut self, state: &mut State, fact: &Fact) -> Result<bool, Error> {
        self.charge(1)?;
        match &mut state.facts {
            Facts::Null(left) => {
                *left = learn_null(fact);
                Ok(*left)
            }
            Facts::Bool(left) => Ok(learn_bool(left, fact)),
            Facts::Number(set) => Ok(learn_number(set, fact)),
            Facts::String(set) => Ok(self.learn_string(set, fact)),
            Facts::Array(array) => self.learn_array(array, fact),
            Facts::Object(object) => self.learn_object(object, fact),
        }
    }

    fn judge_fact(&mut self, state: &State, fact: &Fact) -> Result<Status, Error> {
        match &state.facts {
            Facts::Null(_) => Ok(if learn_null(fact) { Status::Holds } else { Status::Fails }),
            Facts::Bool(left) => {
                let mut after = *left;
                Ok(if !learn_bool(&mut after, fact) {
                    Status::Fails
                } else if after == *left {
                    Status::Holds
                } else {
                    Status::Open
                })
            }
            Facts::Number(set) => {
                Ok(judge_number(set, fact, self.builder.index.integers_by_text()))
            }
            Facts::String(set) => self.judge_string(set, fact),
            Facts::Array(array) => self.judge_array(array, fact),
            Facts::Object(object) => self.judge_object(object, fact),
        }
    }

    fn judge_lit(&mut self, state: &State, lit: Lit, ty: Types) -> Result<Status, Error> {
        if state.lits.contains(&lit) || self.builder.nodes.mask(lit.not()) & ty == 0 {
            return Ok(Status::Holds);
        }
        if state.lits.contains(&lit.not()) || self.builder.nodes.mask(lit) & ty == 0 {
            return Ok(Status::Fails);
        }
        let opened = self.open(lit, ty)?;
        if opened.dead {
            return Ok(Status::Fails);
        }
        let all = self.judge_all(state, &opened.facts, &[], ty)?;
        Ok(if all == Status::Holds && !opened.choices.is_empty() { Status::Open } else { all })
    }

    fn judge_all(
        &mut self,
        state: &State,
        facts: &[Fact],
        lits: &[Lit],
        ty: Types,
    ) -> Result<Status, Error> {
        let mut all = Status::Holds;
        for fact in facts {
            match self.judge_fact(state, fact)? {
                Status::Fails => return Ok(Status::Fails),
                Status::Open => all = Status::Open,
                Status::Holds => {}
            }
        }
        for lit in lits {
            match self.judge_lit(state, *lit, ty)? {
                Status::Fails => return Ok(Status::Fails),
                Status::Open => all = Status::Open,
                Status::Holds => {}
            }
        }
        Ok(all)
    }

    fn judge(&mut self, state: &State, branch: &Branch, ty: Types) -> Result<Status, Error> {
        self.charge(1)?;
        match branch {
            Branch::Fact(fact) => self.judge_fact(state, fact),
            Branch::Lits(lits) => self.judge_all(state, &[], lits, ty),
            Branch::Both(facts, lits) => self.judge_all(state, facts, lits, ty),
        }
    }

    /// An alternative holds. `false` means that nothing is left.
    fn take(&mut self, state: &mut State, branch: &Branch, ty: Types) -> Result<bool, Error> {
        let (facts, lits): (&[Fact], &[Lit]) = match branch {
            Branch::Fact(fact) => (std::slice::from_ref(fact), &[]),
            Branch::Lits(lits) => (&[], lits),
            Branch::Both(facts, lits) => (facts, lits),
        };
        for fact in facts {
            if !self.learn(state, fact)? {
                return Ok(false);
            }
        }
        for lit in lits {
            if !self.assume(state, *lit, ty)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops choices that hold and alternatives that fail, and takes single alternatives, until nothing changes.
    fn propagate(&mut self, state: &mut State, ty: Types) -> Result<bool, Error> {
        loop {
            let mut changed = false;
            let mut left: Vec<Choice> = Vec::with_capacity(state.choices.len());
            for choice in std::mem::take(&mut state.choices) {
                let mut open = Choice::with_capacity(choice.len());
                let mut holds = false;
                for branch in choice {
                    match self.judge(state, &branch, ty)? {
                        Status::Holds => {
                            holds = true;
                            break;
                        }
                        Status::Fails => {}
                        Status::Open if open.contains(&branch) => {}
                        Status::Open => open.push(branch),
                    }
                }
                if holds {
                    continue;
                }
                match &open[..] {
                    [] => return Ok(false),
                    [only] => {
                        if !self.take(state, only, ty)? {
                            return Ok(false);
                        }
                        changed = true;
                    }
                    _ if left.contains(&open) => {}
                    _ => left.push(open),
                }
            }
            left.append(&mut state.choices);
            state.choices = left;
            if !changed {
                return Ok(true);
            }
        }
    }

    /// The choice to split, if one has to be. Choices that can be clauses become clauses.
    fn next_split(&mut self, state: &mut State, ty: Types) -> Result<Option<usize>, Error> {
        if state.choices.is_empty() {
            return Ok(None);
        }
        if ty != OBJECT {
            return Ok((0..state.choices.len()).min_by_key(|&at| state.choices[at].len()));
        }
        loop {
            let mut best: Option<(usize, usize)> = None;
            let mut replaced = false;
            let most =
                if state.choices.len() > MANY { DISTRIBUTED_AMONG_MANY } else { DISTRIBUTED };
            let mut at = 0;
            while at < state.choices.len() {
                let choice = state.choices[at].clone();
                match self.as_clauses(&choice, most, ty)? {
                    Some(clauses) => {
                        let same = clauses.len() == 1 && clauses[0] == choice;
                        if same {
                            at += 1;
                            continue;
                        }
                        state.choices.remove(at);
                        for clause in clauses {
                            if !state.choices.contains(&clause) {
                                state.choices.push(clause);
                            }
                        }
                        replaced = true;
                    }
                    None => {
                        if best.is_none_or(|(_, len)| choice.len() < len) {
                            best = Some((at, choice.len()));
                        }
                        at += 1;
                    }
                }
            }
            if !replaced {
                return Ok(best.map(|(at, _)| at));
            }
            // What was distributed may hold or fail by what is known.
            if !self.propagate(state, ty)? {
                state.choices = vec![Choice::new()];
                return Ok(Some(0));
            }
        }
    }

    /// The choice as clauses, each of facts that say one thing about an object.
    fn as_clauses(
        &mut self,
        choice: &Choice,
        most: usize,
        ty: Types,
    ) -> Result<Option<Vec<Choice>>, Error> {
        let mut light = Vec::new();
        let mut heavy = None;
        for branch in choice {
            match self.literals(branch, ty, NESTED)? {
                Some(literals) => light.extend(literals),
                None if heavy.is_none() => heavy = Some(branch),
                None => return Ok(None),
            }
        }
        let light: Choice = light.into_iter().map(Branch::Fact).collect();
        let Some(heavy) = heavy else { return Ok(Some(vec![light])) };
        let Some(clauses) = self.conjuncts(heavy, ty)? else { return Ok(None) };
        if clauses.len() > most {
            return Ok(None);
        }
        let with_light = |clause: Vec<Fact>| {
            let mut choice = light.clone();
            choice.extend(clause.into_iter().map(Branch::Fact));
            choice
        };
        Ok(Some(clauses.into_iter().map(with_light).collect()))
    }

    /// An alternative as single facts of which one holds.
    fn literals(
        &mut self,
        branch: &Branch,
        ty: Types,
        nested: u32,
    ) -> Result<Option<Vec<Fact>>, Error> {
        match branch {
            Branch::Fact(fact) => Ok(literal(fact)),
            Branch::Lits(lits) => {
                let [lit] = lits[..] else { return Ok(None) };
                let opened = self.open(lit, ty)?;
                match (&opened.facts[..], &opened.choices[..]) {
                    ([fact], []) => Ok(literal(fact)),
                    ([], [choice]) if nested > 0 => self.all_literals(choice, ty, nested - 1),
                    _ => Ok(None),
                }
            }
            Branch::Both(..) => Ok(None),
        }
    }

    fn all_literals(
        &mut self,
        choice: &Choice,
        ty: Types,
        nested: u32,
    ) -> Result<Option<Vec<Fact>>, Error> {
        let mut all = Vec::new();
        for branch in choice {
            match self.literals(branch, ty, nested)? {
                Some(literals) => all.extend(literals),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// An alternative as clauses that all hold.
    fn conjuncts(&mut self, branch: &Branch, ty: Types) -> Result<Option<Vec<Vec<Fact>>>, Error> {
        let (facts, lits): (&[Fact], &[Lit]) = match branch {
            Branch::Fact(fact) => (std::slice::from_ref(fact), &[]),
            Branch::Lits(lits) => (&[], lits),
            Branch::Both(facts, lits) => (facts, lits),
        };
        let mut opened: Vec<Arc<Opened>> = Vec::new();
        for lit in lits {
            opened.push(self.open(*lit, ty)?);
        }
        let mut clauses = Vec::new();
        for fact in facts.iter().chain(opened.iter().flat_map(|opened| &opened.facts)) {
            match literal(fact) {
                Some(literals) => clauses.push(literals),
                None => return Ok(None),
            }
        }
        for choice in opened.iter().flat_map(|opened| &opened.choices) {
            match self.all_literals(choice, ty, NESTED)? {
                Some(literals) => clauses.push(literals),
                None => return Ok(None),
            }
        }
        Ok(Some(clauses))
    }

    /// One state for each alternative of a choice; those of an object that say one thing stay together.
    fn split(
        &mut self,
        mut state: State,
        at: usize,
        ty: Types,
        states: &mut Vec<State>,
    ) -> Result<(), Error> {
        let choice = state.choices.remove(at);
        let mut light = Vec::new();
        let mut parts = Vec::new();
        for branch in choice {
            let literals = if ty == OBJECT { self.literals(&branch, ty, NESTED)? } else { None };
            match literals {
                Some(literals) => light.extend(literals.into_iter().map(Branch::Fact)),
                None => parts.push(branch),
            }
        }
        let mut made = Vec::with_capacity(parts.len() + 1);
        for branch in &parts {
            self.charge(1)?;
            let mut one = state.clone();
            // Where one of the simple alternatives holds is the other state's business, and without it the states of
            // several choices have less in common.
            let mut alive = true;
            for fact in light.iter().filter_map(opposite) {
                alive = alive && self.learn(&mut one, &fact)?;
            }
            if alive && self.take(&mut one, branch, ty)? {
                made.push(one);
            }
        }
        if !light.is_empty() {
            state.choices.push(light);
            made.push(state);
        }
        // The first alternative is worked on first.
        states.extend(made.into_iter().rev());
        Ok(())
    }

    fn finish(&mut self, state: State, shapes: &mut Vec<Shape>) -> Result<(), Error> {
        let shape = match state.facts {
            Facts::Null(left) => left.then_some(Shape::Null),
            Facts::Bool([yes, no]) => Some(Shape::Bool { yes, no }),
            Facts::Number(set) => (!set.is_empty()?).then_some(Shape::Number(set)),
            Facts::String(set) => self.string_set(set)?.map(Shape::String),
            Facts::Array(array) => self.array_shape(array)?.map(Shape::Array),
            Facts::Object(object) => self.object_shape(object, &state.choices)?.map(Shape::Object),
        };
        shapes.extend(shape);
        Ok(())
    }
}

/// What holds if a simple alternative does not.
fn opposite(branch: &Branch) -> Option<Fact> {
    let Branch::Fact(fact) = branch else { return None };
    match fact {
        Fact::Absent(key) => Some(Fact::Has(*key, Lit::TRUE)),
        Fact::Has(key, lit) => Some(Fact::Key(*key, lit.not())),
        _ => None,
    }
}

/// A fact on an object as single facts of which one holds, if that is what it is.
fn literal(fact: &Fact) -> Option<Vec<Fact>> {
    match fact {
        Fact::Key(key, lit) => Some(vec![Fact::Absent(*key), Fact::Has(*key, *lit)]),
        Fact::Absent(_) | Fact::Has(..) | Fact::Some(..) | Fact::MinKeys(_) | Fact::MaxKeys(_) => {
            Some(vec![fact.clone()])
        }
        _ => None,
    }
}
