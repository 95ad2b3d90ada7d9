"""The README's Python code runs."""

import re

import pytest

from conftest import ROOT

README = ROOT / "README.md"
BLOCKS = (
    re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    if README.exists()
    else []
)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_block_runs(block: str) -> None:
    exec(compile(block, str(README), "exec"), {"__name__": "readme"})
