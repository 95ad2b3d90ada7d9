"""Stackmask behind the calls that a comparison of engines makes.

Such a comparison gives `tok`, with the bytes of each token id (None for special tokens), and the id
of the stop token; compiles schemas, fills one mask at a time and asks for a bit.
"""

from typing import Any

import numpy as np

from stackmask import (
    CompiledGrammar,
    Grammar,
    GrammarCompiler,
    GrammarMatcher,
    Vocabulary,
    allocate_token_bitmask,
)


class Engine:
    spelling = "canonical"

    def __init__(self, tok: Any, stop: int) -> None:
        vocabulary = Vocabulary(tok.bytes, stop_token_ids=[stop])
        # Without a cache: each compilation is to be measured.
        self.compiler = GrammarCompiler(vocabulary, cache_bytes=0)
        self.buffer = allocate_token_bitmask(1, vocabulary.vocab_size)
        self.words = np.asarray(self.buffer)[0]

    def compile(self, schema: Any) -> CompiledGrammar:
        return self.compiler.compile(Grammar.from_json_schema(schema, spelling=self.spelling))

    def start(self, grammar: CompiledGrammar) -> GrammarMatcher:
        return grammar.matcher()

    def fill(self, matcher: GrammarMatcher) -> None:
        matcher.fill_next_token_bitmask(self.buffer)

    def allowed(self, token: int) -> bool:
        return bool(int(self.words[token >> 5]) >> (token & 31) & 1)

    def accept(self, matcher: GrammarMatcher, token: int) -> bool:
        return matcher.accept_token(token)
