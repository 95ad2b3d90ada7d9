"""Allocating and applying bitmasks with numpy."""

import numpy as np
import numpy.typing as npt
import pytest

from stackmask import allocate_token_bitmask, apply_token_bitmask_inplace


def bits(mask: np.ndarray, size: int) -> np.ndarray:
    return np.array([bool(mask[token // 32] >> (token % 32) & 1) for token in range(size)])


@pytest.mark.parametrize(("size", "words"), [(1, 1), (32, 1), (33, 2), (128_815, 4026)])
def test_allocate_allows_everything(size: int, words: int) -> None:
    mask = allocate_token_bitmask(3, size)
    assert mask.shape == (3, words)
    assert mask.dtype == np.int32
    assert (mask == -1).all()


@pytest.mark.parametrize("size", [1, 31, 32, 33, 100, 256])
@pytest.mark.parametrize("kind", ["f2", "f4", "f8", np.longdouble, ">f4"])
def test_apply_writes_minus_infinity_where_the_bit_is_zero(size: int, kind: npt.DTypeLike) -> None:
    rng = np.random.default_rng(size)
    mask = rng.integers(-(2**31), 2**31, size=(4, -(-size // 32) + 1), dtype=np.int32)
    logits = rng.standard_normal((4, size)).astype(kind)
    odd = [np.nan, np.inf, -np.inf, -0.0]
    logits[rng.random((4, size)) < 0.2] = rng.choice(odd)
    expected = logits.copy()
    for row in range(4):
        expected[row, ~bits(mask[row], size)] = -np.inf
    apply_token_bitmask_inplace(logits, mask)
    np.testing.assert_array_equal(logits, expected)
    np.testing.assert_array_equal(np.signbit(logits), np.signbit(expected))


def test_apply_to_one_row_and_to_unsigned_words() -> None:
    logits = np.zeros(40, dtype=np.float32)
    apply_token_bitmask_inplace(logits, np.array([1, 1 << 7], dtype=np.uint32))
    assert np.flatnonzero(np.isfinite(logits)).tolist() == [0, 39]


def test_indices_choose_the_rows() -> None:
    logits = np.zeros((3, 32), dtype=np.float32)
    apply_token_bitmask_inplace(logits, np.zeros((3, 1), dtype=np.int32), indices=[2, 0])
    assert np.isfinite(logits).any(axis=1).tolist() == [False, True, False]


def test_a_strided_view_of_the_logits_is_written() -> None:
    logits = np.zeros((2, 64), dtype=np.float32)
    apply_token_bitmask_inplace(logits[:, ::2], np.zeros((2, 1), dtype=np.int32))
    assert np.isneginf(logits[:, ::2]).all()
    assert np.isfinite(logits[:, 1::2]).all()


@pytest.mark.parametrize(
    ("logits", "mask", "indices", "message"),
    [
        (np.zeros(32, np.int64), np.zeros(1, np.int32), None, "int64"),
        (np.zeros(32), np.zeros(1, np.int64), None, "int64"),
        (np.zeros(33), np.zeros(1, np.int32), None, "1 words: 2 are needed for 33"),
        (np.zeros((1, 1, 1)), np.zeros(1, np.int32), None, "3-D"),
        (np.zeros(32), np.zeros((1, 1, 1), np.int32), None, "3-D"),
        (np.zeros((2, 32)), np.zeros((3, 1), np.int32), None, "2 rows of logits, but 3"),
        (np.zeros((2, 32)), np.zeros((2, 1), np.int32), [0, 2], "row 2 is out of range"),
        (np.zeros((2, 32)), np.zeros((2, 1), np.int32), [-1], "row -1 is out of range"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_written(
    logits: np.ndarray, mask: np.ndarray, indices: list[int] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        apply_token_bitmask_inplace(logits, mask, indices)
    assert not logits.any()


def test_read_only_logits_are_refused() -> None:
    logits = np.zeros(32)
    logits.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        apply_token_bitmask_inplace(logits, np.zeros(1, np.int32))


@pytest.mark.parametrize(("batch", "size"), [(-1, 5), (5, -7)])
def test_negative_sizes_are_refused(batch: int, size: int) -> None:
    with pytest.raises(ValueError, match=str(min(batch, size))):
        allocate_token_bitmask(batch, size)
