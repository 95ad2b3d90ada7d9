"""JSON values with exact numbers: read from text, compared, and written again.

A value is None, a bool, a `Fraction`, a str, a list, or a dict. Nothing is a float.
"""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Value = Any
# A number with a longer exponent would not fit into memory as a fraction.
EXPONENT_DIGITS = 3


class InvalidText(ValueError):
    """No JSON text of the kind that the engine promises to write."""


class NumberNotCovered(ValueError):
    """A number too long to be held as a fraction. Its text may well be fine."""


class Number(Fraction):
    """A number that knows how it was written."""

    text: str

    @property
    def is_integer_text(self) -> bool:
        return self.text.lstrip("-").isdigit()


def number(text: str) -> Number:
    exponent = re.split("[eE]", text)[1:]
    if exponent and len(exponent[0].lstrip("+-0")) > EXPONENT_DIGITS:
        raise NumberNotCovered(text)
    made = Number(text)
    made.text = text
    return made


def parse(text: str | bytes, *, duplicates: bool = False, strict: bool = True) -> Value:
    """The value of a JSON text. Duplicate keys are errors unless `duplicates`.

    `strict` also refuses what RFC 8259 leaves open and the engine excludes: lone surrogates.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidText(str(error)) from None

    def members(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
        if not duplicates and len({key for key, _ in pairs}) < len(pairs):
            raise InvalidText("a key stands twice in an object")
        return dict(pairs)

    def constant(name: str) -> Value:
        raise InvalidText(f"{name} is no JSON value")

    try:
        value = json.loads(
            text,
            object_pairs_hook=members,
            parse_float=number,
            parse_int=number,
            parse_constant=constant,
        )
    except NumberNotCovered:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidText(str(error)) from None
    if strict and has_lone_surrogate(value):
        raise InvalidText("a lone surrogate")
    return value


def has_lone_surrogate(value: Value) -> bool:
    if isinstance(value, str):
        return re.search("[\ud800-\udfff]", value) is not None
    if isinstance(value, dict):
        return has_lone_surrogate([*value, *value.values()])
    return isinstance(value, list) and any(has_lone_surrogate(item) for item in value)


def plain(value: Value) -> Value:
    """The value with ints and floats, for libraries. Not exact."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def decimal(value: Fraction) -> str:
    """A fraction with a finite decimal expansion, in plain digits."""
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
        if digits > 2000:
            raise ValueError(f"{value} has no finite decimal expansion")
    scaled = abs(value.numerator * 10**digits // value.denominator)
    sign = "-" if value < 0 else ""
    text = str(scaled).rjust(digits + 1, "0")
    return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def as_written(value: Fraction) -> str:
    return value.text if isinstance(value, Number) else decimal(value)


def dump(
    value: Value,
    *,
    number: Callable[[Fraction], str] = decimal,
    string: Callable[[str], str] = lambda text: json.dumps(text, ensure_ascii=False),
    item: str = ", ",
    colon: str = ": ",
) -> str:
    """The text of a value, spelled as the arguments say; by default as `json.dumps` does."""

    def text_of(value: Value) -> str:
        match value:
            case None | bool():
                return {None: "null", True: "true", False: "false"}[value]
            case str():
                return string(value)
            case list():
                return "[" + item.join(text_of(element) for element in value) + "]"
            case dict():
                pairs = (string(key) + colon + text_of(member) for key, member in value.items())
                return "{" + item.join(pairs) + "}"
            case _:
                return number(value)

    return text_of(value)


def identity(value: Value) -> Any:
    """A hashable key: two values are equal in JSON Schema's sense exactly if their keys are."""
    match value:
        case None:
            return ("null",)
        case bool():
            return ("boolean", value)
        case str():
            return ("string", value)
        case list():
            return ("array", tuple(identity(item) for item in value))
        case dict():
            return ("object", frozenset((key, identity(item)) for key, item in value.items()))
        case _:
            return ("number", Fraction(value))


def equal(one: Value, two: Value) -> bool:
    return bool(identity(one) == identity(two))


def is_number(value: Value) -> bool:
    return isinstance(value, Fraction | int) and not isinstance(value, bool)


def is_type(value: Value, name: str, year: int = 2020) -> bool:
    match name:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "number":
            return is_number(value)
        case "integer":
            # For draft 4 an integer has no fraction or exponent; since draft 6 its value decides.
            if year == 4 and isinstance(value, Number) and not value.is_integer_text:
                return False
            return is_number(value) and Fraction(value).denominator == 1
        case _:
            raise ValueError(f"no type: {name!r}")
