"""Bitmasks for arrays of MLX, which are never changed in place."""

import mlx.core as mx
import numpy as np
import numpy.typing as npt

__all__ = ["apply_token_bitmask"]


def apply_token_bitmask(logits: mx.array, bitmask: npt.NDArray[np.int32]) -> mx.array:
    """Return `logits` with -inf at the tokens whose bit is 0.

    Args:
        logits: `(vocab_size,)` or `(batch, vocab_size)`.
        bitmask: int32, `(words,)` or `(batch, words)`, `words >= ceil(vocab_size / 32)`.

    Raises:
        ValueError: A dtype or shape does not fit.
    """
    if bitmask.dtype not in (np.int32, np.uint32):
        raise ValueError(f"bitmask must be an int32 array, not {bitmask.dtype}")
    size = logits.shape[-1]
    if bitmask.shape[-1] * 32 < size:
        raise ValueError(f"bitmask row has {bitmask.shape[-1]} words: {-(-size // 32)} are needed")
    # Only the words go to the device; they are spread out to one value a token there.
    words = mx.array(bitmask.view(np.uint32))
    bits = (words[..., None] >> mx.arange(32, dtype=mx.uint32)) & 1
    allowed = bits.reshape(*words.shape[:-1], -1)[..., :size].astype(mx.bool_)
    return mx.where(allowed, logits, mx.array(-float("inf"), dtype=logits.dtype))
