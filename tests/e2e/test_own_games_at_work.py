"""A lost game from both ends of a real daemon: asked for over TCP, kept in files, told by `tyrusd why`."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.e2e.serving import ROOT, serving
from tyrusd.wire import Connection, Role
from tyrusd.wire import messages as wire

LIMIT = 20.0


class Peer:
    """A blocking client of a daemon."""

    def __init__(self, port: int, name: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT)
        self.connection = Connection(Role.CLIENT)
        self.waiting: list[wire.Message] = []
        self.say(f"hello 0.1 {name} bot")
        self.until(wire.Welcome)

    def close(self) -> None:
        self.socket.close()

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def until(self, *kinds: type[wire.Message]) -> list[wire.Message]:
        """Everything up to the first message of one of these kinds."""
        found: list[wire.Message] = []
        while True:
            while self.waiting:
                found.append(self.waiting.pop(0))
                if isinstance(found[-1], kinds):
                    return found
            data = self.socket.recv(65536)
            assert data, f"the daemon has gone after {found}"
            for message in self.connection.receive(data):
                assert isinstance(message, wire.Message), message
                self.waiting.append(message)

    def ask(self, line: str) -> list[wire.Message]:
        self.say(line)
        return self.until(wire.Ok, wire.Error)


def why(*words: str | Path) -> Any:
    """What `tyrusd why --json` prints."""
    command = [sys.executable, "-m", "tyrusd", "why", *map(str, words), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_lost_game_is_told_over_the_wire_and_from_the_files(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as port, closing(Peer(port, "anna")) as anna, closing(Peer(port, "eve")) as eve:
        anna.ask("play greedy side=I cap=0.5 clock=none")
        asked = anna.until(wire.Choose)[-1]
        assert isinstance(asked, wire.Choose)
        anna.say(f"place g1 0{asked.request} S1 IC")
        over = anna.until(wire.Over)[-1]
        assert isinstance(over, wire.Over) and (over.winner, over.reason) == ("B", "timeout")
        (stale,) = anna.ask(f"place g1 {asked.request} S1 IC")
        assert isinstance(stale, wire.Error) and stale.code == "stale"
        results = anna.ask("results")
        assert isinstance(results[0], wire.Result) and results[0].outcome == "lost"
        *told, _ = anna.ask("why g1")
        verdict = told[0]
        assert isinstance(verdict, wire.Verdict) and verdict.limit == 500 and (verdict.errors or 0) >= 1
        assert verdict.request == asked.request and verdict.overrun is not None
        lines = [line for line in told if isinstance(line, wire.Logged)]
        assert any(
            line.text == f"place g1 0{asked.request} S1 IC" and line.direction == "C" for line in lines
        )
        assert isinstance(told[-1], wire.Reason)
        assert all(isinstance(message, wire.Recorded) for message in anna.ask("record g1")[:-1])
        for verb in ("record", "log", "why"):
            (refused,) = eve.ask(f"{verb} g1")
            assert isinstance(refused, wire.Error) and refused.code == "no-game"
        # The same deal again, against the same bot.
        (again,) = [
            message
            for message in anna.ask("play greedy deal=g1 clock=none cap=none")
            if isinstance(message, wire.Start)
        ]
        assert (again.game, again.side, again.enemy) == ("g2", "I", "greedy")
        (refused,) = [message for message in anna.ask("record g1") if isinstance(message, wire.Error)]
        assert refused.code == "unavailable"
        # The file is there while the daemon runs; it is written soon after.
        file = data / "logs" / "g1.log"
        end = time.monotonic() + LIMIT
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        found = why("g1", "--data", data)
        assert found["reason"] == "timeout" and found["seats"]["ivory"]["errors"] >= 1
        assert [ms for ms, _, line in found["seats"]["ivory"]["lines"] if line.startswith("start g1")]
        assert found["seats"]["brown"]["lines"][0][2].startswith("start g1 B greedy anna")
        anna.say("resign g2")
        anna.until(wire.Over)
    assert sorted(path.name for path in (data / "logs").iterdir()) == ["g1.log", "g2.log"]
    assert why("2", "--data", data)["reason"] == "resigned"
    with serving(data) as port, closing(Peer(port, "anna")) as anna:
        # What another server has stored is told as well, without the log.
        (verdict,) = [message for message in anna.ask("why g1") if isinstance(message, wire.Verdict)]
        assert (verdict.reason, verdict.lines) == ("timeout", None)
        (refused,) = anna.ask("log g1")
        assert isinstance(refused, wire.Error) and refused.code == "unavailable"
        assert why("g1", "--data", data)["reason"] == "timeout"


def test_a_match_keeps_the_logs_of_lost_games_beside_its_record(tmp_path: Path) -> None:
    record = tmp_path / "match.tyrus"
    code = "print('hello 0.1 x bot', flush=True); [input() for _ in range(3)]; exit('gone')"
    bot = f'exec:python3 -c "{code}"'
    command = [sys.executable, "-m", "tyrusd", "match", bot, "plugin:random", "--games", "2", "--seed", "3"]
    done = subprocess.run(
        [*command, "--record", str(record), "--json"], cwd=ROOT, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [why(number, "--record", record) for number in ("1", "2")]
    assert [game["reason"] for game in found] == ["crashed", "crashed"]
    for game, side in zip(found, ("ivory", "brown"), strict=True):
        assert game["seats"][side]["error_output"] == ["gone"]
        assert game["seats"][side]["lines"][-1][2].startswith("the connection was lost (exit status 1)")
