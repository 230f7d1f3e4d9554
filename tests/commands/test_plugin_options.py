"""Options of plugins: shown by `tyrusd plugins NAME`, taken from seats, refused before anything starts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.host.daemons import ROOT, run
from tests.host.installing import install_bot
from tyrusd.league.record import read_frames

BOT = """
from tyrusd.sdk import Building, Option, Placement, hookimpl

@hookimpl
def tyrusd_options():
    return [
        Option("level", int, 1, "how deep", low=1, high=4),
        Option("fast", bool, False, "do not think"),
        Option("book", str, "all", "the openings", choices=("all", "none")),
    ]

def choose(view, *, level, fast, book):
    print("options", level, fast, book)
    return Placement(view.hand[0], Building.IC)
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    install_bot(tmp_path, "their-bots", "theirs", "their_bot_with_options", BOT)
    return f"{ROOT}{os.pathsep}{tmp_path}"


def test_the_options_of_one_plugin_are_shown(path: str) -> None:
    found = run("plugins", "theirs", PYTHONPATH=path)
    assert found.returncode == 0, found.stderr
    assert found.stdout == (
        "plugin:theirs  tells nothing about itself  (their-bots 1.0)\n"
        "  level=1     how deep (a whole number from 1 to 4)\n"
        "  fast=false  do not think (true or false)\n"
        "  book=all    the openings (one of all, none)\n"
        "set them as in 'plugin:theirs?level=1'\n"
    )


def test_as_json_they_are_one_object(path: str) -> None:
    found = run("plugins", "their-bots/theirs", "--json", PYTHONPATH=path)
    row = json.loads(found.stdout)
    assert (row["name"], row["ok"], len(row["options"])) == ("theirs", True, 3)
    assert row["options"][2] == {
        "name": "book", "type": "str", "default": "all", "help": "the openings", "low": None, "high": None,
        "choices": ["all", "none"], "allowed": "one of all, none",
    }  # fmt: skip
    listed = json.loads(run("plugins", "--json", PYTHONPATH=path).stdout)
    assert row in listed


def test_one_without_options_and_one_that_is_broken_say_so(tmp_path: Path) -> None:
    install_bot(tmp_path, "bad-bots", "bad", "bad_bot_with_options", "raise RuntimeError('no luck')")
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    found = run("plugins", "greedy", PYTHONPATH=path)
    assert found.stdout.splitlines()[1:] == ["it has no options"]
    found = run("plugins", "bad", PYTHONPATH=path)
    assert found.returncode == 1
    assert (
        "plugin:bad  broken: bad_bot_with_options: the import failed: RuntimeError: no luck" in found.stdout
    )
    assert found.stderr == "tyrusd: the plugin bad cannot be used\n"
    found = run("plugins", "nobody")
    assert (found.returncode, found.stdout) == (2, "")
    assert "there is no plugin 'nobody'" in found.stderr


def test_a_match_hands_them_over_and_shows_them(path: str, tmp_path: Path) -> None:
    seat, record = "plugin:theirs?fast=true&level=3", tmp_path / "match.tyrus"
    found = run("match", seat, "plugin:theirs", "--json", "--record", str(record), PYTHONPATH=path)
    assert found.returncode == 0, found.stderr
    seats = json.loads(found.stdout)["seats"]
    assert [(each["name"], each["seat"]) for each in seats] == [
        ("theirs", seat),
        ("theirs-2", "plugin:theirs"),
    ]
    records = [payload for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    assert records[0]["game"]["fillings"] == {"ivory": seat, "brown": "plugin:theirs"}
    exported = json.loads(run("export", str(record), "--json").stdout)
    assert exported["fillings"] == {"ivory": seat, "brown": "plugin:theirs"}
    table = run("match", seat, "plugin:random", PYTHONPATH=path).stdout
    assert table.splitlines()[1].endswith(f"  {seat}")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("level=5", "level=5 is not possible: level takes a whole number from 1 to 4"),
        ("level=%31%30", "level=10 is not possible: level takes a whole number from 1 to 4"),
        ("lvl=1", "there is no option 'lvl': there are level (a whole number from 1 to 4), fast (true or "),
        ("book=all&book=none", "the option book is given twice"),
        ("book=%1b[2J", "book=\\x1b[2J is not possible: book takes one of all, none"),
    ],
)
@pytest.mark.parametrize("command", ["match", "serve"])
def test_wrong_ones_are_refused_before_anything_starts(
    path: str, tmp_path: Path, command: str, options: str, sentence: str
) -> None:
    seat, record = f"plugin:theirs?{options}", tmp_path / "never"
    words = {
        "match": ("match", seat, "plugin:random", "--record", str(record)),
        "serve": ("serve", "--port", "0", "--data", str(record), "--bot", f"best={seat}"),
    }
    found = run(*words[command], PYTHONPATH=path)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"tyrusd: {seat}: {sentence}")
    assert found.stderr.count("\n") == 1
    assert not record.exists()


def test_a_plugin_that_fails_with_its_options_is_refused_too(tmp_path: Path) -> None:
    code = BOT + "\n@hookimpl\ndef tyrusd_configure(options):\n    raise LookupError('no such book')\n"
    install_bot(tmp_path, "their-bots", "theirs", "their_bot_with_options", code)
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    found = run("match", "plugin:theirs?level=2", "plugin:random", PYTHONPATH=path)
    assert found.returncode == 2
    sentence = "their_bot_with_options: raised LookupError: no such book"
    assert found.stderr == f"tyrusd: plugin:theirs?level=2: {sentence}\n"
