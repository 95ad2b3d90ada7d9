"""The engine as the tests use it: schemas to matchers, verdicts on whole texts, vocabularies."""

import random
from functools import cache
from typing import Any

from stackmask import CompiledGrammar, Grammar, GrammarCompiler, GrammarMatcher, Vocabulary

SPELLINGS = ("canonical", "any")
FRAGMENTS = [
    *('{"', '":', '": ', '",', '", "', '"}', "},", "}]", "]}", "[[", "]]", "[{", "{}", "[]", '""'),
    *("true", "tr", "ue", "false", "null", ", ", ": ", "\n  ", "  ", "12", "0.", ".0", "e1", "-1"),
    *('"a"', '"a', 'a"', '"ab":', '"b": ', '"c', "ab", "abc", "x1", '\\"', "\\u00", "\\n", '"é'),
    *("é", "日", "😀", "a b", "100", "9007199254740993", '"x1":', '["', '"],"', '":{"', "0.07"),
]


@cache
def compiler(words: bool = False) -> GrammarCompiler:
    """Over single bytes; or over bytes and pieces of JSON texts, cut anywhere."""
    if not words:
        return GrammarCompiler(Vocabulary.byte_level())
    rng = random.Random(1)
    text = "".join(rng.choices(FRAGMENTS, k=3000)).encode()
    cut = {text[at : at + rng.randint(2, 6)] for at in rng.sample(range(len(text)), 250)}
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += sorted(cut | {fragment.encode() for fragment in FRAGMENTS if len(fragment) > 1})
    stop = len(tokens)
    return GrammarCompiler(
        Vocabulary([*tokens, b"<stop>"], stop_token_ids=[stop], special_token_ids=[stop])
    )


def compile_schema(schema: Any, *, words: bool = False, **options: Any) -> CompiledGrammar:
    return compiler(words).compile(Grammar.from_json_schema(schema, **options))


def accepts(matcher: GrammarMatcher, text: str) -> bool:
    """Whether the whole text is in the language, by bytes. The matcher is put back to the start."""
    data = text.encode("utf-8", "surrogatepass")
    matcher.reset()
    whole = matcher.accept_bytes(data) == len(data) and matcher.is_completed()
    matcher.reset()
    return whole
