"""Speed through Python on a vocabulary of 128k tokens, beside other engines in the same run.

One thread, one reused buffer. Times are in µs unless a column says otherwise, and hold the cost of
the call and of reading the clock; `floor` only copies a ready mask. Run by `make bench`.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from counts import growth, work_per_mask
from documents import documents
from engines import ENGINES, Tokens, installed, replay

from stackmask import CompiledGrammar, Grammar, GrammarCompiler, GrammarError, Vocabulary

ROOT = Path(__file__).parent.parent
DOCUMENTS, SEED = 60, 7
PROCESSES = 20
COMPILES = 20
REPEATS = 2000
HISTORY = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", default=",".join(ENGINES), help="of %(default)s")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="%(default)s")
    parser.add_argument("--worst-first", metavar="ENGINE", help=argparse.SUPPRESS)
    parser.add_argument("--load", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    gc.disable()
    tokens = Tokens()
    if options.worst_first:
        print(worst_first(tokens, options.worst_first, json.load(sys.stdin)))
        return
    if options.load:
        print(*load(tokens))
        return
    encode = tokens.encoder()
    texts = [encode(text) for text in documents(DOCUMENTS, SEED)]
    count = sum(map(len, texts))
    print(f"{tokens.size} tokens; {len(texts)} JSON documents of {count} tokens, seed {SEED}\n")
    names = [name for name in options.engines.split(",") if name]
    compare_json(tokens, texts, names, options.processes)
    shipped_grammars(tokens, encode)
    single_calls(tokens, max(texts, key=len))
    table(["growth", "target", "measured"], growth())
    columns = "vocabulary|bytes of all tokens: a scan|nodes of the trie: a walk|first visit|hit"
    table([*columns.split("|")], work_per_mask())


def compare_json(tokens: Tokens, texts: list[list[int]], names: list[str], processes: int) -> None:
    """Any-JSON documents, every engine in turn."""
    rows = [
        ["*target*", "≤ 0.45", "≤ 1.5", "≤ 5", "", "", "", "≤ 20", "", "≤ 100", "≤ 0.3", ""],
    ]
    tails = {}
    for name in names:
        if not installed(name):
            print(f"{name} is not installed and is left out.\n")
            continue
        engine = ENGINES[name](tokens)
        compiles = []
        for _ in range(COMPILES if name != "glrmask" else 3):
            began = perf_counter_ns()
            compiled = engine.compile_json()
            compiles.append(perf_counter_ns() - began)
        cold: list[int] = []
        warm: list[int] = []
        accepts: list[int] = []
        refused = 0
        for ids in texts:
            refused += not replay(engine, compiled, ids, cold, [])
        for ids in texts:
            replay(engine, compiled, ids, warm, accepts)
        tails[name] = quantile(warm, 0.99)
        first = [worst_of_process(name, texts[i % len(texts)]) for i in range(processes)]
        rows.append(
            [name]
            + [micros(quantile(warm, p)) for p in (0.5, 0.99, 0.999)]
            + [micros(quantile(cold, 0.5)), micros(quantile(cold, 0.99)), micros(max(cold[1:]))]
            + [micros(quantile(first, 0.5))]
            + [micros(compiles[0]), micros(quantile(compiles, 0.5))]
            + [micros(quantile(accepts, 0.5)), str(refused)]
        )
    columns = (
        "any-JSON|warm p50|p99|p99.9|cold p50|p99|max but first|worst of the first document"
        "|first compile|compile p50|accept p50|documents refused"
    )
    table(columns.split("|"), rows)
    if {"stackmask", "llguidance"} <= tails.keys():
        ratio = tails["llguidance"] / tails["stackmask"]
        print(f"Warm p99: {ratio:.0f} times faster than llguidance (target 10).")
    print(f"Worst of the first document: but the first mask, median of {processes} processes.\n")


def worst_of_process(name: str, ids: list[int]) -> int:
    """`worst_first` in a fresh process."""
    command = [sys.executable, __file__, "--worst-first", name]
    result = subprocess.run(
        command, input=json.dumps(ids), stdout=subprocess.PIPE, text=True, check=True
    )
    return int(result.stdout)


def worst_first(tokens: Tokens, name: str, ids: list[int]) -> int:
    engine = ENGINES[name](tokens)
    masks: list[int] = []
    replay(engine, engine.compile_json(), ids, masks, [])
    return max(masks[1:], default=0)


def shipped_grammars(tokens: Tokens, encode: Callable[[str], list[int]]) -> None:
    """Each file of `grammars/` on the texts that its suite file accepts."""
    rows = [["*target*", "", "≤ 1000", "", "≤ 100", "", "≤ 0.6", "≤ 5", "", ""]]
    stackmask = ENGINES["stackmask"](tokens)
    refused_files = []
    for path in sorted((ROOT / "grammars").glob("*.lark")):
        suite = ROOT / "tests/suite/grammars" / f"{path.stem}.toml"
        accepts = tomllib.loads(suite.read_text(encoding="utf-8"))["accepts"]
        texts = [encode(text) for text in accepts]
        try:
            Grammar.from_lark_file(path)
        except GrammarError as error:
            refused_files.append(f"{path.name} is left out: {error}\n")
            continue
        reads, compiles = [], []
        for _ in range(COMPILES):
            began = perf_counter_ns()
            grammar = Grammar.from_lark_file(path)
            reads.append(perf_counter_ns() - began)
            began = perf_counter_ns()
            compiled = stackmask.compiler.compile(grammar)
            compiles.append(perf_counter_ns() - began)
        cold: list[int] = []
        warm: list[int] = []
        refused = sum(not replay(stackmask, compiled, ids, cold, []) for ids in texts)
        for ids in texts:
            replay(stackmask, compiled, ids, warm, [])
        shown = [quantile(reads, 0.5), quantile(compiles, 0.5)]
        shown += [quantile(cold, 0.5), quantile(cold, 0.99), max(cold[1:])]
        shown += [quantile(warm, 0.5), quantile(warm, 0.99)]
        rows.append([path.stem, *map(micros, shown), str(len(warm)), str(refused)])
    print(*refused_files, sep="\n")
    columns = (
        "grammar|read p50|compile p50|cold p50|p99|max but first|warm p50|p99|masks|texts refused"
    )
    table(columns.split("|"), rows)


def single_calls(tokens: Tokens, ids: list[int]) -> None:
    """The calls that are no masks, and the vocabulary."""
    compiled = GrammarCompiler(tokens.vocabulary).compile(Grammar.json())
    made, with_trie, resident = (float(x) for x in loaded_in_process().split())
    rows = [
        ["vocabulary from token bytes, ms", "≤ 40", f"{made:.1f}"],
        ["the same up to a compiler's first mask, ms", "≤ 40", f"{with_trie:.1f}"],
        ["resident memory that takes, MB", "≤ 24", f"{resident:.1f}"],
        ["`accept_token` p50", "≤ 0.3", micros(accept_p50(compiled, ids))],
        [f"`fork` after {HISTORY} tokens, p50", "≤ 0.3", micros(fork_p50(compiled, ids))],
        [
            f"`rollback(1)` after {HISTORY} tokens, p50",
            "≤ 0.3",
            micros(rollback_p50(compiled, ids)),
        ],
    ]
    rows += [["reading the clock, p50", "", micros(quantile(timed(lambda: None), 0.5))]]
    table(["stackmask", "target", "measured"], rows)


def loaded_in_process() -> str:
    command = [sys.executable, __file__, "--load"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def load(tokens: Tokens) -> tuple[float, float, float]:
    """Milliseconds to make the vocabulary, and to a first mask; megabytes that stay in use."""
    data, stop, special = tokens.bytes, tokens.stop, tokens.vocabulary.special_token_ids
    before = resident_bytes()
    began = perf_counter_ns()
    vocabulary = Vocabulary(data, stop_token_ids=[stop], special_token_ids=special)
    made = perf_counter_ns() - began
    grammar = Grammar.from_choices(["a"])
    GrammarCompiler(vocabulary).compile(grammar).matcher().next_token_bitmask()
    masked = perf_counter_ns() - began
    return made / 1e6, masked / 1e6, (resident_bytes() - before) / 1e6


def resident_bytes() -> float:
    """NaN where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return float("nan")
    return pages * os.sysconf("SC_PAGE_SIZE")


def accept_p50(compiled: CompiledGrammar, ids: list[int]) -> float:
    times: list[int] = []
    for _ in range(REPEATS // len(ids) + 2):
        matcher = compiled.matcher()
        for token in ids:
            began = perf_counter_ns()
            matcher.accept_token(token)
            times.append(perf_counter_ns() - began)
    return quantile(times[len(ids) :], 0.5)


def fork_p50(compiled: CompiledGrammar, ids: list[int]) -> float:
    matcher = compiled.matcher()
    matcher.accept_tokens(ids[:HISTORY])
    return quantile(timed(matcher.fork), 0.5)


def rollback_p50(compiled: CompiledGrammar, ids: list[int]) -> float:
    matcher = compiled.matcher()
    last = ids[matcher.accept_tokens(ids[:HISTORY]) - 1]
    return quantile(timed(matcher.rollback, lambda: matcher.accept_token(last)), 0.5)


def timed(call: Callable[[], Any], between: Callable[[], Any] = lambda: None) -> list[int]:
    times = []
    for _ in range(REPEATS):
        began = perf_counter_ns()
        kept = call()
        times.append(perf_counter_ns() - began)
        del kept
        between()
    return times


def quantile(times: list[int], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def micros(ns: float) -> str:
    return f"{ns / 1e3:.2f}" if ns < 1e5 else f"{ns / 1e3:.0f}"


def table(columns: list[str], rows: list[list[str]]) -> None:
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print(flush=True)


if __name__ == "__main__":
    main()
