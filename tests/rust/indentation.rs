//! Indentation by the engine's own API; `tests/python/test_indentation.py` has the rest.

use stackmask::{CompiledGrammar, Error, Grammar, Indenter, LarkOptions, Limits, Vocabulary};
use std::sync::Arc;

const TREE: &str = r#"
start: tree+
tree: NAME ["(" NAME* ")"] _NL [_INDENT tree+ _DEDENT]
NAME: /[a-z]+/
_NL: /(\r?\n[ \t]*)+/
%declare _INDENT _DEDENT
"#;

fn indenter() -> Indenter {
    Indenter {
        newline: "_NL".into(),
        open: vec!["LPAR".into()],
        close: vec!["RPAR".into()],
        indent: "_INDENT".into(),
        dedent: "_DEDENT".into(),
        tab: 8,
    }
}

fn compile(text: &str) -> Result<CompiledGrammar, Error> {
    let indenter = indenter();
    let options = LarkOptions { indenter: Some(&indenter), ..LarkOptions::default() };
    let grammar = Grammar::from_lark(text, &options, &Limits::default())?;
    CompiledGrammar::new(&grammar, Arc::new(Vocabulary::byte_level()), &Limits::default())
}

fn accepts(compiled: &CompiledGrammar, text: &str) -> bool {
    let mut matcher = compiled.matcher();
    text.bytes().all(|byte| matcher.accept_token(u32::from(byte)) == Ok(true))
        && matcher.is_completed()
}

#[test]
fn columns_are_enforced() {
    let compiled = compile(TREE).expect("the grammar compiles");
    for text in
        ["a\n", "a\n  b\n", "a\n  b\nc\n", "a\n  b\n    c\n", "a\n  b\n    c\n  d\n", "a(\n b\n)\n"]
    {
        assert!(accepts(&compiled, text), "{text:?}");
    }
    for text in ["a", "a\n  b\n c\n", "a\n  b\n    c\n   d\n", "a(\n b\n)\n c", "\na\n"] {
        assert!(!accepts(&compiled, text), "{text:?}");
    }
}
