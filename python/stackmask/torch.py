"""Bitmasks for tensors of torch, under the names that inference engines use.

`stackmask.fill_batch` and `GrammarMatcher.fill_next_token_bitmask` take CPU tensors as they are.
"""

from __future__ import annotations

import operator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import torch

from stackmask.masks import apply_token_bitmask_inplace as _apply_numpy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["allocate_token_bitmask", "apply_token_bitmask_inplace"]

_SHARED_WITH_NUMPY = (torch.float32, torch.float64, torch.float16)


def allocate_token_bitmask(
    batch: int, vocab_size: int, *, pin_memory: bool | None = None
) -> torch.Tensor:
    """Return a `(batch, ceil(vocab_size / 32))` int32 CPU tensor of -1: every token allowed.

    Args:
        batch: Rows.
        vocab_size: The width of the model's logits.
        pin_memory: Whether to pin it, for copies that do not wait; by default where CUDA is there.

    Raises:
        ValueError: `batch` or `vocab_size` is negative.
    """
    for name, value in (("batch", batch), ("vocab_size", vocab_size)):
        if value < 0:
            raise ValueError(f"{name} must not be negative: {value}")
    if pin_memory is None:
        pin_memory = torch.cuda.is_available()
    shape = (batch, -(-vocab_size // 32))
    return torch.full(shape, -1, dtype=torch.int32, pin_memory=pin_memory)


def apply_token_bitmask_inplace(
    logits: torch.Tensor,
    bitmask: torch.Tensor,
    *,
    vocab_size: int | None = None,
    indices: Sequence[int] | None = None,
) -> None:
    """Write -inf into the logits of the tokens whose bit is 0, on any device.

    Args:
        logits: Floating-point, `(vocab_size,)` or `(batch, vocab_size)`.
        bitmask: int32, `(words,)` or `(batch, words)`, on any device.
        vocab_size: The first so many logits of a row are masked; all if left out.
        indices: The rows of `logits` to mask, each by the same row of `bitmask`; all if left out.

    Raises:
        TypeError: `logits` or `bitmask` is no tensor.
        ValueError: A dtype, shape or row does not fit. Nothing was written.
    """
    for name, tensor in (("logits", logits), ("bitmask", bitmask)):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{name} must be a tensor, not {type(tensor).__name__}")
    if vocab_size is not None:
        if not 0 <= vocab_size <= logits.shape[-1]:
            raise ValueError(f"vocab_size {vocab_size} does not fit {logits.shape[-1]} logits")
        logits = logits[..., :vocab_size]
    if logits.device.type == bitmask.device.type == "cpu" and logits.dtype in _SHARED_WITH_NUMPY:
        _apply_numpy(logits.detach().numpy(), bitmask.numpy(), indices)
        return
    _check(logits, bitmask)
    rows = logits[None] if logits.ndim == 1 else logits
    words = bitmask[None] if bitmask.ndim == 1 else bitmask
    chosen = list(range(len(rows))) if indices is None else [operator.index(row) for row in indices]
    for row in chosen:
        if not 0 <= row < len(rows):
            raise ValueError(f"row {row} is out of range: the logits have {len(rows)} rows")
    kernel = _kernel(rows)
    if kernel is not None:
        places = torch.tensor(chosen, dtype=torch.int64, device=rows.device)
        kernel(rows, words.to(rows.device).contiguous(), places)
    elif indices is None:
        rows.masked_fill_(~allowed_tokens(words.to(rows.device), rows.shape[1]), -torch.inf)
    else:
        allowed = allowed_tokens(words[chosen].to(rows.device), rows.shape[1])
        rows[chosen] = rows[chosen].masked_fill(~allowed, -torch.inf)


def _kernel(
    rows: torch.Tensor,
) -> Callable[[torch.Tensor, torch.Tensor, torch.Tensor], None] | None:
    """What masks logits on a GPU where Triton is installed; it wants them side by side."""
    if not rows.is_cuda or rows.stride(1) != 1 or find_spec("triton") is None:
        return None
    from stackmask import _triton

    return _triton.apply


def allowed_tokens(bitmask: torch.Tensor, vocab_size: int) -> torch.Tensor:
    """Expand int32 words `(batch, words)` to a bool tensor `(batch, vocab_size)`."""
    shifts = torch.arange(32, dtype=torch.int32, device=bitmask.device)
    return ((bitmask[..., None] >> shifts) & 1).bool().flatten(-2)[..., :vocab_size]


def _check(logits: torch.Tensor, bitmask: torch.Tensor) -> None:
    if not logits.is_floating_point():
        raise ValueError(f"logits must be floating-point, not {logits.dtype}")
    if bitmask.dtype != torch.int32:
        raise ValueError(f"bitmask must be int32, not {bitmask.dtype}")
    for name, tensor in (("logits", logits), ("bitmask", bitmask)):
        if tensor.ndim not in (1, 2):
            raise ValueError(f"{name} must be 1-D or 2-D, not {tensor.ndim}-D")
    rows = 1 if logits.ndim == 1 else len(logits)
    masks = 1 if bitmask.ndim == 1 else len(bitmask)
    if rows != masks:
        raise ValueError(f"{rows} rows of logits, but {masks} rows of bitmask")
    if bitmask.shape[-1] * 32 < logits.shape[-1]:
        raise ValueError(
            f"bitmask row has {bitmask.shape[-1]} words: "
            f"{-(-logits.shape[-1] // 32)} are needed for {logits.shape[-1]} logits"
        )
