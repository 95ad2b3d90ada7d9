"""A grammar backend for SGLang, and `register` for its plug-in point.

    [project.entry-points."sglang.srt.plugins"]
    stackmask = "stackmask.integrations.sglang:register"

and then `--grammar-backend stackmask`.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from stackmask._native import (
    CompiledGrammar,
    GrammarCompiler,
    GrammarMatcher,
    Vocabulary,
    fill_batch,
)
from stackmask.integrations.specs import grammar_of, special_tokens

if TYPE_CHECKING:
    import torch

__all__ = ["backend_types", "register"]

NAME = "stackmask"
_ANY_JSON = "$$ANY$$"
"""How SGLang writes "any JSON" in the place of a schema."""


def backend_types(interface: ModuleType) -> tuple[type, type]:
    """The backend and grammar classes, derived from those in `interface`.

    Args:
        interface: The module `sglang.srt.constrained.base_grammar_backend`.
    """

    class StackmaskGrammar(interface.BaseGrammarObject):  # type: ignore[name-defined,misc]
        """One request's matcher."""

        def __init__(self, compiled: CompiledGrammar, stops: list[int] | None) -> None:
            super().__init__()
            self.compiled = compiled
            self.stops = stops
            self.matcher: GrammarMatcher = compiled.matcher(stop_token_ids=stops)

        def accept_token(self, token: int) -> None:
            if self.matcher.is_terminated():
                return
            self.current_token = token
            if not self.matcher.accept_token(token):
                raise ValueError(f"token {token} does not fit the grammar")

        def rollback(self, k: int) -> None:
            self.matcher.rollback(k)

        def is_terminated(self) -> bool:
            return self.matcher.is_terminated()

        def allocate_vocab_mask(
            self, vocab_size: int, batch_size: int, device: Any
        ) -> torch.Tensor:
            from stackmask.torch import allocate_token_bitmask

            return allocate_token_bitmask(batch_size, vocab_size)

        def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
            self.matcher.fill_next_token_bitmask(vocab_mask, idx)

        @staticmethod
        def fill_vocab_mask_batched(entries: list[Any], vocab_mask: torch.Tensor) -> None:
            rows = [entry.row for entry in entries]
            fill_batch([entry.grammar.matcher for entry in entries], vocab_mask, rows)

        @staticmethod
        def reset_vocab_mask(vocab_mask: torch.Tensor) -> None:
            vocab_mask.fill_(-1)

        @staticmethod
        def move_vocab_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
            return vocab_mask.to(device, non_blocking=True)

        @staticmethod
        def apply_vocab_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
            from stackmask.torch import apply_token_bitmask_inplace

            apply_token_bitmask_inplace(logits, vocab_mask)

        def copy(self) -> StackmaskGrammar:
            return StackmaskGrammar(self.compiled, self.stops)

        def try_jump_forward(self, tokenizer: Any) -> tuple[list[int], str] | None:
            forced = self.matcher.forced_tokens()
            return (forced, "") if forced else None

        def jump_forward_str_state(self, helper: tuple[list[int], str]) -> tuple[str, int]:
            return "", -1

        def jump_and_retokenize(
            self, old_output_ids: list[int], new_output_ids: list[int], next_state: int
        ) -> None:
            # The matcher goes back to where both outputs agree and reads the new one from there.
            same = 0
            for old, new in zip(old_output_ids, new_output_ids, strict=False):
                if old != new:
                    break
                same += 1
            self.matcher.rollback(len(old_output_ids) - same)
            rest = new_output_ids[same:]
            if self.matcher.accept_tokens(rest) != len(rest):
                raise ValueError("the new tokens do not fit the grammar")

    class StackmaskBackend(interface.BaseGrammarBackend):  # type: ignore[name-defined,misc]
        """One engine's compiler."""

        def __init__(
            self,
            vocabulary: Vocabulary,
            stops: list[int] | None,
            json_options: dict[str, Any] | None = None,
            tokens: dict[str, int] | None = None,
        ) -> None:
            super().__init__()
            self.compiler = GrammarCompiler(vocabulary)
            self.stops = stops
            self.json_options = json_options or {}
            self.tokens = tokens or {}

        def dispatch_json(self, key_string: str) -> Any:
            if key_string == _ANY_JSON:
                return self._compile("json", "{}")
            return self._compile("json", key_string)

        def dispatch_regex(self, key_string: str) -> Any:
            return self._compile("regex", key_string)

        def dispatch_ebnf(self, key_string: str) -> Any:
            return self._compile("grammar", key_string)

        def dispatch_structural_tag(self, key_string: str) -> Any:
            return self._compile("structural_tag", key_string)

        def reset(self) -> None:
            super().reset()
            self.compiler.clear_cache()

        @property
        def is_support_token_filter(self) -> bool:
            return True

        def set_token_filter(
            self,
            vocab_mask: torch.Tensor,
            token_ids: list[int],
            batch_idx: int,
            is_allowed: bool = True,
            reset_vocab_mask: bool = True,
        ) -> None:
            row = vocab_mask[batch_idx]
            if reset_vocab_mask:
                row.fill_(0 if is_allowed else -1)
            for token in token_ids:
                bit = 1 << (token & 31)
                # Bit 31 is the sign of an int32 word.
                bit -= 1 << 32 if bit >= 1 << 31 else 0
                row[token >> 5] = row[token >> 5] | bit if is_allowed else row[token >> 5] & ~bit

        def _compile(self, kind: str, text: str) -> Any:
            options = self.json_options if kind in ("json", "structural_tag") else {}
            try:
                grammar = grammar_of(kind, text, tokens=self.tokens, **options)
                compiled = self.compiler.compile(grammar)
            except ValueError as error:
                return interface.InvalidGrammarObject(str(error))
            return StackmaskGrammar(compiled, self.stops)

    return StackmaskBackend, StackmaskGrammar


def register() -> None:
    """Make `--grammar-backend stackmask` known to SGLang, in this process."""
    from sglang.srt.arg_groups.choices import add_grammar_backend_choices
    from sglang.srt.constrained import base_grammar_backend as interface

    add_grammar_backend_choices([NAME])
    interface.register_grammar_backend(NAME, lambda *arguments: _create(interface, *arguments))


def _create(
    interface: ModuleType,
    server_args: Any,
    tokenizer: Any,
    vocab_size: int,
    eos_token_ids: set[int] | None,
) -> Any:
    backend, _ = backend_types(interface)
    stops = sorted(eos_token_ids) if eos_token_ids else None
    vocabulary = Vocabulary.from_huggingface(tokenizer, vocab_size=vocab_size, stop_token_ids=stops)
    options = {}
    if getattr(server_args, "constrained_json_disable_any_whitespace", False):
        options["whitespace"] = "none"
    created = backend(vocabulary, stops, options, special_tokens(tokenizer, vocabulary))
    if getattr(server_args, "reasoning_parser", None) is None:
        return created
    # Backends of the registry are used as they are, so the wrapper is put on here.
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    parser = ReasoningParser(model_type=server_args.reasoning_parser, stream_reasoning=False)
    end = tokenizer.encode(parser.detector.think_end_token, add_special_tokens=False)
    return ReasonerGrammarBackend(created, end)
