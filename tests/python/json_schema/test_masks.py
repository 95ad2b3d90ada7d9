"""Masks over a real vocabulary, bit by bit: at sampled states they equal asking for each token."""

import random
from typing import Any

import pytest

from json_schema import engine
from seeds import seed
from stackmask import Grammar, GrammarCompiler, Vocabulary

STRINGS = [{"pattern": "^[a-z]+(-[a-z]+)*$"}, {"maxLength": 9}, {"format": "date-time"}]
TREE = {
    "type": "object",
    "properties": {
        "v": {"type": "integer"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/n"}},
    },
    "required": ["v"],
    "additionalProperties": False,
}
OBJECT = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "kind": {"enum": ["cat", "dog", "category"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
    },
    "required": ["kind"],
    "patternProperties": {"^x-": {"type": "integer"}},
    "additionalProperties": {"type": "boolean"},
}
NUMBERS = {"type": "number", "minimum": -12.5, "maximum": 1200, "multipleOf": 0.25}
CASES: dict[str, tuple[Any, str]] = {
    "strings": (
        {"type": "array", "items": {"type": "string", "anyOf": STRINGS}},
        '["ab-cd", "2024-02-29T10:00:00Z", "é日\\n", "9 chars 8"]',
    ),
    "numbers": (
        {"type": "array", "items": NUMBERS, "minItems": 3, "maxItems": 5},
        "[1, -12.5, 1199.75, 0.5, 100]",
    ),
    "objects": (
        OBJECT,
        '{"name": "a \\"b\\"", "kind": "category", "tags": ["x"], "x-rank": 12, "other": true}',
    ),
    "recursion": (
        {"$ref": "#/$defs/n", "$defs": {"n": TREE}},
        '{"v": 10, "kids": [{"v": -7}, {"v": 0, "kids": []}]}',
    ),
}


@pytest.fixture(scope="module")
def compiler(deepseek: Vocabulary) -> GrammarCompiler:
    return GrammarCompiler(deepseek)


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
@pytest.mark.parametrize("name", CASES)
def test_masks_equal_validation(name: str, spelling: str, compiler: GrammarCompiler) -> None:
    schema, text = CASES[name]
    rng, data = random.Random(seed()), text.encode()
    compiled = compiler.compile(Grammar.from_json_schema(schema, spelling=spelling))
    for cut in [0, *rng.sample(range(1, len(data) + 1), 4)]:
        matcher = compiled.matcher()
        assert matcher.accept_bytes(data[:cut]) == cut
        mask = {int(token) for token in matcher.allowed_token_ids()}
        tokens = range(compiler.vocabulary.vocab_size)
        each = {token for token in tokens if matcher.validate_tokens([token]) == 1}
        assert mask == each, data[:cut]
