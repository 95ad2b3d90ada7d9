"""What servers send: a kind of constraint and its text, to a grammar."""

import json
from typing import Any

from stackmask._native import Grammar, GrammarError

KINDS = ("json", "json_object", "regex", "choice", "grammar")


def grammar_of(kind: str, text: str, **json_options: Any) -> Grammar:
    """The grammar of a constraint.

    Args:
        kind: One of `KINDS`.
        text: A schema as JSON text, a regex, a JSON list of texts, or a Lark grammar; for
            `json_object` it is not looked at.
        json_options: Options of `Grammar.from_json_schema`.

    Raises:
        GrammarError: The kind is not enforced here, or the text cannot be read.
    """
    if "\0" in text:
        raise GrammarError(f"a NUL character in the {kind}")
    if kind != "json_object" and not text.strip() and kind != "regex":
        raise GrammarError(f"the {kind} is empty")
    match kind:
        case "json":
            return Grammar.from_json_schema(text, **json_options)
        case "json_object":
            return Grammar.from_json_schema({"type": "object"}, **json_options)
        case "regex":
            return Grammar.from_regex(text)
        case "choice":
            return Grammar.from_choices(_choices(text))
        case "grammar":
            if "::=" in text:
                raise GrammarError("grammars in EBNF or GBNF are not read yet, only Lark's")
            return Grammar.from_lark(text)
        case _:
            raise GrammarError(f"constraints of the kind {kind!r} are not enforced")


def _choices(text: str) -> list[str]:
    try:
        choices = json.loads(text)
    except ValueError as error:
        raise GrammarError(f"the choices are no JSON list of texts: {error}") from error
    if (
        not isinstance(choices, list)
        or not choices
        or not all(isinstance(choice, str) for choice in choices)
    ):
        raise GrammarError("the choices are no JSON list of texts, or an empty one")
    return choices
