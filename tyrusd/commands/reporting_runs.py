"""Reads the directory of a run as a report needs it, also while the run goes on."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tyrusd.commands.running import Failure
from tyrusd.host.accounts import NoAccount, SeatAccount, read_log
from tyrusd.host.journal import JOURNAL
from tyrusd.host.ladder.directory import LOGS, DirectoryError, look
from tyrusd.host.ladder.manifest import manifest_object
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.host.ladder.plan_text import plan_object
from tyrusd.host.ladder.refusals import LOCK_FILE
from tyrusd.host.shelf import log_file
from tyrusd.league.fold import fold
from tyrusd.league.match import FORFEITS
from tyrusd.league.record import BadRecord, Payload, whole_frames
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.tournament import Tournament
from tyrusd.rules.deal import Deal
from tyrusd.screen.report.facts import Data
from tyrusd.screen.report.facts import Failure as Failed
from tyrusd.screen.report.selection import ABNORMAL

_HIDDEN = "not shown before the run is over"


class ReadRun(NamedTuple):
    """A run as its directory tells of it.

    payloads: all records of the journal, in its order. games: those of finished games. over: nothing more
    is played in it, so that its seed may be known.
    """

    directory: Path
    plan: LadderPlan
    manifest: dict[str, Any]
    payloads: list[Payload]
    games: list[Payload]
    tournament: Tournament
    over: bool

    def plan_data(self) -> dict[str, Any]:
        """The plan as plain data; the seed tells every deal, so it is there only when the run is over."""
        found = plan_object(self.plan)
        return found if self.over else {**found, "seed": _HIDDEN}

    def once(self, record: Data) -> bool:
        """Whether the deal of a game was to be played only once."""
        return not self.tournament.twins(tuple(record["game"]["seats"].values()))


def read_run(directory: Path, *, ours: bool = False) -> ReadRun:
    """Read a run; raises Failure with a sentence. ours: this process has played it, and is done."""
    try:
        plan, manifest = look(directory)
    except DirectoryError as error:
        raise Failure(str(error)) from error
    file = directory / JOURNAL
    try:
        frames, _ = whole_frames(file.read_bytes())
        games = [game for game in fold(frames).finished.values() if "ladder" in game]
        payloads = [payload for _, payload in frames]
        tournament = tournament_of(plan.tournament, payloads, _deals(plan))
        running = not ours and _is_running(directory)
    except OSError as error:
        raise Failure(f"{error.filename or file} cannot be read: {error.strerror}") from error
    except (BadRecord, ValueError) as error:
        raise Failure(f"{file}: {error}") from error
    over = tournament.over and not running and plan.tournament.shard is None
    over = over and not tournament.standing()["pairs"]["incomplete"]
    return ReadRun(directory, plan, manifest_object(manifest), payloads, games, tournament, over)


def failures_of(run: ReadRun, opened: set[str], prefix: str) -> Iterator[Failed]:
    """Yield what went wrong in a run: games in the order of the journal, and bots that were never ready.

    opened: the ids of the games that may be shown. prefix: what the ids of this run begin with.
    """
    told: set[str] = set()
    finished = {game["id"] for game in run.games}
    for payload in run.payloads:
        if payload["kind"] == "unready":
            where = f"{prefix}pair {payload['pair']}, attempt {payload['attempt']}"
            yield Failed(where, payload["bot"], "", "", "unready", payload["why"], sealed=False)
        elif payload["kind"] == "game" and payload["id"] in finished - told:
            told.add(payload["id"])
            if payload["game"]["reason"] in ABNORMAL:
                yield _failed(run, payload, payload["id"] not in opened, prefix)


def _failed(run: ReadRun, record: Payload, sealed: bool, prefix: str) -> Failed:
    game = record["game"]
    at_fault = game["reason"] in FORFEITS and game["winner"] is not None
    side = {"ivory": "brown", "brown": "ivory"}[game["winner"]] if at_fault else "ivory"
    other = "brown" if side == "ivory" else "ivory"
    seat, log = (None, None) if sealed else _log(run.directory, record["id"], side)
    return Failed(
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


def _deals(plan: LadderPlan) -> Any:
    deals = plan.deals
    if deals is None:
        return None

    def of_pair(number: int) -> Deal | None:
        return deals[number - 1] if number <= len(deals) else None

    return of_pair


def _is_running(directory: Path) -> bool:
    """Whether a process plays the run."""
    try:
        lock = os.open(directory / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
