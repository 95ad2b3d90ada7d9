"""What a server pays for masks: batches, drafts, applying them, and the adapter to transformers.

    python benches/serving.py

Best of several rounds, over DeepSeek's vocabulary. What needs torch is left out without it.
"""

import importlib.util
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from engines import Tokens

import stackmask
from stackmask import Grammar, GrammarCompiler

ROUNDS = 30
#: The beginning of a text of `schema(0)`, in the middle of a string.
STRING = b'{"name0": "'


def schema(number: int) -> dict[str, Any]:
    """One of many schemas of the same kind."""
    return {
        "type": "object",
        "properties": {f"name{number}": {"type": "string"}, f"count{number}": {"type": "integer"}},
        "required": [f"name{number}", f"count{number}"],
        "additionalProperties": False,
    }


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Seconds of the fastest round."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def batch(compiler: GrammarCompiler, count: int) -> None:
    compiled = [compiler.compile(Grammar.from_json_schema(schema(n))) for n in range(count)]
    matchers = [grammar.matcher() for grammar in compiled]
    bitmask = stackmask.allocate_token_bitmask(count, compiler.vocabulary.vocab_size)
    for number, matcher in enumerate(matchers):
        text = f'{{"name{number}": "some text in a string'[: 4 + number % 40].encode()
        assert matcher.accept_bytes(text) == len(text)
    each = best(lambda: stackmask.fill_batch(matchers, bitmask)) / count
    print(f"fill_batch of {count} matchers on different schemas: {each * 1e6:.2f} µs a row")
    alone = best(lambda: [m.fill_next_token_bitmask(bitmask, 0) for m in matchers]) / count
    print(f"  one by one: {alone * 1e6:.2f} µs a row")
    floor = best(lambda: np.copyto(bitmask, bitmask[::-1])) / count
    print(f"  copying as many bytes: {floor * 1e6:.2f} µs a row")


def drafts(compiler: GrammarCompiler, tokens: Tokens, sequences: int) -> None:
    compiled = compiler.compile(Grammar.from_json_schema(schema(0)))
    draft = [tokens.bytes.index(letter) for letter in (b"a", b"b", b"c", b"d")]
    entries = []
    for number in range(sequences):
        matcher = compiled.matcher()
        assert matcher.accept_bytes(STRING) == len(STRING)
        entries.append((matcher, number * 5, draft))
    bitmask = stackmask.allocate_token_bitmask(sequences * 5, tokens.size)
    assert stackmask.fill_draft_chain(entries, bitmask) == [5] * sequences
    each = best(lambda: stackmask.fill_draft_chain(entries, bitmask)) / (5 * sequences)
    print(f"fill_draft_chain, {sequences} sequences, 4 draft tokens: {each * 1e6:.2f} µs a mask")


def half(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logits, a random half of the tokens, and the same as a bitmask."""
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(1, size)).astype(np.float32)
    bits = rng.random(size=(1, size)) < 0.5
    packed = np.packbits(bits, axis=1, bitorder="little")
    bitmask = stackmask.allocate_token_bitmask(1, size)
    bitmask.view(np.uint8)[:, : packed.shape[1]] = packed
    return logits, bits, bitmask


def ratio(name: str, ours: Callable[[], object], bare: Callable[[], object]) -> None:
    floor = best(bare, 200)
    times = best(ours, 200) / floor
    print(f"apply, {name}: {times:.2f} times a bare where ({floor * 1e6:.0f} µs)")


def applying(size: int) -> None:
    logits, bits, bitmask = half(size)
    ratio(
        f"numpy, {size} tokens",
        lambda: stackmask.apply_token_bitmask_inplace(logits, bitmask),
        lambda: np.where(bits, logits, np.float32(-np.inf)),
    )


def applying_to_tensors(size: int) -> None:
    import torch

    from stackmask.torch import apply_token_bitmask_inplace

    logits, bits, bitmask = map(torch.tensor, half(size))
    lowest = torch.tensor(-torch.inf)
    ratio(
        f"torch, {size} tokens",
        lambda: apply_token_bitmask_inplace(logits, bitmask),
        lambda: torch.where(bits, logits, lowest),
    )


def adapter(compiler: GrammarCompiler, tokens: Tokens, rows: int) -> None:
    """What the adapter to transformers takes beyond fill and apply, in a string of 200 tokens."""
    import torch

    from stackmask.integrations.transformers import LogitsProcessor
    from stackmask.torch import apply_token_bitmask_inplace

    compiled = compiler.compile(Grammar.from_json_schema(schema(0)))
    ids = [tokens.bytes.index(bytes([value])) for value in STRING + b"a" * 200]
    processor = LogitsProcessor(compiled)
    scores = torch.zeros((rows, tokens.size))
    prompt = torch.zeros((rows, 4), dtype=torch.long)
    text = torch.tensor([ids] * rows)
    matchers = [compiled.matcher() for _ in range(rows)]
    for matcher in matchers:
        assert matcher.accept_bytes(STRING) == len(STRING)
    bitmask = stackmask.allocate_token_bitmask(rows, tokens.size)
    mask = torch.from_numpy(bitmask)

    def fill_and_apply() -> None:
        stackmask.fill_batch(matchers, bitmask)
        apply_token_bitmask_inplace(scores.clone(), mask)

    bare: list[float] = []
    whole: list[float] = []
    for length in range(len(ids)):
        shown = torch.cat([prompt, text[:, :length]], dim=1)
        # Each first in turn: what comes second finds the scores in the caches.
        steps: list[tuple[list[float], Callable[[], object]]]
        steps = [(whole, partial(processor, shown, scores)), (bare, fill_and_apply)]
        for seconds, step in steps if length % 2 else reversed(steps):
            start = time.perf_counter()
            step()
            seconds.append(time.perf_counter() - start)
    beyond = (np.median(whole) - np.median(bare)) / rows
    print(
        f"adapter to transformers, {rows} rows: {beyond * 1e6:.1f} µs a row beyond fill and apply"
    )


def main() -> None:
    tokens = Tokens()
    compiler = GrammarCompiler(tokens.vocabulary)
    batch(compiler, 512)
    drafts(compiler, tokens, 64)
    applying(128_000)
    if importlib.util.find_spec("torch") is None:
        print("torch is not installed: no tensors, no adapter to transformers")
        return
    import torch

    # As numpy; threads that wait for each other tell nothing of a busy machine.
    torch.set_num_threads(1)
    applying_to_tensors(128_000)
    for rows in (1, 64):
        adapter(compiler, tokens, rows)


if __name__ == "__main__":
    main()
