"""Readers of other packages' tokenizers, one module each.

They are what `Vocabulary.from_huggingface` and its neighbours call. A module here imports the
package that it is named after only where it cannot do without it, and only when it is used.

Every reader takes the bytes of a token from the tokenizer's own tables, never by decoding single
tokens: decoders strip spaces and replace parts of characters.
"""

from collections.abc import Iterable, Sequence

from stackmask._native import Vocabulary, known_stop_ids

__all__ = ["assemble"]


def assemble(
    tokens: Sequence[bytes | None],
    *,
    special: dict[int, str],
    ends: Iterable[int],
    stop_token_ids: Iterable[int] | None,
    special_token_ids: Iterable[int] | None,
    vocab_size: int | None,
) -> Vocabulary:
    """The vocabulary of `tokens`, where ids in `special` (with their names) are no text.

    `ends` are the ids that the tokenizer itself says end a text; special tokens that are known to
    do so by their name are added. What the caller gives for stop and special tokens is used as it
    is.
    """
    size = len(tokens) if vocab_size is None else vocab_size
    if special_token_ids is None:
        special_token_ids = [token for token in special if token < size]
    if stop_token_ids is None:
        stops = {token for token in ends if 0 <= token < size}
        names = [(token, name) for token, name in special.items() if token < size]
        stop_token_ids = sorted(stops.union(_known(names, required=not stops)))
    return Vocabulary(
        tokens,
        stop_token_ids=stop_token_ids,
        special_token_ids=special_token_ids,
        vocab_size=vocab_size,
    )


def _known(names: list[tuple[int, str]], *, required: bool) -> list[int]:
    try:
        return known_stop_ids(names)
    except ValueError:
        if required:
            raise
        return []
