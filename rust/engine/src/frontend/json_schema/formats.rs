//! The texts of the strings of a format: run once for the whole process, so that no schema pays for what another has
//! made. What is held is bounded by the states that the formats have, 90,000 in all.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::spelled::quoted;
use crate::error::Error;
use crate::json::{Spelling, format};
use crate::pattern::{Lazy, Pattern};
use crate::terminal::Shared;

/// By name; there are no more than there are formats.
static MADE: LazyLock<Mutex<FxHashMap<(&'static str, Spelling), Lazy>>> =
    LazyLock::new(Mutex::default);

fn made() -> MutexGuard<'static, FxHashMap<(&'static str, Spelling), Lazy>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The quoted strings of a format. `None` if it has no language, or one with conditions, whose states are too many to
/// be kept for good.
pub(super) fn shared(name: &str, spelling: Spelling) -> Result<Option<Pattern>, Error> {
    let Some(format) = format(name) else { return Ok(None) };
    let key = (format.name(), spelling);
    if let Some(known) = made().get(&key) {
        return Ok(Some(Pattern::Lazy(known.clone())));
    }
    let Some(pattern) = format.pattern().filter(|pattern| !pattern.has_look()) else {
        return Ok(None);
    };
    // Made without the lock; of two that are made at the same time, the first stays.
    let fresh = Lazy::new(Shared::new(&quoted(pattern, spelling)?)?);
    Ok(Some(Pattern::Lazy(made().entry(key).or_insert(fresh).clone())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::json::format::all;

    /// What is kept for good is bounded by the states that there are.
    #[test]
    fn formats_have_few_states() {
        let mut shared_formats = 0;
        for (format, spelling) in
            all().flat_map(|format| [(format, Spelling::Canonical), (format, Spelling::Any)])
        {
            let name = format.name();
            let Some(Pattern::Lazy(lazy)) = shared(name, spelling).unwrap() else { continue };
            shared_formats += 1;
            let mut todo = vec![lazy.stepper().start()];
            let mut seen = HashSet::from([todo[0].clone()]);
            while let Some(state) = todo.pop() {
                let edges = lazy.stepper().edges(&state).unwrap();
                todo.extend(
                    edges.into_iter().map(|edge| edge.2).filter(|to| seen.insert(to.clone())),
                );
            }
            assert!(seen.len() < 16_000, "{name} {spelling:?}: {}", seen.len());
            let again = shared(name, spelling).unwrap();
            assert_eq!(again, Some(Pattern::Lazy(lazy)), "{name} is made once");
        }
        assert_eq!(shared_formats, 32);
    }
}
