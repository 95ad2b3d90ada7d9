//! The reference's own notation, one rule or more alternatives of one on a line:
//!
//! ```text
//! s: "a" t | [b-d\x80-\xff] s |
//! t: "\x00\n" | []
//! u: [0-9] !"." ![eE][0-9]
//! ```
//!
//! The first rule is the start. Quotes hold bytes, brackets hold a set of bytes (`[^…]`: all others; `[]`: none). A `!`
//! reads nothing: the text must not go on with what follows it, up to the next space.

use super::grammar::ByteSet;
use std::iter::Peekable;
use std::str::Chars;

/// What an alternative is made of.
#[derive(Debug)]
pub(crate) enum Symbol {
    Bytes(Box<ByteSet>),
    Rule(usize),
    /// The text must not go on with such bytes.
    Not(Vec<ByteSet>),
}

/// For each rule its alternatives. Panics if the source is malformed or names a rule that is not there.
pub(crate) fn read(source: &str) -> Vec<Vec<Vec<Symbol>>> {
    let lines: Vec<(&str, &str)> = source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| line.split_once(": ").unwrap_or_else(|| (line.trim_end_matches(':'), "")))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in &lines {
        if names.last() != Some(name) {
            assert!(!names.contains(name), "the lines of rule {name:?} stand apart");
            names.push(name);
        }
    }
    let find = |name: &str| names.iter().position(|n| *n == name);
    let mut rules: Vec<Vec<Vec<Symbol>>> = names.iter().map(|_| Vec::new()).collect();
    for (name, body) in &lines {
        let rule = find(name).expect("every name is listed");
        rules[rule].extend(alternatives(body, &find));
    }
    rules
}

fn alternatives(body: &str, find: &impl Fn(&str) -> Option<usize>) -> Vec<Vec<Symbol>> {
    let mut chars = body.chars().peekable();
    let mut all = vec![Vec::new()];
    while let Some(c) = chars.next() {
        let alternative = all.last_mut().expect("there is always one");
        match c {
            ' ' => {}
            '|' => all.push(Vec::new()),
            '"' | '[' => {
                let sets = sets(c, &mut chars).into_iter();
                alternative.extend(sets.map(|set| Symbol::Bytes(Box::new(set))));
            }
            '!' => {
                let mut not = Vec::new();
                while let Some(c) = chars.next_if(|&c| c != ' ') {
                    not.extend(sets(c, &mut chars));
                }
                alternative.push(Symbol::Not(not));
            }
            _ => {
                let mut name = String::from(c);
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let rule = find(&name).unwrap_or_else(|| panic!("no rule {name:?}"));
                alternative.push(Symbol::Rule(rule));
            }
        }
    }
    all
}

/// What stands between quotes or brackets, each byte as a set.
fn sets(open: char, chars: &mut Peekable<Chars<'_>>) -> Vec<ByteSet> {
    if open == '[' {
        return vec![set(chars)];
    }
    assert_eq!(open, '"', "a quote or a bracket");
    let mut sets = Vec::new();
    while chars.next_if_eq(&'"').is_none() {
        let mut set = [false; 256];
        set[usize::from(byte(chars))] = true;
        sets.push(set);
    }
    sets
}

fn set(chars: &mut Peekable<Chars<'_>>) -> ByteSet {
    let mut set = [false; 256];
    let negated = chars.next_if_eq(&'^').is_some();
    while chars.next_if_eq(&']').is_none() {
        let first = byte(chars);
        let last = if chars.next_if_eq(&'-').is_some() { byte(chars) } else { first };
        for b in first..=last {
            set[usize::from(b)] = true;
        }
    }
    if negated {
        set.iter_mut().for_each(|b| *b = !*b);
    }
    set
}

fn byte(chars: &mut Peekable<Chars<'_>>) -> u8 {
    let mut next = || chars.next().expect("an open quote or bracket");
    match next() {
        '\\' => match next() {
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'x' => {
                let digits: String = [next(), next()].into_iter().collect();
                u8::from_str_radix(&digits, 16).expect("two hexadecimal digits")
            }
            other => ascii(other),
        },
        other => ascii(other),
    }
}

fn ascii(c: char) -> u8 {
    assert!(c.is_ascii(), "{c:?}: bytes above 127 are written \\xNN");
    c as u8
}

/// A byte as it stands between quotes or brackets.
pub(crate) fn escape(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() {
        char::from(byte).to_string()
    } else {
        format!("\\x{byte:02x}")
    }
}

/// Bytes between quotes.
pub(crate) fn quote(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.iter().map(|&b| escape(b)).collect::<String>())
}
