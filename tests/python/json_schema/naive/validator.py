"""Walks a schema and a value together; what each keyword means stands in `keywords`."""

from collections.abc import Callable, Mapping
from typing import Any

from json_schema.naive import keywords
from json_schema.naive.documents import Documents, Place, Schema, draft_of
from json_schema.naive.drafts import DRAFTS
from json_schema.naive.formats import holds
from json_schema.naive.values import Value

ROOT = "https://schema.invalid/root"


class EndlessReference(ValueError):
    """A reference that leads back to itself at the same value: no verdict is defined."""


class Here:
    """One schema applied to one value, and the parts of the value that it evaluated."""

    def __init__(self, validator: "Validator", place: Place, value: Value, scope: tuple[str, ...]):
        self.validator, self.place, self.value = validator, place, value
        self.scope = scope if scope and scope[-1] == place.base else (*scope, place.base)
        self.schema: dict[str, Any] = place.schema if isinstance(place.schema, dict) else {}
        self.keys: set[str] = set()
        self.items: set[int] = set()

    @property
    def year(self) -> int:
        return self.place.draft.year

    @property
    def format_holds(self) -> Callable[[str, str], bool]:
        return self.validator.format_holds

    def child(self, schema: Schema, value: Value) -> bool:
        """Whether a part of the value (or a key) is valid."""
        place = self.validator.documents.place(schema, self.place)
        return self.validator.check(place, value, self.scope).valid

    def in_place(self, schema: Schema) -> bool:
        """Whether the value itself is valid; what was evaluated then counts here too."""
        return self.at(self.validator.documents.place(schema, self.place))

    def at(self, place: Place) -> bool:
        result = self.validator.check(place, self.value, self.scope)
        if result.valid:
            self.keys |= result.here.keys
            self.items |= result.here.items
        return result.valid

    def resolve(self, reference: str) -> Place:
        return self.validator.documents.resolve(reference, self.place.base)


class Result:
    def __init__(self, valid: bool, here: Here):
        self.valid, self.here = valid, here


class Validator:
    """`schema` as it was parsed by `values.parse`, so that its numbers are exact.

    `remotes` maps URIs to schemas. With `formats`, `format` asserts; unknown names never do.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        draft: str | None = None,
        remotes: Mapping[str, Schema] | None = None,
        formats: bool = False,
    ) -> None:
        chosen = DRAFTS[draft] if draft else draft_of(schema)
        self.documents = Documents(remotes or {}, chosen)
        self.root = self.documents.add(ROOT, schema, chosen)
        self.formats = formats
        self.active: list[tuple[int, int, tuple[str, ...]]] = []

    def format_holds(self, name: str, value: str) -> bool:
        return not self.formats or holds(name, value)

    def is_valid(self, value: Value) -> bool:
        self.active.clear()
        return self.check(self.root, value, ()).valid

    def check(self, place: Place, value: Value, scope: tuple[str, ...]) -> Result:
        here = Here(self, place, value, scope)
        if isinstance(place.schema, bool):
            return Result(place.schema, here)
        if not isinstance(place.schema, dict):
            raise ValueError(f"no schema: {place.schema!r}")
        key = (id(place.schema), id(value), here.scope)
        if key in self.active:
            raise EndlessReference(f"{place.schema!r} refers to itself")
        self.active.append(key)
        try:
            return Result(self._keywords(here), here)
        finally:
            self.active.pop()

    def _keywords(self, here: Here) -> bool:
        valid = True
        for keyword in keywords.of(here.place):
            # Every keyword is read, so that annotations do not hang on the order.
            valid &= keyword.function(here, here.schema[keyword.name])
        return valid
