"""Real Lark grammars, where the corpora are present."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import CORPORA
from languages import accepts
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarSyntaxError,
)

# Back-references or recursion in their regexes, which no finite automaton can follow.
IRREGULAR = {"luark", "hcl2", "hcl2_gcloud", "synapse_storm"}


def lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


GRAMMARS = CORPORA / "grammars"
MANIFEST = [
    entry
    for entry in lines(GRAMMARS / "manifest.jsonl")
    if entry["dialect"] == "lark" and entry.get("starts")
]
BROKEN = sorted((GRAMMARS / "lark-broken").glob("*.lark"))
CASES: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
for case in lines(GRAMMARS / "cases.jsonl"):
    if case["grammar"].startswith("lark/"):
        CASES[case["grammar"], case["start"]].append(case)


def load(file: str, start: str, lexer: str) -> Grammar:
    return Grammar.from_lark_file(GRAMMARS / file, start, lexer=lexer)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "start"),
    [(entry["file"], start) for entry in MANIFEST for start in entry["starts"]],
)
def test_real_grammars_load_or_say_where_they_are_irregular(file: str, start: str) -> None:
    name = Path(file).stem
    if name not in IRREGULAR:
        load(file, start, "dynamic")
        return
    with pytest.raises(GrammarSyntaxError) as caught:
        load(file, start, "dynamic")
    assert caught.value.line
    assert caught.value.column


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_grammars_fail_with_a_place(path: Path) -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        Grammar.from_lark_file(path)
    assert caught.value.file == str(path)
    assert caught.value.line


def verdicts() -> Iterator[Any]:
    for (file, start), cases in CASES.items():
        if Path(file).stem in IRREGULAR:
            continue
        for lexer, field in (
            ("dynamic", "earley_dynamic"),
            ("dynamic_complete", "earley_complete"),
        ):
            wanted = [
                (case["input"], case[field])
                for case in cases
                if case[field] is not None and case.get("postlex") != "hcl"
            ]
            if wanted:
                yield pytest.param(file, start, lexer, wanted, id=f"{file}-{start}-{lexer}")


@pytest.mark.parametrize(("file", "start", "lexer", "wanted"), list(verdicts()))
def test_real_grammars_agree_with_lark(
    file: str,
    start: str,
    lexer: str,
    wanted: list[tuple[str, bool]],
    byte_compiler: GrammarCompiler,
) -> None:
    matcher = byte_compiler.compile(load(file, start, lexer)).matcher()
    wrong = []
    for text, verdict in wanted:
        if accepts(matcher, text.encode()) != verdict:
            wrong.append((text, verdict))
    assert wrong == []
