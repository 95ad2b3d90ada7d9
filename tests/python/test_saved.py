"""Grammars and compiled grammars as bytes: loaded they are what they were, and damage is told."""

import pickle
import random
import subprocess
import sys
from typing import Any

import pytest

import stackmask
from seeds import seed
from stackmask import (
    CompiledGrammar,
    Grammar,
    GrammarCompiler,
    GrammarError,
    GrammarMatcher,
    Limits,
    Vocabulary,
    VocabularyError,
)

BYTES = Vocabulary.byte_level()
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer", "minimum": 3}, "b": {"enum": ["x", None]}},
    "required": ["a"],
}
GRAMMARS = {
    "json": (lambda: Grammar.json(), b'{"a": [1, true]}'),
    "unique": (lambda: Grammar.json(unique_keys=True), b'{"a": 1, "b": 2}'),
    "schema": (lambda: Grammar.from_json_schema(SCHEMA), b'{"a": 12, "b": "x", "c": {}}'),
    "schema-any": (
        lambda: Grammar.from_json_schema(SCHEMA, spelling="any", whitespace=(", ", ": ")),
        b'{"b": null, "a": 3.0}',
    ),
    "regex": (lambda: Grammar.from_regex(r"(?!aa)\w{2,300}\b"), b"abc"),
    "choices": (lambda: Grammar.from_choices(["yes", "no"]), b"yes"),
    "lark": (
        lambda: Grammar.from_lark('start: (A " "?)+\nA: /a+?b/\n%ignore "#"', lexer="dynamic"),
        b"aab#ab",
    ),
    "gbnf": (lambda: Grammar.from_gbnf('root ::= "(" root ")" | [0-9]{1,3}'), b"((12))"),
}
each = pytest.mark.parametrize("name", GRAMMARS)


def masks(matcher: GrammarMatcher, text: bytes) -> list[list[int]]:
    """The masks along a text, which the grammar accepts."""
    found = [matcher.next_token_bitmask().tolist()]
    for byte in text:
        assert matcher.accept_token(byte)
        found.append(matcher.next_token_bitmask().tolist())
    assert matcher.is_completed()
    return found


@each
def test_what_is_loaded_is_what_was_saved(name: str) -> None:
    make, text = GRAMMARS[name]
    grammar = make()
    loaded = Grammar.from_bytes(grammar.to_bytes())
    assert loaded == grammar
    assert hash(loaded) == hash(grammar)
    assert pickle.loads(pickle.dumps(grammar)) == grammar
    compiled = GrammarCompiler(BYTES).compile(grammar)
    again = CompiledGrammar.from_bytes(compiled.to_bytes(), BYTES)
    assert again.vocabulary is BYTES
    assert again.warnings == compiled.warnings
    assert masks(again.matcher(), text) == masks(compiled.matcher(), text)


def test_pickles_of_many_share_the_vocabulary() -> None:
    compiler = GrammarCompiler(BYTES)
    first, second = (compiler.compile(GRAMMARS[name][0]()) for name in ("json", "regex"))
    one, two = pickle.loads(pickle.dumps([first, second]))
    assert one.vocabulary is two.vocabulary
    assert one.vocabulary.fingerprint == BYTES.fingerprint


def test_another_process_fills_the_same_masks() -> None:
    make, text = GRAMMARS["schema"]
    compiled = GrammarCompiler(BYTES).compile(make())
    program = (
        "import pickle, sys\n"
        "compiled, text = pickle.loads(sys.stdin.buffer.read())\n"
        "matcher = compiled.matcher()\n"
        "for byte in text:\n"
        "    print(matcher.next_token_bitmask().tolist())\n"
        "    assert matcher.accept_token(byte)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps((compiled, text)),
        capture_output=True,
        check=True,
    )
    here = masks(compiled.matcher(), text)[: len(text)]
    assert done.stdout.decode().splitlines() == [str(row) for row in here]


def test_limits_are_saved_with_the_grammar() -> None:
    compiler = GrammarCompiler(BYTES, limits=Limits(step_work=12))
    grammar = Grammar.from_lark('start: "a" start | "b" (start start)~5 | "c"')
    saved = compiler.compile(grammar).to_bytes()
    matcher = CompiledGrammar.from_bytes(saved, BYTES).matcher()
    with pytest.raises(stackmask.GrammarTooComplexError, match="step_work"):
        matcher.accept_bytes(b"aabbacabbbc")


def test_another_vocabulary_is_refused() -> None:
    saved = GrammarCompiler(BYTES).compile(Grammar.json()).to_bytes()
    other = Vocabulary([bytes([byte]) for byte in range(256)] + [None, b"x"], stop_token_ids=[256])
    with pytest.raises(VocabularyError, match="another vocabulary"):
        CompiledGrammar.from_bytes(saved, other)


@each
def test_damage_is_an_error(name: str) -> None:
    rng = random.Random(seed())
    compiled = GrammarCompiler(BYTES).compile(GRAMMARS[name][0]())
    loads: list[tuple[bytes, Any]] = [
        (compiled.to_bytes(), lambda data: CompiledGrammar.from_bytes(data, BYTES)),
        (GRAMMARS[name][0]().to_bytes(), Grammar.from_bytes),
    ]
    for saved, load in loads:
        for _ in range(300):
            damaged = bytearray(saved)
            match rng.randrange(4):
                case 0:
                    damaged[rng.randrange(len(saved))] ^= 1 << rng.randrange(8)
                case 1:
                    del damaged[rng.randrange(len(saved)) :]
                case 2:
                    at = rng.randrange(len(saved))
                    damaged[at:at] = rng.randbytes(rng.randint(1, 9))
                case _:
                    del damaged[(at := rng.randrange(len(saved))) : at + rng.randint(1, 9)]
            with pytest.raises(GrammarError):
                load(bytes(damaged))


@pytest.mark.parametrize("foreign", [b"", b"stkmskC", b"\0" * 100, b"PK\x03\x04" * 40])
def test_foreign_bytes_are_an_error(foreign: bytes) -> None:
    with pytest.raises(GrammarError):
        CompiledGrammar.from_bytes(foreign, BYTES)
    with pytest.raises(GrammarError):
        Grammar.from_bytes(foreign)
    with pytest.raises(GrammarError):
        Grammar.from_bytes(BYTES.to_bytes())
