"""Bad input: an error that names the value, and nothing written or changed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from languages import allowed
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarError,
    GrammarMatcher,
    GrammarSyntaxError,
    GrammarTooComplexError,
    Limits,
    MatcherError,
    RollbackError,
    Vocabulary,
    VocabularyError,
    apply_token_bitmask_inplace,
    fill_batch,
)
from stackmask.openai import from_response_format, from_structured_outputs

OUTSIDE = [-1, 257, 2**31, 2**32, 2**64, -(2**70)]


@pytest.fixture
def matcher(byte_compiler: GrammarCompiler) -> GrammarMatcher:
    matcher = byte_compiler.compile(Grammar.json()).matcher()
    assert matcher.accept_tokens(b'{"a"') == 4
    return matcher


def test_every_error_is_a_value_error() -> None:
    for kind in (GrammarSyntaxError, GrammarTooComplexError, VocabularyError, RollbackError):
        assert issubclass(kind, GrammarError)
    assert issubclass(MatcherError, GrammarError)
    assert issubclass(GrammarError, ValueError)


def test_an_empty_vocabulary_is_refused() -> None:
    with pytest.raises(VocabularyError):
        Vocabulary([], stop_token_ids=[])


@pytest.mark.parametrize("id", [-1, 2, 2**40, 2**80])
def test_ids_outside_are_refused_by_a_vocabulary(id: int) -> None:
    with pytest.raises(VocabularyError, match=str(id)):
        Vocabulary([b"a", b"b"], stop_token_ids=[id])
    with pytest.raises(VocabularyError, match=str(id)):
        Vocabulary([b"a", b"b"], stop_token_ids=[0], special_token_ids=[id])
    vocabulary = Vocabulary([b"a", b"b"], stop_token_ids=[0])
    with pytest.raises(VocabularyError, match=str(id)):
        vocabulary.token_bytes(id)
    with pytest.raises(VocabularyError, match=str(id)):
        vocabulary.decode([0, id])


def test_tokens_that_are_not_bytes_are_refused() -> None:
    with pytest.raises(TypeError, match="token 1 .* str"):
        Vocabulary([b"a", "b"], stop_token_ids=[0])  # type: ignore[list-item]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"model": {"type": "BPE"}}', "\0"])
def test_what_is_no_tokenizer_is_refused(text: str) -> None:
    with pytest.raises(VocabularyError):
        Vocabulary.from_tokenizer_json(text)


@pytest.mark.parametrize("id", OUTSIDE)
def test_ids_outside_are_errors_and_change_nothing(matcher: GrammarMatcher, id: int) -> None:
    before = allowed(matcher)
    calls: list[Callable[[], object]] = [
        lambda: matcher.accept_token(id),
        lambda: matcher.is_token_allowed(id),
        lambda: matcher.accept_tokens([ord(":"), id]),
        lambda: matcher.validate_tokens([ord(":"), id]),
    ]
    for call in calls:
        with pytest.raises(MatcherError, match=str(id)):
            call()
    assert matcher.num_accepted == 4
    assert allowed(matcher) == before


@pytest.mark.parametrize("id", OUTSIDE)
def test_a_stop_id_outside_is_refused(byte_compiler: GrammarCompiler, id: int) -> None:
    with pytest.raises(VocabularyError, match=str(id)):
        byte_compiler.compile(Grammar.json()).matcher(stop_token_ids=[id])


@pytest.mark.parametrize("id", [1.5, "a", None, b"a"])
def test_ids_that_are_no_integers_are_type_errors(matcher: GrammarMatcher, id: Any) -> None:
    with pytest.raises(TypeError):
        matcher.accept_token(id)


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


BUFFERS = [
    (np.full((2, 9), 7, np.int64), "int64"),
    (np.full((2, 9), 7, np.float32), "float32"),
    (np.full((2, 9), 7, np.int8), "int8"),
    (np.full((2, 9), 7, ">i4"), 'foreign order: ">i"'),
    (np.full((2, 8), 7, np.int32), "8 words: 9"),
    (np.full((2, 0), 7, np.int32), "0 words: 9"),
    (np.full((2, 2, 9), 7, np.int32), "3-D"),
    (np.full((), 7, np.int32), r"int32 of shape \(\)"),
    (np.full((2, 18), 7, np.int32)[:, ::2], "contiguous"),
    (np.full((2, 18), 7, np.int32)[:, :9], "contiguous"),
    (np.full((9, 2), 7, np.int32).T, "contiguous"),
    (frozen(np.full((2, 9), 7, np.int32)), "read-only"),
]


@pytest.mark.parametrize(("bitmask", "message"), BUFFERS)
def test_a_buffer_that_does_not_fit_is_refused(
    matcher: GrammarMatcher, bitmask: np.ndarray, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        matcher.fill_next_token_bitmask(bitmask)
    with pytest.raises(ValueError, match=message):
        fill_batch([matcher], bitmask)
    assert (bitmask == 7).all()


@pytest.mark.parametrize("bitmask", [None, [0] * 9, "x", b"x" * 36, 5])
def test_what_is_no_int32_buffer_is_refused(matcher: GrammarMatcher, bitmask: Any) -> None:
    with pytest.raises(ValueError, match="bitmask must be an int32 array, not"):
        matcher.fill_next_token_bitmask(bitmask)


@pytest.mark.parametrize("row", [2, -1, 2**70])
def test_a_row_that_is_not_there_is_refused(matcher: GrammarMatcher, row: int) -> None:
    bitmask = np.full((2, 9), 7, np.int32)
    with pytest.raises(ValueError, match=str(row)):
        matcher.fill_next_token_bitmask(bitmask, row)
    with pytest.raises(ValueError, match=str(row)):
        fill_batch([matcher], bitmask, [row])
    with pytest.raises(ValueError, match="row 1"):
        matcher.fill_next_token_bitmask(bitmask[0], 1)
    assert (bitmask == 7).all()


def test_batches_that_do_not_fit_are_refused(matcher: GrammarMatcher) -> None:
    bitmask = np.full((2, 9), 7, np.int32)
    other = matcher.fork()
    with pytest.raises(ValueError, match="3 matchers .* 2 rows"):
        fill_batch([matcher, other, matcher.fork()], bitmask)
    with pytest.raises(ValueError, match="1 indices for 2 matchers"):
        fill_batch([matcher, other], bitmask, [0])
    with pytest.raises(ValueError, match="row 1 is given twice"):
        fill_batch([matcher, other], bitmask, [1, 1])
    with pytest.raises(MatcherError, match="matcher 1 is in the batch twice"):
        fill_batch([matcher, matcher], bitmask)
    with pytest.raises(TypeError):
        fill_batch([matcher, None], bitmask)  # type: ignore[list-item]
    assert (bitmask == 7).all()


@pytest.mark.parametrize("steps", [5, 100, -1, 2**70])
def test_rolling_back_too_far_is_refused(matcher: GrammarMatcher, steps: int) -> None:
    before = allowed(matcher)
    with pytest.raises(RollbackError, match=str(steps)):
        matcher.rollback(steps)
    assert matcher.num_accepted == 4
    assert allowed(matcher) == before


def test_unknown_option_values_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="some"):
        Grammar.json(whitespace="some")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="fast"):
        Grammar.from_lark('start: "a"', lexer="fast")  # type: ignore[arg-type]
    for lexer in ("contextual", "basic"):
        with pytest.raises(GrammarError, match=f'lexer="{lexer}" is not supported'):
            Grammar.from_lark('start: "a"', lexer=lexer)  # type: ignore[arg-type]
        with pytest.raises(GrammarError, match=lexer):
            Grammar.from_lark_file(tmp_path / "x", lexer=lexer)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-1, 2**70])
def test_sizes_out_of_range_are_named(byte_vocabulary: Vocabulary, value: int) -> None:
    with pytest.raises(ValueError, match=f"rules is out of range: {value}"):
        Limits(rules=value)
    with pytest.raises(ValueError, match=f"cache_bytes is out of range: {value}"):
        GrammarCompiler(byte_vocabulary, cache_bytes=value)
    with pytest.raises(ValueError, match=f"vocab_size is out of range: {value}"):
        Vocabulary([b"a"], stop_token_ids=[0], vocab_size=value)


def test_no_choices_are_refused() -> None:
    with pytest.raises(GrammarError):
        Grammar.from_choices([])


def test_one_string_is_no_list_of_choices() -> None:
    with pytest.raises(GrammarError, match=r"not one: \['abc'\]"):
        Grammar.from_choices("abc")


def test_choices_are_bounded_like_any_source() -> None:
    limits = Limits(source_bytes=10)
    Grammar.from_choices(["12345", "67890"], limits=limits)
    with pytest.raises(GrammarTooComplexError, match="source_bytes"):
        Grammar.from_choices(["12345", "678901"], limits=limits)
    with pytest.raises(GrammarTooComplexError, match="source_bytes"):
        Grammar.from_choices(["a" * 6_000_000, "b" * 6_000_000])


@pytest.mark.parametrize("write", [bytes, bytearray, memoryview])
def test_bytes_of_any_buffer_are_accepted(
    byte_compiler: GrammarCompiler, write: Callable[[bytes], Any]
) -> None:
    matcher = byte_compiler.compile(Grammar.json()).matcher()
    assert matcher.accept_bytes(write(b'{"a": ]')) == 6
    with pytest.raises((TypeError, BufferError)):
        matcher.accept_bytes("text")  # type: ignore[arg-type]
    with pytest.raises((ValueError, BufferError)):
        matcher.accept_bytes(np.zeros(2, np.float64))


def test_rows_are_integers() -> None:
    logits, bitmask = np.zeros((2, 32), np.float32), np.zeros((2, 1), np.int32)
    with pytest.raises(TypeError):
        apply_token_bitmask_inplace(logits, bitmask, indices=[0.0])  # type: ignore[list-item]
    assert not logits.any()


def test_lark_syntax_errors_have_a_place_and_a_caret(tmp_path: Path) -> None:
    path = tmp_path / "broken.lark"
    path.write_text('start: "é" nothing\n', encoding="utf-8")
    with pytest.raises(GrammarSyntaxError) as caught:
        Grammar.from_lark_file(path)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(path), 1, 12)
    assert "nothing" in error.message
    lines = str(error).splitlines()
    assert lines[0].startswith(f"{path}, line 1, column 12: ")
    assert lines[1].strip() == 'start: "é" nothing'
    assert lines[2].index("^") == lines[1].index("nothing")


def test_lark_text_errors_have_no_file() -> None:
    with pytest.raises(GrammarSyntaxError) as caught:
        Grammar.from_lark('start: "a"\n  | )\n')
    assert (caught.value.file, caught.value.line) == (None, 2)


def test_an_undefined_start_is_named() -> None:
    with pytest.raises(GrammarError, match="missing"):
        Grammar.from_lark('start: "a"', start="missing")


def test_a_file_that_is_not_utf8_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.lark"
    path.write_bytes(b'start: "a"\nA: "\xe9"\n')
    with pytest.raises(GrammarSyntaxError, match="not UTF-8: byte 0xe9") as caught:
        Grammar.from_lark_file(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 2, 5)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.lark"):
        Grammar.from_lark_file(tmp_path / "none.lark")


@pytest.mark.parametrize(
    "make",
    [
        lambda: Grammar.from_lark("start: " + "(" * 60_000 + '"a"' + ")" * 60_000),
        lambda: Grammar.from_lark("start: " + "[" * 60_000 + '"a"' + "]" * 60_000),
        lambda: Grammar.from_lark("start: /" + "(" * 60_000 + "a" + ")" * 60_000 + "/"),
        lambda: Grammar.from_regex("(" * 60_000 + "a" + ")" * 60_000),
        lambda: Grammar.from_regex("(" * 60_000),
    ],
)
def test_deeply_nested_sources_are_refused(make: Callable[[], Grammar]) -> None:
    with pytest.raises(GrammarError):
        make()


def test_huge_sources_are_refused(tmp_path: Path) -> None:
    huge = 'start: "a"\n' + "// x\n" * 2_000_000
    with pytest.raises(GrammarTooComplexError, match="source_bytes"):
        Grammar.from_lark(huge)
    with pytest.raises(GrammarTooComplexError, match="source_bytes"):
        Grammar.from_regex("a" * 10_000_001)
    path = tmp_path / "huge.lark"
    path.write_text(huge, encoding="utf-8")
    with pytest.raises(GrammarTooComplexError, match="source_bytes"):
        Grammar.from_lark_file(path)
    with pytest.raises(GrammarTooComplexError, match="source_bytes"):
        Grammar.from_lark('start: "aaaaaaa"', limits=Limits(source_bytes=8))


@pytest.mark.parametrize("make", [Grammar.from_lark, Grammar.from_regex])
def test_nul_bytes_are_refused(make: Callable[[str], Grammar]) -> None:
    with pytest.raises(GrammarSyntaxError, match="NUL"):
        make('start: "a\0"')


@pytest.mark.parametrize(
    "grammar",
    [Grammar.from_lark(r"start: /[\x00-\x1f]/"), Grammar.from_regex(r"[\x00-\x1f]")],
)
def test_escaped_nul_bytes_are_text(grammar: Grammar, byte_compiler: GrammarCompiler) -> None:
    assert byte_compiler.compile(grammar).matcher().accept_bytes(b"\0") == 1


def test_a_step_over_its_budget_is_an_error_and_the_matcher_stays_usable(
    byte_vocabulary: Vocabulary,
) -> None:
    compiler = GrammarCompiler(byte_vocabulary, limits=Limits(step_work=12))
    matcher = compiler.compile(
        Grammar.from_lark('start: "a" start | "b" (start start)~5 | "c"')
    ).matcher()
    with pytest.raises(GrammarTooComplexError, match="step_work"):
        matcher.accept_bytes(b"aabbacabbbc")
    matcher.reset()
    assert matcher.accept_bytes(b"c") == 1
    matcher.rollback()
    assert matcher.num_accepted == 0


@pytest.mark.parametrize("value", [5, "no type", object()])
def test_what_pydantic_takes_for_no_type_is_a_grammar_error(value: Any) -> None:
    with pytest.raises(GrammarError, match=re.escape(repr(value)[:20])):
        Grammar.from_type(value)


@pytest.mark.parametrize("value", [None, 5, "text", []])
def test_request_fields_that_are_no_mappings_are_named(value: Any) -> None:
    with pytest.raises(GrammarError, match=re.escape(repr(value))):
        from_response_format(value)
    with pytest.raises(GrammarError, match=re.escape(repr(value))):
        from_structured_outputs(value)


def test_logits_and_masks_that_are_no_arrays_are_named() -> None:
    logits, mask = np.zeros(8, np.float32), np.zeros(1, np.int32)
    with pytest.raises(TypeError, match="logits must be a NumPy array, not list"):
        apply_token_bitmask_inplace([0.0] * 8, mask)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bitmask must be a NumPy array, not list"):
        apply_token_bitmask_inplace(logits, [0])  # type: ignore[arg-type]
