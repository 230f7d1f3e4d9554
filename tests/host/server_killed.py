"""A program that runs a standing server and kills itself at the n-th write, sync, send or rename, for a test.

`python -m tests.host.server_killed WORDS` prints a JSON object for each way to die; WORDS is JSON of `Ways`.
Each life is a fork of this program: the real engine, journal and storekeeper, with peers in memory, on a data
directory of its own, until it is killed or nothing is left to play. What each peer was sent stands in files.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple

import trio

from tests.host.server_told import Client, faults, lost
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import Answer, DropLog, KeepLog, Round, Store, Stored, Transport
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.engine import Engine
from tyrusd.host.journal import JOURNAL, DataDirectory, FileJournal
from tyrusd.host.recovery import recover
from tyrusd.host.shelf import LOGS, Shelf
from tyrusd.host.storekeeper import Storekeeper
from tyrusd.wire import Codec

CALLS: Final = ("write", "fsync", "replace", "rename", "ftruncate", "pwrite", "unlink", "link")
PARTIAL: Final = frozenset({"write", "pwrite", "send"})  # what can be done by half
IDLE: Final = 15  # deadlines in a row at which all that anyone says is that it is there: then all is over

Moment = Literal["before", "within", "after"]
MOMENTS: Final[tuple[Moment, ...]] = ("before", "within", "after")


class Ways(NamedTuple):
    """Which deaths to die.

    root: where data directories are made. power: what was not synced is lost with the process. early: what
    nobody may do: a result is told before it is "written" or "synced", or a placement is "sent" before the
    journal has it. lives: instead of each point once, so many directories whose servers are killed again and
    again. every: only each so manieth point. near: only points so near to a sync.
    """

    root: str
    power: bool = False
    early: Literal["", "written", "synced", "sent"] = ""
    lives: int = 0
    every: int = 1
    near: int = 0


class Death:
    """Counts the calls that change a disk or reach a peer, and kills this process at one of them."""

    def __init__(self, journal: Path, point: int, moment: Moment, power: bool) -> None:
        self.names: list[str] = []
        self._journal = journal
        self._synced = journal.stat().st_size if journal.exists() else 0
        self._point = point
        self._moment = moment
        self._power = power
        self._write, self._truncate = os.write, os.truncate
        for name in CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))
        self.send = self._counted("send", self._write)

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **keywords: Any) -> Any:
            self.names.append(name)
            if len(self.names) == self._point:
                self._end(name, real, args, keywords)
            found = real(*args, **keywords)
            self._note(name, args)
            return found

        return call

    def _note(self, name: str, args: Sequence[Any]) -> None:
        if name == "fsync" and Path(f"/proc/self/fd/{args[0]}").resolve() == self._journal.resolve():
            self._synced = self._journal.stat().st_size

    def _end(self, name: str, real: Callable[..., Any], args: Any, keywords: Any) -> None:
        if self._moment == "within" and name in PARTIAL:
            real(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])
        elif self._moment == "after":
            with contextlib.suppress(FileNotFoundError):
                real(*args, **keywords)
            self._note(name, args)
        if self._power and self._journal.exists() and self._journal.stat().st_size > self._synced:
            self._truncate(self._journal, self._synced)
        os.kill(os.getpid(), signal.SIGKILL)


class LateJournal(Engine):
    """Sends what a placement brought about before that is in the journal: only to see that it is noticed."""

    def _carry_out(self, found: Round) -> bool:
        for peer in found.dirty:
            self._serve(peer)
        return super()._carry_out(found)


class Keeper(Storekeeper):
    """The storekeeper; with `early` it promises first and keeps afterwards, to see that it is noticed."""

    def __init__(
        self, journal: FileJournal, answered: Callable[[Sequence[Answer]], None], early: str
    ) -> None:
        super().__init__(journal, self._settled)
        self._file, self._early = journal, early
        self._tell = answered
        self._late: list[Store] = []
        self.open = 0  # requests that are not answered
        self.settled = trio.Event()

    def _settled(self, answers: Sequence[Answer]) -> None:
        self.open -= len(answers)
        self._tell(answers)
        self.settled.set()

    def store(self, request: Store) -> None:
        self.open += 1
        if self._early not in ("written", "synced"):
            super().store(request)
            return
        if self._early == "synced":
            self._file.append([request.payload])
        self._late.append(request)
        self._settled([Stored(request.id)])

    async def settle(self) -> None:
        """Wait until every result is kept and told."""
        while self.open:
            self.settled = trio.Event()
            await self.settled.wait()
        late, self._late = self._late, []
        for request in late:
            if self._early == "written":
                self._file.append([request.payload])
            self._file.sync()


class Link:
    """One peer's stream: what it is sent goes into a file and to its client at once."""

    def __init__(self, client: Client, file: int, death: Death) -> None:
        self.client = client
        self.said = b""
        self.paused = self.ended = False
        self._file, self._death = file, death

    def write(self, data: bytes) -> int:
        self._death.send(self._file, data)
        self.said += self.client.take(data)
        return len(data)

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def read_once(self) -> None:
        raise AssertionError("nobody runs out of time here")

    def finish(self) -> None:
        self.ended = True

    def close(self) -> None:
        os.close(self._file)


def clients() -> list[Client]:
    """Two who play a whole game, two who give three games up early, and one who watches everything."""
    return [
        Client("ada", want="want=events,full", terms="clock=600+1"),
        Client("bob", terms="clock=600+1"),
        Client("cleo", want="want=events,full", terms="clock=600+2", games=3),
        Client("dora", want="want=events,full", terms="clock=600+2", games=3, resigns=True),
        Client("eve", plays=False),
    ]


def told(path: Path) -> dict[str, list[bytes]]:
    """What each peer was sent, life by life."""
    return {
        client.name: [file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}.{client.name}.*"))]
        for client in clients()
    }


class Life:
    """One server on a data directory, with everyone connected."""

    def __init__(self, path: Path, ways: Ways, death: Death, chance: int) -> None:
        self.directory = DataDirectory(path)
        journal, recovered, _ = recover(path / JOURNAL, {})
        self.now = 1000.0
        self.server = Server(
            Lobby({}), Random(chance).randbytes, self.now, 1_700_000_000.0 + chance, DEFAULTS, recovered
        )
        kind = LateJournal if ways.early == "sent" else Engine
        self.engine = kind(self.server, journal, lambda: self.now)
        self.keeper = Keeper(journal, self.engine.answers, ways.early)
        self.shelf = Shelf(path / LOGS)
        self.engine.handle(Store, self.keeper.store)
        self.engine.handle(KeepLog, self.shelf.keep)
        self.engine.handle(DropLog, self.shelf.drop)
        before = told(path)
        self.links: dict[int, Link] = {}
        for client in clients():
            client.remember(before[client.name])
            number = len(before[client.name])
            client.connect()
            file = os.open(
                path.parent / f"{path.name}.{client.name}.{number:03}",
                os.O_WRONLY | os.O_CREAT | os.O_EXCL,
                0o600,
            )
            link = Link(client, file, death)
            self.links[self.engine.connected(Transport("127.0.0.1", Codec.LINE, "socket"), link)] = link

    async def run(self) -> None:
        """Play until nothing runs and nobody wants more, or until nothing happens any more."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.keeper.run)
            await self.settle()
            idle = 0
            while idle < IDLE and (
                self.server.tables or not all(link.client.satisfied for link in self.links.values())
            ):
                said = await self.pass_on()
                if said - {b"pong"}:
                    idle = 0
                elif not said:
                    idle += 1
                    self.now = max(self.now, self.engine.deadline() or self.now + 1.0)
                    self.engine.tick()
                    await self.settle()
            nursery.cancel_scope.cancel()
        self.engine.close()

    async def pass_on(self) -> set[bytes]:
        """Hand on what everyone has said; the first words of that."""
        said = set()
        for peer, link in list(self.links.items()):
            link.said += link.client.watch(self.server.tables) if link.client.name == "eve" else b""
            if link.said and not (link.paused or link.ended):
                data, link.said = link.said, b""
                self.now += 0.01
                self.engine.feed(peer, data)
                await self.settle()
                said.add(data.split(maxsplit=1)[0])
        return said

    async def settle(self) -> None:
        self.engine.flush()
        while self.keeper.open:
            await self.keeper.settle()
            self.engine.flush()
        await self.keeper.settle()
        await self.shelf.write(50, 50)


def lived(path: Path, ways: Ways, point: int, moment: Moment, chance: int) -> bool:
    """Have one life in a fork; whether it came to its end."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            death = Death(path / JOURNAL, point, moment, ways.power)
            trio.run(Life(path, ways, death, chance).run)
            path.with_suffix(".calls").write_text(" ".join(death.names))
            status = 0
        finally:
            sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return False
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"a life in {path}, point {point} {moment}, ended with {status}")
    return True


def journal_of(path: Path) -> bytes:
    file = path / JOURNAL
    return file.read_bytes() if file.exists() else b""


def verdict(path: Path, ways: Ways, early: Sequence[str]) -> dict[str, Any]:
    """What is wrong after all; early: what was lost at a death already."""
    try:
        found = faults(journal_of(path), told(path), results_only=ways.power)
    except ValueError as error:
        found = {"damaged": [str(error)]}
    found["lost"] = sorted({*found.get("lost", ()), *early})
    return {name: faulty for name, faulty in found.items() if faulty}


def each_point(ways: Ways, names: list[str]) -> Iterator[dict[str, Any]]:
    """Die once at each point; then a server goes on undisturbed."""
    syncs = [number for number, name in enumerate(names, 1) if name == "fsync"]
    points = [
        (point, moment)
        for point, moment in itertools.product(range(1, len(names) + 1), MOMENTS)
        if (moment != "within" or names[point - 1] in PARTIAL)
        and (not ways.near or any(abs(point - sync) <= ways.near for sync in syncs))
    ]
    for point, moment in points[:: ways.every]:
        path = Path(ways.root) / f"{point}-{moment}"
        died = not lived(path, ways, point, moment, 1)
        early = lost(journal_of(path), told(path)) if journal_of(path) else []
        if died:
            assert lived(path, ways._replace(early=""), 0, "before", 2)
        yield {"point": f"{moment} {names[point - 1]}", "died": died, "wrong": verdict(path, ways, early)}


def again_and_again(ways: Ways, calls: int) -> Iterator[dict[str, Any]]:
    """Die at moments that chance decides until all is played all the same."""
    for number in range(ways.lives):
        chance = Random(number)
        path = Path(ways.root) / f"life-{number}"
        early: set[str] = set()
        deaths = 0
        while not lived(path, ways, chance.randint(1, calls // 3), chance.choice(MOMENTS), deaths + 1):
            deaths += 1
            early |= set(lost(journal_of(path), told(path)) if journal_of(path) else ())
        yield {"point": f"life {number}", "died": deaths, "wrong": verdict(path, ways, sorted(early))}


def main() -> None:
    """Die all the deaths that are asked for."""
    ways = Ways(**json.loads(sys.argv[1]))
    whole = Path(ways.root) / "whole"
    assert lived(whole, Ways(ways.root), 0, "before", 1)
    names = whole.with_suffix(".calls").read_text().split()
    assert not verdict(whole, Ways(ways.root), ())
    for end in again_and_again(ways, len(names)) if ways.lives else each_point(ways, names):
        print(json.dumps(end), flush=True)


if __name__ == "__main__":
    main()
