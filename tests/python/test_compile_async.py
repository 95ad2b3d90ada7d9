"""Compiling in the background, once for all who ask, and stopping it."""

import asyncio
import threading
from concurrent.futures import CancelledError, wait

import pytest

from stackmask import (
    Cancellation,
    Grammar,
    GrammarCancelledError,
    GrammarCompiler,
    GrammarError,
    Vocabulary,
)

BYTES = Vocabulary.byte_level()
#: For what must happen soon; a test that waits so long has failed.
LONG = 60


class Work:
    """Compiles one grammar after the other until it is stopped, or a hundred thousand."""

    def __init__(self) -> None:
        self.started, self.ended = threading.Event(), threading.Event()

    def __call__(self) -> Grammar:
        compiler = GrammarCompiler(BYTES, cache_bytes=0)
        try:
            for count in range(1, 100_000):
                compiler.compile(Grammar.from_regex(f"(ab?){{{count},}}"))
                self.started.set()
        finally:
            self.ended.set()
        raise AssertionError("nothing stopped it")


def test_a_future_holds_what_compile_returns() -> None:
    compiler = GrammarCompiler(BYTES)
    compiled = compiler.compile_async(Grammar.json()).result(LONG)
    assert compiled is compiler.compile(Grammar.json())
    assert compiled is compiler.compile_async(Grammar.json, timeout=LONG).result(LONG)


def test_errors_are_those_of_compile() -> None:
    compiler = GrammarCompiler(BYTES)
    never = Grammar.from_lark('start: "a" start')
    with pytest.raises(GrammarError, match="no finite text"):
        compiler.compile_async(never).result(LONG)
    with pytest.raises(GrammarError, match="unterminated"):
        compiler.compile_async(lambda: Grammar.from_regex("a(")).result(LONG)
    with pytest.raises(TypeError):
        compiler.compile_async("a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timeout"):
        compiler.compile_async(Grammar.json(), timeout=-1)


def test_cancel_stops_the_work() -> None:
    work = Work()
    future = GrammarCompiler(BYTES).compile_async(work)
    assert work.started.wait(LONG)
    assert future.cancel()
    assert future.cancelled()
    with pytest.raises(CancelledError):
        future.result(LONG)
    assert wait([future], LONG).not_done == set()
    assert work.ended.wait(LONG)
    assert not GrammarCompiler(BYTES).compile_async(Grammar.json()).cancelled()


def test_a_timeout_stops_the_work() -> None:
    work = Work()
    future = GrammarCompiler(BYTES).compile_async(work, timeout=0.05)
    with pytest.raises(TimeoutError, match=r"within 0\.05 s"):
        future.result(LONG)
    assert not future.cancel()
    assert work.ended.wait(LONG)


def test_one_who_cancels_leaves_the_others_their_grammar() -> None:
    compiler = GrammarCompiler(BYTES)
    grammars = [Grammar.from_regex("(a|b)+c") for _ in range(40)]
    futures = [compiler.compile_async(grammar) for grammar in grammars]
    cancelled = [future.cancel() for future in futures[::2]]
    results = {id(future.result(LONG)) for future in futures[1::2]}
    assert len(results) == 1
    for future, was in zip(futures[::2], cancelled, strict=True):
        assert future.cancelled() == was


def test_equal_grammars_are_compiled_once() -> None:
    compiler = GrammarCompiler(BYTES)
    barrier = threading.Barrier(8)
    found = []

    def ask() -> None:
        grammar = Grammar.from_regex("[a-f]{3,400}(x|y)?")
        barrier.wait(LONG)
        found.append(compiler.compile(grammar))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert len(found) == 8
    assert len(set(map(id, found))) == 1
    info = compiler.cache_info()
    assert (info.misses, info.hits, info.entries) == (1, 7, 1)


def test_cache_info() -> None:
    compiler = GrammarCompiler(BYTES, cache_bytes=1 << 20)
    assert repr(compiler.cache_info()) == (
        "CacheInfo(hits=0, misses=0, entries=0, bytes=0, max_bytes=1048576)"
    )
    compiled = compiler.compile(Grammar.json())
    compiler.compile(Grammar.json())
    info = compiler.cache_info()
    assert (info.hits, info.misses, info.entries) == (1, 1, 1)
    assert info.bytes == compiled.memory_bytes
    compiler.clear_cache()
    info = compiler.cache_info()
    assert (info.hits, info.misses, info.entries, info.bytes) == (1, 1, 0, 0)


def test_cancellations_of_ones_own() -> None:
    flag = Cancellation()
    assert flag.run(lambda: 7) == 7
    assert not flag.cancelled
    flag.cancel()
    assert flag.cancelled
    with pytest.raises(GrammarCancelledError):
        flag.run(lambda: GrammarCompiler(BYTES).compile(Grammar.json()))
    assert flag.run(lambda: 7) == 7
    GrammarCompiler(BYTES).compile(Grammar.json())


def test_a_cancelled_reader_of_a_schema_stops() -> None:
    flag = Cancellation()
    flag.cancel()
    schema = {"allOf": [{"properties": {f"k{n}": {"minimum": n}}} for n in range(50)]}
    with pytest.raises(GrammarCancelledError):
        flag.run(lambda: Grammar.from_json_schema(schema))


def test_futures_can_be_awaited_and_cancelled() -> None:
    async def main() -> None:
        compiler = GrammarCompiler(BYTES)
        awaited = await asyncio.wrap_future(compiler.compile_async(Grammar.json()))
        assert awaited is compiler.compile(Grammar.json())
        work = Work()
        future = compiler.compile_async(work)
        wrapped = asyncio.wrap_future(future)
        await asyncio.to_thread(work.started.wait, LONG)
        wrapped.cancel()
        with pytest.raises(asyncio.CancelledError):
            await wrapped
        # The loop tells the other future in its next round.
        await asyncio.sleep(0)
        assert future.cancelled()

    asyncio.run(main())
