"""A logits processor for llama-cpp-python.

    processor = LogitsProcessor(compiled, llama)
    llama(prompt, logits_processor=LogitsProcessorList([processor]))
    processor.raise_if_failed()

The processor is called from C, where an exception is printed and forgotten and sampling goes on. So
it never raises: after an error only stop tokens are possible, and `raise_if_failed` tells why.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from stackmask._native import CompiledGrammar
from stackmask.integrations.prefixes import Prefixes
from stackmask.masks import apply_token_bitmask_inplace

__all__ = ["LogitsProcessor"]


class LogitsProcessor:
    """Allows the tokens that keep the generated text inside a grammar; fails closed.

    Args:
        compiled: The grammar.
        llama: The `llama_cpp.Llama` that it will be used with. One with a draft model is refused:
            it shows tokens that were not verified yet as if they were part of the text.
        prompt_length: The length of the prompt. By default that of the first call of a generation.

    Raises:
        ValueError: The model drafts tokens.
    """

    def __init__(
        self, compiled: CompiledGrammar, llama: Any = None, *, prompt_length: int | None = None
    ) -> None:
        if getattr(llama, "draft_model", None) is not None:
            raise ValueError(
                "a Llama with a draft model shows unverified tokens to logits processors: "
                "take draft_model=None to constrain its output"
            )
        self._compiled = compiled
        self._fixed = prompt_length
        self._start = prompt_length
        self._length = 0
        self._prefixes = Prefixes()
        self.error: Exception | None = None
        """What went wrong, if anything did."""

    def __call__(
        self, input_ids: npt.NDArray[np.intc], scores: npt.NDArray[np.single]
    ) -> npt.NDArray[np.single]:
        if self.error is None:
            try:
                self._mask(np.asarray(input_ids, dtype=np.int64), scores)
            except Exception as error:
                self.error = error
        if self.error is not None:
            stops = [t for t in self._compiled.vocabulary.stop_token_ids if t < len(scores)]
            kept = scores[stops].copy()
            scores[:] = -np.inf
            scores[stops] = np.where(np.isfinite(kept), kept, 0.0)
        return scores

    def raise_if_failed(self) -> None:
        """Raise what went wrong in a call, if anything did."""
        if self.error is not None:
            raise self.error

    def reset(self) -> None:
        """Begin a new generation, and forget an error."""
        self._start, self._length, self.error = self._fixed, 0, None
        self._prefixes = Prefixes()

    def _mask(self, ids: npt.NDArray[np.int64], scores: npt.NDArray[np.single]) -> None:
        start = self._begin(len(ids))
        generated = ids[None, start:]
        (row,) = self._prefixes.find(generated, [self._compiled])
        if row.read < generated.shape[1] and not row.matcher.is_terminated():
            token = int(generated[0, row.read])
            raise ValueError(f"token {token} was generated, and does not fit the grammar")
        apply_token_bitmask_inplace(scores, _wide(row.matcher.next_token_bitmask(), len(scores)))

    def _begin(self, length: int) -> int:
        """Where the generated ids begin: a jump in length is the prompt of a new generation."""
        if self._fixed is not None:
            return self._fixed
        if self._start is None or length != self._length + 1:
            self._start = length
            self._prefixes = Prefixes()
        self._length = length
        return self._start


def _wide(bitmask: npt.NDArray[np.int32], logits: int) -> npt.NDArray[np.int32]:
    """The mask for a model with more logits than the vocabulary has ids: the rest is forbidden."""
    words = -(-logits // 32)
    if len(bitmask) >= words:
        return bitmask
    return np.concatenate([bitmask, np.zeros(words - len(bitmask), dtype=np.int32)])
