//! A few strings that a pattern matches, to find out quickly that a set of strings is not empty.

use crate::pattern::{CharSet, Pattern};

/// How many different samples there are.
pub(super) const SAMPLES: u32 = 10;

/// Longer samples are not tried.
const LONGEST: usize = 200;

/// A string that the pattern matches if there are no conditions in it, of about so many characters; `None` if none is
/// found easily.
pub(super) fn sample(pattern: &Pattern, number: u32, chars: usize) -> Option<String> {
    let mut sampler = Sampler { text: Vec::new(), choices: number, more: chars.min(LONGEST) };
    sampler.add(pattern)?;
    String::from_utf8(sampler.text).ok()
}

/// A string to try where no pattern has to match.
pub(super) fn any(number: u32, chars: usize) -> String {
    let characters = ["a", "0", "A", " ", "-", "_", "!", "é", "/", "z"];
    let one = characters[number as usize % characters.len()];
    one.repeat(chars.clamp(usize::from(number > 0), LONGEST))
}

struct Sampler {
    text: Vec<u8>,
    /// What is chosen where there is a choice, in base 3.
    choices: u32,
    /// How many rounds more than needed are wanted.
    more: usize,
}

impl Sampler {
    fn choose(&mut self, of: usize) -> usize {
        let chosen = self.choices as usize % 3;
        // Later choices differ from the first.
        self.choices = self.choices / 3 + 7 * (self.choices % 3);
        match chosen {
            0 => 0,
            1 => of - 1,
            _ => of / 2,
        }
    }

    fn add(&mut self, pattern: &Pattern) -> Option<()> {
        if self.text.len() > LONGEST {
            return None;
        }
        match pattern {
            Pattern::Empty => {}
            Pattern::Bytes(bytes) => self.text.extend_from_slice(bytes),
            Pattern::Class(set) => {
                let one = self.character(set)?;
                self.text.extend(one.encode_utf8(&mut [0; 4]).bytes());
            }
            Pattern::Concat(parts) => parts.iter().try_for_each(|part| self.add(part))?,
            Pattern::Alt(parts) => {
                let chosen = self.choose(parts.len().max(1));
                self.add(parts.get(chosen)?)?;
            }
            Pattern::Strings(strings) => {
                let chosen = self.choose(strings.len().max(1));
                self.text.extend_from_slice(strings.get(chosen)?);
            }
            Pattern::Repeat { body, min, max, .. } => {
                let min = *min as usize;
                let most = max.map_or(usize::MAX, |max| max as usize);
                let more = self.more.min(most.saturating_sub(min));
                self.more -= more;
                for _ in 0..min.saturating_add(more) {
                    self.add(body)?;
                }
            }
            Pattern::Look(_) | Pattern::Automaton(_) | Pattern::Lazy(_) => return None,
        }
        Some(())
    }

    fn character(&mut self, set: &CharSet) -> Option<char> {
        let usual = [('a', 'z'), ('0', '9'), ('A', 'Z'), ('!', '~')];
        let first = self.choose(usual.len());
        for at in 0..usual.len() {
            let (from, to) = usual[(first + at) % usual.len()];
            let found = set.ranges().iter().find(|&&(lo, hi)| lo <= to && hi >= from);
            if let Some(&(lo, _)) = found {
                return Some(lo.max(from));
            }
        }
        set.ranges().first().map(|range| range.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching;
    use super::*;
    use crate::limits::Limits;
    use crate::pattern::ecma;

    #[test]
    fn samples_match() {
        let mut found = 0;
        for source in
            ["", "^a+b$", "^[0-9]{3}-[A-Z]?$", "x|y|[^a-z]", "^(\\w+\\.)*\\w{2,6}$", "^\\S{1,9}$"]
        {
            let pattern = ecma::parse(source, &Limits::default()).expect("a pattern").pattern;
            for number in 0..SAMPLES {
                for chars in [0, 1, 5] {
                    // Anchors are conditions unless they went when the pattern was read.
                    let Some(text) = sample(&pattern, number, chars) else { continue };
                    found += 1;
                    assert!(matching::matches(&pattern, &text), "{source} {text:?}");
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
