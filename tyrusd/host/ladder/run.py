"""A run that is open: its directory, its journal, and the tournament that its records add up to."""

from __future__ import annotations

import logging

from tyrusd import __version__
from tyrusd.host.journal import FileJournal, JournalError
from tyrusd.host.ladder.directory import RunDirectory, utc_now
from tyrusd.host.ladder.machine import machine
from tyrusd.host.ladder.manifest import Machine, machines_of
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.played import Played, played_of
from tyrusd.league.tournament.task import Place
from tyrusd.league.tournament.tournament import Deals, Tournament

_log = logging.getLogger("tyrusd.ladder")


class LadderRun:
    """What `open_run` returns.

    tournament: with all that was played before. known: the games that the journal holds. games: how many of
    them were there when it was opened. results: how many of all are not void.
    """

    def __init__(
        self, directory: RunDirectory, journal: FileJournal, tournament: Tournament, found: list[Payload]
    ) -> None:
        self.directory = directory
        self.journal = journal
        self.tournament = tournament
        self.known: set[Place] = set()
        self.results = 0
        for record in found:
            if record["kind"] == "game":
                played = played_of(record)
                if played is not None:
                    self.known.add(played.place)
                    self.results += played.counts
        self.games = len(self.known)
        self._machines = dict.fromkeys(machines_of(found))

    def beginning(self) -> Payload:
        """The record of a start of this run, here and now."""
        host, cpu = machine()
        self._machines[Machine(host, cpu)] = None
        return {
            "kind": "run",
            "started": utc_now(),
            "version": __version__,
            "host": host,
            "cpu": cpu,
            "stops": self.tournament.stops,
        }

    def choose(self, stop_on_crash: bool | None) -> list[Happening]:
        """Let a crash end the run or not, before it begins; None leaves that as it was."""
        return [] if stop_on_crash is None else self.tournament.stop_on_crash(stop_on_crash)

    def dropped(self, bot: str) -> Payload:
        """The record of a bot that is taken out now."""
        return {"kind": "dropped", "bot": bot, "at": utc_now()}

    def count(self, record: Payload, played: Played) -> None:
        """Count a game that is on the disk now, and remember its machine."""
        self.results += played.counts
        self._machines.update(dict.fromkeys(machines_of([record])))

    def note_machines(self) -> None:
        """Write the machines into the manifest; when that fails, the log says so: the records have them."""
        try:
            self.directory.note_machines(list(self._machines))
        except OSError as error:
            _log.warning("the manifest cannot be written: %s", error.strerror)

    def close(self) -> None:
        """Close the journal and let others use the directory."""
        self.journal.close()
        self.directory.close()


def _deals(plan: LadderPlan) -> Deals | None:
    deals = plan.deals
    return None if deals is None else lambda pair: deals[pair - 1] if pair <= len(deals) else None


def open_run(directory: RunDirectory) -> LadderRun:
    """Open the journal of a directory and add it up.

    Raises JournalError, and nothing is changed, when it is damaged or its records are not of this plan;
    the directory stays open then.
    """
    journal = directory.journal()
    found = [payload for _, payload in journal.found]
    try:
        journal.found.clear()  # what is known of it now is enough
        plan = directory.plan
        try:
            tournament = tournament_of(plan.tournament, found, _deals(plan))
        except ValueError as error:
            raise JournalError(
                f"{journal.path}: {error}; nothing was changed. Restore it from a copy, or begin a new run"
            ) from error
        return LadderRun(directory, journal, tournament, found)
    except BaseException:
        journal.close()
        raise
