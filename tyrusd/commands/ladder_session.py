"""One sitting of a ladder: opens what it wants, plays, tells, and says at the end how to go on."""

from __future__ import annotations

import logging
import os
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tyrusd import __version__
from tyrusd.commands.ladder_beginning import beginning
from tyrusd.commands.ladder_closing import Closing
from tyrusd.commands.ladder_ending import verdict_of
from tyrusd.commands.ladder_events import SCHEMA, Events, open_events
from tyrusd.commands.ladder_hidden import hidden_from_bots
from tyrusd.commands.ladder_outcomes import Outcomes, played_before
from tyrusd.commands.ladder_plan import processors
from tyrusd.commands.ladder_progress import Meter, PlainProgress, RichProgress
from tyrusd.commands.ladder_table import statistics_of, table_of
from tyrusd.commands.ladder_telling import Telling
from tyrusd.commands.ladder_voice import LogStream, Voice
from tyrusd.commands.running import Failure, Interruption, run, usage
from tyrusd.host import logs
from tyrusd.league.tournament.remaining import games_left

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from tyrusd.commands.ladder_options import Typed
    from tyrusd.host.ladder.crewing import Crewing, WorkerEvent
    from tyrusd.host.ladder.directory import RunDirectory
    from tyrusd.host.ladder.news import RunEnd
    from tyrusd.host.ladder.plan import Pace
    from tyrusd.host.ladder.run import LadderRun
    from tyrusd.league.tournament.happenings import Happening


class Session:
    """Plays a run that is begun or resumed; where: its directory as it was typed."""

    def __init__(self, wishes: Typed, directory: RunDirectory, where: Path, pace: Pace) -> None:
        self._wishes = wishes
        self._directory = directory
        self._plan = directory.plan
        self._where = where
        self._pace = pace
        self._apart = wishes.as_json or wishes.events == "-"  # stdout is for a program
        self._out = sys.stderr if self._apart else sys.stdout
        self._voice = Voice(self._out, sys.stderr)
        logs.configure(logging.WARNING, stamped=False, stream=LogStream(self._voice))
        self._events: Events | None = None
        self._opening: list[Happening] = []  # of a run that goes on although a crash has stopped it

    def play(self) -> int:
        """Play and tell; the exit code."""
        from tyrusd.host.ladder.held import held_back

        with held_back():
            return self._play()

    def _play(self) -> int:
        from tyrusd.host.journal import JournalError
        from tyrusd.host.ladder.run import open_run

        try:
            ladder = open_run(self._directory)
        except JournalError as error:
            raise Failure(str(error)) from error
        self._opening = ladder.choose(self._wishes.stop_on_crash if self._wishes.resume is not None else None)
        listeners: list[socket.socket] = []
        try:
            self._open_events()
            keys = self._keys()
            if keys:
                from tyrusd.commands.listening import open_port

                listeners = open_port(self._wishes.listen, self._wishes.allow_plaintext)
            return self._played(ladder, listeners, keys)
        finally:
            for listener in listeners:
                listener.close()
            ladder.journal.close()
            if self._events is not None:
                self._events.close()

    def _open_events(self) -> None:
        where = self._wishes.events
        if where is None:
            return
        from tyrusd.host.ladder.directory import utc_now

        try:
            stream = open_events(where, resumed=self._wishes.resume is not None)
        except OSError as error:
            usage(f"--events {where} cannot be written: {error.strerror}")
        self._events = Events(stream, utc_now, self._voice.note)

    def _keys(self) -> dict[str, str]:
        import secrets

        names = [entrant.name for entrant in self._plan.entrants if entrant.seat.kind == "tcp"]
        return {name: secrets.token_urlsafe(32) for name in names}

    # -- the run -----------------------------------------------------------------------------------------

    def _played(self, ladder: LadderRun, listeners: list[socket.socket], keys: dict[str, str]) -> int:
        left = games_left(ladder.tournament)
        meter = Meter(None if left is None else ladder.games + left, ladder.games, time.monotonic)
        self._begin(ladder)
        progress: PlainProgress | RichProgress
        if sys.stderr.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown"):
            progress = RichProgress(meter, sys.stderr, time.monotonic)
            self._voice.display = progress
        else:
            progress = PlainProgress(meter, self._voice.note)
        telling = self._telling(ladder, meter, progress)
        for happening in self._opening if ladder.games else ladder.tournament.opening:
            from tyrusd.host.ladder.news import Happened

            telling.take(Happened(happening))
        from tyrusd.host.ladder.news import RunEnd

        end: RunEnd | None = None
        trouble: str | None = None
        try:
            end = run(lambda: self._run(ladder, listeners, keys, telling))
        except Interruption:
            end = RunEnd(complete=False, interrupted=True, failure=None, why=None)
        except Failure as failure:
            trouble = failure.message
        finally:
            progress.close()
            self._voice.display = None
        verdict = verdict_of(end, trouble, self._plan.tournament, ladder.tournament)
        wishes = self._wishes
        if telling.concurrency is not None:  # whoever goes on wants what was set last
            wishes = replace(wishes, concurrency=telling.concurrency)
        closing = Closing(wishes, self._directory, self._where, self._voice, self._events, self._out)
        return closing.finish(ladder, verdict)

    async def _run(
        self, ladder: LadderRun, listeners: list[socket.socket], keys: dict[str, str], telling: Telling
    ) -> RunEnd:
        from tyrusd.host.daemon import hide_memory
        from tyrusd.host.ladder.coordinator import run_ladder
        from tyrusd.host.ladder.pool import Pool

        hide_memory()
        hidden = hidden_from_bots(self._wishes, self._directory)

        def crewing(on_event: Callable[[WorkerEvent], None]) -> Crewing:
            if self._wishes.dask is not None:
                from tyrusd.host.ladder.cluster import Cluster

                address, manifest = self._wishes.dask, self._directory.manifest
                return Cluster(address, self._plan, self._pace, manifest, on_event, hidden=hidden)
            return Pool(self._plan, self._pace, listeners, on_event, keys=keys, hidden=hidden)

        def ready() -> None:
            self._tell_seats(listeners, keys)

        return await run_ladder(ladder, crewing, self._pace, telling.take, ready)

    def _telling(self, ladder: LadderRun, meter: Meter, progress: PlainProgress | RichProgress) -> Telling:
        entrants = self._plan.tournament.entrants
        directory = self._where
        return Telling(
            self._voice,
            self._events,
            meter,
            progress,
            Outcomes(entrants, played_before(ladder.tournament)),
            rating_interval=self._wishes.ratinginterval,
            outcome_interval=self._wishes.outcomeinterval,
            game_lines=self._wishes.game_lines,
            left=lambda: games_left(ladder.tournament),
            standings=lambda: self._standings(ladder),
            sprt=lambda: ladder.tournament.verdicts.test,
            journal=lambda: self._journal_size(ladder),
            room=self._room,
            why=lambda game: f"tyrusd why {game} --data {shlex.quote(str(directory))}",
            clock=time.monotonic,
        )

    def _journal_size(self, ladder: LadderRun) -> int:
        try:
            return ladder.journal.path.stat().st_size
        except OSError:
            return 0

    def _room(self) -> int | None:
        """Bytes that the disk of the run has left."""
        try:
            found = os.statvfs(self._directory.path)
        except OSError:
            return None
        return found.f_bavail * found.f_frsize

    # -- what is said ------------------------------------------------------------------------------------

    def _begin(self, ladder: LadderRun) -> None:
        plan, pace, terms = self._plan, self._pace, self._plan.tournament
        chosen = self._wishes.stop_on_crash is not None
        cluster = self._wishes.dask
        stops = ladder.tournament.stops
        first = beginning(plan, pace, processors(), stops=stops, chosen=chosen, cluster=cluster)
        self._voice.lines(*first)
        if self._wishes.resume is not None:
            self._voice.line(f"{ladder.games} games were played before")
        self._voice.line(f"everything is kept in {self._where}")
        self._event(
            "begin",
            schema=SCHEMA,
            version=__version__,
            directory=str(self._directory.path),
            resumed=self._wishes.resume is not None,
            tournament=terms.kind,
            entrants=[
                {
                    "name": entrant.name,
                    "seat": str(entrant.seat),
                    "clock": entrant.control.clock_text,
                    "cap": entrant.control.cap_text,
                }
                for entrant in plan.entrants
            ],
            rounds=terms.rounds,
            games=terms.games,
            pairs=ladder.tournament.total_pairs,
            played=ladder.games,
            concurrency=pace.concurrency,
            workers=pace.workers,
            sandbox=plan.sandbox,
            stop_on_crash=stops,
        )

    def _tell_seats(self, listeners: list[socket.socket], keys: dict[str, str]) -> None:
        from tyrusd.host.addresses import bound_addresses

        addresses = [(address.host, address.port) for address in bound_addresses(listeners)]
        for host, port in addresses if keys else ():
            self._voice.line(f"listening {host} {port}")
        for name, key in keys.items():
            self._voice.line(f"seat {name} key {key}")
            self._event("seat", bot=name, key=key, addresses=[list(address) for address in addresses])

    def _standings(self, ladder: LadderRun) -> None:
        statistics = statistics_of(ladder)
        games = sum(row["games"] for row in statistics["entrants"]) // 2
        self._voice.line(f"standings after {games} games, those of complete pairs:")
        self._voice.lines(*table_of(statistics, self._wishes.resultformat, self._out))
        self._event(
            "standings",
            games=sum(row["games"] for row in statistics["entrants"]) // 2,
            entrants=[_short(row) for row in statistics["entrants"]],
        )

    def _event(self, name: str, /, **fields: Any) -> None:
        if self._events is not None:
            self._events.tell(name, **fields)


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the statistics as an event has it."""
    kept = ("name", "rank", "games", "points", "score", "wins", "losses", "draws", "rating", "state")
    return {key: row[key] for key in kept}
