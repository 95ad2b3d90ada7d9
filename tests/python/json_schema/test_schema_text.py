"""Schemas given as Python values mean what `json.dumps` writes for them."""

import enum
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stackmask import Grammar

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


def assert_as_dumped(value: Any) -> None:
    """Grammars are equal if they come from the same text."""
    schema = {"default": value}
    try:
        text = json.dumps(schema)
        expected = Grammar.from_json_schema(text)
    except (TypeError, ValueError, RecursionError) as error:
        with pytest.raises(type(error)):
            Grammar.from_json_schema(schema)
        return
    assert Grammar.from_json_schema(schema) == expected
    assert Grammar.from_json_schema(schema) != Grammar.from_json_schema(text + " ")


@given(values)
def test_plain_values(value: Any) -> None:
    assert_as_dumped(value)


class Word(str):
    pass


class Number(enum.IntEnum):
    ONE = 1


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        {1: "a", None: "c", 1.5: "d"},
        {True: "b"},
        {Word("a"): Word("b")},
        Number.ONE,
        "\ud800 alone",
        {"\udfff": 1},
        float("inf"),
        float("nan"),
        10**4000,
        -(2**63) - 1,
        {b"bytes": 1},
        {1, 2},
        deep(99),
        deep(101),
        '\x00\x1f\x7f\x80\U0001f600"\\/\b\f\n\r\t',
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_beside_the_plain_ones(value: Any) -> None:
    assert_as_dumped(value)


def test_a_value_that_holds_itself() -> None:
    schema: dict[str, Any] = {}
    schema["default"] = schema
    with pytest.raises(ValueError, match="Circular"):
        Grammar.from_json_schema(schema)
