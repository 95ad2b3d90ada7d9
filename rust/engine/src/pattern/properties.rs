//! What a pattern matches, in so far as it can be told without an automaton.

use super::Pattern;

impl Pattern {
    /// Whether it matches the empty string.
    pub fn is_nullable(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::Class(_) | Self::Lazy(_) => false,
            // Before and after the empty text there is nothing.
            Self::Look(look) => look.body.is_nullable() != look.negative,
            Self::Concat(parts) => parts.iter().all(Self::is_nullable),
            Self::Alt(choices) => choices.iter().any(Self::is_nullable),
            Self::Strings(strings) => strings.iter().any(Vec::is_empty),
            Self::Automaton(automaton) => automaton.is_nullable(),
            Self::Repeat { body, min, max, .. } => {
                !is_contradiction(*min, *max) && (*min == 0 || body.is_nullable())
            }
        }
    }

    /// Whether it matches nothing at all, not even the empty string. With conditions inside, it may match nothing
    /// without this being true.
    pub fn is_void(&self) -> bool {
        match self {
            Self::Empty | Self::Bytes(_) | Self::Lazy(_) => false,
            Self::Look(look) => !look.negative && look.body.is_void(),
            Self::Class(set) => set.is_empty(),
            Self::Concat(parts) => parts.iter().any(Self::is_void),
            Self::Alt(choices) => choices.iter().all(Self::is_void),
            Self::Strings(strings) => strings.is_empty(),
            Self::Automaton(automaton) => automaton.is_void(),
            Self::Repeat { body, min, max, .. } => {
                is_contradiction(*min, *max) || (*min > 0 && body.is_void())
            }
        }
    }
}

fn is_contradiction(min: u32, max: Option<u32>) -> bool {
    max.is_some_and(|max| max < min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::CharSet;

    fn repeat(body: Pattern, min: u32, max: Option<u32>) -> Pattern {
        Pattern::Repeat { body: Box::new(body), min, max, greedy: true }
    }

    #[test]
    fn nullable_and_void() {
        let a = || Pattern::Bytes(b"a".to_vec());
        let void = || Pattern::Class(CharSet::new([]));
        let cases = [
            (Pattern::Empty, true, false),
            (a(), false, false),
            (Pattern::Bytes(Vec::new()), true, false),
            (Pattern::Class(CharSet::single('a')), false, false),
            (void(), false, true),
            (Pattern::Concat(Vec::new()), true, false),
            (Pattern::Concat(vec![Pattern::Empty, a()]), false, false),
            (Pattern::Concat(vec![a(), void()]), false, true),
            (Pattern::Alt(Vec::new()), false, true),
            (Pattern::Alt(vec![void(), Pattern::Empty]), true, false),
            (Pattern::Alt(vec![void(), void()]), false, true),
            (Pattern::Strings(Vec::new()), false, true),
            (Pattern::Strings(vec![b"a".to_vec(), Vec::new()]), true, false),
            (repeat(a(), 0, None), true, false),
            (repeat(a(), 1, None), false, false),
            (repeat(Pattern::Empty, 2, Some(3)), true, false),
            (repeat(void(), 0, None), true, false),
            (repeat(void(), 1, Some(2)), false, true),
            (repeat(a(), 2, Some(1)), false, true),
            (repeat(a(), 0, Some(0)), true, false),
        ];
        for (pattern, nullable, is_void) in cases {
            assert_eq!(pattern.is_nullable(), nullable, "{pattern:?}");
            assert_eq!(pattern.is_void(), is_void, "{pattern:?}");
        }
    }
}
