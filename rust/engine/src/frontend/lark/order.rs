//! Terminals in the order in which they can be made: parts before what is built of them.

use super::ast::{Ast, DefId, each};
use super::load::Loaded;
use crate::error::Error;

/// All terminals with their parts.
pub(super) fn terminal_order(loaded: &Loaded) -> Result<Vec<(DefId, Vec<DefId>)>, Error> {
    let all = &loaded.definitions.all;
    let mut parts: Vec<Vec<DefId>> = Vec::with_capacity(all.len());
    for definition in all {
        let mut found = Vec::new();
        if let (true, Some(body)) = (definition.terminal, &definition.body) {
            each(body, &mut |ast| {
                let Ast::Part(part) = ast else { return Ok(()) };
                if all[*part].body.is_none() {
                    let message = format!(
                        "terminal `{}` is built of `{}`, which is only declared",
                        definition.name.text, all[*part].name.text
                    );
                    return Err(loaded.sources.error(definition.name.at, message));
                }
                found.push(*part);
                Ok(())
            })?;
        }
        parts.push(found);
    }
    // 0: not seen, 1: on the path, 2: done. The path is kept by hand, for it may be long.
    let mut state = vec![0_u8; parts.len()];
    let mut order = Vec::with_capacity(parts.len());
    for root in 0..parts.len() {
        if state[root] != 0 || !all[root].terminal {
            continue;
        }
        state[root] = 1;
        let mut path = vec![(root, 0)];
        while let Some(top) = path.last_mut() {
            let terminal = top.0;
            let Some(&part) = parts[terminal].get(top.1) else {
                state[terminal] = 2;
                order.push(terminal);
                path.pop();
                continue;
            };
            top.1 += 1;
            match state[part] {
                0 => {
                    state[part] = 1;
                    path.push((part, 0));
                }
                1 => return Err(recursion(part, &path, loaded)),
                _ => {}
            }
        }
    }
    Ok(order.into_iter().map(|t| (t, std::mem::take(&mut parts[t]))).collect())
}

fn recursion(terminal: DefId, path: &[(DefId, usize)], loaded: &Loaded) -> Error {
    let name = |t: DefId| &*loaded.definitions.all[t].name.text;
    let start = path.iter().position(|&(t, _)| t == terminal).unwrap_or(0);
    let mut circle: Vec<&str> = path[start..].iter().take(10).map(|&(t, _)| name(t)).collect();
    circle.push(if path.len() - start > 10 { "…" } else { name(terminal) });
    let message = format!(
        "terminal `{}` is built of itself ({}): recursion is for rules, in lower case",
        name(terminal),
        circle.join(" -> ")
    );
    loaded.sources.error(loaded.definitions.all[terminal].name.at, message)
}
