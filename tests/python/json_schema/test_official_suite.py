"""The official test suite: every required test of each draft, and the formats.

A test that is not right must stand in one of the lists below, with the reason.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from json_schema import engine
from json_schema.naive import DRAFTS, dump
from json_schema.naive.values import as_written
from json_schema.suite import Group, groups, remotes
from stackmask import (
    GrammarError,
    GrammarTooComplexError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
)

# Groups of the required part that may be refused, by file and description: why.
REFUSED = {
    "multipleOf.json: float division = inf": "multiples of 0.123456789 have too many residues",
}

# Files of optional/format that may be refused: why.
FORMATS_REFUSED = {
    "regex.json": "brackets nest: no regular language, and no grammar of its own yet",
    "ecmascript-regex.json": "the same",
    "idn-hostname.json": "needs the tables of IDNA 2008",
}

# Tests of optional/format whose valid text may be refused, by a part of their name: why.
FORMATS_NARROWER = {
    "hostname.json: validation of A-label": "A-labels need the tables of IDNA 2008; none is taken",
    "hostname.json: validation of host names: a valid punycoded": "the same",
}


class Table:
    """Counts by file, and the tests that are not right."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.refused: list[tuple[str, str]] = []

    def run(self, group: Group, draft: str, **options: Any) -> None:
        name = f"{group.file}: {group.description}"
        try:
            compiled = engine.compile_schema(
                dump(group.schema, number=as_written), spelling="any", draft=draft, **options
            )
        except UnsatisfiableSchemaError:
            for description, _, valid in group.tests:
                self.note(f"{name}: {description}: unsatisfiable, they say", not valid)
            return
        except (UnsupportedSchemaError, GrammarTooComplexError) as error:
            self.counts["refused"] += len(group.tests)
            self.refused.append((name, str(error)))
            return
        except ValueError as error:
            self.note(f"{name}: {error!r}", False, len(group.tests))
            return
        matcher = compiled.matcher()
        for description, value, valid in group.tests:
            text = dump(value, number=as_written)
            try:
                verdict = engine.accepts(matcher, text)
            except GrammarError as error:
                self.note(f"{name}: {description}: {error!r} at {text[:200]}", False)
                continue
            kind = "accepts" if verdict else "refuses"
            what = f"{name}: {description}: {kind} {text[:200]}"
            if valid and not verdict and any(map(what.startswith, FORMATS_NARROWER)):
                self.counts["refused"] += 1
                continue
            self.note(what, verdict == valid)

    def note(self, what: str, right: bool, count: int = 1) -> None:
        self.counts["right" if right else "wrong"] += count
        if not right:
            self.wrong.append(what)

    def report(self, title: str) -> None:
        print(title, dict(self.counts))
        for name, why in self.refused:
            print("  refused", name, why)
        for what in self.wrong:
            print("  wrong", what)


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_required_part(corpora: Path, draft: str) -> None:
    registry = {uri: json.loads(text) for uri, text in remotes(corpora).items()}
    table = Table()
    for group in groups(corpora, draft):
        table.run(group, draft, formats="annotate", registry=registry)
    table.report(f"draft {draft}")
    assert table.wrong == []
    unnamed = [name for name, _ in table.refused if name not in REFUSED]
    assert unnamed == []
    # The goal is 1 in 100.
    assert table.counts["refused"] <= 0.01 * table.counts["right"]


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_formats(corpora: Path, draft: str) -> None:
    table = Table()
    for group in groups(corpora, draft, "optional/format"):
        table.run(group, draft, formats="assert")
    table.report(f"formats of draft {draft}")
    assert table.wrong == []
    unnamed = [name for name, _ in table.refused if name.split(":")[0] not in FORMATS_REFUSED]
    assert unnamed == []
    # Apart from what needs IDNA, at most one in twenty.
    others = [name for name, _ in table.refused if not name.startswith("idn-hostname")]
    assert len(others) <= 0.05 * sum(table.counts.values())
