"""`llama_cpp.Llama`, through the low-level calls of its own package.

`Llama.detokenize` and `LlamaModel.token_to_piece` cut tokens at 32 bytes, so each token is read
with a buffer that grows.
"""

import ctypes
import importlib
from collections.abc import Iterable
from typing import Any

from stackmask._native import Vocabulary, VocabularyError
from stackmask.tokenizers import assemble

_FIRST_BUFFER = 256


def vocabulary(
    llama: Any,
    *,
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    try:
        handle = llama._model.vocab
        size = llama.n_vocab()
    except AttributeError:
        raise VocabularyError(f"{type(llama).__name__} is no llama_cpp.Llama") from None
    api = importlib.import_module(type(llama).__module__.partition(".")[0])
    control = api.LLAMA_TOKEN_ATTR_CONTROL | api.LLAMA_TOKEN_ATTR_UNKNOWN
    tokens: list[bytes | None] = []
    special = {}
    for token in range(size):
        text = _piece(api, handle, token)
        tokens.append(text or None)
        if api.llama_vocab_get_attr(handle, token) & control:
            special[token] = text.decode(errors="replace")
    return assemble(
        tokens,
        special=special,
        ends=[token for token in range(size) if api.llama_vocab_is_eog(handle, token)],
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )


def _piece(api: Any, handle: Any, token: int) -> bytes:
    """The token's text, names of special tokens included."""
    size = _FIRST_BUFFER
    while True:
        buffer = ctypes.create_string_buffer(size)
        length = api.llama_token_to_piece(handle, token, buffer, size, 0, True)
        if length >= 0:
            return buffer.raw[:length]
        size = -length
