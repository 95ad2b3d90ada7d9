//! The rules of a schema, made when a text first comes to them.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::array::{self, ArrayState, Written};
use super::distinct::{Distinct, distinct};
use super::numbering::Numbering;
use super::object::{self, Choice, Chosen, ObjectState, ShapeId};
use super::source::Lowered;
use super::strings;
use super::terminals::{Mark, Terminals};
use crate::error::Error;
use crate::grammar::{Expr, MadeRule, Maker, Terminal, Within};
use crate::ids::{RuleId, TerminalId};
use crate::schema::normal::{GoalId, Shape, StringSet};

/// What a rule stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rule {
    /// The whole text.
    Text,
    /// A value of a goal.
    Value(GoalId),
    /// An object of a shape.
    Object(ShapeId),
    /// The rest of an object from before a key on.
    Keys(ObjectState),
    /// The rest of an object from behind a value on.
    AfterValue(ObjectState),
    /// An array of a shape.
    Array(ShapeId),
    /// The rest of an array from before an item on.
    Items(ArrayState),
    /// The rest of an array from behind an item on.
    AfterItem(ArrayState),
}

/// Makes the rules and terminals of a schema.
#[derive(Debug)]
pub(super) struct SchemaMaker {
    schema: Arc<Lowered>,
    rules: Numbering<Rule>,
    terminals: Terminals,
    objects: Mutex<FxHashMap<ShapeId, Arc<object::Plan>>>,
    arrays: Mutex<FxHashMap<ShapeId, Arc<array::Plan>>>,
    shortest: Mutex<FxHashMap<GoalId, u32>>,
}

impl SchemaMaker {
    /// The number of the rule of whole texts.
    pub(super) const TEXT: RuleId = RuleId(0);

    pub(super) fn new(schema: Arc<Lowered>) -> Self {
        let rules = Numbering::new();
        rules.number(Rule::Text);
        let terminals = Terminals::new(schema.clone());
        Self {
            schema,
            rules,
            terminals,
            objects: Mutex::default(),
            arrays: Mutex::default(),
            shortest: Mutex::default(),
        }
    }

    fn call(&self, rule: Rule) -> Expr {
        Expr::Rule(RuleId(self.rules.number(rule)))
    }

    fn mark(&self, mark: Mark) -> Result<Expr, Error> {
        Ok(Expr::Terminal(self.terminals.mark(mark)?))
    }

    fn body(&self, rule: &Rule) -> Result<Expr, Error> {
        match rule {
            Rule::Text => self.text(),
            Rule::Value(goal) => self.value(*goal),
            Rule::Object(shape) => {
                let plan = self.object(*shape)?;
                let start = plan.start();
                let mut rest = Vec::new();
                if plan.may_end(&self.schema.normal, &start)? {
                    rest.push(self.mark(Mark::EndEmptyObject)?);
                }
                if plan.may_go_on(&self.schema.normal, &start)? {
                    rest.push(self.call(Rule::Keys(start)));
                }
                Ok(Expr::Seq(vec![self.mark(Mark::BeginObject)?, Expr::Alt(rest)]))
            }
            Rule::Keys(state) => self.keys(state),
            Rule::AfterValue(state) => {
                let plan = self.object(state.shape)?;
                let mut rest = Vec::new();
                if plan.may_end(&self.schema.normal, state)? {
                    rest.push(self.mark(Mark::EndObject)?);
                }
                if plan.may_go_on(&self.schema.normal, state)? {
                    let keys = self.call(Rule::Keys(state.clone()));
                    rest.push(Expr::Seq(vec![self.mark(Mark::Comma)?, keys]));
                }
                Ok(Expr::Alt(rest))
            }
            Rule::Array(shape) => {
                let plan = self.array(*shape)?;
                let start = plan.start();
                let mut rest = Vec::new();
                if plan.may_end(&start) {
                    rest.push(self.mark(Mark::EndEmptyArray)?);
                }
                if !plan.choices(&self.schema.normal, &start)?.is_empty() {
                    rest.push(self.call(Rule::Items(start)));
                }
                Ok(Expr::Seq(vec![self.mark(Mark::BeginArray)?, Expr::Alt(rest)]))
            }
            Rule::Items(state) => {
                let choices = self.array(state.shape)?.choices(&self.schema.normal, state)?;
                let items = choices.into_iter().map(|item| {
                    let value = match item.value {
                        Written::Any(goal) => self.call(Rule::Value(goal)),
                        Written::One(value) => self.terminals.scalar(&value)?,
                    };
                    Ok(Expr::Seq(vec![value, self.call(Rule::AfterItem(item.then))]))
                });
                Ok(Expr::Alt(items.collect::<Result<_, Error>>()?))
            }
            Rule::AfterItem(state) => {
                let plan = self.array(state.shape)?;
                let mut rest = Vec::new();
                if plan.may_end(state) {
                    rest.push(self.mark(Mark::EndArray)?);
                }
                if !plan.choices(&self.schema.normal, state)?.is_empty() {
                    let items = self.call(Rule::Items(state.clone()));
                    rest.push(Expr::Seq(vec![self.mark(Mark::Comma)?, items]));
                }
                Ok(Expr::Alt(rest))
            }
        }
    }

    fn text(&self) -> Result<Expr, Error> {
        let value = self.call(Rule::Value(self.schema.normal.root()));
        let Some((_, optional)) = self.schema.layout.around else { return Ok(value) };
        let gap = self.mark(Mark::Gap)?;
        let gap = if optional { Expr::Alt(vec![Expr::Empty, gap]) } else { gap };
        Ok(Expr::Seq(vec![gap.clone(), value, gap]))
    }

    fn value(&self, id: GoalId) -> Result<Expr, Error> {
        let goal = self.schema.normal.goal(id)?;
        let mut choices = self.terminals.scalars(goal.shapes.iter())?;
        for (index, shape) in goal.shapes.iter().enumerate() {
            let shape_id = ShapeId { goal: id, index: index as u32 };
            match shape {
                Shape::Object(_) => choices.push(self.call(Rule::Object(shape_id))),
                Shape::Array(_) => choices.push(self.call(Rule::Array(shape_id))),
                Shape::Null | Shape::Bool { .. } | Shape::Number(_) | Shape::String(_) => {}
            }
        }
        Ok(Expr::Alt(choices))
    }

    fn keys(&self, state: &ObjectState) -> Result<Expr, Error> {
        let normal = &self.schema.normal;
        let plan = self.object(state.shape)?;
        let mut rest = Vec::new();
        for Choice { key, value, then } in plan.choices(normal, state)? {
            let name = match key {
                Chosen::Named(at) => self.terminals.name(&plan.shape.keys[at as usize].name)?,
                Chosen::Class(class) => self.terminals.class(&plan, class)?,
            };
            rest.push(Expr::Seq(vec![
                name,
                self.mark(Mark::Colon)?,
                self.call(Rule::Value(value)),
                self.call(Rule::AfterValue(then)),
            ]));
        }
        if let Some(skipped) = plan.skip(state)
            && plan.may_go_on(normal, &skipped)?
        {
            rest.push(self.call(Rule::Keys(skipped)));
        }
        Ok(Expr::Alt(rest))
    }

    fn object(&self, id: ShapeId) -> Result<Arc<object::Plan>, Error> {
        let mut plans = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plans.get(&id) {
            return Ok(known.clone());
        }
        let goal = self.schema.normal.goal(id.goal)?;
        let Some(Shape::Object(shape)) = goal.shapes.get(id.index as usize) else {
            return Err(Error::Grammar(format!("{id:?} is not of an object")));
        };
        let ordered = self.schema.ordered();
        let mut endless = false;
        for class in &shape.classes {
            let names = self.schema.normal.goal(class.names)?;
            endless |= names.shapes.contains(&Shape::String(StringSet::default()));
        }
        let plan = Arc::new(object::Plan::new(id, shape.clone(), ordered, endless));
        if plan.runs_out {
            self.terminals.tell_of_scarce_keys();
        }
        plans.insert(id, plan.clone());
        Ok(plan)
    }

    fn array(&self, id: ShapeId) -> Result<Arc<array::Plan>, Error> {
        let mut plans = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plans.get(&id) {
            return Ok(known.clone());
        }
        let goal = self.schema.normal.goal(id.goal)?;
        let Some(Shape::Array(shape)) = goal.shapes.get(id.index as usize) else {
            return Err(Error::Grammar(format!("{id:?} is not of an array")));
        };
        let plan = Arc::new(array::Plan::new(
            id,
            shape.clone(),
            // What is not known is left out, as was asked for.
            distinct(&self.schema, shape)?.unwrap_or(Distinct::No),
        ));
        plans.insert(id, plan.clone());
        Ok(plan)
    }
}

impl SchemaMaker {
    /// A lower bound of the length of a rule's texts.
    fn shortest_of(&self, rule: &Rule) -> Result<u32, Error> {
        let of = |goal| self.shortest_value(goal);
        match rule {
            Rule::Text => self.shortest_value(self.schema.normal.root()),
            Rule::Value(goal) => self.shortest_value(*goal),
            Rule::Object(shape) => {
                let plan = self.object(*shape)?;
                Ok(plan.shortest(&plan.start(), of)?.saturating_add(1))
            }
            Rule::Keys(state) | Rule::AfterValue(state) => {
                self.object(state.shape)?.shortest(state, of)
            }
            Rule::Array(shape) => {
                let plan = self.array(*shape)?;
                Ok(plan.shortest(&plan.start(), of)?.saturating_add(1))
            }
            Rule::Items(state) | Rule::AfterItem(state) => {
                self.array(state.shape)?.shortest(state, of)
            }
        }
    }

    /// A lower bound of the length of a goal's texts. What is being worked out counts as one byte where it comes
    /// again, so that recursion ends.
    fn shortest_value(&self, goal: GoalId) -> Result<u32, Error> {
        {
            let mut known = self.shortest.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(&known) = known.get(&goal) {
                return Ok(known.max(1));
            }
            if known.values().filter(|&&length| length == UNDERWAY).count() > DEEPEST {
                return Ok(1);
            }
            known.insert(goal, UNDERWAY);
        }
        let mut best = u32::MAX / 2;
        for (index, shape) in self.schema.normal.goal(goal)?.shapes.iter().enumerate() {
            let shape_id = ShapeId { goal, index: index as u32 };
            let length = match shape {
                Shape::Object(_) => self.shortest_of(&Rule::Object(shape_id))?,
                Shape::Array(_) => self.shortest_of(&Rule::Array(shape_id))?,
                _ => strings::shortest(shape),
            };
            best = best.min(length);
        }
        let mut known = self.shortest.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(goal, best);
        Ok(best)
    }
}

/// Marks a goal whose shortest text is being worked out: one byte, as long as nothing better is known.
const UNDERWAY: u32 = 0;

/// How deep goals within goals are followed for their shortest texts.
const DEEPEST: usize = 64;

impl Maker for SchemaMaker {
    fn rule(&self, rule: RuleId) -> Result<MadeRule, Error> {
        let Some(key) = self.rules.key(rule.0) else {
            return Err(Error::Grammar(format!("the schema has no rule number {}", rule.0)));
        };
        let framed = matches!(*key, Rule::Object(_) | Rule::Array(_));
        let within = match &*key {
            Rule::Text | Rule::Value(_) => Within::Caller,
            Rule::Object(_) | Rule::Keys(_) | Rule::AfterValue(_) => Within::Container,
            Rule::Array(shape) => self.array(*shape)?.within,
            Rule::Items(state) | Rule::AfterItem(state) => self.array(state.shape)?.within,
        };
        Ok(MadeRule { body: self.body(&key)?, framed, within })
    }

    fn terminal(&self, terminal: TerminalId) -> Result<Terminal, Error> {
        self.terminals.terminal(terminal)
    }

    fn shortest(&self, rule: RuleId) -> u32 {
        // What cannot be worked out has a byte at least.
        self.rules.key(rule.0).and_then(|key| self.shortest_of(&key).ok()).unwrap_or(1)
    }

    fn has_scarce_keys(&self) -> bool {
        self.terminals.has_scarce_keys()
    }

    fn held_bytes(&self) -> usize {
        self.rules.len() * 256 + self.terminals.held_bytes()
    }
}
