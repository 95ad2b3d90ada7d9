"""The cases of `tests/suite`, through the Python package, over single bytes."""

import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conftest import ROOT
from languages import accepts
from stackmask import Grammar, GrammarMatcher

SUITE = ROOT / "tests" / "suite"
KINDS = ("lark", "lark_text", "json", "regex", "gbnf", "choices")


def cases() -> Iterator[Any]:
    """A file is one case, whose grammar is a table of its own, or a list of cases."""
    for path in sorted(set(SUITE.rglob("*.toml")) - set(SUITE.glob("json_schema/*.toml"))):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        for case in content.get("case", [content]):
            name = f"{path.relative_to(SUITE)}:{case.get('name', '')}"
            yield pytest.param(case.get("grammar", case), case["accepts"], case["rejects"], id=name)


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
