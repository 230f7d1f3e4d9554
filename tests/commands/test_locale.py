"""Records and outputs are the same bytes under every locale and in every time zone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.tools import require_tool
from tyrusd.league.framing import read_frames

ROOT: Final = Path(__file__).parents[2]
# As a library that a program loads may do: whatever is written by the locale's words now is French.
LOCALIZED: Final = (
    "import locale, sys, time; locale.setlocale(locale.LC_ALL, '');"
    "print(time.strftime('%A', (2026, 8, 1, 0, 0, 0, 5, 213, 0)), file=sys.stderr);"
    "from tyrusd.commands import main; main()"
)
MATCH: Final = ("match", "plugin:random", "plugin:greedy", "--games", "2", "--seed", "words", "--json")


class Played(NamedTuple):
    """A match with its record: what it printed, the first line of its stderr, and the payloads."""

    out: str
    day: str
    payloads: list[dict[str, Any]]
    exported: str


def played(directory: Path, **environment: str) -> Played:
    """Play the same match under some locale."""
    directory.mkdir()
    record = directory / "record.tyrus"
    words = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0", **environment}
    found = []
    for line in ((*MATCH, "--record", str(record)), ("export", str(record), "--json")):
        done = subprocess.run(
            [sys.executable, "-c", LOCALIZED, *line], cwd=ROOT, env=words, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found.append(done)
    out, exported = (done.stdout.decode("ascii") for done in found)
    payloads = [dict(payload) for _, payload in read_frames(record.read_bytes())]
    return Played(out, found[0].stderr.decode().splitlines()[0], payloads, exported)


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a French terminal in Paris, whose locale is made here."""
    require_tool("localedef", Path("/usr/share/i18n/locales/fr_FR"))
    directory = tmp_path_factory.mktemp("locales")
    words = ["localedef", "-i", "fr_FR", "-f", "UTF-8", str(directory / "fr_FR.UTF-8")]
    subprocess.run(words, capture_output=True, check=True)
    return {"LOCPATH": str(directory), "LC_ALL": "fr_FR.UTF-8", "LANG": "fr_FR.UTF-8", "TZ": "Europe/Paris"}


def test_f091_records_are_the_same_in_paris_and_nowhere(tmp_path: Path, french: dict[str, str]) -> None:
    """Disservin/fastchess#832: times in records held words of the locale, in other letters than ASCII."""
    before = datetime.now(UTC)
    here = played(tmp_path / "here", LC_ALL="C", TZ="UTC")
    there = played(tmp_path / "there", **french)
    after = datetime.now(UTC)
    assert (here.day, there.day) == ("Saturday", "samedi")  # the control: the locale is at work
    assert [payload["kind"] for payload in here.payloads] == [payload["kind"] for payload in there.payloads]
    for one, other in zip(here.payloads, there.payloads, strict=True):
        assert one.get("game") == other.get("game")
        assert json.dumps(other, ensure_ascii=False).isascii()
    moments = [payload["timing"]["started"] for payload in there.payloads if payload["kind"] == "game"]
    for moment in moments:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", moment)
        assert before.replace(microsecond=0) <= datetime.fromisoformat(moment) <= after
    assert len(moments) == 2
    results = [json.loads(each.out) for each in (here, there)]
    for seat in (*results[0]["seats"], *results[1]["seats"]):
        seat.pop("pondered")  # a matter of the clock
    assert results[0] == results[1]
    lines = [[json.loads(line) for line in each.exported.splitlines()] for each in (here, there)]
    timeless = [[{**game, "timing": None, "started": None} for game in games] for games in lines]
    assert timeless[0] == timeless[1] and len(timeless[0]) == 2
