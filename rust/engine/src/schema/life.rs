//! Which goals have a value: a least fixpoint over the goals that can be reached.
//!
//! A goal is live if one of its shapes can be filled with live goals; what never becomes live is empty. Then shapes
//! that cannot be filled are taken out, so that nothing empty can be reached.

use std::sync::Arc;

use super::normal::{ArrayShape, Equality, GoalId, Literal, ObjectShape, Shape};
use super::search::Search;
use super::space::{Life, Space};
use crate::error::Error;

impl Space {
    /// Works out everything that can be reached from a goal, and decides which goals have a value.
    pub(super) fn settle(&mut self, goal: GoalId) -> Result<(), Error> {
        let mut pending = Vec::new();
        self.reach(goal, &mut pending)?;
        self.decide(pending)
    }

    /// Decides which of these goals have a value. All others that they lead to are decided.
    pub(super) fn decide(&mut self, mut pending: Vec<GoalId>) -> Result<(), Error> {
        loop {
            let mut changed = false;
            let known = pending.len();
            // Parts are reached after the whole, so that the last ones are most often the first to be decided.
            let mut at = pending.len();
            while at > 0 {
                at -= 1;
                let id = pending[at];
                if self.life(id) != Life::Unknown {
                    continue;
                }
                let shapes = Arc::clone(&self.goals[id.0 as usize].goal);
                for shape in &shapes.shapes {
                    if self.can_be_filled(shape, &mut pending)? {
                        self.goals[id.0 as usize].life = Life::Live;
                        changed = true;
                        break;
                    }
                }
            }
            // A search may have met goals that nobody asked for before.
            changed |= pending.len() > known;
            pending.retain(|id| self.goals[id.0 as usize].life == Life::Unknown);
            if !changed {
                break;
            }
        }
        for id in &pending {
            self.goals[id.0 as usize].life = Life::Empty;
        }
        Ok(())
    }

    pub(super) fn life(&self, id: GoalId) -> Life {
        self.goals[id.0 as usize].life
    }

    /// Works out a goal and all that its shapes lead to, and lists what is new.
    pub(super) fn reach(&mut self, goal: GoalId, pending: &mut Vec<GoalId>) -> Result<(), Error> {
        let mut at = pending.len();
        self.mark(goal, pending);
        while let Some(&id) = pending.get(at) {
            at += 1;
            self.work_out(id)?;
            let shapes = Arc::clone(&self.goals[id.0 as usize].goal);
            for shape in &shapes.shapes {
                self.mark_parts(shape, pending);
            }
        }
        Ok(())
    }

    fn mark(&mut self, goal: GoalId, pending: &mut Vec<GoalId>) {
        let goal_data = &mut self.goals[goal.0 as usize];
        if !goal_data.reached {
            goal_data.reached = true;
            pending.push(goal);
        }
    }

    fn mark_parts(&mut self, shape: &Shape, pending: &mut Vec<GoalId>) {
        match shape {
            Shape::Array(array) => {
                for goal in array.prefix.iter().chain(&array.rest) {
                    self.mark(*goal, pending);
                }
                for contains in &array.contains {
                    self.mark(contains.goal, pending);
                    self.mark(contains.other, pending);
                }
            }
            Shape::Object(object) => {
                for goal in object.keys.iter().filter_map(|key| key.value) {
                    self.mark(goal, pending);
                }
                for class in &object.classes {
                    self.mark(class.names, pending);
                    self.mark(class.value, pending);
                }
                for literal in object.clauses.iter().flat_map(|clause| &clause.0) {
                    if let Literal::Value(_, goal) | Literal::SomeKey(_, goal) = literal {
                        self.mark(*goal, pending);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a shape has a value made of parts that are known to be live.
    fn can_be_filled(&mut self, shape: &Shape, pending: &mut Vec<GoalId>) -> Result<bool, Error> {
        match shape {
            Shape::Array(array) => self.array_can_be_filled(array, pending),
            Shape::Object(object) => Search::new(self, object, pending).whole(),
            _ => Ok(true),
        }
    }

    fn array_can_be_filled(
        &mut self,
        array: &ArrayShape,
        pending: &mut Vec<GoalId>,
    ) -> Result<bool, Error> {
        super::items::Filling::new(self, array, pending).exists()
    }

    /// The goal of values that are in all of these goals, worked out.
    pub(super) fn meet(
        &mut self,
        goals: &[GoalId],
        pending: &mut Vec<GoalId>,
    ) -> Result<GoalId, Error> {
        if let [goal] = goals {
            return Ok(*goal);
        }
        let mut lits = Vec::new();
        for goal in goals {
            for lit in self.lits_of(*goal) {
                if !lits.contains(lit) {
                    lits.push(*lit);
                }
            }
        }
        let goal = self.goal_of(&lits)?;
        self.reach(goal, pending)?;
        Ok(goal)
    }

    /// Takes out of a goal's shapes what turned out to have no value.
    pub(super) fn prune(&mut self, id: GoalId) -> Result<(), Error> {
        let goal = Arc::clone(&self.goals[id.0 as usize].goal);
        if !goal.shapes.iter().any(|shape| self.has_empty_part(shape)) {
            return Ok(());
        }
        let mut shapes = Vec::with_capacity(goal.shapes.len());
        for shape in &goal.shapes {
            let shape = match shape {
                Shape::Array(array) => self.pruned_array(array).map(Shape::Array),
                Shape::Object(object) => self.pruned_object(object).map(Shape::Object),
                other => Some(other.clone()),
            };
            if let Some(shape) = shape
                && self.is_filled(&shape)?
            {
                shapes.push(shape);
            }
        }
        self.replace(id, shapes);
        Ok(())
    }

    /// Whether a shape of a decided goal has a value.
    fn is_filled(&mut self, shape: &Shape) -> Result<bool, Error> {
        loop {
            let mut pending = Vec::new();
            if self.can_be_filled(shape, &mut pending)? {
                self.decide(pending)?;
                return Ok(true);
            }
            if pending.is_empty() {
                return Ok(false);
            }
            self.decide(pending)?;
        }
    }

    fn is_empty(&self, goal: GoalId) -> bool {
        self.life(goal) == Life::Empty
    }

    fn has_empty_part(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Array(array) => {
                array.prefix.iter().chain(&array.rest).any(|goal| self.is_empty(*goal))
                    || !array.contains.is_empty()
                    || array.equality != Equality::Free
            }
            Shape::Object(object) => {
                object.keys.iter().filter_map(|key| key.value).any(|goal| self.is_empty(goal))
                    || object
                        .classes
                        .iter()
                        .any(|class| self.is_empty(class.value) || self.is_empty(class.names))
                    || !object.clauses.is_empty()
                    || object.min > 0
                    || object.max.is_some()
            }
            _ => false,
        }
    }

    fn pruned_array(&self, array: &ArrayShape) -> Option<ArrayShape> {
        let mut array = array.clone();
        if let Some(at) = array.prefix.iter().position(|goal| self.is_empty(*goal)) {
            array.prefix.truncate(at);
            array.rest = None;
            array.max = Some(at as u64);
        }
        if array.rest.is_some_and(|goal| self.is_empty(goal)) {
            array.rest = None;
            array.max = Some(array.prefix.len() as u64);
        }
        array.max.is_none_or(|max| max >= array.min).then_some(array)
    }

    fn pruned_object(&self, object: &ObjectShape) -> Option<ObjectShape> {
        let mut object = object.clone();
        for key in &mut object.keys {
            if key.value.is_some_and(|goal| self.is_empty(goal)) {
                key.value = None;
            }
        }
        // Literals name classes by their place, so that those without a value go last.
        let live: Vec<bool> = object
            .classes
            .iter()
            .map(|class| !self.is_empty(class.value) && !self.is_empty(class.names))
            .collect();
        let place: Vec<u32> = live
            .iter()
            .scan(0, |next, live| {
                let place = *next;
                *next += u32::from(*live);
                Some(place)
            })
            .collect();
        for clause in &mut object.clauses {
            clause.0.retain_mut(|literal| match literal {
                Literal::Value(at, goal) => {
                    object.keys[*at as usize].value.is_some() && !self.is_empty(*goal)
                }
                Literal::SomeKey(at, goal) => {
                    let keep = live[*at as usize] && !self.is_empty(*goal);
                    *at = place[*at as usize];
                    keep
                }
                Literal::Absent(at) => !object.keys[*at as usize].required,
                _ => true,
            });
            if clause.0.is_empty() {
                return None;
            }
        }
        let mut at = 0;
        object.classes.retain(|_| {
            at += 1;
            live[at - 1]
        });
        // A clause that a missing key fulfils says nothing more.
        let keys = &object.keys;
        object.clauses.retain(|clause| {
            !clause.0.iter().any(|literal| {
                matches!(literal, Literal::Absent(at) if keys[*at as usize].value.is_none())
            })
        });
        super::shape::tidy(&mut object).then_some(object)
    }
}
