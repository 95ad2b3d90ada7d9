"""Indentation: `lark` with LALR and an `Indenter` is the oracle, where lexing leaves no choice."""

import itertools
import json
import re
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import lark
import pytest
from lark.indenter import Indenter, PythonIndenter

from conftest import CORPORA
from languages import accepts, allowed
from seeds import seed
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarError,
    GrammarMatcher,
    GrammarSyntaxError,
)

PYTHON = Path(lark.__file__).parent / "grammars" / "python.lark"


class Indents(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = ["LPAR"]
    CLOSE_PAREN_types: ClassVar[list[str]] = ["RPAR"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 2


TOKENS = r"""
%declare _INDENT _DEDENT
_NL: /(\r?\n[ \t]*)+/
%ignore " "
"""
GRAMMARS = {
    "trees": 'start: _NL? t+\nt: "a" ["(" "a"* ")"] _NL [_INDENT t+ _DEDENT]\n' + TOKENS,
    # The newline, the indent and what follows are in rules of their own.
    "apart": "start: t t*\nt: h b?\nh: /a/ e\ne: _NL\nb: _INDENT t r _DEDENT\nr: t r |\n" + TOKENS,
    # Left recursion, and blocks that end with the text.
    "left": 'start: s ["b"]\ns: s i | i\ni: "a" _NL [_INDENT s ["b" [_NL]] _DEDENT]\n' + TOKENS,
    # One line a newline, and no tabs.
    "lines": 'start: t+\nt: "a" (_NL | _NL _INDENT t+ _DEDENT)\n'
    + TOKENS.replace(r"/(\r?\n[ \t]*)+/", r"/\n */"),
    "brackets": 'start: (x _NL)+\nx: "a" | "(" x ["a"] ")"\n' + TOKENS,
}
ALPHABET = "ab \n\t()"


def verdict(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except (lark.exceptions.LarkError, AssertionError, IndexError):
        return False
    return True


def parser_of(grammar: str) -> lark.Lark:
    return lark.Lark(grammar, parser="lalr", postlex=Indents())


def texts(random: Random, count: int) -> list[str]:
    """Lines with random indentation, most of them at columns that were there before."""
    found = []
    for _ in range(count):
        columns = [0]
        text = ""
        for _ in range(random.randint(1, 7)):
            column = random.choice([*columns, columns[-1], columns[-1] + random.randint(1, 3)])
            columns.append(column)
            tabs = random.randint(0, column // 2) if random.random() < 0.3 else 0
            line = random.choice(["a", "a", "a", "b", "a(a)", "a(\n a)", "(a)", ""])
            text += "\t" * tabs + " " * (column - 2 * tabs) + line
            text += random.choice(["\n", "\n", "\n", "\n\n", " \n", ""])
        found.append(text)
    return found


@pytest.mark.parametrize("name", GRAMMARS)
def test_short_texts_and_random_lines_agree_with_lark(
    name: str, byte_compiler: GrammarCompiler
) -> None:
    grammar = GRAMMARS[name]
    parser = parser_of(grammar)
    matcher = byte_compiler.compile(Grammar.from_lark(grammar, indenter=Indents)).matcher()
    letters = [each for each in ALPHABET if each in " \n\t" or f'"{each}"' in grammar]
    short = ["".join(each) for n in range(6) for each in itertools.product(letters, repeat=n)]
    good = 0
    for text in short + texts(Random(f"{name} {seed()}"), 500):
        expected = verdict(parser, text)
        assert accepts(matcher, text.encode()) == expected, (text, expected)
        good += expected
    assert good > 20


@pytest.mark.parametrize("name", GRAMMARS)
def test_masks_are_exact(name: str, byte_compiler: GrammarCompiler) -> None:
    """All that is allowed can be completed to what `lark` accepts, and nothing else can go on."""
    grammar = GRAMMARS[name]
    parser = parser_of(grammar)
    matcher = byte_compiler.compile(Grammar.from_lark(grammar, indenter=Indents)).matcher()
    random = Random(f"{name} {seed()}")
    known = [text for text in texts(random, 400) if verdict(parser, text)]
    assert known
    for text in random.sample(known, min(len(known), 25)):
        assert check_along(matcher, parser, text.encode()) == len(text)


def check_along(matcher: GrammarMatcher, parser: lark.Lark, text: bytes) -> int:
    matcher.reset()
    for at in range(len(text) + 1):
        here = allowed(matcher)
        for token in here:
            fork = matcher.fork()
            assert fork.accept_token(token)
            if fork.is_terminated():
                assert verdict(parser, text[:at].decode())
                continue
            end = bytes([*text[:at], token]) + fork.shortest_completion()
            assert verdict(parser, end.decode()), end
        for token in set(ALPHABET.encode()) - set(here):
            assert matcher.fork().accept_bytes(bytes([token])) == 0
        if at < len(text):
            assert text[at] in here, text[: at + 1]
            matcher.accept_token(text[at])
    matcher.rollback(len(text))
    return matcher.accept_bytes(text)


def test_rollback_and_forks_keep_the_columns(byte_compiler: GrammarCompiler) -> None:
    grammar = Grammar.from_lark(GRAMMARS["trees"], indenter=Indents())
    matcher = byte_compiler.compile(grammar).matcher()
    for byte in b"a\n  a\n   a\n":
        assert matcher.accept_token(byte)
    fork = matcher.fork()
    assert fork.accept_bytes(b" a") == 1
    assert matcher.accept_bytes(b"  a") == 3
    matcher.rollback(1)
    matcher.rollback(2)
    assert matcher.accept_bytes(b"   a\n  a") == 8
    assert allowed(matcher) == sorted(b" \n\r(")


@pytest.mark.parametrize("lexer", ["dynamic", "dynamic_complete"])
def test_a_newline_is_taken_whole(lexer: Any, byte_compiler: GrammarCompiler) -> None:
    # Else the blanks at a line's start could be taken for ignored ones.
    grammar = Grammar.from_lark(GRAMMARS["lines"], indenter=Indents, lexer=lexer)
    matcher = byte_compiler.compile(grammar).matcher()
    assert accepts(matcher, b"a\n  a\na\n")
    assert not accepts(matcher, b"a\n  a\n a\n")


class Attributes:
    """An object with an indenter's attributes, without `lark`."""

    NL_type = "_NL"
    OPEN_PAREN_types = ("LPAR",)
    CLOSE_PAREN_types = ("RPAR",)
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 2


class Other(Indents):
    def handle_NL(self, token: lark.Token) -> Any:
        yield token


def test_what_an_indenter_is() -> None:
    grammar = GRAMMARS["trees"]
    made = [
        Grammar.from_lark(grammar, indenter=each) for each in (Indents, Indents(), Attributes())
    ]
    assert made[0] == made[1] == made[2] != Grammar.from_lark(grammar)
    assert Grammar.from_bytes(made[0].to_bytes()) == made[0]
    with pytest.raises(GrammarError, match=r"handle_NL\(\) of its own"):
        Grammar.from_lark(grammar, indenter=Other)
    with pytest.raises(AttributeError):
        Grammar.from_lark(grammar, indenter=object())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ('start: "a"', "terminal `_NL`, the newline of the indenter, is not in the grammar"),
        ('start: "a" _NL\n_NL: /\\n */', "%declare _INDENT"),
        ('start: "a" _NL\n_NL: /\\n */\n%declare _INDENT\n_DEDENT: "x"', "reads nothing"),
        ("start: b _DEDENT\nb: _NL _INDENT" + TOKENS, "rule `start` ends a block"),
        ("start: _NL _INDENT b\nb: _DEDENT" + TOKENS, "rule `start` begins a block"),
        ("start: (_NL _INDENT)+ _DEDENT" + TOKENS, "repeats what leaves"),
        ('start: (_NL _INDENT | "a") _DEDENT' + TOKENS, "alternatives"),
        ('start: b ")"\nb: "(" _NL' + TOKENS, "rule `start` closes a bracket"),
        ('start: "a" ")"' + TOKENS, "closes a bracket"),
    ],
)
def test_what_cannot_be_enforced_is_refused(grammar: str, message: str) -> None:
    with pytest.raises(GrammarError, match=re.escape(message)):
        Grammar.from_lark(grammar, indenter=Indents)


@pytest.mark.parametrize("newline", [r"/\n/", r"/\n {0,3}/", r"/\n *x/", r"/\n *?/"])
def test_newlines_must_reach_each_column(newline: str, byte_compiler: GrammarCompiler) -> None:
    grammar = GRAMMARS["lines"].replace(r"/\n */", newline)
    with pytest.raises(GrammarError, match="any number of spaces or tabs"):
        byte_compiler.compile(Grammar.from_lark(grammar, indenter=Indents))


PROGRAM = '''\
import os

class A(B):
    """doc"""
    x = {
  1: 2}

    def f(self, a, b=2):
        # comment
        if a:
            return [a,
  b]
        elif b == "x":
            pass
        else:
            for i in range(3):
                yield i
    @property
    def g(self): return 1
while True:
\tbreak
'''


def test_python(byte_compiler: GrammarCompiler) -> None:
    grammar = Grammar.from_lark_file(PYTHON, "file_input", indenter=PythonIndenter)
    matcher = byte_compiler.compile(grammar).matcher()
    parser = lark.Lark.open(
        str(PYTHON), parser="lalr", start="file_input", postlex=PythonIndenter()
    )
    lines = PROGRAM.splitlines(keepends=True)
    given = [PROGRAM]
    for at in range(len(lines)):
        for edited in (" " + lines[at], lines[at].removeprefix(" "), "    " + lines[at], ""):
            given.append("".join([*lines[:at], edited, *lines[at + 1 :]]))
    good = 0
    for text in given:
        expected = verdict(parser, text)
        assert accepts(matcher, text.encode()) == expected, text
        good += expected
    assert 10 < good < len(given) - 10


GRAMMARS_OF_OTHERS = CORPORA / "grammars"
GDSCRIPT_BLOCK = "func f(a, b = 1):\n\tpass\n"


class VyperIndenter(PythonIndenter):
    NL_type = "_NEWLINE"
    tab_len = 8


class GDScriptIndenter(PythonIndenter):
    NL_type = "_NL"
    tab_len = 4


class GDScriptIndenterOfItsOwn(GDScriptIndenter):
    """Dedents come before their newline, as the grammar's rules want them."""

    def handle_NL(self, token: lark.Token) -> Any:
        made = list(super().handle_NL(token))
        yield from [*made[1:], made[0]] if made[-1].type == self.DEDENT_type else made


@pytest.mark.skipif(not GRAMMARS_OF_OTHERS.is_dir(), reason="needs the corpora")
@pytest.mark.parametrize(
    ("name", "start", "indenter", "otherwise"),
    [
        # Text that LALR's lexer takes for one name is a keyword and a name under `dynamic`.
        ("vyper", "module", VyperIndenter, ["importa\n"]),
        # The one text with a block: it needs the indenter that is refused below.
        ("gdscript", "start", GDScriptIndenter, [GDSCRIPT_BLOCK]),
    ],
)
def test_real_grammars_agree_with_lalr(
    name: str,
    start: str,
    indenter: type[Indenter],
    otherwise: list[str],
    byte_compiler: GrammarCompiler,
) -> None:
    path = GRAMMARS_OF_OTHERS / "lark" / f"{name}.lark"
    grammar = Grammar.from_lark_file(path, start, indenter=indenter)
    matcher = byte_compiler.compile(grammar).matcher()
    with (GRAMMARS_OF_OTHERS / "cases.jsonl").open(encoding="utf-8") as file:
        cases = [case for case in map(json.loads, file) if case["grammar"] == f"lark/{name}.lark"]
    wrong = [
        case["input"]
        for case in cases
        if case["postlex"] and accepts(matcher, case["input"].encode()) != case["lalr"]
    ]
    assert len(cases) > 10
    assert wrong == otherwise


@pytest.mark.skipif(not GRAMMARS_OF_OTHERS.is_dir(), reason="needs the corpora")
def test_a_real_indenter_with_code_of_its_own_is_refused() -> None:
    path = GRAMMARS_OF_OTHERS / "lark" / "gdscript.lark"
    for indenter, expected in ((GDScriptIndenter, False), (GDScriptIndenterOfItsOwn, True)):
        parser = lark.Lark.open(str(path), parser="lalr", postlex=indenter(), regex=True)
        assert verdict(parser, GDSCRIPT_BLOCK) == expected
    with pytest.raises(GrammarError, match=r"handle_NL\(\) of its own"):
        Grammar.from_lark_file(path, indenter=GDScriptIndenterOfItsOwn)


def test_a_declared_terminal_without_an_indenter_never_matches(
    byte_compiler: GrammarCompiler,
) -> None:
    compiled = byte_compiler.compile(Grammar.from_lark(GRAMMARS["trees"]))
    assert any("_INDENT" in each.message for each in compiled.warnings)
    indented = byte_compiler.compile(Grammar.from_lark(GRAMMARS["trees"], indenter=Indents))
    assert not any("_INDENT" in each.message for each in indented.warnings)
    with pytest.raises(GrammarSyntaxError, match="indenter"):
        Grammar.from_lark('start: "a"', indenter=Indents)
