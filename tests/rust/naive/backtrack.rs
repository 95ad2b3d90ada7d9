//! Where Python's `re.match` ends: backtracking, the first alternative that leads to a match.

use stackmask::pattern::Pattern;

/// The end of the preferred match of `pattern` at the start of `text`.
pub(crate) fn preferred_end(pattern: &Pattern, text: &[u8]) -> Option<usize> {
    let mut end = None;
    walk(pattern, text, 0, &mut |at| {
        end = Some(at);
        true
    });
    end
}

/// Calls `then` with the ends of the matches at `at` in order of preference, until it returns true.
fn walk(pattern: &Pattern, text: &[u8], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
    match pattern {
        Pattern::Empty => then(at),
        Pattern::Bytes(bytes) => text[at..].starts_with(bytes) && then(at + bytes.len()),
        Pattern::Class(set) => {
            text.get(at).is_some_and(|&b| set.contains(char::from(b))) && then(at + 1)
        }
        Pattern::Concat(parts) => concat(parts, text, at, then),
        Pattern::Alt(parts) => parts.iter().any(|part| walk(part, text, at, then)),
        Pattern::Strings(_) => unreachable!("a set of strings has no order of preference"),
        Pattern::Repeat { body, min, max, greedy } => {
            let repeat = Repeat { body, min: *min, max: *max, greedy: *greedy };
            repeat.walk(0, text, at, then)
        }
        _ => unreachable!("not among random patterns"),
    }
}

fn concat(parts: &[Pattern], text: &[u8], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
    match parts {
        [] => then(at),
        [first, rest @ ..] => walk(first, text, at, &mut |at| concat(rest, text, at, then)),
    }
}

struct Repeat<'p> {
    body: &'p Pattern,
    min: u32,
    max: Option<u32>,
    greedy: bool,
}

impl Repeat<'_> {
    fn walk(&self, done: u32, text: &[u8], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
        let enough = done >= self.min;
        if enough && !self.greedy && then(at) {
            return true;
        }
        let more = self.max.is_none_or(|max| done < max)
            && walk(self.body, text, at, &mut |next| {
                next > at && self.walk(done + 1, text, next, then)
            });
        more || enough && self.greedy && then(at)
    }
}
