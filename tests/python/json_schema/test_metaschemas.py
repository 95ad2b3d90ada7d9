"""What is no schema for the compiler is none for the metaschemas, and the other way round.

The metaschemas are those of `jsonschema-specifications`; they are not run when compiling.
"""

import random
from typing import Any

import pytest

from json_schema import engine
from json_schema.generate import Schemas
from json_schema.naive import dump, plain
from json_schema.naive.drafts import DRAFTS
from seeds import seed
from stackmask import GrammarError, InvalidSchemaError

WRONG = [None, True, -1, 1.5, 0, "x", "", [], {}, [1], ["a", "a"], {"a": 1}, [{}], {"a": {}}]
# Metaschemas say nothing of these: a reference without a target, a pattern that is none.
BEYOND = ("$ref", "pattern", "patternProperties")
# Enums of equal values are against draft 4 alone; they do no harm. Empty ones are against draft 6
# as it was first published, and not as the package has it.
HARMLESS = {"4": "enum", "6": "enum"}
# Annotations that the metaschemas type; the compiler does not read them.
UNREAD = {"title", "$schema", "$defs", "definitions"}


def places(schema: Any) -> list[tuple[dict[str, Any], str]]:
    found = []
    if isinstance(schema, dict):
        found += [(schema, key) for key in schema]
        for value in schema.values():
            found += places(value)
    if isinstance(schema, list):
        for value in schema:
            found += places(value)
    return found


def broken(rng: random.Random, year: int) -> Any:
    """A random schema with one value replaced by another, which may fit or not."""
    schema = plain(Schemas(rng, year).root())
    usable = [(table, key) for table, key in places(schema) if key not in UNREAD]
    if usable:
        table, key = rng.choice(usable)
        table[key] = rng.choice(WRONG)
    return schema


def hides(schema: Any) -> bool:
    """Whether a reference hides its siblings, or a keyword of another draft stands somewhere."""
    return any("$ref" in table and len(table) > 1 for table, _ in places(schema))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_compiler_agrees_with_the_metaschemas(draft: str) -> None:
    import jsonschema

    validators = {
        "4": jsonschema.Draft4Validator,
        "6": jsonschema.Draft6Validator,
        "7": jsonschema.Draft7Validator,
        "2019-09": jsonschema.Draft201909Validator,
        "2020-12": jsonschema.Draft202012Validator,
    }
    start, wrong, invalid = seed(), [], 0
    meta = validators[draft](validators[draft].META_SCHEMA)
    for number in range(400):
        rng = random.Random(start + number)
        schema = broken(rng, DRAFTS[draft].year)
        if hides(schema) or any(key == HARMLESS.get(draft) for _, key in places(schema)):
            continue
        fits = meta.is_valid(schema)
        invalid += not fits
        try:
            engine.compile_schema(dump(schema, number=repr), draft=draft)
            verdict = ""
        except InvalidSchemaError as error:
            verdict = error.pointer or "the root"
        except GrammarError:
            verdict = ""
        if fits == bool(verdict) and not any(word in verdict for word in BEYOND):
            wrong.append((schema, verdict or "compiles"))
    assert wrong == []
    assert invalid > 50
