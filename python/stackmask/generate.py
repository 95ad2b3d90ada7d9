"""A decoding loop over random logits: shows the masks at work where there is no model."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns

import numpy as np
import numpy.typing as npt

from stackmask._native import CompiledGrammar
from stackmask.masks import apply_token_bitmask_inplace

Logits = npt.NDArray[np.float32]
Model = Callable[[list[int]], Logits]


@dataclass(frozen=True)
class Step:
    """One decoding step, before and after its mask."""

    tokens: int
    before: Logits
    after: Logits


@dataclass
class Document:
    """A finished document and what it cost."""

    data: bytes
    tokens: list[int]
    removed: list[float]
    """The share of the probability that each step's mask took away."""
    mask_ns: list[int]

    @property
    def text(self) -> str:
        return self.data.decode()


def generate(
    compiled: CompiledGrammar,
    model: Model,
    rng: np.random.Generator,
    *,
    max_tokens: int,
    watch: Callable[[Step], None] | None = None,
) -> Document:
    """Sample one document of at most `max_tokens` tokens, the stop token not counted.

    No document is cut: a token after which the shortest way to the end would exceed the budget is
    taken back, and the shortest way is taken in its place. A grammar whose shortest text is longer
    than the budget gets that text.
    """
    matcher = compiled.matcher()
    bitmask = np.empty(-(-compiled.vocabulary.vocab_size // 32), dtype=np.int32)
    document = Document(b"", [], [], [])
    way = matcher.shortest_completion_tokens()
    while True:
        logits = model(document.tokens)
        start = perf_counter_ns()
        matcher.fill_next_token_bitmask(bitmask)
        document.mask_ns.append(perf_counter_ns() - start)
        before = logits.copy()
        apply_token_bitmask_inplace(logits, bitmask)
        document.removed.append(1.0 - _kept(before, logits))
        if watch:
            watch(Step(len(document.tokens), before, logits))
        token = _sample(logits, rng)
        if not matcher.accept_token(token):
            raise RuntimeError(f"token {token} is in the mask but was refused")
        if matcher.is_terminated():
            break
        next_way = matcher.shortest_completion_tokens()
        if len(document.tokens) + 1 + len(next_way) > max_tokens:
            matcher.rollback()
            document.tokens += way
            break
        document.tokens.append(token)
        way = next_way
    document.data = compiled.vocabulary.decode(document.tokens)
    return document


def probabilities(logits: Logits) -> npt.NDArray[np.float64]:
    """The softmax of `logits`, in double precision."""
    weights = np.exp(logits.astype(np.float64) - float(logits.max()))
    return weights / float(weights.sum())


def _kept(before: Logits, after: Logits) -> float:
    allowed = np.isfinite(after)
    top = float(before.max())
    weights = np.exp(before - top)
    return float(weights[allowed].sum(dtype=np.float64) / weights.sum(dtype=np.float64))


def _sample(logits: Logits, rng: np.random.Generator) -> int:
    allowed = np.flatnonzero(np.isfinite(logits))
    if len(allowed) == 0:
        raise RuntimeError("no token is allowed")
    cumulative = np.cumsum(probabilities(logits[allowed]))
    at = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
    return int(allowed[min(at, len(allowed) - 1)])


def json_depth(data: bytes) -> int:
    """The deepest nesting of brackets outside strings."""
    depth = deepest = 0
    quoted = escaped = False
    for byte in data:
        if quoted:
            if escaped:
                escaped = False
            elif byte == ord("\\"):
                escaped = True
            elif byte == ord('"'):
                quoted = False
        elif byte == ord('"'):
            quoted = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def biased_model(bias: npt.NDArray[np.float32], rng: np.random.Generator) -> Model:
    """A "model" whose logits are normal noise plus `bias`, whatever came before."""
    size = len(bias)
    # Fresh noise for 128k tokens takes longer than everything else; slices of a pool do as well.
    pool = rng.standard_normal(size + 65_536, dtype=np.float32)

    def logits(_tokens: list[int]) -> Logits:
        start = int(rng.integers(0, len(pool) - size))
        return pool[start : start + size] + bias

    return logits


def percentile(values: list[int], share: float) -> float:
    """The nearest-rank percentile of `values`; NaN if there are none."""
    if not values:
        return math.nan
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
