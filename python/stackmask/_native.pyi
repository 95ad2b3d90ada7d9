from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer

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
    "compose",
    "fill_batch",
    "fill_draft_chain",
    "fill_draft_tree",
    "known_stop_ids",
    "piece_bytes",
]
__version__: str

# numpy declares the buffer protocol from Python 3.12 on only.
_Words: TypeAlias = Buffer | npt.NDArray[np.int32] | npt.NDArray[np.uint32]

class _Lark(Protocol):
    """What is read of a `lark.Lark` object."""

    options: Any
    source_path: str
    source_grammar: str

class _Indenter(Protocol):
    """What is read of a `lark.indenter.Indenter`."""

    @property
    def NL_type(self) -> str: ...
    @property
    def OPEN_PAREN_types(self) -> list[str]: ...
    @property
    def CLOSE_PAREN_types(self) -> list[str]: ...
    @property
    def INDENT_type(self) -> str: ...
    @property
    def DEDENT_type(self) -> str: ...
    @property
    def tab_len(self) -> int: ...

class GrammarError(ValueError):
    """A grammar that means nothing usable; also the base of every other error of this package."""

class GrammarSyntaxError(GrammarError):
    """A source text that cannot be read, or that asks for what cannot be enforced.

    `str()` gives file, line, column, what is wrong, and the line with a caret.
    """

    message: str
    """What is wrong, without the place."""
    file: str | None
    """The path that was given to `Grammar.from_lark_file`."""
    line: int | None
    """The line, from 1; None if the source has no places."""
    column: int | None
    """The column in code points, from 1."""

class UnsupportedSchemaError(GrammarError):
    """A JSON Schema that asks for what cannot be enforced."""

    pointer: str
    """A JSON Pointer to the schema that holds the keyword."""
    keyword: str
    """The keyword."""

class InvalidSchemaError(GrammarError):
    """Not a JSON Schema."""

    pointer: str
    """A JSON Pointer to what is wrong."""

class UnsatisfiableSchemaError(GrammarError):
    """A JSON Schema that no value fulfils."""

    pointer: str
    """A JSON Pointer to the schema that no value fulfils."""

class GrammarTooComplexError(GrammarError):
    """A limit was reached: the message names it, its bound and what was asked for."""

class GrammarCancelledError(GrammarError):
    """The work was told to stop before it was done: see `Cancellation`."""

class VocabularyError(GrammarError):
    """A vocabulary that is malformed or does not fit the grammar."""

class RollbackError(GrammarError):
    """More steps were to be undone than were taken."""

class MatcherError(GrammarError):
    """A call that a matcher cannot answer; nothing was changed by it."""

@final
class Limits:
    """Bounds on what a grammar may cost. What is left out has its default.

    Work is counted, never timed, so that every machine gives the same answer.

    Args:
        source_bytes: Bytes of a grammar's source text. Default 10 MB.
        source_nesting: Nesting of parentheses in a source. Default 256.
        rules: Rules, those that operators expand to included. Default 500,000.
        instructions: Instructions of all terminals together. Default 2,000,000.
        state_bytes: Bytes of states and transitions in one generation of tables. Default 256 MB.
        mask_bytes: Bytes of finished masks in one generation of tables. Default 256 MB.
        schema_work: Units of work on the normal form of a JSON Schema. Default 500,000.
        step_work: Units of work in one step. Default 50,000,000.

    Raises:
        ValueError: A limit is negative or too large.
    """

    def __new__(
        cls,
        *,
        source_bytes: int | None = None,
        source_nesting: int | None = None,
        rules: int | None = None,
        instructions: int | None = None,
        state_bytes: int | None = None,
        mask_bytes: int | None = None,
        schema_work: int | None = None,
        step_work: int | None = None,
    ) -> Limits: ...
    @property
    def source_bytes(self) -> int: ...
    @property
    def source_nesting(self) -> int: ...
    @property
    def rules(self) -> int: ...
    @property
    def instructions(self) -> int: ...
    @property
    def state_bytes(self) -> int: ...
    @property
    def mask_bytes(self) -> int: ...
    @property
    def schema_work(self) -> int: ...
    @property
    def step_work(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Vocabulary:
    """A model's tokens: the bytes of each id, the ids that end a text, and those that are no text.

    Immutable; shared by threads.

    Args:
        tokens: The bytes of each id; None for an id without bytes.
        stop_token_ids: The ids that end a text.
        special_token_ids: The ids that are no text, however they are spelled.
        vocab_size: The size of the model's output, if it is not `len(tokens)`.

    Raises:
        VocabularyError: There are no tokens, or an id is outside the vocabulary.
    """

    def __new__(
        cls,
        tokens: Sequence[bytes | None],
        *,
        stop_token_ids: Iterable[int],
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary: ...
    @staticmethod
    def from_tokenizer_json(
        text: str,
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a Hugging Face `tokenizer.json`, given as its text.

        Without `stop_token_ids` they are found by well-known names among the special tokens;
        without `special_token_ids` those that the file flags as special.

        Raises:
            VocabularyError: The text cannot be read, or no stop token was found.
        """

    @staticmethod
    def from_huggingface(
        tokenizer: Any,
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a `tokenizers.Tokenizer` or of a fast tokenizer of transformers.

        Stop tokens that are not given are those that the tokenizer names as its end, and special
        tokens that are known to end a text by their name.

        Raises:
            VocabularyError: It is neither, its tokens do not tell their bytes (WordPiece, Unigram
                without spaces or bytes), or no stop token was found.
        """

    @staticmethod
    def from_tiktoken(
        encoding: Any,
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a `tiktoken.Encoding`.

        Stop tokens that are not given are those that the tokenizer names as its end, and special
        tokens that are known to end a text by their name.

        Raises:
            VocabularyError: It is none, or no stop token was found.
        """

    @staticmethod
    def from_sentencepiece(
        processor: Any,
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a `sentencepiece.SentencePieceProcessor`.

        The space that the tokenizer puts before a text is part of its first token, and of what a
        grammar has to allow.

        Stop tokens that are not given are those that the tokenizer names as its end, and special
        tokens that are known to end a text by their name.

        Raises:
            VocabularyError: It is none, or no stop token was found.
        """

    @staticmethod
    def from_mistral(
        tokenizer: Any,
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of mistral-common's `MistralTokenizer` (Tekken or SentencePiece).

        Stop tokens that are not given are those that the tokenizer names as its end, and special
        tokens that are known to end a text by their name.

        Raises:
            VocabularyError: It is none, or no stop token was found.
        """

    @staticmethod
    def from_gguf(
        path: str | PathLike[str],
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary in a GGUF model file; needs the package gguf.

        Stop tokens that are not given are those that the tokenizer names as its end, and special
        tokens that are known to end a text by their name.

        Raises:
            VocabularyError: The package is missing, the file cannot be read, or its tokenizer is
                neither byte-level BPE nor SentencePiece.
            OSError: The file cannot be opened.
        """

    @staticmethod
    def from_llama_cpp(
        llama: Any,
        *,
        stop_token_ids: Iterable[int] | None = None,
        special_token_ids: Iterable[int] | None = None,
        vocab_size: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a `llama_cpp.Llama`; its end-of-generation tokens are the stop tokens.

        Stop tokens that are not given are those that the tokenizer names as its end, and special
        tokens that are known to end a text by their name.

        Raises:
            VocabularyError: It is none.
        """

    @staticmethod
    def byte_level() -> Vocabulary:
        """The embedded vocabulary: 256 tokens of one byte, id = byte, and the stop token 256."""

    @property
    def vocab_size(self) -> int:
        """V: the number of ids, and of logits."""

    @property
    def stop_token_ids(self) -> tuple[int, ...]: ...
    @property
    def special_token_ids(self) -> tuple[int, ...]: ...
    @property
    def missing_bytes(self) -> bytes:
        """The bytes that no token of one byte spells."""

    @property
    def fingerprint(self) -> str:
        """A hash of the whole content: equal for equal vocabularies, on every machine."""

    def to_bytes(self) -> bytes:
        """The vocabulary as bytes, for `from_bytes`. Pickling does the same."""

    @staticmethod
    def from_bytes(data: bytes) -> Vocabulary:
        """The vocabulary that `to_bytes` wrote.

        Raises:
            VocabularyError: The bytes are no saved vocabulary, of another version, or damaged.
        """

    def token_bytes(self, id: int) -> bytes | None:
        """The bytes of a token; None for a special token or a hole.

        Raises:
            VocabularyError: The id is outside the vocabulary.
        """

    def decode(self, ids: Iterable[int]) -> bytes:
        """The bytes of all tokens, one after the other.

        Raises:
            VocabularyError: An id is outside the vocabulary.
        """

    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class Grammar:
    """A language of byte strings, by one of the static methods. Immutable; equal by content."""

    @property
    def num_rules(self) -> int:
        """Rules after all operators are expanded; those made on demand are not counted."""

    @property
    def num_terminals(self) -> int:
        """Terminals; those made on demand are not counted."""

    @staticmethod
    def json(
        *,
        whitespace: Literal["bounded", "none", "any"] = "bounded",
        unique_keys: bool = False,
    ) -> Grammar:
        """Any JSON text of RFC 8259.

        Args:
            whitespace: `"bounded"` stops a model that loops on blanks; `"none"`; or `"any"`
                amount, as the RFC has it.
            unique_keys: Whether to refuse an object that has a key twice. Keys are compared by
                what they stand for: `"\\u0061"` is `"a"`.

        Raises:
            ValueError: Another value of `whitespace`.
        """

    @staticmethod
    def from_regex(
        pattern: str,
        *,
        dialect: Literal["python", "ecma", "rust"] = "python",
        limits: Limits | None = None,
    ) -> Grammar:
        """The strings that match a pattern as a whole, as `re.fullmatch(pattern, string)` does.

        Args:
            pattern: The regular expression.
            dialect: How it is read: as Python's `re` reads it, as ECMA-262 says (with the `u` flag
                where that is possible), or as Rust's `regex` crate reads it.
            limits: Bounds on what the grammar may cost.

        Raises:
            GrammarSyntaxError: The pattern is malformed, or uses what is not supported.
            GrammarTooComplexError: It is too long or too deeply nested.
        """

    @staticmethod
    def from_json_schema(
        schema: Mapping[str, object] | bool | str,
        *,
        spelling: Literal["canonical", "any"] = "canonical",
        whitespace: Literal["bounded", "none", "any"]
        | tuple[str, str]
        | Mapping[Literal["pattern"], str]
        | None = None,
        draft: Literal["4", "6", "7", "2019-09", "2020-12"] | None = None,
        registry: Mapping[str, object] | None = None,
        formats: Literal["assert", "annotate"] = "assert",
        unknown_format: Literal["warn", "error"] = "warn",
        unsupported: Literal["error", "warn"] = "error",
        additional_properties: bool | None = None,
        limits: Limits | None = None,
    ) -> Grammar:
        """The JSON texts of the values that a JSON Schema allows.

        Args:
            schema: The schema, or its JSON text.
            spelling: `"canonical"`: what a careful serialiser writes, with keys in schema order;
                `"any"`: every JSON text of a valid value without duplicate keys.
            whitespace: What may stand in each gap: `"bounded"` (the default of the canonical
                spelling), `"none"`, `"any"` (the default of the other), or a pattern as
                `{"pattern": regex}`; or a pair such as `(", ", ": ")`, which fixes it.
            draft: The draft of a schema without `$schema`; 2020-12 if left out.
            registry: Schemas by URI for references out of the schema: a mapping, or a
                `referencing.Registry`. Nothing is fetched.
            formats: Whether `format` is enforced or a remark.
            unknown_format: What an unknown format is: a warning or an error.
            unsupported: `"warn"` ignores what cannot be enforced, with a warning, so that the
                grammar is wider than the schema.
            additional_properties: False closes every object that does not say otherwise.
            limits: Bounds on the schema.

        Raises:
            UnsupportedSchemaError: The schema asks for what cannot be enforced.
            InvalidSchemaError: It is no JSON Schema.
            UnsatisfiableSchemaError: No value is valid.
            GrammarTooComplexError: It is past a limit.
            ValueError: Another value of an option.
        """

    @staticmethod
    def from_type(type_: object, /, **options: Any) -> Grammar:
        """The JSON texts that pydantic reads as values of a Python type.

        Args:
            type_: A pydantic model, dataclass, `TypedDict`, `Enum`, `Literal`, union,
                `list[int]`, or whatever else `pydantic.TypeAdapter` takes.
            options: As for `from_json_schema`.

        Raises:
            ImportError: pydantic is not installed.
            GrammarError: pydantic knows no JSON Schema of the type; else as `from_json_schema`.
        """

    @staticmethod
    def from_choices(choices: Iterable[str], *, limits: Limits | None = None) -> Grammar:
        """Exactly these strings.

        Raises:
            GrammarError: There is none, or `choices` is one string.
            GrammarTooComplexError: They are longer than `limits.source_bytes` together.
        """

    @staticmethod
    def from_gbnf(text: str, start: str = "root", *, limits: Limits | None = None) -> Grammar:
        """The language of a grammar in GBNF, the notation of llama.cpp.

        Tokens may be named by their ids, as in `<[7]>`. Left recursion is allowed.

        Args:
            text: The grammar.
            start: The rule that a whole text must match.
            limits: Bounds on the grammar.

        Raises:
            GrammarSyntaxError: The text cannot be read, calls a rule that it does not have, or
                names tokens by their texts.
            GrammarError: There is no rule `start`.
        """

    @staticmethod
    def from_structural_tag(
        spec: str | Mapping[str, Any],
        *,
        tokens: Mapping[str, int] | None = None,
        **json_options: Any,
    ) -> Grammar:
        """Free text until a trigger, then a grammar, then free text: docs/structural-tags.md.

        Args:
            spec: The specification, or its JSON text: a format, `{"type": "structural_tag",
                "format": ...}`, or the older form with `structures` and `triggers`.
            tokens: The ids of special tokens by the texts that stand for them in the
                specification. Special tokens never match text, so without its id such a text is
                written in ordinary tokens.
            json_options: Options of `from_json_schema`. Objects that say nothing of further keys
                are closed.

        Raises:
            GrammarError: The specification is malformed, or asks for what cannot be enforced.
        """

    def to_bytes(self) -> bytes:
        """The grammar as bytes, for `from_bytes`. Pickling does the same.

        Raises:
            GrammarError: The grammar is nested too deeply to be saved.
        """

    @staticmethod
    def from_bytes(data: bytes) -> Grammar:
        """The grammar that `to_bytes` wrote, by the same release of this package.

        Raises:
            GrammarError: The bytes are no saved grammar, of another release, or damaged.
        """

    @staticmethod
    def from_lark(
        text: str | _Lark,
        start: str | None = None,
        *,
        lexer: Literal["dynamic", "dynamic_complete"] | None = None,
        import_paths: Sequence[str | PathLike[str]] | None = None,
        indenter: _Indenter | type[_Indenter] | None = None,
        limits: Limits | None = None,
    ) -> Grammar:
        """The language of a Lark grammar, read as `lark.Lark(text, parser="earley")` reads it.

        Args:
            text: The grammar, or a `lark.Lark` object, whose options then count: those that
                change the language and cannot be enforced are errors.
            start: The rule that a whole text must match. Default `"start"`, or the only start
                of the `lark.Lark` object.
            lexer: Where a terminal may end: where Python's `re` ends its match (`"dynamic"`,
                the default), or also on any shorter text that it matches.
            import_paths: Folders in which imported grammars are looked for.
            indenter: What reads the indentation: a `lark.indenter.Indenter`, its class, or an
                object with the same attributes.
            limits: Bounds on the source, all imported files together.

        Raises:
            GrammarSyntaxError: With file, line and column.
            GrammarTooComplexError: The source is too long or too deeply nested.
            GrammarError: `lexer` is `"contextual"` or `"basic"`, which are not supported, or an
                option of the `lark.Lark` object is not.
            ValueError: `lexer` is unknown.
            TypeError: `lexer` or `import_paths` is given with a `lark.Lark` object.
        """

    @staticmethod
    def from_lark_file(
        path: str | PathLike[str],
        start: str = "start",
        *,
        lexer: Literal["dynamic", "dynamic_complete"] = "dynamic",
        import_paths: Sequence[str | PathLike[str]] | None = None,
        indenter: _Indenter | type[_Indenter] | None = None,
        limits: Limits | None = None,
    ) -> Grammar:
        """`from_lark` of a UTF-8 file; errors name the file.

        Relative imports (`%import .numbers.INT`) are looked for beside the file that has them.

        Raises:
            OSError: The file cannot be read.
        """

    def lint(self, *, limits: Limits | None = None) -> list[Diagnostic]:
        """Remarks on what the grammar's author may not have meant.

        Those of `CompiledGrammar.warnings`; rules that can never end since their terminals take
        what others need to follow them; strings that other terminals match too; blanks without
        end.

        Raises:
            GrammarError: The grammar cannot be compiled.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Diagnostic:
    """A remark on a grammar that does not stop it from being used."""

    @property
    def pointer(self) -> str | None:
        """For a JSON Schema: a JSON Pointer to the schema that the remark is about."""

    @property
    def keyword(self) -> str | None:
        """For a JSON Schema: the keyword that the remark is about."""

    @property
    def message(self) -> str:
        """What was noticed, with the name of the rule or terminal."""

    @property
    def severity(self) -> Literal["warning", "error"]:
        """An error only from `GrammarCompiler.validate`: the grammar cannot be compiled."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class GrammarCompiler:
    """Compiles grammars for one vocabulary and keeps them, by content, in a bounded cache.

    May be used by many threads; the interpreter's lock is released while a grammar is compiled.

    Args:
        vocabulary: The tokens.
        limits: Bounds on each grammar.
        cache_bytes: Bytes of compiled grammars to keep, the longest unused going first.
            Default 512 MB. 0 keeps none.

    Raises:
        ValueError: `cache_bytes` is negative or too large.
    """

    def __new__(
        cls,
        vocabulary: Vocabulary,
        *,
        limits: Limits | None = None,
        cache_bytes: int | None = None,
    ) -> GrammarCompiler: ...
    def compile(self, grammar: Grammar) -> CompiledGrammar:
        """The grammar for this vocabulary, from the cache if it is there.

        Raises:
            GrammarError: The grammar has no finite text, or does not fit the vocabulary.
            GrammarTooComplexError: A limit was reached.
        """

    def compile_async(
        self, grammar: Grammar | Callable[[], Grammar], timeout: float | None = None
    ) -> Future[CompiledGrammar]:
        """Compiles on a thread of the background.

        Equal grammars that are asked for at the same time are compiled once. `cancel()` works
        also while the work runs, and stops it unless others wait for the same grammar.
        `asyncio.wrap_future` makes the future awaitable.

        Args:
            grammar: A grammar, or a function that makes one, which is called on that thread, so
                that reading a large schema can be cancelled too.
            timeout: Seconds, waiting for a thread included, after which the future gets a
                `TimeoutError` and the work is cancelled.

        Raises:
            ValueError: `timeout` is negative.
        """

    def cache_info(self) -> CacheInfo:
        """How the cache did so far, and what it holds now."""

    def validate(self, grammar: Grammar) -> list[Diagnostic]:
        """What there is to say about a grammar: its warnings or, if it cannot be compiled, why."""

    def clear_cache(self) -> None:
        """Forgets all compiled grammars; those in use stay usable."""

    @property
    def num_cached(self) -> int:
        """How many grammars the cache holds."""

    @property
    def cache_bytes(self) -> int: ...
    @property
    def vocabulary(self) -> Vocabulary: ...

@final
class CacheInfo:
    """Figures of a compiler's cache, by `GrammarCompiler.cache_info`."""

    @property
    def hits(self) -> int:
        """Calls that got a grammar which was there, or which another thread was compiling."""

    @property
    def misses(self) -> int:
        """Grammars that were compiled, or tried to be."""

    @property
    def entries(self) -> int: ...
    @property
    def bytes(self) -> int:
        """Bytes held now by the grammars in the cache, with the tables that grew in use."""

    @property
    def max_bytes(self) -> int:
        """The bound: `cache_bytes` of the compiler."""

_T = TypeVar("_T")

@final
class Cancellation:
    """A flag by which another thread stops work of this package.

    Work that runs under it ends with `GrammarCancelledError` soon after the flag was set.
    """

    def __new__(cls) -> Cancellation: ...
    def cancel(self) -> None:
        """Sets the flag. There is no way back."""

    @property
    def cancelled(self) -> bool: ...
    def run(self, work: Callable[[], _T]) -> _T:
        """Calls `work` on this thread, under the flag, and returns what it returns."""

@final
class CompiledGrammar:
    """A grammar compiled for a vocabulary, by `GrammarCompiler.compile`. Shared by threads."""

    def matcher(self, *, stop_token_ids: Iterable[int] | None = None) -> GrammarMatcher:
        """A matcher at the start of the text.

        Args:
            stop_token_ids: The ids that end this text, in place of the vocabulary's.

        Raises:
            VocabularyError: An id is outside the vocabulary.
        """

    def to_bytes(self) -> bytes:
        """The grammar and its limits as bytes, for `from_bytes`. Pickling does the same.

        The vocabulary is not among them, nor are tables that were made on demand.

        Raises:
            GrammarError: The grammar is nested too deeply to be saved.
        """

    @staticmethod
    def from_bytes(data: bytes, vocabulary: Vocabulary) -> CompiledGrammar:
        """The compiled grammar that `to_bytes` wrote, by the same release of this package.

        Raises:
            VocabularyError: It was compiled for another vocabulary.
            GrammarError: The bytes are no saved compiled grammar, of another release, or damaged.
        """

    @property
    def warnings(self) -> tuple[Diagnostic, ...]: ...
    @property
    def num_states(self) -> int:
        """States made so far: they are made when a text first needs them."""

    @property
    def memory_bytes(self) -> int:
        """Bytes held now; the tables grow in use, up to the limits."""

    @property
    def nodes_walked(self) -> int:
        """Trie nodes that masks walked so far, a count of work: a mask made before walks none."""

    @property
    def vocabulary(self) -> Vocabulary: ...

@final
class GrammarMatcher:
    """One text's place in a grammar, by `CompiledGrammar.matcher`.

    For one thread at a time: a call while another thread is in one raises `MatcherError` and
    changes nothing. Token ids outside the vocabulary raise `MatcherError` in every method that
    takes ids; reaching a limit raises `GrammarTooComplexError`, after which `rollback` and
    `reset` still work.
    """

    def next_token_bitmask(self) -> npt.NDArray[np.int32]:
        """The mask as a new int32 array `(ceil(V / 32),)`: see `fill_next_token_bitmask`."""

    def fill_next_token_bitmask(self, bitmask: _Words, index: int = 0) -> bool:
        """Writes which tokens may come next.

        Bit `i % 32` of word `i // 32` is 1 if token `i` is allowed. A stop token is allowed
        exactly when the text is complete; after one, the mask has the stop tokens only.

        Args:
            bitmask: Writable, C-contiguous int32 array `(words,)` or `(rows, words)`, with
                `words >= ceil(V / 32)`. Bits from V on are set to 0.
            index: The row.

        Returns:
            Whether any of the first V bits is 0.

        Raises:
            ValueError: The buffer's type, shape or size does not fit, or there is no such row;
                nothing was written.
        """

    def accept_token(self, id: int) -> bool:
        """Takes a token. False, and nothing changed, if it is not allowed."""

    def accept_tokens(self, ids: Iterable[int]) -> int:
        """Takes tokens up to the first that is refused or to the end of the text.

        Returns:
            How many were taken; each is one step.
        """

    def accept_bytes(self, data: Buffer) -> int:
        """Takes the longest prefix of `data` that fits, as one step if it is not empty.

        Returns:
            Its length.
        """

    def validate_tokens(self, ids: Iterable[int]) -> int:
        """What `accept_tokens` would return; nothing is changed."""

    def is_token_allowed(self, id: int) -> bool:
        """The token's bit, without the rest of the mask."""

    def allowed_token_ids(self) -> npt.NDArray[np.int32]:
        """The ids whose bit is 1, in order."""

    def rollback(self, n: int = 1) -> None:
        """Undoes the last `n` steps, stop tokens included.

        Raises:
            RollbackError: `n` is negative or more than `num_accepted`; nothing was changed.
        """

    def reset(self) -> None:
        """Goes back to the start of the text."""

    def fork(self) -> GrammarMatcher:
        """A copy that goes its own way, history included."""

    def __copy__(self) -> GrammarMatcher: ...
    def __deepcopy__(self, _memo: object) -> GrammarMatcher: ...
    @property
    def num_accepted(self) -> int:
        """How many steps can be undone."""

    def is_completed(self) -> bool:
        """Whether the text so far is a whole text of the grammar."""

    def is_terminated(self) -> bool:
        """Whether a stop token was accepted."""

    def forced_bytes(self) -> bytes:
        """The bytes with which every continuation starts; empty where there is a choice."""

    def forced_tokens(self, encode: Callable[[str], Iterable[int]] | None = None) -> list[int]:
        """The tokens that have to come next; the matcher is not moved.

        Without `encode`: tokens for as long as the mask has exactly one bit. With it: its
        encoding of the forced text, up to the last whole character, less the tokens that
        longer text could merge differently.

        Args:
            encode: A tokenizer's encoding of text, without special tokens.

        Raises:
            MatcherError: `encode` returned tokens that do not spell the text.
        """

    def shortest_completion(self) -> bytes:
        """The fewest bytes that complete the text."""

    def shortest_completion_tokens(self) -> list[int]:
        """Tokens that complete the text, a stop token not included."""

def compose(part: tuple[Any, ...]) -> Grammar: ...
def fill_batch(
    matchers: Iterable[GrammarMatcher],
    bitmask: _Words,
    indices: Iterable[int] | None = None,
) -> list[bool]:
    """`fill_next_token_bitmask` of many matchers, in parallel.

    Args:
        matchers: Different matchers; they may be of different grammars.
        bitmask: As for `fill_next_token_bitmask`.
        indices: The row of each matcher; the rows in order if left out.

    Returns:
        For each matcher, whether any of the first V bits of its row is 0.

    Raises:
        MatcherError: A matcher is in the batch twice or in use by another thread.
        ValueError: The buffer or a row does not fit. In each case nothing was written.
        GrammarTooComplexError: A limit was reached. Some rows may have been written.
    """

def fill_draft_chain(
    entries: Iterable[tuple[GrammarMatcher, int, Iterable[int]]], bitmask: _Words
) -> list[int]:
    """The masks along drafts, for the verification of speculative decoding.

    An entry `(matcher, row, tokens)` fills `row` with the mask at the matcher, `row + 1` with the
    mask after the first token, and so on. A token that is refused ends its draft, as do -1, ids
    from V on, and what follows a stop token. Matchers end where they began.

    Args:
        entries: Matchers, each with its first row and its draft.
        bitmask: int32, `(rows, at least ceil(V / 32))`; each entry needs `1 + len(tokens)` rows.

    Returns:
        For each entry how many of its rows are filled; its other rows are left as they were.

    Raises:
        ValueError: The bitmask does not fit, or a row is in two drafts. Nothing was written.
        MatcherError: A matcher is in use by another thread.
        GrammarTooComplexError: A limit was reached. Some rows may have been written.
    """

def fill_draft_tree(
    matcher: GrammarMatcher,
    next_token: Iterable[int],
    next_sibling: Iterable[int],
    draft_tokens: Iterable[int],
    bitmask: _Words,
) -> int:
    """The masks at the nodes of a draft tree. Row i of `bitmask` is for node i.

    Node 0 is where the matcher is; its token is not looked at. The matcher ends where it began.

    Args:
        matcher: Where the tree begins.
        next_token: For each node its first child, or -1.
        next_sibling: For each node the next child of its parent, or -1.
        draft_tokens: The token of each node. One that is refused ends its branch, as do -1 and ids
            from V on; the rows below are left as they were.
        bitmask: int32, `(at least as many rows as nodes, at least ceil(V / 32))`.

    Returns:
        How many rows are filled.

    Raises:
        ValueError: The links are no tree, or the bitmask does not fit. Nothing was written.
        MatcherError: The matcher is in use by another thread.
    """

def piece_bytes(pieces: Sequence[str], spelling: Literal["byte_level", "metaspace"]) -> list[bytes]:
    """The bytes that a tokenizer's pieces stand for.

    Args:
        pieces: The pieces as the tokenizer lists them.
        spelling: One character a byte by the table of GPT-2, or text in which U+2581 is a space.
    """

def known_stop_ids(names: Sequence[tuple[int, str]]) -> list[int]:
    """The ids of those special tokens that are known to end a text by their name.

    Raises:
        VocabularyError: There is none.
    """
