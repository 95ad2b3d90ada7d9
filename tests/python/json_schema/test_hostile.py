"""Schemas made to hurt: each compiles, or stops with an error, in bounded work.

`LIMIT` is a net under the tests, not a claim of speed: what it catches runs for ever. It ends the
process, since no signal reaches code that does not return.
"""

import faulthandler
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from json_schema import engine
from stackmask import (
    Grammar,
    GrammarError,
    GrammarTooComplexError,
    Limits,
    UnsatisfiableSchemaError,
)

LIMIT = 120


def nested(keyword: str, depth: int) -> Any:
    schema: Any = {"type": "integer"}
    for _ in range(depth):
        schema = (
            {keyword: [schema, {"minimum": 1}]} if keyword.endswith("Of") else {keyword: schema}
        )
    return schema


def doubled(keyword: str, depth: int) -> Any:
    """Each definition refers twice to the next: 2 to the depth when written out."""
    parts: dict[str, Any] = {
        f"d{n}": {
            keyword: [
                {"$ref": f"#/$defs/d{n + 1}"},
                {"$ref": f"#/$defs/d{n + 1}", "properties": {f"p{n}": {"type": "integer"}}},
            ]
        }
        for n in range(depth)
    }
    return {"$ref": "#/$defs/d0", "$defs": parts | {f"d{depth}": {"type": "object"}}}


def crossed(count: int) -> Any:
    """A conjunction of choices over different keys: 2 to the count of combinations."""
    return {
        "allOf": [
            {"oneOf": [{"required": [f"a{n}"]}, {"properties": {f"b{n}": {"const": n}}}]}
            for n in range(count)
        ]
    }


def pigeons(count: int) -> Any:
    """More items than values, each place with all but one of them."""
    values = list(range(count - 1))
    return {
        "type": "array",
        "prefixItems": [{"enum": values} for _ in range(count)],
        "minItems": count,
        "uniqueItems": True,
    }


HOSTILE: dict[str, Callable[[], Any]] = {
    "allOf in allOf": lambda: nested("allOf", 200),
    "oneOf in oneOf": lambda: nested("oneOf", 30),
    "anyOf in anyOf": lambda: nested("anyOf", 200),
    "not in not": lambda: nested("not", 200),
    "allOf twice at each level": lambda: doubled("allOf", 40),
    "oneOf twice at each level": lambda: doubled("oneOf", 40),
    "anyOf twice at each level": lambda: doubled("anyOf", 40),
    "choices over keys": lambda: crossed(40),
    "pigeons": lambda: pigeons(30),
    "pattern: nested counts": lambda: {"type": "string", "pattern": "^(x{1,100}){1,100}$"},
    "pattern: determinisation": lambda: {"type": "string", "pattern": "^(a|b)*a(a|b){24}$"},
    "pattern: product": lambda: {
        "type": "string",
        "allOf": [{"pattern": f"^(a|b)*a(a|b){{{n}}}c"} for n in range(12)],
    },
    "pattern: long count": lambda: {"type": "string", "pattern": "^(ab?){0,100000}$"},
    "pattern: look-aheads": lambda: {
        "type": "string",
        "pattern": "^" + "".join(f"(?=.*{chr(97 + n)})" for n in range(20)) + ".*$",
    },
    "patterns of keys": lambda: {
        "type": "object",
        "patternProperties": {f"^.*{chr(97 + n)}.{{{n}}}z": {"minimum": n} for n in range(12)},
    },
    "a million values": lambda: {"enum": list(range(1_000_000))},
    "a hundred thousand strings": lambda: {"enum": [f"value number {n}" for n in range(100_000)]},
    "ten thousand optional keys": lambda: {
        "type": "object",
        "properties": {f"key{n}": {"type": "integer"} for n in range(10_000)},
        "additionalProperties": False,
    },
    "many counts": lambda: {
        "type": "array",
        "allOf": [
            {"contains": {"multipleOf": n}, "minContains": n, "maxContains": 2 * n}
            for n in range(2, 12)
        ],
        "maxItems": 40,
    },
    "a chain of definitions": lambda: {
        "$ref": "#/$defs/d0",
        "$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(5000)}
        | {"d5000": {"type": "null"}},
    },
    "definitions that refer to each other": lambda: {
        "$ref": "#/$defs/d0",
        "$defs": {
            f"d{n}": {
                "type": "object",
                "properties": {
                    f"p{k}": {"$ref": f"#/$defs/d{(n * 7 + k) % 2000}"} for k in range(20)
                },
            }
            for n in range(2000)
        },
    },
    "set cover": lambda: {
        "type": "object",
        "properties": {f"k{n}": True for n in range(30)},
        "dependentRequired": {
            f"k{n}": [f"k{(n * 7 + 1) % 30}", f"k{(n + 3) % 30}"] for n in range(30)
        },
        "minProperties": 1,
        "maxProperties": 29,
    },
    "large multiples": lambda: {
        "type": "integer",
        "allOf": [{"multipleOf": n} for n in (999_983, 999_979, 999_961, 10**30 + 57)],
    },
    "long numbers": lambda: json.loads('{"minimum": 1' + "0" * 4000 + ', "type": "integer"}'),
    "many prefixes": lambda: {"prefixItems": [{"enum": [n, "x"]} for n in range(2000)]},
}


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    faulthandler.dump_traceback_later(LIMIT, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
@pytest.mark.parametrize("name", HOSTILE)
def test_bounded_work(name: str, spelling: str) -> None:
    try:
        compiled = engine.compile_schema(json.dumps(HOSTILE[name]()), spelling=spelling)
        matcher = compiled.matcher()
        completion = matcher.shortest_completion()
        assert matcher.accept_bytes(completion) == len(completion)
        assert matcher.is_completed()
    except GrammarError as error:
        assert str(error)


@pytest.mark.parametrize(
    "source",
    [
        '{"not":' * 60_000 + "{}" + "}" * 60_000,
        '{"items":' * 5_000 + "{}" + "}" * 5_000,
        "[" * 100_000,
        '{"enum":[' + "[" * 60_000 + "]" * 60_000 + "]}",
        '{"type":"string","pattern":"' + "(" * 50_000 + ")" * 50_000 + '"}',
    ],
    ids=["not", "items", "brackets", "values", "groups"],
)
def test_deep_sources_are_errors(source: str) -> None:
    with pytest.raises(GrammarError):
        engine.compile_schema(source)


def test_deep_dicts_are_errors() -> None:
    schema: Any = {}
    for _ in range(60_000):
        schema = {"not": schema}
    with pytest.raises(GrammarTooComplexError, match="source_nesting"):
        engine.compile_schema(schema)
    while schema:
        # Python itself frees nested dicts without harm only if they are taken apart.
        schema = schema.pop("not")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"$ref": "#"}, "1"),
        ({"allOf": [{"$ref": "#"}]}, "1"),
        ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "null"),
        ({"not": {"$ref": "#"}}, "1"),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
            },
            "1",
        ),
        ({"type": "array", "items": {"$ref": "#"}}, "[[], []]"),
        ({"if": {"$ref": "#"}, "then": {"type": "null"}}, "null"),
        ({"oneOf": [{"$ref": "#"}, {"type": "object"}]}, "{}"),
        ({"oneOf": [{"type": "null"}, {"not": {"$ref": "#"}}]}, "null"),
        ({"anyOf": [{"type": "null"}, {"allOf": [{"$ref": "#"}, {"minimum": 1}]}]}, "null"),
    ],
)
def test_references_without_progress_end(schema: Any, text: str) -> None:
    """A loop is unsatisfiable, or what the rest of it says; a negated one has no meaning."""
    try:
        matcher = engine.compile_schema(schema).matcher()
    except UnsatisfiableSchemaError:
        return
    except GrammarError as error:
        assert "ref" in str(error)
        return
    assert engine.accepts(matcher, text)


def test_values_of_large_enums() -> None:
    schema = json.dumps({"enum": [f"value number {n}" for n in range(10_000)]})
    for spelling in engine.SPELLINGS:
        matcher = engine.compile_schema(schema, spelling=spelling).matcher()
        assert engine.accepts(matcher, '"value number 0"')
        assert engine.accepts(matcher, '"value number 9999"')
        assert not engine.accepts(matcher, '"value number 10000"')
        assert not engine.accepts(matcher, '"value number"')


def test_many_optional_keys() -> None:
    schema = {"type": "object", "properties": {f"k{n}": {"const": n} for n in range(1000)}}
    schema["additionalProperties"] = False
    for spelling in engine.SPELLINGS:
        matcher = engine.compile_schema(schema, spelling=spelling).matcher()
        assert engine.accepts(matcher, '{"k0": 0, "k500": 500, "k999": 999}')
        assert engine.accepts(matcher, '{"k999": 999, "k0": 0}') == (spelling == "any")
        assert not engine.accepts(matcher, '{"k1000": 1000}')
        assert not engine.accepts(matcher, '{"k1": 1, "k1": 1}')
        # What was read is a state; with all the thousand keys these are too many in `any`.
        count = 1000 if spelling == "canonical" else 100
        every = ", ".join(f'"k{n}": {n}' for n in range(count))
        assert engine.accepts(matcher, "{" + every + "}")
        assert not engine.accepts(matcher, "{" + every + ', "k0": 0}')


def test_many_tools() -> None:
    tools = [
        {
            "type": "object",
            "properties": {
                "name": {"const": f"tool{n}"},
                "arguments": {"type": "object", "properties": {f"p{n}": {"type": "integer"}}},
            },
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for n in range(500)
    ]
    for spelling in engine.SPELLINGS:
        matcher = engine.compile_schema({"anyOf": tools}, spelling=spelling).matcher()
        assert engine.accepts(matcher, '{"name": "tool7", "arguments": {"p7": 1}}')
        assert engine.accepts(matcher, '{"name": "tool499", "arguments": {"p7": "x"}}')
        assert not engine.accepts(matcher, '{"name": "tool7", "arguments": {"p7": "x"}}')
        assert not engine.accepts(matcher, '{"name": "tool500", "arguments": {}}')


@pytest.mark.parametrize("depth", [10, 256])
def test_schemas_nest_as_deep_as_other_sources(depth: int) -> None:
    nested = '{"items":' * depth + "true" + "}" * depth
    limits = Limits(source_nesting=depth)
    for schema in (nested, json.loads(nested)):
        Grammar.from_json_schema(schema, limits=limits)
    for schema in ('{"items":' + nested + "}", {"items": json.loads(nested)}):
        with pytest.raises(GrammarTooComplexError, match="source_nesting"):
            Grammar.from_json_schema(schema, limits=limits)
