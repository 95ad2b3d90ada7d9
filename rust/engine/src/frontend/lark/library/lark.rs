//! Lark's library `lark`: a grammar of Lark's own notation.

pub(super) const TEXT: &str = r##"
start: _item? (_NL _item?)*
_item: statement | token | rule

rule: RULE rule_params [priority] ":" expansions
token: TOKEN token_params [priority] ":" expansions
rule_params: ("{" RULE ("," RULE)* "}")?
token_params: ("{" TOKEN ("," TOKEN)* "}")?
priority: "." NUMBER

statement: "%import" import_path ["->" name] -> import
    | "%import" import_path name_list -> multi_import
    | "%override" rule -> override_rule
    | "%declare" name+ -> declare
    | "%ignore" expansions -> ignore
!import_path: ["."] name ("." name)*
name_list: "(" name ("," name)* ")"

?expansions: (alias _VBAR)* alias
?alias: expansion ("->" RULE)?
?expansion: expr*
?expr: atom ("~" NUMBER (".." NUMBER)? | OP)?
?atom: "(" expansions ")" | "[" expansions "]" -> maybe | value
?value: name | (STRING | REGEXP) -> literal | STRING ".." STRING -> literal_range
    | name "{" value ("," value)* "}" -> template_usage
name: TOKEN | RULE

RULE: /!?[?_]?[a-z][0-9_a-z]*/
TOKEN: /_?[A-Z][0-9A-Z_]*/
_STRING: "\"" /(?:[^"\\\n]|\\.)*/ "\""
STRING: _STRING "i"?
REGEXP: /\/(?:\\\/|\\\\|[^\/])+?\/[ilmsux]*/
OP: /[*+]|\?(?![a-z])/
NUMBER: /[+-]?[0-9]+/
_NL: /(?:\r?\n)+\s*/
_VBAR: _NL? "|"
WS_INLINE: /[\t ]+/
COMMENT: /\s*(?:\/\/|#)[^\n]*/

%ignore WS_INLINE
%ignore COMMENT
"##;
