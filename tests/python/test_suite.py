"""The cases of `tests/suite`, through the Python package, over single bytes."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from languages import accepts
from stackmask import Grammar, GrammarMatcher

SUITE = sorted((ROOT / "tests" / "suite").rglob("*.toml"))


def grammar_of(source: dict[str, Any]) -> Grammar:
    match source:
        case {"lark": path, **options}:
            return Grammar.from_lark_file(ROOT / path, **options)
        case {"lark_text": text, **options}:
            return Grammar.from_lark(text, **options)
        case {"json": whitespace}:
            return Grammar.json(whitespace=whitespace)
        case {"regex": pattern}:
            return Grammar.from_regex(pattern)
        case {"choices": choices}:
            return Grammar.from_choices(choices)
    raise ValueError(f"unknown grammar source {source}")


@pytest.mark.parametrize(
    "path", SUITE, ids=lambda path: str(path.relative_to(ROOT / "tests/suite"))
)
def test_file(path: Path, matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    matcher = matcher_of(grammar_of(content["grammar"]))
    refused = [text for text in content["accepts"] if not accepts(matcher, text.encode())]
    accepted = [text for text in content["rejects"] if accepts(matcher, text.encode())]
    assert (refused, accepted) == ([], [])
