"""A structured-output backend for vLLM, and `register` for its plug-in point.

vLLM chooses among backends that it names itself. `register` takes the place of the one named
xgrammar, which `auto` tries first, together with the check that requests get before they are
queued. As an entry point:

    [project.entry-points."vllm.general_plugins"]
    stackmask = "stackmask.integrations.vllm:register"
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from stackmask._native import GrammarCompiler, GrammarMatcher, Vocabulary
from stackmask.integrations.specs import grammar_of, mistral_of, special_tokens

if TYPE_CHECKING:
    import torch

__all__ = ["backend_types", "register", "validate"]


def backend_types(interface: ModuleType) -> tuple[type, type]:
    """The backend and grammar classes, derived from those in `interface`.

    Args:
        interface: The module `vllm.v1.structured_output.backend_types`.
    """
    options = interface.StructuredOutputOptions
    kinds = {
        options.JSON: "json",
        options.JSON_OBJECT: "json_object",
        options.REGEX: "regex",
        options.CHOICE: "choice",
        options.GRAMMAR: "grammar",
        options.STRUCTURAL_TAG: "structural_tag",
    }

    class StackmaskGrammar(interface.StructuredOutputGrammar):  # type: ignore[name-defined,misc]
        """One request's matcher."""

        def __init__(self, matcher: GrammarMatcher) -> None:
            self.matcher = matcher

        def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
            # Tokens after the one that ended the text may come with it, and count for nothing.
            taken = self.matcher.accept_tokens(tokens)
            return taken == len(tokens) or self.matcher.is_terminated()

        def validate_tokens(self, tokens: list[int]) -> list[int]:
            # Drafts are padded with -1, which is no token.
            end = tokens.index(-1) if -1 in tokens else len(tokens)
            return tokens[: self.matcher.validate_tokens(tokens[:end])]

        def rollback(self, num_tokens: int) -> None:
            self.matcher.rollback(num_tokens)

        def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
            self.matcher.fill_next_token_bitmask(bitmask, batch_index)

        def is_terminated(self) -> bool:
            return self.matcher.is_terminated()

        def reset(self) -> None:
            self.matcher.reset()

    class StackmaskBackend(interface.StructuredOutputBackend):  # type: ignore[name-defined,misc]
        """One engine's compiler."""

        def __init__(self, vllm_config: Any, tokenizer: Any, vocab_size: int) -> None:
            self.vllm_config = vllm_config
            self.tokenizer = tokenizer
            self.vocab_size = vocab_size
            self.json_options = _json_options(vllm_config)
            vocabulary = _vocabulary(tokenizer, vocab_size)
            self.compiler = GrammarCompiler(vocabulary)
            self.tokens = special_tokens(tokenizer, vocabulary)

        def compile_grammar(
            self,
            request_type: Any,
            grammar_spec: str,
            stop_token_ids: set[int] | None = None,
        ) -> StackmaskGrammar:
            kind = kinds.get(request_type, getattr(request_type, "name", str(request_type)))
            options = self.json_options if kind in ("json", "json_object") else {}
            grammar = grammar_of(kind, grammar_spec, tokens=self.tokens, **options)
            compiled = self.compiler.compile(grammar)
            stops = sorted(stop_token_ids) if stop_token_ids else None
            return StackmaskGrammar(compiled.matcher(stop_token_ids=stops))

        def allocate_token_bitmask(self, max_num_seqs: int) -> torch.Tensor:
            from stackmask.torch import allocate_token_bitmask

            return allocate_token_bitmask(max_num_seqs, self.vocab_size)

        def destroy(self) -> None:
            self.compiler.clear_cache()

    return StackmaskBackend, StackmaskGrammar


def validate(params: Any) -> None:
    """The check before a request is queued: whatever compiling would refuse is refused here.

    Args:
        params: vLLM's `SamplingParams`.

    Raises:
        GrammarError: The request's constraint cannot be read or is not enforced.
    """
    wanted = params.structured_outputs
    given = [(kind, getattr(wanted, kind, None)) for kind in ("json", "regex", "choice", "grammar")]
    for kind, value in given:
        if value is None:
            continue
        if not isinstance(value, str):
            import json

            value = json.dumps(value)
        options: dict[str, Any] = {}
        if kind == "json" and getattr(wanted, "disable_additional_properties", False):
            options = {"additional_properties": False}
        _bytes_compiler().compile(grammar_of(kind, value, **options))
        return
    tag = getattr(wanted, "structural_tag", None)
    if tag is not None:
        # Which ids its tokens have is known to the engine alone.
        grammar_of("structural_tag", tag, tokens=_AnyToken())


def register() -> None:
    """Put this backend in the place of vLLM's first one, in this process."""
    import vllm.v1.structured_output as structured_output
    from vllm.v1.structured_output import backend_types as interface
    from vllm.v1.structured_output import backend_xgrammar

    backend, _ = backend_types(interface)
    structured_output.XgrammarBackend = backend
    backend_xgrammar.XgrammarBackend = backend
    backend_xgrammar.validate_xgrammar_grammar = validate


class _AnyToken(dict[str, int]):
    """Has an id for every text."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> int:
        return 0


@cache
def _bytes_compiler() -> GrammarCompiler:
    return GrammarCompiler(Vocabulary.byte_level(), cache_bytes=0)


def _json_options(vllm_config: Any) -> dict[str, Any]:
    config = getattr(vllm_config, "structured_outputs_config", None)
    options: dict[str, Any] = {}
    if getattr(config, "disable_any_whitespace", False):
        options["whitespace"] = "none"
    if getattr(config, "disable_additional_properties", False):
        options["additional_properties"] = False
    return options


def _vocabulary(tokenizer: Any, vocab_size: int) -> Vocabulary:
    """Stop tokens come with each request; those of the vocabulary only matter where none do."""
    mistral = mistral_of(tokenizer)
    if mistral is not None:
        return Vocabulary.from_mistral(mistral, vocab_size=vocab_size)
    return Vocabulary.from_huggingface(tokenizer, vocab_size=vocab_size)
