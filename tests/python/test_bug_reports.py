"""The cases of public bug reports that are a grammar with texts, where the corpora are present.

Those with a schema are in `json_schema/test_reports.py`, the others in `tests/rust/bugcases.rs`.
"""

import json
from typing import Any

import pytest

from conftest import CORPORA
from languages import accepts
from stackmask import Grammar, GrammarCompiler, GrammarError

FILE = CORPORA / "bugcases.jsonl"
LOADERS = {
    "gbnf": Grammar.from_gbnf,
    "json": lambda _: Grammar.json(whitespace="any"),
    "lark": Grammar.from_lark,
    "regex": Grammar.from_regex,
}


def cases() -> list[dict[str, Any]]:
    if not FILE.is_file():
        return []
    reports = map(json.loads, FILE.read_text(encoding="utf-8").strip().split("\n"))
    return [report for report in reports if report["grammar_type"] in LOADERS]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_bug_reports_are_no_bugs_here(case: dict[str, Any], byte_compiler: GrammarCompiler) -> None:
    load = LOADERS[case["grammar_type"]]
    if "[must-compile-error]" in case["notes"]:
        with pytest.raises(GrammarError):
            byte_compiler.compile(load(case["grammar"]))
        return
    matcher = byte_compiler.compile(load(case["grammar"])).matcher()
    wrong = [text for text in case["accept"] if not accepts(matcher, text.encode())]
    wrong += [text for text in case["reject"] if accepts(matcher, text.encode())]
    assert wrong == []
