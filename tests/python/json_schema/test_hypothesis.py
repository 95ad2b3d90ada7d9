"""Valid values by `hypothesis-jsonschema`, a generator that others wrote, are accepted."""

import json
import random
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from json_schema import engine
from json_schema.generate import Schemas
from json_schema.generate.spellings import orders
from json_schema.naive import EndlessReference, PatternNotCovered, Validator, dump, parse, plain
from stackmask import GrammarTooComplexError, UnsatisfiableSchemaError, UnsupportedSchemaError

pytest.importorskip("hypothesis_jsonschema")
# Raised while drawing: recursive references, and patterns that Python does not read.
NOT_TAKEN = (jsonschema.exceptions.SchemaError, jsonschema.exceptions._RefResolutionError)


def strategy(schema: Any) -> st.SearchStrategy[Any] | None:
    """None for schemas that the generator does not take."""
    from hypothesis_jsonschema import from_schema

    try:
        made: st.SearchStrategy[Any] = from_schema(schema)
        made.validate()
    except Exception:
        return None
    return made


@pytest.mark.filterwarnings("ignore")
@settings(
    max_examples=150,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.data())
def test_values_of_hypothesis_jsonschema(data: st.DataObject) -> None:
    rng = random.Random(data.draw(st.integers(0, 1 << 32)))
    text = dump(Schemas(rng, 7).root())
    schema = parse(text)
    values = strategy(plain(schema))
    if values is None:
        return
    try:
        value = parse(json.dumps(data.draw(values)), strict=True)
        if not Validator(schema, formats=True).is_valid(value):
            return
    except (EndlessReference, PatternNotCovered, ValueError, *NOT_TAKEN):
        return
    for spelling in engine.SPELLINGS:
        try:
            matcher = engine.compile_schema(text, spelling=spelling).matcher()
        except (GrammarTooComplexError, UnsupportedSchemaError):
            return
        except UnsatisfiableSchemaError as error:
            raise AssertionError(f"{text} is satisfied by {dump(value)}") from error
        tried = orders(value, 200 if spelling == "canonical" else 1)
        accepted = any(engine.accepts(matcher, dump(order)) for order in tried)
        assert accepted or len(tried) == 200, (spelling, text, dump(value))
