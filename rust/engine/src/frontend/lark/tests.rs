use super::*;
use crate::grammar::Expr;
use crate::ids::{RuleId, TerminalId};
use crate::pattern::Pattern;

fn read(text: &str) -> Result<Grammar, Error> {
    read_with(text, &Limits::default())
}

fn read_with(text: &str, limits: &Limits) -> Result<Grammar, Error> {
    let options = LarkOptions { file: Some("g.lark"), ..LarkOptions::default() };
    Grammar::from_lark(text, &options, limits)
}

/// The grammar on one line: rules, then terminals as regexes.
fn shape(text: &str) -> String {
    let grammar = read(text).unwrap_or_else(|e| panic!("{text:?}: {e}"));
    let rules = grammar.rules.iter().map(|r| format!("{}={}", r.name, expr(&grammar, &r.body)));
    let terminals = grammar.terminals.iter().map(|t| format!("{}:{}", t.name, pattern(&t.pattern)));
    let ignored =
        grammar.ignore.iter().map(|t| format!("ignore {}", grammar.terminals[t.index()].name));
    rules.chain(terminals).chain(ignored).collect::<Vec<_>>().join("; ")
}

fn expr(g: &Grammar, e: &Expr) -> String {
    let all =
        |parts: &[Expr], by: &str| parts.iter().map(|p| expr(g, p)).collect::<Vec<_>>().join(by);
    match e {
        Expr::Empty => "()".to_owned(),
        Expr::Terminal(TerminalId(t)) => g.terminals[*t as usize].name.clone(),
        Expr::Rule(RuleId(r)) => g.rules[*r as usize].name.clone(),
        Expr::Seq(parts) => all(parts, " "),
        Expr::Alt(parts) => format!("({})", all(parts, "|")),
        Expr::Repeat { body, min, max } => {
            format!("[{}]{min}..{}", expr(g, body), max.map_or(String::new(), |m| m.to_string()))
        }
        Expr::Token(_) | Expr::Made { .. } => unreachable!(),
    }
}

fn pattern(p: &Pattern) -> String {
    let all = |parts: &[Pattern], by: &str| parts.iter().map(pattern).collect::<Vec<_>>().join(by);
    match p {
        Pattern::Empty => "()".to_owned(),
        Pattern::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Pattern::Class(set) => format!(
            "[{}]",
            set.ranges()
                .iter()
                .map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") })
                .collect::<String>()
        ),
        Pattern::Concat(parts) => all(parts, ","),
        Pattern::Alt(parts) => format!("({})", all(parts, "|")),
        Pattern::Strings(_) | Pattern::Automaton(_) | Pattern::Lazy(_) | Pattern::Look(_) => {
            unreachable!()
        }
        Pattern::Repeat { body, min, max, greedy } => {
            format!(
                "({}){{{min},{}}}{}",
                pattern(body),
                max.map_or(String::new(), |m| m.to_string()),
                if *greedy { "" } else { "?" }
            )
        }
    }
}

/// `line:column message` of the error.
fn error(text: &str) -> String {
    match read(text) {
        Err(Error::Syntax { message, place: Some(place) }) => {
            assert_eq!(place.file.as_deref(), Some("g.lark"), "{text:?}");
            format!("{}:{} {message}", place.line, place.column)
        }
        other => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn rules_keep_their_shape() {
    for (text, want) in [
        (r#"start: "a" "b"+ | ["c"]"#, r#"start=("a" ["b"]1..|["c"]0..1); "a":a; "b":b; "c":c"#),
        (r#"start: ("a" | "b")* "a"?"#, r#"start=[("a"|"b")]0.. ["a"]0..1; "a":a; "b":b"#),
        ("start: x~2 x ~ 1 .. 3\nx: \"a\"", r#"start=[x]2..2 [x]1..3; x="a"; "a":a"#),
        ("start: \n | \"a\"", r#"start=(()|"a"); "a":a"#),
        ("start: \"a\" |", r#"start=("a"|()); "a":a"#),
        ("start: () \"a\"", r#"start=() "a"; "a":a"#),
        (
            "!?start.2: \"a\" -> x\n | _b2\n_b2.-1 : \"b\"",
            r#"start=("a"|_b2); _b2="b"; "a":a; "b":b"#,
        ),
        ("start: start \"a\" |\nunused: \"u\"", r#"start=(start "a"|()); "a":a"#),
    ] {
        assert_eq!(shape(text), want, "{text:?}");
    }
}

#[test]
fn lines_and_comments() {
    let want = r#"start=("a"|"b"); "a":a; "b":b"#;
    for text in [
        "start: \"a\"\n  | \"b\"",
        "start: \"a\" // one\n// two\n\n\t# three\n  | \"b\" // four",
        "// first\n\n  start: \"a\" | \\  \n \"b\"\n",
        "start: \"a\"\r\n  | \"b\"\r\n",
        "# c\nstart: \"a\" # c\n# d\n\n\n | \"b\"\n# e\nx: \"y\"",
    ] {
        assert_eq!(shape(text), want, "{text:?}");
    }
}

#[test]
fn equal_literals_are_one_terminal() {
    assert_eq!(
        shape("start: \"a\" B \"b\" \"a\" \"\\x61\" \"a\"..\"b\" \"a\"..\"b\"\nB: C\nC: \"b\""),
        "start=\"a\" B C \"a\" \"a\" \"a\"..\"b\" \"a\"..\"b\"; \"a\":a; B:b; C:b; \"a\"..\"b\":[a-b]"
    );
    assert_eq!(shape("start: A \"a\"\nA: \"a\""), "start=A A; A:a");
}

#[test]
fn terminals_are_built_of_terminals() {
    let b = "((b){1,},é|[0-9])";
    assert_eq!(
        shape("start: A\nA: [B] \"y\"~1..2 | B \"x\"~2\nB: \"b\"+ \"é\" | \"0\"..\"9\""),
        format!("start=A; A:({b},(x){{2,2}}|({b}){{0,1}},(y){{1,2}})")
    );
}

#[test]
fn alternatives_of_terminals_are_sorted_as_in_lark() {
    for (body, want) in [
        (r#""a" | "ab" | "abc""#, "(abc|ab|a)"),
        (r#""x" | "xy" | "a".."z" | "b""#, "(xy|[a-z]|x|b)"),
        (r#""b"~1..2 | "cc""#, "(cc|(b){1,2})"),
        (r#""b"+ | "cccc" | "b"*"c""#, "((b){0,},c|(b){1,}|cccc)"),
    ] {
        let grammar = read(&format!("start: A\nA: {body}")).unwrap();
        let found = pattern(&grammar.terminals[0].pattern);
        assert_eq!(found, want, "{body}");
    }
}

#[test]
fn regexes_are_pasted_as_in_lark() {
    for (body, want) in [
        (r#"/a|b/ "c""#, "(a|bc)"),
        (r#"(/a|b/) "c""#, "(a|bc)"),
        (r#"/a|b/s "c""#, "(a|b),c"),
        (r#"/\x2e/s"#, "[\0-\u{10ffff}]"),
        (r#""a"i "B""#, "[Aa],B"),
        (r#""]".."a""#, "[]-a]"),
        (r#"/\"\/\\./s"#, "\"/\\,[\0-\u{10ffff}]"),
        ("/a # b\n c/x", "ac"),
    ] {
        let grammar = read(&format!("start: A\nA: {body}")).unwrap();
        assert_eq!(pattern(&grammar.terminals[0].pattern), want, "{body}");
    }
}

#[test]
fn ignore_takes_names_and_expansions() {
    assert_eq!(
        shape("start: \"a\"\n%ignore WS\n%ignore \"a\" \"b\" | \"c\"\n%ignore WS\nWS: \" \""),
        "start=\"a\"; \"a\":a; WS: ; __IGNORE_1:(a,b|c); ignore WS; ignore __IGNORE_1"
    );
    assert_eq!(
        shape("start: \"a\"\n%ignore \"a\""),
        "start=__IGNORE_0; __IGNORE_0:a; ignore __IGNORE_0"
    );
}

#[test]
fn imports_bring_their_own_parts() {
    let digits = "(([0-9])){1,}".replace("(([0-9]))", "([0-9])");
    for import in ["common.INT", "common (WS, INT)", "common.INT\n%import common.INT"] {
        assert_eq!(
            shape(&format!("%import {import}\nstart: INT DIGIT\nDIGIT: \"d\"")),
            format!("start=INT DIGIT; INT:{digits}; DIGIT:d")
        );
    }
    assert_eq!(shape("%import common.INT -> N\nstart: N"), format!("start=N; N:{digits}"));
    assert!(error("start: INT").contains("%import common.INT"));
}

#[test]
fn templates_are_rules_of_their_arguments() {
    for (text, want) in [
        (
            "start: s{x, \",\"} s{x, \",\"}\ns{i, c}: i (c i)*\nx: \"a\"",
            r#"start=s{x,","} s{x,","}; x="a"; s{x,","}=x ["," x]0..; ",":,; "a":a"#,
        ),
        // Templates call templates, and take them as arguments.
        (
            "start: f{g, \"a\", \"b\"..\"c\"}\nf{t, x, y}: t{x} t{y}\ng{x}: x | g{x} x",
            concat!(
                "start=f{g,\"a\",\"b\"..\"c\"}; f{g,\"a\",\"b\"..\"c\"}=g{\"a\"} g{\"b\"..\"c\"}; ",
                "g{\"a\"}=(\"a\"|g{\"a\"} \"a\"); g{\"b\"..\"c\"}=(\"b\"..\"c\"|g{\"b\"..\"c\"} \"b\"..\"c\"); ",
                "\"a\":a; \"b\"..\"c\":[b-c]"
            ),
        ),
        (
            "start: a{b{\"x\"}}\n?a {i} .2 : i\n!b{i}: i i",
            r#"start=a{b{"x"}}; b{"x"}="x" "x"; a{b{"x"}}=b{"x"}; "x":x"#,
        ),
    ] {
        assert_eq!(shape(text), want, "{text:?}");
    }
}

#[test]
fn overrides_and_extensions() {
    for (text, want) in [
        ("start: \"a\"\n%override start: \"b\"", r#"start="b"; "b":b"#),
        (
            "start: \"a\"\n%extend start: \"b\" | \"c\"",
            r#"start=(("b"|"c")|"a"); "b":b; "c":c; "a":a"#,
        ),
        (
            "start: \"a\"\n%extend start: \"b\"\n%extend start: \"c\"",
            r#"start=("c"|"b"|"a"); "c":c; "b":b; "a":a"#,
        ),
        // Within a file, names are looked up at its end.
        ("start: A\nA: B\nB: \"b\"\n%override B: \"c\"", "start=A; A:c"),
        ("start: A\nA: B\nB: \"b\"\n%extend B: \"cc\"", "start=A; A:(cc|b)"),
        // What was imported is built of what its own file says, but shares what is extended.
        (
            "%import common (INT, DIGIT)\nstart: INT DIGIT\n%override DIGIT: \"d\"",
            "start=INT DIGIT; INT:([0-9]){1,}; DIGIT:d",
        ),
        (
            "%import common (INT, DIGIT)\nstart: INT\n%extend DIGIT: \"d\"",
            "start=INT; INT:(([0-9]|d)){1,}",
        ),
        ("%declare A\nstart: A | \"b\"\n%override A: \"a\"", r#"start=(A|"b"); A:a; "b":b"#),
        ("%declare A b\nstart: A | \"b\"\n%override b: \"a\"", r#"start=(A|"b"); A:(); "b":b"#),
    ] {
        assert_eq!(shape(text), want, "{text:?}");
    }
}

/// Files by name.
struct Files(&'static [(&'static str, &'static str)]);

impl ImportResolver for Files {
    fn resolve(&mut self, request: ImportRequest<'_>) -> Result<Option<ImportedFile>, Error> {
        let folder = request.from.and_then(|f| f.rsplit_once('/')).map_or("", |(folder, _)| folder);
        let path = request.path.join("/");
        let path = match (request.relative, folder) {
            (true, "") | (false, _) => path,
            (true, folder) => format!("{folder}/{path}"),
        };
        let found = self.0.iter().find(|(name, _)| *name == path);
        Ok(found.map(|&(name, text)| ImportedFile { name: name.to_owned(), text: text.to_owned() }))
    }
}

fn read_files(
    text: &str,
    files: &'static [(&'static str, &'static str)],
) -> Result<Grammar, Error> {
    let options = LarkOptions { file: Some("g.lark"), ..LarkOptions::default() };
    Grammar::from_lark_with_imports(text, &options, &mut Files(files), &Limits::default())
}

#[test]
fn files_are_imported_with_all_that_they_need() {
    const FILES: &[(&str, &str)] = &[
        (
            "a",
            "x: y Z t{Z}\ny: \"y\" | x\nZ: W\nW: \"w\"\n_p: Z\nt{i}: i W\nunused: nowhere\n%ignore Z",
        ),
        ("d/b", "%import .c.C\n%import .c (r, D)\nb: C r D"),
        ("d/c", "C: \"c\"\nr: \"r\"\nD: C C\n%ignore \" \""),
        ("circle", "%import .circle.a\na: \"a\""),
        ("bad", "x: \"a\"\n y: ("),
        ("tokens", "A: \"a\"\n\nB: NIX"),
    ];
    for (text, want) in [
        ("%import .a.x\nstart: x", r#"start x a__y a__t{a__Z} / a__Z "y" a__W"#),
        (
            "%import .a.y -> q\n%import .a._p\nstart: q _p",
            r#"start q _p a__x a__t{a__Z} / "y" a__Z a__W"#,
        ),
        ("%import .d.b (b)\nstart: b\nC: \"mine\"", "start b d__b__r / d__b__C d__b__D \"r\""),
        (
            "%import d.b.b -> n\n%extend n: \"n\"\nstart: n",
            "start n d__b__r / \"n\" d__b__C d__b__D \"r\"",
        ),
    ] {
        let grammar = read_files(text, FILES).unwrap_or_else(|e| panic!("{text:?}: {e}"));
        assert!(grammar.ignore.is_empty());
        let names: Vec<&str> = grammar.rules.iter().map(|r| r.name.as_str()).collect();
        let terminals: Vec<&str> = grammar.terminals.iter().map(|t| t.name.as_str()).collect();
        let found = format!("{} / {}", names.join(" "), terminals.join(" "));
        assert_eq!(found, want, "{text:?}");
    }
    for (text, want) in [
        ("%import .circle.a\nstart: a", "circle, line 1, column 1: circle imports itself"),
        ("%import .bad.x\nstart: x", "bad, line 2, column 6: unexpected end of line"),
        ("%import .tokens.A\nstart: A", "tokens, line 3, column 4: terminal `NIX` is used but"),
        ("%import .a.unused\nstart: unused", "a, line 7, column 9: rule `nowhere` is used but"),
        ("%import .a.x\nstart: x\nx: \"b\"", "g.lark, line 3, column 1: rule `x` is defined twice"),
    ] {
        let found = read_files(text, FILES).unwrap_err().to_string();
        assert!(found.starts_with(want), "{text:?}\n  {found}\n  {want}");
    }
}

#[test]
fn equal_alternatives_are_refused_as_in_lark() {
    // Each verdict is that of lark.Lark(...).
    let terminals = "\nA: /a/\nB: /b/\n_C: /c/\nr: A\n_s: A\n";
    for (rules, refused) in [
        ("start: [A] [A]", true),
        ("start: A? A?", false),
        ("start: [\"a\"] [\"a\"]", false),
        ("!start: [\"a\"] [\"a\"]", true),
        ("start: [_C] [_C]", false),
        ("start: [r] [r]", true),
        ("start: [_s] [_s]", false),
        ("start: [A] B [A]", false),
        ("start: [A] | A", false),
        ("start: [A] | [B]", false),
        ("start: A | A", false),
        ("start: A -> x | A -> x", false),
        ("start: A -> x | A -> y", true),
        ("start: A -> x | [A]", true),
        ("start: B\nunused: [A] [A]", true),
        ("start: ([A] [A])*", true),
        ("start: ([A] | )+", true),
        ("start: [A]*", false),
        ("start: ([A]B)~2", false),
        ("start: [A]~2", true),
        ("start: [A]~60", true),
        ("start: (A?)~60", false),
        ("start: A+ -> x | A* -> y", true),
        ("start: (A|B)* -> x | (B|A)* -> y", false),
        ("start: (A|B)+ -> x | (B|A)+ -> y", false),
        ("start: (A|B)+ -> x | (A|B)+ -> y", true),
        ("start: [A B] [A]", false),
        ("start: [A | B] [A]", true),
        ("start: [[A]]", false),
        ("start: [[A] [B]]", false),
        ("start: x{A}\nx{i}: [i] [B]", false),
    ] {
        let found = read(&format!("{rules}{terminals}"));
        assert_eq!(found.is_err(), refused, "{rules}: {:?}", found.err());
    }
}

#[test]
fn every_terminal_of_the_library_loads() {
    for library in library::NAMES {
        let text = library::text(library).unwrap().into();
        let source = source::Source { file: 0, text, name: None, library: true };
        for statement in parse::parse(&source, &Limits::default()).unwrap() {
            let ast::Statement::Define(_, definition) = statement else { continue };
            if definition.terminal {
                let name = definition.name.text;
                read(&format!("%import {library}.{name}\nstart: A\nA: \"'\" {name}"))
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
}

#[test]
fn errors_have_places() {
    for (text, want) in [
        ("", "1:1 the grammar is empty"),
        ("// nothing", "1:1 the grammar is empty"),
        ("a: \"x\"", "1:1 no rule \"start\""),
        ("start: a b\na: \"x\"", "1:10 rule `b` is used but not defined"),
        ("start: \"x\"\nb: \"é\" ZZ", "2:8 terminal `ZZ` is used but not defined"),
        ("start: A\nA: B\nB: C A", "3:4 terminal `C` is used but not defined"),
        ("start: A\nA: B\nB: \"b\" A", "2:1 terminal `A` is built of itself (A -> B -> A)"),
        ("start: A\nA: start", "2:4 rule `start` in terminal `A`"),
        ("start: \"a\"\n%ignore start", "2:9 rule `start` in terminal `__IGNORE_0`"),
        ("start: \"a\"\n%ignore W", "2:9 terminal `W`"),
        ("start: \"a\"\nstart: \"b\"", "2:1 rule `start` is defined twice: first on line 1"),
        ("start: A\nA: \"a\"\nA: \"b\"", "3:1 terminal `A` is defined twice"),
        ("%import common.WS\nstart: WS\nWS: \"b\"", "3:1 terminal `WS` is defined twice"),
        ("start: A\nA: \"a\"*", "2:1 terminal `A` can match the empty string"),
        ("start: \"b\" /a*/", "1:12 terminal `/a*/` can match the empty string"),
        ("%import common._STRING_INNER\nstart: _STRING_INNER", "1:16 terminal `_STRING_INNER` can"),
        ("start: A\nA:", "2:1 terminal `A` is empty"),
        ("start: aB", "1:8 rule `a` is used but not defined (`aB` is read as two names"),
        ("Start: \"a\"", "1:1 name `Start` mixes cases"),
        ("__a: \"a\"", "1:1 name `__a`"),
        ("start: \"\"", "1:8 an empty string"),
        ("start: \"a", "1:8 this string is not closed"),
        ("start: /a", "1:8 this regex is not closed"),
        ("start: /a\nb: \"c\"/", "1:8 a regex without the flag `x`"),
        ("start: \"a\\xg\"", "1:10 `\\x` needs 2 hexadecimal digits"),
        ("start: /a/l", "1:11 flag `l`"),
        ("start: (\"a\"", "1:12 unexpected end of line: expected `)` to close the `(` of line 1"),
        ("start: (\"a\"\n)", "1:12 unexpected end of line: expected `)`"),
        ("start: \"a\")", "1:11 unexpected `)`: expected `|` or the end of the line"),
        ("start: [\"a\")", "1:12 unexpected `)`: expected `]`"),
        ("start \"a\"", "1:7 unexpected `\"a\"`: expected `:`"),
        ("start:\n  \"a\"", "2:3 unexpected `\"a\"`: expected the name of a rule"),
        ("start: \"a\"??", "1:12 unexpected `?`"),
        ("start: \"a\"?b", "1:11 unexpected `?`"),
        ("start: * \"a\"", "1:8 unexpected `*`: expected a value"),
        ("start: \"a\"~3..1", "1:12 `3..1` is no range"),
        ("start: \"a\"~-1", "1:12 `-1` is no number of repetitions"),
        ("start: \"a\"..\"bc\"", "1:13 expected a single character"),
        ("start: \"a\"i..\"b\"", "1:8 the ends of a range"),
        ("start: \"a\" -> B", "1:15 unexpected `B`: expected a lower-case name"),
        ("start: (\"a\" -> b)", "1:13 only a whole alternative"),
        ("A: \"a\" -> b", "1:8 only a whole alternative"),
        ("_a: \"a\" -> b", "1:9 rule `_a` is inlined"),
        ("?_a: \"a\"", "1:2 rule `_a` is inlined"),
        ("start: @", "1:8 unexpected character '@'"),
        ("start: x{\"a\"}", "1:8 rule `x` is used but not defined"),
        ("start: x{\"a\"}\nx: \"b\"", "1:8 `x` is no template"),
        ("start: x{\"a\", \"b\"}\nx{a}: a", "1:8 template `x` takes 1 arguments, not 2"),
        ("start: x\nx{a}: a", "1:8 template `x` needs its arguments"),
        ("start: x{\"a\"}\nx{a}: a{\"b\"}", "2:7 `a` is no template here"),
        (
            "start: x{y}\nx{a}: a{\"b\", \"c\"}\ny{b}: b",
            "2:7 `a` stands for a template that takes 1",
        ),
        ("start: x{}", "1:10 unexpected `}`: expected an argument"),
        ("start: x{y \"a\"}", "1:12 unexpected `\"a\"`: expected `}`"),
        ("x{a, a}: a", "1:6 the parameter `a` is there twice"),
        ("x{start}: start\nstart: \"a\"", "1:3 the parameter `start` has the name of a rule"),
        ("x{A}: A", "1:3 unexpected `A`: expected a lower-case name, a parameter"),
        ("start{x}: x", "1:1 `start` is a template"),
        ("A{x}: x", "1:2 unexpected `{`: expected `:` (only rules can be templates)"),
        ("start: A\nA: x{\"a\"}\nx{a}: a", "2:4 rule `x` in terminal `A`"),
        ("%override start: \"a\"", "1:11 there is no rule `start` to override"),
        ("%extend start: \"a\"", "1:9 there is no rule `start` to extend"),
        ("start: \"a\"\n%extend start{x}: x", "2:9 template `start` is extended with other"),
        ("%declare A\n%extend A: \"a\"", "2:9 terminal `A` is only declared"),
        ("%override \"a\"", "1:11 unexpected `\"a\"`: expected a rule or a terminal"),
        ("%declare", "1:9 unexpected end of line: expected a name to declare"),
        ("%declare A\nstart: A\nA: \"a\"", "3:1 terminal `A` is defined twice: first on line 1"),
        ("%declare a\nstart: a", "2:8 rule `a` is declared but not defined: %override"),
        ("%declare A\nstart: B\nB: A", "3:1 terminal `B` is built of `A`, which is only declared"),
        ("%import .a.B", "1:10 no file `a.lark` beside g.lark"),
        ("%import a.b.C", "1:9 no grammar `a/b` in Lark's library"),
        ("%import .common.WS\n%import common.INT", "2:1 one path is imported from with"),
        ("%import common.NIX\nstart: NIX", "2:8 terminal `NIX` is used but not defined"),
        (
            "%import common.INT -> A\n%import common.WS -> A",
            "2:16 `INT` and `WS` are both imported as `A`",
        ),
        ("%import common.INT\n%import unicode.WS -> INT", "2:1 the name `INT` is imported twice"),
        ("%import common.INT -> A\n%import common.INT -> B\nstart: A", "3:8 terminal `A` is used"),
        ("%import common.(A)", "1:16 unexpected `(`: expected a name"),
        ("start: [A] [A]\nA: \"a\"", "1:1 rule `start` has the same alternative twice"),
        ("start: \"a\" -> x | \"a\"", "1:1 rule `start` has the same alternative twice"),
        ("%import common.WS -> ws", "1:22 unexpected `ws`: expected an upper-case name"),
        ("%import common", "1:15 unexpected end of line: expected `.`"),
        ("%nix", "1:1 unexpected `%nix`: expected one of %ignore"),
        ("start: \"\u{e9}\" \0", "1:12 NUL byte"),
    ] {
        let found = error(text);
        assert!(found.starts_with(want), "{text:?}\n  {found}\n  {want}");
    }
}

#[test]
fn only_a_raw_nul_is_refused() {
    assert_eq!(
        shape(r"start: /[^\x00-\x1f]/"),
        shape(r"start: /[^\u0000-\x1f]/").replace(r"\u0000", r"\x00")
    );
    for text in [
        r#"start: /\x00/ "\x00" /a\u0000b/"#,
        "start: A\nA: \"\\x00\" /[\\x00]/",
        r#"start: "\x00".."\x1f""#,
    ] {
        read(text).unwrap_or_else(|e| panic!("{text:?}: {e}"));
    }
    for text in ["start: /\0/", "start: \"\0\"", "// \0"] {
        assert!(error(text).contains("NUL byte"), "{text:?}");
    }
}

#[test]
fn errors_of_regexes_point_into_the_literal() {
    for (text, want) in [
        ("start: /ab[c/", "1:11 "),
        ("start: A\nA: \"(\" B /é\\/\\n(?~d)/\nB: \"x\" | /[z-a]/", "3:12 "),
        ("start: A\nA: \"(\" \"x\" /é\\/\\n(?~d)/", "2:18 "),
        ("start: A\nA: /a\n  *(?~c)/x", "3:4 "),
    ] {
        let found = error(text);
        assert!(found.starts_with(want), "{text:?}\n  {found}\n  {want}");
    }
}

#[test]
fn what_is_left_out_is_noted() {
    let remarks = |text: &str| {
        let remarks = read(text).unwrap().check().unwrap();
        remarks.into_iter().map(|r| r.message).collect::<Vec<_>>().join("; ")
    };
    for (text, want) in [
        ("start: \"a\"\nunused: \"b\"", r#"rule "unused" is unused"#),
        ("start: \"a\"\nB: \"b\"", r#"terminal "B" is unused"#),
        (
            "start: \"a\"\nb: c\nc: b B\nB: \"b\"",
            r#"rule "b" is unused; rule "c" is unused; terminal "B" is unused"#,
        ),
        ("start: \"a\" | b\nb: b \"b\"", r#"rule "b" can produce no finite text"#),
        ("start: A\nA: B\nB: \"b\"\nC: \"c\"\n%ignore C", ""),
        ("start: \"a\"\nA: \"a\"", ""),
        ("start: \"a\"\n%import common (WS, NUMBER)\n%import common.INT -> N", ""),
    ] {
        assert_eq!(remarks(text), want, "{text:?}");
    }
}

#[test]
fn an_unused_terminal_may_match_nothing() {
    assert_eq!(shape("start: \"a\"\nB: /x*/\nC: B*"), "start=\"a\"; \"a\":a");
}

#[test]
fn endings_that_lark_lacks_are_refused() {
    let options = LarkOptions { ending: Ending::Free, ..LarkOptions::default() };
    let found = Grammar::from_lark("start: \"a\"", &options, &Limits::default());
    assert!(matches!(found, Err(Error::Grammar(_))));
}

#[test]
fn limits_hold() {
    let limit = |text: &str, limits: &Limits| match read_with(text, limits) {
        Err(Error::TooComplex { name, .. }) => name,
        other => panic!("{:?}", other.map(|g| g.rules.len())),
    };
    let default = Limits::default();
    assert_eq!(limit(&format!("start: {}", "(".repeat(60_000)), &default), "source_nesting");
    assert_eq!(limit(&format!("start: A\nA: {}", "[".repeat(60_000)), &default), "source_nesting");
    assert_eq!(limit(&" ".repeat(10_000_001), &default), "source_bytes");
    assert_eq!(limit("start: a\na: \"b\"", &Limits { rules: 1, ..default.clone() }), "rules");
    assert_eq!(limit(&"a:\n".repeat(3_333_333), &default), "rules");
    // References nest and multiply as well.
    let chain = |body: &dyn Fn(usize) -> String, n: usize| {
        let lines = (1..n).map(|i| format!("A{i}: {}\n", body(i - 1)));
        format!("start: A{}\nA0: \"a\"\n{}", n - 1, lines.collect::<String>())
    };
    assert_eq!(limit(&chain(&|i| format!("A{i} A{i}"), 100), &default), "source_bytes");
    assert_eq!(limit(&chain(&|i| format!("A{i} \"b\""), 50_000), &default), "source_nesting");
    assert_eq!(limit(&chain(&|i| format!("/x/ | A{i} A{i}"), 100), &default), "source_bytes");
    assert!(read(&chain(&|i| format!("A{i}"), 50_000)).is_ok());
}

#[test]
fn a_large_text_is_read_quickly() {
    let choices: String = (0..300_000).map(|i| format!(" | \"choice {i}\"\n")).collect();
    let grammar = read(&format!("start: \"x\"\n{choices}")).unwrap();
    assert_eq!(grammar.terminals.len(), 300_001);
    assert!(read(&"x".repeat(9_999_999)).is_err());
    assert!(read(&"\n".repeat(9_999_999)).is_err());
    assert!(read(&"start: (".repeat(1_000_000)).is_err());
    assert!(error(&"aB".repeat(1_000_000)).len() < 2_000);
    let ignored: String = (0..200_000).map(|i| format!("%ignore \"{i}\"\n")).collect();
    assert_eq!(read(&format!("start: \"x\"\n{ignored}")).unwrap().ignore.len(), 200_000);
}
