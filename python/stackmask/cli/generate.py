"""`stackmask generate`: texts of a grammar from random logits."""

import sys
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from stackmask import Vocabulary
from stackmask.cli.sources import compiled, grammar_options, vocabulary_option
from stackmask.generate import biased_model
from stackmask.generate import generate as sample


@click.command(epilog="Example: stackmask generate --regex '[a-z]+@[a-z]+[.]com' -n 3")
@grammar_options
@vocabulary_option
@click.option(
    "-n",
    "count",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many texts.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the logits."
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    default=120,
    show_default=True,
    help="For one text.",
)
def generate(count: int, seed: int, max_tokens: int, **options: Any) -> int:
    """Print texts of a grammar, one after the other.

    There is no model: logits are noise with a bias towards structure. No text is cut; near its
    budget of tokens the shortest way to its end is taken.
    """
    grammar = compiled(options)
    rng = np.random.default_rng(seed)
    model = biased_model(_bias(grammar.vocabulary), rng)
    with click.progressbar(
        range(count), label="generating", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as numbers:
        for _ in numbers:
            text = sample(grammar, model, rng, max_tokens=max_tokens).data
            click.echo(text.decode("utf-8", "backslashreplace"))
    return 0


def _bias(vocabulary: Vocabulary) -> npt.NDArray[np.float32]:
    """Brackets, quotes and commas before letters, letters before all else, blanks last."""
    bias = np.full(vocabulary.vocab_size, -4.0, dtype=np.float32)
    for token in range(vocabulary.vocab_size):
        text = vocabulary.token_bytes(token) or b""
        if text.isspace():
            bias[token] = -9.0
        elif text.isalnum():
            bias[token] = 0.0
        elif len(text) == 1 and text in b'{}[]":,':
            bias[token] = 2.5
    return bias
