"""The adapter to mlx-lm, with a tiny random model, where MLX is installed."""

import numpy as np
import pytest

mx = pytest.importorskip("mlx.core", reason="MLX is not installed")
pytest.importorskip("mlx_lm", reason="mlx-lm is not installed")

from mlx_lm.generate import generate_step, speculative_generate_step  # noqa: E402
from mlx_lm.models.llama import Model, ModelArgs  # noqa: E402

from stackmask import Grammar, GrammarCompiler, Vocabulary  # noqa: E402
from stackmask.integrations.mlx_lm import LogitsProcessor  # noqa: E402
from stackmask.mlx import apply_token_bitmask  # noqa: E402

STOP = 256
COMPILED = GrammarCompiler(Vocabulary.byte_level()).compile(Grammar.json(whitespace="none"))


def make_model(seed):
    mx.random.seed(seed)
    return Model(
        ModelArgs(
            model_type="llama",
            hidden_size=32,
            num_hidden_layers=2,
            intermediate_size=64,
            num_attention_heads=2,
            rms_norm_eps=1e-5,
            vocab_size=288,
            head_dim=16,
            num_key_value_heads=2,
        )
    )


def check(tokens):
    matcher = COMPILED.matcher()
    for token in tokens:
        if matcher.is_terminated():
            assert token == STOP
        else:
            assert matcher.accept_token(token)


@pytest.mark.parametrize("seed", range(3))
def test_generate_step(seed):
    steps = generate_step(
        mx.array([1, 2, 3]),
        make_model(seed),
        max_tokens=24,
        logits_processors=[LogitsProcessor(COMPILED)],
    )
    check([int(token) for token, _ in steps])


@pytest.mark.parametrize("seed", range(3))
def test_speculative_generate_step(seed):
    steps = speculative_generate_step(
        mx.array([1, 2, 3]),
        make_model(seed),
        make_model(seed + 7),
        num_draft_tokens=3,
        max_tokens=20,
        logits_processors=[LogitsProcessor(COMPILED)],
    )
    check([int(step[0]) for step in steps])


def test_masks_are_applied():
    words = COMPILED.matcher().next_token_bitmask()
    out = np.array(apply_token_bitmask(mx.zeros((2, 257)), np.stack([words, words])))
    allowed = COMPILED.matcher().allowed_token_ids().tolist()
    assert [np.flatnonzero(np.isfinite(row)).tolist() for row in out] == [allowed, allowed]
    with pytest.raises(ValueError, match="words"):
        apply_token_bitmask(mx.zeros((1, 400)), words)
