"""The examples of the documentation are true."""

import doctest

import pytest

from conftest import ROOT

PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if ">>>" in page.read_text("utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_print_what_the_page_says(page) -> None:  # type: ignore[no-untyped-def]
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failed == 0
