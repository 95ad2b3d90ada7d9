"""The official JSON Schema test suite and its remote documents, read with exact numbers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from json_schema.naive import parse

FOLDERS = {
    "4": "draft4",
    "6": "draft6",
    "7": "draft7",
    "2019-09": "draft2019-09",
    "2020-12": "draft2020-12",
}


@dataclass(frozen=True)
class Group:
    """A schema of the suite with its tests: pairs of a description, a value and the verdict."""

    file: str
    description: str
    schema: Any
    tests: list[tuple[str, Any, bool]]


def groups(corpora: Path, draft: str, part: str = "") -> Iterator[Group]:
    folder = corpora / "json-schema-test-suite" / "tests" / FOLDERS[draft] / part
    for path in sorted(folder.glob("*.json")):
        for group in parse(path.read_text(encoding="utf-8"), duplicates=True, strict=False):
            tests = [(test["description"], test["data"], test["valid"]) for test in group["tests"]]
            yield Group(path.name, group["description"], group["schema"], tests)


@cache
def metaschemas() -> dict[str, str]:
    """The texts of the metaschemas of every draft, by URI."""
    from jsonschema_specifications import REGISTRY

    return {uri: json.dumps(REGISTRY.contents(uri)) for uri in REGISTRY}


def remotes(corpora: Path) -> dict[str, str]:
    """The texts of all remote documents, by URI."""
    folder = corpora / "json-schema-test-suite" / "remotes"
    found = {
        f"http://localhost:1234/{path.relative_to(folder).as_posix()}": path.read_text("utf-8")
        for path in sorted(folder.rglob("*.json"))
    }
    return metaschemas() | found
