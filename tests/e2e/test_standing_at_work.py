"""A standing ladder with real processes: two accounts, an anchor, a kill, a merge, and what tells of it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.account_serving import account, serving
from tests.host.daemons import ROOT, login, run, wait_until
from tests.sdk.peer import environment
from tests.sdk.scripted import BOT
from tyrusd.host.journal import JOURNAL
from tyrusd.rules.game import WITHOUT_RESULT

NAMES = ("deep-bot", "shallow")
LADDER = ("--ladder", "--anchor", "random=0", "--ladder-clock", "30+1")
LONG = 120.0  # seconds; games are played by real processes on a machine that others use
FIGURES = ("games", "won", "drawn", "lost")

Address = tuple[str, int]
Version = tuple[str, str | None]


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder that waits for nothing for long."""
    for name, value in (("GATHER", "0.1"), ("REMATCH", "0"), ("REFIT", "1")):
        monkeypatch.setenv(f"TYRUSD_LIMITS_LADDER_{name}", value)


@contextmanager
def bot(name: str, agent: str, token: str, address: Address, log: Path) -> Iterator[None]:
    """A bot of the SDK on the ladder, for as long as the block lasts."""
    command = [*BOT, "tests.sdk.bots:Following", "--connect", "{}:{}".format(*address), "--ladder"]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*command, "--name", name, "--agent", agent, "--games", "4"],
            cwd=ROOT,
            env={**environment(ROOT), "TYRUS_KEY": token},
            stderr=errors,
        )
        try:
            yield
        finally:
            process.kill()
            process.wait()


def on_the_wire(address: Address) -> dict[Version, dict[str, Any]]:
    """What `ratings` tells a guest."""
    found: dict[Version, dict[str, Any]] = {}
    with login(address, "looker", "human") as peer:
        peer.say("ratings")
        while (line := peer.until("rating", "ok", "error")).startswith("rating "):
            _, _, name, elo, low, high, *keys = line.split()
            told = dict(key.split("=", 1) for key in keys)
            row = {key: int(told[key]) for key in FIGURES} | {
                key: int(told.get(key, 0)) for key in ("flagged",)
            }
            row |= {"elo": int(elo), "low": int(low), "high": int(high), "anchor": "anchor" in told}
            found[name, told.get("agent")] = row
        assert line.startswith("ok"), line
        peer.say("quit")
    return found


def printed(data: Path) -> tuple[dict[Version, dict[str, Any]], list[Mapping[str, Any]]]:
    """The ratings and the merges that `tyrusd ratings --json` prints."""
    done = run("ratings", "--json", "--data", str(data))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return {(row["name"], row["agent"]): row for row in told["ratings"]}, told["merges"]


def of_journal(data: Path, merged: Mapping[Version, Version]) -> dict[Version, Counter[str]]:
    """What the journal says of each version, counted by hand."""
    found: dict[Version, Counter[str]] = {("random", None): Counter()}
    for line in run("export", str(data / JOURNAL), "--json").stdout.splitlines():
        game = json.loads(line)
        rated = game.get("rated")
        if rated is None or game["reason"] in WITHOUT_RESULT:
            continue
        for side, other in (("ivory", "brown"), ("brown", "ivory")):
            name = game["seats"][side]
            version = (name, None if name == "random" else rated[side])
            count = found.setdefault(merged.get(version, version), Counter())
            count["games"] += 1
            count["won"] += game["winner"] == side
            count["lost"] += game["winner"] == other
            count["drawn"] += game["winner"] is None
    return found


def figures(rows: Mapping[Version, Mapping[str, Any]]) -> dict[Version, dict[str, int]]:
    return {version: {key: row[key] for key in FIGURES} for version, row in rows.items()}


def played(address: Address, games: int) -> bool:
    """Whether every version on the wire has so many rated games."""
    rows = on_the_wire(address)
    return len(rows) == len(NAMES) + 1 and all(row["games"] >= games for row in rows.values())


@pytest.mark.timeout(400)
def test_ratings_agree_with_the_journal_through_a_kill_and_a_merge(tmp_path: Path) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada", "--kind", "human")
    key = account(data, "token", "ada")
    tokens = {}
    for name in NAMES:
        account(data, "add", name, *(["--owner", "ada"] if name == "shallow" else []))
        tokens[name] = account(data, "token", name)
    with ExitStack() as stack:
        with serving(data, *LADDER) as (daemon, address):
            for name, token in tokens.items():
                stack.enter_context(bot(name, f"{name}/1", token, address, tmp_path / f"{name}.log"))
            wait_until(lambda: played(address, 2), LONG)
            before = on_the_wire(address)
            daemon.signal(signal.SIGKILL)
            daemon.process.wait(20)
        # The ratings are there from the first moment, with what was played since the last fit.
        with serving(data, *LADDER, "--port", str(address[1])) as (daemon, _):
            again = on_the_wire(address)
            assert again.keys() == before.keys() == {
                ("random", None), *((name, f"{name}/1") for name in NAMES)
            }  # fmt: skip
            for version, row in again.items():
                assert row["games"] >= before[version]["games"]
                assert row["anchor"] is (version[0] == "random") and row["low"] <= row["elo"] <= row["high"]
            most = max(row["games"] for row in again.values())
            wait_until(lambda: played(address, most + 1), LONG)  # the bots are back by themselves

            words = ("ratings", "merge", "deep-bot/deep-bot/1", "deep-bot/next", "--data", str(data))
            done = run(*words)
            assert done.returncode == 2 and "deep-bot/next has no rated game" in done.stderr
            stack.close()  # and the next versions of both come
            for name, token in tokens.items():
                stack.enter_context(bot(name, "next", token, address, tmp_path / f"{name}.log"))
            wait_until(lambda: {(name, "next") for name in NAMES} <= on_the_wire(address).keys(), LONG)
            done = run(*words)
            assert done.returncode == 0, done.stderr
            wait_until(lambda: ("deep-bot", "deep-bot/1") not in on_the_wire(address), LONG)
            assert ("deep-bot", "next") in on_the_wire(address)
            with login(address, "ada", "human", f"key={key}") as ada:
                ada.say("merge deep-bot next other")  # which is nobody's
                assert ada.until("ok", "error").startswith("error unavailable ")
                ada.say("merge shallow shallow/1 next")
                assert ada.until("ok", "error").startswith("ok")
                ada.say("merge shallow shallow/1 next")
                assert ada.until("ok", "error").startswith("ok")
            wait_until(lambda: ("shallow", "shallow/1") not in on_the_wire(address), LONG)
            daemon.signal(signal.SIGTERM)
            daemon.signal(signal.SIGTERM)
            _, log = daemon.process.communicate(timeout=30)
            assert daemon.process.returncode == 0, log
    rows, merges = printed(data)
    assert [(merge["name"], merge["old"], merge["new"], merge["by"]) for merge in merges] == [
        ("deep-bot", "deep-bot/1", "next", "operator"),
        ("shallow", "shallow/1", "next", "ada"),
    ]
    counted = of_journal(data, {(name, f"{name}/1"): (name, "next") for name in NAMES})
    assert figures(rows) == figures(counted)
    assert rows["random", None]["elo"] == 0 and rows["random", None]["anchor"]
    assert rows["shallow", "next"]["games"] > 2
    assert "cannot be fitted" not in log and "Traceback" not in log


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--anchor", "rando=0"),
            "--anchor rando=0: an anchor is a bot of this server; there are cautious, ",
        ),
        (("--anchor", "random"), "'random' is not NAME=ELO"),
        (("--anchor", "random=x"), "'random=x' is not NAME=ELO"),
        (("--anchor", "random=20000"), "whole number from -10000 to 10000"),
        (("--anchor", "random=0", "--anchor", "Random=1"), "--anchor Random= is given twice"),
        (("--ladder-clock", "60"), "wants a BASE+INC in seconds"),
        (("--ladder-clock", "none"), "wants a BASE+INC in seconds"),
    ],
)
def test_row_57_what_is_wrong_with_a_ladder_is_told_before_anything_is_opened(
    tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = run("serve", "--ladder", "--port", "0", "--data", str(tmp_path / "data"), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr and not (tmp_path / "data").exists()


def test_row_57_an_anchor_of_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text("[ladder]\non = true\n[ladder.anchors]\nrandom = 0\nrando = 5\n", "utf-8")
    done = run("serve", "--config", str(file), "--port", "0", "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert f"{file}, line 5: [ladder.anchors] rando: an anchor is a bot of this server" in done.stderr
    assert run("config", "--config", str(file)).stderr == done.stderr
    file.write_text(file.read_text("utf-8").replace("rando =", "greedy ="), "utf-8")
    lines = run("config", "--config", str(file)).stdout.splitlines()
    [shown] = [line for line in lines if "random =" in line]
    assert re.split(r" {2,}", shown) == [
        "ladder.anchors", "{random = 0, greedy = 5}", f"{file}, line 3",
    ]  # fmt: skip


def test_without_numpy_a_ladder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    script = (
        "import importlib.util as found, sys\n"
        "find = found.find_spec\n"
        "found.find_spec = lambda name, *more: None if name == 'numpy' else find(name, *more)\n"
        "from tyrusd.commands import main\nmain()\n"
    )
    command = [
        sys.executable,
        "-c",
        script,
        "serve",
        "--ladder",
        "--port",
        "0",
        "--data",
        str(tmp_path / "d"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "tyrusd: a standing ladder wants numpy; install: pip install 'tyrusd[ladder]'\n"
    assert not (tmp_path / "d").exists()
