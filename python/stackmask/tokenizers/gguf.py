"""GGUF model files, read by the package gguf."""

from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any, Literal

from stackmask._native import Vocabulary, VocabularyError, piece_bytes
from stackmask.tokenizers import assemble

_UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = 2, 3, 4, 5, 6
"""Types of tokens, as llama.cpp numbers them; 1 is a normal one."""

_ENDS = ("eos_token_id", "eot_token_id", "eom_token_id")


def vocabulary(
    path: str | PathLike[str],
    *,
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    fields = _fields(fspath(path))
    pieces = fields.get("tokens")
    if pieces is None:
        raise VocabularyError(f"{fspath(path)}: the file has no tokens (tokenizer.ggml.tokens)")
    kinds = fields.get("token_type", [1] * len(pieces))
    tokens = _bytes(pieces, kinds, fields.get("model"))
    special = {
        token: piece
        for token, (piece, kind) in enumerate(zip(pieces, kinds, strict=True))
        if kind in (_CONTROL, _UNKNOWN)
    }
    return assemble(
        tokens,
        special=special,
        ends=[fields[name] for name in _ENDS if name in fields],
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )


def _bytes(pieces: list[str], kinds: list[int], model: str | None) -> list[bytes | None]:
    spelling: Literal["byte_level", "metaspace"]
    if model == "gpt2":
        spelling = "byte_level"
    elif model == "llama":
        spelling = "metaspace"
    else:
        raise VocabularyError(
            f"a GGUF vocabulary of the model {model!r} is not supported, only gpt2 (byte-level "
            "BPE) and llama (SentencePiece)"
        )
    tokens: list[bytes | None] = list(piece_bytes(pieces, spelling))
    for token, (piece, kind) in enumerate(zip(pieces, kinds, strict=True)):
        if kind == _BYTE:
            tokens[token] = bytes([int(piece[3:5], 16)])
        elif kind in (_CONTROL, _USER_DEFINED):
            tokens[token] = piece.encode()
        elif kind == _UNUSED:
            tokens[token] = None
    return tokens


def _fields(path: str) -> dict[str, Any]:
    try:
        from gguf import GGUFReader
    except ImportError:
        raise VocabularyError("reading GGUF files needs the package gguf") from None
    try:
        reader = GGUFReader(path)
    except (ValueError, IndexError, OverflowError) as error:
        raise VocabularyError(f"{path} is no readable GGUF file: {error}") from error
    start = "tokenizer.ggml."
    return {
        name.removeprefix(start): field.contents()
        for name, field in reader.fields.items()
        if name.startswith(start) and not name.endswith((".merges", ".scores"))
    }
