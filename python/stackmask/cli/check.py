"""`stackmask check`: whether a text fits a grammar, and if not, where it goes wrong."""

from typing import Any

import click

from stackmask.cli.show import place, ranges
from stackmask.cli.sources import compiled, grammar_options, text_of


@click.command(epilog="Example: echo '{\"a\": 1,}' | stackmask check --json --whitespace any")
@grammar_options
@click.argument("file", default="-")
@click.option(
    "--keep-newline", is_flag=True, help="Count a line break at the very end of the text too."
)
def check(file: str, keep_newline: bool, **options: Any) -> int:
    """Check the text in FILE, or on standard input.

    The exit status is 0 if it is a whole text of the grammar, and 1 if not: then the place is
    shown at which it goes wrong, and what could have followed there. A line break at the very end
    does not count, since editors and shells put one there.
    """
    text = text_of(file)
    if not keep_newline:
        text = text.removesuffix(b"\n").removesuffix(b"\r")
    matcher = compiled(options).matcher()
    taken = matcher.accept_bytes(text)
    if taken == len(text) and matcher.is_completed():
        click.echo(f"accepted: {len(text)} bytes")
        return 0
    line, column, shown, caret = place(text, taken)
    what = "the text ends too early" if taken == len(text) else "refused"
    name = "standard input" if file == "-" else file
    click.echo(f"{name}, line {line}, column {column} (byte {taken}): {what}")
    click.echo(f"    {shown}")
    click.echo("    " + click.style(caret, fg="red"))
    followers = bytes(int(token) for token in matcher.allowed_token_ids() if token < 256)
    ways = [ranges(followers)] if followers else []
    if matcher.is_completed():
        ways.append("the end of the text")
    click.echo(f"could follow: {', or '.join(ways)}")
    return 1
