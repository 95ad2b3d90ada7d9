//! The threads that fill batches.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The process's pool. A child of `fork` has its parent's memory but not its threads, and a task
/// given to them would wait for ever: it gets a pool of its own.
pub(crate) fn pool() -> Result<Arc<ThreadPool>, String> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let process = std::process::id();
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = slot.as_ref()
        && *owner == process
    {
        return Ok(pool.clone());
    }
    let threads = ThreadPoolBuilder::new().thread_name(|n| format!("stackmask-{n}")).build();
    let pool = Arc::new(threads.map_err(|error| error.to_string())?);
    // The parent's pool must not be dropped: that would wait for threads that do not exist.
    std::mem::forget(slot.replace((process, pool.clone())));
    Ok(pool)
}
