//! What has to be known of a terminal before any text is read.

use super::fuel::Fuel;
use super::lexer::{Lexer, Run};
use super::program::Program;
use super::table::Meter;
use crate::error::Error;
use crate::limits::Limits;
use crate::pattern::Pattern;

/// Which strings a pattern matches, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Whether the empty string is one of them.
    pub(crate) nullable: bool,
    /// Whether no other is.
    pub(crate) blank: bool,
}

impl Facts {
    /// Whether there are none.
    pub(crate) fn void(self) -> bool {
        self.blank && !self.nullable
    }

    /// Of a pattern; `ending` says whether the text around a terminal ends with it. If not, what it asks of that text
    /// is not looked into.
    ///
    /// # Errors
    /// [`Error::TooComplex`] if the pattern holds conditions, and no match was found within the limits.
    pub(crate) fn of(pattern: &Pattern, ending: bool, limits: &Limits) -> Result<Self, Error> {
        let nullable = pattern.is_nullable();
        if pattern.is_void() {
            return Ok(Self { nullable: false, blank: true });
        }
        if !ending || !pattern.has_look() {
            return Ok(Self { nullable, blank: false });
        }
        let program = Program::new(limits);
        let pc = program.add(pattern, None)?;
        let (lexer, meter) = (Lexer::new(), Meter::default());
        let run = Run { program: &program, ordered: false, meter: &meter };
        let start = lexer.start(run, pc, &mut Fuel::new(limits.step_work))?;
        Ok(Self { nullable, blank: start == Lexer::DEAD })
    }
}
