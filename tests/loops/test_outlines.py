"""The adapter to Outlines, where it is installed."""

import numpy as np
import pytest

pytest.importorskip("outlines", reason="Outlines is not installed")

from stackmask import Grammar, GrammarCompiler, Vocabulary
from stackmask.integrations.outlines import logits_processor

COMPILED = GrammarCompiler(Vocabulary.byte_level()).compile(Grammar.from_regex("[ab]{2}c"))


def test_rows_follow_their_own_texts():
    processor = logits_processor(COMPILED, "numpy")
    prompt = np.array([[1, 2], [3, 4]])

    def allowed(ids):
        logits = np.zeros((2, 260), dtype=np.float32)
        out = processor(ids, logits)
        assert np.isfinite(logits).all()
        return [np.flatnonzero(np.isfinite(row)).tolist() for row in np.array(out)]

    assert allowed(prompt) == [[97, 98], [97, 98]]
    ids = np.concatenate([prompt, [[97, 98], [97, 120]]], axis=1)
    assert allowed(ids[:, :3]) == [[97, 98], [97, 98]]
    assert allowed(ids) == [[99], [256]]
    processor.reset()
    assert allowed(prompt) == [[97, 98], [97, 98]]
