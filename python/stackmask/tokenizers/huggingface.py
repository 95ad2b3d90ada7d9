"""Tokenizers of Hugging Face: `tokenizers.Tokenizer`, and the fast ones of transformers.

The serialised tokenizer says how pieces spell bytes. What it says of the vocabulary can be
incomplete (transformers keeps added tokens beside it), so pieces and added tokens are read from
the object itself.
"""

import contextlib
import json
from collections.abc import Iterable
from typing import Any

from stackmask._native import Vocabulary, VocabularyError, known_stop_ids


def vocabulary(
    tokenizer: Any,
    *,
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(backend, "to_str"):
        return _slow(
            tokenizer,
            stop_token_ids=stop_token_ids,
            special_token_ids=special_token_ids,
            vocab_size=vocab_size,
        )
    file = json.loads(backend.to_str())
    added = {token["id"]: token for token in file.get("added_tokens") or []}
    for token, record in _added(tokenizer, backend).items():
        added[token] = {"id": token, "content": record.content, "special": bool(record.special)}
    file["added_tokens"] = list(added.values())
    pieces = tokenizer.get_vocab()
    file["model"]["vocab"] = {piece: token for piece, token in pieces.items() if token not in added}
    if stop_token_ids is None:
        end = getattr(tokenizer, "eos_token_id", None)
        if end is not None:
            stop_token_ids = _with_known(end, added, vocab_size)
    return Vocabulary.from_tokenizer_json(
        json.dumps(file),
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )


def _added(tokenizer: Any, backend: Any) -> dict[int, Any]:
    of_transformers = getattr(tokenizer, "added_tokens_decoder", None)
    records: dict[int, Any] = dict(backend.get_added_tokens_decoder())
    return records | dict(of_transformers or {})


def _with_known(
    end: int | list[int], added: dict[int, dict[str, Any]], vocab_size: int | None
) -> list[int]:
    ends = set(end if isinstance(end, list) else [end])
    special = [(token, record["content"]) for token, record in added.items() if record["special"]]
    # None known by name is no error here: the tokenizer's own end is enough.
    with contextlib.suppress(VocabularyError):
        ends.update(known_stop_ids(special))
    return sorted(token for token in ends if vocab_size is None or token < vocab_size)


def _slow(tokenizer: Any, **options: Any) -> Vocabulary:
    """A tokenizer without the Rust backend: those over SentencePiece keep its processor."""
    processor = getattr(tokenizer, "sp_model", None)
    if processor is None:
        kind = type(tokenizer).__name__
        raise VocabularyError(
            f"{kind} has neither a fast tokenizer (backend_tokenizer) nor a SentencePiece "
            "model (sp_model): give token bytes to Vocabulary(...)"
        )
    from stackmask.tokenizers import sentencepiece

    return sentencepiece.vocabulary(processor, **options)
