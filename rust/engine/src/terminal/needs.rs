//! What may still be asked of the text around a place in a terminal.

use std::sync::Arc;

use super::program::Pc;

/// Runs that look behind, and whether anything looks ahead. Nearly always nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs(Option<Arc<Asked>>);

#[derive(Debug, PartialEq, Eq)]
struct Asked {
    /// Where the runs start that look behind; sorted.
    behinds: Box<[Pc]>,
    ahead: bool,
}

impl Needs {
    pub(super) fn ahead() -> Self {
        Self(Some(Arc::new(Asked { behinds: [].into(), ahead: true })))
    }

    pub(super) fn behind(run: Pc) -> Self {
        Self(Some(Arc::new(Asked { behinds: [run].into(), ahead: false })))
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Where the runs start that look behind.
    pub(super) fn behinds(&self) -> &[Pc] {
        self.0.as_ref().map_or(&[], |asked| &asked.behinds)
    }

    pub(super) fn has_behind(&self, run: Pc) -> bool {
        self.behinds().binary_search(&run).is_ok()
    }

    pub(super) fn add(&mut self, more: &Self) {
        let Some(new) = &more.0 else { return };
        let Some(old) = &self.0 else {
            self.0.clone_from(&more.0);
            return;
        };
        if (old.ahead || !new.ahead) && new.behinds.iter().all(|&run| self.has_behind(run)) {
            return;
        }
        let mut behinds = [&*old.behinds, &*new.behinds].concat();
        behinds.sort_unstable();
        behinds.dedup();
        let ahead = old.ahead || new.ahead;
        self.0 = Some(Arc::new(Asked { behinds: behinds.into(), ahead }));
    }
}
