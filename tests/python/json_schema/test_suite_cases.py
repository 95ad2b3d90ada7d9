"""The cases of `tests/suite/json_schema`: by the naive validator, and by the engine."""

from typing import Any

import pytest

import stackmask
from json_schema import engine
from json_schema.naive import parse
from json_schema.suite_cases import SuiteCase, cases, disagreements, keywords

KEYWORDS = """
$anchor $defs $dynamicAnchor $dynamicRef $id $recursiveRef $ref additionalItems additionalProperties
allOf anyOf const contains contentEncoding contentMediaType definitions dependencies
dependentRequired dependentSchemas else enum exclusiveMaximum exclusiveMinimum format if items
maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties
minimum multipleOf not nullable oneOf pattern patternProperties prefixItems properties propertyNames
required then type unevaluatedItems unevaluatedProperties uniqueItems
"""


def listed(*, error: bool) -> Any:
    found = [case for case in cases() if ("error" in case.content) == error]
    return [pytest.param(case, id=case.name) for case in found]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases()])
def test_the_verdicts_are_those_of_the_oracle(case: SuiteCase) -> None:
    assert disagreements(case) == []


def test_every_keyword_has_cases_to_accept_and_to_refuse() -> None:
    shown: set[str] = set()
    for case in cases():
        if case.texts("accepts") and case.texts("rejects"):
            schema = parse(case.schema, duplicates=True)
            shown.update(keywords(schema) if isinstance(schema, dict) else ())
    assert [keyword for keyword in KEYWORDS.split() if keyword not in shown] == []


@pytest.mark.parametrize("case", listed(error=False))
def test_texts(case: SuiteCase) -> None:
    wrong = []
    for spelling in case.spellings:
        try:
            compiled = engine.compile_schema(case.schema, spelling=spelling, **case.options)
        except stackmask.UnsupportedSchemaError:
            assert "may_refuse" in case.content
            continue
        matcher = compiled.matcher()
        yes, no = case.expected(spelling)
        wrong += [f"{spelling} refuses {text}" for text in yes if not engine.accepts(matcher, text)]
        wrong += [f"{spelling} accepts {text}" for text in no if engine.accepts(matcher, text)]
        if "warnings" in case.content:
            found = sorted([str(one.pointer), str(one.keyword)] for one in compiled.warnings)
            assert found == sorted(case.content["warnings"])
    assert wrong == []


@pytest.mark.parametrize("case", listed(error=True))
def test_errors(case: SuiteCase) -> None:
    kind = getattr(stackmask, case.content["error"])
    for spelling in case.spellings:
        with pytest.raises(kind) as caught:
            engine.compile_schema(case.schema, spelling=spelling, **case.options)
        for attribute in ("pointer", "keyword"):
            if attribute in case.content:
                assert getattr(caught.value, attribute) == case.content[attribute]
