//! Stopping work that another thread no longer wants.
//!
//! The budgets of a thread that runs under a [`Cancellation`] ask for it whenever they are charged, so that long work
//! ends soon after it was cancelled. Other threads ask a variable of their own, and never wait.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

thread_local! {
    /// What the work of this thread runs under.
    static CURRENT: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// A flag by which work is told to stop. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the work to stop. There is no way back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does work of this crate on this thread. Once the flag is set, it fails with [`Error::Cancelled`].
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        let _restore = Restore(CURRENT.replace(Some(self.0.clone())));
        work()
    }

    /// Fails if the work of this thread was told to stop: for work of others that runs along.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check() -> Result<(), Error> {
        check()
    }
}

/// Puts back what the thread ran under before, also after a panic.
struct Restore(Option<Arc<AtomicBool>>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Fails if the work of this thread was cancelled.
pub(crate) fn check() -> Result<(), Error> {
    let cancelled = CURRENT
        .with_borrow(|current| current.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
    if cancelled { Err(Error::Cancelled) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stops_where_it_runs_under_the_flag_and_nowhere_else() {
        let (outer, inner) = (Cancellation::new(), Cancellation::new());
        inner.cancel();
        assert_eq!(check(), Ok(()));
        outer.run(|| {
            assert_eq!(check(), Ok(()));
            assert_eq!(inner.run(check), Err(Error::Cancelled));
            assert_eq!(check(), Ok(()));
            outer.cancel();
            assert_eq!(check(), Err(Error::Cancelled));
        });
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let flag = Cancellation::new();
        flag.cancel();
        let panicked = std::panic::catch_unwind(|| flag.run(|| panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(check(), Ok(()));
    }
}
