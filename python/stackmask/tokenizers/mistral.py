"""Tokenizers of mistral-common: `MistralTokenizer`, and the Tekken and SentencePiece ones in it."""

from collections.abc import Iterable
from typing import Any

from stackmask._native import Vocabulary, VocabularyError
from stackmask.tokenizers import assemble, sentencepiece


def vocabulary(
    tokenizer: Any,
    *,
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    instruct = getattr(tokenizer, "instruct_tokenizer", None)
    inner = tokenizer if instruct is None else instruct.tokenizer
    processor = getattr(inner, "_model", None)
    if hasattr(processor, "id_to_piece"):
        return sentencepiece.vocabulary(
            processor,
            stop_token_ids=stop_token_ids,
            special_token_ids=special_token_ids,
            vocab_size=vocab_size,
        )
    if not hasattr(inner, "id_to_byte_piece"):
        kind = type(tokenizer).__name__
        raise VocabularyError(f"{kind} is no tokenizer of mistral-common that is known here")
    tokens: list[bytes | None] = []
    special = {}
    for token in range(inner.n_words):
        # Text tokens may be spelled like the names of special ones.
        if inner.is_special(token):
            special[token] = inner.id_to_piece(token)
            tokens.append(special[token].encode())
        else:
            tokens.append(inner.id_to_byte_piece(token))
    return assemble(
        tokens,
        special=special,
        ends=[inner.eos_id],
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )
