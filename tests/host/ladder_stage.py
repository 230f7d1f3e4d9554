"""Runs with workers in memory, what they tell, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio

from tests.host.ladder_crew import FakeCrew
from tests.host.ladder_plans import plan_of
from tyrusd.host.ladder.coordinator import Coordinator
from tyrusd.host.ladder.crewing import WorkerEvent
from tyrusd.host.ladder.directory import RunDirectory
from tyrusd.host.ladder.news import GameKept, News, RunEnd
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.run import LadderRun, open_run
from tyrusd.league.framing import read_frames
from tyrusd.league.schema import Payload

PLAN = plan_of("anna", "bert", "carl", "dora", rounds=3)  # 18 pairs
PACE = Pace(4, 1)


class Stage:
    """A run with workers in memory, and what it has told."""

    def __init__(self, run: LadderRun, **crew: Any) -> None:
        self.run = run
        self.news: list[News] = []
        self.crew: FakeCrew
        self.on_news: Callable[[News], None] = lambda news: None

        def make(tell: Callable[[WorkerEvent], None]) -> FakeCrew:
            self.crew = FakeCrew(tell, **crew)
            return self.crew

        self.coordinator = Coordinator(run, make, PACE, self._hear)

    def _hear(self, news: News) -> None:
        self.news.append(news)
        self.on_news(news)

    @property
    def games(self) -> list[str]:
        return [news.played.place.game_id for news in self.news if isinstance(news, GameKept)]

    def after(self, games: int, act: Callable[[], None]) -> None:
        """Do something when so many games are kept."""
        self.on_news = lambda news: act() if isinstance(news, GameKept) and len(self.games) == games else None

    async def play(self) -> RunEnd:
        with trio.fail_after(20):
            return await self.coordinator.play()


def stage_in(path: Path, plan: LadderPlan = PLAN, **crew: Any) -> Stage:
    """Begin a run in a directory, or take it up again."""
    directory = RunDirectory.resume(path) if path.exists() else RunDirectory.begin(path, plan)
    return Stage(open_run(directory), **crew)


def records(path: Path) -> list[Payload]:
    return [payload for _, payload in read_frames((path / "journal.tyrus").read_bytes())]


def table(stage: Stage) -> tuple[list[Any], Any]:
    """What a run adds up to."""
    return list(stage.run.tournament.counted_games()), stage.run.tournament.standing()


async def whole(path: Path, plan: LadderPlan = PLAN, **crew: Any) -> Stage:
    stage = stage_in(path, plan, **crew)
    end = await stage.play()
    assert end == RunEnd(True, False, None, "played")
    stage.run.close()
    return stage
