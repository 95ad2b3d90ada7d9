"""What a matcher does, sentence by sentence."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from languages import allowed
from stackmask import (
    Grammar,
    GrammarCompiler,
    GrammarMatcher,
    MatcherError,
    Vocabulary,
    fill_batch,
    fill_draft_chain,
)

STOP = 256
Make = Callable[[Grammar], GrammarMatcher]


@pytest.fixture
def word_matcher(word_vocabulary: Vocabulary) -> GrammarMatcher:
    return GrammarCompiler(word_vocabulary).compile(Grammar.json()).matcher()


def test_a_refused_token_returns_false_and_changes_nothing(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    assert matcher.accept_token(ord("["))
    before = allowed(matcher)
    assert matcher.accept_token(ord("}")) is False
    assert matcher.accept_token(STOP) is False
    assert matcher.num_accepted == 1
    assert allowed(matcher) == before


def test_accept_and_validate_tokens_stop_at_the_first_refusal(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    assert matcher.validate_tokens(list(b"[1,}2]")) == 3
    assert matcher.num_accepted == 0
    assert matcher.accept_tokens(np.frombuffer(b"[1,}2]", np.uint8)) == 3
    assert matcher.num_accepted == 3
    assert matcher.accept_tokens([]) == matcher.validate_tokens([]) == 0


def test_accept_and_validate_tokens_stop_at_termination(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    ids = [*b"[]", STOP, STOP, *b"[]"]
    assert matcher.validate_tokens(ids) == 3
    assert not matcher.is_terminated()
    assert matcher.accept_tokens(ids) == 3
    assert matcher.is_terminated()


def test_accept_bytes_takes_the_longest_prefix_as_one_step(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    assert matcher.accept_bytes(b'{"key": [1, }') == 12
    assert matcher.num_accepted == 1
    assert matcher.accept_bytes(b"}") == 0
    assert matcher.accept_bytes(b"") == 0
    assert matcher.num_accepted == 1
    matcher.rollback()
    assert matcher.accept_bytes(b"[]") == 2


def test_rollback_undoes_any_number_of_steps(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    masks = []
    text = b'{"a": [1, {"b": "\xc3\xa9"}]}'
    for byte in text:
        masks.append(allowed(matcher))
        assert matcher.accept_token(byte)
    for mask in reversed(masks):
        matcher.rollback()
        assert allowed(matcher) == mask
    assert matcher.accept_tokens(text) == len(text)
    matcher.rollback(len(text))
    matcher.rollback(0)
    assert matcher.num_accepted == 0


def test_rollback_counts_the_stop_token_and_undoes_termination(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    assert matcher.accept_tokens([*b"[1", *b"]", STOP]) == 4
    assert matcher.num_accepted == 4
    matcher.rollback()
    assert not matcher.is_terminated()
    assert matcher.is_completed()
    matcher.rollback()
    assert not matcher.is_completed()
    assert matcher.accept_tokens(b",2]") == 3


def test_a_stop_token_is_allowed_exactly_when_the_text_is_complete(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    for byte in b'[10, {"a": true}]':
        assert (
            matcher.is_token_allowed(STOP) == matcher.is_completed() == (STOP in allowed(matcher))
        )
        assert not matcher.is_completed()
        assert matcher.accept_token(byte)
    assert matcher.is_completed()
    assert matcher.is_token_allowed(STOP)


def test_after_termination_the_mask_is_the_stop_row(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    assert matcher.accept_tokens([*b"1", STOP]) == 2
    assert allowed(matcher) == [STOP]
    assert matcher.accept_token(STOP) is False
    assert matcher.accept_token(ord("1")) is False
    assert matcher.accept_tokens([ord("1")]) == 0
    assert matcher.accept_bytes(b"1") == 0
    assert matcher.validate_tokens([STOP]) == 0
    assert matcher.num_accepted == 2


def test_stop_tokens_of_a_matcher(byte_compiler: GrammarCompiler) -> None:
    compiled = byte_compiler.compile(Grammar.from_choices(["a"]))
    matcher = compiled.matcher(stop_token_ids=[10, 13])
    assert matcher.accept_token(ord("a"))
    assert allowed(matcher) == [10, 13]
    assert matcher.accept_token(13)
    assert matcher.is_terminated()
    assert allowed(matcher) == [10, 13]


def test_fill_writes_a_row_and_no_other(word_matcher: GrammarMatcher) -> None:
    words = 10
    bitmask = np.full((3, words + 2), -1, np.int32)
    assert word_matcher.fill_next_token_bitmask(bitmask, 1) is True
    assert (bitmask[[0, 2]] == -1).all()
    assert (bitmask[1, words:] == 0).all()
    assert (bitmask[1, :words] == word_matcher.next_token_bitmask()).all()
    # Token 308 is the last: 309 - 9 * 32 = 21 bits of the last word are tokens.
    assert int(bitmask[1, words - 1]) & 0xFFFFFFFF < 1 << 21


def test_fill_takes_one_row_and_unsigned_words(word_matcher: GrammarMatcher) -> None:
    expected = word_matcher.next_token_bitmask()
    for kind in (np.int32, np.uint32):
        row = np.empty(10, kind)
        assert word_matcher.fill_next_token_bitmask(row)
        assert (row.view(np.int32) == expected).all()
        assert word_matcher.fill_next_token_bitmask(row, index=0)
    memory = bytearray(40)
    assert word_matcher.fill_next_token_bitmask(memoryview(memory).cast("i"))
    assert bytes(memory) == expected.tobytes()


def test_fill_says_whether_anything_is_masked() -> None:
    vocabulary = Vocabulary([b"a", b"s"], stop_token_ids=[1])
    matcher = GrammarCompiler(vocabulary).compile(Grammar.from_regex("a*")).matcher()
    row = np.empty(1, np.int32)
    assert matcher.fill_next_token_bitmask(row) is False
    assert row[0] == 0b11
    matcher = GrammarCompiler(vocabulary).compile(Grammar.from_regex("a+")).matcher()
    assert matcher.fill_next_token_bitmask(row) is True
    assert row[0] == 0b01


def test_masks_agree_with_validation_of_each_token(word_matcher: GrammarMatcher) -> None:
    text = '{"ab": [12.5e+3, "日本\\u00e9", {"a": null}], "é": false}'.encode()
    for byte in text:
        mask = allowed(word_matcher)
        assert mask == [token for token in range(309) if word_matcher.validate_tokens([token])]
        assert mask == [token for token in range(309) if word_matcher.is_token_allowed(token)]
        assert 307 not in mask
        assert word_matcher.accept_bytes(bytes([byte])) == 1


def test_reset_goes_back_to_the_start(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    start = allowed(matcher)
    matcher.accept_tokens([*b"[]", STOP])
    matcher.reset()
    assert matcher.num_accepted == 0
    assert not matcher.is_terminated()
    assert allowed(matcher) == start


@pytest.mark.parametrize("fork", [GrammarMatcher.fork, copy.copy, copy.deepcopy])
def test_a_fork_goes_its_own_way(
    fork: Callable[[GrammarMatcher], GrammarMatcher], matcher_of: Make
) -> None:
    matcher = matcher_of(Grammar.json())
    matcher.accept_tokens(b'{"a":')
    other = fork(matcher)
    assert matcher.accept_tokens(b"1}") == 2
    assert other.num_accepted == 5
    assert other.accept_tokens(b"[[") == 2
    assert matcher.is_completed()
    other.rollback(7)
    assert allowed(other) == allowed(matcher_of(Grammar.json()))


def test_forced_bytes(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.from_choices(["say hello", "say help"]))
    assert matcher.forced_bytes() == b"say hel"
    assert matcher.num_accepted == 0
    assert matcher_of(Grammar.json()).forced_bytes() == b""


def test_forced_tokens_while_the_mask_has_one_bit(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.from_choices(["abc", "abd"]))
    assert matcher.forced_tokens() == [*b"ab"]
    assert matcher.num_accepted == 0


def encoder(vocabulary: Vocabulary) -> Callable[[str], list[int]]:
    """Longest match first."""
    tokens = {vocabulary.token_bytes(token): token for token in range(vocabulary.vocab_size)}

    def encode(text: str) -> list[int]:
        data, ids = text.encode(), []
        while data:
            length = max(n for n in range(1, len(data) + 1) if data[:n] in tokens)
            ids.append(tokens[data[:length]])
            data = data[length:]
        return ids

    return encode


def test_forced_tokens_of_an_encoder_lose_the_tail_that_could_merge() -> None:
    tokens = [b"a", b"b", b"c", b"x", b"ab", b"bcd", b"\xc3", b"\xa9", b"\xaa", "é".encode(), b"."]
    vocabulary = Vocabulary(tokens, stop_token_ids=[10], special_token_ids=[10])
    compiler, encode = GrammarCompiler(vocabulary), encoder(vocabulary)

    def forced(*choices: str) -> list[int]:
        return compiler.compile(Grammar.from_choices(choices)).matcher().forced_tokens(encode)

    # Nothing starts with "c" but "c" itself.
    assert forced("xxcx", "xxcc") == [3, 3, 2]
    # "a" could become "ab".
    assert forced("xxab", "xxac") == [3, 3]
    # The "b" of "ab" could become "bcd", which changes "ab" as well.
    assert forced("xabcx", "xabcc") == [3]
    assert forced("xabx", "xabb") == [3]
    # The forced bytes end within a character.
    assert forced("xxé", "xxê") == [3, 3]
    assert forced("a", "x") == []


def test_an_encoder_that_spells_something_else_is_refused(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.from_choices(["abc"]))
    with pytest.raises(MatcherError, match="does not spell"):
        matcher.forced_tokens(lambda text: [STOP, *text.encode()])
    with pytest.raises(MatcherError, match="leaves out"):
        matcher.forced_tokens(lambda text: [*text.encode()][:-1])
    with pytest.raises(ZeroDivisionError):
        matcher.forced_tokens(lambda _text: [1 // 0])
    assert matcher.num_accepted == 0


def test_shortest_completion(matcher_of: Make) -> None:
    matcher = matcher_of(Grammar.json())
    for prefix, rest in [(b"", 1), (b'{"a', 4), (b"[[[", 3), (b'["\\u', 6), (b"tr", 2), (b"12", 0)]:
        matcher.reset()
        assert matcher.accept_bytes(prefix) == len(prefix)
        completion = matcher.shortest_completion()
        assert len(completion) == rest
        tokens = matcher.shortest_completion_tokens()
        assert len(tokens) == rest
        assert matcher.num_accepted == bool(prefix)
        fork = matcher.fork()
        assert fork.accept_bytes(completion) == rest
        assert fork.is_completed()
        assert matcher.accept_tokens(tokens) == rest
        assert matcher.is_completed()


def test_fill_batch_is_a_fill_of_each(word_vocabulary: Vocabulary) -> None:
    compiler = GrammarCompiler(word_vocabulary)
    prefixes = [b"", b"{", b"[1", b'["', b'{"a":', b"12", b"[[", b"tr", b'{"a":1', b'["\xc3']
    matchers = []
    for prefix in prefixes:
        matcher = compiler.compile(Grammar.json()).matcher()
        assert matcher.accept_bytes(prefix) == len(prefix)
        matchers.append(matcher)
    for count in (0, 1, 3, 10):
        bitmask = np.full((12, 11), -1, np.int32)
        rows = list(range(11, 11 - count, -1))
        assert fill_batch(matchers[:count], bitmask, rows) == [True] * count
        for row, matcher in zip(rows, matchers, strict=False):
            assert (bitmask[row, :10] == matcher.next_token_bitmask()).all()
            assert bitmask[row, 10] == 0
        assert (bitmask[: 12 - count] == -1).all()
    bitmask = np.full((10, 10), -1, np.int32)
    fill_batch(tuple(matchers), bitmask)
    assert (bitmask == [matcher.next_token_bitmask() for matcher in matchers]).all()


class Tensor:
    """Memory that is handed out by DLPack alone."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **given: Any) -> Any:
        return self.array.__dlpack__(**given)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


@pytest.mark.parametrize(
    "view",
    [lambda array: array.view(np.uint32), memoryview, Tensor],
    ids=["uint32", "view", "dlpack"],
)
def test_batches_and_drafts_are_written_to_any_memory(
    matcher_of: Make, view: Callable[[np.ndarray], Any]
) -> None:
    matchers = [matcher_of(Grammar.json()) for _ in range(16)]
    expected = matchers[0].next_token_bitmask()
    memory = np.full((16, 9), 7, np.int32)
    fill_batch(matchers, view(memory))
    assert (memory == expected).all()
    memory.fill(7)
    assert fill_draft_chain([(matchers[0], 3, b"")], view(memory)) == [1]
    assert (memory[3] == expected).all()
    assert (np.delete(memory, 3, 0) == 7).all()
