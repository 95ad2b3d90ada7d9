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
            if spelling == "canonical" and fits_otherwise(matcher, text):
                outcome.spelled_otherwise += 1
            else:
                outcome.wrong_rejects.append(text)


def fits_otherwise(matcher: GrammarMatcher, text: str, limit: int = 5000) -> bool:
    """Whether some order of keys is accepted, with integers as integers.

    Of long objects not all orders can be tried. Keys are then moved one object at a time, which
    finds the order if each object's own refusal shows in how far the text is accepted.
    """
    value = parse(text, duplicates=True)
    tried = orders(value, limit)
    if len(tried) < limit:
        return any(engine.accepts(matcher, dump(order)) for order in tried)
    return sorted_by_acceptance(matcher, value)


def sorted_by_acceptance(matcher: GrammarMatcher, value: Any) -> bool:
    """Orders keys greedily: at each step the key after which the most of the text is taken."""

    def taken(value: Any) -> int:
        data = dump(value).encode()
        matcher.reset()
        count = matcher.accept_bytes(data)
        done = count == len(data) and matcher.is_completed()
        matcher.reset()
        return count + done

    def objects(value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(value, dict):
            yield value
        members = value.values() if isinstance(value, dict) else value
        for member in members if isinstance(value, dict | list) else ():
            yield from objects(member)

    best = taken(value)
    for _ in range(400):
        found = False
        for table in objects(value):
            keys = list(table)
            for key in keys:
                # Move this key to the end: it may be what stands too early.
                table[key] = table.pop(key)
                now = taken(value)
                if now > best:
                    best, found = now, True
                    break
                restored = {name: table[name] for name in keys}
                table.clear()
                table.update(restored)
            if found:
                break
        if not found:
            break
    return best == len(dump(value).encode()) + 1
