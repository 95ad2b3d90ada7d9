"""A logits processor for mlx-lm.

    generate_step(prompt, model, logits_processors=[LogitsProcessor(compiled)])

mlx-lm calls it with growing and, in speculative decoding, with shortened sequences, and may show
only the tokens after the prompt. Rows are known by their ids, counted from the first call on.
"""

from typing import TYPE_CHECKING

import numpy as np

from stackmask._native import CompiledGrammar
from stackmask.integrations.prefixes import Prefixes

if TYPE_CHECKING:
    import mlx.core as mx

__all__ = ["LogitsProcessor"]


class LogitsProcessor:
    """Allows the tokens that keep one sequence's generated text inside a grammar.

    After the end of a text, or after a token that does not fit it, only stop tokens are allowed.
    One processor is for one generation: call `reset` before the next.

    Args:
        compiled: The grammar.
    """

    def __init__(self, compiled: CompiledGrammar) -> None:
        self._compiled = compiled
        self.reset()

    def reset(self) -> None:
        """Begin a new generation."""
        self._start: int | None = None
        self._prefixes = Prefixes()

    def __call__(self, tokens: "mx.array", logits: "mx.array") -> "mx.array":
        from stackmask.mlx import apply_token_bitmask

        ids = np.asarray(tokens, dtype=np.int64)
        if self._start is None:
            self._start = len(ids)
        generated = ids[None, self._start :]
        (row,) = self._prefixes.find(generated, [self._compiled])
        words = max(-(-logits.shape[-1] // 32), -(-self._compiled.vocabulary.vocab_size // 32))
        bitmask = np.zeros((1, words), dtype=np.int32)
        if row.read == generated.shape[1] or row.matcher.is_terminated():
            row.matcher.fill_next_token_bitmask(bitmask)
        else:
            for token in self._compiled.vocabulary.stop_token_ids:
                bitmask.view(np.uint32)[0, token >> 5] |= np.uint32(1 << (token & 31))
        return apply_token_bitmask(logits, bitmask)
