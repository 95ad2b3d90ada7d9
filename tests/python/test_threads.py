"""Threads: shared compiled grammars, and one thread at a time for each matcher."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from stackmask import (
    CompiledGrammar,
    Grammar,
    GrammarCompiler,
    GrammarMatcher,
    MatcherError,
    Vocabulary,
    fill_batch,
)

PREFIXES = [b"", b"{", b'{"a', b'{"a":', b"[1, 2.", b'["\xe6\x97', b"[[[[", b'{"a": {"b": [', b"tr"]
MATCHERS, THREADS = 512, 8


@pytest.fixture(scope="module")
def compiled(word_vocabulary: Vocabulary) -> CompiledGrammar:
    return GrammarCompiler(word_vocabulary).compile(Grammar.json())


def matchers_of(compiled: CompiledGrammar) -> list[GrammarMatcher]:
    matchers = [compiled.matcher() for _ in range(MATCHERS)]
    for number, matcher in enumerate(matchers):
        prefix = PREFIXES[number % len(PREFIXES)]
        assert matcher.accept_bytes(prefix) == len(prefix)
    return matchers


def test_eight_threads_fill_the_bits_of_one(word_vocabulary: Vocabulary) -> None:
    alone = matchers_of(GrammarCompiler(word_vocabulary).compile(Grammar.json()))
    expected = np.stack([matcher.next_token_bitmask() for matcher in alone])
    # Compiled anew, so that the threads also race to make the tables.
    matchers = matchers_of(GrammarCompiler(word_vocabulary).compile(Grammar.json()))
    bitmask = np.full_like(expected, -1)

    def fill(thread: int) -> None:
        for row in range(thread, MATCHERS, THREADS):
            matchers[row].fill_next_token_bitmask(bitmask, row)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(fill, range(THREADS)))
    assert (bitmask == expected).all()
    batch = np.full_like(expected, -1)
    assert fill_batch(matchers, batch) == [True] * MATCHERS
    assert (batch == expected).all()


def test_batches_of_several_threads_share_a_bitmask(compiled: CompiledGrammar) -> None:
    matchers = matchers_of(compiled)
    expected = np.stack([matcher.next_token_bitmask() for matcher in matchers])
    bitmask = np.empty_like(expected)
    barrier = threading.Barrier(THREADS)

    def fill(thread: int) -> None:
        rows = range(thread, MATCHERS, THREADS)
        for _ in range(20):
            barrier.wait()
            bitmask[rows] = 7
            fill_batch(matchers[thread::THREADS], bitmask, rows)
            assert (bitmask[rows] == expected[rows]).all()

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(fill, range(THREADS)))


def test_others_run_while_one_thread_compiles(byte_vocabulary: Vocabulary) -> None:
    # Long enough that the other thread gets a turn: half a million instructions.
    grammar = Grammar.from_regex("[ab]" * 500_000)
    turns, seen = 0, list[int]()

    def compile_it() -> None:
        seen.append(turns)
        GrammarCompiler(byte_vocabulary).compile(grammar)
        seen.append(turns)

    thread = threading.Thread(target=compile_it)
    thread.start()
    while thread.is_alive():
        turns += 1
    before, after = seen
    assert after > before


def test_many_threads_compile_with_one_compiler(word_vocabulary: Vocabulary) -> None:
    compiler = GrammarCompiler(word_vocabulary)
    grammars = [Grammar.from_regex(f"a{{{n}}}") for n in range(1, 9)]

    def compile_all(_: int) -> list[int]:
        return [len(compiler.compile(g).matcher().shortest_completion()) for g in grammars]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(compile_all, range(THREADS))) == [list(range(1, 9))] * THREADS
    assert compiler.num_cached == len(grammars)


def until_they_meet() -> Iterator[None]:
    """Rounds in which two threads may meet in one matcher, which on a busy machine takes some."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        yield
    pytest.fail("the threads never met")


def test_a_busy_matcher_raises_and_is_not_corrupted(byte_compiler: GrammarCompiler) -> None:
    """Two threads hammer one matcher: each call either works as if alone or raises."""
    matcher = byte_compiler.compile(Grammar.from_regex("a*")).matcher()
    text = b"a" * 200_000
    start = threading.Barrier(2)

    def hammer(_: int) -> tuple[int, int]:
        taken = refused = 0
        start.wait()
        for _ in range(20):
            try:
                taken += matcher.accept_bytes(text) == len(text)
            except MatcherError as error:
                assert "another thread" in str(error)
                refused += 1
        return taken, refused

    for _ in until_they_meet():
        matcher.reset()
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(hammer, range(2)))
        taken, refused = (sum(column) for column in zip(*results, strict=True))
        assert taken + refused == 40
        assert matcher.num_accepted == taken
        matcher.rollback(taken)
        assert matcher.allowed_token_ids().tolist() == [ord("a"), 256]
        if refused:
            return


def test_a_busy_matcher_in_a_batch_raises_before_anything_is_written(
    byte_compiler: GrammarCompiler,
) -> None:
    compiled = byte_compiler.compile(Grammar.from_regex("a*"))
    busy, free = compiled.matcher(), compiled.matcher()
    text = b"a" * 500_000
    bitmask = np.full((2, 9), 7, np.int32)
    done = threading.Event()

    def hammer() -> None:
        while not done.is_set():
            try:
                busy.accept_bytes(text)
                busy.reset()
            except MatcherError:
                pass

    thread = threading.Thread(target=hammer)
    thread.start()
    try:
        for _ in until_they_meet():
            try:
                fill_batch([free, busy], bitmask)
            except MatcherError:
                assert (bitmask == 7).all()
                return
            bitmask.fill(7)
    finally:
        done.set()
        thread.join()


def fill_in_child(fill: Callable[[], list[bool]], results: "multiprocessing.Queue[int]") -> None:
    results.put(len(fill()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_batches_work_in_a_forked_child(compiled: CompiledGrammar) -> None:
    matchers = [compiled.matcher() for _ in range(16)]
    bitmask = np.empty((16, 10), np.int32)
    fill_batch(matchers, bitmask)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(
        target=fill_in_child, args=(lambda: fill_batch(matchers, bitmask), results)
    )
    child.start()
    try:
        assert results.get(timeout=30) == 16
    finally:
        child.kill()
        child.join()
