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
            if spelling == "canonical" and fits_otherwise(matcher, case.schema, text):
                outcome.spelled_otherwise += 1
            else:
                outcome.wrong_rejects.append(text)


def fits_otherwise(matcher: GrammarMatcher, schema: Any, text: str, limit: int = 2000) -> bool:
    """Whether some order of keys is accepted, with integers as integers.

    Of small values all orders are tried. In others each object takes the order of one of the
    schema's `properties`, or of all names as they are first mentioned, whichever lets more of the
    text be accepted.
    """
    value = parse(text, duplicates=True, strict=False)
    tried = orders(value, limit)
    if any(engine.accepts(matcher, dump(order)) for order in tried):
        return True
    tables = list(property_tables(schema))
    ranks = [{name: rank for rank, name in enumerate(table)} for table in tables]
    mentioned = dict.fromkeys(name for table in tables for name in table)
    ranks.append({name: rank for rank, name in enumerate(mentioned)})
    best = taken(matcher, value)
    for table in list(objects(value)):
        keys = list(table)
        for rank in ranks:
            reorder(table, sorted(keys, key=lambda key: rank.get(key, len(rank))))
            now = taken(matcher, value)
            if now > best:
                best, keys = now, list(table)
        reorder(table, keys)
        for key in keys:
            # What stands too early goes to the end.
            order = list(table)
            reorder(table, [name for name in order if name != key] + [key])
            now = taken(matcher, value)
            if now > best:
                best = now
            else:
                reorder(table, order)
    return best == len(dump(value).encode()) + 1


def property_tables(schema: Any) -> Iterator[list[str]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield list(schema["properties"])
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else ():
        yield from property_tables(part)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from objects(part)


def reorder(table: dict[str, Any], keys: list[str]) -> None:
    members = {key: table[key] for key in keys}
    table.clear()
    table.update(members)


def taken(matcher: GrammarMatcher, value: Any) -> int:
    """How many bytes are accepted, and one more if the text is complete then."""
    data = dump(value).encode()
    matcher.reset()
    count = matcher.accept_bytes(data)
    done = count == len(data) and matcher.is_completed()
    matcher.reset()
    return count + done
