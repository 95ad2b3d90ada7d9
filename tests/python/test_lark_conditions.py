"""Random Lark grammars whose terminals look at the text around them: the engine against `lark`."""

from random import Random

import pytest

from languages import accepts
from lark_oracle import LEXERS, VOCABULARY, Lexer, compare, parser_of, parses, walk
from stackmask import Grammar, GrammarCompiler, GrammarMatcher

LETTERS = ["a", "b", "c", "é", "[ab]", "[^a]", "\\w", "."]
REPEATS = ["", "", "", "*", "+", "?", "+?", "*?", "{1,2}", "*+"]


def piece(random: Random) -> str:
    return random.choice(LETTERS) + random.choice(REPEATS)


def condition(random: Random) -> str:
    body = random.choice(["a", "b", "é", "[ab]", "ab", "a|c", "b*c", " ", "\\w", "b?$", "$|é$"])
    kind = random.choice(
        ["(?=", "(?!", "(?<=", "(?<!", "\\b", "\\B", "$", "^", "(?=", "(?!", "(?<=", "(?<!"]
    )
    if not kind.startswith("("):
        return kind
    if kind.startswith("(?<"):
        body = random.choice(["a", "é", "[ab]", "\\w"])
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
    return given[:place] + random.choice("abcé ") + given[place + random.randint(0, 1) :]


def texts(random: Random, matcher: GrammarMatcher) -> list[str]:
    found = [walk(random, matcher) for _ in range(6)]
    found += [mutated(random, each) for each in found]
    return found + ["".join(random.choices("abcé ", k=random.randint(1, 6))) for _ in range(6)]


@pytest.mark.parametrize("lexer", LEXERS)
def test_random_terminals_with_conditions_agree_with_lark(lexer: Lexer) -> None:
    tally = compare(lexer, grammar, texts)
    assert tally.accepted * 10 > tally.pairs


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
    check("dynamic", grammar, accepted, refused)


@pytest.mark.parametrize(
    ("grammar", "accepted", "refused"),
    [
        # What would be a match if the text was cut short, in a longer one.
        ('start: /a+(?!b)/ "a"* "b"?', ["aa", "aab"], ["b", "ab"]),
        ('start: /a+$/ "a"* "b"?', ["aa"], ["aab"]),
        # The piece reaches beyond the match in it.
        ("start: /a+b+c|a+(?=b)/ /b+c/", ["aabbc", "abc"], ["bc", "aabb"]),
        # No piece without a longer match.
        ("start: /ab?(?=c)/ /b?c/", ["abc", "ac"], ["abb"]),
        ("start: /break(?=[\\s}])/ /[ }x]/", ["break ", "break}"], ["breakx", "break"]),
        # A piece has nothing before it, unlike the text.
        ("start: /a/ /(?<!a)bb|(?<=a)bbb/ /b+/", ["abbb", "abbbb"], ["abb"]),
        ("start: /a/ /^b|bc/ /c/", ["abc", "abcc"], ["ab", "abbc"]),
        # Cuts are between characters.
        ("start: /aéb|a(?!$|é$)/ /éb/", ["aébéb"], ["aéb"]),
        # Decided by the match alone.
        ('start: /".*?(?<!\\\\)(\\\\\\\\)*?"/', ['"a"', '"a\\"b"'], ['"a\\"', '"a"b"']),
        # Ignored text is matched whole.
        ('start: "a" /-+/ "b"\n%ignore /-+(?=[-b])/', ["a-b", "a--b"], ["a-"]),
    ],
)
def test_idioms_in_pieces_of_the_text(
    grammar: str, accepted: list[str], refused: list[str]
) -> None:
    check("dynamic_complete", grammar, accepted, refused)


def check(lexer: Lexer, grammar: str, accepted: list[str], refused: list[str]) -> None:
    parser = parser_of(grammar, lexer)
    assert not isinstance(parser, Exception)
    compiled = GrammarCompiler(VOCABULARY).compile(Grammar.from_lark(grammar, lexer=lexer))
    matcher = compiled.matcher()
    for given in accepted + refused:
        assert parses(parser, given) == (given in accepted), given
        assert accepts(matcher, given.encode()) == (given in accepted), given
