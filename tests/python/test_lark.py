"""Lark grammars through Python: files, imports, `lark.Lark` objects, and what errors say."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lark
import pytest
from lark.indenter import PythonIndenter

from languages import accepts
from stackmask import Grammar, GrammarCompiler, GrammarError, GrammarMatcher, GrammarSyntaxError

MatcherOf = Callable[[Grammar], GrammarMatcher]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A grammar with parts in other files, one of them in a folder of its own."""
    (tmp_path / "main.lark").write_text("%import .parts.list.items\nstart: items\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "list.lark").write_bytes(
        b'%import .numbers.INT -> N\r\n%import shared.MARK\r\nitems: N (MARK N)*\r\n  | "-"\r\n'
    )
    (tmp_path / "parts" / "numbers.lark").write_text("INT: /[0-9]+/\n%ignore INT\n")
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "shared.lark").write_text('MARK: ";"\n')
    return tmp_path


def test_files_import_from_beside_and_from_the_import_paths(
    folder: Path, matcher_of: MatcherOf
) -> None:
    grammar = Grammar.from_lark_file(folder / "main.lark", import_paths=[folder / "library"])
    matcher = matcher_of(grammar)
    assert accepts(matcher, b"1;23")
    assert accepts(matcher, b"-")
    assert not accepts(matcher, b"1,2")
    with pytest.raises(GrammarSyntaxError, match="no grammar `shared` in Lark's library") as caught:
        Grammar.from_lark_file(folder / "main.lark")
    assert caught.value.file == str(folder / "parts" / "list.lark")
    assert (caught.value.line, caught.value.column) == (2, 9)


def test_a_text_imports_from_the_import_paths(folder: Path, matcher_of: MatcherOf) -> None:
    text = "%import .numbers.INT\nstart: INT"
    matcher = matcher_of(Grammar.from_lark(text, import_paths=[str(folder / "parts")]))
    assert accepts(matcher, b"12")
    with pytest.raises(GrammarSyntaxError, match="the grammar is no file itself") as caught:
        Grammar.from_lark(text)
    assert (caught.value.line, caught.value.column) == (1, 10)


def test_imported_files_are_read_as_files_are(folder: Path) -> None:
    (folder / "bad.lark").write_bytes(b'a: "\xff"\n')
    with pytest.raises(GrammarSyntaxError, match="not UTF-8: byte 0xff") as caught:
        Grammar.from_lark("%import .bad.a\nstart: a", import_paths=[folder])
    assert caught.value.file == str(folder / "bad.lark")
    (folder / "self.lark").write_text("%import .self.a\na: a")
    with pytest.raises(GrammarSyntaxError, match="imports itself"):
        Grammar.from_lark_file(folder / "self.lark", "a")


def test_errors_show_file_line_and_caret(folder: Path) -> None:
    path = folder / "parts" / "numbers.lark"
    path.write_text("INT: DIGIT+\n")
    with pytest.raises(GrammarSyntaxError) as caught:
        Grammar.from_lark("%import .numbers.INT\nstart: INT", import_paths=[folder / "parts"])
    assert str(caught.value) == (
        f"{path}, line 1, column 6: terminal `DIGIT` is used but not defined "
        "(`%import common.DIGIT` defines it)\n    INT: DIGIT+\n         ^"
    )


TEXT = 'start: A "," b\nb: A\nA: /[a-z]+/\n%ignore " "'


@pytest.mark.parametrize("lexer", ["dynamic", "dynamic_complete"])
def test_a_lark_object_is_its_grammar(lexer: Any) -> None:
    parser = lark.Lark(TEXT, parser="earley", lexer=lexer, ambiguity="explicit", priority="invert")
    assert Grammar.from_lark(parser) == Grammar.from_lark(TEXT, lexer=lexer)


def test_a_lark_object_has_starts_of_its_own() -> None:
    assert Grammar.from_lark(lark.Lark(TEXT, start="b")) == Grammar.from_lark(TEXT, "b")
    parser = lark.Lark(TEXT, start=["start", "b"])
    assert Grammar.from_lark(parser, "b") == Grammar.from_lark(TEXT, "b")
    with pytest.raises(GrammarError, match=r"choose one of \['start', 'b'\]"):
        Grammar.from_lark(parser)
    with pytest.raises(GrammarError, match="not at 'c'"):
        Grammar.from_lark(parser, "c")


def test_a_lark_object_imports_as_it_did(folder: Path, matcher_of: MatcherOf) -> None:
    paths = [str(folder / "library")]
    parser = lark.Lark.open(str(folder / "main.lark"), import_paths=paths)
    assert accepts(matcher_of(Grammar.from_lark(parser)), b"1;2")


@pytest.mark.parametrize(
    ("flags", "accepted", "refused"),
    [
        (re.I, ["AB,a", "ab,A"], ["a1,a"]),
        (re.I | re.X | re.S, ["aB,a"], ["1"]),
        (0, ["ab,a"], ["AB,a"]),
    ],
)
def test_flags_of_a_lark_object_hold_for_all_terminals(
    flags: int, accepted: list[str], refused: list[str], matcher_of: MatcherOf
) -> None:
    parser = lark.Lark(TEXT.replace('","', '("," | "x")'), g_regex_flags=flags)
    matcher = matcher_of(Grammar.from_lark(parser))
    for text in accepted + refused:
        assert accepts(matcher, text.encode()) == (text in accepted), text
        try:
            parser.parse(text)
        except lark.exceptions.UnexpectedInput:
            assert text in refused
        else:
            assert text in accepted


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parser": "lalr"}, "parser='lalr'"),
        ({"parser": "cyk"}, "parser='cyk'"),
        ({"parser": "earley", "lexer": "basic"}, "lexer='basic'"),
        ({"parser": "lalr", "postlex": PythonIndenter()}, "parser='lalr'"),
        ({"parser": "earley", "postlex": PythonIndenter()}, "lexer='basic'"),
        ({"edit_terminals": lambda terminal: None}, "edit_terminals="),
        ({"use_bytes": True}, "use_bytes=True"),
        ({"g_regex_flags": re.I | 1 << 12}, "g_regex_flags=4098"),
        ({"import_paths": [lambda base, path: None]}, "import paths must be folders"),
    ],
)
def test_options_that_are_not_enforced_are_named(options: dict[str, Any], message: str) -> None:
    parser = lark.Lark(TEXT, **options)
    with pytest.raises(GrammarError, match=message):
        Grammar.from_lark(parser)


def test_regexes_of_the_module_regex(byte_compiler: GrammarCompiler) -> None:
    parser = lark.Lark(r"start: /\p{Lu}\p{Ll}*/", regex=True)
    matcher = byte_compiler.compile(Grammar.from_lark(parser)).matcher()
    for text in ("Ä", "Äb", "äb", "A1"):
        assert accepts(matcher, text.encode()) == (text[0].isupper() and not text[-1].isdigit())
    with pytest.raises(GrammarError, match="terminal __ANON_0: fuzzy"):
        Grammar.from_lark(lark.Lark("start: /(?:ab){e<=1}/", regex=True))


def test_options_are_given_once() -> None:
    parser = lark.Lark(TEXT)
    with pytest.raises(TypeError, match="those of the lark.Lark object"):
        Grammar.from_lark(parser, lexer="dynamic")
    with pytest.raises(TypeError, match="must be a str or a lark.Lark, not int"):
        Grammar.from_lark(3)  # type: ignore[arg-type]


def test_what_nothing_supplies_never_matches(byte_compiler: GrammarCompiler) -> None:
    grammar = Grammar.from_lark('%declare X\nstart: "a" X | "b"')
    compiled = byte_compiler.compile(grammar)
    assert any("declared, and nothing supplies it" in each.message for each in compiled.warnings)
    matcher = compiled.matcher()
    assert accepts(matcher, b"b")
    assert matcher.accept_bytes(b"a") == 0


def test_a_grammar_whose_terminals_leave_nothing_to_follow_is_refused(
    byte_compiler: GrammarCompiler,
) -> None:
    # The dot takes the digits, whatever they are; Lark loads this and accepts nothing.
    grammar = Grammar.from_lark("start: A /[0-9]+/\nA: /.+/")
    with pytest.raises(GrammarError, match='rule "start".*can produce no finite text'):
        byte_compiler.compile(grammar)
