//! The terminals of Lark's library `unicode`.

pub(super) const TEXT: &str = r#"
WS_INLINE: /[\t \u00a0]+/
WS: /[\t\n\f\r \u00a0]+/
"#;
