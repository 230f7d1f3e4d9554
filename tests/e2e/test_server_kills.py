"""A standing server under load is killed again and again: nothing that was told is lost or told twice."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.host.daemons import PATIENCE, ROOT, command
from tests.host.journals import index_of
from tests.host.server_told import Client, faults, kept, lost
from tyrusd.host.journal import JOURNAL
from tyrusd.host.journal_rows import JournalRows

FULL: Final = os.environ.get("TYRUSD_FULL_SIZE") == "1"
SERVERS: Final = 10 if FULL else 1  # data directories, each with so many kills
KILLS: Final = 20
ANNOUNCING: Final = 6  # of these, as many between a result's storing and its announcement
BOTS: Final = 12
OFFERED: Final = 30.0  # seconds for a game to be decided, or for all to be over at the end
ENDLESS: Final = 1 << 30


class Chaos:
    """One data directory, its servers one after the other, and a dozen bots and a spectator."""

    def __init__(self, data: Path, chance: Random) -> None:
        self.data = data
        self.chance = chance
        self.deaths: Counter[str] = Counter()
        self.killed = False  # by us, and not by itself
        self.ending = False  # the last server is not killed
        wants = ("want=events,full", "", "want=events,full", "")
        self.clients = [
            Client(
                f"bot{number}", want=wants[number % 4], terms=f"clock=600+{number // 4} cap=none",
                games=ENDLESS, resigns=number % 4 == 3,
            )
            for number in range(BOTS)
        ]  # fmt: skip
        self.spectator = Client("eve", plays=False)
        self.everyone = [*self.clients, self.spectator]

    def told(self) -> dict[str, list[bytes]]:
        return {client.name: client.raw for client in self.everyone}

    def journal(self) -> bytes:
        path = self.data / JOURNAL
        return path.read_bytes() if path.exists() else b""

    def start(self, results: int | None) -> tuple[subprocess.Popen[bytes], int]:
        """A server that is up, and its port; with a number it dies when that result is stored and untold."""
        words = ["--host", "127.0.0.1", "--port", "0", "--data", str(self.data)]
        real = command("serve", *words)
        dying = [sys.executable, "-m", "tests.e2e.server_dying", str(results), *words]
        log = self.data.with_suffix(".log")
        with log.open("ab") as errors:
            process = subprocess.Popen(
                real if results is None else dying, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        if not line.startswith("listening "):
            process.kill()
            process.wait()
            raise AssertionError(f"{line!r}\n{log.read_text('utf-8')}")
        return process, int(line.split()[2])

    def live(self, seconds: float, results: int | None) -> None:
        """One server, from its start to its death."""
        process, port = self.start(results)
        try:
            until = time.monotonic() + (seconds if results is None else OFFERED)
            self.play(port, lambda: time.monotonic() > until or process.poll() is not None, process)
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        assert process.returncode == -signal.SIGKILL
        self.deaths["anywhere" if self.killed else "announcing"] += 1
        assert lost(self.journal(), self.told()) == []

    def play(self, port: int, over: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
        """Let everyone connect and play on until it is over; then the server dies, and all is read."""
        chooser = selectors.DefaultSelector()
        for client in self.everyone:
            link = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.connect()
            chooser.register(link, selectors.EVENT_READ, client)
        asked = 0.0
        while not over():
            for key, _ in chooser.select(0.05):
                self.serve(key, chooser)
            if time.monotonic() > asked + 0.1:
                asked = time.monotonic()
                self.look(chooser)
        self.killed = process.poll() is None and not self.ending
        if self.killed:
            process.kill()
        while chooser.get_map():
            for key, _ in chooser.select(PATIENCE):
                self.serve(key, chooser, answering=False)
        chooser.close()

    def look(self, chooser: selectors.BaseSelector) -> None:
        """Let the spectator ask for games that it does not watch yet."""
        for key in chooser.get_map().values():
            if key.data is self.spectator and self.spectator.here:
                self.say(key, b"games\n")

    def serve(
        self, key: selectors.SelectorKey, chooser: selectors.BaseSelector, answering: bool = True
    ) -> None:
        link, client = key.fileobj, key.data
        assert isinstance(link, socket.socket)
        try:
            data = link.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            chooser.unregister(link)
            link.close()
            return
        answer = client.take(data)
        if answer and answering:
            self.say(key, answer)

    def say(self, key: selectors.SelectorKey, data: bytes) -> None:
        assert isinstance(key.fileobj, socket.socket)
        with contextlib.suppress(ConnectionError):  # the server may be dead: that is what this is about
            key.fileobj.sendall(data)

    def finish(self) -> None:
        """A last server: everyone comes back, plays what runs to its end and wants no more games."""
        self.ending = True
        for client in self.clients:
            client.games = 0
        process, port = self.start(None)
        try:
            until = time.monotonic() + OFFERED
            stopped = False

            def over() -> bool:
                nonlocal stopped
                assert time.monotonic() < until, [client.running for client in self.clients]
                if all(client.here and not client.running for client in self.clients) and not stopped:
                    stopped = True
                    process.terminate()
                return stopped

            self.play(port, over, process)
            assert process.wait(OFFERED) == 0
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


@pytest.mark.timeout(3600)
def test_killed_at_random_under_load_nothing_told_is_lost_and_every_game_goes_on(tmp_path: Path) -> None:
    deaths: Counter[str] = Counter()
    games = returns = 0
    for number in range(SERVERS):
        chance = Random(number)
        chaos = Chaos(tmp_path / f"data{number}", chance)
        moments = [number < ANNOUNCING for number in range(KILLS)]
        chance.shuffle(moments)
        for announcing in moments:
            chaos.live(chance.uniform(0.0, 1.0), chance.randint(1, 4) if announcing else None)
        chaos.finish()
        wrong = faults(chaos.journal(), chaos.told(), results_only=False)
        assert not any(wrong.values()), wrong
        rows = sorted(JournalRows(chaos.data / JOURNAL), key=lambda row: (len(row.id), row.id))
        assert index_of(chaos.data) == rows and rows
        deaths += chaos.deaths
        games += len(kept(chaos.journal())[0])
        returns += sum(client.returns for client in chaos.clients)
    untold = deaths["announcing"]
    print(f"{deaths.total()} kills, {untold} while announcing, {games} games, {returns} seats resumed")
    assert deaths == {"anywhere": SERVERS * (KILLS - ANNOUNCING), "announcing": SERVERS * ANNOUNCING}
    assert games > deaths.total() and returns > deaths.total()
