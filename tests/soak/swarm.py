"""All honest clients of a soak in one process (`python -m tests.soak.swarm JSON`)."""

from __future__ import annotations

import contextlib
import gc
import heapq
import itertools
import json
import random
import selectors
import socket
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.soak.client import Client, Notes
from tests.soak.size import Size, allow_files

NOT_READING = (1.0, 5.0)  # seconds; ten would be too long
COMING = 200  # new connections a second at the beginning
CALM = 6.0  # seconds before the end in which all come back, since a closing server takes nobody in
LAST_WORDS = 120.0  # seconds for the server to end after its time
GOES = ("close", "reset", "half", "takeover")


class Link:
    """One connection of a client; the client has at most one newest one."""

    def __init__(self, client: Client, link: socket.socket) -> None:
        self.client = client
        self.socket = link
        self.buffer = b""
        self.out = b""
        self.mute = False  # it has half-closed, or a newer connection speaks
        self.reads = True


class Swarm:
    """The clients, their connections, and what is due when."""

    def __init__(self, port: int, size: Size, notes: Notes, seed: int) -> None:
        self.port = port
        self.notes = notes
        self.patience = size.patience
        self.chance = random.Random(seed)
        self.chooser = selectors.DefaultSelector()
        self.due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self.links: dict[Client, Link] = {}
        self.clients = [self._client(number, size) for number in range(size.bots)]
        self.clients += [
            Client(number, "watch", 1, 0.0, notes, self._later(size.bots + number))
            for number in range(size.spectators)
        ]
        self.stops = False  # nobody breaks off any more
        for number, client in enumerate(self.clients):
            self.at(number / COMING, lambda client=client: self.connect(client))  # type: ignore[misc]
            if client.style in ("watch", "idle"):
                self._later(number)(3 + number % 5, client.look_around)
        self.at(2.0, self._break_off)
        self.at(2.0, self._fall_asleep)

    def _client(self, number: int, size: Size) -> Client:
        """Of each ten bots, two challenge each other, the rest seek; two play a bot of the server."""
        if number >= size.players:
            style = "idle"
        elif number < 2:
            style = "house"
        else:
            style = {2: "challenge", 3: "accept"}.get(number % 10, "seek")
        partner = b"accept-%d" % (number + 1)
        if style == "challenge" and number + 1 >= size.players:
            style = "seek"
        return Client(number, style, size.seats, size.think, self.notes, self._later(number), partner=partner)

    # -- time ----------------------------------------------------------------------------------------------

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self.due, (time.monotonic() + seconds, next(self._order), action))

    def _later(self, number: int) -> Callable[[float, Callable[[], bytes]], None]:
        def later(seconds: float, words: Callable[[], bytes]) -> None:
            self.at(seconds, lambda: self.say(self.clients[number], words()))

        return later

    # -- connections ---------------------------------------------------------------------------------------

    def connect(self, client: Client) -> None:
        """Open the newest connection of a client."""
        if self.notes.closing:
            return
        link = socket.socket()
        link.setblocking(False)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(BlockingIOError):
            link.connect(("127.0.0.1", self.port))
        self.links[client] = Link(client, link)
        self.chooser.register(link, selectors.EVENT_READ, self.links[client])

    def say(self, client: Client, words: bytes) -> None:
        link = self.links.get(client)
        if words and link is not None and not link.mute:
            link.out += words
            self._flush(link)

    def _flush(self, link: Link) -> None:
        try:
            link.out = link.out[link.socket.send(link.out) :]
        except BlockingIOError:
            pass
        except OSError:
            return  # what was said last is still to be read
        if link.out:
            self.at(0.05, lambda: self._flush(link) if link.out and link.socket.fileno() >= 0 else None)

    def read(self, link: Link) -> None:
        try:
            data = link.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError as why:
            if not (link.mute or self.notes.closing or link.client.said_goodbye):
                self.notes.wrong.append(f"{link.client.name.decode()} lost its connection: {why}")
            data = b""
        if not data:
            self._ended(link)
            return
        *lines, link.buffer = (link.buffer + data).split(b"\n")
        client = link.client
        if self.links.get(client) is not link:
            self._last_lines(link, lines)
            return
        reply = b"".join([client.take(line) for line in lines])
        if reply:
            self.say(client, reply)

    def _last_lines(self, link: Link, lines: list[bytes]) -> None:
        """What an old connection is told before the newer one has taken the seats: ends, and its goodbye."""
        for line in lines:
            words = line.split(b" ")
            if words[0] == b"over":
                self.say(link.client, link.client.over(words))
            elif words[0] == b"start":
                self.notes.started(link.client.name, words[1])
            elif words[0] == b"bye":
                self.notes.byes[words[1].decode()] += 1

    def _ended(self, link: Link) -> None:
        """A stream has ended: after a goodbye, or without one, which is wrong."""
        self._drop(link)
        client = link.client
        if self.links.get(client) is not link:
            return
        if not client.said_goodbye:
            self.notes.wrong.append(f"{client.name.decode()} was left without a goodbye")
        if self.notes.closing and client.games and client.style != "watch":
            games = b" ".join(client.games).decode()
            self.notes.wrong.append(f"{client.name.decode()} was never told the end of {games}")
        del self.links[client]
        client.cut()
        self.at(self.chance.uniform(0.05, 1.0), lambda: self.connect(client))

    def _drop(self, link: Link) -> None:
        if link.socket.fileno() >= 0:
            if link.reads:
                self.chooser.unregister(link.socket)
            link.socket.close()

    # -- trouble -------------------------------------------------------------------------------------------

    def _anybody(self) -> Link | None:
        link = self.links.get(self.chance.choice(self.clients))
        return link if link is not None and link.client.here and link.reads and not link.mute else None

    def _break_off(self) -> None:
        """Somebody loses the connection in one of four ways, and comes back a little later."""
        if self.stops or self.notes.closing:
            return
        self.at(self.chance.expovariate(len(self.clients) / self.patience), self._break_off)
        link = self._anybody()
        if link is None:
            return
        client, how = link.client, self.chance.choice(GOES)
        self.notes.counts[f"broken off: {how}"] += 1
        if how == "half":
            link.mute = True
            with contextlib.suppress(OSError):
                link.socket.shutdown(socket.SHUT_WR)
            return
        if how == "takeover":
            link.mute = client.must_resume = True
            client.cut()
            self.connect(client)
            return
        if how == "reset":
            link.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._drop(link)
        del self.links[client]
        client.cut()
        self.at(self.chance.uniform(0.05, 3.0), lambda: self.connect(client))

    def _fall_asleep(self) -> None:
        """Somebody does not read for a while, though not for as long as the server bears."""
        if self.stops or self.notes.closing:
            return
        self.at(self.chance.expovariate(len(self.clients) / self.patience / 2), self._fall_asleep)
        link = self._anybody()
        if link is not None:
            self.notes.counts["slow readers"] += 1
            link.reads = False
            self.chooser.unregister(link.socket)
            self.at(self.chance.uniform(*NOT_READING), lambda: self._wake(link))

    def _wake(self, link: Link) -> None:
        if not link.reads and link.socket.fileno() >= 0:
            link.reads = True
            self.chooser.register(link.socket, selectors.EVENT_READ, link)

    # -- running -------------------------------------------------------------------------------------------

    def run(self, seconds: float) -> None:
        """Play for so long, then until the server has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end + LAST_WORDS:
            now = time.monotonic()
            self.stops = now >= end - min(CALM, seconds / 4)
            while self.due and self.due[0][0] <= now:
                heapq.heappop(self.due)[2]()
            if self.notes.closing and not self.links:
                return
            wait = max(0.0, min(0.1, self.due[0][0] - time.monotonic())) if self.due else 0.1
            for key, _ in self.chooser.select(wait):
                if key.fileobj.fileno() >= 0:  # type: ignore[union-attr]
                    self.read(key.data)
        self.notes.wrong.append(f"{len(self.links)} connections were still open when the server had to end")


def main() -> None:
    given: dict[str, Any] = json.loads(sys.argv[1])
    size = Size(**given["size"])
    allow_files(size)
    gc.freeze()
    folder = Path(given["folder"])
    with (folder / "told").open("w", encoding="ascii") as told:
        notes = Notes(told)
        Swarm(given["port"], size, notes, given["seed"]).run(size.minutes * 60)
    found = {"byes": notes.byes, "errors": notes.errors, "counts": notes.counts, "wrong": notes.wrong}
    (folder / "swarm.json").write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
