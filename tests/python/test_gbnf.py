"""Random grammars in GBNF, beside a matcher of sets of ends: no backtracking, so no blow-up."""

import itertools
import random
from functools import cache
from typing import Any

import pytest

from languages import accepts
from seeds import seed
from stackmask import Grammar, GrammarCompiler, GrammarError, GrammarSyntaxError, Vocabulary

COMPILER = GrammarCompiler(Vocabulary.byte_level(), cache_bytes=0)
LETTERS = "aéb("
RULES = 3
#: A suffix, the fewest and the most rounds.
REPEATS = [("*", 0, 99), ("+", 1, 99), ("?", 0, 1), ("{2}", 2, 2), ("{1,}", 1, 99), ("{0,2}", 0, 2)]
CLASSES = [("[a-b]", "ab"), ("[^a]", "éb("), ("[é(]", "é("), (".", LETTERS)]

Item = tuple[Any, ...]


def item(rng: random.Random, rule: int, depth: int) -> Item:
    """An item of a rule, which calls later rules, or itself behind a character."""
    kind = rng.randrange(8 if depth else 3)
    match kind:
        case 0:
            return "text", "".join(rng.choices(LETTERS, k=rng.randint(0, 2)))
        case 1:
            return "class", rng.choice(CLASSES)
        case 2:
            if rule + 1 < RULES and rng.random() < 0.7:
                return "rule", rng.randrange(rule + 1, RULES)
            return "text", rng.choice(LETTERS)
        case 3 | 4:
            return "seq", [item(rng, rule, depth - 1) for _ in range(rng.randint(1, 3))]
        case 5:
            return "alt", [item(rng, rule, depth - 1) for _ in range(rng.randint(1, 3))]
        case 6:
            own = ("seq", [("text", "("), ("rule", rule), item(rng, rule, depth - 1)])
            return "alt", [own, item(rng, rule, depth - 1)]
        case _:
            return "repeat", item(rng, rule, depth - 1), rng.choice(REPEATS)


def written(item: Item) -> str:
    match item:
        case "text", text:
            return f'"{text}"'
        case "class", (text, _):
            return str(text)
        case "rule", number:
            return f"r{number}"
        case "seq", parts:
            return "(" + " ".join(map(written, parts)) + ")"
        case "alt", parts:
            return "(" + " | ".join(map(written, parts)) + ")"
        case _:
            return f"({written(item[1])}){item[2][0]}"


def matches(rules: list[Item], text: str) -> bool:
    """Whether the text is one of the first rule."""

    @cache
    def of_rule(number: int, start: int) -> frozenset[int]:
        return frozenset(ends(rules[number], start))

    def ends(item: Item, start: int) -> set[int]:
        match item:
            case "text", wanted:
                return {start + len(wanted)} if text.startswith(wanted, start) else set()
            case "class", (_, members):
                return {start + 1} if text[start : start + 1] and text[start] in members else set()
            case "rule", number:
                return set(of_rule(number, start))
            case "alt", parts:
                return set().union(*(ends(part, start) for part in parts))
            case "seq", parts:
                now = {start}
                for part in parts:
                    now = {end for at in now for end in ends(part, at)}
                return now
            case _:
                _, body, (_, least, most) = item
                now = found = {start} if least == 0 else set()
                now = {start}
                for count in range(1, min(most, len(text) + least + 1) + 1):
                    now = {end for at in now for end in ends(body, at)}
                    if count >= least:
                        found = found | now
                return found

    return len(text) in of_rule(0, 0)


def test_random_grammars_mean_what_they_say() -> None:
    rng = random.Random(seed())
    texts = ["".join(letters) for n in range(5) for letters in itertools.product(LETTERS, repeat=n)]
    accepted = compared = 0
    for _ in range(60):
        rules = [item(rng, number, 3) for number in range(RULES)]
        lines = [f"r{number} ::= {written(rule)}" for number, rule in enumerate(rules)]
        try:
            matcher = COMPILER.compile(Grammar.from_gbnf("\n".join(lines), "r0")).matcher()
        except GrammarError as error:
            # Recursion without a way out.
            assert "no finite text" in str(error)
            assert not any(matches(rules, text) for text in texts)
            continue
        for text in rng.sample(texts, 60):
            expected = matches(rules, text)
            assert accepts(matcher, text.encode()) == expected, ("\n".join(lines), text)
            accepted += expected
            compared += 1
    assert compared > 1000
    assert accepted > 50


def test_errors_have_a_place() -> None:
    with pytest.raises(GrammarSyntaxError) as error:
        Grammar.from_gbnf('root ::= "a"\nb ::= "\\q"')
    assert (error.value.line, error.value.column) == (2, 8)
    with pytest.raises(GrammarError, match="start"):
        Grammar.from_gbnf('a ::= "a"', "start")
