"""Metrics and health of a running server over HTTP, for programs that watch over it."""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import trio
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client import Counter as CounterMetric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from tyrusd import __version__
from tyrusd.core.counts import COUNTED
from tyrusd.core.lobby import Lobby
from tyrusd.core.server import Server
from tyrusd.host.engine import Engine
from tyrusd.host.http import Page, plain_page, serve_http
from tyrusd.host.journal import Journal
from tyrusd.host.met import counted
from tyrusd.host.metrics_table import BY_NAME
from tyrusd.host.ports import Ports
from tyrusd.host.standing import Ratings
from tyrusd.league.standing_table import RatingTable
from tyrusd.wire import Phase

INTERVAL: Final = 0.25  # seconds between two looks at how late the loop is
STALL: Final = 0.1  # seconds of lag that are a stall
_BUCKETS: Final = (0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0)
_TASKS: Final = Path("/proc/self/task")

_Values = Mapping[tuple[str, ...], float]


class MeteredJournal:
    """A journal whose appends and syncs are measured; it is used as the journal itself."""

    def __init__(self, journal: Journal, registry: CollectorRegistry) -> None:
        self._journal = journal
        self.durable = journal.durable
        self._append = _histogram("tyrusd_journal_append_seconds", registry)
        self._sync = _histogram("tyrusd_journal_sync_seconds", registry)
        self._bytes = _counter("tyrusd_journal_bytes_total", registry)
        self._failures = _counter("tyrusd_journal_failures_total", registry)

    def append(self, frames: Sequence[bytes]) -> None:
        """Append, and count what was appended."""
        with self._measured("append", self._append):
            self._journal.append(frames)
        self._bytes.inc(sum(map(len, frames)))

    def sync(self) -> None:
        """Sync; a worker thread calls it."""
        with self._measured("sync", self._sync):
            self._journal.sync()

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    @contextlib.contextmanager
    def _measured(self, step: str, histogram: Histogram) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        except OSError:
            self._failures.labels(step).inc()
            raise
        finally:
            histogram.observe(time.perf_counter() - began)


class Metrics(Collector):
    """Works beside a server, and answers on its sockets for metrics."""

    def __init__(
        self,
        server: Server,
        lobby: Lobby,
        ports: Ports,
        ratings: Ratings | None = None,
        store_lost: Callable[[], bool] = lambda: False,
    ) -> None:
        """Ratings: of a server that has a ladder; store_lost: whether that of the accounts is gone."""
        self._server = server
        self._store_lost = store_lost
        self._ratings = ratings
        self._lobby = lobby
        self._ports = ports
        self._engine: Engine | None = None
        self.registry = CollectorRegistry()
        self._lag = _histogram("tyrusd_loop_lag_seconds", self.registry)
        self._stalls = _counter("tyrusd_loop_stalls_total", self.registry)
        ProcessCollector(registry=self.registry)
        self.registry.register(self)

    def metered(self, journal: Journal) -> Journal:
        """Return a journal that does what this one does, and is measured."""
        return MeteredJournal(journal, self.registry)

    def attach(self, engine: Engine) -> None:
        """Learn the engine."""
        self._engine = engine

    async def run(self) -> None:
        """Serve until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_http, self._ports.metrics, self.page)
            nursery.start_soon(self._look_at_the_loop)

    async def _look_at_the_loop(self) -> None:
        while True:
            due = trio.current_time() + INTERVAL
            await trio.sleep_until(due)
            lag = max(0.0, trio.current_time() - due)
            self._lag.observe(lag)
            if lag > STALL:
                self._stalls.inc()

    # -- pages ---------------------------------------------------------------------------------------------

    def page(self, path: str) -> Page | None:
        """The page of a path."""
        if path == "/metrics":
            return Page(200, CONTENT_TYPE_LATEST, generate_latest(self.registry))
        if path == "/health":
            return self._health()
        if path == "/":
            return plain_page(200, "/metrics and /health are here")
        return None

    def _health(self) -> Page:
        """Whether games can begin, and results and logins be kept; by its status a balancer knows."""
        state = "closing" if self._server.closing_down.begun else "storage" if self._unwell() else "ok"
        body = json.dumps({"status": state}).encode() + b"\n"
        return Page(200 if state == "ok" else 503, "application/json", body)

    def _unwell(self) -> bool:
        return self._troubled() or self._store_lost()

    def _troubled(self) -> bool:
        return self._server.storing.troubled or (self._engine is not None and self._engine.held)

    # -- values --------------------------------------------------------------------------------------------

    def collect(self) -> Iterable[Family]:
        """Every metric that is read off the server when somebody asks."""
        server, counts = self._server, self._server.counts
        states = Counter(
            "closing" if session.closing else "new" if session.phase is Phase.NEW else "in"
            for session in server.sessions.values()
        )
        away = sum(player.session is None for player in server.players.values())
        running = sum(table.ending is None for table in server.tables.values())
        yield _family("tyrusd_info", {(__version__,): 1})
        yield _family("tyrusd_connections_opened_total", {(): counts.connections})
        yield _family("tyrusd_connections", {(state,): states[state] for state in ("new", "in", "closing")})
        yield _family("tyrusd_players", {("here",): len(server.players) - away, ("away",): away})
        yield _family("tyrusd_logins_total", dict(counts.logins.items()))
        yield _family("tyrusd_games", {("running",): running, ("ending",): len(server.tables) - running})
        yield _family("tyrusd_results_total", _labelled(counts.results))
        yield _family("tyrusd_errors_total", _labelled(counts.errors))
        yield _family("tyrusd_goodbyes_total", _labelled(counts.goodbyes))
        limits = dict.fromkeys(COUNTED, 0) | counts.limits
        for limit, times in counted().items():
            limits[limit] = limits.get(limit, 0) + times
        yield _family("tyrusd_limits_total", _labelled(limits))
        yield _family("tyrusd_heartbeats_total", {(): counts.heartbeats})
        tls = self._ports.tls
        yield _family("tyrusd_tls_failures_total", {(): 0 if tls is None else tls.failed})
        yield _family("tyrusd_paused", {(): self._lobby.paused})
        yield _family("tyrusd_closing", {(): server.closing_down.begun})
        yield _family("tyrusd_storage_troubled", {(): self._troubled()})
        yield _family("tyrusd_store_lost", {(): self._store_lost()})
        table = RatingTable() if self._ratings is None else self._ratings.table
        done, failed = (0, 0) if self._ratings is None else (self._ratings.fits, self._ratings.failed)
        yield _family("tyrusd_ladder_games", {(): table.games})
        yield _family("tyrusd_ladder_versions", {(): len(table.rows)})
        yield _family("tyrusd_ladder_fits_total", {("done",): done, ("failed",): failed})
        yield _family("tyrusd_programs", {(): len(server.bots)})
        yield _family("tyrusd_children", _children())


def _labelled(counter: Mapping[str, int]) -> _Values:
    return {(word,): count for word, count in counter.items()}


def _family(name: str, values: _Values) -> Family:
    metric = BY_NAME[name]
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = kind(name.removesuffix("_total"), metric.meaning, labels=metric.labels)
    for labels, value in sorted(values.items()):
        family.add_metric(labels, float(value))
    return family


def _children() -> _Values:
    """How many child processes there are; nothing where the system does not tell."""
    try:
        found = [task.joinpath("children").read_text().split() for task in _TASKS.iterdir()]
    except OSError:
        return {}
    return {(): sum(map(len, found))}


def _histogram(name: str, registry: CollectorRegistry) -> Histogram:
    return Histogram(name, BY_NAME[name].meaning, registry=registry, buckets=_BUCKETS)


def _counter(name: str, registry: CollectorRegistry) -> CounterMetric:
    metric = BY_NAME[name]
    return CounterMetric(name, metric.meaning, metric.labels, registry=registry)
