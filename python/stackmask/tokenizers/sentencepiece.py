"""`sentencepiece.SentencePieceProcessor`: pieces, in which U+2581 is a space, and bytes."""

from collections.abc import Iterable
from typing import Any

from stackmask._native import Vocabulary, VocabularyError, piece_bytes
from stackmask.tokenizers import assemble


def vocabulary(
    processor: Any,
    *,
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    try:
        size = processor.get_piece_size()
        pieces = [processor.id_to_piece(token) for token in range(size)]
    except AttributeError:
        kind = type(processor).__name__
        raise VocabularyError(f"{kind} is no SentencePieceProcessor") from None
    tokens: list[bytes | None] = list(piece_bytes(pieces, "metaspace"))
    special = {}
    for token, piece in enumerate(pieces):
        # The type says whether a piece is a byte: one of the user may be spelled like it.
        if processor.is_byte(token):
            tokens[token] = bytes([int(piece[3:5], 16)])
        elif processor.is_control(token) or processor.is_unknown(token):
            special[token] = piece
        elif processor.is_unused(token):
            tokens[token] = None
    end = processor.eos_id()
    return assemble(
        tokens,
        special=special,
        ends=[end] if end >= 0 else [],
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )
