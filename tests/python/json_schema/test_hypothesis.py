"""Valid values by `hypothesis-jsonschema`, a generator that others wrote, are accepted."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as repeatable
from hypothesis_jsonschema import from_schema

from json_schema import engine
from json_schema.generate import Schemas
from json_schema.generate.spellings import orders
from json_schema.naive import EndlessReference, PatternNotCovered, Validator, dump, parse, plain
from seeds import seed
from stackmask import GrammarTooComplexError, UnsatisfiableSchemaError, UnsupportedSchemaError

SCHEMAS, ORDERS = 150, 200


def drawn(schema: Any, start: int) -> list[Any]:
    """Some values; none of schemas that the generator does not take, or gives up on."""

    found: list[Any] = []
    try:

        @repeatable(start)
        @settings(
            max_examples=5,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(from_schema(schema))
        def collect(value: Any) -> None:
            found.append(value)

        collect()
    except Exception:
        return found
    return found


def is_valid(schema: Any, value: Any) -> bool:
    try:
        return Validator(schema, formats=True).is_valid(value)
    except (EndlessReference, PatternNotCovered):
        return False


@pytest.mark.filterwarnings("ignore")
def test_values_of_hypothesis_jsonschema() -> None:
    start, wrong, count = seed(), [], 0
    for number in range(SCHEMAS):
        text = dump(Schemas(random.Random(start + number), 7).root())
        schema = parse(text)
        values = [
            parse(json.dumps(value), strict=False) for value in drawn(plain(schema), start + number)
        ]
        values = [value for value in values if is_valid(schema, value)]
        if not values:
            continue
        for spelling in engine.SPELLINGS:
            try:
                matcher = engine.compile_schema(text, spelling=spelling).matcher()
            except (GrammarTooComplexError, UnsupportedSchemaError):
                continue
            except UnsatisfiableSchemaError:
                wrong.append((text, "unsatisfiable", dump(values[0])))
                continue
            for value in values:
                count += 1
                tried = orders(value, ORDERS if spelling == "canonical" else 1)
                accepted = any(engine.accepts(matcher, dump(order)) for order in tried)
                if not accepted and len(tried) < ORDERS:
                    wrong.append((text, spelling, dump(value)))
    assert wrong == []
    assert count > SCHEMAS
