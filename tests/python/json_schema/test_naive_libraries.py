"""The naive validator beside two libraries, on random schemas of every draft.

Where they differ, and who is right:

- `multipleOf: 0.07` and other decimals: `jsonschema` divides floats. Exact fractions are right.
- Numbers beyond 2^53, or with more digits than a float holds: both compare floats. Exact ones are
  right.
- `\\d`, `\\w`, `$` in patterns: `jsonschema` follows Python (digits of all scripts, `$` before
  a last line end). ECMA-262 is right, which `jsonschema_rs` follows.
- `format`: `jsonschema` asserts what is installed, `jsonschema_rs` up to draft 7. Both may be: the
  specification leaves it to the user.
- `unevaluatedItems` beside `contains` in 2019-09: contained items are not evaluated ones there;
  `jsonschema_rs` does as in 2020-12.
- 1.0 is no `integer` in draft 4, they say, since its text has a fraction; that is right.

Only the first three and `unevaluatedItems` can come up here; the test lets them differ and nothing
else. `jsonschema` raises TypeError for some values that Python cannot sort or hash.
"""

import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from json_schema.generate import Instances, Schemas
from json_schema.naive import EndlessReference, PatternNotCovered, Validator, dump, parse, plain
from seeds import seed


def floats_hold(value: Any) -> bool:
    """Whether every number is a small one that binary fractions hold without loss."""
    if isinstance(value, dict):
        return all(floats_hold(item) for item in value.values())
    if isinstance(value, list):
        return all(floats_hold(item) for item in value)
    if not isinstance(value, Fraction):
        return True
    return value.denominator in (1, 2, 4) and abs(value) < 1 << 50


def contained_is_unevaluated(year: int, text: str) -> bool:
    return year == 2019 and '"contains"' in text and '"unevaluatedItems"' in text


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_random_values_beside_two_libraries() -> None:
    libraries = {
        2020: jsonschema.Draft202012Validator,
        2019: jsonschema.Draft201909Validator,
        7: jsonschema.Draft7Validator,
        6: jsonschema.Draft6Validator,
        4: jsonschema.Draft4Validator,
    }
    start, wrong, counts = seed(), [], Counter[str]()
    for number in range(400):
        rng = random.Random(start + number)
        year = rng.choice(list(libraries))
        text = dump(Schemas(rng, year).root())
        schema = parse(text)
        naive, one = Validator(schema), libraries[year](plain(schema))
        two = jsonschema_rs.validator_for(json.loads(text))
        for value in Instances(rng, schema).draw(20):
            try:
                verdict = naive.is_valid(value)
            except (EndlessReference, PatternNotCovered):
                continue
            data = plain(value)
            exact = floats_hold(schema) and floats_hold(value)
            counts["exact" if exact else "numbers that floats lose"] += 1
            if not exact:
                continue
            if not contained_is_unevaluated(year, text) and two.is_valid(data) != verdict:
                wrong.append((text, dump(value), "jsonschema_rs"))
            try:
                if "attern" not in text and one.is_valid(data) != verdict:
                    wrong.append((text, dump(value), "jsonschema"))
            except TypeError:
                counts["raised"] += 1
    assert wrong == []
    assert counts["exact"] > 1500
    assert counts["raised"] < 100
