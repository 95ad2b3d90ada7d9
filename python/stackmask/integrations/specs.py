"""What servers send: a kind of constraint and its text, to a grammar."""

import json
from collections.abc import Mapping
from typing import Any

from stackmask._native import Grammar, GrammarError, Vocabulary

KINDS = ("json", "json_object", "regex", "choice", "grammar", "structural_tag")


def grammar_of(
    kind: str, text: str, *, tokens: Mapping[str, int] | None = None, **json_options: Any
) -> Grammar:
    """The grammar of a constraint.

    Args:
        kind: One of `KINDS`.
        text: A schema as JSON text, a regex, a JSON list of texts, a grammar in Lark or GBNF, or a
            structural tag as JSON text; for `json_object` it is not looked at.
        tokens: The ids of special tokens by their texts, for structural tags.
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
            return written_grammar(text)
        case "structural_tag":
            return Grammar.from_structural_tag(text, tokens=tokens, **json_options)
        case _:
            raise GrammarError(f"constraints of the kind {kind!r} are not enforced")


def written_grammar(text: str) -> Grammar:
    """A grammar in GBNF, whose rules are written with ::=, or in Lark."""
    return Grammar.from_gbnf(text) if "::=" in text else Grammar.from_lark(text)


def special_tokens(tokenizer: Any, vocabulary: Vocabulary) -> dict[str, int]:
    """The ids of the tokens that never match text, by the names that the tokenizer has for them."""
    special = {*vocabulary.special_token_ids, *vocabulary.stop_token_ids}
    mistral = mistral_of(tokenizer)
    if mistral is not None:
        return {mistral.id_to_piece(id): id for id in sorted(special) if id < mistral.n_words}
    added = getattr(tokenizer, "added_tokens_decoder", None) or {}
    return {str(token): id for id, token in added.items() if id in special and str(token)}


def mistral_of(tokenizer: Any) -> Any | None:
    """The tokenizer of mistral-common within that of vLLM."""
    mistral = getattr(tokenizer, "mistral", None) or getattr(tokenizer, "tokenizer", None)
    instruct = getattr(mistral, "instruct_tokenizer", None)
    inner = mistral if instruct is None else instruct.tokenizer
    return inner if hasattr(inner, "id_to_piece") and hasattr(inner, "n_words") else None


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
