"""Directories of ladders for the tests of the commands that read them: real files, no games played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.host.ladder_plans import plan_of
from tests.league.record_example import example
from tyrusd.host.journal import JOURNAL
from tyrusd.host.ladder.directory import RunDirectory
from tyrusd.league.framing import frame
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.tournament import Tournament

DRAWN = "-"


def record_of(task: PairTask, number: int, winner: str, reason: str = "") -> Payload:
    """The record of a game of a pair that somebody won."""
    record = example()
    place = task.place(number)
    ivory, brown = task.seats(number)
    side = None if winner == DRAWN else "ivory" if winner == ivory else "brown"
    record["id"] = place.game_id
    record["game"] |= {
        "seats": {"ivory": ivory, "brown": brown},
        "winner": side,
        "reason": reason or ("drawn" if side is None else "majority"),
        "detail": "",
    }
    record["ladder"] = {**place._asdict(), "host": "tower", "cpu": "some processor"}
    return record


def run_in(
    path: Path, winners: Mapping[int, str], *names: str, plan: Mapping[str, Any] | None = None, **terms: Any
) -> Path:
    """Make the directory of a run with these pairs, each given by the winners of its games."""
    made = plan_of(*names, **(terms or {}), **(plan or {}))
    RunDirectory.begin(path, made).close()
    held = Tournament(made.tournament)
    frames = []
    for _ in range(len(winners) + 8):
        task = held.next()
        if task is None:
            break
        for number, winner in zip(task.games, winners.get(task.pair, ()), strict=False):
            frames.append(frame(record_of(task, number, winner)))
    with (path / JOURNAL).open("ab") as file:
        file.write(b"".join(frames))
    return path
