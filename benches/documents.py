"""Varied nested JSON documents from a fixed seed."""

import json
import random

TEXT = """
id name title status user order price total items tags created_at address city zip-code
description the quick brown fox jumps over lazy dog https://example.org/a?b=c&d=1
x_1 "quoted" back\\slash café naïve 東京 数据 привет 😀 é
<b>bold</b> 2026-01-31T12:00:00Z C:\\temp 50% {brace} [bracket] a,b;
"""
WORDS = [*TEXT.split(), "line\nbreak", "tab\there"]


def documents(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [json.dumps(container(rng, 0), ensure_ascii=False) for _ in range(count)]


def container(rng: random.Random, depth: int) -> object:
    size = rng.randint(3, 6) if depth < 2 else rng.randint(0, 4)
    if rng.random() < 0.6:
        return {text(rng, 2): value(rng, depth + 1) for _ in range(size)}
    return [value(rng, depth + 1) for _ in range(size)]


def value(rng: random.Random, depth: int) -> object:
    kind = rng.random()
    if kind < 0.45 - 0.05 * depth:
        return container(rng, depth)
    if kind < 0.65:
        return text(rng, 12)
    if kind < 0.75:
        return rng.choice([0, -1, 7, rng.randint(-(10**6), 10**12)])
    if kind < 0.87:
        return rng.choice([0.5, -1e-9, 1.5e300, round(rng.gauss(0, 1000), rng.randint(1, 6))])
    return rng.choice([True, False, None])


def text(rng: random.Random, longest: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, longest)))
