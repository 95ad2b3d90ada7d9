"""Tool calls of model families: what the parsers of servers read, and nothing else."""

import json
import re
from typing import Any

import pytest

from languages import accepts
from stackmask import Grammar, GrammarCompiler, GrammarError, Vocabulary
from stackmask.tools import FAMILIES, grammar_for
from stand_ins import tool

BYTES = GrammarCompiler(Vocabulary.byte_level())
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
TOOLS = [tool("get_weather", WEATHER), tool("now")]
ARGUMENTS = '{"city": "Rome", "days": 3}'
#: A call of each tool in each family, and what stands between two.
CALLS = {
    "hermes": (
        '<tool_call>\n{"name": "get_weather", "arguments": %s}\n</tool_call>',
        '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
        "\n",
    ),
    "llama3": (
        '{"name": "get_weather", "parameters": %s}',
        '{"name": "now", "parameters": {}}',
        "; ",
    ),
    "mistral_v11": ("[TOOL_CALLS]get_weather[ARGS]%s", "[TOOL_CALLS]now[ARGS]{}", ""),
    "deepseek_v3": (
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n%s\n```<｜tool▁call▁end｜>",
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜>",
        "\n",
    ),
    "mistral": (
        '{"name": "get_weather", "arguments": %s}',
        '{"name": "now", "arguments": {}}',
        ", ",
    ),
}
CALLS["qwen2.5"] = CALLS["qwen3"] = CALLS["hermes"]
SECTION = {
    "deepseek_v3": ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    "mistral": ("[TOOL_CALLS] [", "]"),
}
family = pytest.mark.parametrize("family", sorted(FAMILIES))


def texts(family: str) -> tuple[str, str, str]:
    """A call of the first tool, one of the second, and both."""
    first, second, separator = CALLS[family]
    begin, end = SECTION.get(family, ("", ""))
    first = first % ARGUMENTS
    return tuple(begin + call + end for call in (first, second, first + separator + second))  # type: ignore[return-value]


def check(grammar: Grammar, good: list[str], bad: list[str]) -> None:
    matcher = BYTES.compile(grammar).matcher()
    assert [text for text in good if not accepts(matcher, text.encode())] == []
    assert [text for text in bad if accepts(matcher, text.encode())] == []


@family
def test_calls_of_each_family(family: str) -> None:
    first, second, both = texts(family)
    wrong = first.replace('"Rome"', "7")
    check(
        grammar_for(family, TOOLS, "required"),
        [first, second, both],
        ["", "Hi", wrong, f"{first} and"],
    )
    check(grammar_for(family, TOOLS, "required", parallel=False), [first, second], ["", both])
    check(grammar_for(family, TOOLS, tool("now")), [second], ["", first, both])
    auto = grammar_for(family, TOOLS)
    check(auto, ["", "Hi", first, f"Well: {both}"], [wrong, f"Well: {first[:-1]}"])
    check(grammar_for(family, TOOLS, "none"), ["", "Hi"], [first, f"Well: {both}"])


def test_the_parsers_regex_of_deepseek_reads_the_calls() -> None:
    pattern = re.compile(
        r"<｜tool▁call▁begin｜>(.*)<｜tool▁sep｜>(.*)\n```json\n([\s\S]*?)\n```<｜tool▁call▁end｜>"
    )
    found = pattern.findall(texts("deepseek_v3")[2])
    assert found == [("function", "get_weather", ARGUMENTS), ("function", "now", "{}")]


def test_json_of_the_other_families_is_json() -> None:
    for name in ("hermes", "llama3", "mistral"):
        call = CALLS[name][0] % ARGUMENTS
        inner = call.removeprefix("<tool_call>").removesuffix("</tool_call>")
        assert json.loads(inner)["name"] == "get_weather"


def test_special_tokens_stand_for_themselves() -> None:
    tokens = [bytes([byte]) for byte in range(256)] + [None] * 3
    vocabulary = Vocabulary(tokens, stop_token_ids=[256], special_token_ids=[257, 258])
    ids = {"<tool_call>": 257, "</tool_call>": 258}
    grammar = grammar_for("qwen3", TOOLS, tokens=ids)
    matcher = GrammarCompiler(vocabulary).compile(grammar).matcher()
    call = [*b"Hi ", 257, *b'\n{"name": "now", "arguments": {}}\n', 258]
    assert matcher.accept_tokens(call) == len(call)
    assert matcher.is_completed()
    assert matcher.accept_tokens(b"<tool_call") == 10
    assert not matcher.is_token_allowed(ord(">"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gpt", TOOLS), "no family"),
        (("hermes", []), "no tool"),
        (("hermes", [{"type": "x"}]), "of type function"),
        (("hermes", TOOLS, "any"), "tool_choice"),
        (("hermes", TOOLS, tool("no")), "names no tool"),
        (("hermes", [TOOLS[1], TOOLS[1]]), "the same name"),
        (("hermes", [tool('a"')]), "no name"),
    ],
)
def test_what_is_wrong_is_named(arguments: Any, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        grammar_for(*arguments)
