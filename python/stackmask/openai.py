"""Request fields of OpenAI-compatible servers, as grammars.

What is not known is refused: a constraint that is ignored looks like one that holds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stackmask._native import Grammar, GrammarError
from stackmask.integrations.specs import written_grammar
from stackmask.tools import chosen

__all__ = ["from_response_format", "from_structured_outputs", "tool_call_schema"]

_REMOVED = {
    "guided_json": "json",
    "guided_regex": "regex",
    "guided_choice": "choice",
    "guided_grammar": "grammar",
}
_CONSTRAINTS = ("json", "json_object", "regex", "choice", "grammar", "structural_tag")
_JSON_OPTIONS = ("disable_any_whitespace", "disable_additional_properties", "whitespace_pattern")


def from_response_format(
    response_format: Mapping[str, Any], *, tokens: Mapping[str, int] | None = None
) -> Grammar | None:
    """The grammar of a chat completion's `response_format`; None for plain text.

    Args:
        response_format: The field.
        tokens: The ids of special tokens by their texts, for structural tags.

    Raises:
        GrammarError: The type is unknown, a field is missing or unknown, or the schema is refused.
    """
    _check_mapping(response_format, "response_format")
    kind = response_format.get("type")
    match kind:
        case "text":
            _only(response_format, "response_format", "type")
            return None
        case "json_object":
            _only(response_format, "response_format", "type")
            return Grammar.from_json_schema({"type": "object"})
        case "json_schema":
            _only(response_format, "response_format", "type", "json_schema")
            envelope = response_format.get("json_schema")
            if not isinstance(envelope, Mapping) or "schema" not in envelope:
                raise GrammarError("response_format.json_schema needs a field schema")
            known = ("name", "description", "schema", "strict")
            _only(envelope, "response_format.json_schema", *known)
            return Grammar.from_json_schema(envelope["schema"])
        case "structural_tag":
            return Grammar.from_structural_tag(response_format, tokens=tokens)
        case _:
            raise GrammarError(
                f"response_format of type {kind!r} is not enforced: "
                'only "text", "json_object", "json_schema" and "structural_tag" are'
            )


def from_structured_outputs(
    structured_outputs: Mapping[str, Any], *, tokens: Mapping[str, int] | None = None
) -> Grammar:
    """The grammar of vLLM's `structured_outputs`, which hold one constraint.

    Args:
        structured_outputs: The field. A grammar in it is GBNF if it has rules written with `::=`,
            else Lark's.
        tokens: The ids of special tokens by their texts, for structural tags.

    Raises:
        GrammarError: There is none, more than one, or one that is not known or was removed.
    """
    _check_mapping(structured_outputs, "structured_outputs")
    for removed, name in _REMOVED.items():
        if removed in structured_outputs:
            raise GrammarError(f"{removed} was removed from servers: name it {name}")
    _only(structured_outputs, "structured_outputs", *_CONSTRAINTS, *_JSON_OPTIONS)
    given = [name for name in _CONSTRAINTS if structured_outputs.get(name) is not None]
    if len(given) != 1:
        listed = ", ".join(given) or "none"
        raise GrammarError(f"structured_outputs hold one constraint, not {listed}")
    value = structured_outputs[given[0]]
    match given[0]:
        case "json":
            return Grammar.from_json_schema(value, **_json_options(structured_outputs))
        case "json_object":
            if value is not True:
                raise GrammarError(f"structured_outputs.json_object must be true, not {value!r}")
            return Grammar.from_json_schema({"type": "object"}, **_json_options(structured_outputs))
        case "regex":
            return Grammar.from_regex(value)
        case "choice":
            return Grammar.from_choices(value)
        case "grammar":
            return written_grammar(value)
        case _:
            return Grammar.from_structural_tag(
                value, tokens=tokens, **_json_options(structured_outputs)
            )


def tool_call_schema(
    tools: Sequence[Mapping[str, Any]], tool_choice: str | Mapping[str, Any] = "required"
) -> dict[str, Any]:
    """The JSON Schema of one call of a tool, `{"name": ..., "arguments": {...}}`.

    Args:
        tools: As in a chat completion: `{"type": "function", "function": {"name", "parameters"}}`.
        tool_choice: `"required"`, or `{"type": "function", "function": {"name": ...}}`. With
            `"auto"` and `"none"` a model may write plain text, which is no matter of a schema.

    Raises:
        GrammarError: A tool or the choice is malformed, or the choice names no tool.
    """
    if not isinstance(tool_choice, Mapping) and tool_choice != "required":
        raise GrammarError(
            f'tool_choice must be "required" or name a function, not {tool_choice!r}'
        )
    functions = chosen(tools, tool_choice)
    calls = [
        {
            "type": "object",
            "properties": {
                "name": {"const": function["name"]},
                "arguments": function.get("parameters") or {"type": "object"},
            },
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for function in functions
    ]
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def _json_options(fields: Mapping[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if fields.get("disable_any_whitespace"):
        options["whitespace"] = "none"
    if fields.get("whitespace_pattern") is not None:
        options["whitespace"] = {"pattern": fields["whitespace_pattern"]}
    if fields.get("disable_additional_properties"):
        options["additional_properties"] = False
    return options


def _check_mapping(fields: object, name: str) -> None:
    if not isinstance(fields, Mapping):
        raise GrammarError(f"{name} must be a mapping, not {fields!r:.200}")


def _only(fields: Mapping[str, Any], name: str, *known: str) -> None:
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise GrammarError(f"{name} has fields that are not known: {', '.join(unknown)}")
