"""Records of ladders for the tests of the report: every game really played, by players made of chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match
from tyrusd.league.record import game_record
from tyrusd.league.schema import Payload
from tyrusd.league.statistics.course import course_of
from tyrusd.league.statistics.runs import run_of, stats_of
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.played import played_of
from tyrusd.league.tournament.task import LadderGame, PairTask
from tyrusd.league.tournament.tournament import Tournament
from tyrusd.rules.pieces import Building
from tyrusd.rules.variants import STANDARD
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.page import Assets, report_page
from tyrusd.screen.report.selection import choose, opened
from tyrusd.screen.report.timing import time_use

STARTED = "2031-05-06T07:08:09Z"
CLOCK = TimeControl.parse("60+1", "30")
FAULTS = ("crashed", "timeout", "illegal", "protocol", "disconnected")
BOTS = ("anna", "bert", "cleo", "dora", "emil", "fran")
FOLDER = Path(__file__).parents[2] / "tyrusd" / "screen" / "report"
ASSETS = Assets(*((FOLDER / name).read_text("utf-8") for name in ("page.css", "viewer.js", "sorting.js")))


class Ladder(NamedTuple):
    """A tournament that was played, and the records of its games."""

    plan: TournamentPlan
    records: tuple[Payload, ...]

    @property
    def tournament(self) -> Tournament:
        return tournament_of(self.plan, self.records)

    def once(self, record: Data) -> bool:
        """Whether a game's deal is played only once."""
        return self.plan.games == 1 or not self.plan.unswapped.isdisjoint(record["game"]["seats"].values())


def play(task: PairTask, game: int, fault: str | None = None, skill: tuple[int, int] = (0, 0)) -> Payload:
    """Play a game; skill: percent of placements that are the best voter in its building, Ivory's first."""
    place = task.place(game)
    match = Match(
        place.game_id, 2 * place.pair + game - 2, task.deal, STANDARD, (CLOCK, CLOCK), (0, 0),
        task.seats(game), task.seeds[game - 1],
    )  # fmt: skip
    match.ladder = LadderGame(place, "tower", "a processor x4")
    chance = Random(f"{place}{task.first}{task.second}")
    stop = chance.randrange(3, 30) if fault else 99
    now = 0.0
    while match.game.outcome is None:
        request = match.issue(now)
        if request.number == stop and fault is not None:
            match.forfeit(request.side, fault, f"exit status {stop}", now + 0.5)
            break
        now += chance.expovariate(8)
        side, hand = request.side, match.game.hand(request.side)
        tile, building = chance.choice(hand), chance.choice(list(Building))
        if chance.randrange(100) < skill[side]:
            voters = [each for each in hand if each.profession == match.game.kind.voters]
            tile, building = max(voters or hand), Building(3 * side + match.game.kind)
        match.place(side, request.number, tile, building, now)
    return game_record(match, started=STARTED)


def games_of(plan: TournamentPlan, faulty: int) -> Iterator[Payload]:
    """Play a tournament, one game after the other."""
    tournament = Tournament(plan)
    count = 0
    while (task := tournament.next()) is not None:
        for game in task.games:
            count += 1
            fault = FAULTS[count // faulty % len(FAULTS)] if faulty and count % faulty == 0 else None
            ivory, brown = (max(0, 80 - 15 * plan.entrants.index(name)) for name in task.seats(game))
            record = play(task, game, fault, (ivory, brown))
            played = played_of(record)
            assert played is not None
            tournament.take(played)
            yield record


@lru_cache(maxsize=16)
def ladder(plan: TournamentPlan, faulty: int = 10, games: int | None = None) -> Ladder:
    """A tournament in which every `faulty`-th game ends by a fault (0: none); games: how many at most."""
    return Ladder(plan, tuple(islice(games_of(plan, faulty), games)))


def round_robin(bots: Sequence[str] = BOTS, rounds: int = 4) -> TournamentPlan:
    return TournamentPlan("roundrobin", tuple(bots), "report", rounds)


def facts_of(found: Ladder, title: str = "run") -> Facts:
    """All that a report tells of a tournament by itself: there are no manifest, plan and logs."""
    plan, tournament = found.plan, found.tournament
    chosen = choose(opened(found.records, found.once))
    return Facts(
        title,
        stats_of(tournament),
        games=[(0, game) for game in chosen.games],
        left_out=chosen.left_out,
        time=time_use((record["id"], record) for record in found.records),
        course=None if plan.sprt is None else course_of(run_of(tournament), plan.entrants[0], plan.sprt),
    )


def page(facts: Facts) -> str:
    return report_page(facts, ASSETS)
