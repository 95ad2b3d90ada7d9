"""`Grammar.from_regex` against `re.fullmatch`, on random patterns and texts."""

import random
import re
import signal
import warnings
from collections.abc import Callable
from typing import Literal

import pytest

from languages import accepts
from seeds import seed
from stackmask import Grammar, GrammarError, GrammarMatcher, GrammarSyntaxError

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


# Python's own matcher takes exponential time over stars within stars: these stand inside a star.
BOUNDED = ["", "", "?", "??", "{2}", "{1,2}"]


def random_pattern(rng: random.Random, depth: int = 3, repeats: list[str] = REPEATS) -> str:
    kind = rng.randrange(6) if depth else 0
    if kind <= 2:
        atom = rng.choice(ATOMS)
        return (atom if len(atom) == 1 or atom[0] in "[\\(" else f"(?:{atom})") + rng.choice(
            repeats
        )
    repeat = rng.choice(repeats if depth == 1 else BOUNDED) if kind == 3 else ""
    inner = repeats if repeat in BOUNDED else BOUNDED
    parts = [random_pattern(rng, depth - 1, inner) for _ in range(rng.randrange(1, 4))]
    if kind == 3:
        return f"{rng.choice(['(', '(?:', '(?i:', '(?s:'])}{'|'.join(parts)}){repeat}"
    return "".join(parts)


def random_text(rng: random.Random, pattern: str) -> str:
    """Random characters, or pieces of the pattern itself, which match more often."""
    if rng.random() < 0.5:
        return "".join(rng.choices(ALPHABET, k=rng.randrange(6)))
    letters = re.sub(r"\\.|[][(){}?*+|^,:.-]", "", pattern)
    return "".join(character for character in letters if rng.random() < 0.7)[:7]


def python_matches(pattern: re.Pattern[str], text: str) -> bool | None:
    """What `re` says; nothing if it goes on for a second: its matcher can take exponential time."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        return pattern.fullmatch(text) is not None
    except TimeoutError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_random_pairs_agree(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    start = seed()
    rng = random.Random(start)
    pairs = matches = 0
    while pairs < PATTERNS * TEXTS:
        pattern = random_pattern(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            compiled = re.compile(pattern)
        matcher = matcher_of(Grammar.from_regex(pattern))
        for _ in range(TEXTS):
            text = random_text(rng, pattern)
            expected = python_matches(compiled, text)
            if expected is None:
                continue
            assert accepts(matcher, text.encode()) == expected, (start, pattern, text)
            pairs += 1
            matches += expected
    assert matches > pairs // 20


LOOKS = ["(?=", "(?!", "(?<=", "(?<!", "(?=", "(?!"]
EDGES = ["\\b", "\\B", "^", "$", "\\A", "\\Z", "(?m:^)", "(?m:$)"]
GREEDY = ["[ab]*+", "a++", "é?+", "a{1,2}+", "(?>ab|a)", "(?>a|ab)", "(?>a*)", "(?:ab)*+"]


def random_condition(rng: random.Random, depth: int, repeats: list[str] = REPEATS) -> str:
    """A pattern with look-around, which Python cannot always compile (look-behind of any width)."""
    kind = rng.randrange(8) if depth else 0
    if kind == 0:
        return random_pattern(rng, 1, repeats)
    if kind == 1:
        return rng.choice(EDGES)
    if kind == 2 and repeats is REPEATS:
        return rng.choice(GREEDY)
    if kind <= 4:
        return f"{rng.choice(LOOKS)}{random_condition(rng, depth - 1, repeats)})"
    starred = depth == 1 and repeats is REPEATS
    repeat = rng.choice(["", "*", "?"] if starred else ["", "?"]) if kind == 5 else ""
    inner = BOUNDED if repeat == "*" else repeats
    parts = [random_condition(rng, depth - 1, inner) for _ in range(rng.randrange(2, 4))]
    return f"(?:{'|'.join(parts)}){repeat}" if kind == 5 else "".join(parts)


def test_random_conditions_agree(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    start = seed()
    rng = random.Random(start)
    pairs = matches = conditions = void = slow = 0
    while pairs < 6_000:
        pattern = random_condition(rng, 3)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)
                compiled = re.compile(pattern)
        except re.error:
            continue
        texts = [random_text(rng, pattern) for _ in range(12)]
        if "\\B" in pattern:
            # In the empty text it holds from Python 3.14 on, and here.
            texts = [text for text in texts if text]
        expected = [python_matches(compiled, text) for text in texts]
        if None in expected:
            slow += 1
            assert slow < 20, (start, pattern)
            continue
        try:
            matcher = matcher_of(Grammar.from_regex(pattern))
        except GrammarError as error:
            # A pattern that matches nothing is no grammar.
            assert "no finite text" in str(error), (start, pattern)
            assert not any(expected), (start, pattern)
            void += 1
            continue
        for text, wanted in zip(texts, expected, strict=True):
            assert accepts(matcher, text.encode()) == wanted, (start, pattern, text)
            pairs += 1
            matches += wanted
        conditions += any(look in pattern for look in LOOKS)
    assert matches > pairs // 50
    assert conditions > 100
    assert void


@pytest.mark.parametrize("dialect", ["python", "ecma", "rust"])
def test_dialects_read_what_they_share_alike(
    dialect: Literal["python", "ecma", "rust"], matcher_of: Callable[[Grammar], GrammarMatcher]
) -> None:
    for pattern in ("a|bc*", "^[a-c]{2,3}$", "(?:ab)+?", "é.", "[^a]"):
        matcher = matcher_of(Grammar.from_regex(pattern, dialect=dialect))
        for text in ("a", "b", "bcc", "ab", "abab", "cab", "éx", "é", "", "abcd"):
            expected = re.fullmatch(pattern, text) is not None
            assert accepts(matcher, text.encode()) == expected, (pattern, text)


@pytest.mark.parametrize(
    ("dialect", "pattern", "text", "matches"),
    [
        ("python", "\\d", "٣", True),
        ("ecma", "\\d", "٣", False),
        ("rust", "\\d", "٣", True),
        ("python", "a$", "a\n", False),
        ("python", "[a&&b]", "&", True),
        ("rust", "[a-z&&b]", "b", True),
        ("ecma", "\\u{1F600}", "😀", True),
        ("ecma", "(?<!b)a(?=$)", "a", True),
        ("python", "\\p{Lu}", "É", True),
        ("ecma", "\\p{Script=Greek}", "α", True),
    ],
)
def test_dialects_differ(
    dialect: Literal["python", "ecma", "rust"],
    pattern: str,
    text: str,
    matches: bool,
    matcher_of: Callable[[Grammar], GrammarMatcher],
) -> None:
    matcher = matcher_of(Grammar.from_regex(pattern, dialect=dialect))
    assert accepts(matcher, text.encode()) == matches


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ValueError, match="dialect must be"):
        Grammar.from_regex("a", dialect="perl")  # type: ignore[arg-type]


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
            expected = python_matches(compiled, text)
            if expected is None:
                continue
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
    [("(a)\\1", 4), ("a(?>b+c)c", 2), ("é\\qx", 2), ("a(", 2), ("a)", 2), ("x[b", 2)],
)
def test_what_is_not_supported_or_malformed_is_refused_with_its_place(
    pattern: str, column: int
) -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        Grammar.from_regex(pattern)
    assert caught.value.line == 1
    assert caught.value.column is not None
    assert abs(caught.value.column - column) <= 2
