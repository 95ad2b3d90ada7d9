"""Stand-ins for serving engines and their clients: the names that they prescribe, and no more."""

import enum
from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import NamedTuple


def vllm_interface():
    class StructuredOutputOptions(enum.Enum):
        JSON = enum.auto()
        JSON_OBJECT = enum.auto()
        REGEX = enum.auto()
        GRAMMAR = enum.auto()
        CHOICE = enum.auto()
        STRUCTURAL_TAG = enum.auto()

    class StructuredOutputGrammar(ABC):
        @abstractmethod
        def accept_tokens(self, request_id, tokens): ...
        @abstractmethod
        def validate_tokens(self, tokens): ...
        @abstractmethod
        def rollback(self, num_tokens): ...
        @abstractmethod
        def fill_bitmask(self, bitmask, batch_index): ...
        @abstractmethod
        def is_terminated(self): ...
        @abstractmethod
        def reset(self): ...

    class StructuredOutputBackend(ABC):
        @abstractmethod
        def compile_grammar(self, request_type, grammar_spec, stop_token_ids=None): ...
        @abstractmethod
        def allocate_token_bitmask(self, max_num_seqs): ...
        @abstractmethod
        def destroy(self): ...

    return SimpleNamespace(
        StructuredOutputOptions=StructuredOutputOptions,
        StructuredOutputGrammar=StructuredOutputGrammar,
        StructuredOutputBackend=StructuredOutputBackend,
    )


def sglang_interface():
    class BaseGrammarObject:
        def __init__(self):
            self._finished = False
            self.grammar_stats = None
            self.current_token = None

        def maybe_init_reasoning(self, reasoning):
            pass

    class InvalidGrammarObject(BaseGrammarObject):
        def __init__(self, error_message="unknown"):
            super().__init__()
            self.error_message = error_message

    class BaseGrammarBackend:
        def __init__(self):
            self.executor = ThreadPoolExecutor(2)
            self.cache = {}

        def get_cached_or_future_value(self, key, require_reasoning):
            if key in self.cache:
                return self.cache[key].copy(), True
            kind, text = key
            dispatch = getattr(self, f"dispatch_{kind}")
            future: Future = self.executor.submit(dispatch, text)
            return future, False

        def set_cache(self, key, value):
            self.cache[key] = value

        def reset(self):
            self.cache.clear()

    class GrammarRow(NamedTuple):
        row: int
        grammar: BaseGrammarObject

    return SimpleNamespace(
        BaseGrammarObject=BaseGrammarObject,
        InvalidGrammarObject=InvalidGrammarObject,
        BaseGrammarBackend=BaseGrammarBackend,
        GrammarRow=GrammarRow,
    )


class Tokenizer:
    """A fast tokenizer of transformers, over single bytes."""

    def __init__(self):
        from tokenizers import Tokenizer as Fast
        from tokenizers import decoders, models, pre_tokenizers

        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        self.backend_tokenizer = Fast(models.BPE({p: i for i, p in enumerate(alphabet)}, []))
        self.backend_tokenizer.decoder = decoders.ByteLevel()
        self.backend_tokenizer.add_special_tokens(["</s>", "<|im_end|>"])
        self.eos_token_id = 256

    def get_vocab(self):
        return self.backend_tokenizer.get_vocab()

    def ids(self, text):
        pieces = self.get_vocab()
        table = {chr(b): b for b in (*range(33, 127), *range(161, 173), *range(174, 256))}
        rest = [b for b in range(256) if b not in table.values()]
        table |= {chr(256 + n): b for n, b in enumerate(rest)}
        of_byte = {byte: pieces[piece] for piece, byte in table.items()}
        return [of_byte[byte] for byte in text.encode()]


def tool(name, parameters=None):
    """A tool of a chat completion."""
    function = {"name": name} if parameters is None else {"name": name, "parameters": parameters}
    return {"type": "function", "function": function}
