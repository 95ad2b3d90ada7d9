//! That every name of the final grammar has a definition, and every template the arguments that it needs.

use super::ast::{Ast, Definition, Name, each};
use super::library;
use super::load::Loaded;
use super::scope::undefined;
use crate::error::Error;

/// Checks all definitions in scope, used or not, as Lark does.
pub(super) fn validate(loaded: &Loaded) -> Result<(), Error> {
    for (_, id) in &loaded.scope.entries {
        let definition = &loaded.definitions.all[*id];
        check_params(definition, loaded)?;
        let (false, Some(body)) = (definition.terminal, &definition.body) else { continue };
        let is_param = |name: &Name| definition.params.iter().any(|p| p.text == name.text);
        each(body, &mut |ast| {
            let (name, terminal, arguments) = match ast {
                Ast::Rule(name) => (name, false, None),
                Ast::Terminal(name) => (name, true, None),
                Ast::Template(name, arguments) => (name, false, Some(arguments.len())),
                _ => return Ok(()),
            };
            if is_param(name) {
                return Ok(());
            }
            let Some(id) = loaded.scope.get(&name.text) else {
                let word = loaded.sources.word(name.at);
                let hint = if terminal { library::hint(word) } else { String::new() };
                return Err(undefined(name, terminal, &loaded.sources, &hint));
            };
            let expected = loaded.definitions.all[id].params.len();
            match arguments {
                Some(given) if given != expected => {
                    let word = loaded.sources.word(name.at);
                    let message = if expected == 0 {
                        format!("`{word}` is no template, so it takes no arguments")
                    } else {
                        format!("template `{word}` takes {expected} arguments, not {given}")
                    };
                    Err(loaded.sources.error(name.at, message))
                }
                _ => Ok(()),
            }
        })?;
    }
    match loaded.ignore.iter().find(|(name, _)| loaded.scope.get(name).is_none()) {
        Some((text, at)) => {
            let name = Name { text: text.clone(), at: *at };
            let hint = library::hint(loaded.sources.word(name.at));
            Err(undefined(&name, true, &loaded.sources, &hint))
        }
        None => Ok(()),
    }
}

fn check_params(definition: &Definition, loaded: &Loaded) -> Result<(), Error> {
    for (index, param) in definition.params.iter().enumerate() {
        let word = loaded.sources.word(param.at);
        let message = if loaded.scope.get(&param.text).is_some() {
            format!("the parameter `{word}` has the name of a rule")
        } else if definition.params[..index].iter().any(|p| p.text == param.text) {
            format!("the parameter `{word}` is there twice")
        } else {
            continue;
        };
        return Err(loaded.sources.error(param.at, message));
    }
    Ok(())
}
