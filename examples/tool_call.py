"""A tool call among free text, as Qwen's models write it, from noise in the place of a model."""

import json
import re

import numpy as np

from stackmask import (
    GrammarCompiler,
    Vocabulary,
    allocate_token_bitmask,
    apply_token_bitmask_inplace,
)
from stackmask.tools import grammar_for

BUDGET = 120
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"enum": ["Rome", "Oslo", "Lima"]},
                    "days": {"type": "integer", "minimum": 1, "maximum": 7},
                },
                "required": ["city", "days"],
            },
        },
    }
]


def main() -> None:
    # Single bytes and two special tokens. A real tokenizer's are found by name in the tokenizer.
    tokens = [bytes([byte]) for byte in range(256)] + [None, None, None]
    special = {"<tool_call>": 257, "</tool_call>": 258}
    vocabulary = Vocabulary(tokens, stop_token_ids=[256], special_token_ids=[*special.values()])
    grammar = grammar_for("qwen3", TOOLS, "auto", parallel=False, tokens=special)
    matcher = GrammarCompiler(vocabulary).compile(grammar).matcher()
    bitmask = allocate_token_bitmask(1, vocabulary.vocab_size)
    rng, ids = np.random.default_rng(4), []
    while not matcher.is_terminated() and len(ids) < BUDGET:
        logits = rng.normal(size=(1, vocabulary.vocab_size)).astype(np.float32)  # your model's
        logits[0, 256] -= 9  # This model would rather call than stop.
        logits[0, 257] += 2
        matcher.fill_next_token_bitmask(bitmask, 0)
        apply_token_bitmask_inplace(logits, bitmask)
        ids.append(int(logits[0].argmax()))
        matcher.accept_token(ids[-1])
    if not matcher.is_terminated():
        ids += matcher.shortest_completion_tokens()
    names = {id: name.encode() for name, id in special.items()}
    text = b"".join(names.get(id) or vocabulary.token_bytes(id) or b"" for id in ids).decode()
    print(repr(text))
    for call in re.findall(r"<tool_call>(.*?)</tool_call>", text, re.DOTALL):
        print(json.loads(call))


if __name__ == "__main__":
    main()
