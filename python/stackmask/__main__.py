"""`python -m stackmask generate --json`: documents from random logits over single bytes."""

import argparse
import json
import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from stackmask import Grammar, GrammarCompiler, Vocabulary
from stackmask.generate import biased_model, generate


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stackmask")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("generate", help="print documents of a grammar, one a line")
    command.add_argument("--json", action="store_true", required=True, help="any JSON value")
    command.add_argument("-n", type=int, default=5, metavar="N", help="documents (%(default)s)")
    command.add_argument("--seed", type=int, default=0, help="of the logits (%(default)s)")
    command.add_argument(
        "--max-tokens", type=int, default=120, metavar="M", help="for one document (%(default)s)"
    )
    options = parser.parse_args(arguments)
    return _generate(options.n, options.seed, options.max_tokens)


def _generate(count: int, seed: int, max_tokens: int) -> int:
    vocabulary = Vocabulary.byte_level()
    compiled = GrammarCompiler(vocabulary).compile(Grammar.json(whitespace="none"))
    rng = np.random.default_rng(seed)
    model = biased_model(_bias(vocabulary), rng)
    for _ in range(count):
        document = generate(compiled, model, rng, max_tokens=max_tokens)
        json.loads(document.text)
        print(document.text)
    return 0


def _bias(vocabulary: Vocabulary) -> npt.NDArray[np.float32]:
    """Brackets, quotes and commas before letters, letters before everything else."""
    bias = np.full(vocabulary.vocab_size, -4.0, dtype=np.float32)
    for token in range(vocabulary.vocab_size):
        text = vocabulary.token_bytes(token) or b""
        if text.isalnum():
            bias[token] = 0.0
        elif text and text in b'{}[]":,':
            bias[token] = 2.5
    return bias


if __name__ == "__main__":
    sys.exit(main())
