"""`stackmask info`: a compiled grammar in figures."""

import json
from time import perf_counter_ns
from typing import Any

import click

from stackmask import GrammarCompiler
from stackmask.cli.sources import grammar, grammar_options, vocabulary, vocabulary_option


@click.command(epilog="Example: stackmask info --lark grammars/sql_select.lark")
@grammar_options
@vocabulary_option
@click.option("--as-json", is_flag=True, help="One JSON object, for other programs.")
def info(as_json: bool, **options: Any) -> int:
    """Compile a grammar and show its size, its memory and the remarks on it.

    States are made when a text first needs them, so that only the first ones exist here.
    """
    source, tokens = grammar(options), vocabulary(options["vocab"])
    start = perf_counter_ns()
    compiled = GrammarCompiler(tokens).compile(source)
    micros = (perf_counter_ns() - start) / 1000
    figures = {
        "rules": source.num_rules,
        "terminals": source.num_terminals,
        "states": compiled.num_states,
        "memory_bytes": compiled.memory_bytes,
        "compile_us": round(micros, 1),
        "vocab_size": tokens.vocab_size,
        "warnings": [str(warning) for warning in compiled.warnings],
    }
    if as_json:
        click.echo(json.dumps(figures))
        return 0
    width = max(map(len, figures))
    for name, value in figures.items():
        if name != "warnings":
            click.echo(f"{name.replace('_', ' '):<{width}}  {value}")
    for warning in compiled.warnings:
        click.secho(f"warning: {warning}", fg="yellow")
    return 0
