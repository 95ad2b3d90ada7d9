"""The adapter to transformers, in the modes of `generate`, with a tiny random model."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from stackmask.integrations.transformers import (  # noqa: E402
    LogitsProcessor,
    prefix_allowed_tokens_fn,
)

pytest_plugins = ["tiny"]

STOP, PAD = 2, 0
PROMPTS = ["a question", "another, much longer question about things"]

MODES = {
    "greedy": {},
    "sample": {"do_sample": True, "temperature": 1.3},
    "beams": {"num_beams": 4},
    "beam sample": {"num_beams": 3, "do_sample": True},
    "returns": {"do_sample": True, "num_return_sequences": 3},
    "beam returns": {"num_beams": 4, "num_return_sequences": 4},
}


def check(ids, compiled, prompt):
    """Every generated prefix fits; a text that ended is whole."""
    generated = ids[prompt:].tolist()
    matcher = compiled.matcher()
    for at, token in enumerate(generated):
        if matcher.is_terminated():
            assert token in (PAD, STOP), generated
            continue
        assert matcher.accept_token(token), (at, generated)
    return matcher.is_terminated()


def inputs(tokenizer, prompts):
    return tokenizer(prompts, return_tensors="pt", padding=True, return_token_type_ids=False)


@pytest.mark.parametrize("name", ["json", "regex", "choices"])
@pytest.mark.parametrize("mode", MODES)
def test_generated_text_fits(model, tokenizer, compiled, name, mode):
    torch.manual_seed(5)
    batch = inputs(tokenizer, PROMPTS)
    processor = LogitsProcessor(compiled[name])
    out = model.generate(**batch, max_new_tokens=24, logits_processor=[processor], **MODES[mode])
    ended = [check(row, compiled[name], batch["input_ids"].shape[1]) for row in out]
    if name == "choices":
        assert all(ended)


def test_a_grammar_for_each_row(model, tokenizer, compiled):
    torch.manual_seed(6)
    batch = inputs(tokenizer, PROMPTS)
    grammars = [compiled["json"], compiled["choices"]]
    for mode in ("sample", "beams"):
        out = model.generate(
            **batch,
            max_new_tokens=16,
            logits_processor=[LogitsProcessor(grammars)],
            **MODES[mode],
        )
        for row, grammar in zip(out, grammars, strict=True):
            check(row, grammar, batch["input_ids"].shape[1])


@pytest.mark.parametrize("name", ["json", "regex"])
@pytest.mark.parametrize("kind", ["assistant", "prompt lookup"])
def test_drafts(model, assistant, tokenizer, compiled, name, kind):
    batch = inputs(tokenizer, ["aaaa-11 aaaa-22 [1,[1,[1"])
    options = (
        {"assistant_model": assistant} if kind == "assistant" else {"prompt_lookup_num_tokens": 4}
    )
    drafted = model.generate(
        **batch, max_new_tokens=24, logits_processor=[LogitsProcessor(compiled[name])], **options
    )
    check(drafted[0], compiled[name], batch["input_ids"].shape[1])
    plain = model.generate(
        **batch, max_new_tokens=24, logits_processor=[LogitsProcessor(compiled[name])]
    )
    assert drafted.tolist() == plain.tolist()


def test_two_calls_with_one_processor(model, tokenizer, compiled):
    processor = LogitsProcessor(compiled["json"])
    for prompts in (PROMPTS, PROMPTS, PROMPTS[:1], ["x"]):
        batch = inputs(tokenizer, prompts)
        out = model.generate(**batch, max_new_tokens=12, logits_processor=[processor])
        for row in out:
            check(row, compiled["json"], batch["input_ids"].shape[1])
    # A conversation: the next prompt begins with the last prompt and its answer.
    longer = torch.cat([out, inputs(tokenizer, ["and now?"])["input_ids"]], dim=1)
    again = model.generate(
        input_ids=longer,
        attention_mask=torch.ones_like(longer),
        max_new_tokens=12,
        logits_processor=[processor],
    )
    check(again[0], compiled["json"], longer.shape[1])


def test_greedy_is_the_best_allowed_token_at_each_step(model, tokenizer, compiled):
    batch = inputs(tokenizer, PROMPTS[:1])
    ids = batch["input_ids"]
    out = model.generate(
        **batch, max_new_tokens=20, logits_processor=[LogitsProcessor(compiled["regex"])]
    )
    matcher = compiled["regex"].matcher()
    for token in out[0, ids.shape[1] :].tolist():
        logits = model(ids).logits[0, -1].detach().numpy()
        allowed = [t for t in range(len(logits)) if matcher.is_token_allowed(t)]
        assert token == max(allowed, key=lambda t: logits[t])
        matcher.accept_token(token)
        ids = torch.cat([ids, torch.tensor([[token]])], dim=1)


def test_scores_are_not_changed_in_place_and_stay_finite(compiled):
    processor = LogitsProcessor(compiled["choices"])
    prompt = torch.tensor([[5, 6], [5, 7]])
    scores = torch.randn(2, 448)
    before = scores.clone()
    first = processor(prompt, scores)
    assert torch.equal(scores, before)
    assert not torch.equal(first, before)
    tokens = first.argmax(-1, keepdim=True)
    ids = torch.cat([prompt, tokens], dim=1)
    for step in range(8):
        out = processor(ids, torch.randn(2, 448))
        assert torch.isfinite(out).any(-1).all(), step
        ids = torch.cat([ids, out.argmax(-1, keepdim=True)], dim=1)


def test_a_row_that_does_not_fit_may_only_stop(compiled):
    processor = LogitsProcessor(compiled["choices"])
    prompt = torch.tensor([[5, 6]])
    processor(prompt, torch.zeros(1, 448))
    refused = torch.cat([prompt, torch.tensor([[7]])], dim=1)
    out = processor(refused, torch.zeros(1, 448))
    assert torch.isfinite(out[0]).nonzero().flatten().tolist() == [STOP]


def test_texts_end_within_the_budget(model, tokenizer, compiled):
    torch.manual_seed(9)
    batch = inputs(tokenizer, PROMPTS)
    for budget in (3, 10, 40):
        processor = LogitsProcessor(compiled["json"], max_new_tokens=budget)
        for mode in ("greedy", "sample", "beams"):
            out = model.generate(
                **batch, max_new_tokens=budget, logits_processor=[processor], **MODES[mode]
            )
            for row in out:
                assert check(row, compiled["json"], batch["input_ids"].shape[1])


def test_beside_stop_strings(model, tokenizer, compiled):
    batch = inputs(tokenizer, PROMPTS[:1])
    out = model.generate(
        **batch,
        max_new_tokens=20,
        logits_processor=[LogitsProcessor(compiled["regex"])],
        stop_strings=["-"],
        tokenizer=tokenizer,
    )
    check(out[0], compiled["regex"], batch["input_ids"].shape[1])


@pytest.mark.parametrize("beams", [1, 3])
def test_prefix_allowed_tokens_fn(model, tokenizer, compiled, beams):
    batch = inputs(tokenizer, PROMPTS)
    length = batch["input_ids"].shape[1]
    out = model.generate(
        **batch,
        max_new_tokens=12,
        num_beams=beams,
        prefix_allowed_tokens_fn=prefix_allowed_tokens_fn(compiled["regex"], length),
    )
    for row in out:
        check(row, compiled["regex"], length)


def test_tensors_of_torch_are_filled_in_place(compiled):
    import stackmask
    import stackmask.torch

    matchers = [compiled["json"].matcher() for _ in range(3)]
    words = stackmask.torch.allocate_token_bitmask(3, 448)
    stackmask.fill_batch(matchers, words)
    expected = matchers[0].next_token_bitmask()
    assert all(np.array_equal(row, expected) for row in words.numpy())
    with pytest.raises(ValueError, match="int64"):
        matchers[0].fill_next_token_bitmask(torch.zeros(1, 14, dtype=torch.int64))
    with pytest.raises(ValueError, match="contiguous"):
        matchers[0].fill_next_token_bitmask(torch.zeros(28, 1, dtype=torch.int32).T[:, ::2])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_masks_are_applied_to_every_dtype(compiled, dtype):
    from stackmask.torch import apply_token_bitmask_inplace

    words = torch.from_numpy(compiled["json"].matcher().next_token_bitmask())
    logits = torch.zeros(448, dtype=dtype)
    apply_token_bitmask_inplace(logits, words)
    allowed = compiled["json"].matcher().allowed_token_ids().tolist()
    assert torch.isfinite(logits).nonzero().flatten().tolist() == allowed
    rows = torch.zeros(2, 448, dtype=dtype)
    apply_token_bitmask_inplace(rows, torch.stack([words, words]), indices=[1])
    assert torch.isfinite(rows).sum(1).tolist() == [448, len(allowed)]
    with pytest.raises(ValueError, match="words"):
        apply_token_bitmask_inplace(torch.zeros(2000, dtype=dtype), words)
