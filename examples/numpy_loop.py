"""The smallest decoding loop: numpy, random logits, one grammar."""

import numpy as np

from stackmask import (
    Grammar,
    GrammarCompiler,
    Vocabulary,
    allocate_token_bitmask,
    apply_token_bitmask_inplace,
)


def main() -> None:
    vocabulary = Vocabulary.byte_level()
    grammar = Grammar.from_regex(r"(yes|no)(, (yes|no))*[.]")
    matcher = GrammarCompiler(vocabulary).compile(grammar).matcher()
    bitmask = allocate_token_bitmask(1, vocabulary.vocab_size)
    rng, ids = np.random.default_rng(1), []
    while not matcher.is_terminated():
        logits = rng.normal(size=(1, vocabulary.vocab_size)).astype(np.float32)  # your model's
        matcher.fill_next_token_bitmask(bitmask, 0)
        apply_token_bitmask_inplace(logits, bitmask)
        ids.append(int(logits[0].argmax()))
        matcher.accept_token(ids[-1])
    print(vocabulary.decode(ids).decode())


if __name__ == "__main__":
    main()
