"""The ladders of README.md and docs/ladder.md can be typed as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.e2e.ladders import LIMIT, ROOT, TYRUSD

README = (ROOT / "README.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "ladder.md").read_text("utf-8")


def readme_lines() -> list[str]:
    """What README.md has typed in its section about ladders, but for the installation."""
    section = README.partition("## Run a ladder\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\$ \.venv/bin/(.*)$", section, re.MULTILINE)
    assert lines[0] == "pip install -q '.[ladder]'"
    return [line for line in lines[1:] if line.startswith("tyrusd ")]


def typed(line: str, directory: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(line)
    assert words[0] == "tyrusd"
    return subprocess.run(
        [*TYRUSD, *words[1:]], cwd=directory, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip


def test_the_ladders_of_the_readme(tmp_path: Path) -> None:
    lines = readme_lines()
    assert [line.split()[1] for line in lines] == ["ladder", "stats", "ladder"]
    for line in lines:
        done = typed(line, tmp_path)
        assert done.returncode == 0, done.stderr
        assert "cautious" in done.stdout or "new" in done.stdout
    assert (tmp_path / "night" / "journal.tyrus").is_file()


@pytest.mark.parametrize("line", re.findall(r"```ladder\n(.*?)\n```", PAGE))
def test_the_quick_start_of_the_page(line: str, tmp_path: Path) -> None:
    done = typed(line, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "seed 1 (typed)"
    assert "20 games: " in done.stdout
    for more in ("stats quick", "report quick --html quick.html"):
        assert f"`tyrusd {more}`" in PAGE
        again = typed(f"tyrusd {more}", tmp_path)
        assert again.returncode == 0, again.stderr


def test_the_page_has_a_quick_start() -> None:
    assert len(re.findall(r"```ladder\n", PAGE)) == 1
