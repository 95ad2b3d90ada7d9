"""The cases of `tests/suite`, through the Python package, over single bytes."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from languages import accepts
from lark_oracle import LEXERS
from stackmask import Grammar, GrammarMatcher

SUITE = ROOT / "tests" / "suite"
GRAMMARS = sorted((ROOT / "grammars").glob("*.lark"))
KINDS = ("lark", "lark_text", "json", "regex", "gbnf", "choices")


def cases() -> Iterator[Any]:
    """A file is one case, whose grammar is a table of its own, or a list of cases.

    Without a lexer, a Lark grammar that is written out means the same under both.
    """
    for path in sorted(set(SUITE.rglob("*.toml")) - set(SUITE.glob("json_schema/*.toml"))):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        for case in content.get("case", [content]):
            name = f"{path.relative_to(SUITE)}:{case.get('name', '')}"
            source = case.get("grammar", case)
            both = "lark_text" in source and "lexer" not in source
            for given in [{**source, "lexer": lexer} for lexer in LEXERS] if both else [source]:
                lexer = given.get("lexer", "")
                yield pytest.param(given, case["accepts"], case["rejects"], id=f"{name}:{lexer}")


def grammar_of(source: dict[str, Any]) -> Grammar:
    options = {key: source[key] for key in ("start", "lexer") if key in source}
    match next((kind, source[kind]) for kind in KINDS if kind in source):
        case "lark", path:
            return Grammar.from_lark_file(ROOT / path, **options)
        case "lark_text", text:
            return Grammar.from_lark(text, **options)
        case "json", whitespace:
            return Grammar.json(whitespace=whitespace)
        case "gbnf", text:
            return Grammar.from_gbnf(text)
        case "regex", pattern:
            return Grammar.from_regex(pattern)
        case _, choices:
            return Grammar.from_choices(choices)


@pytest.mark.parametrize(("source", "accepted", "refused"), list(cases()))
def test_case(
    source: dict[str, Any],
    accepted: list[str],
    refused: list[str],
    matcher_of: Callable[[Grammar], GrammarMatcher],
) -> None:
    matcher = matcher_of(grammar_of(source))
    wrong = [text for text in accepted if not accepts(matcher, text.encode())]
    wrong += [text for text in refused if accepts(matcher, text.encode())]
    assert wrong == []


def test_the_verdicts_are_those_of_what_defines_the_languages() -> None:
    """Of `lark`, `re` and `json`; nothing in Python defines GBNF."""
    files = set(SUITE.rglob("*.toml")) - set(SUITE.glob("json_schema/*.toml"))
    command = [sys.executable, SUITE / "verify.py", *sorted(files - {SUITE / "gbnf.toml"})]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" verdicts, 0 differ\n")


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_shipped_grammars_say_what_they_accept_and_have_cases(path: Path) -> None:
    header = re.match(r"(?://.*\n)+", path.read_text(encoding="utf-8"))
    assert header is not None
    assert "\n// Accepts: " in header[0]
    case = tomllib.loads((SUITE / "grammars" / f"{path.stem}.toml").read_text(encoding="utf-8"))
    assert len(case["accepts"]) >= 10
    assert len(case["rejects"]) >= 10
