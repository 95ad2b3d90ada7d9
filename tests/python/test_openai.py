"""Request fields of OpenAI-compatible servers: what is known is enforced, the rest refused."""

import json

import jsonschema
import pytest

from stackmask import Grammar, GrammarCompiler, GrammarError, Vocabulary
from stackmask.openai import from_response_format, from_structured_outputs, tool_call_schema
from stand_ins import tool

COMPILER = GrammarCompiler(Vocabulary.byte_level())
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def accepts(grammar, text):
    matcher = COMPILER.compile(grammar).matcher()
    return matcher.accept_bytes(text.encode()) == len(text.encode()) and matcher.is_completed()


def test_response_formats():
    assert from_response_format({"type": "text"}) is None
    assert accepts(from_response_format({"type": "json_object"}), '{"x": [1]}')
    assert not accepts(from_response_format({"type": "json_object"}), "[1]")
    envelope = {"name": "n", "strict": True, "schema": SCHEMA}
    grammar = from_response_format({"type": "json_schema", "json_schema": envelope})
    assert accepts(grammar, '{"a": 1}')
    assert not accepts(grammar, '{"a": "1"}')


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "None"),
        ({"type": "structural_tag"}, "structural_tag"),
        ({"type": "grammar"}, "grammar"),
        ({"type": "json_schema"}, "schema"),
        ({"type": "json_schema", "json_schema": {"name": "x"}}, "schema"),
        ({"type": "json_object", "schema": SCHEMA}, "schema"),
        ({"type": "json_schema", "json_schema": {"schema": SCHEMA, "extra": 1}}, "extra"),
        ({"type": "json_schema", "json_schema": {"schema": {"type": "integr"}}}, "integr"),
    ],
)
def test_other_response_formats_are_refused(given, message):
    with pytest.raises(GrammarError, match=message):
        from_response_format(given)


@pytest.mark.parametrize(
    ("given", "good", "bad"),
    [
        ({"json": SCHEMA}, '{"a": 1}', '{"a": 1.5}'),
        ({"json": json.dumps(SCHEMA)}, '{"a":1}', "{}"),
        ({"json_object": True}, "{}", "1"),
        ({"regex": "a+", "choice": None}, "aa", "b"),
        ({"choice": ["x", "y"]}, "y", "z"),
        ({"grammar": 'start: "a" "b"'}, "ab", "a"),
        ({"json": SCHEMA, "disable_any_whitespace": True}, '{"a":1}', '{"a": 1}'),
        ({"json": SCHEMA, "whitespace_pattern": " "}, ' { "a" : 1 } ', '{"a":1}'),
        ({"json": SCHEMA, "disable_additional_properties": True}, '{"a":1}', '{"a":1,"b":2}'),
    ],
)
def test_structured_outputs(given, good, bad):
    grammar = from_structured_outputs(given)
    assert accepts(grammar, good)
    assert not accepts(grammar, bad)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "none"),
        ({"json": SCHEMA, "regex": "a"}, "json, regex"),
        ({"guided_json": SCHEMA}, "name it json"),
        ({"guided_choice": ["a"]}, "name it choice"),
        ({"json_object": False}, "must be true"),
        ({"structural_tag": "{}"}, "of type None"),
        ({"grammar": "root ::= a"}, "no rule"),
        ({"regexp": "a"}, "regexp"),
    ],
)
def test_other_structured_outputs_are_refused(given, message):
    with pytest.raises(GrammarError, match=message):
        from_structured_outputs(given)


TOOLS = [tool("add", SCHEMA), tool("now")]


def test_structural_tags_and_gbnf():
    tag = {
        "type": "structural_tag",
        "format": {"type": "const_string", "value": "a"},
    }
    assert from_response_format(tag) == from_structured_outputs({"structural_tag": tag})
    assert from_structured_outputs({"grammar": "root ::= [ab]"}) == Grammar.from_gbnf(
        "root ::= [ab]"
    )


def test_tool_calls():
    schema = tool_call_schema(TOOLS)
    grammar = Grammar.from_json_schema(schema)
    for call in (
        {"name": "add", "arguments": {"a": 5}},
        {"name": "now", "arguments": {}},
    ):
        jsonschema.validate(call, schema)
        assert accepts(grammar, json.dumps(call))
    assert not accepts(grammar, '{"name": "add", "arguments": {}}')
    assert not accepts(grammar, '{"name": "sub", "arguments": {"a": 1}}')
    chosen = tool_call_schema(TOOLS, tool("now"))
    assert not accepts(Grammar.from_json_schema(chosen), '{"name": "add", "arguments": {"a": 5}}')


@pytest.mark.parametrize(
    ("tools", "choice"),
    [
        ([], "required"),
        (TOOLS, "auto"),
        (TOOLS, "none"),
        (TOOLS, tool("gone")),
        ([{"type": "browser"}], "required"),
        ([{"type": "function", "function": {}}], "required"),
    ],
)
def test_other_tools_are_refused(tools, choice):
    with pytest.raises(GrammarError):
        tool_call_schema(tools, choice)
