"""Bots in the lobby of a real daemon: two guests seek each other, a house bot has the options of its seat."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path

from tests.host.daemons import ROOT, run, running
from tests.sdk.peer import PATIENCE, environment
from tests.sdk.scripted import BOT
from tyrusd.rules.game import PLAYED_OUT


def test_two_bots_seek_each_other_as_often_as_they_are_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data)) as daemon:
        ((host, port),) = daemon.addresses()
        words = ["--connect", f"{host}:{port}", "--once", "--games", "3", "--name"]
        bots = [
            subprocess.Popen(
                [*BOT, f"tests.sdk.bots:{kind}", *words, kind], cwd=ROOT, env=environment(ROOT),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for kind in ("Following", "awaited")
        ]  # fmt: skip
        try:
            for bot in bots:
                output, log = bot.communicate(timeout=60)
                assert (bot.returncode, output) == (0, ""), log
        finally:
            for bot in bots:
                if bot.poll() is None:
                    bot.kill()
                    bot.communicate()
    exported = run("export", str(data / "journal.tyrus"), "--json").stdout.splitlines()
    games = [json.loads(line) for line in exported]
    assert len([game for game in games if game["reason"] != "drawn"]) == 3
    assert {game["reason"] for game in games} <= PLAYED_OUT
    assert {frozenset(game["seats"].values()) for game in games} == {frozenset({"Following", "awaited"})}
    assert games[0]["fillings"] == {"ivory": None, "brown": None}


def test_a_house_bot_plays_with_the_options_of_its_seat(tmp_path: Path) -> None:
    data, seat = tmp_path / "data", "plugin:cautious?bluff=0"
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--bot", f"honest={seat}")
    with running(*words) as daemon:
        ((host, port),) = daemon.addresses()
        with socket.create_connection((host, port), timeout=PATIENCE) as link, link.makefile("rb") as lines:
            link.sendall(b"hello 0.1 anna bot\nplay honest side=I\n")
            assert any(line.startswith(b"choose g1 ") for line in lines), "the house bot has come"
            link.sendall(b"resign g1\n")
            assert any(line.startswith(b"over g1 ") for line in lines)
    (game,) = map(json.loads, run("export", str(data / "journal.tyrus"), "--json").stdout.splitlines())
    assert game["seats"] == {"ivory": "anna", "brown": "honest"}
    assert game["fillings"] == {"ivory": None, "brown": seat}
