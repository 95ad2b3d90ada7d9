"""`Grammar.from_regex` against `re.fullmatch`, on random patterns and texts."""

import random
import re
import warnings
from collections.abc import Callable

import pytest

from languages import accepts
from stackmask import Grammar, GrammarMatcher, GrammarSyntaxError

PATTERNS, TEXTS = 700, 10
ATOMS = [
    *(
        "a",
        "b",
        "ab",
        "é",
        "日",
        ".",
        "[ab]",
        "[^a]",
        "[a-c]",
        "[^\\n]",
        "\\d",
        "\\w",
        "\\s",
        "\\D",
    ),
    *("\\W", "\\S", "[\\d_]", "\\.", "\\x41", "\\u00e9", "[é日]", "(?:)", "[\\]-]", "[^é]", "-"),
]
REPEATS = [
    "",
    "",
    "",
    "*",
    "+",
    "?",
    "*?",
    "+?",
    "??",
    "{2}",
    "{1,3}",
    "{,2}",
    "{2,}",
    "{0}",
    "{1,2}?",
]
ALPHABET = "aabbcAB1_ é日\n.-]😀ß"


def random_pattern(rng: random.Random, depth: int = 3) -> str:
    kind = rng.randrange(6) if depth else 0
    if kind <= 2:
        atom = rng.choice(ATOMS)
        return (atom if len(atom) == 1 or atom[0] in "[\\(" else f"(?:{atom})") + rng.choice(
            REPEATS
        )
    parts = [random_pattern(rng, depth - 1) for _ in range(rng.randrange(1, 4))]
    if kind == 3:
        group = rng.choice(["(", "(?:", "(?i:", "(?s:"])
        # Python's own matcher takes exponential time over stars within stars within stars.
        repeat = rng.choice(REPEATS if depth == 1 else ["", "?", "??", "{1,2}"])
        return f"{group}{'|'.join(parts)}){repeat}"
    return "".join(parts)


def random_text(rng: random.Random, pattern: str) -> str:
    """Random characters, or pieces of the pattern itself, which match more often."""
    if rng.random() < 0.5:
        return "".join(rng.choices(ALPHABET, k=rng.randrange(6)))
    letters = re.sub(r"\\.|[][(){}?*+|^,:.-]", "", pattern)
    return "".join(character for character in letters if rng.random() < 0.7)[:12]


def test_random_pairs_agree(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    pairs = matches = 0
    while pairs < PATTERNS * TEXTS:
        pattern = random_pattern(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            compiled = re.compile(pattern)
        matcher = matcher_of(Grammar.from_regex(pattern))
        for _ in range(TEXTS):
            text = random_text(rng, pattern)
            expected = compiled.fullmatch(text) is not None
            assert accepts(matcher, text.encode()) == expected, (seed, pattern, text)
            pairs += 1
            matches += expected
    assert matches > pairs // 20


@pytest.mark.parametrize("flags", ["", "(?i)", "(?s)", "(?a)", "(?x)", "(?is)"])
def test_flags_agree(flags: str, matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    for pattern in ("a b", "[k-s]+", ".", "\\w", "ß|ſ", "K", "\\d\\s"):
        matcher = matcher_of(Grammar.from_regex(flags + pattern))
        compiled = re.compile(flags + pattern)
        for text in (
            "a b",
            "ab",
            "A B",
            "kS",
            "\u212a",
            "ſ",
            "ß",
            "\n",
            "é",
            "1 ",
            "\u0661\u2003",
            "K",
        ):
            expected = compiled.fullmatch(text) is not None
            assert accepts(matcher, text.encode()) == expected, (flags, pattern, text)


@pytest.mark.parametrize("pattern", ["^a|b$", "^ab$", "\\Aab\\Z", "^(?:a|b)*$"])
def test_anchors_at_the_ends(pattern: str, matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    matcher = matcher_of(Grammar.from_regex(pattern))
    for text in ("a", "b", "ab", "ba", "", "aab"):
        assert accepts(matcher, text.encode()) == bool(re.fullmatch(pattern, text)), text


def test_long_counted_repetition(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    matcher = matcher_of(Grammar.from_regex("[a-z]{0,65536}"))
    assert accepts(matcher, b"q" * 65_536)
    assert not accepts(matcher, b"q" * 65_537)


@pytest.mark.parametrize(
    ("pattern", "column"),
    [("a(?=b)", 2), ("(a)\\1", 4), ("a(?<!b)c", 2), ("é\\bx", 2), ("a(", 2), ("a)", 2), ("x[b", 2)],
)
def test_what_is_not_supported_or_malformed_is_refused_with_its_place(
    pattern: str, column: int
) -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        Grammar.from_regex(pattern)
    assert caught.value.line == 1
    assert caught.value.column is not None
    assert abs(caught.value.column - column) <= 2
