//! Case-insensitive matching.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::pattern::CharSet;

/// The one class of letters that Python's `re` takes as equal and simple case folding does not: `re` compares lower
/// cases, dotted capital I has the lower case `i`, and dotless `ı` has the upper case `I`.
const DOTTED_AND_DOTLESS: [char; 4] = ['I', 'i', '\u{130}', '\u{131}'];

/// All that equals a member of `set` when case is ignored.
pub(super) fn fold(set: &CharSet, ascii: bool) -> CharSet {
    let ranges = set.ranges().iter();
    if ascii {
        return CharSet::new(ranges.flat_map(|&range| {
            [Some(range), other_case(range, 'A', 'a'), other_case(range, 'a', 'A')]
                .into_iter()
                .flatten()
        }));
    }
    let mut class = ClassUnicode::new(ranges.map(|&(a, b)| ClassUnicodeRange::new(a, b)));
    if class.try_case_fold_simple().is_err() {
        unreachable!("the case tables of regex-syntax are a feature this crate depends on");
    }
    if DOTTED_AND_DOTLESS.iter().any(|&c| set.contains(c)) {
        class.union(&ClassUnicode::new(DOTTED_AND_DOTLESS.map(|c| ClassUnicodeRange::new(c, c))));
    }
    CharSet::new(class.iter().map(|range| (range.start(), range.end())))
}

/// The letters of `range` in the alphabet that starts at `from`, moved to the alphabet that starts at `to`.
fn other_case(range: (char, char), from: char, to: char) -> Option<(char, char)> {
    let (from, to) = (from as u32, to as u32);
    let first = (range.0 as u32).max(from);
    let last = (range.1 as u32).min(from + 25);
    if first > last {
        return None;
    }
    Some((char::from_u32(first - from + to)?, char::from_u32(last - from + to)?))
}
