//! All bounds in one place. Whatever can grow is charged against one of these.

use crate::cancel;
use crate::error::Error;

/// Bounds on what a grammar may cost. Work is counted, never timed, so that every machine gives the same answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of a grammar's source text. Default 10 MB.
    pub source_bytes: usize,
    /// Nesting of parentheses in a grammar's or a pattern's source. Default 256.
    pub source_nesting: usize,
    /// Rules of a grammar, those that operators expand to included. Default 500,000.
    pub rules: usize,
    /// Instructions of all terminals together. Default 2,000,000.
    pub instructions: usize,
    /// Bytes of states, transitions and stacks that one generation of tables may hold. Default 256 MB.
    pub state_bytes: usize,
    /// Bytes of finished masks that one generation of tables may hold. Default 256 MB.
    pub mask_bytes: usize,
    /// Units of work on the normal form of a JSON Schema: conditions applied, alternatives looked at. Default 500,000.
    pub schema_work: u64,
    /// Units of work in one step (a mask, or one call that accepts): items made or read. Default 50,000,000.
    pub step_work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            source_bytes: 10_000_000,
            source_nesting: 256,
            rules: 500_000,
            instructions: 2_000_000,
            state_bytes: 256 << 20,
            mask_bytes: 256 << 20,
            schema_work: 500_000,
            step_work: 50_000_000,
        }
    }
}

impl Limits {
    /// Refuses a source text that is too long or holds a NUL byte.
    pub fn check_source(&self, source: &str) -> Result<(), Error> {
        self.check_source_length(source)?;
        match source.find('\0') {
            Some(at) => Err(Error::syntax("NUL byte in the grammar's source", source, at)),
            None => Ok(()),
        }
    }

    /// Refuses a source text that is too long.
    pub(crate) fn check_source_length(&self, source: &str) -> Result<(), Error> {
        self.check_source_bytes(source.len())
    }

    /// Refuses a source of too many bytes.
    pub(crate) fn check_source_bytes(&self, given: usize) -> Result<(), Error> {
        check("grammar source in bytes", "source_bytes", self.source_bytes as u64, given as u64)
    }
}

/// Fails if `given` exceeds `limit`, or if the work was cancelled.
pub(crate) fn check(
    what: &'static str,
    name: &'static str,
    limit: u64,
    given: u64,
) -> Result<(), Error> {
    if given > limit {
        return Err(Error::TooComplex { what, name, limit, given });
    }
    cancel::check()
}
