"""The sample bots at their real work: the commands of their pages, games with each other, TCP, the lobby."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from tests.clients.recipes import LANGUAGES, PAGES, blocks, command, recipe, workshop
from tests.e2e.matches import play
from tests.e2e.serving import ROOT, serving
from tyrusd.rules.game import PLAYED_OUT

each_language = pytest.mark.parametrize("language", LANGUAGES)


def seat(language: str) -> str:
    return f"exec:{shlex.join(command(language))}"


def test_each_language_has_a_page_a_sample_and_a_row_in_the_index() -> None:
    assert set(LANGUAGES) <= {page.stem for page in PAGES.glob("*.md")}
    index = (ROOT / "docs/bots.md").read_text("utf-8")
    rows = re.findall(
        r"^\| .* \| \[.*\]\(\.\./(.*)\) \| \[.*\]\(bots/(.*)\.md\) \| `(.*)` \|$", index, re.MULTILINE
    )
    assert len(rows) == len(LANGUAGES)
    for source, language, program in rows:
        made = recipe(language)
        assert (ROOT / source, tuple(shlex.split(program))) == (made.source, made.program)
    assert recipe("python").match in blocks(index)


@each_language
def test_the_match_of_its_page_is_played_without_a_forfeit(language: str) -> None:
    ours = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # a python3 is in it
    done = subprocess.run(
        ["sh", "-euc", recipe(language).match],
        cwd=workshop(language),
        env=os.environ | {"PATH": ours},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "games: 10 of 10" in done.stdout
    (endings,) = re.findall(r"^endings: (.*)$", done.stdout, re.MULTILINE)
    reasons = {ending.split(" ")[0] for ending in endings.split(", ")}
    assert reasons <= PLAYED_OUT


@pytest.mark.parametrize("pair", list(combinations(LANGUAGES, 2)), ids="-".join)
def test_two_languages_play_each_other_as_programs_without_a_forfeit(pair: tuple[str, str]) -> None:
    found = play((seat(pair[0]), seat(pair[1])), {}, "--games", "2", "--seed", "7", "--concurrency", "2")
    assert found["played"] == 2
    assert set(found["endings"]) <= PLAYED_OUT, f"somebody forfeited: {found['endings']}"


@each_language
def test_it_plays_the_best_bundled_bot_over_tcp_without_a_forfeit(language: str) -> None:
    seats = f"tcp:{language}", "plugin:cautious"
    clients = {language: list(command(language))}
    found = play(seats, clients, "--games", "10", "--seed", "7", "--concurrency", "5")
    assert found["played"] == 10
    assert set(found["endings"]) <= PLAYED_OUT, f"somebody forfeited: {found['endings']}"


@pytest.mark.parametrize(
    "pair", list(zip(LANGUAGES, (*LANGUAGES[1:], LANGUAGES[0]), strict=True)), ids="-".join
)
def test_two_samples_find_each_other_in_the_lobby(pair: tuple[str, str], tmp_path: Path) -> None:
    programs = {f"bot-{language}": command(language) for language in pair}
    with serving(tmp_path / "data") as port:
        bots = [
            subprocess.Popen([*words, "127.0.0.1", str(port), name], stderr=subprocess.PIPE)
            for name, words in programs.items()
        ]
        try:
            for bot in bots:
                _, complaints = bot.communicate(timeout=120)
                assert (bot.returncode, complaints) == (0, b"")
        finally:
            for bot in bots:
                bot.kill()
