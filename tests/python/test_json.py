"""The built-in JSON grammar against `json.loads` and the corpus of JSON parsers."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from languages import accepts
from stackmask import Grammar, GrammarMatcher

PIECES = [
    *("{", "}", "[", "]", ":", ",", '"', '"a"', '"\\n"', '"\\ud834\\udd1e"', '"\\u00e9"', '"é"'),
    *("0", "-1", "12", "0.5", "1e9", "1E-2", "-0", "01", "1.", ".5", "+1", "-", "true", "false"),
    *("null", "tru", "NaN", "Infinity", '"\\x"', '"\\u12"', '"\t"', "'a'", "//", " ", "\n", "\t"),
]


def random_value(rng: random.Random, depth: int) -> object:
    kind = rng.randrange(7 if depth else 5)
    if kind == 5:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 6:
        keys = ("".join(rng.choices('ab"\\é日\n😀', k=rng.randrange(4))) for _ in range(3))
        return {key: random_value(rng, depth - 1) for key in keys}
    scalars = [
        None,
        rng.random() * 10 ** rng.randrange(-9, 9),
        rng.randrange(-999, 999),
        True,
        "x\u2028",
    ]
    return scalars[kind]


def loads(text: str) -> bool:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


def test_random_documents_and_random_pieces_agree_with_json_loads(
    matcher_of: Callable[[Grammar], GrammarMatcher],
) -> None:
    matcher = matcher_of(Grammar.json(whitespace="any"))
    rng = random.Random(2)
    texts = [
        json.dumps(
            random_value(rng, 4), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1])
        )
        for _ in range(1_000)
    ]
    texts += ["".join(rng.choices(PIECES, k=rng.randrange(1, 6))) for _ in range(4_000)]
    # One edit of a good document is the kind of fault a grammar could miss.
    for text in texts[:1_000]:
        at = rng.randrange(len(text))
        texts.append(text[:at] + rng.choice(PIECES) + text[at + rng.randrange(2) :])
    verdicts = [loads(text) for text in texts]
    assert 0.15 < sum(verdicts) / len(verdicts) < 0.85
    for text, verdict in zip(texts, verdicts, strict=True):
        assert accepts(matcher, text.encode()) == verdict, text


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('"\\ud834"', False),
        ('"\\udd1e"', False),
        ('"\\ud834\\u0041"', False),
        ('"\\uD834\\uDd1E"', True),
        ('"\x1f"', False),
        ('"\x7f"', True),
        ('{"a":1,"a":2}', True),
        ("", False),
        ("\ufeff1", False),
    ],
)
def test_where_the_standard_is_stricter_than_parsers(
    text: str, verdict: bool, matcher_of: Callable[[Grammar], GrammarMatcher]
) -> None:
    assert accepts(matcher_of(Grammar.json()), text.encode()) == verdict


@pytest.mark.parametrize(
    "data", [b'"\xff"', b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"']
)
def test_malformed_utf8_is_refused(
    data: bytes, matcher_of: Callable[[Grammar], GrammarMatcher]
) -> None:
    assert matcher_of(Grammar.json()).accept_bytes(data) < len(data) - 1


def test_whitespace(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    bounded, none, any_ = (
        matcher_of(Grammar.json(whitespace=name)) for name in ("bounded", "none", "any")
    )
    indented = json.dumps({"a": [1, {"b": []}]}, indent=4).encode()
    assert accepts(bounded, indented)
    assert not accepts(none, indented)
    assert accepts(none, b'{"a":[1,{"b":[]}]}')
    endless = b"[" + b"\n" * 5_000 + b"1]"
    assert accepts(any_, endless)
    assert not accepts(bounded, endless)


def test_nesting_has_no_limit(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    matcher = matcher_of(Grammar.json())
    assert accepts(matcher, b"[" * 100_000 + b"]" * 100_000)
    assert accepts(matcher, b'{"a":' * 10_000 + b"1" + b"}" * 10_000)


def test_the_corpus_of_parsers_agrees_file_by_file(
    corpora: Path, matcher_of: Callable[[Grammar], GrammarMatcher]
) -> None:
    matcher = matcher_of(Grammar.json(whitespace="any"))
    files = sorted((corpora / "json-parsing").glob("[yn]_*.json"))
    assert len(files) > 250
    wrong = [
        file.name for file in files if accepts(matcher, file.read_bytes()) != (file.name[0] == "y")
    ]
    assert wrong == []


def test_keys_are_unique_if_asked_for(matcher_of: Callable[[Grammar], GrammarMatcher]) -> None:
    def refuse(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    def unique(text: str) -> bool:
        try:
            json.loads(text, object_pairs_hook=refuse)
        except ValueError:
            return False
        return True

    assert Grammar.json(unique_keys=True) != Grammar.json()
    matcher = matcher_of(Grammar.json(whitespace="none", unique_keys=True))
    any_keys = matcher_of(Grammar.json(whitespace="none"))
    rng = random.Random(5)
    keys = ["a", "\\u0061", "b", "", "é", "\\u00E9", "\\ud83d\\ude00", "😀", "\\\\u0061"]

    def value(depth: int) -> str:
        kind = rng.randrange(4 if depth else 2)
        if kind == 2:
            return f"[{','.join(value(depth - 1) for _ in range(rng.randrange(3)))}]"
        if kind == 3:
            members = (f'"{rng.choice(keys)}":{value(depth - 1)}' for _ in range(rng.randrange(4)))
            return f"{{{','.join(members)}}}"
        return rng.choice(['"a"', "1"])

    verdicts = set()
    for _ in range(1_000):
        text = value(4)
        assert accepts(any_keys, text.encode())
        assert accepts(matcher, text.encode()) == unique(text), text
        verdicts.add(unique(text))
    assert verdicts == {True, False}
