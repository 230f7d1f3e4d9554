"""The types are strict and the lint is clean, over everything that is ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECKS = {
    "mypy": ["mypy"],
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
}


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_static_check_is_clean(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *CHECKS[name]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{name} complains:\n{done.stdout}{done.stderr}"
