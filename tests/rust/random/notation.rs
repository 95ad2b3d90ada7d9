//! From the models to the reference's notation.

use super::grammars::Node;
use crate::reference::notation::{escape, quote};
use stackmask::pattern::{CharSet, Pattern};

/// Rules written so far.
#[derive(Debug)]
pub(crate) struct Notation {
    text: String,
    helpers: usize,
}

impl Notation {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), helpers: 0 }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Writes a rule. One without an alternative produces nothing.
    pub(crate) fn line(&mut self, name: &str, alternatives: &[String]) {
        let body = if alternatives.is_empty() { "[]".to_owned() } else { alternatives.join(" | ") };
        self.text.push_str(&format!("{name}: {body}\n"));
    }

    /// The symbols that stand for the node.
    pub(crate) fn node(&mut self, node: &Node) -> String {
        match node {
            Node::Empty => String::new(),
            Node::Terminal(t) => format!("t{t}"),
            Node::Rule(r) => format!("r{r}"),
            Node::Seq(parts) => parts.iter().map(|p| self.node(p)).collect::<Vec<_>>().join(" "),
            Node::Alt(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.node(p)).collect();
                self.helper(&parts)
            }
            Node::Repeat(body, min, max) => {
                let body = self.node(body);
                self.repeat(&body, *min, *max)
            }
        }
    }

    /// The symbols that stand for the pattern's full matches.
    pub(crate) fn pattern(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Empty => String::new(),
            Pattern::Bytes(bytes) => quote(bytes),
            Pattern::Class(set) => self.class(set),
            Pattern::Concat(parts) => {
                parts.iter().map(|p| self.pattern(p)).collect::<Vec<_>>().join(" ")
            }
            Pattern::Alt(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.pattern(p)).collect();
                self.helper(&parts)
            }
            Pattern::Strings(strings) => {
                let strings: Vec<String> = strings.iter().map(|s| quote(s)).collect();
                self.helper(&strings)
            }
            Pattern::Repeat { body, min, max, .. } => {
                let body = self.pattern(body);
                self.repeat(&body, *min, *max)
            }
            _ => unreachable!("not among random patterns"),
        }
    }

    fn helper(&mut self, alternatives: &[String]) -> String {
        self.helpers += 1;
        let name = format!("h{}", self.helpers);
        self.line(&name, alternatives);
        name
    }

    fn repeat(&mut self, body: &str, min: u32, max: Option<u32>) -> String {
        let body = self.helper(&[body.to_owned()]);
        let times = |n: u32| vec![body.as_str(); n as usize].join(" ");
        match max {
            Some(max) => {
                let counts: Vec<String> = (min..=max).map(times).collect();
                self.helper(&counts)
            }
            None => {
                let star = format!("h{}", self.helpers + 1);
                let star = self.helper(&[String::new(), format!("{body} {star}")]);
                self.helper(&[format!("{} {star}", times(min))])
            }
        }
    }

    /// Classes are those of one byte, or small enough to be listed, or all characters of up to three bytes.
    fn class(&mut self, set: &CharSet) -> String {
        let mut alternatives = Vec::new();
        for &(first, last) in set.ranges() {
            match (first, last) {
                ('\0', '\u{d7ff}') => alternatives.extend(
                    [
                        r"[\x00-\x7f]",
                        r"[\xc2-\xdf] [\x80-\xbf]",
                        r"[\xe0] [\xa0-\xbf] [\x80-\xbf]",
                        r"[\xe1-\xec] [\x80-\xbf] [\x80-\xbf]",
                        r"[\xed] [\x80-\x9f] [\x80-\xbf]",
                    ]
                    .map(str::to_owned),
                ),
                ('\u{e000}', '\u{ffff}') => {
                    alternatives.push(r"[\xee\xef] [\x80-\xbf] [\x80-\xbf]".to_owned());
                }
                _ if last.is_ascii() => {
                    alternatives.push(format!("[{}-{}]", escape(first as u8), escape(last as u8)))
                }
                _ => alternatives.extend((first..=last).map(|c| quote(c.to_string().as_bytes()))),
            }
        }
        self.helper(&alternatives)
    }
}
