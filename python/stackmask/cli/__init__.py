"""The command `stackmask`: generate, check, mask, info and lint.

Results go to standard output and errors to standard error. The exit status is 0, or 1 if a text
was refused, or 2 if the command could not be carried out.
"""

import sys
from collections.abc import Sequence

import click

from stackmask import __version__
from stackmask.cli.check import check
from stackmask.cli.generate import generate
from stackmask.cli.info import info
from stackmask.cli.lint import lint
from stackmask.cli.mask import mask

__all__ = ["entry", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="stackmask")
def command() -> None:
    """Which tokens may follow: exact masks for text that has to fit a grammar.

    A grammar is one of --json, --schema FILE, --lark FILE, --gbnf FILE, --regex PATTERN and
    --choices TEXT TEXT ... The vocabulary is that of single bytes unless --vocab names a
    tokenizer.json or a GGUF file.
    """


for part in (generate, check, mask, info, lint):
    command.add_command(part)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        status = command.main(arguments, prog_name="stackmask", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.exceptions.Exit as end:
        return end.exit_code
    except SystemExit:
        # What click makes of a pipe whose reader has left.
        return 2
    except click.Abort:
        click.echo("stopped", err=True)
        return 2
    except (ValueError, OSError) as error:
        click.secho(f"error: {error}", fg="red", err=True)
        return 2
    return int(status or 0)


def entry() -> None:
    """What the installed command `stackmask` calls."""
    sys.exit(main())
