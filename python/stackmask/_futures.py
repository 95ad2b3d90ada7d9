"""Compiling in the background: `GrammarCompiler.compile_async`."""

import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor

from stackmask._native import (
    Cancellation,
    CompiledGrammar,
    Grammar,
    GrammarCancelledError,
    GrammarCompiler,
)

_lock = threading.Lock()
_flights: dict[tuple[int, Grammar], "_Flight"] = {}
_executor: tuple[int, ThreadPoolExecutor] | None = None


def compile_async(
    compiler: GrammarCompiler,
    grammar: Grammar | Callable[[], Grammar],
    timeout: float | None = None,
) -> Future[CompiledGrammar]:
    """See `GrammarCompiler.compile_async`."""
    if not isinstance(grammar, Grammar) and not callable(grammar):
        raise TypeError(f"neither a Grammar nor a function that makes one: {type(grammar)}")
    if timeout is not None and not timeout >= 0:
        raise ValueError(f"timeout must not be negative: {timeout}")
    with _lock:
        key = (id(compiler), grammar) if isinstance(grammar, Grammar) else None
        flight = _flights.get(key) if key else None
        if flight is None:
            flight = _Flight(compiler, grammar, key)
            if key:
                _flights[key] = flight
            _pool().submit(flight.run)
        future = _CompileFuture(flight, timeout)
        flight.futures.append(future)
    future.start_clock()
    return future


class _CompileFuture(Future[CompiledGrammar]):
    """One caller's wish for a compiled grammar, which may be the wish of others too."""

    def __init__(self, flight: "_Flight", timeout: float | None) -> None:
        super().__init__()
        self._flight = flight
        self._seconds = timeout
        self.add_done_callback(self._leave)

    def start_clock(self) -> None:
        if self._seconds is not None:
            timer = threading.Timer(self._seconds, self._expire)
            timer.daemon = True
            timer.start()
            self.add_done_callback(lambda _: timer.cancel())

    def _leave(self, _: Future[CompiledGrammar]) -> None:
        self._flight.leave(self)
        if self.cancelled():
            # Those who wait for several futures hear of it.
            self.set_running_or_notify_cancel()

    def _expire(self) -> None:
        _settle(self, error=TimeoutError(f"the grammar was not compiled within {self._seconds} s"))


class _Flight:
    """Work for all who asked for the same grammar. It stops once none of them wants it."""

    def __init__(
        self,
        compiler: GrammarCompiler,
        grammar: Grammar | Callable[[], Grammar],
        key: tuple[int, Grammar] | None,
    ) -> None:
        # The compiler is kept alive, so that no other has its id.
        self.compiler = compiler
        self.grammar = grammar
        self.key = key
        self.cancellation = Cancellation()
        self.futures: list[Future[CompiledGrammar]] = []

    def run(self) -> None:
        compiled, error = None, None
        try:
            compiled = self.cancellation.run(self._work)
        except GrammarCancelledError:
            # Nobody is left to be told.
            pass
        except BaseException as raised:
            # It belongs to those who wait.
            error = raised
        for future in self._end():
            _settle(future, compiled, error)

    def _work(self) -> CompiledGrammar:
        grammar = self.grammar if isinstance(self.grammar, Grammar) else self.grammar()
        return self.compiler.compile(grammar)

    def leave(self, future: Future[CompiledGrammar]) -> None:
        with _lock:
            if future in self.futures:
                self.futures.remove(future)
                if not self.futures:
                    self.cancellation.cancel()
                    self._forget()

    def _end(self) -> list[Future[CompiledGrammar]]:
        with _lock:
            self._forget()
            futures, self.futures = self.futures, []
            return futures

    def _forget(self) -> None:
        if self.key and _flights.get(self.key) is self:
            del _flights[self.key]


def _settle(
    future: Future[CompiledGrammar],
    compiled: CompiledGrammar | None = None,
    error: BaseException | None = None,
) -> None:
    """The outcome of a future that has none yet."""
    with contextlib.suppress(InvalidStateError):
        if compiled is not None:
            future.set_result(compiled)
        else:
            future.set_exception(error)


def _pool() -> ThreadPoolExecutor:
    """The threads that compile. A child of `fork` has none of its parent's."""
    global _executor
    process = os.getpid()
    if _executor is None or _executor[0] != process:
        _executor = (
            process,
            ThreadPoolExecutor(max_workers=os.cpu_count(), thread_name_prefix="stackmask-compile"),
        )
    return _executor[1]
