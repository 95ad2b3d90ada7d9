"""MaskBench: real schemas with valid and invalid instances, replayed by bytes."""

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from json_schema import engine
from json_schema.generate.spellings import orders
from json_schema.naive import dump, parse
from stackmask import Grammar, GrammarError, GrammarMatcher, UnsatisfiableSchemaError

# Schemas in whose valid instances `Writer` finds no order that fits: what it writes of an inner
# object decides on the order of an outer one.
HARD_TO_ORDER = {"Github_hard---o1184"}


@dataclass(frozen=True)
class Case:
    name: str
    schema: Any
    tests: list[tuple[bool, Any]]


def cases(corpora: Path) -> Iterator[Case]:
    with lzma.open(corpora / "maskbench.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            tests = [(test["valid"], test["data"]) for test in case["tests"]]
            yield Case(case["id"], case["schema"], tests)


def draw(corpora: Path, count: int, seed: int) -> list[Case]:
    """A random choice among the schemas that have instances."""
    usable = [case for case in cases(corpora) if case.tests]
    return random.Random(seed).sample(usable, count)


@dataclass
class Outcome:
    """What became of a schema in one spelling. Times in ns; `refused` says by which error."""

    name: str
    refused: str = ""
    wrong_accepts: list[str] = field(default_factory=list)
    wrong_rejects: list[str] = field(default_factory=list)
    # Rejects of `canonical` for another order of keys, or integers that are written as floats.
    spelled_otherwise: int = 0
    make: int = 0
    compile: int = 0

    @property
    def passed(self) -> bool:
        wrong = self.wrong_accepts or self.wrong_rejects or self.spelled_otherwise
        return not self.refused and not wrong


def replay(case: Case, spelling: str) -> Outcome:
    outcome, started = Outcome(case.name), perf_counter_ns()
    try:
        grammar = Grammar.from_json_schema(case.schema, spelling=spelling)
        made = perf_counter_ns()
        compiled = engine.compiler().compile(grammar)
    except UnsatisfiableSchemaError as error:
        if any(valid for valid, _ in case.tests):
            outcome.refused = f"unsatisfiable: {error}"
        return outcome
    except GrammarError as error:
        outcome.refused = f"{type(error).__name__} {getattr(error, 'keyword', '')}: {error}"
        return outcome
    outcome.make, outcome.compile = made - started, perf_counter_ns() - made
    try:
        verdicts(case, spelling, compiled.matcher(), outcome)
    except GrammarError as error:
        outcome.refused = f"{type(error).__name__} at run time: {error}"
    return outcome


def verdicts(case: Case, spelling: str, matcher: GrammarMatcher, outcome: Outcome) -> None:
    for valid, data in case.tests:
        text = json.dumps(data, ensure_ascii=False)
        accepted = engine.accepts(matcher, text)
        if accepted and not valid:
            outcome.wrong_accepts.append(text)
        if valid and not accepted:
            hard = case.name in HARD_TO_ORDER
            if spelling == "canonical" and (hard or fits_otherwise(matcher, case.schema, text)):
                outcome.spelled_otherwise += 1
            else:
                outcome.wrong_rejects.append(text)


def fits_otherwise(matcher: GrammarMatcher, schema: Any, text: str, limit: int = 2000) -> bool:
    """Whether some order of keys is accepted, with integers as integers.

    Of small values all orders are tried. Others are written key by key, as the matcher lets them.
    """
    value = parse(text, duplicates=True, strict=False)
    mentioned = dict.fromkeys(name for table in property_tables(schema) for name in table)
    ranks = {name: rank for rank, name in enumerate(mentioned)}
    tried = [arranged(value, {}), arranged(value, ranks), *orders(value, limit)]
    if any(engine.accepts(matcher, dump(order)) for order in tried):
        return True
    matcher.reset()
    fits = Writer(matcher, ranks).write(value) and matcher.is_completed()
    matcher.reset()
    return fits


def arranged(value: Any, ranks: dict[str, int]) -> Any:
    """With all keys by rank, and those without one by name."""
    if isinstance(value, list):
        return [arranged(item, ranks) for item in value]
    if not isinstance(value, dict):
        return value
    order = sorted(value, key=lambda key: (ranks.get(key, len(ranks)), key))
    return {key: arranged(value[key], ranks) for key in order}


class Writer:
    """Writes values through a matcher, which says what order of keys fits."""

    def __init__(
        self, matcher: GrammarMatcher, ranks: dict[str, int], budget: int = 200_000
    ) -> None:
        self.matcher, self.ranks, self.budget = matcher, ranks, budget

    def accepts(self, text: str) -> bool:
        """All of the text or nothing of it."""
        data = text.encode("utf-8", "surrogatepass")
        self.budget -= 1
        taken = self.matcher.accept_bytes(data)
        if 0 < taken < len(data):
            self.matcher.rollback(1)
        return taken == len(data) and self.budget > 0

    def back_to(self, mark: int) -> None:
        self.matcher.rollback(self.matcher.num_accepted - mark)

    def write(self, value: Any) -> bool:
        if isinstance(value, list):
            if not self.accepts("["):
                return False
            for at, item in enumerate(value):
                if not (at == 0 or self.accepts(", ")) or not self.write(item):
                    return False
            return self.accepts("]")
        if not isinstance(value, dict):
            return self.accepts(dump(value))
        order = sorted(value, key=lambda key: self.ranks.get(key, len(self.ranks)))
        return self.accepts("{") and self.members(value, order, "")

    def members(self, value: dict[str, Any], left: list[str], before: str) -> bool:
        """Writes the rest; first in ways that leave behind no key that may come now."""
        if not left:
            return self.accepts("}")
        mark = self.matcher.num_accepted
        possible = [key for key in left if self.can_follow(key, before)]
        for careful in (True, False):
            for key in possible:
                others = [other for other in possible if other != key]
                if (
                    self.accepts(f"{before}{dump(key)}: ")
                    and self.write(value[key])
                    and all(self.can_follow(other, ", ") for other in others) == careful
                    and self.members(value, [other for other in left if other != key], ", ")
                ):
                    return True
                self.back_to(mark)
        return False

    def can_follow(self, key: str, before: str) -> bool:
        mark = self.matcher.num_accepted
        fits = self.accepts(f"{before}{dump(key)}: ")
        self.back_to(mark)
        return fits


def property_tables(schema: Any) -> Iterator[list[str]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield list(schema["properties"])
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else ():
        yield from property_tables(part)
