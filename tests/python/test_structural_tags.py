"""Structural tags: free text, tags, and nothing between them that is missed."""

import itertools
import json
import random
import re
from typing import Any

import numpy as np
import pytest

from languages import accepts
from seeds import seed
from stackmask import Grammar, GrammarCompiler, GrammarError, Vocabulary

BYTES = GrammarCompiler(Vocabulary.byte_level())
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
CALL = {
    "type": "tag",
    "begin": "<fn=get>",
    "content": {"type": "json_schema", "json_schema": WEATHER},
    "end": "</fn>",
}
NOW = {
    "type": "tag",
    "begin": "<fn=now>",
    "content": {"type": "regex", "pattern": "[0-9]{2}"},
    "end": "</fn>",
}
GET = '<fn=get>{"city": "Rome"}</fn>'
TAGS = {"type": "triggered_tags", "triggers": ["<fn="], "tags": [CALL, NOW]}


def check(spec: Any, good: list[str], bad: list[str], **options: Any) -> None:
    matcher = BYTES.compile(Grammar.from_structural_tag(spec, **options)).matcher()
    assert [text for text in good if not accepts(matcher, text.encode())] == []
    assert [text for text in bad if accepts(matcher, text.encode())] == []


def test_triggered_tags() -> None:
    good = [
        "",
        "hello <fn",
        "é" * 300,
        GET,
        f"a{GET}b<fn=now>12</fn>c",
        f"{GET}{GET}",
        "</fn> <<fn",
    ]
    bad = ["<fn=", "<fn=x", "<fn=get>{}</fn>", f"a{GET[:-1]}", "<fn=now>1</fn>", f"{GET}<fn="]
    check({"type": "structural_tag", "format": TAGS}, good, bad)
    check(json.dumps(TAGS), good, bad)


def test_at_least_one_and_stop_after_first() -> None:
    once = {**TAGS, "stop_after_first": True}
    check(once, ["", "a", f"a {GET}"], [f"{GET} b", f"{GET}{GET}", "<fn="])
    least = {**TAGS, "at_least_one": True}
    check(least, [GET, f"{GET} b", f"{GET}b{GET}"], ["", "a", f"a{GET}"])
    check({**least, "stop_after_first": True}, [GET], ["", "a", f"{GET} b", f"a{GET}"])


def test_the_legacy_form() -> None:
    spec = {
        "type": "structural_tag",
        "structures": [{"begin": "<fn=get>", "schema": WEATHER, "end": "</fn>"}],
        "triggers": ["<fn="],
    }
    check(spec, ["", GET, f"a{GET}b"], ["<fn=now>12</fn>", "<fn=get>{}</fn>"])


def test_tags_with_separators() -> None:
    spec: dict[str, Any] = {"type": "tags_with_separator", "tags": [CALL, NOW], "separator": ", "}
    two = f"{GET}, <fn=now>12</fn>"
    check(spec, ["", GET, two], [f"{GET},", f"{GET}{GET}", "a"])
    check({**spec, "at_least_one": True}, [GET, two], [""])
    check({**spec, "stop_after_first": True}, ["", GET], [two])


def test_the_other_formats() -> None:
    word = {"type": "regex", "pattern": "[a-z]+"}
    dash = {"type": "const_string", "value": "--"}
    check({"type": "sequence", "elements": [word, dash, word]}, ["a--b"], ["a--", "--b", "a-b"])
    check({"type": "or", "elements": [dash, word]}, ["--", "ab"], ["", "--a"])
    check({"type": "optional", "content": dash}, ["", "--"], ["----"])
    check({"type": "star", "content": dash}, ["", "--", "------"], ["-"])
    check({"type": "plus", "content": dash}, ["--", "------"], [""])
    check({"type": "repeat", "content": dash, "min": 1, "max": 2}, ["--", "----"], ["", "------"])
    check({"type": "repeat", "content": dash, "min": 2, "max": -1}, ["----", "-" * 20], ["--"])
    check({"type": "any_text", "excludes": ["ab"]}, ["", "ba", "é"], ["ab", "aab"])
    check({"type": "any_text"}, ["", "a\0b"], [])


def test_free_text_in_a_tag_ends_with_it() -> None:
    think = {
        "type": "tag",
        "begin": "<think>",
        "content": {"type": "any_text", "excludes": ["no"]},
        "end": ["</think>", "</t>"],
    }
    spec = {"type": "sequence", "elements": [think, TAGS]}
    good = ["<think></think>", "<think>a</thin</t>b", f"<think><fn=</think>{GET}"]
    bad = ["<think>no</think>", "</think>", "<think>a", "<think>a</think><fn=</think>"]
    check(spec, good, bad)
    overlap = {"type": "tag", "begin": "(", "content": {"type": "any_text"}, "end": "aa"}
    check(overlap, ["(aa", "(baa", "(abaa"], ["(aaa", "(a"])
    inner = {"type": "tag", "begin": "[", "content": TAGS, "end": "]"}
    check(inner, ["[]", f"[a{GET}b]"], ["[]]", "[a]b]", "[<fn=]"])


def test_special_tokens_begin_and_end() -> None:
    tokens = [bytes([byte]) for byte in range(256)] + [None, None, None]
    vocabulary = Vocabulary(tokens, stop_token_ids=[256], special_token_ids=[257, 258])
    compiler = GrammarCompiler(vocabulary)
    ids = {"<call>": 257, "</call>": 258}
    number = {"type": "regex", "pattern": "[0-9]"}
    tag = {"type": "tag", "begin": "<call>n:", "content": number, "end": "</call>"}
    spec = {"type": "triggered_tags", "triggers": ["<call>"], "tags": [tag]}
    texts = [
        ([*b"a", 257, *b"n:1", 258, *b"b"], True),
        ([257, *b"n:1", 258, 257, *b"n:2", 258], True),
        ([*b"a"], True),
        ([257, *b"n:12"], False),
        ([257, *b"1"], False),
        ([258], False),
        ([*b"<call>"], False),
        ([257, *b"n:1</call>"], False),
    ]
    explicit = {
        "type": "tag",
        "begin": {"type": "token", "token": 257},
        "content": {
            "type": "sequence",
            "elements": [{"type": "const_string", "value": "n:"}, number],
        },
        "end": {"type": "token", "token": "</call>"},
    }
    for given in (spec, {"type": "star", "content": explicit}):
        compiled = compiler.compile(Grammar.from_structural_tag(given, tokens=ids))
        for text, whole in texts:
            if given is not spec and text[0] < 256:
                continue
            matcher = compiled.matcher()
            taken = matcher.accept_tokens(text)
            assert (taken == len(text) and matcher.is_completed()) == whole, text
    mask = compiler.compile(Grammar.from_structural_tag(spec, tokens=ids)).matcher()
    assert [mask.is_token_allowed(id) for id in (97, 256, 257, 258)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{", "no JSON"),
        ([], "an object"),
        ({"type": "grammar", "grammar": 'root ::= "a"'}, "EBNF"),
        ({"type": "qwen_xml_parameter", "json_schema": {}}, "qwen_xml_parameter"),
        ({"type": "any_tokens"}, "any_tokens"),
        ({"type": "const_string"}, "value"),
        ({"type": "const_string", "value": "a", "vlaue": "b"}, "vlaue"),
        ({"type": "json_schema", "json_schema": {}, "style": "qwen_xml"}, "style"),
        ({**TAGS, "triggers": ["<x"]}, "one trigger"),
        ({**TAGS, "triggers": ["<f", "<fn"]}, "one trigger"),
        ({**TAGS, "triggers": [""]}, "triggers"),
        ({**TAGS, "at_least_one": 1}, "at_least_one"),
        ({**TAGS, "tags": []}, "tags"),
        ({"type": "token", "token": "<x>"}, "is not given"),
        ({"type": "token", "token": -1}, "no token"),
        ({"type": "repeat", "content": {}, "min": 2, "max": 1}, "less than"),
        ({"type": "tag", "begin": "a", "content": {"type": "any_text"}}, "end"),
        ({"type": "grammar", "grammar": 'start: "a"'}, "Lark"),
    ],
)
def test_what_is_not_enforced_is_refused(spec: Any, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        Grammar.from_structural_tag(spec)


def test_deep_formats_are_refused() -> None:
    spec: dict[str, Any] = {"type": "const_string", "value": "a"}
    for _ in range(63):
        spec = {"type": "optional", "content": spec}
    Grammar.from_structural_tag(spec)
    with pytest.raises(GrammarError, match="deep"):
        Grammar.from_structural_tag({"type": "optional", "content": spec})


def texts_of(triggers: list[str], tags: list[tuple[str, str, str]], text: str) -> bool:
    """Whether a text is free text and tags. Each place before free text is looked at once."""
    ends = {0}
    for start in range(len(text) + 1):
        if start not in ends:
            continue
        found = [
            (at + len(trigger), -len(trigger), at, trigger)
            for trigger in triggers
            if (at := text.find(trigger, start)) >= 0
        ]
        if not found:
            return True
        _, _, at, _ = min(found)
        for begin, pattern, end in tags:
            if text.startswith(begin, at):
                inside = at + len(begin)
                for stop in range(inside, len(text) + 1):
                    if re.fullmatch(pattern, text[inside:stop]) and text.startswith(end, stop):
                        ends.add(stop + len(end))
    return False


def test_random_tags_agree_with_a_search_for_triggers() -> None:
    rng = random.Random(seed())
    for _ in range(30):
        triggers = list({"".join(rng.choices("ab", k=rng.randint(1, 3))) for _ in range(2)})
        tags = []
        for trigger in triggers:
            if any(other != trigger and trigger.startswith(other) for other in triggers):
                continue
            for _ in range(rng.randint(1, 2)):
                begin = trigger + "".join(rng.choices("abx", k=rng.randint(0, 1)))
                tags.append(
                    (begin, rng.choice(["", "x?", "[ax]", "b"]), rng.choice(["x", "a", "bx"]))
                )
        spec = {
            "type": "triggered_tags",
            "triggers": [t for t in triggers if any(begin.startswith(t) for begin, _, _ in tags)],
            "tags": [
                {"begin": begin, "content": {"type": "regex", "pattern": pattern}, "end": end}
                for begin, pattern, end in tags
            ],
        }
        try:
            matcher = BYTES.compile(Grammar.from_structural_tag(spec)).matcher()
        except GrammarError as error:
            assert "one trigger" in str(error)
            continue
        for length in range(6):
            for letters in itertools.product("abx", repeat=length):
                text = "".join(letters)
                expected = texts_of(spec["triggers"], tags, text)
                assert accepts(matcher, text.encode()) == expected, (spec, text)


def test_masks_of_long_free_text_walk_no_more() -> None:
    compiled = BYTES.compile(Grammar.from_structural_tag(TAGS))
    matcher = compiled.matcher()
    assert matcher.accept_bytes("ein Wort, 中文 <f ".encode() * 3) == len(
        ("ein Wort, 中文 <f " * 3).encode()
    )
    matcher.next_token_bitmask()
    states = compiled.num_states
    text = "ein Wort, 中文 <f ".encode() * 500
    assert matcher.accept_bytes(text) == len(text)
    matcher.next_token_bitmask()
    assert compiled.num_states == states


def test_tags_are_saved_with_their_schemas() -> None:
    grammar = Grammar.from_structural_tag(TAGS)
    assert Grammar.from_bytes(grammar.to_bytes()) == grammar


def cross_borders(spec: Any, text: str, odd: set[bytes], **options: Any) -> None:
    """Holds masks along a text to trials of all tokens: the pieces of the text, and odd ones."""
    pieces = {text[at : at + n].encode() for n in range(1, 9) for at in range(len(text) - n + 1)}
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += sorted(piece for piece in pieces | odd if len(piece) > 1)
    vocabulary = Vocabulary([*tokens, None], stop_token_ids=[len(tokens)])
    grammar = Grammar.from_structural_tag(spec, **options)
    matcher = GrammarCompiler(vocabulary).compile(grammar).matcher()
    by_bytes = BYTES.compile(grammar).matcher()
    for at in range(len(text)):
        for id, token in enumerate(tokens):
            taken = by_bytes.accept_bytes(token)
            assert matcher.is_token_allowed(id) == (taken == len(token)), (text[:at], token)
            if taken:
                by_bytes.rollback(1)
        # The second mask of a place may be a remembered one.
        for _ in range(2):
            mask = matcher.allowed_token_ids().tolist()
            stop = [len(tokens)] if matcher.is_completed() else []
            assert mask == [id for id in range(len(tokens)) if matcher.is_token_allowed(id)] + stop
            bitmask = np.zeros(len(tokens) // 32 + 1, np.int32)
            assert matcher.fill_next_token_bitmask(bitmask)
            assert (bitmask == matcher.next_token_bitmask()).all()
        matcher.accept_bytes(text[at].encode())
        by_bytes.accept_bytes(text[at].encode())
    assert matcher.is_completed()


def test_tokens_may_cross_every_border() -> None:
    text = f"ab <f{GET} é<fn=now>12</fn>."
    odd = {b"x<fn=", b"<fn=z", b"</fn><fn=now>1", b"<fn</fn>", b'"}</fn>x', b"2</fn><f"}
    cross_borders(TAGS, text, odd)


#: Objects of integers with any keys.
OPEN = {"type": "object", "additionalProperties": {"type": "integer"}}
OPEN_CALL = {
    "type": "tag",
    "begin": "<o>",
    "content": {"type": "json_schema", "json_schema": OPEN},
    "end": "</o>",
}
OPEN_TAGS = {"type": "triggered_tags", "triggers": ["<"], "tags": [OPEN_CALL, CALL]}


def test_keys_are_compared_within_each_value() -> None:
    value = '<o>{"a": 1, "b": 2}</o>'
    again = ['{"a": 1, "a": 2}', '{"a": 1, "b": 2, "\\u0061": 3}']
    check(
        OPEN_TAGS,
        [value, value * 2, f'{{"a": 1, "a": 2, "{value}"a": [', f'"{value}", {value}{GET}'],
        [f"<o>{each}</o>" for each in again] + [f'{value}"a" {{<o>{each}</o>' for each in again],
    )
    anything = {
        "type": ["object", "array", "string", "integer"],
        "additionalProperties": {"$ref": "#"},
        "items": {"$ref": "#"},
    }
    value = {"type": "json_schema", "json_schema": anything}
    check(
        {"type": "sequence", "elements": [value, {"type": "const_string", "value": " = "}, value]},
        ['{"a": {"a": 1}} = {"a": [{"b": 1}, {"b": 2}]}', '"{" = {}', "12 = []"],
        [
            '{"a": {"b": 1, "b": 1}} = {}',
            '{} = {"a": [{"b": 1, "c": 2, "b": 2}]}',
            '{"a": 1, "a": 1} = 1',
        ],
    )


@pytest.mark.parametrize("spelling", ["canonical", "any"])
def test_tokens_may_hold_several_keys_and_what_is_around(spelling: str) -> None:
    text = '{"x": 1 "x<o>{"x": 1, "y": 22}</o>"y"<o>{"y": 1}</o>.'
    odd = {
        *(b'"x": 1, "x"', b'<o>{"x": 1, "x"', b'<o>{"x": 1, "y"', b'"x": 1, "x": 1, "z": 1'),
        *(b'2}</o>"y"<o>{"y": 1, "y"', b'2}</o>"y"<o>{"x": 1, "y"', b'"y": 1, "x', b'}</o>"y": 1'),
        *(b'"x<o>{"x', b'", "x": 1, "x": 1', b'": 1, "x', b'": 1, "x"', b'", "y"'),
    }
    cross_borders(OPEN_TAGS, text, odd, spelling=spelling)


def test_random_values_agree_with_a_comparison_of_their_keys() -> None:
    rng = random.Random(seed())
    matcher = BYTES.compile(Grammar.from_structural_tag(OPEN_TAGS, spelling="any")).matcher()
    verdicts = set()
    for _ in range(300):
        text, good = "", True
        for _ in range(rng.randint(1, 3)):
            text += "".join(
                rng.choices(['"', "{", "[", "}", "]", ",", "\\", "a", " "], k=rng.randint(0, 5))
            )
            keys = rng.choices(["a", "b", "ab", "", "\\u0062"], k=rng.randint(0, 3))
            good &= len({key.replace("\\u0062", "b") for key in keys}) == len(keys)
            members = ", ".join(f'"{key}": {rng.randint(0, 20)}' for key in keys)
            text += f"<o>{{{members}}}</o>"
        assert accepts(matcher, text.encode()) == good, text
        verdicts.add(good)
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    "elements",
    [
        [{"type": "any_text"}, OPEN_CALL["content"]],
        [{"type": "regex", "pattern": "a*"}, OPEN_CALL["content"]],
        [
            {"type": "optional", "content": {"type": "const_string", "value": "["}},
            OPEN_CALL["content"],
        ],
    ],
)
def test_values_that_cannot_be_told_from_text_are_refused(elements: list[Any]) -> None:
    with pytest.raises(GrammarError, match="cannot be told"):
        Grammar.from_structural_tag({"type": "sequence", "elements": elements})
    closed = {"type": "json_schema", "json_schema": WEATHER}
    Grammar.from_structural_tag({"type": "sequence", "elements": [elements[0], closed]})


def test_items_stay_unique_within_tags() -> None:
    items = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    spec = {
        "type": "tag",
        "begin": "[",
        "content": {"type": "json_schema", "json_schema": items},
        "end": "]",
    }
    check(spec, ['[["a", "b"]]', "[[]]"], ['[["a", "a"]]'])
