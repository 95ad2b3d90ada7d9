"""Bitmasks as numpy arrays: bit `i % 32` of word `i // 32` is 1 if token `i` is allowed."""

from __future__ import annotations

import operator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


def allocate_token_bitmask(batch: int, vocab_size: int) -> npt.NDArray[np.int32]:
    """Return a `(batch, ceil(vocab_size / 32))` int32 array of -1: every token allowed.

    Raises:
        ValueError: `batch` or `vocab_size` is negative.
    """
    for name, value in (("batch", batch), ("vocab_size", vocab_size)):
        if value < 0:
            raise ValueError(f"{name} must not be negative: {value}")
    return np.full((batch, -(-vocab_size // 32)), -1, dtype=np.int32)


def apply_token_bitmask_inplace(
    logits: npt.NDArray[np.floating[Any]],
    bitmask: npt.NDArray[np.integer[Any]],
    indices: Sequence[int] | npt.NDArray[np.integer[Any]] | None = None,
) -> None:
    """Write -inf into the logits of the tokens whose bit is 0.

    Args:
        logits: Writable floating-point array `(vocab_size,)` or `(batch, vocab_size)`.
        bitmask: int32 array `(words,)` or `(batch, words)`, `words >= ceil(vocab_size / 32)`.
        indices: The rows of `logits` to mask, each by the same row of `bitmask`; all if left out.

    Raises:
        TypeError: `logits` or `bitmask` is no array.
        ValueError: A dtype, shape or row does not fit. Nothing was written.
    """
    rows, masks = _checked(logits, bitmask)
    chosen = range(len(rows)) if indices is None else _checked_indices(indices, len(rows))
    for row in chosen:
        _apply(rows[row], masks[row])


def _checked(
    logits: npt.NDArray[np.floating[Any]], bitmask: npt.NDArray[np.integer[Any]]
) -> tuple[npt.NDArray[np.floating[Any]], npt.NDArray[np.integer[Any]]]:
    """Return both as 2-D views."""
    for name, array in (("logits", logits), ("bitmask", bitmask)):
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{name} must be a NumPy array, not {type(array).__name__}")
    if not np.issubdtype(logits.dtype, np.floating):
        raise ValueError(f"logits must be floating-point, not {logits.dtype}")
    if bitmask.dtype not in (np.int32, np.uint32):
        raise ValueError(f"bitmask must be an int32 array, not {bitmask.dtype}")
    for name, array in (("logits", logits), ("bitmask", bitmask)):
        if array.ndim not in (1, 2):
            raise ValueError(f"{name} must be 1-D or 2-D, not {array.ndim}-D")
    if not logits.flags.writeable:
        raise ValueError("logits are read-only")
    rows = logits[np.newaxis] if logits.ndim == 1 else logits
    masks = bitmask[np.newaxis] if bitmask.ndim == 1 else bitmask
    if len(rows) != len(masks):
        raise ValueError(f"{len(rows)} rows of logits, but {len(masks)} rows of bitmask")
    if masks.shape[1] * 32 < rows.shape[1]:
        raise ValueError(
            f"bitmask row has {masks.shape[1]} words: "
            f"{-(-rows.shape[1] // 32)} are needed for {rows.shape[1]} logits"
        )
    return rows, masks


def _checked_indices(indices: Sequence[int] | npt.NDArray[np.integer[Any]], rows: int) -> list[int]:
    # Numbers that are no integers are refused, as for any index in Python.
    chosen = [operator.index(row) for row in indices]
    for row in chosen:
        if not 0 <= row < rows:
            raise ValueError(f"row {row} is out of range: the logits have {rows} rows")
    return chosen


#: Integers as wide as the kinds of logits that are masked by their bits.
_INTEGERS = {np.dtype(f"f{size}"): np.dtype(f"i{size}") for size in (2, 4, 8)}


@cache
def _spread(kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """For each byte, eight integers: -1 where a bit is 1, else 0."""
    octets = np.arange(256, dtype=np.uint8)
    return -np.unpackbits(octets[:, np.newaxis], axis=1, bitorder="little").astype(kind)


def _apply(logits: npt.NDArray[np.floating[Any]], mask: npt.NDArray[np.integer[Any]]) -> None:
    # The bits of a word are in the order of its bytes only where those are little-endian.
    words = np.ascontiguousarray(mask, dtype=mask.dtype.newbyteorder("<"))
    octets = words.view(np.uint8)[: -(-len(logits) // 8)]
    kind = _INTEGERS.get(logits.dtype)
    if kind is None:
        bits = np.unpackbits(octets, count=len(logits), bitorder="little")
        np.copyto(logits, -np.inf, where=bits == 0)
        return
    # Without a branch for each token, which would be guessed wrong more often than not.
    kept = _spread(kind).take(octets, axis=0).reshape(-1)[: len(logits)]
    lowest = np.array(-np.inf, logits.dtype).view(kind)
    whole = logits.view(kind)
    whole ^= lowest
    whole &= kept
    whole ^= lowest
