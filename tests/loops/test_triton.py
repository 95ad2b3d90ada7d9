"""The kernel that masks logits on a GPU, run by Triton's interpreter on the CPU."""

import importlib

import pytest
import torch

import stackmask.torch
from stackmask.torch import apply_token_bitmask_inplace

pytest.importorskip("triton")


@pytest.fixture(scope="module")
def apply():
    with pytest.MonkeyPatch.context() as patch:
        # It counts when a kernel is defined.
        patch.setenv("TRITON_INTERPRET", "1")
        return importlib.import_module("stackmask._triton").apply


@pytest.mark.parametrize("kind", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("size", [1, 31, 32, 33, 4096, 4097, 10_000])
def test_the_kernel_does_what_plain_torch_does(apply, size, kind):
    torch.manual_seed(size)
    words = torch.randint(-(2**31), 2**31, (4, -(-size // 32) + 2), dtype=torch.int32)[:, 1:]
    # Rows that do not begin where the memory does, nor end where the next one begins.
    whole = torch.randn(4, size + 7).to(kind)
    for rows in ([0, 1, 2, 3], [2], [3, 1], []):
        expected, out = whole.clone(), whole.clone()
        apply_token_bitmask_inplace(expected[:, 3 : size + 3], words, indices=rows)
        apply(out[:, 3 : size + 3], words, torch.tensor(rows, dtype=torch.int64))
        assert torch.equal(out, expected)


@pytest.mark.parametrize("rows", [None, [2, 0]])
def test_it_is_called_with_what_was_checked(apply, rows, monkeypatch):
    words = torch.randint(-(2**31), 2**31, (3, 4), dtype=torch.int32)
    logits = torch.randn(3, 100).bfloat16()
    expected, one = logits.clone(), logits[0].clone()
    apply_token_bitmask_inplace(expected, words, vocab_size=90, indices=rows)
    monkeypatch.setattr(stackmask.torch, "_kernel", lambda _: apply)
    apply_token_bitmask_inplace(logits, words, vocab_size=90, indices=rows)
    assert torch.equal(logits, expected)
    apply_token_bitmask_inplace(one, words[0], vocab_size=90)
    assert torch.equal(one, expected[0])
    with pytest.raises(ValueError, match="row 3"):
        apply_token_bitmask_inplace(logits, words, indices=[3])
