//! Objects: which keys may come next, and what must still come.
//!
//! A state says how far an object has come, in so far as that bears on the rest: states that allow the same rest should
//! be equal. Each state that is made can be completed; whether it can is asked of the normal form where the shape has
//! more than required and optional keys.

use crate::error::Error;
use crate::schema::Normal;
use crate::schema::normal::{Clause, GoalId, Key, KeyClass, Literal, ObjectShape, Rest};

use super::regions::{Promise, Region, regions};

/// A shape of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShapeId {
    pub(super) goal: GoalId,
    pub(super) index: u32,
}

/// How far an object has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ObjectState {
    pub(super) shape: ShapeId,
    /// The first key of those in schema order that may still come.
    next: u32,
    /// The named keys in any order that were written, as bits; empty if there are none.
    written: Box<[u64]>,
    /// Other keys that were written, as far as it matters.
    count: u64,
    /// Clauses that nothing fulfils yet.
    open: Box<[u32]>,
}

/// A key that may come next.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) key: Chosen,
    pub(super) value: GoalId,
    /// How far the object has come after it.
    pub(super) then: ObjectState,
}

/// Which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Chosen {
    /// A named one.
    Named(u32),
    /// Any one of a class.
    Class(u32),
}

/// An object shape with what is worked out once.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) id: ShapeId,
    pub(super) shape: ObjectShape,
    /// So many named keys come in schema order, before all others.
    ordered: u32,
    /// Whether nothing but required keys decides how the object may end.
    simple: bool,
    /// Whether keys in any order that need not be there are kept track of. If not, nothing follows from them but that
    /// they cannot come again, which is not the rules' business.
    tracks: bool,
    /// Whether such keys can run out, so that none is left where one is due.
    pub(super) runs_out: bool,
    /// Counts beyond this are all alike.
    most: u64,
    /// One more than the last key in schema order that may be written.
    named_end: u32,
    /// One more than the last required key in schema order.
    required_end: u32,
}

/// With more keys than this, a state does not hold which optional ones were written: states would be too many.
const TRACKED: usize = 64;

impl Plan {
    /// `in_order`: whether listed keys come in schema order. `endless`: keys of some class may be any strings that
    /// are not named.
    pub(super) fn new(id: ShapeId, shape: ObjectShape, in_order: bool, endless: bool) -> Self {
        let listed = shape.keys.iter().rposition(|key| key.listed).map_or(0, |last| last + 1);
        let ordered = if in_order { listed } else { 0 };
        let end = |holds: &dyn Fn(&Key) -> bool| {
            shape.keys[..ordered].iter().rposition(holds).map_or(0, |last| last as u32 + 1)
        };
        let named_end = end(&|key| key.value.is_some());
        let required_end = end(&|key| key.required);
        let required = shape.keys.iter().filter(|key| key.required).count() as u64;
        let writable = shape.keys.iter().filter(|key| key.value.is_some()).count() as u64;
        let bounded = shape.max.is_some_and(|max| !shape.classes.is_empty() || max < writable);
        let simple = shape.clauses.is_empty() && shape.min <= required && !bounded;
        let most = if simple { 0 } else { most_that_counts(&shape) };
        let many = shape.keys.len() - ordered > TRACKED;
        let tracks = !simple || !(endless || many);
        let (ordered, runs_out) = (ordered as u32, !tracks && !endless);
        Self { id, shape, ordered, simple, tracks, runs_out, most, named_end, required_end }
    }

    /// Where an object begins.
    pub(super) fn start(&self) -> ObjectState {
        let all = self.shape.keys.len();
        let words = if self.ordered as usize == all { 0 } else { all.div_ceil(64) };
        let open = (0..self.shape.clauses.len() as u32).collect();
        let state =
            ObjectState { shape: self.id, next: 0, written: vec![0; words].into(), count: 0, open };
        self.settle(state)
    }

    /// Whether the object may end here.
    pub(super) fn may_end(&self, normal: &Normal, state: &ObjectState) -> Result<bool, Error> {
        if self.simple {
            let mut free = self.free_keys();
            return Ok(self.required_end <= state.next
                && free.all(|at| !self.shape.keys[at as usize].required || state.has(at)));
        }
        let rest = Rest { left: Vec::new(), open: false, ..self.rest(state) };
        normal.completes(&self.shape, &rest)
    }

    /// Whether another key may come.
    pub(super) fn may_go_on(&self, normal: &Normal, state: &ObjectState) -> Result<bool, Error> {
        if self.simple {
            let mut free = self.free_keys();
            return Ok(!self.shape.classes.is_empty()
                || state.next < self.named_end
                || free.any(|at| self.shape.keys[at as usize].value.is_some() && !state.has(at)));
        }
        let mut at = Some(state.clone());
        while let Some(state) = at {
            if !self.choices(normal, &state)?.is_empty() {
                return Ok(true);
            }
            at = self.skip(&state);
        }
        Ok(false)
    }

    /// The named keys that come in any order.
    fn free_keys(&self) -> impl Iterator<Item = u32> + use<> {
        self.ordered..self.shape.keys.len() as u32
    }

    /// The state in which the next key in schema order is left out, unless it must come or there is none.
    pub(super) fn skip(&self, state: &ObjectState) -> Option<ObjectState> {
        if state.next >= self.ordered || self.shape.keys[state.next as usize].required {
            return None;
        }
        Some(self.settle(self.leave_out(state.clone())))
    }

    /// The keys that may come next: the next one in schema order, or else all that come in any order.
    pub(super) fn choices(
        &self,
        normal: &Normal,
        state: &ObjectState,
    ) -> Result<Vec<Choice>, Error> {
        let mut choices = Vec::new();
        if state.next < self.ordered {
            self.named(normal, state, state.next, &mut choices)?;
        } else {
            for at in self.free_keys().filter(|&at| !state.has(at)) {
                self.named(normal, state, at, &mut choices)?;
            }
            self.unnamed(normal, state, &mut choices)?;
        }
        Ok(choices)
    }

    /// A lower bound of the length of the rest in bytes, the closing brace included.
    pub(super) fn shortest(
        &self,
        state: &ObjectState,
        value: impl Fn(GoalId) -> Result<u32, Error>,
    ) -> Result<u32, Error> {
        let mut total: u32 = 1;
        for (at, key) in self.shape.keys.iter().enumerate() {
            let at = at as u32;
            let open = if at < self.ordered { at >= state.next } else { !state.has(at) };
            if let Some(goal) = key.value.filter(|_| key.required && open) {
                // Two quotes and a colon.
                let name = u32::try_from(key.name.len()).unwrap_or(u32::MAX / 4);
                total = total.saturating_add(name).saturating_add(3).saturating_add(value(goal)?);
            }
        }
        Ok(total.min(u32::MAX / 2))
    }

    fn named(
        &self,
        normal: &Normal,
        state: &ObjectState,
        at: u32,
        choices: &mut Vec<Choice>,
    ) -> Result<(), Error> {
        let Some(value) = self.shape.keys[at as usize].value else { return Ok(()) };
        let promises = self.promises(state, |literal| match literal {
            Literal::Value(key, goal) if *key == at => Some(*goal),
            _ => None,
        });
        for Region { goal, fulfilled } in regions(normal, value, promises)? {
            let mut then = state.clone();
            then.open = without(&state.open, &fulfilled);
            if at < self.ordered {
                then.next = at + 1;
                then.count = (then.count + 1).min(self.most);
            } else if self.tracks || self.shape.keys[at as usize].required {
                then.written[at as usize / 64] |= 1 << (at % 64);
            }
            self.offer(normal, Choice { key: Chosen::Named(at), value: goal, then }, choices)?;
        }
        Ok(())
    }

    fn unnamed(
        &self,
        normal: &Normal,
        state: &ObjectState,
        choices: &mut Vec<Choice>,
    ) -> Result<(), Error> {
        for (class, KeyClass { value, .. }) in self.shape.classes.iter().enumerate() {
            let class = class as u32;
            let promises = self.promises(state, |literal| match literal {
                Literal::SomeKey(of, goal) if *of == class => Some(*goal),
                _ => None,
            });
            for Region { goal, fulfilled } in regions(normal, *value, promises)? {
                let mut then = state.clone();
                then.open = without(&state.open, &fulfilled);
                then.count = (then.count + 1).min(self.most);
                self.offer(
                    normal,
                    Choice { key: Chosen::Class(class), value: goal, then },
                    choices,
                )?;
            }
        }
        Ok(())
    }

    /// Adds a choice after which the object can be completed.
    fn offer(
        &self,
        normal: &Normal,
        choice: Choice,
        choices: &mut Vec<Choice>,
    ) -> Result<(), Error> {
        let then = self.settle(choice.then);
        if self.simple || normal.completes(&self.shape, &self.rest(&then))? {
            choices.push(Choice { then, ..choice });
        }
        Ok(())
    }

    /// What the value of a key can promise: goals, each with the open clauses that it fulfils.
    fn promises(
        &self,
        state: &ObjectState,
        goal: impl Fn(&Literal) -> Option<GoalId>,
    ) -> Vec<Promise> {
        let mut found: Vec<Promise> = Vec::new();
        for &clause in &state.open {
            for goal in self.shape.clauses[clause as usize].0.iter().filter_map(&goal) {
                match found.iter_mut().find(|promise| promise.goal == goal) {
                    Some(promise) => promise.fulfils.push(clause),
                    None => found.push(Promise { goal, other: None, fulfils: vec![clause] }),
                }
            }
        }
        found
    }

    /// The state in which the next key in schema order is left out for good.
    fn leave_out(&self, mut state: ObjectState) -> ObjectState {
        let fulfilled: Vec<u32> = state
            .open
            .iter()
            .copied()
            .filter(|&clause| {
                self.shape.clauses[clause as usize].0.contains(&Literal::Absent(state.next))
            })
            .collect();
        state.open = without(&state.open, &fulfilled);
        state.next += 1;
        state
    }

    /// The same state without what does not matter: keys that must not come are passed, and counts that are reached
    /// fulfil their clauses.
    fn settle(&self, mut state: ObjectState) -> ObjectState {
        while state.next < self.ordered && self.shape.keys[state.next as usize].value.is_none() {
            state = self.leave_out(state);
        }
        if !state.open.is_empty() {
            let keys = self.keys_written(&state);
            let reached = |literal: &Literal| matches!(literal, Literal::AtLeast(n) if *n <= keys);
            let fulfilled: Vec<u32> = state
                .open
                .iter()
                .copied()
                .filter(|&clause| self.shape.clauses[clause as usize].0.iter().any(reached))
                .collect();
            state.open = without(&state.open, &fulfilled);
        }
        state
    }

    fn keys_written(&self, state: &ObjectState) -> u64 {
        let named: u32 = state.written.iter().map(|word| word.count_ones()).sum();
        u64::from(named) + state.count
    }

    /// How far the object has come, in the words of the normal form.
    fn rest(&self, state: &ObjectState) -> Rest {
        let mut others = vec![0; self.shape.classes.len()];
        let writable = |at: &u32| self.shape.keys[*at as usize].value.is_some();
        // Which optional keys in schema order were written matters by their number alone, unless a clause is still
        // open that their absence would have fulfilled.
        let (mut written, passed): (Vec<u32>, Vec<u32>) =
            (0..state.next).filter(writable).partition(|&at| {
                self.shape.keys[at as usize].required
                    || state.open.iter().any(|&clause| {
                        self.shape.clauses[clause as usize].0.contains(&Literal::Absent(at))
                    })
            });
        let missing = state.count.saturating_sub(written.len() as u64);
        match others.first_mut() {
            Some(others) => *others = missing,
            None => written.extend(passed.into_iter().take(missing as usize)),
        }
        written.sort_unstable();
        let mut left: Vec<u32> = (state.next..self.ordered).filter(writable).collect();
        for at in self.free_keys().filter(writable) {
            if state.has(at) { written.push(at) } else { left.push(at) }
        }
        Rest { written, left, others, open: true, clauses: state.open.to_vec() }
    }
}

impl ObjectState {
    fn has(&self, key: u32) -> bool {
        self.written[key as usize / 64] >> (key % 64) & 1 == 1
    }
}

/// One more than the largest count that a condition of the shape tells apart; 0 if none asks for counts.
fn most_that_counts(shape: &ObjectShape) -> u64 {
    let literals = shape.clauses.iter().flat_map(|Clause(literals)| literals);
    let counts = literals.filter_map(|literal| match literal {
        Literal::AtLeast(count) | Literal::AtMost(count) => Some(*count),
        Literal::Absent(_) | Literal::Value(..) | Literal::SomeKey(..) => None,
    });
    let largest = counts.chain((shape.min > 0).then_some(shape.min)).chain(shape.max).max();
    largest.map_or(0, |largest| largest.saturating_add(1))
}

fn without(open: &[u32], fulfilled: &[u32]) -> Box<[u32]> {
    open.iter().copied().filter(|clause| !fulfilled.contains(clause)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Clause, Literal, ObjectShape, most_that_counts};

    #[test]
    fn a_count_of_none_is_a_count() {
        let with = |literals: &[Literal]| ObjectShape {
            clauses: vec![Clause(literals.to_vec())],
            ..ObjectShape::default()
        };
        assert_eq!(most_that_counts(&ObjectShape::default()), 0);
        assert_eq!(most_that_counts(&with(&[Literal::Absent(0)])), 0);
        assert_eq!(most_that_counts(&with(&[Literal::AtMost(0), Literal::Absent(0)])), 1);
        assert_eq!(most_that_counts(&with(&[Literal::AtLeast(3), Literal::AtMost(1)])), 4);
        assert_eq!(most_that_counts(&ObjectShape { max: Some(0), ..ObjectShape::default() }), 1);
        assert_eq!(most_that_counts(&ObjectShape { min: 2, ..ObjectShape::default() }), 3);
    }
}
