"""Work and memory by counts: what a mask visits, and what grows with the length of a text.

Counts are the same on every machine. `compare.py` prints them below its times.
"""

import sys
from pathlib import Path
from time import perf_counter_ns

import numpy as np
from documents import documents

from stackmask import CompiledGrammar, Grammar, GrammarCompiler, Vocabulary

sys.path.append(str(Path(__file__).parent.parent / "tests/python"))

LIST = 'list: "1" | "1" "," list'
SUMS = 'start: e\ne: e "+" e | e "*" e | /[0-9]+/'
DOCUMENTS, SEED = 10, 7
VOCABULARIES = {"32k": "mistral v1", "128k": "deepseek", "248k": "qwen 248k"}


def work_per_mask() -> list[list[str]]:
    """What masks of any-JSON documents visit: by a scan, by a walk of the trie, and here."""
    from tokenizers_of_others import real

    rows = []
    for size, name in VOCABULARIES.items():
        one = real(name)
        texts = [one.vocabulary.token_bytes(id) for id in range(one.vocabulary.vocab_size)]
        scan = sum(len(text) for text in texts if text)
        trie = len({text[:end] for text in texts if text for end in range(1, len(text) + 1)})
        compiled = GrammarCompiler(one.vocabulary).compile(Grammar.json())
        ids = [one.encode(text) for text in documents(DOCUMENTS, SEED)]
        first, masks = walked(compiled, ids)
        again, _ = walked(compiled, ids)
        rows.append([size, str(scan), str(trie), f"{first / masks:.1f}", f"{again / masks:.1f}"])
    return rows


def walked(compiled: CompiledGrammar, texts: list[list[int]]) -> tuple[int, int]:
    """Trie nodes that the masks along some texts walk, and how many masks that are."""
    before, masks = compiled.nodes_walked, 0
    buffer = np.zeros(-(-compiled.vocabulary.vocab_size // 32), dtype=np.int32)
    for ids in texts:
        matcher = compiled.matcher()
        for id in ids:
            matcher.fill_next_token_bitmask(buffer)
            masks += 1
            if not matcher.accept_token(id):
                break
    return compiled.nodes_walked - before, masks


def growth() -> list[list[str]]:
    """What grows with a text's length."""
    compiler = GrammarCompiler(Vocabulary.byte_level())
    right = compiler.compile(Grammar.from_lark(LIST, start="list"))
    nested = compiler.compile(Grammar.json())
    sums = compiler.compile(Grammar.from_lark(SUMS, lexer="dynamic_complete"))
    return [
        ["bytes of states, list items 100 to 100,000", "0", states(right, b"1,", 100, 100_000)],
        [
            "bytes of states, depth 100 to 10,000 of JSON",
            "the depth's",
            states(nested, b"[", 100, 10_000),
        ],
        [
            "bytes of states, ambiguous sums of 200 to 2,000 bytes",
            "0",
            states(sums, b"1+2*", 50, 500),
        ],
        ["accept and mask at the end of these, p50, µs", "≤ 2", f"{last_steps(sums, b'1+2*'):.2f}"],
    ]


def states(compiled: CompiledGrammar, piece: bytes, few: int, many: int) -> str:
    matcher = compiled.matcher()
    matcher.accept_bytes(piece * few)
    before = compiled.memory_bytes
    matcher.accept_bytes(piece * (many - few))
    return str(compiled.memory_bytes - before)


def last_steps(compiled: CompiledGrammar, piece: bytes) -> float:
    """Microseconds of a step after 2,000 bytes."""
    buffer = np.zeros(-(-compiled.vocabulary.vocab_size // 32), dtype=np.int32)
    matcher, times = compiled.matcher(), []
    matcher.accept_bytes(piece * (2_000 // len(piece)))
    for _ in range(200):
        for byte in piece:
            began = perf_counter_ns()
            matcher.fill_next_token_bitmask(buffer)
            matcher.accept_token(byte)
            times.append(perf_counter_ns() - began)
    return sorted(times)[len(times) // 2] / 1e3
