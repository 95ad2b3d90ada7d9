"""Exact token masks for grammar-constrained decoding.

A `Vocabulary` and a `Grammar` compile to a `CompiledGrammar`; its matchers say at each step which
tokens may come next, as a bitmask over the vocabulary.
"""

from stackmask._native import (
    CacheInfo,
    Cancellation,
    CompiledGrammar,
    Diagnostic,
    Grammar,
    GrammarCancelledError,
    GrammarCompiler,
    GrammarError,
    GrammarMatcher,
    GrammarSyntaxError,
    GrammarTooComplexError,
    InvalidSchemaError,
    Limits,
    MatcherError,
    RollbackError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
    Vocabulary,
    VocabularyError,
    __version__,
    fill_batch,
    fill_draft_chain,
    fill_draft_tree,
)
from stackmask.masks import allocate_token_bitmask, apply_token_bitmask_inplace

__all__ = [
    "CacheInfo",
    "Cancellation",
    "CompiledGrammar",
    "Diagnostic",
    "Grammar",
    "GrammarCancelledError",
    "GrammarCompiler",
    "GrammarError",
    "GrammarMatcher",
    "GrammarSyntaxError",
    "GrammarTooComplexError",
    "InvalidSchemaError",
    "Limits",
    "MatcherError",
    "RollbackError",
    "UnsatisfiableSchemaError",
    "UnsupportedSchemaError",
    "Vocabulary",
    "VocabularyError",
    "__version__",
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "fill_batch",
    "fill_draft_chain",
    "fill_draft_tree",
]
