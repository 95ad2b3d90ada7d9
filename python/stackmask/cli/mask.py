"""`stackmask mask`: the tokens that may follow a prefix, or all along a text."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from time import perf_counter_ns
from typing import Any

import click
import numpy as np

from stackmask import GrammarMatcher, Vocabulary, allocate_token_bitmask
from stackmask.cli.show import shown
from stackmask.cli.sources import compiled, grammar_options, vocabulary_option


@dataclass(frozen=True)
class Step:
    """What a trace says of one step; `token` is None at the end of the text."""

    at: int
    allowed: int
    us: float
    token: int | None


@click.command(epilog="Example: stackmask mask --choices yes no maybe --prefix y")
@grammar_options
@vocabulary_option
@click.option("--prefix", default="", metavar="TEXT", help="What was written so far.")
@click.option(
    "--trace",
    is_flag=True,
    help="For each token of the prefix: how many tokens were allowed, and the time of the mask.",
)
@click.option("--limit", default=40, show_default=True, help="Rows of the table; 0 for all.")
@click.option("--as-json", is_flag=True, help="One JSON object, for other programs.")
def mask(prefix: str, trace: bool, limit: int, as_json: bool, **options: Any) -> int:
    """Show the tokens that may follow a prefix.

    With --trace the prefix is split into the longest tokens of the vocabulary from left to right,
    which is not always what the model's own tokenizer would do.
    """
    grammar = compiled(options)
    matcher, vocabulary = grammar.matcher(), grammar.vocabulary
    if trace:
        return _trace(matcher, vocabulary, prefix.encode(), as_json)
    data = prefix.encode()
    taken = matcher.accept_bytes(data)
    if taken < len(data):
        click.echo(f"the prefix is refused at byte {taken}: {shown(data[taken:])}", err=True)
        return 1
    ids = [int(token) for token in matcher.allowed_token_ids()]
    rows = [(token, vocabulary.token_bytes(token)) for token in ids]
    if as_json:
        click.echo(
            json.dumps(
                {
                    "allowed": len(ids),
                    "vocab_size": vocabulary.vocab_size,
                    "completed": matcher.is_completed(),
                    "tokens": [
                        {"id": token, "bytes": data.hex() if data is not None else None}
                        for token, data in rows
                    ],
                }
            )
        )
        return 0
    click.echo(f"{len(ids)} of {vocabulary.vocab_size} tokens may follow")
    _table([("id", "bytes", "text"), *(_row(*row) for row in rows[: limit or None])])
    if limit and len(rows) > limit:
        click.echo(f"... and {len(rows) - limit} more (--limit 0 shows all)")
    return 0


def _row(token: int, data: bytes | None) -> tuple[str, str, str]:
    if data is None:
        return str(token), "", "end of the text"
    return str(token), data.hex(" "), shown(data)


def _trace(matcher: GrammarMatcher, vocabulary: Vocabulary, text: bytes, as_json: bool) -> int:
    bitmask = allocate_token_bitmask(1, vocabulary.vocab_size)
    steps = []
    refused = None
    at = 0
    for token in [*_longest(vocabulary, text), None]:
        start = perf_counter_ns()
        matcher.fill_next_token_bitmask(bitmask, 0)
        micros = round((perf_counter_ns() - start) / 1000, 1)
        allowed = int(np.bitwise_count(bitmask.view(np.uint32)).sum())
        steps.append(Step(at, allowed, micros, token))
        if token is None:
            break
        if not matcher.accept_token(token):
            refused = at
            break
        at += len(vocabulary.token_bytes(token) or b"")
    if as_json:
        click.echo(json.dumps({"steps": [asdict(step) for step in steps], "refused": refused}))
    else:
        rows = [("byte", f"allowed of {vocabulary.vocab_size}", "mask in µs", "token")]
        for step in steps:
            data = b"" if step.token is None else vocabulary.token_bytes(step.token) or b""
            token_text = "" if step.token is None else shown(data)
            rows.append((str(step.at), str(step.allowed), str(step.us), token_text))
        _table(rows)
        if refused is not None:
            click.echo(f"refused: the last token, at byte {refused}")
    return 0 if refused is None else 1


def _longest(vocabulary: Vocabulary, text: bytes) -> list[int]:
    """Splits a text into the longest tokens from left to right."""
    by_bytes: dict[bytes, int] = {}
    longest = 1
    for token in range(vocabulary.vocab_size):
        data = vocabulary.token_bytes(token)
        if data is not None:
            by_bytes.setdefault(data, token)
            longest = max(longest, len(data))
    tokens = []
    at = 0
    while at < len(text):
        for length in range(min(longest, len(text) - at), 0, -1):
            found = by_bytes.get(text[at : at + length])
            if found is not None:
                tokens.append(found)
                at += length
                break
        else:
            raise click.ClickException(f"no token of the vocabulary writes byte {at} of the text")
    return tokens


def _table(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    last = len(widths) - 1
    for number, row in enumerate(rows):
        cells = [
            cell if column == last else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo(click.style("  ".join(cells), bold=number == 0))
