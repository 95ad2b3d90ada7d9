//! The terminals of Lark's library `common`.

/// Their definitions. The languages are those of Lark, with the escapes of `ESCAPED_STRING` spelled out
/// instead of found by looking behind. The shapes decide how Lark orders alternatives that use them.
pub(super) const TEXT: &str = r##"
DIGIT: "0".."9"
HEXDIGIT: DIGIT | "a".."f" | "A".."F"
INT: DIGIT+
SIGNED_INT: ("-" | "+")? INT
DECIMAL: "." INT | INT "." INT?
_EXP: ("E" | "e") SIGNED_INT
FLOAT: DECIMAL _EXP? | INT _EXP
SIGNED_FLOAT: ("-" | "+")? FLOAT
NUMBER: INT | FLOAT
SIGNED_NUMBER: ("-" | "+")? NUMBER

LCASE_LETTER: "a".."z"
UCASE_LETTER: "A".."Z"
LETTER: LCASE_LETTER | UCASE_LETTER
WORD: LETTER+
CNAME: (LETTER | "_") (LETTER | DIGIT | "_")*

_STRING_INNER: /.*?/
_STRING_ESC_INNER: /(?:[^\\\n]|\\.)*?/
ESCAPED_STRING: "\"" /(?:[^"\\\n]|\\.)*/ "\""

WS_INLINE: (/\t/ | " ")+
WS: /[ \t\n\r\f]/+
CR: /\r/
LF: /\n/
NEWLINE: (CR? LF)+

SH_COMMENT: /#[^\n]*/
SQL_COMMENT: /--[^\n]*/
CPP_COMMENT: /\/\/[^\n]*/
C_COMMENT: "/*" /(?:.|\n)*?/ "*/"
"##;
