"""A loop helper for ONNX Runtime GenAI.

constrained = Constraint(compiled, generator)
while not generator.is_done():
    constrained.step()
"""

from typing import Any

import numpy as np

from stackmask._native import CompiledGrammar
from stackmask.masks import apply_token_bitmask_inplace

__all__ = ["Constraint"]


class Constraint:
    """Masks the logits of a generator of one sequence before each token.

    Args:
        compiled: The grammar.
        generator: An `onnxruntime_genai.Generator` whose prompt was appended.
    """

    def __init__(self, compiled: CompiledGrammar, generator: Any) -> None:
        self.matcher = compiled.matcher()
        self.generator = generator
        self._bitmask = self.matcher.next_token_bitmask()[None]

    def step(self) -> int:
        """Generate one token inside the grammar; returns it.

        Raises:
            ValueError: The generator took a token that the mask forbids, or has several sequences.
        """
        logits = np.array(self.generator.get_logits(), dtype=np.float32)
        rows = logits.reshape(-1, logits.shape[-1])
        if len(rows) != 1:
            raise ValueError(f"one sequence is constrained at a time, not {len(rows)}")
        self.matcher.fill_next_token_bitmask(self._bitmask)
        width = rows.shape[1]
        words = np.zeros((1, max(-(-width // 32), self._bitmask.shape[1])), dtype=np.int32)
        words[:, : self._bitmask.shape[1]] = self._bitmask
        apply_token_bitmask_inplace(rows, words)
        self.generator.set_logits(logits)
        self.generator.generate_next_token()
        token = int(self.generator.get_next_tokens()[0])
        if not self.matcher.is_terminated() and not self.matcher.accept_token(token):
            raise ValueError(f"token {token} was taken, and does not fit the grammar")
        return token

    def rewind(self, tokens: int) -> None:
        """Take back the last `tokens` generated tokens, here and in the generator."""
        self.matcher.rollback(tokens)
        self.generator.rewind_to(self.generator.token_count() - tokens)
