//! `GrammarMatcher`.

use crate::buffer::{Bitmask, int32_array, with_scratch};
use crate::convert::{size, token_id, token_ids};
use crate::errors::{MatcherError, OrRaise, RollbackError, engine};
use crate::forced;
use crate::vocabulary::Vocabulary;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stackmask::{Error, Matcher, TokenId};
use std::sync::{Mutex, MutexGuard, TryLockError};

#[pyclass(frozen, module = "stackmask")]
pub(crate) struct GrammarMatcher {
    inner: Mutex<Matcher>,
    vocabulary: Py<Vocabulary>,
}

/// Why a matcher cannot be had.
fn refusal<T>(error: &TryLockError<T>) -> Error {
    let why = match error {
        TryLockError::WouldBlock => {
            "the matcher is in use by another thread: fork it, or take one a thread"
        }
        TryLockError::Poisoned(_) => "internal error in an earlier call: take a new matcher",
    };
    Error::Matcher(why.to_owned())
}

fn matcher_error(text: String) -> PyErr {
    MatcherError::new_err(text)
}

impl GrammarMatcher {
    pub(crate) fn new(inner: Matcher, vocabulary: Py<Vocabulary>) -> Self {
        Self { inner: Mutex::new(inner), vocabulary }
    }

    /// The matcher for one call, or an error if another call has it. Never blocks.
    ///
    /// To be called within [`engine`]: a panic then poisons the lock, and a matcher that it may
    /// have left half changed is never used again.
    pub(crate) fn take(&self) -> Result<MutexGuard<'_, Matcher>, Error> {
        self.inner.try_lock().map_err(|error| refusal(&error))
    }

    /// Words of one mask.
    pub(crate) fn words(&self) -> usize {
        self.vocabulary.get().inner.vocab_size().div_ceil(32)
    }

    /// One engine call, for what is too short to be worth giving up the interpreter's lock.
    fn call<R>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut Matcher) -> Result<R, Error>,
    ) -> PyResult<R> {
        engine(|| call(&mut *self.take()?)).or_raise(py)
    }

    /// One engine call without the interpreter's lock.
    fn call_detached<R: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut Matcher) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        py.detach(|| engine(|| call(&mut *self.take()?))).or_raise(py)
    }

    /// The mask in scratch memory, then `read` of it with the interpreter's lock.
    fn mask<R>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&[u32], bool) -> PyResult<R>,
    ) -> PyResult<R> {
        with_scratch(self.words(), |words| {
            let masks = self.call_detached(py, |matcher| matcher.fill_mask(words))?;
            read(words, masks)
        })
    }
}

#[pymethods]
impl GrammarMatcher {
    fn next_token_bitmask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.mask(py, |words, _| int32_array(py, words))
    }

    #[pyo3(signature = (bitmask, index=None), text_signature = "($self, bitmask, index=0)")]
    fn fill_next_token_bitmask(
        &self,
        py: Python<'_>,
        bitmask: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let bitmask = Bitmask::new(bitmask, self.words())?;
        let row = index.map_or(Ok(0), |index| size(index, "row"))?;
        bitmask.check_row(row)?;
        let size = self.vocabulary.get().inner.vocab_size();
        // A mask that is ready takes less time than giving up the interpreter's lock.
        let ready = engine(|| {
            let matcher = self.take()?;
            Ok(matcher.ready_mask().map(|mask| bitmask.write_ready(py, row, &mask, size)))
        });
        if let Some(written) = ready.or_raise(py)? {
            return written;
        }
        self.mask(py, |words, masks| bitmask.write(py, row, words).map(|()| masks))
    }

    fn accept_token(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = token_id(id, matcher_error)?;
        self.call(py, |matcher| matcher.accept_token(id))
    }

    fn accept_tokens(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        let ids = token_ids(ids, matcher_error)?;
        self.call_detached(py, |matcher| matcher.accept_tokens(&ids))
    }

    fn accept_bytes(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(data) = data.cast::<PyBytes>() {
            let data = data.as_bytes();
            return self.call_detached(py, |matcher| matcher.accept_bytes(data));
        }
        // A copy, since others may write to the buffer.
        let data = PyBuffer::<u8>::get(data)?.to_vec(py)?;
        self.call_detached(py, |matcher| matcher.accept_bytes(&data))
    }

    fn validate_tokens(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        let ids = token_ids(ids, matcher_error)?;
        self.call_detached(py, |matcher| matcher.validate_tokens(&ids))
    }

    fn is_token_allowed(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = token_id(id, matcher_error)?;
        self.call(py, |matcher| matcher.is_token_allowed(id))
    }

    fn allowed_token_ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.mask(py, |words, _| int32_array(py, &set_bits(words)))
    }

    #[pyo3(signature = (n=None), text_signature = "($self, n=1)")]
    fn rollback(&self, py: Python<'_>, n: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let steps = match n {
            None => 1,
            Some(n) => n.extract().map_err(|error: PyErr| {
                if error.is_instance_of::<PyOverflowError>(py) {
                    RollbackError::new_err(format!("cannot roll back {n} steps"))
                } else {
                    error
                }
            })?,
        };
        self.call(py, |matcher| matcher.rollback(steps))
    }

    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, |matcher| {
            matcher.reset();
            Ok(())
        })
    }

    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let copy = self.call(py, |matcher| Ok(matcher.clone()))?;
        Ok(Self::new(copy, self.vocabulary.clone_ref(py)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.fork(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.fork(py)
    }

    #[getter]
    fn num_accepted(&self, py: Python<'_>) -> PyResult<usize> {
        self.call(py, |matcher| Ok(matcher.num_accepted()))
    }

    fn is_completed(&self, py: Python<'_>) -> PyResult<bool> {
        self.call(py, |matcher| Ok(matcher.is_completed()))
    }

    fn is_terminated(&self, py: Python<'_>) -> PyResult<bool> {
        self.call(py, |matcher| Ok(matcher.is_terminated()))
    }

    fn forced_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.call_detached(py, |matcher| matcher.forced_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (encode=None))]
    fn forced_tokens(
        &self,
        py: Python<'_>,
        encode: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<TokenId>> {
        let Some(encode) = encode else {
            return self.call_detached(py, |matcher| matcher.forced_tokens());
        };
        let bytes = self.call_detached(py, |matcher| matcher.forced_bytes())?;
        // The matcher is free again: `encode` may use it.
        forced::tokens(&bytes, encode, self.vocabulary.get())
    }

    fn shortest_completion<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.call_detached(py, |matcher| matcher.shortest_completion())?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn shortest_completion_tokens(&self, py: Python<'_>) -> PyResult<Vec<TokenId>> {
        self.call_detached(py, |matcher| matcher.shortest_completion_tokens())
    }
}

fn set_bits(words: &[u32]) -> Vec<TokenId> {
    let mut ids = Vec::new();
    for (at, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            ids.push(at as TokenId * 32 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
    ids
}
