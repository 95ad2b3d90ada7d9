"""Adapters to loops that need no framework here: stand-ins call them as the real loops do."""

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

from stackmask import Grammar, GrammarCompiler, Vocabulary
from stackmask.integrations import llama_cpp, onnx_genai, sglang, vllm
from stackmask.integrations.budget import keep_within
from stackmask.integrations.prefixes import Prefixes
from stand_ins import Tokenizer, sglang_interface, vllm_interface

#: Free text with lists of numbers in `<b...>`.
TAG = json.dumps(
    {
        "type": "structural_tag",
        "structures": [
            {
                "begin": "<b",
                "schema": {"type": "array", "items": {"type": "integer"}},
                "end": ">",
            }
        ],
        "triggers": ["<b"],
    }
)

VOCABULARY = Vocabulary.byte_level()
STOP = 256
JSON = GrammarCompiler(VOCABULARY).compile(Grammar.json(whitespace="none"))
WORD = GrammarCompiler(VOCABULARY).compile(Grammar.from_regex("[a-c]{2,4}"))


def mask_after(compiled, ids):
    """The mask that a matcher of its own gives; None if an id is refused."""
    matcher = compiled.matcher()
    if matcher.accept_tokens(ids) < len(ids) and not matcher.is_terminated():
        return None
    return matcher.next_token_bitmask()


# Rows that are known by their ids.


@pytest.mark.parametrize("seed", range(20))
def test_rows_in_any_order_and_length_have_their_own_masks(seed):
    rng = random.Random(seed)
    prefixes = Prefixes()
    rows = [[] for _ in range(rng.randint(1, 6))]
    for _ in range(30):
        deed = rng.random()
        if deed < 0.15 and len(rows[0]) > 1:
            cut = rng.randint(1, len(rows[0]))
            rows = [row[:-cut] for row in rows]
        elif deed < 0.4:
            rows = [list(rng.choice(rows)) for _ in rows]
        else:
            for row in rows:
                matcher = JSON.matcher()
                matcher.accept_tokens([token for token in row if 0 <= token < 257])
                allowed = matcher.allowed_token_ids().tolist()
                row.append(rng.choice(allowed) if rng.random() < 0.97 else rng.randrange(-1, 300))
        ids = np.array(rows, dtype=np.int64).reshape(len(rows), -1)
        for row, found in zip(rows, prefixes.find(ids, [JSON] * len(rows)), strict=True):
            inside = [token for token in row if 0 <= token < 257]
            expected = mask_after(JSON, row) if inside == row else mask_or_end(row)
            if expected is None:
                assert found.read < len(row)
                assert not found.matcher.is_terminated()
            else:
                assert np.array_equal(found.matcher.next_token_bitmask(), expected)


def mask_or_end(row):
    """For rows with an id outside the vocabulary: what is behind the end does not count."""
    matcher = JSON.matcher()
    for token in row:
        if matcher.is_terminated():
            return matcher.next_token_bitmask()
        if not 0 <= token < 257 or not matcher.accept_token(token):
            return None
    return matcher.next_token_bitmask()


def test_a_step_costs_one_accept(monkeypatch):
    prefixes = Prefixes()
    ids = np.empty((3, 0), dtype=np.int64)
    rows = prefixes.find(ids, [JSON] * 3)
    for token in b'["abc",1]':
        ids = np.concatenate([ids, np.full((3, 1), token)], axis=1)
        matchers = [row.matcher for row in rows]
        rows = prefixes.find(ids, [JSON] * 3)
        assert [row.matcher for row in rows] == matchers


# Ends within a budget.


@pytest.mark.parametrize("seed", range(10))
def test_texts_end_within_the_budget(seed):
    rng = np.random.default_rng(seed)
    for budget in (2, 5, 30):
        matcher = JSON.matcher()
        for used in range(budget):
            mask = matcher.next_token_bitmask()
            scores = rng.normal(size=257).astype(np.float32)
            scores[[ord("["), ord("{"), ord('"')]] += 6
            keep_within(matcher, mask, scores, budget - used)
            allowed = [t for t in range(257) if mask.view(np.uint32)[t >> 5] >> (t & 31) & 1]
            assert allowed
            assert all(matcher.is_token_allowed(t) for t in allowed)
            assert matcher.accept_token(max(allowed, key=lambda t: scores[t]))
            if matcher.is_terminated():
                break
        assert matcher.is_terminated()


# llama-cpp-python: called with all ids and a view of all logits.


def drive(processor, prompt, answer, width=300):
    """Calls as the sampler does; returns the logits of the last call."""
    for length in range(len(answer) + 1):
        scores = np.zeros(width, dtype=np.single)
        out = processor(np.array([*prompt, *answer[:length]], dtype=np.intc), scores)
        assert out is scores
    return scores


def allowed_of(scores):
    return np.flatnonzero(np.isfinite(scores)).tolist()


def test_llama_cpp_follows_the_text():
    processor = llama_cpp.LogitsProcessor(WORD)
    assert allowed_of(drive(processor, [1, 2, 3], b"ab")) == [97, 98, 99, STOP]
    processor.raise_if_failed()
    # Another generation, noticed by the jump in length.
    assert allowed_of(drive(processor, [1] * 40, b"a")) == [97, 98, 99]
    assert allowed_of(drive(processor, [1], [97, 98, STOP])) == [STOP]
    processor.raise_if_failed()


def test_llama_cpp_fails_closed():
    processor = llama_cpp.LogitsProcessor(WORD)
    assert allowed_of(drive(processor, [1, 2], b"xy")) == [STOP]
    with pytest.raises(ValueError, match="token 120"):
        processor.raise_if_failed()
    # It stays closed, whatever comes.
    assert allowed_of(drive(processor, [1, 2], b"ab")) == [STOP]
    processor.reset()
    assert allowed_of(drive(processor, [1, 2], b"ab")) == [97, 98, 99, STOP]
    processor = llama_cpp.LogitsProcessor(WORD)
    scores = np.zeros(300, dtype=np.float64).astype(np.single)
    processor("no ids", scores)
    assert allowed_of(scores) == [STOP]
    assert processor.error is not None


def test_llama_cpp_refuses_models_that_draft():
    with pytest.raises(ValueError, match="draft"):
        llama_cpp.LogitsProcessor(WORD, SimpleNamespace(draft_model=object()))
    llama_cpp.LogitsProcessor(WORD, SimpleNamespace(draft_model=None))


# ONNX Runtime GenAI.


class FakeGenerator:
    def __init__(self, width=260):
        self.rng = np.random.default_rng(3)
        self.width, self.ids, self.logits = width, [], None

    def get_logits(self):
        self.logits = self.rng.normal(size=(1, 1, self.width)).astype(np.float32)
        return self.logits

    def set_logits(self, logits):
        self.logits = logits

    def generate_next_token(self):
        self.ids.append(int(self.logits.argmax()))

    def get_next_tokens(self):
        return [self.ids[-1]]

    def token_count(self):
        return len(self.ids)

    def rewind_to(self, length):
        del self.ids[length:]


def test_onnx_genai_generates_inside_the_grammar():
    generator = FakeGenerator()
    constraint = onnx_genai.Constraint(WORD, generator)
    for _ in range(12):
        constraint.step()
        if constraint.matcher.is_terminated():
            break
    text = bytes(t for t in generator.ids if t < 256)
    assert 2 <= len(text) <= 4
    assert set(text) <= set(b"abc")
    constraint.rewind(len(generator.ids))
    assert generator.ids == []
    assert constraint.matcher.num_accepted == 0


# vLLM: the calls of its manager.


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer()


@pytest.fixture
def backend(tokenizer):
    interface = vllm_interface()
    kind, _ = vllm.backend_types(interface)
    config = SimpleNamespace(structured_outputs_config=SimpleNamespace())
    return kind(config, tokenizer, 264), interface.StructuredOutputOptions


def bits(row):
    words = np.asarray(row).view(np.uint32)
    return [t for t in range(len(words) * 32) if words[t >> 5] >> (t & 31) & 1]


def test_vllm_speculation_and_ends(backend, tokenizer):
    backend, options = backend
    grammar = backend.compile_grammar(options.REGEX, "[a-c]{2,4}", stop_token_ids={256, 257})
    a, b, x = tokenizer.ids("abx")
    assert grammar.validate_tokens([a, b, x, a]) == [a, b]
    assert grammar.validate_tokens([a, -1, -1]) == [a]
    mask = np.zeros((4, 9), dtype=np.int32)
    taken = 0
    for row, token in enumerate([a, b]):
        grammar.fill_bitmask(mask, row)
        assert grammar.accept_tokens("r", [token])
        taken += 1
    grammar.fill_bitmask(mask, 2)
    assert {256, 257} <= set(bits(mask[2]))
    grammar.rollback(taken)
    # Tokens behind the stop token come with it.
    assert grammar.accept_tokens("r", [a, b, 257, x, x])
    assert grammar.is_terminated()
    assert grammar.accept_tokens("r", [x])
    grammar.rollback(1)
    assert not grammar.is_terminated()
    assert not grammar.accept_tokens("r", [x])
    grammar.reset()
    assert grammar.accept_tokens("r", [a])
    backend.destroy()


@pytest.mark.parametrize(
    ("kind", "spec", "text"),
    [
        ("CHOICE", '["yes", "no"]', "no"),
        ("GRAMMAR", 'start: "a"+ "!"', "aa!"),
        ("GRAMMAR", 'root ::= "a" root | "!"', "aa!"),
        ("STRUCTURAL_TAG", TAG, "a<b[1]>c"),
        ("REGEX", "", ""),
        ("JSON", '{"type": "array", "items": {"type": "integer"}}', "[1, 2]"),
        ("JSON_OBJECT", "", '{"a": 1}'),
    ],
)
def test_vllm_kinds(backend, tokenizer, kind, spec, text):
    backend, options = backend
    grammar = backend.compile_grammar(options[kind], spec)
    assert grammar.accept_tokens("r", tokenizer.ids(text))
    assert grammar.accept_tokens("r", [256])
    assert grammar.is_terminated()


@pytest.mark.parametrize("tekken", [True, False])
def test_vllm_knows_the_special_tokens_of_mistral(tekken):
    whole = MistralTokenizer.v3(is_tekken=tekken)
    inner = whole.instruct_tokenizer.tokenizer
    kind, _ = vllm.backend_types(vllm_interface())
    config = SimpleNamespace(structured_outputs_config=SimpleNamespace())
    backend = kind(config, SimpleNamespace(mistral=whole), inner.n_words)
    content = {"type": "const_string", "value": "[]"}
    tag = {"type": "tag", "begin": "[TOOL_CALLS]", "content": content, "end": ""}
    spec = json.dumps({"type": "structural_tag", "format": tag})
    grammar = backend.compile_grammar("structural_tag", spec)
    call = inner.get_special_token("[TOOL_CALLS]")
    assert grammar.matcher.allowed_token_ids().tolist() == [call]
    assert grammar.accept_tokens("r", [call])
    assert grammar.matcher.accept_bytes(b"[]") == 2
    assert grammar.matcher.is_completed()


@pytest.mark.parametrize(
    ("kind", "spec", "message"),
    [
        ("STRUCTURAL_TAG", "{}", "of type None"),
        ("CHOICE", "[]", "choices"),
        ("CHOICE", "{", "choices"),
        ("GRAMMAR", "root ::= [a-z", "column 10"),
        ("GRAMMAR", "  ", "empty"),
        ("GRAMMAR", "start: nothing", "nothing"),
        ("JSON", " ", "empty"),
        ("JSON", '{"type": "strin"}', "strin"),
        ("REGEX", "a\0", "NUL"),
        ("REGEX", "[a", "column 1"),
    ],
)
def test_vllm_refusals_are_value_errors(backend, kind, spec, message):
    backend, options = backend
    with pytest.raises(ValueError, match=message):
        backend.compile_grammar(options[kind], spec)


def test_vllm_requests_are_checked_before_they_are_queued():
    def params(**given):
        names = ("json", "regex", "choice", "grammar", "structural_tag")
        return SimpleNamespace(
            structured_outputs=SimpleNamespace(**{name: given.get(name) for name in names})
        )

    vllm.validate(params(regex="a+"))
    vllm.validate(params(choice=["a"]))
    vllm.validate(params(json={"type": "object"}))
    vllm.validate(params(structural_tag=TAG))
    vllm.validate(params())
    for bad in (
        {"regex": "[a"},
        {"choice": []},
        {"json": {"type": 5}},
        {"structural_tag": TAG[:-1]},
    ):
        with pytest.raises(ValueError, match=r"."):
            vllm.validate(params(**bad))


# SGLang: the backend's cache, copies, and the walk over a tree of drafts.


def sglang_backend(tokenizer):
    interface = sglang_interface()
    kind, _ = sglang.backend_types(interface)
    vocabulary = Vocabulary.from_huggingface(tokenizer, vocab_size=264, stop_token_ids=[256])
    return kind(vocabulary, [256, 257]), interface


def test_sglang_compiles_caches_and_copies(tokenizer):
    backend, interface = sglang_backend(tokenizer)
    key = ("regex", "[a-c]{2,4}")
    value, hit = backend.get_cached_or_future_value(key, False)
    assert not hit
    grammar = value.result()
    backend.set_cache(key, grammar.copy())
    grammar.accept_token(tokenizer.ids("a")[0])
    copy, hit = backend.get_cached_or_future_value(key, False)
    assert hit
    assert copy.matcher.num_accepted == 0
    bad, _ = backend.get_cached_or_future_value(("regex", "[a"), False)
    assert "line 1" in bad.result().error_message
    assert isinstance(bad.result(), interface.InvalidGrammarObject)
    tag, _ = backend.get_cached_or_future_value(("structural_tag", "{}"), False)
    assert "of type None" in tag.result().error_message
    tag, _ = backend.get_cached_or_future_value(("structural_tag", TAG), False)
    for token in tokenizer.ids("a<b[1]"):
        tag.result().accept_token(token)
    with pytest.raises(ValueError, match="does not fit"):
        tag.result().accept_token(tokenizer.ids("a")[0])
    anything, _ = backend.get_cached_or_future_value(("json", "$$ANY$$"), False)
    for token in tokenizer.ids("[1]"):
        anything.result().accept_token(token)


def test_sglang_draft_trees(tokenizer):
    backend, _ = sglang_backend(tokenizer)
    grammar = backend.dispatch_regex("ab|ac|b")
    a, b, c, x = tokenizer.ids("abcx")
    tree = {(): [a, x], (a,): [b, c], (a, b): [256], (a, c): [], (a, b, 256): []}
    masks = {}

    def walk(path):
        row = np.zeros((1, 9), dtype=np.int32)
        if not grammar.is_terminated():
            grammar.fill_vocab_mask(row, 0)
        masks[path] = bits(row[0])
        for token in tree[path]:
            if token not in masks[path]:
                continue
            grammar.accept_token(token)
            walk((*path, token))
            grammar.rollback(1)

    walk(())
    assert masks[()] == sorted([a, b])
    assert masks[(a,)] == sorted([b, c])
    assert masks[(a, b)] == [256, 257]
    assert (x,) not in masks
    assert grammar.matcher.num_accepted == 0


def test_sglang_refuses_by_value_error_and_ignores_what_follows_the_end(tokenizer):
    backend, interface = sglang_backend(tokenizer)
    grammar = backend.dispatch_regex("a")
    a, x = tokenizer.ids("ax")
    with pytest.raises(ValueError, match="does not fit"):
        grammar.accept_token(x)
    grammar.accept_token(a)
    grammar.accept_token(257)
    grammar.accept_token(x)
    assert grammar.is_terminated()
    rows = np.zeros((2, 9), dtype=np.int32)
    others = [grammar.copy(), grammar.copy()]
    entries = [interface.GrammarRow(row, other) for row, other in zip((1, 0), others, strict=True)]
    grammar.fill_vocab_mask_batched(entries, rows)
    assert bits(rows[0]) == bits(rows[1]) == [a]


def test_sglang_token_filter(tokenizer):
    backend, _ = sglang_backend(tokenizer)
    rows = np.zeros((2, 9), dtype=np.int32)

    class Row(np.ndarray):
        def fill_(self, value):
            self.fill(value)

    view = rows.view(Row)
    backend.set_token_filter(view, [31, 40], 0)
    assert bits(rows[0]) == [31, 40]
    backend.set_token_filter(view, [31], 1, is_allowed=False)
    assert 31 not in bits(rows[1])
    assert len(bits(rows[1])) == 9 * 32 - 1
    backend.set_token_filter(view, [40], 0, is_allowed=False, reset_vocab_mask=False)
    assert bits(rows[0]) == [31]


def test_sglang_jump_forward(tokenizer):
    backend, _ = sglang_backend(tokenizer)
    grammar = backend.dispatch_regex("abc[xy]")
    ids = tokenizer.ids("abc")
    assert grammar.try_jump_forward(None) == (ids, "")
    for token in ids:
        grammar.accept_token(token)
    assert grammar.try_jump_forward(None) is None
    grammar.jump_and_retokenize(ids, tokenizer.ids("abcx"), -1)
    assert grammar.matcher.is_completed()
    with pytest.raises(ValueError, match="do not fit"):
        grammar.jump_and_retokenize(tokenizer.ids("abcx"), tokenizer.ids("abcz"), -1)
