"""Random Lark grammars: the engine and `lark` accept the same texts, and masks are exact.

`STACKMASK_SEED` repeats a run; `STACKMASK_LARK_PAIRS` lengthens it.
"""

import os
import signal
from random import Random
from typing import Any, Literal

import lark
import pytest

from languages import accepts, allowed
from lark_grammars import Grammars, mutated, text
from seeds import seed
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarError,
    GrammarMatcher,
    GrammarTooComplexError,
    Limits,
    Vocabulary,
)

Lexer = Literal["dynamic", "dynamic_complete"]
SEED = seed()
# (grammar, text) pairs of each mode.
PAIRS = int(os.environ.get("STACKMASK_LARK_PAIRS", "5000"))
WORDS = [b"aa", b"ab", b"a ", b" b", b"bc1", b"1a", b"abc", b"  ", b"c1", b"B", b"cab", b"11 "]
TOKENS = [bytes([byte]) for byte in range(256)] + WORDS + [b"<stop>"]
VOCABULARY = Vocabulary(
    TOKENS, stop_token_ids=[len(TOKENS) - 1], special_token_ids=[len(TOKENS) - 1]
)
# Work is bounded, so that a grammar with ever more readings ends in an error.
LIMITS = Limits(step_work=100_000)


def parser_of(grammar: str, lexer: Lexer) -> lark.Lark | Exception:
    """The parser, or why `lark` refuses the grammar."""
    try:
        parser = lark.Lark(grammar, parser="earley", lexer=lexer, ambiguity="forest")
    except (lark.exceptions.LarkError, AssertionError, KeyError, AttributeError) as error:
        return error
    inner: Any = parser.parser.parser
    inner.term_matcher = Counted(inner.term_matcher)
    return parser


class TooLong(Exception):
    """The oracle has matched more terminals than a text is worth."""


def give_up(*_: object) -> None:
    raise TooLong


class Counted:
    """A matcher of terminals that gives up after so many calls: some texts take `lark` for ever."""

    def __init__(self, match: Any) -> None:
        self.match = match
        self.left = 0

    def __call__(self, *arguments: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise TooLong
        return self.match(*arguments)


def parses(parser: lark.Lark, given: str) -> bool | None:
    """Whether `lark` accepts a text; None if it takes too long to say."""
    inner: Any = parser.parser.parser
    inner.term_matcher.left = 10_000
    # One match alone can take `re` for ever.
    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        parser.parse(given)
    except lark.exceptions.UnexpectedInput:
        return False
    except TooLong:
        return None
    except RuntimeError as error:
        # A fault of Lark's: ignored text may carry the start past its end more than once. It is
        # raised when the text was found to be one of the grammar.
        assert "multiple start symbol items" in str(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return True


def compare(matcher: GrammarMatcher, parser: lark.Lark, texts: list[str], where: str) -> list[bool]:
    """Holds the matcher to `lark`; its verdicts up to a text that it takes too long for."""
    verdicts: list[bool] = []
    for each in dict.fromkeys(texts):
        verdict = parses(parser, each)
        if verdict is None:
            break
        assert accepts(matcher, each.encode()) == verdict, f"{each!r}, lark: {verdict}, {where}"
        verdicts.append(verdict)
    return verdicts


def walk(random: Random, matcher: GrammarMatcher) -> str:
    """A text of the language: some allowed bytes, and then the shortest way to the end."""
    matcher.reset()
    taken = b""
    for _ in range(random.randint(0, 6)):
        choices = [token for token in allowed(matcher) if token < 128]
        if not choices:
            break
        taken += bytes([random.choice(choices)])
        assert matcher.accept_bytes(taken[-1:]) == 1
    return (taken + matcher.shortest_completion()).decode()


def check_masks(random: Random, matcher: GrammarMatcher, given: bytes) -> None:
    """Compares the mask with a trial of each token, at one place of a text."""
    matcher.reset()
    matcher.accept_bytes(given[: random.randint(0, len(given))])
    bits = set(allowed(matcher))
    assert bits == {token for token in range(len(TOKENS)) if matcher.fork().accept_token(token)}


def run(seed: int, lexer: Lexer, pairs: int) -> tuple[int, int]:
    """Compares that many texts; returns how many were accepted, and how many grammars gave up."""
    compiler = GrammarCompiler(VOCABULARY, limits=LIMITS, cache_bytes=0)
    random = Random(seed)
    done = accepted = gave_up = 0
    while done < pairs:
        source = Grammars(random).grammar()
        parser = parser_of(source, lexer)
        where = f"seed {seed}, {lexer}:\n{source}"
        try:
            grammar = Grammar.from_lark(source, lexer=lexer)
        except GrammarError as error:
            assert isinstance(parser, Exception), f"refused, {where}\n{error}"
            continue
        try:
            compiled = compiler.compile(grammar)
            matcher = compiled.matcher()
        except GrammarTooComplexError:
            gave_up += 1
            continue
        except GrammarError as error:
            # Lark loads a grammar without a finite text, and accepts nothing.
            assert "can produce no finite text" in str(error), where
            continue
        if isinstance(parser, Exception):
            # Lark looks at rules that nothing reaches if they call each other.
            assert "zero-width" in str(parser), f"not refused, {where}\n{parser}"
            assert any("unused" in each.message for each in compiled.warnings), where
            continue
        try:
            texts = [walk(random, matcher) for _ in range(8)]
            texts += [mutated(random, each) for each in texts] + [text(random) for _ in range(8)]
            verdicts = compare(matcher, parser, [each for each in texts if len(each) <= 20], where)
            accepted += sum(verdicts)
            done += len(verdicts)
            check_masks(random, matcher, random.choice(texts).encode())
        except GrammarTooComplexError:
            gave_up += 1
    return accepted, gave_up


@pytest.mark.parametrize("lexer", ["dynamic", "dynamic_complete"])
def test_random_grammars_agree_with_lark(lexer: Lexer) -> None:
    accepted, gave_up = run(SEED, lexer, PAIRS)
    assert accepted > PAIRS // 5
    assert gave_up * 100 < PAIRS, f"{gave_up} grammars were given up"
