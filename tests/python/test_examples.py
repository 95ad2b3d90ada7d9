"""The examples that need nothing but this package."""

import importlib.util
import re
import subprocess
import sys

import pytest

from conftest import ROOT


def run(name: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / name)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_numpy_loop() -> None:
    done = run("numpy_loop.py")
    assert re.fullmatch(r"(yes|no)(, (yes|no))*[.]\n", done.stdout), done


def test_the_tool_call() -> None:
    done = run("tool_call.py")
    text, *calls = done.stdout.splitlines()
    assert "<tool_call>" in text, done
    assert len(calls) == 1
    assert calls[0].startswith("{'name': 'get_weather', 'arguments': {'city': ")


@pytest.mark.skipif(
    importlib.util.find_spec("llama_cpp") is not None, reason="tells what is missing"
)
def test_the_llama_example_says_what_it_needs() -> None:
    done = run("llama_cpp_person.py")
    assert (done.returncode, done.stderr) == (1, "llama_cpp is not installed\n")
