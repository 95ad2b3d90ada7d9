"""Closing a text before the budget of tokens ends."""

import numpy as np
import numpy.typing as npt

from stackmask._native import GrammarMatcher

_NEAR = 256
"""So many tokens before the budget is needed, candidates are looked at one by one. A single token
that makes the shortest way to the end longer than that can exceed the budget."""

_CANDIDATES = 32
"""How many of the likeliest tokens are looked at."""


def keep_within(
    matcher: GrammarMatcher,
    bitmask: npt.NDArray[np.int32],
    scores: npt.NDArray[np.floating],
    left: int,
) -> None:
    """Clear the bits of tokens after which the text could not be ended in `left` tokens.

    Args:
        matcher: Where the text is; it is not changed.
        bitmask: Its mask, one row of int32 words.
        scores: The logits of the step, to choose which tokens to look at.
        left: Tokens that may still be taken, this step's and the stop token included.
    """
    way = matcher.shortest_completion_tokens()
    if len(way) + _NEAR < left or matcher.is_terminated():
        return
    allowed = matcher.allowed_token_ids()
    if len(allowed) > _CANDIDATES:
        best = np.argpartition(scores[allowed], -_CANDIDATES)[-_CANDIDATES:]
        allowed = allowed[best]
    keep = {way[0]} if way else set()
    for token in allowed.tolist():
        ahead = matcher.fork()
        ahead.accept_token(token)
        # After a stop token nothing is left to do; after another one comes the way and the stop.
        need = 0 if ahead.is_terminated() else len(ahead.shortest_completion_tokens()) + 1
        if need < left:
            keep.add(token)
    if not way and not keep:
        return
    kept = np.zeros_like(bitmask)
    words = kept.view(np.uint32)
    for token in keep:
        words[token >> 5] |= np.uint32(1 << (token & 31))
    np.copyto(bitmask, kept)
