"""Records of ladders for the tests of the report: every game really played, by players made of chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from random import Random

from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match
from tyrusd.league.record import game_record
from tyrusd.league.schema import Payload
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.summary import summary
from tyrusd.league.tournament.played import Played, played_of
from tyrusd.league.tournament.task import LadderGame, Place
from tyrusd.rules.deal import deal_from_bytes, pair_secret, seat_seed, twin_secret
from tyrusd.rules.pieces import Building, Side
from tyrusd.rules.variants import STANDARD
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.page import Assets, report_page
from tyrusd.screen.report.selection import choose, opened
from tyrusd.screen.report.timing import time_use

STARTED = "2031-05-06T07:08:09Z"
CLOCK = TimeControl.parse("60+1", "30")
FAULTS = ("crashed", "timeout", "illegal", "protocol", "disconnected")
BOTS = ("anna", "bert", "cleo", "dora", "emil", "fran")
ASSETS = Assets(
    *(
        (Path(__file__).parents[2] / "tyrusd" / "screen" / "report" / name).read_text("utf-8")
        for name in ("page.css", "viewer.js", "sorting.js")
    )
)


def play(
    place: Place, names: tuple[str, str], fault: str | None = None, skill: tuple[int, int] = (0, 0)
) -> Payload:
    """Play a game; skill: percent of placements that are the best voter in the own building."""
    secret = pair_secret("report", place.pair, place.attempt)
    seeds = (seat_seed(twin_secret(secret, place.game), side) for side in Side)
    match = Match(
        place.game_id, 2 * place.pair + place.game - 2, deal_from_bytes(secret), STANDARD, (CLOCK, CLOCK),
        (0, 0), names, (next(seeds), next(seeds)),
    )  # fmt: skip
    match.ladder = LadderGame(place, "tower", "a processor x4")
    chance = Random(f"{place}{names}")
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


@lru_cache(maxsize=8)
def ladder(bots: tuple[str, ...] = BOTS, deals: int = 4, faulty: int = 10) -> tuple[Payload, ...]:
    """A round robin in which every `faulty`-th game ends by a fault; 0: none does."""
    found = []
    meetings = [pair for _ in range(deals) for pair in combinations(range(len(bots)), 2)]
    for number, (one, other) in enumerate(meetings, 1):
        for game in (1, 2):
            first, second = (one, other) if game == 1 else (other, one)
            count = 2 * number + game
            fault = FAULTS[count // faulty % len(FAULTS)] if faulty and count % faulty == 0 else None
            skill = tuple(max(0, 80 - 15 * seat) for seat in (first, second))
            found.append(
                play(Place(number, 1, game, 1), (bots[first], bots[second]), fault, (skill[0], skill[1]))
            )
    return tuple(found)


def played(records: Sequence[Payload]) -> list[Played]:
    return [game for game in map(played_of, records) if game is not None]


def twice(record: Data) -> bool:
    return False


def facts_of(
    records: Sequence[Payload],
    entrants: Sequence[str] = BOTS,
    *,
    sprt: SprtPlan | None = None,
    title: str = "run",
) -> Facts:
    """All that a report tells of these games, but for what is not theirs: plan, manifest, failures."""
    stats = summary(played(records), entrants=entrants, sprt=sprt)
    chosen = choose(opened(records, twice))
    time = time_use((record["id"], record) for record in records)
    return Facts(
        title, stats, games=[(0, game) for game in chosen.games], left_out=chosen.left_out, time=time
    )


def page(facts: Facts) -> str:
    return report_page(facts, ASSETS)
