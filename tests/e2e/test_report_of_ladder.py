"""The report of a ladder that was really played, by bots that really fail."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.e2e.ladders import MOODY, RANDOM, ROOT, TYRUSD, bots, ladder
from tests.screen.page_reading import Page


def test_a_ladder_leaves_a_page_that_tells_the_line_that_broke(tmp_path: Path) -> None:
    page = tmp_path / "night.html"
    words = bots(RANDOM, f"name=moody exec='{MOODY} crash 2'")
    done = ladder(tmp_path / "night", *words, "--rounds", "6", "--seed", "night", "--report", str(page))
    assert done.code == 0, done.err
    assert f"report in {page}" in done.out + done.err
    games = done.games()
    crashed = [name for name, game in games.items() if game["game"]["reason"] == "crashed"]
    assert len(games) == 12
    assert 0 < len(crashed) < 12
    read = Page(page.read_text("utf-8"))
    text = "".join(read.texts)
    for name in crashed:
        assert f"night/logs/{name}.log" in text
        assert (tmp_path / "night" / "logs" / f"{name}.log").is_file()
        # The request that it had no answer to.
        assert any(f" choose {name} " in line for line in read.texts)
    assert text.count("the connection was lost (exit status") >= len(crashed)
    assert "The run is over, so its seed is shown" in text
    (data,) = [json.loads(code) for attributes, code in read.scripts if attributes.get("id") == "games"]
    assert {game["id"] for game in data["games"]} == set(games)


def test_the_report_of_a_ladder_is_that_of_its_directory(tmp_path: Path) -> None:
    page, again, as_json = (tmp_path / name for name in ("one.html", "two.html", "two.json"))
    done = ladder(
        tmp_path / "run",
        *bots(RANDOM, "name=other plugin=greedy"),
        "--rounds",
        "2",
        "--json",
        "--report",
        str(page),
    )
    assert done.code == 0, done.err
    told = subprocess.run(
        [*TYRUSD, "report", str(tmp_path / "run"), "--html", str(again), "--json", str(as_json)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert page.read_bytes() == again.read_bytes()
    data = json.loads(as_json.read_text("ascii"))
    assert data["entrants"] == done.stats()["entrants"]
    assert data["tournament"]["over"] == "played"
