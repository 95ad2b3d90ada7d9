//! Can an object still be completed? A search for one literal of each clause, "leave the key out" first.

use super::normal::{GoalId, Literal, ObjectShape, Rest};
use super::space::{Life, Space};
use crate::error::Error;

/// What is decided on a named key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// It may be written or not.
    Free,
    Absent,
    /// It will be written with a value in the goal.
    Present(GoalId),
    Written,
}

/// A search for a completion of an object.
pub(super) struct Search<'a> {
    space: &'a mut Space,
    shape: &'a ObjectShape,
    /// Goals that were met for the first time.
    pending: &'a mut Vec<GoalId>,
    keys: Vec<Choice>,
    /// Keys of classes that will be written.
    others: Vec<(u32, GoalId)>,
    /// Whether keys of classes may be written.
    open: bool,
    /// How many keys there are at least, by what is decided.
    count: u64,
    min: u64,
    max: u64,
}

/// What a literal's choice changed.
enum Undo {
    Key(u32, Choice, u64),
    Pushed,
    Other(usize, GoalId),
    Min(u64),
    Max(u64),
    Nothing,
}

/// A clause whose literals are tried one after the other.
struct Try {
    literal: usize,
    /// For a key of a class: which of the keys that will be written anyway is it?
    other: usize,
    undo: Undo,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        space: &'a mut Space,
        shape: &'a ObjectShape,
        pending: &'a mut Vec<GoalId>,
    ) -> Self {
        Self {
            space,
            shape,
            pending,
            keys: vec![Choice::Free; shape.keys.len()],
            others: Vec::new(),
            open: true,
            count: 0,
            min: shape.min,
            max: shape.max.unwrap_or(u64::MAX),
        }
    }

    /// Whether there is an object of this shape.
    pub(super) fn whole(mut self) -> Result<bool, Error> {
        let clauses: Vec<u32> = (0..self.shape.clauses.len() as u32).collect();
        self.run(&clauses)
    }

    /// Whether an object of which a part is written can be completed.
    pub(super) fn rest(mut self, rest: &Rest) -> Result<bool, Error> {
        self.keys.fill(Choice::Absent);
        for at in &rest.left {
            self.keys[*at as usize] = Choice::Free;
        }
        for at in &rest.written {
            self.keys[*at as usize] = Choice::Written;
        }
        self.open = rest.open;
        self.count = rest.written.len() as u64 + rest.others.iter().sum::<u64>();
        self.run(&rest.clauses)
    }

    fn is_live(&self, goal: GoalId) -> bool {
        self.space.life(goal) == Life::Live
    }

    fn run(&mut self, clauses: &[u32]) -> Result<bool, Error> {
        for (at, key) in self.shape.keys.iter().enumerate() {
            if self.keys[at] == Choice::Written {
                continue;
            }
            let live = key.value.filter(|goal| self.space.life(*goal) == Life::Live);
            match live {
                Some(goal) if key.required && self.keys[at] == Choice::Free => {
                    self.keys[at] = Choice::Present(goal);
                    self.count += 1;
                }
                _ if key.required => return Ok(false),
                None => self.keys[at] = Choice::Absent,
                Some(_) => {}
            }
        }
        self.space.charge(1 + clauses.len() as u64)?;
        let mut tries: Vec<Try> = Vec::with_capacity(clauses.len());
        let mut forward = true;
        loop {
            if forward {
                if tries.len() == clauses.len() {
                    if self.counts_fit() {
                        return Ok(true);
                    }
                    forward = false;
                    continue;
                }
                tries.push(Try { literal: 0, other: 0, undo: Undo::Nothing });
            }
            let depth = tries.len();
            let Some(current) = tries.last_mut() else { return Ok(false) };
            let undo = std::mem::replace(&mut current.undo, Undo::Nothing);
            let clause = clauses[depth - 1] as usize;
            let mut at = (current.literal, current.other);
            self.undo(undo);
            let found = self.next(clause, &mut at)?;
            match found {
                Some(undo) => {
                    if let Some(current) = tries.last_mut() {
                        *current = Try { literal: at.0, other: at.1, undo };
                    }
                    forward = true;
                }
                None => {
                    tries.pop();
                    if tries.is_empty() {
                        return Ok(false);
                    }
                    forward = false;
                }
            }
        }
    }

    /// Takes the next literal of a clause that can hold. The order: absence, then counts, then values.
    fn next(&mut self, clause: usize, at: &mut (usize, usize)) -> Result<Option<Undo>, Error> {
        let shape = self.shape;
        let literals = &shape.clauses[clause].0;
        // Each rank is one pass over the literals.
        while at.0 < 3 * literals.len() {
            self.space.charge(1)?;
            let (rank, literal) = (at.0 / literals.len(), &literals[at.0 % literals.len()]);
            let taken = match literal {
                Literal::Absent(key) if rank == 0 => self.leave_out(*key),
                Literal::AtLeast(min) if rank == 1 => {
                    let before = self.min;
                    self.min = before.max(*min);
                    Some(Undo::Min(before))
                }
                Literal::AtMost(max) if rank == 1 && self.count <= *max => {
                    let before = self.max;
                    self.max = before.min(*max);
                    Some(Undo::Max(before))
                }
                Literal::Value(key, goal) if rank == 2 => self.put(*key, *goal)?,
                Literal::SomeKey(class, goal) if rank == 2 => {
                    let taken = self.put_other(*class, *goal, &mut at.1)?;
                    if taken.is_some() {
                        // The same literal may be taken in another way.
                        return Ok(taken);
                    }
                    None
                }
                _ => None,
            };
            *at = (at.0 + 1, 0);
            if taken.is_some() {
                return Ok(taken);
            }
        }
        Ok(None)
    }

    fn leave_out(&mut self, key: u32) -> Option<Undo> {
        let known = self.keys[key as usize];
        match known {
            Choice::Absent => Some(Undo::Nothing),
            Choice::Free => {
                self.keys[key as usize] = Choice::Absent;
                Some(Undo::Key(key, known, self.count))
            }
            _ => None,
        }
    }

    fn put(&mut self, key: u32, goal: GoalId) -> Result<Option<Undo>, Error> {
        let known = self.keys[key as usize];
        let undo = Undo::Key(key, known, self.count);
        let goal = match known {
            Choice::Free if self.count < self.max => goal,
            Choice::Present(before) if before == goal => return Ok(Some(Undo::Nothing)),
            Choice::Present(before) => self.space.meet(&[before, goal], self.pending)?,
            _ => return Ok(None),
        };
        if !self.is_live(goal) {
            return Ok(None);
        }
        if known == Choice::Free {
            self.count += 1;
        }
        self.keys[key as usize] = Choice::Present(goal);
        Ok(Some(undo))
    }

    /// A key of a class: one that will be written anyway, or a new one.
    fn put_other(
        &mut self,
        class: u32,
        goal: GoalId,
        from: &mut usize,
    ) -> Result<Option<Undo>, Error> {
        if !self.open {
            return Ok(None);
        }
        while *from < self.others.len() {
            let at = *from;
            *from += 1;
            let (known, before) = self.others[at];
            if known != class {
                continue;
            }
            let both = self.space.meet(&[before, goal], self.pending)?;
            if self.is_live(both) {
                self.others[at].1 = both;
                return Ok(Some(Undo::Other(at, before)));
            }
        }
        if *from > self.others.len() {
            return Ok(None);
        }
        *from = usize::MAX;
        let names = self.shape.classes[class as usize].names;
        if self.count >= self.max || !self.is_live(goal) || !self.is_live(names) {
            return Ok(None);
        }
        self.others.push((class, goal));
        self.count += 1;
        Ok(Some(Undo::Pushed))
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Key(key, before, count) => {
                self.keys[key as usize] = before;
                self.count = count;
            }
            Undo::Pushed => {
                self.others.pop();
                self.count -= 1;
            }
            Undo::Other(at, before) => self.others[at].1 = before,
            Undo::Min(before) => self.min = before,
            Undo::Max(before) => self.max = before,
            Undo::Nothing => {}
        }
    }

    /// Whether keys that nothing asks for can bring the count to where it has to be.
    fn counts_fit(&self) -> bool {
        if self.count > self.max || self.min > self.max {
            return false;
        }
        // Classes have more keys than any count asks for: those with few were named.
        let endless = self.open
            && self
                .shape
                .classes
                .iter()
                .any(|class| self.is_live(class.names) && self.is_live(class.value));
        let free = self.keys.iter().filter(|key| **key == Choice::Free).count() as u64;
        endless || self.count.saturating_add(free) >= self.min
    }
}
