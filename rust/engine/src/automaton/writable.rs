//! Whether a vocabulary that lacks bytes can finish what a grammar lets it begin.

use super::fuel::Fuel;
use super::machine::Machine;
use super::program::Pc;
use crate::error::Error;

impl Machine<'_> {
    /// A missing byte that some text may come to need, by the terminals known so far.
    ///
    /// Where terminals end freely, a text can be completed if each terminal can. Where ends leave obligations, it
    /// cannot be told from the terminals alone: then each missing byte that is read counts as needed.
    pub(crate) fn needed_byte(&self, fuel: &mut Fuel) -> Result<Option<u8>, Error> {
        let Some(missing) = self.core.missing.as_deref() else { return Ok(None) };
        if self.core.has_obligations() {
            let used = self.core.used_bytes();
            return Ok((0..=255).find(|&b| missing[usize::from(b)] && used[usize::from(b)]));
        }
        for &start in &self.core.starts {
            let needed = self.tables.lexer.needed_byte(self.run(), start, missing, fuel)?;
            if needed.is_some() {
                return Ok(needed);
            }
        }
        Ok(None)
    }

    /// Refuses a terminal of a source that can come to need a missing byte.
    pub(super) fn check_writable(&self, start: Pc) -> Result<(), Error> {
        let Some(missing) = self.core.missing.as_deref() else { return Ok(()) };
        let mut fuel = Fuel::new(self.core.limits.step_work);
        let needed = self.tables.lexer.needed_byte(self.run(), start, missing, &mut fuel)?;
        needed.map_or(Ok(()), |byte| Err(Error::unwritable(byte)))
    }
}
