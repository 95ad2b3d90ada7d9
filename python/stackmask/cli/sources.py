"""The options that name a grammar and a vocabulary, and what they stand for."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from stackmask import CompiledGrammar, Grammar, GrammarCompiler, Vocabulary

Command = TypeVar("Command", bound=Callable[..., Any])


class Choices(click.Option):
    """An option that takes every word up to the next option; `--name=-x` takes one like it."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        option = parser._long_opt[self.opts[0]]
        take_one = option.process

        def take_all(value: str, state: Any) -> None:
            take_one(value, state)
            known = {*parser._long_opt, *parser._short_opt, "--"}
            while state.rargs and state.rargs[0].partition("=")[0] not in known:
                take_one(state.rargs.pop(0), state)

        option.process = take_all


def grammar_options(command: Command) -> Command:
    """Adds the options from which `grammar` makes one."""
    for option in reversed(
        [
            click.option("--json", "any_json", is_flag=True, help="Any JSON text."),
            click.option(
                "--lark",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="A Lark grammar file.",
            ),
            click.option(
                "--gbnf",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="A grammar in llama.cpp's notation; it starts at the rule root.",
            ),
            click.option(
                "--schema",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="A JSON Schema.",
            ),
            click.option("--regex", metavar="PATTERN", help="A regex in Python's dialect."),
            click.option(
                "--choices",
                cls=Choices,
                multiple=True,
                metavar="TEXT...",
                help="Any one of these texts: all words up to the next option, or to --.",
            ),
            click.option(
                "--whitespace",
                type=click.Choice(["bounded", "none", "any"]),
                help="White space of --json and --schema.  [default: bounded]",
            ),
        ]
    ):
        command = option(command)
    return lark_options(command)


def lark_options(command: Command) -> Command:
    """Adds the options of Lark grammars."""
    command = click.option(
        "--lexer",
        type=click.Choice(["dynamic", "dynamic_complete"]),
        default="dynamic",
        show_default=True,
        help="How terminals of a Lark grammar end.",
    )(command)
    return click.option(
        "--start", default="start", show_default=True, help="The start rule of a Lark grammar."
    )(command)


def vocabulary_option(command: Command) -> Command:
    return click.option(
        "--vocab",
        default="bytes",
        show_default=True,
        metavar="FILE|bytes",
        help="A tokenizer.json, a GGUF file, or single bytes.",
    )(command)


def grammar(options: dict[str, Any]) -> Grammar:
    """The one grammar that the options name."""
    # The empty pattern is one too.
    named = [
        name
        for name in ("any_json", "schema", "lark", "gbnf", "regex", "choices")
        if options[name] not in (None, False, ())
    ]
    if len(named) != 1:
        raise click.UsageError(
            "name one grammar: --json, --schema FILE, --lark FILE, --gbnf FILE, --regex PATTERN or "
            "--choices TEXT ..."
        )
    match named[0]:
        case "any_json":
            return Grammar.json(whitespace=options["whitespace"] or "bounded")
        case "schema":
            text = _read(options["schema"])
            return Grammar.from_json_schema(text, whitespace=options["whitespace"])
        case "lark":
            return Grammar.from_lark_file(options["lark"], options["start"], lexer=options["lexer"])
        case "gbnf":
            return Grammar.from_gbnf(_read(options["gbnf"]))
        case "regex":
            return Grammar.from_regex(options["regex"])
        case _:
            return Grammar.from_choices(options["choices"])


def vocabulary(name: str) -> Vocabulary:
    if name == "bytes":
        return Vocabulary.byte_level()
    if name.endswith(".gguf"):
        return Vocabulary.from_gguf(name)
    return Vocabulary.from_tokenizer_json(_read(Path(name)))


def compiled(options: dict[str, Any]) -> CompiledGrammar:
    return GrammarCompiler(vocabulary(options.get("vocab", "bytes"))).compile(grammar(options))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: no text in UTF-8 at byte {error.start}") from error


def text_of(source: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    if source == "-":
        # There is none if the caller closed it.
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer.read()
    return Path(source).read_bytes()
