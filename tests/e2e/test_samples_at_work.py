"""The sample bots at their real work: the commands of docs/bots.md, and games with each other."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.samples import LANGUAGES, command
from tests.e2e.serving import ROOT, serving
from tests.tools import require_tool
from tyrusd.rules.game import PLAYED_OUT

PAGE = (ROOT / "docs/bots.md").read_text("utf-8")
COMMANDS = re.findall(r"^```sh\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
TOOLS = {"gcc ": "gcc", "exec:node ": "node"}


def test_the_page_has_a_command_for_each_language() -> None:
    assert len(COMMANDS) == len(LANGUAGES)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_plays_its_games_without_a_forfeit(line: str, tmp_path: Path) -> None:
    for words, tool in TOOLS.items():
        if words in line:
            require_tool(tool)
    # What the commands use, in a folder of its own: the compiler writes where it stands.
    (tmp_path / "clients").symlink_to(ROOT / "clients")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert "games: 10 of 10" in done.stdout
    (endings,) = re.findall(r"^endings: (.*)$", done.stdout, re.MULTILINE)
    reasons = {ending.split(" ")[0] for ending in endings.split(", ")}
    assert reasons <= PLAYED_OUT


@pytest.mark.parametrize(
    "pair", [("python", "c"), ("c", "javascript"), ("javascript", "python")], ids="-".join
)
def test_two_samples_find_each_other_in_the_lobby(pair: tuple[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "data") as port:
        bots = [
            subprocess.Popen(
                [*command(language), "127.0.0.1", str(port), f"bot-{language}"],
                stderr=subprocess.PIPE,
            )
            for language in pair
        ]
        try:
            for bot in bots:
                _, complaints = bot.communicate(timeout=120)
                assert (bot.returncode, complaints) == (0, b"")
        finally:
            for bot in bots:
                bot.kill()
