"""Random schemas against the naive validator: soundness, completeness, no dead ends.

    PYTHONPATH=tests/python python -m json_schema.fuzz --seconds 600

prints each fault with its schema, and the seed that repeats it. `STACKMASK_SEED` sets the first.
"""

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from json_schema import engine
from json_schema.generate import Instances, Schemas, Speller
from json_schema.generate.spellings import orders
from json_schema.naive import (
    EndlessReference,
    InvalidText,
    NumberNotCovered,
    PatternNotCovered,
    Validator,
    dump,
    parse,
)
from json_schema.naive.values import decimal
from json_schema.walks import DeadEnd, Walker
from seeds import seed as new_seed
from stackmask import (
    CompiledGrammar,
    GrammarMatcher,
    GrammarTooComplexError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
)

YEARS = [2020] * 6 + [2019, 7, 6, 4]
ORDERS = 200


@dataclass
class Tally:
    """What was counted, and what was found wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def summary(self) -> str:
        lines = [f"{name}: {count}" for name, count in sorted(self.counts.items())]
        lines += [f"refused, {why}: {count}" for why, count in self.refused.most_common()]
        return "\n".join([*lines, f"faults: {len(self.faults)}"])


def number(value: Fraction) -> str:
    """As `json.dumps` writes it, where a float holds it; integers as integers."""
    if value.denominator != 1:
        text = repr(float(value))
        if Fraction(text) == value:
            return text
    return decimal(value)


class Trial:
    """One schema, from its text to its faults."""

    def __init__(self, seed: int, tally: Tally, walks: int = 20) -> None:
        self.rng, self.seed, self.tally, self.walks = random.Random(seed), seed, tally, walks
        formats = self.rng.random() < 0.5
        made = Schemas(self.rng, self.rng.choice(YEARS), formats).root()
        self.text = dump(made)
        schema = parse(self.text)
        self.validator = Validator(schema, formats=True)
        self.values = Instances(self.rng, schema).draw(24)

    def fault(self, kind: str, detail: object) -> None:
        self.tally.counts[f"fault, {kind}"] += 1
        self.tally.faults.append(f"{kind} (seed {self.seed})\n  schema {self.text}\n  {detail}")

    def judge(self, text: str | bytes) -> bool | None:
        """The verdict on a text; None where the oracle has none."""
        try:
            return self.validator.is_valid(parse(text))
        except InvalidText:
            return False
        except (EndlessReference, NumberNotCovered, PatternNotCovered):
            return None

    def run(self) -> None:
        tally, speller = self.tally, Speller(self.rng)
        tally.counts["schemas"] += 1
        texts: list[tuple[Any, str, bool | None]] = []
        for value in self.values:
            for text in (dump(value, number=number), speller.any(value)):
                texts.append((value, text, self.judge(text)))
        some_valid = any(verdict for _, _, verdict in texts)
        for spelling in engine.SPELLINGS:
            words = self.rng.random() < 0.5
            try:
                compiled = engine.compile_schema(self.text, words=words, spelling=spelling)
            except UnsatisfiableSchemaError as error:
                tally.counts["unsatisfiable"] += 1
                if some_valid:
                    example = next(text for _, text, verdict in texts if verdict)
                    self.fault("satisfiable", f"{error}; but {example} is valid")
                return
            except UnsupportedSchemaError as error:
                tally.refused[f"unsupported {error.keyword}"] += 1
                if not error.pointer.startswith("/") and error.pointer:
                    self.fault("pointer", f"{error.pointer!r} is no JSON Pointer")
                return
            except GrammarTooComplexError as error:
                tally.refused[f"too complex: {str(error)[:60]}"] += 1
                return
            except Exception as error:
                self.fault("error", repr(error))
                return
            try:
                self.verdicts(compiled.matcher(), spelling, texts)
                self.walk(compiled, spelling, [text for _, text, _ in texts])
            except GrammarTooComplexError as error:
                # Honest, if late: mostly a shortest completion that is far away.
                tally.refused[f"at run time: {str(error)[:40]}"] += 1
            except DeadEnd as error:
                self.fault(f"dead end, {spelling}", error)
            except Exception as error:
                self.fault(f"error, {spelling}", repr(error))

    def verdicts(
        self, matcher: GrammarMatcher, spelling: str, texts: list[tuple[Any, str, bool | None]]
    ) -> None:
        for value, text, verdict in texts:
            if verdict is None:
                continue
            self.tally.counts["valid texts" if verdict else "invalid texts"] += 1
            accepted = engine.accepts(matcher, text)
            if accepted and not verdict:
                self.fault(f"wrong accept, {spelling}", text)
            if accepted or not verdict:
                continue
            if spelling == "any":
                self.fault("wrong reject, any", text)
            elif not self.judge(dump(value, number=number)):
                # In draft 4 the verdict hangs on the spelling, and this one cannot be written.
                continue
            elif not self.some_order(matcher, value):
                self.fault("wrong reject, canonical", f"{text}, in any order of keys")

    def some_order(self, matcher: GrammarMatcher, value: Any) -> bool:
        """Which order is canonical is the suite's matter; here one must be accepted."""
        found = orders(value, ORDERS)
        texts = (dump(order, number=number) for order in found)
        return len(found) == ORDERS or any(engine.accepts(matcher, text) for text in texts)

    def walk(self, compiled: CompiledGrammar, spelling: str, texts: list[str]) -> None:
        walker, rng, other = Walker(self.rng, compiled), self.rng, None
        if spelling == "canonical":
            other = engine.compile_schema(self.text, spelling="any").matcher()
        for _ in range(self.walks // 2):
            guide = rng.choice(texts).encode() if rng.random() < 0.6 else b""
            guide = guide[: rng.randint(0, len(guide))]
            text = walker.walk(guide, rng.choice([5, 20, 60]))
            self.tally.counts["walks"] += 1
            if self.judge(text) is False:
                self.fault(f"unsound walk, {spelling}", text)
            elif other and not engine.accepts(other, text.decode()):
                self.fault("canonical beyond any", text)
        walker.check_mask(guide)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--faults", type=int, default=20, help="stop after so many")
    args = options.parse_args()
    tally, started, seed = Tally(), time.monotonic(), new_seed()
    while time.monotonic() - started < args.seconds and len(tally.faults) < args.faults:
        before = len(tally.faults)
        # A crash or an endless loop leaves the seed on the screen.
        print(f"seed {seed}", end="\r", file=sys.stderr, flush=True)
        Trial(seed, tally).run()
        for fault in tally.faults[before:]:
            print(fault, flush=True)
        seed += 1
    print(tally.summary())
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
