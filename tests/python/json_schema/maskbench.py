"""MaskBench: real schemas with valid and invalid instances."""

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
