"""Values near the edges of a schema: built from what it says, and then bent a little.

Nothing here decides what is valid; that is the validator's part. The aim is a mixture of both.
"""

import random
from fractions import Fraction
from typing import Any

from json_schema.generate import pools

Schema = Any
Value = Any


class Instances:
    def __init__(self, rng: random.Random, root: Schema) -> None:
        self.rng, self.root = rng, root

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def draw(self, count: int) -> list[Value]:
        drawn: list[Value] = []
        for _ in range(count):
            if drawn and self.chance(0.35):
                drawn.append(self.bend(self.rng.choice(drawn)))
            elif self.chance(0.9):
                drawn.append(self.of(self.root, 5))
            else:
                drawn.append(self.anything(2))
        return drawn

    def of(self, schema: Schema, depth: int) -> Value:
        rng = self.rng
        if not isinstance(schema, dict) or depth < 0:
            return self.anything(1 if depth > 0 else 0)
        schema = self.merged(schema, 6)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return rng.choice(schema["enum"])
        match self.type_of(schema, depth):
            case "object":
                return self.object(schema, depth)
            case "array":
                return self.array(schema, depth)
            case "string":
                return self.string(schema)
            case "number":
                return self.number(schema, False)
            case "integer":
                return self.number(schema, True)
            case "boolean":
                return self.chance(0.5)
        return None

    def merged(self, schema: Schema, depth: int) -> dict[str, Any]:
        """The keywords of a schema, with those of references and of one choice of branches."""
        made: dict[str, Any] = {}
        parts = [schema]
        if depth > 0:
            if "$ref" in schema:
                parts.append(self.resolve(schema["$ref"]))
            parts += schema.get("allOf", [])
            for name in ("anyOf", "oneOf"):
                parts += [self.rng.choice(schema[name])] if schema.get(name) else []
            if "if" in schema and self.chance(0.5):
                parts += [schema["if"], schema.get("then", {})]
            elif "else" in schema:
                parts.append(schema["else"])
            for keys in ("dependentSchemas", "dependencies"):
                parts += [part for part in schema.get(keys, {}).values() if self.chance(0.3)]
        for part in parts:
            if isinstance(part, dict):
                part = self.merged(part, depth - 1) if part is not schema else part
                for key, value in part.items():
                    old = made.get(key)
                    if isinstance(old, dict) and isinstance(value, dict):
                        made[key] = old | value
                    elif key == "required" and isinstance(old, list):
                        made[key] = old + value
                    else:
                        made[key] = value
        return made

    def resolve(self, reference: str) -> Schema:
        place = self.root
        for part in reference.split("/")[1:]:
            place = place.get(part, {}) if isinstance(place, dict) else {}
        return place

    def type_of(self, schema: dict[str, Any], depth: int) -> str:
        named = schema.get("type")
        if named and self.chance(0.97):
            return str(named if isinstance(named, str) else self.rng.choice(named))
        hints = {
            "object": ("properties", "required", "patternProperties", "minProperties"),
            "array": ("items", "prefixItems", "contains", "minItems", "maxItems"),
            "string": ("pattern", "minLength", "maxLength", "format"),
            "number": ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"),
        }
        likely = [name for name, keys in hints.items() if any(key in schema for key in keys)]
        if likely and self.chance(0.85):
            return self.rng.choice(likely)
        scalars = ["null", "boolean", "integer", "number", "string"]
        return self.rng.choice(scalars + ["array", "object"] * (depth > 0))

    def object(self, schema: dict[str, Any], depth: int) -> Value:
        rng, made = self.rng, {}
        table = schema.get("properties", {})
        for key, child in table.items():
            wanted = key in schema.get("required", ())
            if child is not False and self.chance(0.95 if wanted else 0.5):
                made[key] = self.of(child, depth - 1)
        for key in schema.get("required", ()):
            if key not in made and self.chance(0.9):
                made[key] = self.extra(schema, key, depth)
        most = schema.get("maxProperties", 6)
        while self.chance(0.3) or (len(made) < schema.get("minProperties", 0) and self.chance(0.9)):
            key = rng.choice([*pools.KEYS, "b1", "zz", "aab"])
            if len(made) > most or key in made:
                break
            made[key] = self.extra(schema, key, depth)
        while len(made) > most and self.chance(0.8):
            del made[rng.choice(list(made))]
        return made

    def extra(self, schema: dict[str, Any], key: str, depth: int) -> Value:
        children = [schema.get("properties", {}).get(key)]
        children += list(schema.get("patternProperties", {}).values())
        children += [schema.get(name) for name in ("additionalProperties", "unevaluatedProperties")]
        usable = [child for child in children if isinstance(child, dict)]
        return self.of(self.rng.choice(usable), depth - 1) if usable else self.anything(0)

    def array(self, schema: dict[str, Any], depth: int) -> Value:
        rng = self.rng
        rest = schema.get("items")
        first = schema.get("prefixItems", rest if isinstance(rest, list) else [])
        if isinstance(rest, list) or rest is None:
            rest = schema.get("additionalItems", schema.get("unevaluatedItems", True))
        least = max(schema.get("minItems", 0), 0)
        most = max(min(schema.get("maxItems", least + 3), least + 4), 0)
        length = rng.choice([least, most, rng.randint(0, int(most) + 1), len(first)])
        made = []
        for index in range(int(length)):
            child = first[index] if index < len(first) else rest
            if "contains" in schema and self.chance(0.4):
                child = schema["contains"]
            made.append(self.of(child, depth - 1))
        return made

    def string(self, schema: dict[str, Any]) -> Value:
        rng = self.rng
        stock = list(pools.STRINGS)
        for name, table in (("pattern", pools.PATTERNS), ("format", pools.FORMATS)):
            if schema.get(name) in table and self.chance(0.9):
                stock = table[schema[name]]
        text = rng.choice(stock)
        least, most = schema.get("minLength"), schema.get("maxLength")
        while least is not None and len(text) < least and self.chance(0.95):
            text += rng.choice(text or "ab")
        if most is not None and len(text) > most and self.chance(0.8):
            text = text[: int(most)]
        return text

    def number(self, schema: dict[str, Any], whole: bool) -> Value:
        rng = self.rng
        names = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        bounds = [schema[name] for name in names if isinstance(schema.get(name), Fraction)]
        value = rng.choice(bounds) if bounds and self.chance(0.85) else rng.choice(pools.NUMBERS)
        step = Fraction(schema.get("multipleOf", 0))
        nudges = [Fraction(n, d) for n in (-1, 0, 0, 1) for d in (1, 2, 100)]
        value += rng.choice(nudges)
        if step and self.chance(0.85):
            value = step * (value // step + rng.choice([0, 0, 1]))
        if whole and not step and self.chance(0.95):
            value = Fraction(round(value))
        return value

    def anything(self, depth: int) -> Value:
        rng = self.rng
        if depth <= 0 or self.chance(0.5):
            return rng.choice([*pools.SCALARS, [], {}])
        if self.chance(0.5):
            return [self.anything(depth - 1) for _ in range(rng.randrange(4))]
        keys = rng.sample(pools.KEYS, rng.randrange(4))
        return {key: self.anything(depth - 1) for key in keys}

    def bend(self, value: Value) -> Value:
        """The value with one small change, somewhere."""
        rng = self.rng
        if isinstance(value, list):
            copy = list(value)
            match rng.randrange(5):
                case 0 if copy:
                    del copy[rng.randrange(len(copy))]
                case 1 if copy:
                    copy.append(rng.choice(copy))
                case 2:
                    copy.append(self.anything(1))
                case _ if copy:
                    at = rng.randrange(len(copy))
                    copy[at] = self.bend(copy[at])
            return copy
        if isinstance(value, dict):
            table = dict(value)
            match rng.randrange(4):
                case 0 if table:
                    del table[rng.choice(list(table))]
                case 1:
                    table[rng.choice(pools.KEYS)] = self.anything(1)
                case _ if table:
                    key = rng.choice(list(table))
                    table[key] = self.bend(table[key])
            return table
        if isinstance(value, str) and self.chance(0.7):
            at = rng.randint(0, len(value))
            return rng.choice(
                [value[:at] + rng.choice('ab1"é') + value[at:], value[:at], value[1:]]
            )
        if isinstance(value, Fraction) and self.chance(0.7):
            return value + Fraction(rng.choice(["1", "-1", "0.5", "0.01", "-0.07", "10"]))
        return self.anything(1)
