//! Compiling a grammar once, whatever the number of threads that ask for it at the same time.

use crate::compiled::CompiledGrammar;
use crate::grammar::Grammar;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use stackmask::{Cancellation, Error};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often one who waits looks whether its own work was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// What came of a compilation: `Error::Cancelled` if it was given up, so that others must do it.
type Outcome = Result<Py<CompiledGrammar>, Error>;

/// The grammars that are being compiled.
#[derive(Default)]
pub(crate) struct Flights(Mutex<FxHashMap<Grammar, Arc<Flight>>>);

#[derive(Default)]
pub(crate) struct Flight {
    outcome: Mutex<Option<Outcome>>,
    landed: Condvar,
}

/// What to do for a grammar.
pub(crate) enum Turn<'a> {
    /// To compile it, and to tell the others.
    Lead(Lead<'a>),
    /// To wait for the one who does.
    Wait(Arc<Flight>),
}

/// The duty to tell the others. If it is dropped, they are told that the work was given up.
pub(crate) struct Lead<'a> {
    flights: &'a Flights,
    grammar: Grammar,
    flight: Arc<Flight>,
}

impl Flights {
    fn map(&self) -> MutexGuard<'_, FxHashMap<Grammar, Arc<Flight>>> {
        // Every change of the map is one call, so it is whole even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn turn(&self, grammar: &Grammar) -> Turn<'_> {
        let mut map = self.map();
        if let Some(flight) = map.get(grammar) {
            return Turn::Wait(flight.clone());
        }
        let flight = Arc::new(Flight::default());
        map.insert(grammar.clone(), flight.clone());
        Turn::Lead(Lead { flights: self, grammar: grammar.clone(), flight })
    }
}

impl Flight {
    fn outcome(&self) -> MutexGuard<'_, Option<Outcome>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the outcome, without the interpreter's lock.
    pub(crate) fn wait(&self, py: Python<'_>) -> Outcome {
        py.detach(|| {
            let mut outcome = self.outcome();
            while outcome.is_none() {
                Cancellation::check()?;
                let waited = self.landed.wait_timeout(outcome, LOOK);
                outcome = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            Ok(())
        })?;
        match &*self.outcome() {
            Some(Ok(compiled)) => Ok(compiled.clone_ref(py)),
            Some(Err(error)) => Err(error.clone()),
            None => Err(Error::Cancelled),
        }
    }
}

impl Lead<'_> {
    /// Tells the others.
    pub(crate) fn land(self, outcome: Outcome) {
        *self.flight.outcome() = Some(outcome);
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.flights.map().remove(&self.grammar);
        self.flight.outcome().get_or_insert(Err(Error::Cancelled));
        self.flight.landed.notify_all();
    }
}
