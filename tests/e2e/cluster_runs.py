"""Plays small ladders on real machines of a cluster, and on one machine, for their tables to be compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import trio

from tests.host.ladder_plans import plan_of
from tyrusd.host.ladder.cluster import Cluster
from tyrusd.host.ladder.cluster_client import ClusterClient
from tyrusd.host.ladder.coordinator import Coordinator
from tyrusd.host.ladder.crewing import Crewing, WorkerEvent
from tyrusd.host.ladder.directory import RunDirectory
from tyrusd.host.ladder.news import GameKept, News, RunEnd, Told
from tyrusd.host.ladder.past import read_run
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.pool import Pool
from tyrusd.host.ladder.run import LadderRun, open_run

PLAN = plan_of("anna", "bert", "carl", rounds=6)

Make = Callable[[LadderRun, Callable[[WorkerEvent], None]], Crewing]


class Outcome(NamedTuple):
    """A run that has ended: how, what was told, its standing, and all its games without their times."""

    end: RunEnd
    told: list[str]
    standing: dict[str, Any]
    games: list[dict[str, Any]]


def on_machines(address: str, patience: float = 60.0) -> Make:
    """The machines of a cluster play."""
    return lambda run, hear: Cluster(
        address, run.directory.plan, Pace(64, 1), run.directory.manifest, hear, patience=patience
    )


def here(run: LadderRun, hear: Callable[[WorkerEvent], None]) -> Crewing:
    """This machine plays."""
    return Pool(run.directory.plan, Pace(2, 2), [], hear)


async def joined(address: str, workers: int) -> None:
    """Wait until so many workers have joined a cluster."""
    client = ClusterClient(address, lambda key: None)
    await client.connect()
    with trio.fail_after(90):
        while len(await client.machines()) < workers:  # noqa: ASYNC110 -- nothing tells
            await trio.sleep(0.2)
    await client.close()


async def play(
    directory: RunDirectory,
    make: Make,
    at_game: Callable[[int, Coordinator], None] = lambda number, coordinator: None,
) -> Outcome:
    """Play a run to its end; at_game is called after each game with its number."""
    run = open_run(directory)
    told: list[str] = []
    games = 0

    def hear(news: News) -> None:
        nonlocal games
        if isinstance(news, Told):
            told.append(news.sentence)
        elif isinstance(news, GameKept):
            games += 1
            at_game(games, coordinator)

    try:
        coordinator = Coordinator(run, lambda on_event: make(run, on_event), Pace(64, 1), hear)
        with trio.fail_after(120):
            end = await coordinator.play()
        return Outcome(end, told, run.tournament.standing(), _games(run))
    finally:
        run.close()


async def alone(folder: Path, plan: LadderPlan = PLAN) -> Outcome:
    """The same ladder on one machine, which is what every other way to play it must come to."""
    return await play(RunDirectory.begin(folder, plan), here)


def _games(run: LadderRun) -> list[dict[str, Any]]:
    """Every game of the journal as it was played, in the order of the schedule; none may be there twice."""
    records = [record for record in read_run(run.directory.path).records if record["kind"] == "game"]
    places = [(record["ladder"]["pair"], record["ladder"]["game"]) for record in records]
    assert len(set(places)) == len(places)
    return [record["game"] for _, record in sorted(zip(places, records, strict=True), key=lambda one: one[0])]
