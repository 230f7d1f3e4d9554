"""A cluster in memory: machines that play what they are given at once, and lie or die as a test wants."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import trio

from tests.host.ladder_crew import played_game
from tyrusd.host.ladder import cluster_task
from tyrusd.host.ladder.cluster import Cluster
from tyrusd.host.ladder.cluster_client import Answers, ClusterClient, Machine, NoCluster, Returned
from tyrusd.host.ladder.cluster_manifest import found_here
from tyrusd.host.ladder.cluster_report import Report, read_order, write
from tyrusd.host.ladder.crewing import (
    Ended,
    GivenBack,
    Lost,
    PairDoneIn,
    ResultIn,
    Said,
    UnreadyIn,
    WorkerEvent,
)
from tyrusd.host.ladder.link import PairDone, Result, framed
from tyrusd.host.ladder.manifest import manifest_of
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.terms import task_of
from tyrusd.league.framing import frame
from tyrusd.league.tournament.played import played_of
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.tournament import Tournament

_Read = TypeVar("_Read")

ADDRESS = "tcp://127.0.0.1:8786"


def report_of(task: PairTask, *records: dict[str, Any]) -> Report:
    """What an honest machine returns for a task."""
    records = records or tuple(played_game(task, game) for game in task.games)
    said = b"".join(
        framed(Result(number, record["id"], frame(record))) for number, record in enumerate(records, 1)
    )
    return Report("over", said + framed(PairDone(task.pair, task.attempt)))


@dataclass
class FakeClient(ClusterClient):
    """there: machines, each with what it makes of a task: a report, bytes, or None for silence."""

    there: dict[str, Callable[[PairTask], Report | bytes | None]] = field(default_factory=dict)
    looks: dict[str, bytes | str] = field(default_factory=dict)
    slots: int = 1
    gone: bool = False
    obeyed: list[tuple[str, bytes]] = field(default_factory=list)
    tasks: list[tuple[str, str, PairTask]] = field(default_factory=list)
    closed: bool = False
    stumbles: int = 0  # so many times nothing can be fetched

    def __post_init__(self) -> None:
        self.address = ADDRESS
        self.finished: Callable[[str], None] = lambda key: None
        self.results: dict[str, Returned] = {}

    def connected_by(self, address: str, finished: Callable[[str], None]) -> ClusterClient:
        self.finished = finished
        return self

    async def connect(self) -> None:
        if self.gone:
            raise NoCluster("the Dask scheduler cannot be reached")

    async def machines(self) -> list[Machine]:
        await trio.lowlevel.checkpoint()
        if self.gone:
            raise NoCluster("the Dask scheduler is gone")
        return [Machine(address, "tower", self.slots) for address in self.there]

    async def ask(
        self, function: Callable[..., object], addresses: Collection[str], *words: bytes
    ) -> Answers:
        await trio.lowlevel.checkpoint()
        if function is cluster_task.look:
            return {address: self.looks.get(address) or found_here(words[0]) for address in addresses}
        self.obeyed += [(address, words[1]) for address in addresses]
        return {}

    def submit(self, key: str, address: str, *words: bytes) -> None:
        task = task_of(read_order(words[0]).task)
        self.tasks.append((key, address, task))
        found = self.there[address](task)
        if found is not None:
            self.end(key, found if isinstance(found, bytes) else write(found))

    def end(self, key: str, data: bytes | None, *, deadly: bool = False) -> None:
        """A task has returned."""
        self.results[key] = Returned(key, data, "" if data else "it died", deadly)
        self.finished(key)

    async def fetch(
        self, keys: Collection[str], read: Callable[[Returned], _Read]
    ) -> list[tuple[Returned, _Read]]:
        await trio.lowlevel.checkpoint()
        if self.stumbles:
            self.stumbles -= 1
            raise NoCluster("the Dask scheduler is gone")
        found = [self.results.pop(key) for key in keys if key in self.results]
        return [(one, read(one)) for one in found]

    def drop(self, keys: Collection[str]) -> None:
        for key in keys:
            self.results.pop(key, None)

    async def close(self) -> None:
        self.closed = True


class Stage:
    """A coordinator that keeps everything at once, unless `keeping` is False; events are what it heard."""

    def __init__(self, plan: LadderPlan, client: FakeClient, *, concurrency: int = 64) -> None:
        self.tournament = Tournament(plan.tournament)
        self.client = client
        self.events: list[WorkerEvent] = []
        self.keeping = True
        self.playing = True
        self.sentences: list[str] = []
        self.manifest = manifest_of(plan, "0" * 64, "2031-05-06T07:08:09Z", Path.cwd())
        self.cluster = Cluster(
            ADDRESS,
            plan,
            Pace(concurrency, 1),
            self.manifest,
            self.hear,
            connect=client.connected_by,
            patience=5.0,
        )

    def hear(self, event: WorkerEvent) -> None:
        self.events.append(event)
        match event:
            case ResultIn():
                played = played_of(event.record)
                assert played is not None
                self.tournament.take(played)
                if self.keeping:
                    self.cluster.kept(event.worker, event.id)
            case UnreadyIn():
                self.tournament.unready(*event)
            case Lost() | GivenBack():
                for task in event.tasks:
                    self.tournament.returned(task)
            case Said():
                self.sentences.append(event.sentence)
            case Ended():
                return
        self.advance()

    def advance(self) -> None:
        """Hand out what there is room for; end when all is over."""
        if not self.playing:
            return
        while self.cluster.room > 0 and (task := self.tournament.next()) is not None:
            self.cluster.play(task)
        if self.tournament.over:
            self.playing = False
            self.cluster.finish()

    def count(self, kind: type[WorkerEvent]) -> int:
        return sum(isinstance(event, kind) for event in self.events)

    def done(self) -> list[tuple[int, int]]:
        return sorted((event.pair, event.attempt) for event in self.events if isinstance(event, PairDoneIn))
