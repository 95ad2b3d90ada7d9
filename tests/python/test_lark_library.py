"""The grammars of Lark's library: terminals and rules have the languages of the installed ones."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import lark
import pytest

from languages import accepts, allowed
from lark_oracle import LEXERS, Lexer
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarMatcher,
)

FOLDER = Path(lark.__file__).parent / "grammars"
TERMINALS = [
    (path.stem, name)
    for path in sorted(FOLDER.glob("*.lark"))
    for name in re.findall(r"^(_?[A-Z][A-Z0-9_]*)(?:\.\d+)? *:", path.read_text(), re.M)
]
PIECES = [*"aAzZ_09.+-\"'\\ \t\n\r\f/*#eExXoObBjJufr!?%|,:{}é٣", "//", '"""', "'''", "0x", "\xa0"]


def regex_of(library: str, name: str) -> re.Pattern[str]:
    """What Lark matches for a quote and the terminal; the quote lets the terminal be empty."""
    parser = lark.Lark(source(library, name), parser="earley")
    [terminal] = parser.terminals
    return re.compile(terminal.pattern.to_regexp())


def source(library: str, name: str) -> str:
    return f'%import {library}.{name} -> T\nstart: Q\nQ: "\'" T'


def texts(random: Random, matcher: GrammarMatcher) -> list[str]:
    found = []
    for _ in range(150):
        matcher.reset()
        taken = b""
        for _ in range(random.randint(1, 8)):
            choices = [token for token in allowed(matcher) if token < 128]
            pieces = [ord(piece) for piece in PIECES if len(piece) == 1 and ord(piece) in choices]
            choices = pieces if pieces and random.random() < 0.8 else choices
            if not choices:
                break
            taken += bytes([random.choice(choices)])
            matcher.accept_bytes(taken[-1:])
        text = (taken + matcher.shortest_completion()).decode()
        at = random.randrange(len(text) + 1)
        found += [text, text + random.choice(PIECES), text[:at] + random.choice(PIECES) + text[at:]]
        found.append("'" + "".join(random.choices(PIECES, k=random.randint(0, 8))))
    return found


def test_the_library_has_terminals() -> None:
    assert {library for library, _ in TERMINALS} == {"common", "lark", "python", "unicode"}
    assert len(TERMINALS) > 50


@pytest.mark.parametrize("lexer", LEXERS)
@pytest.mark.parametrize(("library", "name"), TERMINALS)
def test_terminals_end_where_those_of_lark_end(
    library: str, name: str, lexer: Lexer, matcher_of: Callable[[Grammar], GrammarMatcher]
) -> None:
    regex = regex_of(library, name)
    matcher = matcher_of(Grammar.from_lark(source(library, name), lexer=lexer))
    random = Random(f"{library}.{name}")
    good = 0
    for text in texts(random, matcher):
        match = regex.match(text)
        whole = match is not None and match.end() == len(text)
        assert accepts(matcher, text.encode()) == whole, (text, regex.pattern)
        good += whole
    assert good >= 50


STATEMENTS = """\
a = b
a, *b = c = yield d
x: int = 1
x += yield
del a, b
pass
break
return
return a, b,
raise E from f
global a, b
assert a, b
import a.b as c, d
from .. import a
from ...a.b import (c as d, e,)
from . import *
print(*a, **b)
f(a, b=c, *d, e, **f, g=h)
f(x for x in y if z)
a if b else c
lambda: 0
lambda a, b=1, *c, d, **e: a
lambda *, a: a
not a and b or c
a < b <= c is not d not in e
a | b ^ c & d << e + f * g // -h ** ~i
await f[1:2, ::3, :]
x.y[a](b)
[]
[a, *b, c,]
[a async for b, c in d]
{}
{a: b, **c}
{a, b}
{a: b for c in d}
(a, b)
(a,)
((yield a))
(a := b)
... is None
"a" 'b' r"c" 1 0x1f 0b1 0o7 1.5e3 2j
"""
RULES = """\
start: a
a: b | "c" -> d
?x.2: (y Z)~2..3 [w]*
!t{p, q}: p q{p, "r"} | /s/i
A.1: "a".."z" | B+
%import common.WS
%import .a.b (C, d)
%import x.Y -> Z
%ignore /\\s+/
%declare E f
%override g: h
// comment
i: "j" // k
 | l
"""


@pytest.mark.parametrize(
    ("library", "start", "lines"),
    [
        ("python", "simple_stmt", STATEMENTS),
        ("python", "arguments", "a, *b, **c\na for b in c\n*a, *b, c=d\na=b,\n**a, b=c\n"),
        ("python", "pattern", "a | 1 as b\n{'a': b, **c}\n(a, *b), [c]\nA.b(c, d=_)\nNone,\n"),
        ("python", "parameters", "a, b=1, /, c: d, *e, f, **g\n*, a\n**k,\n*a: b, c=d\n"),
        ("lark", "start", RULES),
    ],
)
def test_rules_agree_with_those_of_lark(
    library: str, start: str, lines: str, byte_compiler: GrammarCompiler
) -> None:
    grammar = f"%import {library}.{start}\n%ignore / +/"
    if library == "lark":
        grammar += "\n%import lark.COMMENT\n%ignore COMMENT"
    if start == "simple_stmt":
        lines = lines.replace("\n", "\n\0")
    given = [line for line in re.split("\0|\n" if "\0" not in lines else "\0", lines) if line]
    if library == "lark":
        given += [lines, "".join(lines.splitlines(keepends=True)[:3])]
    parser = lark.Lark(grammar, parser="earley", start=start, ambiguity="forest")
    matcher = byte_compiler.compile(Grammar.from_lark(grammar, start)).matcher()
    random = Random(start)
    for text in list(given):
        pieces = re.findall(r"\w+|\s+|.", text)
        for _ in range(3):
            edited = pieces[:]
            edited[random.randrange(len(edited))] = random.choice(["", *pieces])
            given.append("".join(edited))
    good = 0
    for text in given:
        try:
            parser.parse(text)
        except lark.exceptions.UnexpectedInput:
            verdict = False
        else:
            verdict = True
        assert accepts(matcher, text.encode()) == verdict, text
        good += verdict
    assert good > len(given) // 5
