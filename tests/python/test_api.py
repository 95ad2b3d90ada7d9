"""Names, properties and values of the package, apart from what a matcher does."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stackmask
from stackmask import CompiledGrammar, Diagnostic, Grammar, GrammarCompiler, Limits, Vocabulary


def test_version() -> None:
    assert stackmask.__version__.count(".") == 2


def test_import_loads_few_modules_beyond_those_of_numpy() -> None:
    code = (
        "import numpy, sys; before = set(sys.modules); import stackmask;"
        "print(*set(sys.modules) - before)"
    )
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    own = {name for name in loaded if name.split(".")[0] == "stackmask"}
    assert "stackmask._native" in own
    assert len(own) <= 3
    assert len(loaded) - len(own) <= 3


def test_import_loads_no_framework() -> None:
    code = "import sys, stackmask; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"torch", "transformers", "lark"} & set(loaded)


def test_vocabulary_from_tokens() -> None:
    vocabulary = Vocabulary(
        [b"a", b"b", None, b"a", b"<s>"], stop_token_ids=[4], special_token_ids=[4], vocab_size=40
    )
    assert vocabulary.vocab_size == len(vocabulary) == 40
    assert vocabulary.stop_token_ids == (4,)
    assert 4 in vocabulary.special_token_ids
    assert vocabulary.token_bytes(1) == b"b"
    assert vocabulary.token_bytes(2) is None
    assert vocabulary.token_bytes(39) is None
    assert vocabulary.decode([0, 1, 3]) == b"aba"
    assert set(vocabulary.missing_bytes) == set(range(256)) - set(b"ab")


def test_special_is_what_is_flagged_not_what_is_spelled_so() -> None:
    tokens = [b"<", b"x", b">", b"<x>", b"<x>", b"</s>"]
    vocabulary = Vocabulary(tokens, stop_token_ids=[5], special_token_ids=[4, 5])
    matcher = GrammarCompiler(vocabulary).compile(Grammar.from_choices(["<x>"])).matcher()
    assert matcher.allowed_token_ids().tolist() == [0, 3]


def test_byte_level() -> None:
    vocabulary = Vocabulary.byte_level()
    assert vocabulary.vocab_size == 257
    assert vocabulary.missing_bytes == b""
    assert vocabulary.stop_token_ids == (256,)
    assert [vocabulary.token_bytes(byte) for byte in (0, 65, 255)] == [b"\0", b"A", b"\xff"]


def test_fingerprint_is_of_the_content() -> None:
    make = lambda tokens: Vocabulary(tokens, stop_token_ids=[0]).fingerprint  # noqa: E731
    assert make([b"s", b"a"]) == make((b"s", b"a"))
    assert make([b"s", b"a"]) != make([b"s", b"b"])
    assert make([b"s", b"ab", b"c"]) != make([b"s", b"a", b"bc"])


def test_a_real_tokenizer(deepseek: Vocabulary, deepseek_text: str) -> None:
    assert deepseek.vocab_size > 128_000
    assert deepseek.missing_bytes == b""
    assert len(deepseek.stop_token_ids) >= 1
    model = json.loads(deepseek_text)["model"]["vocab"]
    assert deepseek.token_bytes(model["hello"]) == b"hello"
    assert deepseek.token_bytes(model["Ġthe"]) == b" the"
    assert deepseek.decode([model["hello"], model["Ġthe"]]) == b"hello the"


def test_grammars_are_equal_by_content() -> None:
    one, two = Grammar.from_regex("a+"), Grammar.from_regex("a+")
    assert one == two
    assert hash(one) == hash(two)
    assert one != Grammar.from_regex("a*")
    assert Grammar.json() != Grammar.json(whitespace="none")


def test_limits_have_defaults_and_keywords() -> None:
    limits = Limits()
    assert limits.source_bytes == 10_000_000
    assert limits.source_nesting == 256
    assert limits.rules == 500_000
    lowered = Limits(rules=3)
    assert lowered.rules == 3
    assert lowered.source_bytes == limits.source_bytes
    assert lowered != limits
    assert lowered == Limits(rules=3)


def test_the_cache_is_by_content(byte_vocabulary: Vocabulary) -> None:
    compiler = GrammarCompiler(byte_vocabulary)
    first = compiler.compile(Grammar.from_regex("a+"))
    assert isinstance(first, CompiledGrammar)
    assert compiler.compile(Grammar.from_regex("a+")) is first
    assert compiler.compile(Grammar.from_regex("b+")) is not first
    assert compiler.num_cached == 2
    compiler.clear_cache()
    assert compiler.num_cached == 0
    assert compiler.compile(Grammar.from_regex("a+")) is not first


def test_the_cache_is_bounded_and_drops_the_longest_unused(byte_vocabulary: Vocabulary) -> None:
    size = GrammarCompiler(byte_vocabulary).compile(Grammar.from_regex("x0")).memory_bytes
    assert size > 0
    compiler = GrammarCompiler(byte_vocabulary, cache_bytes=size * 4)
    kept = compiler.compile(Grammar.from_regex("x0"))
    for number in range(1, 10):
        compiler.compile(Grammar.from_regex(f"x{number}"))
        assert compiler.compile(Grammar.from_regex("x0")) is kept
    assert 2 <= compiler.num_cached <= 5


def test_a_cache_of_no_bytes_keeps_nothing(byte_vocabulary: Vocabulary) -> None:
    compiler = GrammarCompiler(byte_vocabulary, cache_bytes=0)
    compiler.compile(Grammar.from_regex("a"))
    assert compiler.num_cached == 0


def test_a_failed_compilation_is_not_kept(byte_vocabulary: Vocabulary) -> None:
    compiler = GrammarCompiler(byte_vocabulary)
    endless = Grammar.from_lark('start: "a" start')
    for _ in range(2):
        with pytest.raises(stackmask.GrammarError, match="start"):
            compiler.compile(endless)
    assert compiler.num_cached == 0


def test_nodes_are_walked_once_for_a_mask(byte_vocabulary: Vocabulary) -> None:
    compiled = GrammarCompiler(byte_vocabulary).compile(Grammar.json())
    compiled.matcher().next_token_bitmask()
    walked = compiled.nodes_walked
    compiled.matcher().next_token_bitmask()
    assert compiled.nodes_walked == walked > 0


def test_warnings_name_the_rule(byte_compiler: GrammarCompiler) -> None:
    compiled = byte_compiler.compile(Grammar.from_lark('start: "a"\nunused: "b"'))
    assert isinstance(compiled.warnings, tuple)
    assert all(isinstance(remark, Diagnostic) for remark in compiled.warnings)
    assert [remark.message for remark in compiled.warnings] == ['rule "unused" is unused']
    assert byte_compiler.compile(Grammar.from_lark('start: "a"')).warnings == ()


def test_a_compiled_grammar_knows_its_vocabulary(byte_compiler: GrammarCompiler) -> None:
    compiled = byte_compiler.compile(Grammar.json())
    assert compiled.vocabulary is byte_compiler.vocabulary


def test_lark_from_a_file_is_lark_from_its_text(tmp_path: Path) -> None:
    text = 'start: "é" WORD\nWORD: /[a-z]+/\n'
    path = tmp_path / "words.lark"
    path.write_text(text, encoding="utf-8")
    assert Grammar.from_lark_file(path) == Grammar.from_lark(text)
    assert Grammar.from_lark_file(str(path), lexer="dynamic_complete") == Grammar.from_lark(
        text, lexer="dynamic_complete"
    )


def test_masks_do_not_depend_on_the_process() -> None:
    code = (
        "import hashlib, stackmask as s;"
        "m = s.GrammarCompiler(s.Vocabulary.byte_level()).compile(s.Grammar.json()).matcher();"
        "h = hashlib.sha256(m.next_token_bitmask().tobytes());"
        "[(m.accept_token(b), h.update(m.next_token_bitmask().tobytes())) for b in b'{\"a\":[1,']; "
        "print(h.hexdigest())"
    )
    digests = {
        subprocess.check_output(
            [sys.executable, "-c", code], text=True, env={"PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == hashlib.sha256().digest_size * 2


def test_masks_are_numpy_int32(byte_compiler: GrammarCompiler) -> None:
    matcher = byte_compiler.compile(Grammar.json()).matcher()
    mask = matcher.next_token_bitmask()
    assert mask.dtype == np.int32
    assert mask.shape == (9,)
    assert mask.flags.writeable
    ids = matcher.allowed_token_ids()
    assert ids.dtype == np.int32
    assert ids.tolist() == [
        token for token in range(257) if int(mask[token // 32]) >> (token % 32) & 1
    ]


def test_the_command_line_generates_json() -> None:
    command = [sys.executable, "-m", "stackmask", "generate", "--json", "-n", "3", "--seed", "5"]
    lines = subprocess.check_output([*command, "--max-tokens", "60"], text=True).splitlines()
    assert len(lines) == 3
    for line in lines:
        json.loads(line)
        assert len(line.encode()) <= 60
