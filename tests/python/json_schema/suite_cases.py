"""The cases of `tests/suite/json_schema`: read, and judged by the naive validator.

`tests/suite/README.md` has the format.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from json_schema.naive import InvalidText, Validator, parse

FOLDER = Path(__file__).parents[2] / "suite" / "json_schema"
ERRORS = ("error", "pointer", "keyword")
OPTIONS = (
    *("draft", "formats", "whitespace", "unknown_format", "unsupported"),
    *("additional_properties", "registry"),
)
TEXTS = ("accepts", "any", "any_only", "excluded", "rejects")
KEYS = {
    "name",
    "schema",
    "spelling",
    "warnings",
    "unverified",
    "may_refuse",
    *TEXTS,
    *ERRORS,
    *OPTIONS,
}


@dataclass(frozen=True)
class SuiteCase:
    file: str
    content: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.file}:{self.content['name']}"

    @property
    def schema(self) -> str:
        return expanded(self.content["schema"])

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.content["spelling"],) if "spelling" in self.content else ("canonical", "any")

    @property
    def options(self) -> dict[str, Any]:
        """The options of `Grammar.from_json_schema`, but for the spelling."""
        options = {key: self.content[key] for key in OPTIONS if key in self.content}
        if isinstance(options.get("whitespace"), list):
            options["whitespace"] = tuple(options["whitespace"])
        if "registry" in options:
            registry = options["registry"].items()
            options["registry"] = {uri: json.loads(text) for uri, text in registry}
        return options

    def texts(self, key: str) -> list[str]:
        return [expanded(text) for text in self.content.get(key, [])]

    def expected(self, spelling: str) -> tuple[list[str], list[str]]:
        """The texts to accept and those to refuse."""
        yes, no = self.texts("accepts"), self.texts("rejects") + self.texts("excluded")
        (yes if spelling == "any" else no).extend(self.texts("any_only"))
        yes += self.texts("any") if spelling == "any" else []
        return yes, no


def expanded(text: str) -> str:
    """`<a*3>` stands for `aaa`, so that long texts stay readable."""
    return re.sub(r"<(.)\*([0-9]+)>", lambda match: match[1] * int(match[2]), text)


def cases(paths: list[Path] | None = None) -> Iterator[SuiteCase]:
    for path in sorted(FOLDER.glob("*.toml")) if paths is None else paths:
        names = set()
        for content in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            unknown = set(content) - KEYS
            assert not unknown, f"{path.name}: unknown keys {sorted(unknown)}"
            assert content["name"] not in names, f"{path.name}: {content['name']} twice"
            names.add(content["name"])
            yield SuiteCase(path.name, content)


def disagreements(case: SuiteCase) -> list[str]:
    """The verdicts of a case that are not those of the naive validator."""
    if case.content.get("error") == "InvalidSchemaError" or "unverified" in case.content:
        return []
    if not any(case.texts(key) for key in TEXTS):
        return []
    validator = Validator(
        parse(case.schema, duplicates=True),
        draft=case.content.get("draft"),
        remotes={uri: parse(text) for uri, text in case.content.get("registry", {}).items()},
        formats=case.content.get("formats", "assert") == "assert",
    )

    def verdict(text: str) -> bool:
        try:
            return validator.is_valid(parse(text))
        except InvalidText:
            return False

    return [
        f"{case.name}: {key} {text[:200]!r}"
        for key in TEXTS
        for text in case.texts(key)
        if verdict(text) != (key != "rejects")
    ]


def keywords(schema: Any) -> Iterator[str]:
    """The keys of all objects in a schema, of which some are keywords."""
    if isinstance(schema, dict):
        yield from schema
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            yield from keywords(part)
