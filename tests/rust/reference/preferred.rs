//! Grammars of `grammars/` in the reference's notation: those whose terminals end where Python's `re` prefers, which is
//! said by what must not follow them. Written from what the headers of the files promise. Wherever something must not
//! follow, a blank may.

/// Parts that the three share: blanks, and comments to the end of a line.
const SHARED: &str = r"
blank: [ \t\x0c\r\n]
line: | line [^\n\x80-\xff] | line beyond
";

const S_EXPRESSIONS: &str = r##"
text: w forms
w: | w blank | w ";" line ![^\n]
forms: form | forms form
form: atom w | string w | boolean w | character w
form: "(" w members ")" w | "[" w members "]" w | "#(" w elements ")" w | ['`,] w form | ",@" w form
members: | forms | forms "." w form
elements: | forms
atom: first ![^\x00-\x20\x7f()\[\]{}"'`,;|]
first: [^\x00-\x20\x7f-\xff()\[\]{}"'`,;#|@.] | beyond | "." other | first other
other: [^\x00-\x20\x7f-\xff()\[\]{}"'`,;|] | beyond
string: "\"" inside "\""
inside: | inside [^"\\\x80-\xff] | inside beyond | inside "\\" [abtnr0"\\] | inside "\\x" hexes ";"
hexes: [0-9a-fA-F] | hexes [0-9a-fA-F]
boolean: "#true" | "#false" | "#t" !"rue" | "#f" !"alse"
character: "#\\" letters ![A-Za-z] | "#\\" [^\x00-\x20\x7f-\xffA-Za-z] | "#\\" beyond
letters: [A-Za-z] | letters [A-Za-z]
"##;

/// Words in capitals are keywords: their letters in any case, and ignored text.
const SQL_SELECT: &str = r#"
text: w query | w query ";" w
w: | w blank | w "--" line ![^\n] | w starred "/"
block: "/*" | block [^*\x80-\xff] | block beyond | starred [^*/\x80-\xff] | starred beyond
starred: block "*" | starred "*"
query: with set order limit
with: | WITH tables | WITH RECURSIVE tables
tables: common | tables "," w common
common: named AS "(" w query ")" w | named "(" w names ")" w AS "(" w query ")" w
names: named | names "," w named
set: part | set UNION all part | set INTERSECT all part | set EXCEPT all part
all: | ALL | DISTINCT
part: SELECT all columns from where group | "(" w query ")" w
columns: column | columns "," w column
column: "*" w | named "." w "*" w | expression alias
alias: | named | AS named
from: | FROM sources
sources: source | sources "," w source
where: | WHERE expression
group: | GROUP BY expressions | GROUP BY expressions HAVING expression
order: | ORDER BY keys
keys: key | keys "," w key
key: expression direction nulls
direction: | ASC | DESC
nulls: | NULLS FIRST | NULLS LAST
limit: | LIMIT expression | LIMIT expression OFFSET expression
source: table | join
join: source kind JOIN table condition
join: source CROSS JOIN table | source NATURAL JOIN table | source NATURAL side JOIN table
kind: | INNER | side | side OUTER
side: LEFT | RIGHT | FULL
condition: ON expression | USING "(" w names ")" w
table: named alias | named "." w named alias | "(" w join ")" w
table: "(" w query ")" w named | "(" w query ")" w AS named
expressions: expression | expressions "," w expression
expression: conjunction | expression OR conjunction
conjunction: negation | conjunction AND negation
negation: predicate | NOT negation
predicate: operand | predicate comparison w operand | predicate IS NULL | predicate IS NOT NULL
predicate: predicate not IN "(" w query ")" w | predicate not IN "(" w expressions ")" w
predicate: predicate not BETWEEN operand AND operand
predicate: predicate not LIKE operand | predicate not LIKE operand ESCAPE string w
not: | NOT
operand: term | operand [+\-] w term | operand "||" w term
term: factor | term [*/%] w factor
factor: primary | [+\-] w factor
primary: number w | string w | NULL | TRUE | FALSE | "?" w | ":" name w | call | case
primary: named | named "." w named | named "." w named "." w named
primary: CAST "(" w expression AS type ")" w | EXISTS "(" w query ")" w
primary: "(" w query ")" w | "(" w expression ")" w
call: name w "(" w ")" w | name w "(" w "*" w ")" w
call: name w "(" w expressions ")" w | name w "(" w DISTINCT expressions ")" w
case: CASE whens END | CASE whens ELSE expression END
case: CASE expression whens END | CASE expression whens ELSE expression END
whens: when | whens when
when: WHEN expression THEN expression
type: name w | name w "(" w integer w ")" w | name w "(" w integer w "," w integer w ")" w
named: name w | "\"" quoted "\"" !"\"" w
name: word ![a-zA-Z0-9_] !"\xc4"[\xb0\xb1] !"\xc5\xbf" !"\xe2\x84\xaa" w
word: [a-zA-Z_] | odd | word [a-zA-Z0-9_] | word odd
odd: "\xc4" [\xb0\xb1] | "\xc5\xbf" | "\xe2\x84\xaa"
quoted: letter | quoted letter
letter: [^\x00-\x1f"\x80-\xff] | beyond | "\"\""
integer: digits ![0-9]
digits: [0-9] | digits [0-9]
number: plain ![0-9] ![eE][0-9] ![eE][+\-][0-9] | plain exponent ![0-9]
plain: digits !"." | digits "." | digits "." digits | "." digits
exponent: [eE] digits | [eE] [+\-] digits
string: "'" inside "'" !"'"
inside: | inside [^'\x80-\xff] | inside beyond | inside "''"
comparison: "=" | "<>" | "!=" | "<=" | ">=" | "<" ![>=] | ">" !"="
"#;

/// Nothing that may follow a number begins with a digit, an underscore, `j`, or an exponent.
const PYTHON_EXPRESSIONS: &str = r##"
text: w tests | w tests "," w
w: | w blank | w "#" line ![^\n]
tests: test | tests "," w test
test: or | or "if" w or "else" w test | "lambda" w ":" w test | "lambda" w parameters ":" w test
named: test | name ":=" w test
comma: | "," w
parameters: listed comma | listed "," w starred | starred
listed: some | some "," w "/" w | some "," w "/" w "," w some
some: parameter | some "," w parameter
starred: "*" w name keywords comma | "*" w name "," w some keywords comma
starred: "*" w "," w some keywords comma | "**" w name comma
keywords: | "," w "**" w name
parameter: name | name "=" w test
or: and | or "or" w and
and: not | and "and" w not
not: compared | "not" w not
compared: union | compared compare union
compare: "==" w | "!=" w | "<=" w | ">=" w | "<" w | ">" w
compare: "in" w | "not" w "in" w | "is" w | "is" w "not" w
union: difference | union "|" w difference
difference: section | difference "^" w section
section: shift | section "&" w shift
shift: sum | shift "<<" w sum | shift ">>" w sum
sum: product | sum [+\-] w product
product: factor | product [*/%@] w factor | product "//" w factor
factor: power | [+\-~] w factor
power: awaited | awaited "**" w factor
awaited: primary | "await" w primary
primary: atom | primary "." w name
primary: primary "(" w ")" w | primary "(" w arguments comma ")" w | primary "(" w named fors ")" w
primary: primary "[" w subscripts comma "]" w
arguments: argument | arguments "," w argument
argument: named | name "=" w test | "*" w test | "**" w test
subscripts: subscript | subscripts "," w subscript
subscript: named | "*" w union | bound ":" w bound | bound ":" w bound ":" w bound
bound: | test
atom: name | number w | string w | "..." w
atom: "(" w ")" w | "(" w item "," w ")" w | "(" w item "," w items comma ")" w
atom: "[" w "]" w | "[" w items comma "]" w | "[" w named fors "]" w
atom: "{" w items comma "}" w | "{" w named fors "}" w
atom: "{" w "}" w | "{" w pairs comma "}" w | "{" w test ":" w test fors "}" w
atom: "(" w named ")" w | "(" w named fors ")" w
items: item | items "," w item
item: named | "*" w union
pairs: pair | pairs "," w pair
pair: test ":" w test | "**" w union
fors: for | fors for
for: "for" w targets comma "in" w or ifs | "async" w "for" w targets comma "in" w or ifs
ifs: | ifs "if" w or | ifs "if" w name ":=" w or
targets: target | targets "," w target
target: primary | "*" w primary
name: word ![a-zA-Z0-9_] w
word: [a-zA-Z_] | word [a-zA-Z0-9_]
number: decimal !"." | zeros !"." | float | float [jJ] | digits [jJ]
number: "0" [xX] hexes ![0-9a-fA-F] | "0" [oO] octals | "0" [bB] bits
decimal: [1-9] | decimal [0-9] | decimal "_" [0-9]
zeros: "0" | zeros "0" | zeros "_0"
float: digits "." | digits "." exponent | digits "." digits | digits "." digits exponent
float: "." digits | "." digits exponent | digits exponent
exponent: [eE] digits | [eE] [+\-] digits
digits: [0-9] | digits [0-9] | digits "_" [0-9]
hexes: hex | "_" hex | hexes hex | hexes "_" hex
hex: [0-9a-fA-F]
octals: [0-7] | "_" [0-7] | octals [0-7] | octals "_" [0-7]
bits: [01] | "_" [01] | bits [01] | bits "_" [01]
string: literal | [rRbBuU] literal | [rR] [bB] literal | [bB] [rR] literal
literal: "\"" double "\"" | "'" single "'" | "\"\"\"" doubles "\"\"\"" | "'''" singles "'''"
escape: "\\" [\x00-\x7f] | "\\" beyond
double: | double [^"\\\r\n\x80-\xff] | double beyond | double escape
single: | single [^'\\\r\n\x80-\xff] | single beyond | single escape
doubles: | doubles twice | doubles "\"" twice | doubles "\"\"" twice
twice: [^"\\\x80-\xff] | beyond | escape
singles: | singles once | singles "'" once | singles "''" once
once: [^'\\\x80-\xff] | beyond | escape
"##;

/// The grammar of this name, if it is one of those; what `beyond` stands for is left out.
pub(super) fn notation(name: &str) -> Option<String> {
    let own = match name {
        "python_expressions" => PYTHON_EXPRESSIONS.into(),
        "s_expressions" => S_EXPRESSIONS.into(),
        "sql_select" => spell_keywords(SQL_SELECT),
        _ => return None,
    };
    Some(format!("{own}{SHARED}"))
}

/// Writes out the words in capitals. Python matches three letters with others beyond ASCII, if case is ignored.
fn spell_keywords(source: &str) -> String {
    let is_keyword =
        |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let spell = |word: &str| {
        let letters = word.bytes().map(|byte| match byte {
            b'I' | b'K' | b'S' => format!("letter_{}", char::from(byte)),
            _ => format!("[{}{}]", char::from(byte), char::from(byte.to_ascii_lowercase())),
        });
        letters.chain(["w".into()]).collect::<Vec<_>>().join(" ")
    };
    let lines = source.lines().map(|line| {
        let words = line.split(' ');
        let words = words.map(|w| if is_keyword(&w) { spell(w) } else { w.to_owned() });
        words.collect::<Vec<_>>().join(" ")
    });
    let letters = r#"
letter_I: [iI] | "\xc4" [\xb0\xb1]
letter_K: [kK] | "\xe2\x84\xaa"
letter_S: [sS] | "\xc5\xbf"
"#;
    lines.chain([letters.to_owned()]).collect::<Vec<_>>().join("\n")
}
