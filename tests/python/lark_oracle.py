"""The engine against `lark` on random grammars: verdicts on texts, and masks against trials."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import lark

from languages import accepts, allowed
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
LEXERS: list[Lexer] = ["dynamic", "dynamic_complete"]
# (grammar, text) pairs of each test and mode; `STACKMASK_LARK_PAIRS` lengthens a run.
PAIRS = int(os.environ.get("STACKMASK_LARK_PAIRS", "5000"))
WORDS = [b"aa", b"ab", b"a ", b" b", b"bc1", b"1a", b"abc", b"  ", b"c1", b"B", b"cab", b"11 "]
TOKENS = [bytes([byte]) for byte in range(256)] + WORDS + [b"<stop>"]
VOCABULARY = Vocabulary(
    TOKENS, stop_token_ids=[len(TOKENS) - 1], special_token_ids=[len(TOKENS) - 1]
)
# Work is bounded, so that a grammar with ever more readings ends in an error.
LIMITS = Limits(step_work=200_000)


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
    """Compares the mask with a trial of each token, at some places of a text."""
    for end in {random.randint(0, len(given)) for _ in range(3)}:
        matcher.reset()
        matcher.accept_bytes(given[:end])
        bits = set(allowed(matcher))
        trial = {token for token in range(len(TOKENS)) if matcher.fork().accept_token(token)}
        assert bits == trial, given[:end]


@dataclass
class Tally:
    pairs: int = 0
    accepted: int = 0
    # Grammars past a limit.
    gave_up: int = 0


def compare(
    lexer: Lexer,
    grammar_of: Callable[[Random], str],
    texts_of: Callable[[Random, GrammarMatcher], list[str]],
) -> Tally:
    """Compares verdicts on texts of random grammars, until there are so many pairs."""
    start = seed()
    compiler = GrammarCompiler(VOCABULARY, limits=LIMITS, cache_bytes=0)
    random, tally = Random(start), Tally()
    while tally.pairs < PAIRS:
        source = grammar_of(random)
        where = f"seed {start}, {lexer}:\n{source}"
        parser = parser_of(source, lexer)
        matcher = matcher_of(source, lexer, parser, compiler, where, tally)
        if matcher is None or isinstance(parser, Exception):
            continue
        try:
            # That there is no text at all may take so long to find out that the first mask tells.
            if not len(allowed(matcher)):
                continue
            texts = texts_of(random, matcher)
            for each in dict.fromkeys(texts):
                if len(each) > 20:
                    continue
                verdict = parses(parser, each)
                if verdict is None:
                    break
                assert accepts(matcher, each.encode()) == verdict, (
                    f"{each!r}, lark: {verdict}, {where}"
                )
                tally.accepted += verdict
                tally.pairs += 1
            check_masks(random, matcher, random.choice(texts).encode())
        except GrammarTooComplexError:
            tally.gave_up += 1
    print(tally)
    assert tally.gave_up * 100 < tally.pairs, f"{tally.gave_up} grammars were given up"
    return tally


def matcher_of(
    source: str,
    lexer: Lexer,
    parser: lark.Lark | Exception,
    compiler: GrammarCompiler,
    where: str,
    tally: Tally,
) -> GrammarMatcher | None:
    """The matcher of a grammar that is loaded here and by `lark`, or by neither."""
    try:
        compiled = compiler.compile(Grammar.from_lark(source, lexer=lexer))
        matcher = compiled.matcher()
    except GrammarTooComplexError:
        tally.gave_up += 1
        return None
    except GrammarError as error:
        # Lark loads a grammar without a finite text, and accepts nothing.
        refused = isinstance(parser, Exception) or "can produce no finite text" in str(error)
        assert refused, f"refused, {where}\n{error}"
        return None
    if isinstance(parser, Exception):
        # Lark looks at rules that nothing reaches if they call each other.
        assert "zero-width" in str(parser), f"not refused, {where}\n{parser}"
        assert any("unused" in each.message for each in compiled.warnings), where
    return matcher
