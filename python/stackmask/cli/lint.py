"""`stackmask lint`: what the author of a Lark grammar may not have meant."""

from pathlib import Path
from typing import Any

import click

from stackmask import Grammar, GrammarError
from stackmask.cli.sources import lark_options


@click.command(epilog="Example: stackmask lint grammars/arithmetic.lark")
@click.argument("file", type=click.Path(path_type=Path))
@lark_options
def lint(file: Path, start: str, lexer: Any) -> int:
    """Look for likely mistakes in the Lark grammar in FILE.

    Names that are not defined, rules and terminals that are unused or can never end, strings that
    another terminal matches too, and blanks that can go on without end. The exit status is 1 if
    there are any.
    """
    try:
        found = Grammar.from_lark_file(file, start, lexer=lexer).lint()
    except GrammarError as error:
        click.echo(click.style("error: ", fg="red") + str(error))
        return 1
    for remark in found:
        click.echo(f"{file}: {remark.message}")
    if not found:
        click.echo(f"{file}: nothing to remark")
    return 1 if found else 0
