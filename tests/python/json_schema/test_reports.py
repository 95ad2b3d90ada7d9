"""What others reported of engines like this one, as behaviour: over vocabularies made for it.

The reports about verdicts are cases of `tests/suite/json_schema`. Where the corpora are present,
the file of all reports is replayed too.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from json_schema import engine
from stackmask import (
    CompiledGrammar,
    Grammar,
    GrammarCompiler,
    GrammarError,
    GrammarMatcher,
    InvalidSchemaError,
    UnsatisfiableSchemaError,
    Vocabulary,
)

STRING = {"type": "string"}
CLOSED_A = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}


class Words:
    """All bytes, then the given words, then special tokens and stop tokens; masks by words."""

    def __init__(self, *words: bytes, special: tuple[bytes, ...] = (), stops: int = 1) -> None:
        self.words = words
        tokens = [bytes([byte]) for byte in range(256)] + [*words, *special]
        self.special = {256 + len(words) + n for n in range(len(special))}
        self.stops = [len(tokens) + n for n in range(stops)]
        self.vocabulary = Vocabulary(
            tokens + [b"<stop>"] * stops,
            stop_token_ids=self.stops,
            special_token_ids=[*self.special, *self.stops],
        )

    def compile(self, schema: Any, **options: Any) -> CompiledGrammar:
        return GrammarCompiler(self.vocabulary).compile(Grammar.from_json_schema(schema, **options))

    def matcher(self, schema: Any, **options: Any) -> GrammarMatcher:
        return self.compile(schema, **options).matcher()

    def id(self, word: bytes) -> int:
        return 256 + self.words.index(word)

    def allowed(self, matcher: GrammarMatcher) -> set[bytes]:
        """The allowed words, `b"stop"` for a stop token, `b"special"` for another special one."""
        found = set()
        for token in map(int, matcher.allowed_token_ids()):
            if token in self.stops:
                found.add(b"stop")
            elif token in self.special:
                found.add(b"special")
            elif token >= 256:
                found.add(self.words[token - 256])
        return found


def first_bytes(matcher: GrammarMatcher) -> set[int]:
    return {int(token) for token in matcher.allowed_token_ids() if token < 256}


def feed(matcher: GrammarMatcher, text: bytes) -> GrammarMatcher:
    assert matcher.accept_bytes(text) == len(text)
    return matcher


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
def test_stop_tokens_come_when_the_value_is_complete(spelling: str) -> None:
    words = Words(b'"', b"a", b"ab", stops=2)
    matcher = words.matcher(
        {"type": "string", "maxLength": 2}, spelling=spelling, whitespace="none"
    )
    assert words.allowed(matcher) == {b'"'}
    feed(matcher, b'"')
    assert words.allowed(matcher) == {b'"', b"a", b"ab"}
    feed(matcher, b"a")
    assert words.allowed(matcher) == {b'"', b"a"}
    feed(matcher, b'"')
    assert words.allowed(matcher) == {b"stop"}
    assert set(words.stops) <= {int(token) for token in matcher.allowed_token_ids()}
    assert matcher.accept_token(words.stops[1])
    assert not matcher.accept_token(words.id(b"a"))
    matcher.rollback(1)
    assert words.allowed(matcher) == {b"stop"}


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
def test_undoing_over_the_end(spelling: str) -> None:
    words = Words(b'{"k":', b'"v', b'v"', b"}")
    schema = {"properties": {"k": {"const": "vv"}}, "required": ["k"], "type": "object"}
    schema["additionalProperties"] = False
    matcher = words.matcher(schema, spelling=spelling, whitespace="none")
    masks = [words.allowed(matcher)]
    for token in [*(words.id(word) for word in words.words), words.stops[0]]:
        assert matcher.accept_token(token)
        masks.append(words.allowed(matcher))
    assert masks[:5] == [{b'{"k":'}, {b'"v'}, {b'v"'}, {b"}"}, {b"stop"}]
    for count in (2, 1, 2):
        matcher.rollback(count)
        del masks[-count:]
        assert words.allowed(matcher) == masks[-1]


def test_five_hundred_steps_are_undone_and_replayed() -> None:
    matcher = Words().matcher({"type": "array", "items": {"type": "integer"}})
    text = b"[" + b",".join(b"%d" % n for n in range(200))
    before = [int(token) for token in matcher.allowed_token_ids()]
    masks = []
    for byte in text:
        assert matcher.accept_token(byte)
        masks.append(matcher.next_token_bitmask().tolist())
    matcher.rollback(len(text))
    assert [int(token) for token in matcher.allowed_token_ids()] == before
    for byte, mask in zip(text, masks, strict=True):
        assert matcher.accept_token(byte)
        assert matcher.next_token_bitmask().tolist() == mask


def test_forks_and_replays_of_one_compiled_schema() -> None:
    compiled = Words().compile({"type": "array", "items": {"type": "boolean"}})
    one = compiled.matcher()
    two = one.fork()
    feed(one, b"[true")
    feed(two, b"[]")
    assert ord(",") in first_bytes(one)
    assert ord(",") not in first_bytes(two)
    assert two.is_completed()
    assert not one.is_completed()
    again = feed(compiled.matcher(), b"[true")
    assert again.next_token_bitmask().tolist() == one.next_token_bitmask().tolist()


def test_drafts_are_cut_at_the_first_refusal() -> None:
    words = Words(b'{"', b"\n\n\n", b"a")
    matcher = words.matcher(CLOSED_A)
    ids = [words.id(word) for word in words.words]
    assert matcher.validate_tokens(ids) == 1
    assert matcher.num_accepted == 0


def test_special_tokens_are_no_text() -> None:
    words = Words(b"<", b"unused", b'","', special=(b"<unused32>", b'","', b'"'))
    schema = {"type": "array", "items": STRING}
    matcher = feed(words.matcher(schema), b'["a')
    assert words.allowed(matcher) == {b"<", b"unused", b'","'}
    for token in words.special:
        assert not matcher.accept_token(token)


def test_parts_of_characters() -> None:
    words = Words(b"\xb8\xad", b"\xe4\xb8", b"\xf0", b'"', b"a")
    matcher = feed(words.matcher(STRING), b'"')
    fresh = words.allowed(matcher)
    assert fresh == {b"\xe4\xb8", b"\xf0", b'"', b"a"}
    assert not first_bytes(matcher) & {*range(0x80, 0xC2), *range(0xF5, 0x100), *range(0x20)}
    feed(matcher, b"\xe4")
    assert words.allowed(matcher) == {b"\xb8\xad"}
    feed(matcher, b"\xb8\xad")
    assert words.allowed(matcher) == fresh
    for lead, low, high in (
        (0xE0, 0xA0, 0xBF),
        (0xED, 0x80, 0x9F),
        (0xF0, 0x90, 0xBF),
        (0xF4, 0x80, 0x8F),
    ):
        fork = matcher.fork()
        assert fork.accept_token(lead)
        assert first_bytes(fork) == set(range(low, high + 1))


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
def test_escapes_in_pieces(spelling: str) -> None:
    words = Words(b'"', b"\\", b"n", b"u", b"00e9", b"\\n", b"q", b"\\\\", b"001f")
    matcher = feed(words.matcher(STRING, spelling=spelling), b'"\\')
    assert words.allowed(matcher) == {b'"', b"\\", b"n", b"u", b"\\n", b"\\\\"}
    feed(matcher, b"u")
    expected = {b"00e9", b"001f"} if spelling == "any" else {b"001f"}
    assert words.allowed(matcher) == expected


def test_tokens_over_several_symbols() -> None:
    words = Words(b'{"', b'":[', b'],"', b"1,", b"1]", b"11,2", b'":', b"null}")
    schema = {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "integer"}}, "b": {"type": "null"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    matcher = words.matcher(schema, whitespace=(",", ":"))
    feed(matcher, b'{"a":[')
    inside = {b"1,", b"1]", b"11,2", b'],"'}
    assert words.allowed(matcher) == inside
    feed(matcher, b"1")
    assert words.allowed(matcher) == inside
    feed(matcher, b",")
    assert words.allowed(matcher) == {b"1,", b"1]", b"11,2"}
    feed(matcher, b"2],")
    feed(matcher, b'"b')
    assert words.allowed(matcher) == {b'":'}
    feed(matcher, b'":')
    assert words.allowed(matcher) == {b"null}"}


def test_what_is_forced_is_forced() -> None:
    schema = {"type": "object", "properties": {"name": STRING}, "required": ["name"]}
    schema["additionalProperties"] = False
    assert Words().matcher(schema, whitespace=(",", ":")).forced_bytes() == b'{"name":"'
    assert Words().matcher(schema, whitespace="any", spelling="any").forced_bytes() == b""
    matcher = feed(Words().matcher(STRING), b'"')
    assert matcher.forced_bytes() == b""
    assert matcher.forced_tokens() == []
    matcher = feed(Words().matcher({"enum": ["领带", "领口"]}), b'"')
    assert matcher.forced_bytes() in ("领".encode(), b"\xe9\xa2\x86\xe5")
    feed(matcher, b"\xe9\xa2\x86\xe5")
    assert first_bytes(matcher) == {0xB8, 0x8F}


def test_bounded_gaps_hold_no_more() -> None:
    words = Words(b" " * 8, b"\n", b" " * 4)
    matcher = feed(words.matcher(CLOSED_A), b"{     ")
    assert words.allowed(matcher) == set()
    feed(matcher, b"   ")
    assert first_bytes(matcher) == {ord('"')}
    matcher = feed(words.matcher(CLOSED_A), b"{\n")
    assert words.allowed(matcher) == {b" " * 8, b" " * 4}
    matcher = feed(words.matcher(CLOSED_A), b'{"a": 1}' + b" " * 8)
    assert words.allowed(matcher) == {b"stop"}


def test_separators_as_given() -> None:
    matcher = Words().matcher(CLOSED_A, whitespace=(",", ":"))
    assert not first_bytes(feed(matcher, b'{"a":')) & set(b" \t\r\n")
    matcher = Words().matcher(CLOSED_A, whitespace=(", ", ": "))
    assert first_bytes(feed(matcher, b'{"a":')) == {ord(" ")}


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
def test_long_values_and_deep_ones(spelling: str) -> None:
    nested = {"type": "object", "properties": {"s": {"type": "string", "maxLength": 65536}}}
    matcher = Words().matcher(nested, spelling=spelling)
    assert engine.accepts(matcher, '{"s": "' + "a" * 65536 + '"}')
    assert not engine.accepts(matcher, '{"s": "' + "a" * 65537 + '"}')
    array = {"$ref": "#/$defs/v", "$defs": {"v": {"type": "array", "items": {"$ref": "#/$defs/v"}}}}
    matcher = Words().matcher(array, spelling=spelling)
    assert engine.accepts(matcher, "[" * 100_000 + "]" * 100_000)
    feed(matcher, b"[" * 1000)
    matcher.rollback(1)


def test_errors_name_the_place_and_leave_no_trace() -> None:
    compiler = GrammarCompiler(Vocabulary.byte_level())
    bad = {"anyOf": [STRING, {"properties": {"b": {"type": "string", "pattern": "["}}}]}
    for _ in range(2):
        with pytest.raises(InvalidSchemaError) as caught:
            compiler.compile(Grammar.from_json_schema(bad))
        assert caught.value.pointer == "/anyOf/1/properties/b/pattern"
        matcher = compiler.compile(Grammar.from_json_schema(STRING)).matcher()
        assert engine.accepts(matcher, '"a"')


@pytest.mark.parametrize("spelling", engine.SPELLINGS)
def test_the_file_of_reports(corpora: Path, spelling: str) -> None:
    lines = (corpora / "bugcases.jsonl").read_text(encoding="utf-8").strip().split("\n")
    reports = [json.loads(line) for line in lines]
    wrong, count = [], 0
    for report in reports:
        kinds = ("json_schema", "behaviour")
        if report["grammar_type"] not in kinds or not isinstance(report["grammar"], dict):
            continue
        count += 1
        name, notes = report["id"], report["notes"]
        compact = {"whitespace": (",", ":")} if name == "compact-means-compact" else {}
        try:
            matcher = engine.compile_schema(
                report["grammar"], spelling=spelling, **compact
            ).matcher()
        except GrammarError as error:
            never = "[must-compile-error]" in notes or isinstance(error, UnsatisfiableSchemaError)
            allowed = "[compile-error-ok]" in notes or name == "error-names-the-schema-path"
            if not allowed and not (never and not report["accept"]):
                wrong.append((name, repr(error)))
            continue
        if "[must-compile-error]" in notes:
            wrong.append((name, "compiles"))
        more = report.get("optional_accept", []) if spelling == "any" else []
        wrong += [
            (name, f"refuses {t}")
            for t in report["accept"] + more
            if not engine.accepts(matcher, t)
        ]
        wrong += [(name, f"accepts {t}") for t in report["reject"] if engine.accepts(matcher, t)]
    assert wrong == []
    assert count > 90
