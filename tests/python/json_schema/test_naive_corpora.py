"""The naive validator beside the official suite and two libraries."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import jsonschema_rs
import pytest

from json_schema import maskbench
from json_schema.naive import DRAFTS, UnresolvableReference, Validator, parse
from json_schema.suite import groups, remotes
from seeds import seed

# The oracle has no IDNA tables: labels that it lets through, by the file that tests them.
WITHOUT_IDNA = {"hostname.json", "idn-hostname.json"}


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_official_suite(corpora: Path, draft: str) -> None:
    documents = {uri: parse(text) for uri, text in remotes(corpora).items()}
    count, wrong = 0, []
    for group in groups(corpora, draft):
        validator = Validator(group.schema, draft=draft, remotes=documents)
        for description, value, valid in group.tests:
            count += 1
            if validator.is_valid(value) != valid:
                wrong.append((group.file, group.description, description))
    assert wrong == []
    assert count > 500


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_formats_of_the_official_suite(corpora: Path, draft: str) -> None:
    wrong = []
    for group in groups(corpora, draft, "optional/format"):
        validator = Validator(group.schema, draft=draft, formats=True)
        for description, value, valid in group.tests:
            verdict = validator.is_valid(value)
            if verdict != valid and not (verdict and group.file in WITHOUT_IDNA):
                wrong.append((group.file, description, value))
    assert wrong == []


# jsonschema hands patterns of ECMA-262 to Python's `re`, which remarks on some.
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_instances_of_maskbench(corpora: Path) -> None:
    """Every label is met with formats asserted; two libraries differ in known classes only.

    - `jsonschema` knows no format without further packages: it accepts what the label refuses.
    - `jsonschema_rs` asserts formats up to draft 7 and not after.
    - Its ECMA patterns and Python's differ in `\\d`, `$` and the like: the label follows ECMA.
    """
    differ: Counter[str] = Counter()
    wrong = []
    for case in maskbench.draw(corpora, 300, seed()):
        schema = parse(json.dumps(case.schema))
        annotating, asserting = Validator(schema), Validator(schema, formats=True)
        library = jsonschema.validators.validator_for(
            case.schema, default=jsonschema.Draft202012Validator
        )(case.schema)
        other = jsonschema_rs.validator_for(case.schema)
        for valid, data in case.tests:
            value = parse(json.dumps(data), strict=False)
            try:
                verdict = annotating.is_valid(value)
            except UnresolvableReference:
                # The metaschemas are not at hand here.
                break
            if asserting.is_valid(value) != valid:
                wrong.append((case.name, "label", data))
            if library.is_valid(data) != verdict:
                wrong.append((case.name, "jsonschema", data))
            if other.is_valid(data) != verdict:
                differ["formats asserted by jsonschema_rs"] += 1
                if other.is_valid(data) != asserting.is_valid(value):
                    wrong.append((case.name, "jsonschema_rs", data))
    assert wrong == []
    print(dict(differ))
