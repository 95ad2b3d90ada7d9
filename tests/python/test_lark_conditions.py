"""Random Lark grammars whose terminals look at the text around them: the engine against `lark`."""

import os
from random import Random

import pytest

from languages import accepts
from seeds import seed
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarError,
    GrammarSyntaxError,
    GrammarTooComplexError,
)
from test_lark_fuzz import LIMITS, VOCABULARY, check_masks, compare, parser_of, parses, walk

SEED = seed()
# (grammar, text) pairs.
PAIRS = int(os.environ.get("STACKMASK_LARK_PAIRS", "5000"))
LETTERS = ["a", "b", "c", "[ab]", "[^a]", "\\w", "."]
REPEATS = ["", "", "", "*", "+", "?", "+?", "*?", "{1,2}", "*+"]


def piece(random: Random) -> str:
    return random.choice(LETTERS) + random.choice(REPEATS)


def condition(random: Random) -> str:
    body = random.choice(["a", "b", "c", "[ab]", "ab", "a|c", "b*c", " ", "\\w"])
    kind = random.choice(
        ["(?=", "(?!", "(?<=", "(?<!", "\\b", "\\B", "$", "^", "(?=", "(?!", "(?<=", "(?<!"]
    )
    if not kind.startswith("("):
        return kind
    if kind.startswith("(?<"):
        body = random.choice(["a", "b", "[ab]", "\\w"])
    elif random.random() < 0.2:
        body = f"(?!{piece(random)}){body}"
    return f"{kind}{body})"


def terminal(random: Random) -> str:
    parts = [piece(random) for _ in range(random.randint(1, 3))]
    for _ in range(random.randint(0, 2)):
        parts.insert(random.randint(0, len(parts)), condition(random))
    if random.random() < 0.3:
        return f"(?:{''.join(parts)}|{piece(random)}{condition(random)})"
    return "".join(parts)


def grammar(random: Random) -> str:
    names = [f"T{number}" for number in range(random.randint(2, 3))]
    lines = [f"{name}: /{terminal(random)}/" for name in names]
    options = [
        " ".join(random.choice(names) + random.choice(["", "", "?", "*"]) for _ in range(3))
        for _ in range(random.randint(1, 2))
    ]
    lines.append(f"start: {' | '.join(options)}")
    if random.random() < 0.4:
        lines.append('%ignore " "')
    return "\n".join(lines) + "\n"


def mutated(random: Random, given: str) -> str:
    place = random.randint(0, len(given))
    return given[:place] + random.choice("abc ") + given[place + random.randint(0, 1) :]


def test_random_terminals_with_conditions_agree_with_lark() -> None:
    random = Random(SEED)
    compiler = GrammarCompiler(VOCABULARY, limits=LIMITS, cache_bytes=0)
    done = accepted = gave_up = 0
    while done < PAIRS:
        source = grammar(random)
        parser = parser_of(source, "dynamic")
        where = f"seed {SEED}:\n{source}"
        try:
            matcher = compiler.compile(Grammar.from_lark(source)).matcher()
        except GrammarTooComplexError:
            gave_up += 1
            continue
        except GrammarError as error:
            assert isinstance(parser, Exception) or "finite text" in str(error), f"{error}, {where}"
            continue
        if isinstance(parser, Exception):
            assert "zero-width" in str(parser), f"not refused, {where}\n{parser}"
            continue
        try:
            texts = [walk(random, matcher) for _ in range(6)]
            texts += [mutated(random, each) for each in texts]
            texts += ["".join(random.choices("abc ", k=random.randint(1, 6))) for _ in range(6)]
            verdicts = compare(matcher, parser, [each for each in texts if len(each) <= 16], where)
            accepted += sum(verdicts)
            done += len(verdicts)
            check_masks(random, matcher, random.choice(texts).encode())
        except GrammarTooComplexError:
            gave_up += 1
    print(f"{done} pairs, {accepted} accepted, {gave_up} gave up")
    assert accepted > done // 10
    assert gave_up < done // 20


@pytest.mark.parametrize(
    ("grammar", "accepted", "refused"),
    [
        # A keyword's edge is not settled at its end.
        ("start: /break(?=[\\s}])/ /[ }x]/", ["break ", "break}"], ["breakx", "break"]),
        ('start: "a" /b\\b/ /[-c]/?', ["ab", "ab-"], ["abc"]),
        ("start: /a+(?!b)/ /[abc]+/?", ["a", "aac", "aaab"], ["ab"]),
        # What stands before.
        ('start: "x" " "? /(?<=\\s)=/', ["x ="], ["x="]),
        ('start: "a"? /(?<!a)b/', ["b"], ["ab"]),
        ("start: /a+/ /\\b-/ /\\bc/", ["a-c"], ["-c", "ac"]),
        ("start: (/^a/ | /b/)+", ["abb", "bb"], ["aa", "ba"]),
        ('start: (/(?m:^)a/ | /\\n/)+\n%ignore " "', ["a\na", "a\n\na"], ["aa", "a\n a"]),
        # Exclusions inside.
        ("start: /(?!if|else)[a-z]+/", ["x", "fi"], ["if", "elsewhere"]),
        ('start: "\\"" /((?!\\$\\{)[^"])*[^"]/ "\\""', ['"a$"', '"a"'], ['"${a"', '"${"']),
        # Ends of strings.
        ('start: /".*?(?<!\\\\)(\\\\\\\\)*?"/', ['"a"', '"\\\\"', '"a\\"b"'], ['"a\\"', '"a"b"']),
        ('start: /"[^"]*"(?!")/ /x/?', ['"a"', '"a"x'], ['"a""']),
    ],
)
def test_idioms(grammar: str, accepted: list[str], refused: list[str]) -> None:
    parser = parser_of(grammar, "dynamic")
    assert not isinstance(parser, Exception)
    matcher = GrammarCompiler(VOCABULARY).compile(Grammar.from_lark(grammar)).matcher()
    for given in accepted:
        assert accepts(matcher, given.encode()), given
        assert parses(parser, given), given
    for given in refused:
        assert not accepts(matcher, given.encode()), given
        assert not parses(parser, given), given


def test_look_around_is_refused_with_dynamic_complete() -> None:
    with pytest.raises(GrammarSyntaxError, match="not supported") as caught:
        Grammar.from_lark("start: /a(?=b)/ /b/", lexer="dynamic_complete")
    assert caught.value.column is not None
