//! Lark's library `python`: Python 3, for an indenter.

pub(super) const TEXT: &str = r##"
_sep{item}: item ("," item)*
_list{item}: _sep{item} ","?
_several{item}: item (("," item)+ ","? | ",")
_call{inner}: "(" inner? ")"

file_input: (stmt | _NEWLINE)*
single_input: simple_stmt | compound_stmt _NEWLINE | _NEWLINE
eval_input: testlist _NEWLINE*
encoding_decl: name

?stmt: compound_stmt | simple_stmt
?simple_stmt: small_stmt (";" small_stmt)* ";"? _NEWLINE
?small_stmt: expr_stmt | assign_stmt | flow_stmt | import_stmt | del_stmt | pass_stmt | global_stmt
    | nonlocal_stmt | assert_stmt
?flow_stmt: return_stmt | raise_stmt | yield_stmt | break_stmt | continue_stmt
break_stmt: "break"
continue_stmt: "continue"
pass_stmt: "pass"
return_stmt: "return" testlist?
raise_stmt: "raise" (test ("from" test)?)?
yield_stmt: yield_expr
yield_expr: "yield" testlist? | "yield" "from" test -> yield_from
del_stmt: "del" exprlist
assert_stmt: "assert" test ("," test)?
global_stmt: "global" _sep{name}
nonlocal_stmt: "nonlocal" _sep{name}

expr_stmt: testlist_star_expr
assign_stmt: assign | augassign | annassign
assign: testlist_star_expr ("=" (testlist_star_expr | yield_expr))+
annassign: testlist_star_expr ":" test ("=" test)?
augassign: testlist_star_expr augassign_op (testlist | yield_expr)
!augassign_op: "+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "@=" | "**=" | "&=" | "|=" | "^=" | "<<=" | ">>="
?testlist_star_expr: test_or_star_expr | _several{test_or_star_expr} -> tuple
?test_or_star_expr: star_expr | test
star_expr: "*" expr

import_stmt: import_from | import_name
import_name: "import" dotted_as_names
import_from: "from" (dots? dotted_name | dots) "import" ("*" | import_as_names | "(" import_as_names ")")
!dots: "."+
dotted_name: name ("." name)*
dotted_as_name: dotted_name ("as" name)?
dotted_as_names: _sep{dotted_as_name}
import_as_name: name ("as" name)?
import_as_names: _list{import_as_name}

?compound_stmt: if_stmt | for_stmt | while_stmt | try_stmt | with_stmt | match_stmt | funcdef | classdef
    | decorated | async_stmt
async_stmt: "async" (for_stmt | with_stmt | funcdef)
suite: _NEWLINE _INDENT stmt+ _DEDENT | simple_stmt
_else: "else" ":" suite
if_stmt: "if" test ":" suite elifs _else?
elifs: elif_*
elif_: "elif" test ":" suite
while_stmt: "while" test ":" suite _else?
for_stmt: "for" exprlist "in" testlist ":" suite _else?
try_stmt: "try" ":" suite except_clauses _else? finally? | "try" ":" suite finally -> try_finally
finally: "finally" ":" suite
except_clauses: except_clause+
except_clause: "except" (test ("as" name)?)? ":" suite
with_stmt: "with" with_items ":" suite
with_items: _sep{with_item}
with_item: test ("as" name)?

decorated: decorators (funcdef | classdef | async_funcdef)
decorators: decorator+
decorator: "@" dotted_name _call{arguments}? _NEWLINE
classdef: "class" name _call{arguments}? ":" suite
funcdef: "def" name _call{parameters} ("->" test)? ":" suite
async_funcdef: "async" funcdef

parameters: _sep{paramvalue} ("," SLASH ("," paramvalue)*)? ("," (starparams | kwparams)?)?
    | starparams | kwparams
SLASH: "/"
?paramvalue: typedparam ("=" test)?
?typedparam: name (":" test)?
starparams: (starguard | starparam) poststarparams
starguard: "*"
starparam: "*" typedparam
poststarparams: ("," paramvalue)* ("," kwparams)?
kwparams: "**" typedparam ","?

lambdef: "lambda" lambda_params? ":" test
lambdef_nocond: "lambda" lambda_params? ":" test_nocond
lambda_params: _sep{lambda_paramvalue} ("," (lambda_starparams | lambda_kwparams)?)?
    | lambda_starparams | lambda_kwparams
?lambda_paramvalue: name ("=" test)?
lambda_starparams: "*" name? ("," lambda_paramvalue)* ("," lambda_kwparams?)?
lambda_kwparams: "**" name ","?

match_stmt: "match" test ":" _NEWLINE _INDENT case+ _DEDENT
case: "case" pattern ("if" test)? ":" suite
?pattern: as_pattern | sequence_item_pattern "," _sequence_pattern -> sequence_pattern
?as_pattern: or_pattern ("as" NAME)?
?or_pattern: closed_pattern ("|" closed_pattern)*
?closed_pattern: literal_pattern
    | NAME -> capture_pattern
    | "_" -> any_pattern
    | attr_pattern
    | class_pattern
    | "(" as_pattern ")"
    | "(" (sequence_item_pattern "," _sequence_pattern)? ")" -> sequence_pattern
    | "[" _sequence_pattern "]" -> sequence_pattern
    | "{" _list{mapping_item_pattern}? "}" -> mapping_pattern
    | "{" (_sep{mapping_item_pattern} ",")? "**" NAME ","? "}" -> mapping_star_pattern
literal_pattern: inner_literal_pattern
?inner_literal_pattern: "True" -> const_true
    | "False" -> const_false
    | "None" -> const_none
    | STRING -> string
    | number
attr_pattern: NAME ("." NAME)+ -> value
name_or_attr_pattern: NAME ("." NAME)* -> value
mapping_item_pattern: (attr_pattern | literal_pattern) ":" as_pattern
_sequence_pattern: _list{sequence_item_pattern}?
?sequence_item_pattern: as_pattern | "*" NAME -> star_pattern
class_pattern: name_or_attr_pattern "(" (arguments_pattern ","?)? ")"
arguments_pattern: pos_arg_pattern ("," keyws_arg_pattern)? | keyws_arg_pattern -> no_pos_arguments
pos_arg_pattern: _sep{as_pattern}
keyws_arg_pattern: _sep{keyw_arg_pattern}
keyw_arg_pattern: NAME "=" as_pattern

?test: assign_expr | lambdef | or_test ("if" or_test "else" test)?
assign_expr: name ":=" test
?test_nocond: lambdef_nocond | or_test
?or_test: and_test ("or" and_test)*
?and_test: not_test_ ("and" not_test_)*
?not_test_: comparison | "not" not_test_ -> not_test
?comparison: expr (comp_op expr)*
!comp_op: "==" | "!=" | "<" | "<=" | ">" | ">=" | "<>" | "not"? "in" | "is" "not"?
?expr: or_expr
?or_expr: xor_expr ("|" xor_expr)*
?xor_expr: and_expr ("^" and_expr)*
?and_expr: shift_expr ("&" shift_expr)*
?shift_expr: arith_expr (_shift_op arith_expr)*
?arith_expr: term (_add_op term)*
?term: factor (_mul_op factor)*
?factor: power | _unary_op factor
!_shift_op: "<<" | ">>"
!_add_op: "+" | "-"
!_mul_op: "*" | "/" | "//" | "%" | "@"
!_unary_op: "-" | "+" | "~"
?power: await_expr ("**" factor)?
?await_expr: AWAIT? atom_expr
AWAIT: "await"
?atom_expr: atom
    | atom_expr _call{arguments} -> funccall
    | atom_expr "[" subscriptlist "]" -> getitem
    | atom_expr "." name -> getattr
?atom: name -> var
    | number
    | string_concat
    | "(" (yield_expr | test) ")"
    | "(" _tuple_inner? ")" -> tuple
    | "(" comprehension{test_or_star_expr} ")" -> tuple_comprehension
    | "[" _exprlist? "]" -> list
    | "[" comprehension{test_or_star_expr} "]" -> list_comprehension
    | "{" _dict_exprlist? "}" -> dict
    | "{" comprehension{key_value} "}" -> dict_comprehension
    | "{" _exprlist "}" -> set
    | "{" comprehension{test} "}" -> set_comprehension
    | "..." -> ellipsis
    | "None" -> const_none
    | "True" -> const_true
    | "False" -> const_false
?string_concat: string+
string: LONG_STRING | STRING
number: DEC_NUMBER | HEX_NUMBER | OCT_NUMBER | BIN_NUMBER | FLOAT_NUMBER | IMAG_NUMBER
!name: NAME | "case" | "match"

_tuple_inner: _several{test_or_star_expr}
_exprlist: _list{test_or_star_expr}
_dict_exprlist: _list{_dict_item}
_dict_item: key_value | "**" expr
key_value: test ":" test
?exprlist: _expr_or_star | _several{_expr_or_star}
_expr_or_star: expr | star_expr
?testlist: test | testlist_tuple
testlist_tuple: _several{test}
?subscriptlist: subscript | _several{subscript} -> subscript_tuple
?subscript: test | test? ":" test? sliceop? -> slice
sliceop: ":" test?

arguments: _sep{argvalue} ("," (starargs | kwargs)?)? | starargs | kwargs | comprehension{test}
?argvalue: test ("=" test)?
starargs: _sep{stararg} ("," argvalue)* ("," kwargs)?
stararg: "*" test
kwargs: "**" test ("," argvalue)*
comprehension{comp_result}: comp_result comp_fors comp_if?
comp_fors: comp_for+
comp_for: ASYNC? "for" exprlist "in" or_test
ASYNC: "async"
?comp_if: "if" test_nocond

%declare _INDENT _DEDENT
_NEWLINE: (COMMENT | /\r?\n[ \t]*/)+
COMMENT: /#[^\n]*/
NAME: /[^\d\W]\w*/
STRING: /(?:[ubf]?r?|r[ubf])(?:'(?!'')(?:[^'\\\n]|\\.)*'|"(?!"")(?:[^"\\\n]|\\.)*")/i
LONG_STRING: /(?:[ubf]?r?|r[ubf])(?:'''(?:[^\\]|\\.)*?'''|"""(?:[^\\]|\\.)*?""")/is
_SPECIAL_DEC: /[0-9](?:_?[0-9])*/
DEC_NUMBER: /(?:[1-9](?:_?[0-9])*|0(?:_?0)*(?![1-9]))/
HEX_NUMBER: /0[xX](?:_?[0-9a-fA-F])+/
OCT_NUMBER: /0[oO](?:_?[0-7])+/
BIN_NUMBER: /0[bB](?:_?[01])+/
_EXP: /[eE][+-]?/ _SPECIAL_DEC
DECIMAL: _SPECIAL_DEC "." _SPECIAL_DEC? | "." _SPECIAL_DEC
FLOAT_NUMBER: DECIMAL _EXP? | _SPECIAL_DEC _EXP
IMAG_NUMBER: (FLOAT_NUMBER | _SPECIAL_DEC) /[jJ]/

%ignore /[ \t\f]+/
%ignore /\\[ \t\f]*\r?\n/
%ignore COMMENT
"##;
