"""The server of a person is killed in the middle of a game and started again: `tyrus` finds it by itself."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.account_serving import account
from tests.e2e.typist import typing_into
from tests.host.daemons import Daemon, running

TYRUS = str(Path(sys.executable).with_name("tyrus"))


@contextmanager
def server(data: Path, port: int) -> Iterator[Daemon]:
    words = ("serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(data))
    with running(*words) as daemon:
        assert daemon.addresses() == [("127.0.0.1", port)]
        yield daemon


def free_port() -> int:
    """A port that nobody has now; a restarted server must have the one of the first."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def is_asked(line: str) -> bool:
    return line.startswith("Your turn: ")


@pytest.mark.parametrize("key", [False, True], ids=["guest", "account"])
def test_a_person_plays_on_after_a_kill_and_a_restart(
    tmp_path: Path, key: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, port = tmp_path / "data", free_port()
    if key:
        account(data, "add", "ann", "--kind", "human")
        monkeypatch.setenv("TYRUS_KEY", account(data, "token", "ann", "--code"))
    with (
        server(data, port) as daemon,
        typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann", "--play", "greedy"]) as ann,
    ):
        ann.type(ann.until(is_asked).rsplit(": ", 1)[1])
        ann.until(is_asked)
        hand = ann.read[-2]
        daemon.signal(signal.SIGKILL)
        daemon.end()
        # Nobody listens there for some of its attempts.
        ann.until(
            lambda line: line.startswith("No way in yet (Connection refused). The next attempt is in 2")
        )
        with server(data, port):
            ann.until(lambda line: line == "You are back.")
            asked = ann.until(is_asked)
            assert ann.read[-2] == hand
            ann.type(asked.rsplit(": ", 1)[1])
            ann.until(lambda line: line.startswith("You placed "))
            ann.type("resign")
            ann.until(lambda line: line == "You lose the game.")
            ann.type("quit")
            assert ann.rest().endswith("Goodbye.\n")
            assert ann.process.wait(60) == 0


def test_ctrl_c_ends_the_waiting(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port) as daemon, typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann"]) as ann:
        ann.until(lambda line: line.startswith("You are ann."))
        daemon.signal(signal.SIGKILL)
        daemon.end()
        ann.until(lambda line: line.startswith("No way in yet"))
        ann.process.send_signal(signal.SIGINT)
        assert ann.process.wait(60) == 130
