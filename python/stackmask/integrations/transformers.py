"""A logits processor for `generate` of transformers, in all of its modes.

    processor = LogitsProcessor(compiled)
    model.generate(**inputs, logits_processor=[processor])

Rows are known by their generated ids, so beams, drafts (assisted decoding, prompt lookup), several
return sequences and several calls of `generate` work with one processor.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from stackmask._native import CompiledGrammar, fill_batch
from stackmask.integrations.budget import keep_within
from stackmask.integrations.prefixes import Ids, Prefixes, Row

if TYPE_CHECKING:
    import torch

__all__ = ["LogitsProcessor", "prefix_allowed_tokens_fn"]


class LogitsProcessor:
    """Allows, in each row, the tokens that keep its generated text inside a grammar.

    A row whose text has ended may only take stop tokens, so that its scores stay finite. So may a
    row whose ids do not fit the grammar, such as a draft that is about to be refused.

    Args:
        compiled: The grammar, or one for each prompt of the batch.
        max_new_tokens: If given, texts are brought to their end within so many generated tokens,
            the stop token included, if the grammar has texts so short.
        prompt_length: The length of the (padded) prompts. By default that of the first call; a new
            call of `generate` is noticed by a prompt that differs or by a jump in length.

    Raises:
        ValueError: No grammar is given, or grammars of several vocabularies.
    """

    supports_continuous_batching = False

    def __init__(
        self,
        compiled: CompiledGrammar | Sequence[CompiledGrammar],
        *,
        max_new_tokens: int | None = None,
        prompt_length: int | None = None,
    ) -> None:
        self._grammars = [compiled] if isinstance(compiled, CompiledGrammar) else list(compiled)
        sizes = {grammar.vocabulary.fingerprint for grammar in self._grammars}
        if len(sizes) != 1:
            raise ValueError(f"grammars of one vocabulary are needed, not of {len(sizes)}")
        self._vocab_size = self._grammars[0].vocabulary.vocab_size
        self._max_new_tokens = max_new_tokens
        self._fixed = prompt_length
        self._prefixes = Prefixes()
        # Kept from step to step: new memory costs more than what is written to it.
        self._bitmask = np.zeros((0, 0), np.int32)
        self._prompts: Ids | None = None
        self._length = 0

    def __call__(
        self, input_ids: "torch.LongTensor", scores: "torch.FloatTensor"
    ) -> "torch.FloatTensor":
        import torch

        from stackmask.torch import apply_token_bitmask_inplace

        ids = input_ids.numpy(force=True)
        generated = ids[:, self._prompt_length(ids) :]
        rows = self._prefixes.find(generated, self._of_rows(len(ids)))
        words = -(-scores.shape[-1] // 32)
        shape = (len(ids), max(words, -(-self._vocab_size // 32)))
        if self._bitmask.shape != shape:
            self._bitmask = np.zeros(shape, np.int32)
        self._fill(rows, generated, self._bitmask, scores)
        masked = scores.clone()
        apply_token_bitmask_inplace(masked, torch.from_numpy(self._bitmask[:, :words]))
        return masked  # type: ignore[return-value]

    def reset(self) -> None:
        """Forget the prompts; the next call begins a new generation."""
        self._prompts, self._prefixes = None, Prefixes()

    def _fill(
        self, rows: list[Row], generated: Ids, bitmask: np.ndarray, scores: "torch.FloatTensor"
    ) -> None:
        length = generated.shape[1]
        live = []
        for at, row in enumerate(rows):
            if row.read == length or row.matcher.is_terminated():
                live.append(at)
            else:
                _allow(bitmask[at], row.compiled.vocabulary.stop_token_ids)
        fill_batch([rows[at].matcher for at in live], bitmask, live)
        if self._max_new_tokens is not None:
            left = self._max_new_tokens - length
            for at in live:
                keep_within(rows[at].matcher, bitmask[at], scores[at].float().cpu().numpy(), left)

    def _prompt_length(self, ids: Ids) -> int:
        if self._fixed is not None:
            return self._fixed
        length = ids.shape[1]
        known = self._prompts
        if (
            known is None
            or length < known.shape[1]
            or length > self._length + 1
            or not _same_prompts(known, ids)
        ):
            self.reset()
            self._prompts = known = ids.copy()
        # Drafts make lengths go back and forth; they never grow by more than one at a time.
        self._length = length if length <= known.shape[1] else max(self._length, length)
        return int(known.shape[1])

    def _of_rows(self, rows: int) -> list[CompiledGrammar]:
        count = len(self._grammars)
        if rows % count:
            raise ValueError(f"{rows} rows do not divide among {count} grammars")
        each = rows // count
        return [grammar for grammar in self._grammars for _ in range(each)]


def prefix_allowed_tokens_fn(
    compiled: CompiledGrammar, prompt_length: int
) -> Callable[[int, "torch.Tensor"], list[int]]:
    """What `generate(prefix_allowed_tokens_fn=...)` takes.

    It hands out lists of ids, so it is slow where many tokens are allowed; `LogitsProcessor` does
    the same with masks.

    Args:
        compiled: The grammar.
        prompt_length: The length of the (padded) prompts.
    """
    prefixes: dict[int, Prefixes] = {}

    def allowed(batch_id: int, sent: "torch.Tensor") -> list[int]:
        generated = sent.detach().cpu().numpy()[None, prompt_length:]
        known = prefixes.setdefault(batch_id, Prefixes())
        (row,) = known.find(generated, [compiled])
        if row.read < generated.shape[1] and not row.matcher.is_terminated():
            return list(compiled.vocabulary.stop_token_ids)
        return row.matcher.allowed_token_ids().tolist()

    return allowed


def _same_prompts(prompts: Ids, ids: Ids) -> bool:
    """Whether each row begins with one of the prompts, in whatever order beams put them."""
    head = ids[:, : prompts.shape[1]]
    if head.shape == prompts.shape and (head == prompts).all():
        return True
    known = {row.tobytes() for row in prompts}
    return all(row.tobytes() in known for row in np.ascontiguousarray(head))


def _allow(row: np.ndarray, tokens: Sequence[int]) -> None:
    row[:] = 0
    words = row.view(np.uint32)
    for token in tokens:
        words[token >> 5] |= np.uint32(1 << (token & 31))
