"""`tiktoken.Encoding`: its ranks are the token bytes."""

from collections.abc import Iterable
from typing import Any

from stackmask._native import Vocabulary, VocabularyError
from stackmask.tokenizers import assemble


def vocabulary(
    encoding: Any,
    *,
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    try:
        ranks: dict[bytes, int] = encoding._mergeable_ranks
        special: dict[str, int] = encoding._special_tokens
    except AttributeError:
        kind = type(encoding).__name__
        raise VocabularyError(f"{kind} is no tiktoken.Encoding") from None
    tokens: list[bytes | None] = [None] * (1 + max([*ranks.values(), *special.values()]))
    for text, token in ranks.items():
        tokens[token] = text
    # The record of a special token wins over a rank with its id. Its text counts only where the
    # caller says which tokens are special, and leaves it out.
    for name, token in special.items():
        tokens[token] = name.encode()
    return assemble(
        tokens,
        special={token: name for name, token in special.items()},
        ends=(),
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )
