"""The naive validator by itself: values, patterns, formats, and each keyword by a few verdicts."""

import re
from typing import Any

import pytest

from json_schema.naive import (
    DRAFTS,
    EndlessReference,
    InvalidText,
    NumberNotCovered,
    PatternNotCovered,
    UnresolvableReference,
    Validator,
    dump,
    parse,
)
from json_schema.naive.formats import holds
from json_schema.naive.patterns import found
from json_schema.naive.values import equal


def verdict(schema: str, text: str, **options: Any) -> bool:
    return Validator(parse(schema), **options).is_valid(parse(text))


def test_numbers_are_exact() -> None:
    assert parse("0.07") % parse("0.01") == 0
    assert parse("9007199254740993") != parse("9007199254740992")
    assert parse("1e2") == parse("100.0")
    assert dump(parse("-0.070")) == "-0.07"
    assert dump(parse('{"a":[1e2,null,true,"é\\n"]}')) == '{"a": [100, null, true, "é\\n"]}'


@pytest.mark.parametrize(
    "text", ['{"a":1,"\\u0061":2}', '"\\ud800"', "NaN", "[1,]", "01", '"\t"', ""]
)
def test_texts_that_are_no_values(text: str) -> None:
    with pytest.raises(InvalidText):
        parse(text)


def test_numbers_beyond_memory_have_no_verdict() -> None:
    with pytest.raises(NumberNotCovered):
        parse("[1e99999]")


def test_equality_is_that_of_values() -> None:
    assert equal(parse('{"a":1,"b":[1.0]}'), parse('{"b":[1],"a":1.0}'))
    assert not equal(parse("[1]"), parse("[true]"))
    assert not equal(parse("0"), parse("false"))


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("^\\d+$", "12", "12\n"),
        ("^\\d$", "1", "١"),
        ("^\\w$", "_", "é"),
        ("^\\s$", "\ufeff", "\x1c"),
        ("^.$", "😀", "\u2028"),
        ("^[^]$", "\n", ""),
        ("[]|a", "a", "b"),
        ("^[\\d-x]$", "-", "w"),
        ("^\\p{Lu}\\P{Lu}$", "Aa", "AA"),
        ("^[\\b]$", "\b", "b"),
        ("\\bab\\b", "é ab", "_ab"),
        ("^\\u{1F600}\\uD83D\\uDE00$", "😀😀", "😀"),
        ("^(?<x>a)\\k<x>$", "aa", "ab"),
        ("^(?:a|b){,2}$", "a{,2}", "aa"),
        ("^[[&&x]$", "&", "]"),
        ("^\\/\\-\\cA$", "/-\x01", "/-A"),
    ],
)
def test_patterns_are_those_of_ecmascript(pattern: str, yes: str, no: str) -> None:
    assert found(pattern, yes)
    assert not found(pattern, no)


def test_patterns_without_a_verdict() -> None:
    for pattern in ("(?<=a+)b", "\\p{Script=Greek}", "(?i:a)"):
        with pytest.raises(PatternNotCovered):
            found(pattern, "a")
    for pattern in ("a++", "[b-a]", "(", "\\u00g0"):
        with pytest.raises(re.error):
            found(pattern, "a")


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("time", "23:59:60Z", "22:59:60Z"),
        ("date-time", "2024-02-29t10:00:00.5+01:00", "2024-02-29 10:00:00Z"),
        ("duration", "P1Y2M3DT4H5M6S", "P1Y2D"),
        ("email", '"a b"@c', "a..b@c"),
        ("ipv4", "0.0.0.0", "01.0.0.0"),
        ("ipv6", "1::1.2.3.4", "1.2.3.4::"),
        ("uri", "a:b", "//a"),
        ("uri-reference", "./a:b", "1:b"),
        ("hostname", "a-b.c", "a-.c"),
        ("json-pointer", "/~0~1", "/~2"),
        ("regex", "^a$", "^(a"),
        ("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380", "2eb8-aa08aa98-11ea-b4aa73b441d16380"),
        ("uri-template", "a{?b,c*}", "a{"),
    ],
)
def test_formats(name: str, yes: str, no: str) -> None:
    assert holds(name, yes)
    assert not holds(name, no)
    assert verdict(f'{{"format": "{name}"}}', dump(no))
    assert not verdict(f'{{"format": "{name}"}}', dump(no), formats=True)


@pytest.mark.parametrize(
    ("draft", "schema", "yes", "no"),
    [
        ("4", '{"type": "integer"}', "1", "1.0"),
        ("4", '{"minimum": 1, "exclusiveMinimum": true}', "2", "1"),
        ("4", '{"const": 1, "type": "integer"}', "2", "null"),
        ("6", '{"type": "integer"}', "1.0", "1.5"),
        ("6", '{"if": true, "then": false, "const": 1}', "1", "2"),
        (
            "7",
            '{"$ref": "#/definitions/a", "type": "null", "definitions": {"a": {"const": 1}}}',
            "1",
            "2",
        ),
        ("7", '{"dependencies": {"a": ["b"]}}', '{"b":1}', '{"a":1}'),
        ("7", '{"items": [{"const": 1}], "additionalItems": false}', "[1]", "[1,1]"),
        ("2019-09", '{"contains": {"const": 1}, "maxContains": 1}', "[1,2]", "[1,1]"),
        ("2019-09", '{"contains": true, "unevaluatedItems": false}', "1", "[1]"),
        ("2020-12", '{"contains": true, "unevaluatedItems": false}', "[1]", "[]"),
        ("2020-12", '{"dependencies": {"a": ["b"]}, "required": ["a"]}', '{"a":1}', "{}"),
        ("2020-12", '{"prefixItems": [true], "items": false}', "[1]", "[1,1]"),
        ("2020-12", '{"multipleOf": 0.07}', "0.21", "0.22"),
        ("2020-12", '{"oneOf": [{"minimum": 1}, {"maximum": 2}]}', "3", "1.5"),
        (
            "2020-12",
            '{"anyOf": [{"properties": {"a": true}}, {"properties": {"b": true}}],'
            ' "unevaluatedProperties": false}',
            '{"a":1,"b":1}',
            '{"c":1}',
        ),
        (
            "2020-12",
            '{"$ref": "#a", "minimum": 1, "$defs": {"x": {"$anchor": "a", "maximum": 2}}}',
            "1",
            "0",
        ),
    ],
)
def test_drafts_keep_their_rules(draft: str, schema: str, yes: str, no: str) -> None:
    assert verdict(schema, yes, draft=draft)
    assert not verdict(schema, no, draft=draft)


def test_the_draft_is_taken_from_the_schema() -> None:
    for draft in DRAFTS.values():
        schema = f'{{"$schema": "{draft.uri}#", "type": "integer"}}'
        assert verdict(schema, "1.0") == (draft.year > 4)


def test_references_without_an_end_or_a_target() -> None:
    with pytest.raises(EndlessReference):
        verdict('{"$ref": "#"}', "1")
    with pytest.raises(UnresolvableReference):
        verdict('{"$ref": "#/$defs/a"}', "1")
    assert verdict('{"items": {"$ref": "#"}, "type": "array"}', "[[[]]]")
