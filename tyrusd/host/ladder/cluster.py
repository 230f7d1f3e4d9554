"""Workers on many machines, behind a Dask scheduler: pairs go out as tasks, reports of them come back.

A task names its run, pair and attempt, and may run as often as it likes: what comes back is counted once, by
the key under which it was handed out last. A machine gets none before it was found to have the same tyrusd,
Python and bots as the manifest says; what it returns is checked as what a stranger says.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio
from msgspec import structs

from tyrusd.host.ladder import cluster_task
from tyrusd.host.ladder.cluster_client import ClusterClient, NoCluster, Returned
from tyrusd.host.ladder.cluster_fleet import DEATHS, Fleet, Held
from tyrusd.host.ladder.cluster_outbox import Outbox
from tyrusd.host.ladder.cluster_report import Checked, Order, read_report, write
from tyrusd.host.ladder.cluster_watch import PATIENCE, Watch
from tyrusd.host.ladder.crewing import (
    CrewLost,
    Ended,
    GivenBack,
    Lost,
    Said,
    UnreadyIn,
    WorkerEvent,
)
from tyrusd.host.ladder.manifest import Manifest, write_manifest
from tyrusd.host.ladder.outfit import outfits
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.terms import task_words
from tyrusd.host.logs import escaped
from tyrusd.league.tournament.task import PairTask

_REMEMBERED: Final = 4096  # games of which a log may come late
FAREWELL: Final = 10.0  # seconds for machines to hear that it is over
"""The end of a run is told to every machine; one that does not hear it ends its bots when they are idle."""


class Cluster:
    """A Crewing of all machines of a Dask cluster, which may come and go.

    address: of the scheduler. manifest: that of the run. hidden: what bots in a sandbox must not see, on
    whatever machine. connect: makes the connection, to be replaced in tests.
    """

    def __init__(
        self,
        address: str,
        plan: LadderPlan,
        pace: Pace,
        manifest: Manifest,
        on_event: Callable[[WorkerEvent], None],
        *,
        hidden: Sequence[Path] = (),
        connect: Callable[[str, Callable[[str], None]], ClusterClient] = ClusterClient,
        patience: float = PATIENCE,
    ) -> None:
        self._on_event = on_event
        self._plan = plan
        self._entrants = {entrant.name: entrant for entrant in plan.entrants}
        self._text = write_manifest(manifest)
        (outfit,) = outfits(plan, Pace(1, 1), (), {}, hidden, Path(manifest.directory))
        self._setup = structs.replace(outfit, concurrency=1)
        self._run_name = secrets.token_hex(8)
        self._client = connect(address, self._ended_task)
        self._fleet = Fleet(pace.concurrency)
        self._watch = Watch(self._client, self._fleet, manifest, patience)
        self._tasks = 0
        self._outbox = Outbox(on_event, self._wake)
        self._ended: list[str] = []
        self._words: list[bytes] = []
        self._wanted = True
        self._finishing = self._aborting = False
        self._trouble: str | None = None
        self._work = trio.Event()
        self._over = trio.Event()
        self._earlier: dict[str, None] = {}  # games that were handed out, in order

    # -- what the coordinator calls ------------------------------------------------------------------------

    @property
    def room(self) -> int:
        """How many more games may be handed out now."""
        if not self._wanted or self._finishing or self._aborting or self._fleet.concurrency < 1:
            return 0
        return self._fleet.free * (2 if self._plan.tournament.games == 2 else 1)

    @property
    def outstanding(self) -> int:
        """How many games of the tasks that are handed out have no result yet."""
        return sum(len(held.task.games) for held in self._fleet.held)

    def play(self, task: PairTask) -> None:
        """Hand a pair to the machine that has most to spare."""
        address = self._fleet.choose(task)
        if address is None:
            self.later(Lost((task,), "no machine of the cluster is there"))
            return
        self._tasks += 1
        key = f"tyrusd-{self._run_name}-p{task.pair}-{task.attempt}-{self._tasks}"
        order = Order(self._run_name, self._text, self._setup, task_words(task))
        try:
            self._client.submit(key, address, write(order))
        except NoCluster as error:
            self.later(Lost((task,), str(error)))
            return
        self._fleet.hold(Held(key, task, address))
        for game in task.games:
            self._earlier[task.place(game).game_id] = None
        while len(self._earlier) > _REMEMBERED:
            del self._earlier[next(iter(self._earlier))]

    def kept(self, worker: int, result: int) -> None:
        """The result is durable; its bots have heard it long ago."""
        self._outbox.kept(result)

    def limit(self, concurrency: int) -> None:
        """Play so many games at a time from now on; more than the machines have places for are not played."""
        before, self._fleet.concurrency = self._fleet.concurrency, concurrency
        if (before < 1) != (concurrency < 1):
            self._say(cluster_task.HOLD if concurrency < 1 else cluster_task.GO)

    def withdraw(self) -> None:
        """Begin no game any more."""
        self._wanted = False
        self._say(cluster_task.WITHDRAW)

    def finish(self) -> None:
        """End when all that is handed out is over."""
        self._finishing = True
        self._work.set()

    def abort(self) -> None:
        """End at once; machines are told to stop their bots, and nothing of them is heard any more."""
        self._aborting = True
        self._over.set()

    # -- the tasks -----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until `finish` or `abort` has been carried out. Raises CrewLost."""
        try:
            await self._client.connect()
        except NoCluster as error:
            raise CrewLost(str(error)) from error
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch.run, self)
                nursery.start_soon(self._serve)
                await self._over.wait()
                nursery.cancel_scope.cancel()
        finally:
            with trio.move_on_after(FAREWELL, shield=True):
                await self._farewell()
            await self._client.close()
        self._outbox.tell()
        if self._trouble is not None and not self._aborting:
            raise CrewLost(self._trouble)
        self._on_event(Ended())

    async def _serve(self) -> None:
        """Tell what there is to tell, fetch what has ended, pass on what the coordinator wants."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            words, self._words = self._words, []
            for word in words:
                await self._spread(word)
            ended, self._ended = self._ended, []
            if ended:
                await self._fetch(ended)
            self._outbox.tell()
            if self._finishing and not self._fleet.held and self._outbox.empty:
                self._over.set()

    async def _fetch(self, keys: Sequence[str]) -> None:
        tasks = {key: held.task for key in keys if (held := self._fleet.find(key))}
        try:
            # Every record is played again to see whether it can be true: not here, where others wait.
            found = await self._client.fetch(list(tasks), lambda one: self._check(one, tasks[one.key]))
        except NoCluster as error:
            lost = [held for key in tasks if (held := self._fleet.find(key))]
            for held in lost:
                self._fleet.release(held)
            if lost:
                self.later(Lost(tuple([held.task for held in lost]), str(error)))
            return
        for one, checked in found:
            held = self._fleet.find(one.key)  # it may have been lost meanwhile: then it is played again
            if held is not None:
                self._take(held, one, checked)

    def _check(self, one: Returned, task: PairTask) -> Checked | str | None:
        """The checked report; a clause where it cannot be one; None where there is none."""
        if one.data is None:
            return None
        try:
            return read_report(one.data, task, self._entrants, self._plan.variant.name, self._earlier)
        except ValueError as problem:
            return escaped(str(problem))

    def _take(self, held: Held, one: Returned, checked: Checked | str | None) -> None:
        """Make events of what became of a task."""
        fleet, task, host = self._fleet, held.task, self._fleet.host(held.address)
        if isinstance(checked, str):
            self.refuse(held.address, f"{host} has returned what was not asked for: {checked}")
            return
        fleet.release(held)
        if checked is None:
            self._died(
                [task], f"{host} has returned nothing: {escaped(one.why)}", DEATHS if one.deadly else 1
            )
            return
        self._outbox.report(task, fleet.number(held.address), host, checked)
        why = escaped(checked.why)
        if checked.unready is not None:
            fleet.played(task)
            self.later(UnreadyIn(task.pair, task.attempt, checked.unready.bot, checked.unready.why))
        elif len(checked.games) == len(task.games):
            fleet.played(task)
            self._outbox.done(task)
        elif checked.fate == "differs":
            self.later(Lost((task,), f"{host} may not play: {why}"))
            self.refuse(held.address, f"{host} may not play: {why}")
        elif checked.fate == "returned":
            ended = {game.record["ladder"]["game"] for game in checked.games}
            left = tuple([game for game in task.games if game not in ended])
            self.later(GivenBack((replace(task, games=left),)))
        else:
            self._died([task], f"{host}: {why}")

    def _died(self, tasks: Sequence[PairTask], why: str, times: int = 1) -> None:
        """What played these pairs is gone: they are played again, but not for ever."""
        lost = []
        for task in tasks:
            if self._fleet.died(task, times):
                # Nobody knows which bot did it; the record needs a name.
                words = f"its pair has ended {DEATHS} times what played it; the last time: {why}"
                self.later(UnreadyIn(task.pair, task.attempt, task.first, words[:4096]))
            else:
                lost.append(task)
        if lost:
            self.later(Lost(tuple(lost), why))
        self._work.set()

    # -- who is there --------------------------------------------------------------------------------------

    def refuse(self, address: str, sentence: str) -> None:
        """Hand nothing to a machine any more, and say why; what it had is played elsewhere."""
        self._watch.refused[address] = sentence
        held = self._fleet.remove(address)
        self._client.drop([one.key for one in held])
        self.later(Said(sentence))
        if held:
            self.later(Lost(tuple([one.task for one in held]), sentence))
        self._work.set()

    def lose(self, address: str) -> None:
        """A machine is gone with what it had."""
        host = self._fleet.host(address)
        held = self._fleet.remove(address)
        self._client.drop([one.key for one in held])
        self._died([one.task for one in held], f"{host} is gone")

    def give_up(self, sentence: str) -> None:
        """End the run, since it cannot go on."""
        self._trouble = sentence
        self._over.set()

    # -- words ---------------------------------------------------------------------------------------------

    def _ended_task(self, key: str) -> None:
        self._ended.append(key)
        self._work.set()

    def _say(self, word: bytes) -> None:
        self._words.append(word)
        self._work.set()

    def later(self, event: WorkerEvent) -> None:
        """Tell an event soon, outside of any call."""
        self._outbox.say(event)

    def _wake(self) -> None:
        self._work.set()

    async def _spread(self, word: bytes) -> None:
        try:
            await self._client.ask(
                cluster_task.obey, self._fleet.addresses, self._run_name.encode("ascii"), word
            )
        except NoCluster:
            return  # whoever cannot be told is lost, or ends when nothing comes any more

    async def _farewell(self) -> None:
        self._client.drop([held.key for held in self._fleet.held])
        if self._fleet:
            await self._spread(cluster_task.CLOSE)
