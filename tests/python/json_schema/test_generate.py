"""The generator by itself: it makes what it is meant to make, in all drafts, of both verdicts."""

import random
from collections import Counter
from typing import Any

from json_schema.generate import Instances, Schemas, Speller
from json_schema.generate.spellings import orders
from json_schema.naive import EndlessReference, PatternNotCovered, Validator, dump, parse
from json_schema.naive.drafts import DRAFTS
from seeds import seed

EXPECTED = """
type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
pattern format properties required additionalProperties patternProperties propertyNames
minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties
items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems
unevaluatedItems allOf anyOf oneOf not if then else $ref $defs definitions
"""


def words(value: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    if isinstance(value, dict):
        found.update(value.keys())
        value = list(value.values())
    for item in value if isinstance(value, list) else []:
        found += words(item)
    return found


def test_schemas_use_every_keyword_and_values_have_both_verdicts() -> None:
    start, seen, verdicts, mixed = seed(), Counter[str](), Counter[bool](), 0
    for number in range(600):
        rng = random.Random(start + number)
        schema = Schemas(rng, rng.choice([draft.year for draft in DRAFTS.values()]), True).root()
        assert parse(dump(schema)) == schema
        seen += words(schema)
        validator, found = Validator(schema, formats=True), set()
        for value in Instances(rng, schema).draw(20):
            try:
                found.add(validator.is_valid(value))
            except (EndlessReference, PatternNotCovered):
                continue
        verdicts.update(found)
        mixed += len(found) == 2
    assert [word for word in EXPECTED.split() if not seen[word]] == []
    assert verdicts[True] > 250
    assert verdicts[False] > 250
    assert mixed > 150


def test_spellings_keep_the_value() -> None:
    rng = random.Random(seed())
    speller, schema = Speller(rng), parse('{"type": ["object", "array"]}')
    texts = set()
    for value in Instances(rng, schema).draw(300):
        text = speller.any(value)
        texts.add(text)
        assert parse(text) == value
    assert len(texts) > 100


def test_orders_are_all_and_bounded() -> None:
    value = parse('{"a": [{"b": 1, "c": 2}], "d": 3}')
    assert len({dump(order) for order in orders(value, 100)}) == 4
    assert len(orders(value, 3)) == 3
