"""The backends against the interface files of the real wheels, which `make test-wheels` fetches."""

import importlib.util
import inspect
import os
import sys
import types
import zipfile
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from stackmask import Vocabulary  # noqa: E402
from stackmask.integrations import sglang, vllm  # noqa: E402

WHEELS = Path(os.environ.get("STACKMASK_WHEELS", ".wheels"))


def load(package, member, tmp_path):
    found = sorted(WHEELS.glob(f"{package}-*.whl"))
    if not found:
        pytest.skip(f"no wheel of {package} in {WHEELS}: run `make test-wheels`")
    path = tmp_path / "interface.py"
    path.write_bytes(zipfile.ZipFile(found[-1]).read(member))
    spec = importlib.util.spec_from_file_location(f"{package}_interface", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def same_parameters(ours, theirs):
    """Ours takes every call that theirs takes."""
    for name, method in inspect.getmembers(theirs, inspect.isfunction):
        if name.startswith("_"):
            continue
        expected = list(inspect.signature(method).parameters.values())
        given = list(inspect.signature(getattr(ours, name)).parameters.values())
        assert [p.name for p in given[: len(expected)]] == [p.name for p in expected], name
        assert all(p.default is not p.empty for p in given[len(expected) :]), name


def test_vllm(tmp_path):
    interface = load("vllm", "vllm/v1/structured_output/backend_types.py", tmp_path)
    backend, grammar = vllm.backend_types(interface)
    same_parameters(backend, interface.StructuredOutputBackend)
    same_parameters(grammar, interface.StructuredOutputGrammar)
    assert not inspect.isabstract(backend)
    assert not inspect.isabstract(grammar)
    sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
    from stand_ins import Tokenizer

    made = backend(None, tokenizer=Tokenizer(), vocab_size=264)
    request = made.compile_grammar(
        interface.StructuredOutputOptions.REGEX, "a+", stop_token_ids={256}
    )
    assert isinstance(request, interface.StructuredOutputGrammar)
    words = made.allocate_token_bitmask(2)
    assert words.shape == (2, 9)
    request.fill_bitmask(words, 1)
    assert int((words[0] == -1).sum()) == 9
    assert int((words[1] != 0).sum()) == 1


def test_sglang(tmp_path, monkeypatch):
    for name, members in {
        "sglang": (),
        "sglang.srt": (),
        "sglang.srt.parser": (),
        "sglang.srt.parser.reasoning_parser": ("ReasoningParser",),
        "sglang.srt.runtime_context": ("get_context", "get_exec", "get_resources", "get_serving"),
        "sglang.srt.server_args": ("ServerArgs",),
    }.items():
        module = types.ModuleType(name)
        for member in members:
            setattr(module, member, object)
        monkeypatch.setitem(sys.modules, name, module)
    interface = load("sglang", "sglang/srt/constrained/base_grammar_backend.py", tmp_path)
    backend, grammar = sglang.backend_types(interface)
    same_parameters(grammar, interface.BaseGrammarObject)
    same_parameters(backend, interface.BaseGrammarBackend)
    made = backend(Vocabulary.byte_level(), [256])
    key = ("regex", "[ab]{2}")
    value, hit = made.get_cached_or_future_value(key, False)
    assert not hit
    request = value.result()
    made.set_cache(key, request.copy())
    copy, hit = made.get_cached_or_future_value(key, False)
    assert hit
    mask = copy.allocate_vocab_mask(257, 2, "cpu")
    rows = [interface.GrammarRow(1, copy), interface.GrammarRow(0, request)]
    copy.fill_vocab_mask_batched(rows, mask)
    logits = torch.zeros(2, 257)
    copy.apply_vocab_mask(logits, copy.move_vocab_mask(mask, "cpu"))
    assert torch.isfinite(logits).sum(1).tolist() == [2, 2]
    made.set_token_filter(mask, [31, 7], 0)
    assert [int(word) & 0xFFFFFFFF for word in mask[0, :2]] == [1 << 31 | 1 << 7, 0]
    assert isinstance(made.dispatch_regex("["), interface.InvalidGrammarObject)
