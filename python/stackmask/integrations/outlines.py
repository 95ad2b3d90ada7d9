"""A logits processor for Outlines: `outlines.Generator(model, processor=logits_processor(...))`."""

from typing import Any

import numpy as np

from stackmask._native import CompiledGrammar
from stackmask.integrations.prefixes import Prefixes
from stackmask.masks import allocate_token_bitmask, apply_token_bitmask_inplace

__all__ = ["logits_processor"]


def logits_processor(compiled: CompiledGrammar, tensor_library_name: str) -> Any:
    """An `OutlinesLogitsProcessor` for one grammar.

    Args:
        compiled: The grammar.
        tensor_library_name: `"numpy"`, `"torch"` or `"mlx"`: what the model computes with.
    """
    from outlines.processors.base_logits_processor import OutlinesLogitsProcessor

    class StackmaskLogitsProcessor(OutlinesLogitsProcessor):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(tensor_library_name)
            self.reset()

        def reset(self) -> None:
            self.start: int | None = None
            self.prefixes = Prefixes()

        def process_logits(self, input_ids: Any, logits: Any) -> Any:
            ids = np.array(self.tensor_adapter.to_list(input_ids), dtype=np.int64)
            if self.start is None:
                self.start = ids.shape[1]
            generated = ids[:, self.start :]
            rows = self.prefixes.find(generated, [compiled] * len(ids))
            width = logits.shape[-1]
            bitmask = allocate_token_bitmask(len(ids), max(width, compiled.vocabulary.vocab_size))
            for at, row in enumerate(rows):
                if row.read == generated.shape[1] or row.matcher.is_terminated():
                    row.matcher.fill_next_token_bitmask(bitmask, at)
                else:
                    bitmask[at] = 0
                    for token in compiled.vocabulary.stop_token_ids:
                        bitmask.view(np.uint32)[at, token >> 5] |= np.uint32(1 << (token & 31))
            return _apply(logits, bitmask, tensor_library_name)

    return StackmaskLogitsProcessor()


def _apply(logits: Any, bitmask: np.ndarray, library: str) -> Any:
    if library == "mlx":
        from stackmask.mlx import apply_token_bitmask

        return apply_token_bitmask(logits, bitmask)
    if library == "torch":
        import torch

        from stackmask.torch import apply_token_bitmask_inplace as apply_to_torch

        masked = logits.clone()
        apply_to_torch(masked, torch.from_numpy(bitmask))
        return masked
    masked = np.array(logits)
    apply_token_bitmask_inplace(masked, bitmask)
    return masked
