"""The search for faults finds those of engines that are known to be wrong."""

from typing import Any

import pytest

from json_schema import engine
from json_schema.fuzz import Tally, Trial
from stackmask import CompiledGrammar, Grammar, UnsatisfiableSchemaError


def kinds(monkeypatch: pytest.MonkeyPatch, stand_in: Any) -> set[str]:
    """The kinds of faults that are found in 40 schemas with `stand_in` for the compiler."""
    monkeypatch.setattr(engine, "compile_schema", stand_in)
    tally = Tally()
    for seed in range(40):
        Trial(seed, tally).run()
    assert tally.counts["schemas"] == 40
    assert all("seed" in fault and "schema" in fault for fault in tally.faults)
    return {name.removeprefix("fault, ") for name in tally.counts if name.startswith("fault")}


def compiled(grammar: Grammar, words: bool) -> CompiledGrammar:
    return engine.compiler(words).compile(grammar)


def test_an_engine_that_allows_any_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def stand_in(schema: str, *, words: bool = False, spelling: str) -> CompiledGrammar:
        return compiled(Grammar.json(whitespace="any"), words)

    assert kinds(monkeypatch, stand_in) == {
        *("wrong accept, canonical", "wrong accept, any"),
        *("unsound walk, canonical", "unsound walk, any"),
    }


def test_an_engine_that_allows_one_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def stand_in(schema: str, *, words: bool = False, spelling: str) -> CompiledGrammar:
        return compiled(Grammar.from_choices(["null", " null"][: 1 + (spelling != "any")]), words)

    found = kinds(monkeypatch, stand_in)
    assert {"wrong reject, canonical", "wrong reject, any", "canonical beyond any"} <= found


def test_an_engine_that_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(schema: str, *, words: bool = False, spelling: str) -> CompiledGrammar:
        raise UnsatisfiableSchemaError("nothing is valid")

    def crash(schema: str, *, words: bool = False, spelling: str) -> CompiledGrammar:
        raise RuntimeError("no")

    assert kinds(monkeypatch, nothing) == {"satisfiable"}
    assert kinds(monkeypatch, crash) == {"error"}
