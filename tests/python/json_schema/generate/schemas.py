"""Random schemas that combine all keywords, small enough to be judged value by value."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from json_schema.generate import pools
from json_schema.naive.drafts import DRAFTS

Schema = Any
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


class Schemas:
    """Schemas of one draft. The numbers in them are fractions; write them by `naive.dump`."""

    def __init__(self, rng: random.Random, year: int = 2020, formats: bool = False) -> None:
        self.rng, self.year, self.formats = rng, year, formats
        self.names: list[str] = []

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def root(self) -> Schema:
        rng = self.rng
        self.names = [f"d{n}" for n in range(rng.choice([0, 0, 0, 1, 1, 2]))]
        schema = self.schema(rng.choice([1, 1, 2, 2, 3]))
        if not isinstance(schema, dict):
            schema = {"allOf": [schema]} if self.year >= 6 else {}
        if self.names:
            place = "$defs" if self.year >= 2019 else "definitions"
            schema = {**schema, place: {name: self.schema(2) for name in self.names}}
        [draft] = [draft for draft in DRAFTS.values() if draft.year == self.year]
        if self.year != 2020:
            schema = {"$schema": draft.uri + ("#" if self.year <= 7 else ""), **schema}
        return schema

    def schema(self, depth: int) -> Schema:
        rng = self.rng
        if self.year >= 6 and self.chance(0.04):
            return self.chance(0.7)
        if self.chance(0.04):
            return {}
        if self.names and self.chance(0.2):
            schema: dict[str, Any] = {"$ref": self.reference()}
            if self.year >= 2019 and self.chance(0.2):
                schema |= self.of_kind(self.kind(depth), depth)
            return schema
        kind = self.kind(depth)
        schema = self.of_kind(kind, depth)
        if self.chance(0.12):
            schema |= self.of_kind(self.kind(depth), depth)
        if self.chance(0.25 if kind == "enum" else 0.75):
            schema = {"type": self.type_of(kind), **schema}
        if depth > 0 and self.chance(0.35):
            for _ in range(rng.choice([1, 1, 2])):
                schema |= self.combination(depth, kind)
        if self.chance(0.05):
            schema["title"] = "t"
        keys = list(schema)
        if self.chance(0.3):
            rng.shuffle(keys)
        return {key: schema[key] for key in keys}

    def reference(self) -> str:
        place = "$defs" if self.year >= 2019 else "definitions"
        return "#" if self.chance(0.15) else f"#/{place}/{self.rng.choice(self.names)}"

    def kind(self, depth: int) -> str:
        if depth == 0:
            return self.rng.choice(["number", "string", "string", "number", "scalar", "enum"])
        return self.rng.choice(
            ["object", "object", "object", "array", "array", "number", "string", "enum", "scalar"]
        )

    def type_of(self, kind: str) -> Any:
        name = {"number": self.rng.choice(["number", "integer"]), "scalar": "boolean"}.get(
            kind, kind
        )
        name = self.rng.choice(TYPES) if name == "enum" else name
        if self.chance(0.15):
            return sorted({name, *self.rng.sample(TYPES, self.rng.choice([1, 2]))})
        return name

    def of_kind(self, kind: str, depth: int) -> dict[str, Any]:
        return {
            "number": self.number,
            "string": self.string,
            "array": lambda: self.array(depth),
            "object": lambda: self.object(depth),
            "enum": self.enum,
            "scalar": dict,
        }[kind]()

    def some(self, *choices: tuple[float, Callable[[], dict[str, Any]]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for probability, make in choices:
            if self.chance(probability):
                made |= make()
        return made

    # Values

    def enum(self) -> dict[str, Any]:
        rng = self.rng
        if self.year >= 6 and self.chance(0.4):
            return {"const": self.value(2)}
        values = [self.value(rng.choice([0, 0, 1, 2])) for _ in range(rng.choice([1, 2, 3, 5]))]
        return {"enum": values}

    def value(self, depth: int) -> Any:
        rng = self.rng
        if depth == 0 or self.chance(0.5):
            return rng.choice(pools.SCALARS)
        if self.chance(0.5):
            return [self.value(depth - 1) for _ in range(rng.randrange(3))]
        return {key: self.value(depth - 1) for key in rng.sample(pools.KEYS, rng.randrange(3))}

    def number(self) -> dict[str, Any]:
        rng = self.rng
        low = rng.choice(pools.NUMBERS)
        high = low + rng.choice(pools.numbers("0", "1", "2", "0.5", "10", "95", "1000", "0.001"))
        if self.chance(0.1):
            low, high = high, low
        made = self.some(
            (0.5, lambda: self.bound("inimum", low)),
            (0.5, lambda: self.bound("aximum", high)),
            (0.35, lambda: {"multipleOf": rng.choice(pools.STEPS)}),
        )
        return made

    def bound(self, name: str, value: Fraction) -> dict[str, Any]:
        side = ("m" + name, "exclusiveM" + name)
        if self.year == 4:
            return {side[0]: value} | ({side[1]: self.chance(0.7)} if self.chance(0.5) else {})
        return {side[0] if self.chance(0.6) else side[1]: value}

    def string(self) -> dict[str, Any]:
        rng = self.rng
        least = rng.choice([0, 1, 1, 2, 3])
        return self.some(
            (0.3, lambda: {"minLength": least}),
            (0.3, lambda: {"maxLength": least + rng.choice([0, 0, 1, 2, 5, 40])}),
            (0.35, lambda: {"pattern": rng.choice(list(pools.PATTERNS))}),
            (0.2 if self.formats else 0, lambda: {"format": rng.choice(list(pools.FORMATS))}),
        )

    # Containers

    def array(self, depth: int) -> dict[str, Any]:
        rng, below = self.rng, depth - 1
        least = rng.choice([0, 0, 1, 1, 2, 3])
        made = self.some(
            (0.35, lambda: {"minItems": least}),
            (0.35, lambda: {"maxItems": least + rng.choice([0, 1, 2, 4])}),
            (0.5, lambda: {"uniqueItems": True}),
            (0.3, lambda: self.tuple(below)),
        )
        if self.chance(0.6) and "items" not in made:
            made["items"] = self.schema(below)
        if self.year >= 6 and self.chance(0.25):
            made["contains"] = self.schema(min(below, 1))
            if self.year >= 2019:
                made |= self.some(
                    (0.3, lambda: {"minContains": rng.choice([0, 1, 2])}),
                    (0.3, lambda: {"maxContains": rng.choice([1, 2, 3])}),
                )
        if self.year >= 2019 and self.chance(0.1):
            made["unevaluatedItems"] = self.schema(min(below, 1)) if self.chance(0.5) else False
        return made

    def tuple(self, below: int) -> dict[str, Any]:
        first = [self.schema(below) for _ in range(self.rng.choice([1, 2, 2, 3]))]
        if self.year >= 2020:
            return {"prefixItems": first}
        more = {"additionalItems": self.schema(below)} if self.chance(0.4) else {}
        return {"items": first, **more}

    def object(self, depth: int) -> dict[str, Any]:
        rng, below = self.rng, depth - 1
        least = rng.choice([0, 1, 1, 2])
        made = self.some(
            (0.8, lambda: {"properties": {key: self.schema(below) for key in self.keys()}}),
            (0.4, lambda: {"required": self.keys()[:2]}),
            (0.15, lambda: {"patternProperties": self.by_pattern(below)}),
            (0.4, lambda: {"additionalProperties": self.additional(below)}),
            (0.12, lambda: {"minProperties": least}),
            (0.15, lambda: {"maxProperties": least + rng.choice([0, 1, 2])}),
        )
        if self.year >= 6 and self.chance(0.1):
            names = [{"pattern": rng.choice(pools.KEY_PATTERNS)}, {"maxLength": rng.choice([1, 2])}]
            names += [{"enum": self.keys()}, {"not": {"const": rng.choice(pools.KEYS)}}]
            made["propertyNames"] = rng.choice(names)
        made |= self.dependent(below) if self.chance(0.12) else {}
        if self.year >= 2019 and self.chance(0.12):
            made["unevaluatedProperties"] = self.additional(below)
        return made

    def keys(self) -> list[str]:
        return self.rng.sample(pools.KEYS, self.rng.choice([1, 2, 2, 3, 4]))

    def by_pattern(self, below: int) -> dict[str, Any]:
        sources = self.rng.sample(pools.KEY_PATTERNS, self.rng.choice([1, 1, 2]))
        return {source: self.schema(below) for source in sources}

    def additional(self, below: int) -> Schema:
        return False if self.chance(0.5) else self.schema(min(below, 1))

    def dependent(self, below: int) -> dict[str, Any]:
        rng = self.rng
        names = {rng.choice(pools.KEYS): rng.sample(pools.KEYS, rng.choice([1, 2]))}
        schemas = {rng.choice(pools.KEYS): self.schema(below)}
        if self.year <= 7:
            return {"dependencies": names | schemas}
        return {"dependentRequired": names} if self.chance(0.5) else {"dependentSchemas": schemas}

    # Combinations

    def combination(self, depth: int, kind: str) -> dict[str, Any]:
        rng, below = self.rng, depth - 1
        name = rng.choice(["allOf", "anyOf", "anyOf", "oneOf", "oneOf", "not", "if"])
        if name == "not":
            return {"not": self.branch(below, kind)}
        if name == "if" and self.year >= 7:
            return {"if": self.branch(below, kind)} | self.some(
                (0.7, lambda: {"then": self.branch(below, kind)}),
                (0.6, lambda: {"else": self.branch(below, kind)}),
            )
        count = rng.choice([1, 2, 2, 3])
        branches = [self.branch(below, kind) for _ in range(count)]
        return {"anyOf" if name == "if" else name: branches}

    def branch(self, below: int, kind: str) -> Schema:
        """Often a schema about the same kind of value, so that branches overlap."""
        if self.chance(0.5) and kind != "scalar":
            return self.of_kind(kind, max(below, 1 if kind in ("array", "object") else 0))
        if kind == "object" and self.chance(0.4):
            return {"required": self.rng.sample(pools.KEYS, self.rng.choice([1, 1, 2]))}
        return self.schema(below)
