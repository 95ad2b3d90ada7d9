//! Whether what look-behind asks is decided by the text of the pattern's own match.

use super::Pattern;

/// Whether all look-behind in a pattern comes after at least as many characters as it looks at.
pub(crate) fn is_decided(pattern: &Pattern) -> bool {
    decided(pattern, 0)
}

fn decided(pattern: &Pattern, before: u64) -> bool {
    match pattern {
        Pattern::Look(look) if look.behind => {
            look.open && !look.body.has_look() && span(&look.body).1 <= before
        }
        Pattern::Look(look) => decided(&look.body, before),
        Pattern::Concat(parts) => {
            let mut before = before;
            parts.iter().all(|part| {
                let fine = decided(part, before);
                before = before.saturating_add(span(part).0);
                fine
            })
        }
        Pattern::Alt(parts) => parts.iter().all(|part| decided(part, before)),
        Pattern::Repeat { body, .. } => decided(body, before),
        _ => true,
    }
}

/// The fewest and the most characters.
fn span(pattern: &Pattern) -> (u64, u64) {
    match pattern {
        Pattern::Empty | Pattern::Look(_) => (0, 0),
        Pattern::Bytes(bytes) => {
            // Each character has one byte that is not 0x80 to 0xBF.
            let count = bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64;
            (count, count)
        }
        Pattern::Class(_) => (1, 1),
        Pattern::Concat(parts) => parts
            .iter()
            .map(span)
            .fold((0, 0), |a, b| (a.0.saturating_add(b.0), a.1.saturating_add(b.1))),
        Pattern::Alt(parts) => parts
            .iter()
            .map(span)
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or((u64::MAX, 0)),
        Pattern::Strings(_) | Pattern::Automaton(_) | Pattern::Lazy(_) => (0, u64::MAX),
        Pattern::Repeat { body, min, max, .. } => {
            let (least, most) = span(body);
            let most = match max {
                Some(max) => most.saturating_mul(u64::from(*max)),
                None if most == 0 => 0,
                None => u64::MAX,
            };
            (least.saturating_mul(u64::from(*min)), most)
        }
    }
}
