"""The two ways to run a server: standing (`tyrusd serve`), and for one match (`tyrusd match`)."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from tyrusd.core.accounts import Accounts
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import News
from tyrusd.core.schedule import Entry, Schedule
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.host.assembly import Assembly, Beside
from tyrusd.host.ban_file import BanFile
from tyrusd.host.chronicle import Chronicle
from tyrusd.host.configuration.memory import told, worst_case
from tyrusd.host.configuration.reloading import Reloader
from tyrusd.host.confinement import USUAL, Confinement
from tyrusd.host.console import Console
from tyrusd.host.doorkeeper import Doorkeeper
from tyrusd.host.game_index import GameIndex, catch_up, hashes
from tyrusd.host.journal import JOURNAL, DataDirectory, FileJournal, Journal, MemoryJournal
from tyrusd.host.journal_rows import compare_beside
from tyrusd.host.lost_store import refuse_lost
from tyrusd.host.ports import NO_PORTS, Ports
from tyrusd.host.recovery import recover, unforeseen
from tyrusd.host.service_manager import ServiceManager
from tyrusd.host.shelf import LOGS, Shelf
from tyrusd.host.standing import Ratings
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError
from tyrusd.host.store_ratings import RatingStore
from tyrusd.league.clock import TimeControl
from tyrusd.league.standing_table import RatingTable
from tyrusd.rules.variants import Variant

GRACE: Final = 30.0  # seconds that running games get after the first signal
_PR_SET_DUMPABLE: Final = 4

_ENDINGS: Final = (signal.SIGTERM, signal.SIGINT)

_log = logging.getLogger("tyrusd.daemon")


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What to play; times are in the control, wait is seconds for a tcp seat to come or to come back."""

    entries: tuple[Entry, Entry]
    games: int
    seed: str
    variant: Variant
    control: TimeControl
    concurrency: int = 1
    wait: float = 60.0
    record: Path | None = None
    confinement: Confinement = USUAL
    max_restarts: int = 10
    ponder: bool = True
    settings: Settings = DEFAULTS


def logs_of(record: Path) -> Path:
    """Where the logs of a recorded match are: a directory beside its file."""
    return record.with_name(f"{record.name}.{LOGS}")


def hide_memory() -> None:
    """Keep other processes of this user, such as the bots, from reading our memory (on Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


@contextmanager
def _deaf_at_the_end() -> Iterator[None]:
    """Let signals do nothing once the assembly hears them no more: everything is ending already.

    They are ignored afterwards, because Python gives its own handlers up before the process is gone.
    """
    for number in (*_ENDINGS, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    try:
        yield
    finally:
        for number in (*_ENDINGS, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


async def serve(
    listeners: Sequence[socket.socket],
    data: Path,
    houses: Mapping[str, SeatSpec],
    ready: Callable[[], None],
    *,
    settings: Settings = DEFAULTS,
    grace: float = GRACE,
    confinement: Confinement = USUAL,
    guests: bool = True,
    reloader: Reloader | None = None,
    ports: Ports = NO_PORTS,
    ladder: LadderTerms | None = None,
) -> bool:
    """Serve the lobby until a signal ends it; whether everything was said and stored at the end.

    data: the directory of the journal and the store; guests: whether anybody may come without an account.
    reloader: what SIGHUP reads again; ports: those beside the listeners; ladder: the standing ladder, if
    there is one. ready is called when connections are accepted. Raises JournalError or StoreError before
    that, StorageLost (perhaps in a group) later.
    """
    hide_memory()
    signal.signal(signal.SIGHUP, lambda *_: None)  # it may come before there is anything to reload
    directory = DataDirectory(data)
    journal: FileJournal | None = None
    store: Store | None = None
    try:
        refuse_lost(data)
        store = Store(data)
        taken = store.keep_houses(houses)
        if taken:
            raise StoreError(f"{taken[0]} is an account in {store.path}: a bot needs another name")
        version, accounts = store.version(), store.accounts()  # in this order: nothing later is missed
        found = recover(data / JOURNAL, houses, settings, hashes(store))
        journal = found.journal
        caught_up = catch_up(store, found.missing)
        now = trio.current_time()
        lobby = Lobby(houses, accounts, guests, ladder)
        try:
            server = Server(lobby, os.urandom, now, time.time(), settings, found.recovered)
        except Exception as error:
            raise unforeseen(journal.path, error) from error
        del found  # what the server needs of a long journal it has now

        def take(newer: Accounts, at: float) -> None:
            server.step(lambda moment: lobby.admission.changed(newer, moment), at)

        take(accounts, now)  # whoever was in a game may have lost its key while no server ran
        bans = BanFile(data)
        for ban in bans.load():
            server.presence.bans.add(ban)
        console = Console(data, lobby.operator, bans)
        manager = ServiceManager()
        index = GameIndex(store, partial(compare_beside, data), caught_up)
        doorkeeper = Doorkeeper(store, version, accounts, take, houses=houses)
        lobby.admission.unknown = doorkeeper.look
        doorkeeper.on_reopened = index.compare_again
        beside: list[Beside] = [doorkeeper, console, Chronicle(), manager, index]
        ratings: Ratings | None = None
        if ladder is not None:

            def rated(table: RatingTable, at: float) -> None:
                server.step(lambda moment: lobby.standing.take(table, moment), at)

            ratings = Ratings(RatingStore(store), rated, ladder.anchors, lambda: server.settings)
            await ratings.first()  # or the first games would be as if nobody had met before
            beside.append(ratings)
        hangups: list[Callable[[], object]] = [manager.reloading]
        if reloader is not None:
            hangups.append(lambda: reloader.reload(server))
        kept: Journal = journal
        if ports.tls is not None:
            ports.tls.open_hosts = lambda: server.settings.open_hosts
            beside.append(ports.tls)
            hangups.append(ports.tls.reload)
        if ports.metrics:
            from tyrusd.host.metrics import Metrics  # wants an extra

            metrics = Metrics(server, lobby, ports, ratings, lambda: doorkeeper.lost)
            beside.append(metrics)
            kept = metrics.metered(journal)
        assembly = Assembly(
            server,
            kept,
            listeners,
            grace=grace,
            confinement=confinement.hiding(data),
            shelf=Shelf(data / LOGS),
            running=lambda: len(server.tables),
            beside=beside,
            hangups=[*hangups, manager.ready],
            on_ending=manager.stopping,
        )
        console.drain, console.reload = assembly.interrupt, assembly.reload
        if reloader is not None:
            console.waiting = lambda: reloader.waiting
        _log.info(
            "limits: %d connections, %d from one host (%s: no limit), data in %s",
            settings.connections_total,
            settings.connections_per_host,
            ", ".join(sorted(settings.open_hosts)),
            data,
        )
        memory = worst_case(settings, len(houses), confinement.limits.memory, ports.tls is not None)
        _log.info("%s", told(memory, settings))
        with _deaf_at_the_end():
            await assembly.run(ready)
            if ratings is not None:
                await ratings.last()
    finally:
        if journal is not None:
            journal.close()
        if store is not None:
            store.close()
        directory.close()
    return assembly.complete


async def run_match(
    plan: MatchPlan,
    listeners: Sequence[socket.socket],
    on_news: Callable[[News], None],
    ready: Callable[[], None],
) -> bool:
    """Play a match to its end; whether it got there (False: a signal ended it).

    Raises JournalError when the record cannot be opened, StorageLost (perhaps in a group) when it is lost.
    """
    hide_memory()
    journal = MemoryJournal() if plan.record is None else FileJournal(plan.record, new=True)
    logs = None if plan.record is None else logs_of(plan.record)
    confinement = plan.confinement
    try:
        if confinement.sandbox is not None and plan.record is not None and logs is not None:
            logs.mkdir(mode=0o700, exist_ok=True)  # or there would be nothing to hide yet
            confinement = confinement.hiding(plan.record, logs)
        schedule = Schedule(
            plan.entries,
            plan.games,
            plan.seed,
            plan.variant,
            plan.control,
            plan.concurrency,
            plan.wait,
            max_crashes=plan.max_restarts,
            ponder=plan.ponder,
        )
        server = Server(schedule, os.urandom, trio.current_time(), time.time(), plan.settings)
        # A match that is interrupted is not drained: its running games are aborted at once.
        assembly = Assembly(
            server,
            journal,
            listeners,
            grace=0.0,
            confinement=confinement,
            on_news=on_news,
            shelf=Shelf(logs, abnormal_only=True),
        )
        with _deaf_at_the_end():
            await assembly.run(ready)
    finally:
        journal.close()
        if logs is not None and confinement.sandbox is not None:
            with contextlib.suppress(OSError):
                logs.rmdir()  # only if nothing was put into it
    return not assembly.interrupted
