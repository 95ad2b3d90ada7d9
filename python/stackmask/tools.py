"""Tool calls as models write them: a grammar from the tools of a chat request.

    from stackmask.tools import grammar_for

    ids = {"<tool_call>": 151657, "</tool_call>": 151658}
    grammar = grammar_for("qwen3", tools, "auto", tokens=ids)

Arguments are held to the tool's JSON Schema, whose objects are closed unless they say otherwise.
Which texts are read as calls was looked up in the tool parsers of vLLM 0.33.0
(`vllm/tool_parsers`), SGLang 0.5.23 (`sglang/srt/function_call`) and mistral-common 1.13.1
(`mistral_common/experimental/tools.py`); each family names its parser.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stackmask._native import Grammar, GrammarError

__all__ = ["FAMILIES", "grammar_for", "structural_tag"]

_NAME = re.compile(r"[\w.:/-]+", re.ASCII)


def grammar_for(
    family: str,
    tools: Sequence[Mapping[str, Any]],
    tool_choice: str | Mapping[str, Any] = "auto",
    *,
    parallel: bool = True,
    tokens: Mapping[str, int] | None = None,
) -> Grammar:
    """The texts that a model of a family may answer with.

    Args:
        family: One of `FAMILIES`.
        tools: As in a chat completion: `{"type": "function", "function": {"name", "parameters"}}`.
        tool_choice: `"auto"`: free text, with calls in it. `"required"`: calls, at least one.
            `"none"`: free text without a call.
            `{"type": "function", "function": {"name": ...}}`: one call of this tool.
        parallel: Whether there may be more than one call.
        tokens: The ids of special tokens that stand in the format, by their texts. A special token
            never matches text: without its id, the format is written in ordinary tokens.

    Raises:
        GrammarError: The family is not known, a tool is malformed or its parameters are refused.
    """
    if tool_choice == "none":
        triggers = structural_tag(family, tools, "auto", parallel=parallel)["triggers"]
        text = {"type": "any_text", "excludes": triggers}
        return Grammar.from_structural_tag(text, tokens=tokens)
    spec = structural_tag(family, tools, tool_choice, parallel=parallel)
    return Grammar.from_structural_tag(spec, tokens=tokens)


def structural_tag(
    family: str,
    tools: Sequence[Mapping[str, Any]],
    tool_choice: str | Mapping[str, Any] = "auto",
    *,
    parallel: bool = True,
) -> dict[str, Any]:
    """What `grammar_for` gives to `Grammar.from_structural_tag`, for `tool_choice` but `"none"`."""
    if family not in FAMILIES:
        raise GrammarError(f"no family {family!r}: {', '.join(sorted(FAMILIES))} are known")
    functions = chosen(tools, tool_choice)
    named = isinstance(tool_choice, Mapping)
    return FAMILIES[family](functions, tool_choice != "auto", parallel and not named)


def chosen(
    tools: Sequence[Mapping[str, Any]], tool_choice: str | Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """The functions that may be called, `{"name", "parameters"}` each."""
    functions = [_function(tool) for tool in tools]
    if isinstance(tool_choice, Mapping):
        name = _function(tool_choice)["name"]
        functions = [function for function in functions if function["name"] == name]
        if not functions:
            raise GrammarError(f"tool_choice names no tool: {name!r}")
    elif tool_choice not in ("auto", "required"):
        raise GrammarError(
            'tool_choice must be "auto", "required" or "none", or name a function, '
            f"not {tool_choice!r}"
        )
    if not functions:
        raise GrammarError("there is no tool to call")
    names = [function["name"] for function in functions]
    if len(set(names)) < len(names):
        raise GrammarError("two tools have the same name")
    return functions


def _function(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    function = tool.get("function")
    if tool.get("type") != "function" or not isinstance(function, Mapping):
        raise GrammarError(f"only tools of type function are known, not {json.dumps(tool)[:80]}")
    name = function.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise GrammarError(f"{name!r} is no name of a function: letters, digits and _.:/- are")
    return function


def _tag(begin: str, content: dict[str, Any], end: str) -> dict[str, Any]:
    return {"type": "tag", "begin": begin, "content": content, "end": end}


def _call(begin: str, function: Mapping[str, Any], end: str) -> dict[str, Any]:
    """A tag of one function's arguments."""
    schema = function.get("parameters") or {"type": "object"}
    return _tag(begin, {"type": "json_schema", "json_schema": schema}, end)


def _triggered(triggers: list[str], tags: list[Any], parallel: bool) -> dict[str, Any]:
    return {
        "type": "triggered_tags",
        "triggers": triggers,
        "tags": tags,
        "stop_after_first": not parallel,
    }


def _separated(tags: list[Any], separator: str, parallel: bool) -> dict[str, Any]:
    return {
        "type": "tags_with_separator",
        "tags": tags,
        "separator": separator,
        "at_least_one": True,
        "stop_after_first": not parallel,
    }


def _section(trigger: str, tag: dict[str, Any], forced: bool) -> dict[str, Any]:
    """All calls in one tag, which free text may lead to unless they are forced."""
    return tag if forced else _triggered([trigger], [tag], False)


def hermes(functions: list[Mapping[str, Any]], forced: bool, parallel: bool) -> dict[str, Any]:
    """Hermes, Qwen 2.5 and Qwen 3: a JSON object between `<tool_call>` and `</tool_call>`, each on
    a line of its own.

    Read by vLLM's `hermes_tool_parser.py` and SGLang's `qwen25_detector.py`, which wants the line
    breaks, and `hermes_detector.py`, which does not mind them.
    """
    tags = [
        _call(
            f'<tool_call>\n{{"name": "{function["name"]}", "arguments": ',
            function,
            "}\n</tool_call>",
        )
        for function in functions
    ]
    if forced:
        return _separated(tags, "\n", parallel)
    return _triggered(["<tool_call>"], tags, parallel)


def llama3(functions: list[Mapping[str, Any]], forced: bool, parallel: bool) -> dict[str, Any]:
    """Llama 3: JSON objects with `name` and `parameters`, with `; ` between several.

    Read by vLLM's `llama_tool_parser.py` and SGLang's `llama32_detector.py`, with or without the
    token `<|python_tag|>` before the first.
    """
    start = '{"name": "'
    plain = [
        _call(f'{start}{function["name"]}", "parameters": ', function, "}")
        for function in functions
    ]
    if forced:
        return _separated(plain, "; ", parallel)
    return _triggered([start], plain, parallel)


def deepseek_v3(functions: list[Mapping[str, Any]], forced: bool, parallel: bool) -> dict[str, Any]:
    """DeepSeek V3: all calls in one section, the arguments of each as a block of Markdown.

    Read by vLLM's `deepseekv3_tool_parser.py` and SGLang's `deepseekv3_detector.py`.
    """
    calls = [
        _call(
            f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{function['name']}\n```json\n",
            function,
            "\n```<｜tool▁call▁end｜>",
        )
        for function in functions
    ]
    content = _separated(calls, "\n", parallel)
    trigger = "<｜tool▁calls▁begin｜>"
    return _section(trigger, _tag(trigger, content, "<｜tool▁calls▁end｜>"), forced)


def mistral(functions: list[Mapping[str, Any]], forced: bool, parallel: bool) -> dict[str, Any]:
    """Mistral, tokenizers 2 to 7: a JSON list of calls behind `[TOOL_CALLS]`.

    Read by mistral-common's `experimental/tools.py` and SGLang's `mistral_detector.py`.
    """
    calls = [
        _call(f'{{"name": "{function["name"]}", "arguments": ', function, "}")
        for function in functions
    ]
    content = _separated(calls, ", ", parallel)
    return _section("[TOOL_CALLS]", _tag("[TOOL_CALLS] [", content, "]"), forced)


def mistral_v11(functions: list[Mapping[str, Any]], forced: bool, parallel: bool) -> dict[str, Any]:
    """Mistral, tokenizers from 11 on: `[TOOL_CALLS]name[ARGS]` and the arguments.

    Read by mistral-common's `experimental/tools.py`, vLLM's `mistral_tool_parser.py` and SGLang's
    `mistral_detector.py`.
    """
    calls = [_call(f"[TOOL_CALLS]{function['name']}[ARGS]", function, "") for function in functions]
    if forced:
        return _separated(calls, "", parallel)
    return _triggered(["[TOOL_CALLS]"], calls, parallel)


#: The families, each with the function that writes its format.
FAMILIES: dict[str, Callable[[list[Mapping[str, Any]], bool, bool], dict[str, Any]]] = {
    "deepseek_v3": deepseek_v3,
    "hermes": hermes,
    "llama3": llama3,
    "mistral": mistral,
    "mistral_v11": mistral_v11,
    "qwen2.5": hermes,
    "qwen3": hermes,
}
