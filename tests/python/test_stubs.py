"""The type stubs describe the compiled module."""

import os
import subprocess
import sys
from pathlib import Path

import stackmask
from conftest import ROOT

STUBTEST = [
    sys.executable,
    "-m",
    "mypy.stubtest",
    "--mypy-config-file",
    str(ROOT / "pyproject.toml"),
]


def test_stubs_agree_with_the_module(tmp_path: Path) -> None:
    environment = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [*STUBTEST, "stackmask._native"],
        cwd=Path(stackmask.__file__).parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_is_exported_and_documented() -> None:
    for name in stackmask.__all__:
        assert hasattr(stackmask, name)
    assert sorted(stackmask.__all__) == stackmask.__all__
