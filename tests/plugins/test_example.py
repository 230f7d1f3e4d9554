"""The example distribution is what an author would make: built, installed elsewhere, found, and played."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.sdk.peer import ROOT, Peer, ask, check, environment, start
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side, building_of

EXAMPLE = ROOT / "plugins" / "example"


def run(*words: str, cwd: Path) -> str:
    """Run a Python tool without network; its output, which is the failure's text if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=cwd,
        env=os.environ | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory into which the example's wheel is installed."""
    folder = tmp_path_factory.mktemp("example")
    source = shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    run("build", "--wheel", "--no-isolation", "--outdir", str(folder), cwd=source)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    run("pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel), cwd=folder)
    return site


def test_its_metadata_lists_the_bot(site: Path) -> None:
    (found,) = distributions(path=[str(site)])
    (entry,) = found.entry_points.select(group="tyrusd_bots")
    assert (found.name, found.version) == ("tyrusd-lowest", "1.0")
    assert (entry.name, entry.value) == ("lowest", "tyrusd_lowest")


def test_its_wheel_carries_one_module_and_no_tests(site: Path) -> None:
    assert sorted(path.name for path in site.glob("*.py")) == ["tyrusd_lowest.py"]


def test_the_check_accepts_it(site: Path) -> None:
    status, output, log = check("tyrusd_lowest", site)
    assert (status, log) == (0, "")
    summary = "The bot `lowest`: always its lowest tile, into its own building of the election."
    assert json.loads(output) == {"ok": True, "reason": "", "summary": summary, "options": []}


def test_it_plays_in_its_process(site: Path) -> None:
    games = {f"g{number}": Game(deal_from_bytes(game_secret("example", number))) for number in range(4)}
    with Peer("tyrusd_lowest", site) as peer:
        peer.greet()
        peer.send(*[start(name) for name in games])
        while running := {name: game for name, game in games.items() if game.outcome is None}:
            # One child may sit on both sides here: the bot knows no more than each request tells.
            sides = {name: game.to_move for name, game in running.items()}
            peer.send(
                *[ask(name, running[name], Side(side)) for name, side in sides.items() if side is not None]
            )
            for answer in peer.places(len(running)):
                game, side = games[answer.game], games[answer.game].to_move
                assert side is not None
                lowest = min(game.hand(side), key=lambda tile: tile.number)
                assert (answer.tile, answer.building) == (str(lowest), building_of(side, game.kind).name)
                game.place(side, lowest, building_of(side, game.kind))
        peer.close()
        assert peer.end() == (0, "", "")


def test_its_own_tests_pass(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLE),
         "-c", os.devnull, str(EXAMPLE / "test_lowest.py")],
        env=environment(site, ROOT),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
