"""Random Lark grammars: the engine and `lark` accept the same texts, and masks are exact."""

from random import Random

import pytest

from lark_grammars import Grammars, mutated, text
from lark_oracle import LEXERS, Lexer, compare, walk
from stackmask import GrammarMatcher


def texts(random: Random, matcher: GrammarMatcher) -> list[str]:
    found = [walk(random, matcher) for _ in range(8)]
    return found + [mutated(random, each) for each in found] + [text(random) for _ in range(8)]


@pytest.mark.parametrize("lexer", LEXERS)
def test_random_grammars_agree_with_lark(lexer: Lexer) -> None:
    tally = compare(lexer, lambda random: Grammars(random).grammar(), texts)
    assert tally.accepted * 5 > tally.pairs
