"""Runs as their directories tell of them, whether they are over, go on, or were cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tyrusd.host.journal import JOURNAL
from tyrusd.host.ladder.directory import DirectoryError, look
from tyrusd.host.ladder.files import read_plain
from tyrusd.host.ladder.manifest import Manifest, manifest_object
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.league.framing import BadRecord, whole_frames
from tyrusd.league.schema import Payload
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.runs import Source, joined_stats, unready_counts
from tyrusd.league.statistics.tables import Table
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.tournament import Tournament


class PastRun(NamedTuple):
    """A run that was read: its terms, its records, and the tournament that they add up to.

    notes: sentences that whoever reads it should see, such as that it is not over.
    """

    path: Path
    plan: LadderPlan
    manifest: Manifest
    records: list[Payload]
    tournament: Tournament
    notes: tuple[str, ...]


def read_run(path: Path) -> PastRun:
    """Read a run's directory without touching it, also while it is played.

    Raises DirectoryError, with a sentence, where it is none, its journal is damaged, or contradicts the plan.
    """
    plan, manifest = look(path)
    file = path / JOURNAL
    try:
        data = read_plain(file)
    except OSError as error:
        raise DirectoryError(f"{file} cannot be read: {error.strerror}") from error
    deals = plan.deals
    where = [0]

    def payloads(frames: Sequence[tuple[int, Payload]]) -> Iterator[Payload]:
        for offset, payload in frames:
            where[0] = offset
            yield payload

    try:
        frames, tail = whole_frames(data)
        tournament = tournament_of(
            plan.tournament,
            payloads(frames),
            None if deals is None else lambda pair: deals[pair - 1] if pair <= len(deals) else None,
        )
    except BadRecord as bad:
        raise DirectoryError(f"{file}: {bad}") from bad
    except ValueError as error:
        raise DirectoryError(f"{file}: {BadRecord(where[0], str(error))}") from error
    notes = []
    if tail is not None:
        notes.append(f"{file}: {tail}; what is whole is used")
    if not tournament.over:
        total = tournament.total_pairs
        done = tournament.standing()["pairs"]["complete"]
        of_all = f" of {total}" if total is not None else ""
        notes.append(f"{path}: the ladder is not over; {done}{of_all} pairs are complete and used")
    records = [payload for _, payload in frames]
    return PastRun(path, plan, manifest, records, tournament, tuple(notes))


def stats_of_runs(runs: Sequence[PastRun], sprt: SprtPlan | None = None) -> Table:
    """The statistics of several runs together (docs/statistics.md#object); `refuse_mixture` them first.

    sprt: a test instead of that of the runs. Raises Overlap where a pair stands in two of them, ImportError
    for more than two bots without numpy.
    """
    return joined_stats(sources_of(runs), [manifest_object(run.manifest) for run in runs], sprt)


def sources_of(runs: Sequence[PastRun]) -> list[Source]:
    """The runs as they are joined with each other."""
    short = [run.path.resolve().name for run in runs]
    return [
        Source(
            run.tournament,
            name if short.count(name) == 1 else str(run.path.resolve()),
            unready_counts(run.records),
            {bot.name: _made_of(run, bot.name) for bot in run.manifest.bots},
        )
        for run, name in zip(runs, short, strict=True)
    ]


def refuse_mixture(runs: Sequence[PastRun]) -> None:
    """Raise DirectoryError where the runs played by different rules, so that they make no one table."""
    first = runs[0]
    for run in runs[1:]:
        if run.plan.variant != first.plan.variant:
            raise DirectoryError(
                f"{first.path} was played by the variant {first.plan.variant.name} and {run.path} by "
                f"{run.plan.variant.name}: ask for their statistics one by one"
            )


def _made_of(run: PastRun, name: str) -> str:
    """A text that is the same for the same bot with the same time to think."""
    made = [
        [bot.seat, bot.distribution, bot.version, [file.sha256 for file in bot.files]]
        for bot in run.manifest.bots
        if bot.name == name
    ]
    times = [
        [entrant.control.clock_text, entrant.control.cap_text]
        for entrant in run.plan.entrants
        if entrant.name == name
    ]
    return json.dumps([made, times])
