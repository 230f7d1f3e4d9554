"""Reads the directory of a run as a report needs it, also while the run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tyrusd.host.accounts import NoAccount, SeatAccount, read_log
from tyrusd.host.ladder.absent import is_running
from tyrusd.host.ladder.directory import LOGS
from tyrusd.host.ladder.manifest import manifest_object
from tyrusd.host.ladder.past import PastRun, read_run
from tyrusd.host.ladder.plan_text import plan_object
from tyrusd.host.shelf import log_file
from tyrusd.league.match import FORFEITS
from tyrusd.league.schema import Payload
from tyrusd.screen.report.facts import Data, Failure
from tyrusd.screen.report.selection import ABNORMAL

_HIDDEN = "not shown before the run is over"


class ShownRun(NamedTuple):
    """A run as a report shows it.

    games: the records of its finished games. over: nothing more is played in it, so that its seed may be
    known.
    """

    past: PastRun
    games: list[Payload]
    over: bool

    def plan_data(self) -> dict[str, Any]:
        """The plan as plain data; the seed tells every deal, so it is there only when the run is over."""
        found = plan_object(self.past.plan)
        return found if self.over else {**found, "seed": _HIDDEN}

    def manifest_data(self) -> dict[str, Any]:
        """The manifest as plain data; the hash of the plan could prove a guess at a typed seed right."""
        found = manifest_object(self.past.manifest)
        return found if self.over else {**found, "plan": _HIDDEN}

    def once(self, record: Data) -> bool:
        """Whether the deal of a game was to be played only once."""
        return not self.past.tournament.twins(tuple(record["game"]["seats"].values()))


def shown_run(directory: Path, *, ours: bool = False) -> ShownRun:
    """Read a run; raises DirectoryError with a sentence. ours: this process has played it, and is done."""
    running = not ours and is_running(directory)
    past = read_run(directory)
    games = {record["id"]: record for record in past.records if record["kind"] == "game"}
    # A share of a ladder has the seed of the others, which may still be played.
    over = past.tournament.over and not running and past.plan.tournament.shard is None
    over = over and not past.tournament.standing()["pairs"]["incomplete"]
    return ShownRun(past, [game for game in games.values() if game.get("ladder") is not None], over)


def failures_of(run: ShownRun, opened: set[str], prefix: str) -> Iterator[Failure]:
    """Yield what went wrong in a run: bots that were never ready, then games in the order of the journal.

    opened: the ids of the games that may be shown. prefix: what the ids of this run begin with.
    """
    for record in run.past.records:
        if record["kind"] == "unready":
            where = f"{prefix}pair {record['pair']}, attempt {record['attempt']}"
            yield Failure(where, record["bot"], "", "", "unready", record["why"], sealed=False)
    for game in run.games:
        if game["game"]["reason"] in ABNORMAL:
            yield _failed(run, game, game["id"] not in opened, prefix)


def _failed(run: ShownRun, record: Payload, sealed: bool, prefix: str) -> Failure:
    game = record["game"]
    at_fault = game["reason"] in FORFEITS and game["winner"] is not None
    side = {"ivory": "brown", "brown": "ivory"}[game["winner"]] if at_fault else "ivory"
    other = "brown" if side == "ivory" else "ivory"
    seat, log = (None, None) if sealed else _log(run.past.path, record["id"], side)
    return Failure(
        f"{prefix}{record['id']}",
        game["seats"][side],
        game["seats"][other],
        side if at_fault else "",
        game["reason"],
        "" if sealed else game["detail"],
        sealed,
        () if seat is None else [f"{line.ms:8d} {line.direction} {line.text}" for line in seat.broken],
        () if seat is None else seat.last_words,
        log,
    )


def _log(directory: Path, game: str, side: str) -> tuple[SeatAccount | None, str | None]:
    try:
        path = log_file(directory / LOGS, game)
    except ValueError:
        return None, None
    if not path.is_file():
        return None, None
    shown = f"{directory.resolve().name}/{LOGS}/{path.name}"
    try:
        return read_log(path).get(side), shown
    except NoAccount:  # the file is there for who wants to look, but it is not as it should be
        return None, shown
