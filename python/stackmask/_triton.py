"""Masks applied on a GPU by a kernel of Triton. `stackmask.torch` checks what is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import triton
import triton.language as tl

if TYPE_CHECKING:
    import torch

__all__ = ["apply"]

#: Logits of one program.
_BLOCK = 4096


@triton.jit  # type: ignore[untyped-decorator, unused-ignore]
def _mask(logits, words, rows, logits_stride, words_stride, size, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    """Program (i, j) masks the j-th block of the row `rows[i]`."""
    row = tl.load(rows + tl.program_id(0))
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < size
    word = tl.load(words + row * words_stride + at // 32, mask=inside, other=-1)
    forbidden = (word >> (at % 32)) & 1 == 0
    tl.store(logits + row * logits_stride + at, -float("inf"), mask=inside & forbidden)


def apply(logits: torch.Tensor, words: torch.Tensor, rows: torch.Tensor) -> None:
    """Write -inf into `logits`, `(batch, size)`, where the bit of `words` is 0.

    Args:
        logits: Rows of neighbouring logits.
        words: int32, `(batch, words)`, neighbouring words, on the same device.
        rows: int64, the rows to mask, on the same device.
    """
    size = logits.shape[1]
    grid = (len(rows), triton.cdiv(size, _BLOCK))
    _mask[grid](logits, words, rows, logits.stride(0), words.stride(0), size, BLOCK=_BLOCK)
