"""What docs/json-schema.md says of spellings is so."""

import json
import re

import pytest

from conftest import ROOT
from stackmask import Grammar, GrammarCompiler, Vocabulary

DOCS = (ROOT / "docs" / "json-schema.md").read_text(encoding="utf-8")
SCHEMA = json.loads(re.findall(r"^```json\n(.*?)^```", DOCS, re.M | re.S)[0])
ROWS = re.findall(r"^\| `(.*?)` \| (yes|no) \| (yes|no) \|", DOCS, re.M)


def accepts(spelling: str, text: str) -> bool:
    grammar = Grammar.from_json_schema(SCHEMA, spelling=spelling)
    matcher = GrammarCompiler(Vocabulary.byte_level()).compile(grammar).matcher()
    data = text.encode()
    return matcher.accept_bytes(data) == len(data) and matcher.is_completed()


def test_there_are_examples() -> None:
    assert len(ROWS) > 10


@pytest.mark.parametrize(("text", "canonical", "other"), ROWS)
def test_example(text: str, canonical: str, other: str) -> None:
    assert accepts("canonical", text) == (canonical == "yes")
    assert accepts("any", text) == (other == "yes")


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```", DOCS, re.M | re.S))
def test_block_runs(block: str) -> None:
    exec(compile(block, "json-schema.md", "exec"), {"__name__": "docs"})
