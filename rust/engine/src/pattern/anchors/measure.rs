//! Facts about a pattern that follow from its form.

use crate::pattern::Pattern;

/// Whether a pattern matches the shortest texts.
#[derive(Clone, Copy)]
pub(super) struct Short {
    /// The empty text.
    pub(super) empty: bool,
    /// One line feed.
    pub(super) line_feed: bool,
}

impl Short {
    pub(super) fn of(pattern: &Pattern) -> Self {
        match pattern {
            Pattern::Empty => Self { empty: true, line_feed: false },
            // Patterns with conditions keep their anchors as such.
            Pattern::Look(_) => Self::none(),
            Pattern::Bytes(bytes) => Self::of_bytes(bytes),
            Pattern::Class(set) => Self { empty: false, line_feed: set.contains('\n') },
            Pattern::Concat(parts) => {
                let nothing = Self { empty: true, line_feed: false };
                parts.iter().map(Self::of).fold(nothing, |a, b| Self {
                    empty: a.empty && b.empty,
                    line_feed: (a.empty && b.line_feed) || (a.line_feed && b.empty),
                })
            }
            Pattern::Alt(parts) => parts.iter().map(Self::of).fold(Self::none(), Self::or),
            Pattern::Strings(all) => {
                all.iter().map(|bytes| Self::of_bytes(bytes)).fold(Self::none(), Self::or)
            }
            Pattern::Automaton(automaton) => {
                Self { empty: automaton.is_nullable(), line_feed: automaton.matches(b"\n") }
            }
            Pattern::Lazy(lazy) => Self { empty: false, line_feed: lazy.matches(b"\n") },
            Pattern::Repeat { body, min, max, .. } => {
                let body = Self::of(body);
                Self {
                    empty: *min == 0 || body.empty,
                    line_feed: *max != Some(0) && body.line_feed && (*min <= 1 || body.empty),
                }
            }
        }
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self { empty: bytes.is_empty(), line_feed: bytes == b"\n" }
    }

    fn none() -> Self {
        Self { empty: false, line_feed: false }
    }

    fn or(self, other: Self) -> Self {
        Self { empty: self.empty || other.empty, line_feed: self.line_feed || other.line_feed }
    }
}

/// Nodes, bytes and ranges of a pattern.
pub(super) fn size(pattern: &Pattern) -> u64 {
    1 + match pattern {
        Pattern::Empty | Pattern::Lazy(_) => 0,
        Pattern::Bytes(bytes) => bytes.len() as u64,
        Pattern::Class(set) => set.ranges().len() as u64,
        Pattern::Concat(parts) | Pattern::Alt(parts) => parts.iter().map(size).sum(),
        Pattern::Strings(all) => all.iter().map(|bytes| 1 + bytes.len() as u64).sum(),
        Pattern::Automaton(automaton) => {
            automaton.states().iter().map(|state| 1 + state.edges.len() as u64).sum()
        }
        Pattern::Look(look) => size(&look.body),
        Pattern::Repeat { body, .. } => size(body),
    }
}

/// Levels of a pattern below its first.
pub(super) fn depth(pattern: &Pattern) -> u32 {
    match pattern {
        Pattern::Empty
        | Pattern::Bytes(_)
        | Pattern::Class(_)
        | Pattern::Strings(_)
        | Pattern::Automaton(_)
        | Pattern::Lazy(_) => 0,
        Pattern::Concat(parts) | Pattern::Alt(parts) => {
            1 + parts.iter().map(depth).max().unwrap_or(0)
        }
        Pattern::Look(look) => 1 + depth(&look.body),
        Pattern::Repeat { body, .. } => 1 + depth(body),
    }
}
