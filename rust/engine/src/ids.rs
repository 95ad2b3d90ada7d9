//! The small integers that name things: one newtype for each kind of thing.

/// A token of the model's vocabulary.
pub type TokenId = u32;

/// A rule of a [`crate::Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);

/// A terminal of a [`crate::Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerminalId(pub u32);

impl RuleId {
    /// The rule's index in [`crate::Grammar::rules`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TerminalId {
    /// The terminal's index in [`crate::Grammar::terminals`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
