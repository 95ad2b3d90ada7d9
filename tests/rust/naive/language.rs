//! Membership of a whole string, by least fixpoint over relations of positions.

use super::backtrack::preferred_end;
use super::longest::longest_end;
use crate::random::{Model, Node};
use stackmask::Ending;

/// For each position, the set of positions (as bits) that are reached from it.
type Relation = Vec<u64>;

/// The language of a model whose terminals end as `ending` says, which is not [`Ending::Free`].
#[derive(Debug)]
pub(crate) struct Language<'m> {
    pub(crate) model: &'m Model,
    pub(crate) ending: Ending,
}

impl Language<'_> {
    pub(crate) fn accepts(&self, text: &[u8]) -> bool {
        assert!(text.len() < 64, "positions are bits of a word");
        let size = text.len() + 1;
        let ignored = star(&self.model.ignore.iter().fold(vec![0; size], |all, &t| {
            or(&all, &self.matches(t, text, self.ignored_ending()))
        }));
        let terminals: Vec<Relation> = (0..self.model.terminals.len())
            .map(|t| then(&ignored, &self.matches(t, text, self.ending)))
            .collect();
        let mut rules = vec![vec![0; size]; self.model.rules.len()];
        loop {
            let next: Vec<Relation> =
                self.model.rules.iter().map(|node| relation(node, &terminals, &rules)).collect();
            if next == rules {
                break;
            }
            rules = next;
        }
        then(&rules[self.model.start], &ignored)[0] >> text.len() & 1 == 1
    }

    /// Lark takes what it ignores whole, also where terminals may end early.
    fn ignored_ending(&self) -> Ending {
        if self.ending == Ending::Longest { Ending::Longest } else { Ending::Dynamic }
    }

    /// From where to where the terminal matches.
    fn matches(&self, terminal: usize, text: &[u8], ending: Ending) -> Relation {
        let pattern = &self.model.terminals[terminal];
        let mut relation = vec![0; text.len() + 1];
        for (from, ends) in relation.iter_mut().enumerate() {
            let rest = &text[from..];
            let full = match ending {
                Ending::Longest => longest_end(pattern, rest),
                _ => preferred_end(pattern, rest),
            };
            let Some(full) = full else { continue };
            *ends |= 1 << (from + full);
            if ending == Ending::DynamicComplete {
                for cut in (0..full).filter_map(|cut| preferred_end(pattern, &rest[..cut])) {
                    *ends |= 1 << (from + cut);
                }
            }
        }
        relation
    }
}

fn relation(node: &Node, terminals: &[Relation], rules: &[Relation]) -> Relation {
    let size = rules[0].len();
    let of = |node: &Node| relation(node, terminals, rules);
    match node {
        Node::Empty => identity(size),
        Node::Terminal(t) => terminals[*t].clone(),
        Node::Rule(r) => rules[*r].clone(),
        Node::Seq(parts) => parts.iter().fold(identity(size), |all, part| then(&all, &of(part))),
        Node::Alt(parts) => parts.iter().fold(vec![0; size], |all, part| or(&all, &of(part))),
        Node::Repeat(body, min, max) => {
            let body = of(body);
            let least = (0..*min).fold(identity(size), |all, _| then(&all, &body));
            let rest = match max {
                None => star(&body),
                Some(max) => {
                    let once = or(&identity(size), &body);
                    (*min..*max).fold(identity(size), |all, _| then(&all, &once))
                }
            };
            then(&least, &rest)
        }
    }
}

fn identity(size: usize) -> Relation {
    (0..size).map(|i| 1 << i).collect()
}

fn or(a: &Relation, b: &Relation) -> Relation {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}

fn then(a: &Relation, b: &Relation) -> Relation {
    let reach =
        |ends: u64| (0..b.len()).filter(|i| ends >> i & 1 == 1).fold(0, |all, i| all | b[i]);
    a.iter().map(|&ends| reach(ends)).collect()
}

fn star(a: &Relation) -> Relation {
    let mut all = identity(a.len());
    loop {
        let more = or(&all, &then(&all, a));
        if more == all {
            return all;
        }
        all = more;
    }
}
