"""Thousands of games on a standing ladder, with two to forty bots from the very fast to the very slow."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from tests.league.standing_world import REMATCH, Bot, Season, enemy_of, field_of
from tyrusd.league.standing import ANCHOR_EVERY

HOUR = 3600.0
ROCK = {"rock": 1000.0}


def season(count: int, anchors: dict[str, float], hours: float = 4.0) -> Season:
    return Season(field_of(count), anchors).play(hours * HOUR)


@pytest.mark.parametrize("anchors", [{}, ROCK], ids=["alone", "anchored"])
@pytest.mark.parametrize("count", [2, 3, 5, 12, 40])
def test_balances_stay_small_and_rematches_wait(count: int, anchors: dict[str, float]) -> None:
    played = season(count, anchors)
    assert len(played.games) > 200
    for name in played.bots:
        assert played.widest[name] <= 2
        for before, after in pairwise(played.of(name)):
            enemy = enemy_of(before, name)
            if enemy != enemy_of(after, name) or enemy in anchors:
                continue
            # A rematch: both have waited for somebody else, and nobody else was left over.
            assert after.began - before.ended >= REMATCH
            together = {key for game in played.games if game.began == after.began for key in game.meeting[:2]}
            left = set(after.free) - together - {name, enemy}
            assert not left, f"{name} met {enemy} again while {left} waited"


@pytest.mark.parametrize("count", [2, 3, 5, 12, 40])
def test_sides_and_openers_are_even_in_the_long_run(count: int) -> None:
    played = season(count, {})
    for name in played.bots:
        games = played.of(name)
        ivory = sum(game.meeting.ivory == name for game in games)
        opened = sum((game.meeting.ivory == name) is (game.meeting.opener.word == "ivory") for game in games)
        for part in (ivory, opened):
            assert abs(2 * part - len(games)) <= 3  # two, and one game that still runs


def test_only_who_finds_nobody_else_leaves_the_balance() -> None:
    """Two alone are always even; a third who comes and goes may leave a two behind, and it goes away."""
    assert set(season(2, {}).widest.values()) == {1}


@pytest.mark.parametrize("count", [2, 3, 5, 12])
def test_everybody_meets_everybody(count: int) -> None:
    played = season(count, {}, 6.0)
    met = played.met()
    for one, other in combinations(played.bots, 2):
        assert met[one][other] > 0, f"{one} never met {other}"


def test_forty_meet_each_other_though_some_are_sixty_times_as_fast() -> None:
    bots = {name: bot._replace(games=2) for name, bot in field_of(40).items()}
    met = Season(bots).play(6 * HOUR).met()
    assert not [pair for pair in combinations(bots, 2) if not met[pair[0]][pair[1]]]


def test_equals_meet_equally_often() -> None:
    bots = {f"bot{number}": Bot(5.0 + number / 100) for number in range(10)}
    met = Season(bots).play(4 * HOUR).met()
    times = [met[one][other] for one, other in combinations(bots, 2)]
    assert max(times) <= 1.1 * min(times)


@pytest.mark.parametrize("count", [2, 3, 5, 12, 40])
def test_at_least_every_tenth_game_is_against_an_anchor(count: int) -> None:
    played = season(count, ROCK)
    for name in played.bots:
        anchored = [number for number, enemy in enumerate(played.enemies(name)) if enemy == "rock"]
        assert anchored and anchored[0] == 0
        assert all(later - earlier <= ANCHOR_EVERY for earlier, later in pairwise(anchored))


def test_several_anchors_are_met_equally_often() -> None:
    played = season(12, {"rock": 1000.0, "stone": 1400.0})
    met = played.met()
    assert 0.8 < sum(met["rock"].values()) / sum(met["stone"].values()) < 1.25


# -- nobody waits for the slowest --------------------------------------------------------------------------


def fast_rates(slowest: float, games: int, waits_for_all: bool) -> tuple[float, int]:
    """Games of a fast bot in two hours, and those of the slow one."""
    bots = {f"fast{number:02}": Bot(5.0, games) for number in range(11)} | {"slow": Bot(slowest, games)}

    def hold_back(played: Season) -> bool:
        return waits_for_all and any(played.room(name) < bot.games for name, bot in bots.items())

    played = Season(bots, hold_back=hold_back).play(2 * HOUR)
    rates = [len(played.of(name)) for name in bots if name != "slow"]
    return sum(rates) / len(rates), len(played.of("slow"))


@pytest.mark.parametrize("games", [1, 3])
def test_a_fast_bot_plays_as_much_however_slow_the_slowest_is(games: int) -> None:
    """One slow bot keeps one of eleven at its table, and that is all that it costs."""
    equal, _ = fast_rates(5.0, games, waits_for_all=False)
    for slowest in (50.0, 500.0, 5000.0):
        rate, of_slow = fast_rates(slowest, games, waits_for_all=False)
        assert rate > 0.88 * equal, slowest
        assert of_slow <= games * 2 * HOUR / slowest


@pytest.mark.parametrize("games", [1, 3])
def test_the_control_in_which_all_wait_for_the_slowest_is_slow(games: int) -> None:
    equal, _ = fast_rates(5.0, games, waits_for_all=True)
    rate, _ = fast_rates(500.0, games, waits_for_all=True)
    assert rate < 0.05 * equal


def test_nobody_waits_long_among_many() -> None:
    played = season(12, ROCK)
    for name in played.bots:
        waits = [after.began - before.ended for before, after in pairwise(played.of(name))]
        assert max(waits) <= REMATCH + 1.0


# -- declared games, games without a result, repetition ----------------------------------------------------


def test_nobody_plays_more_at_once_than_declared_and_all_of_it_is_used() -> None:
    bots = {f"bot{number}": Bot(20.0, 1 + 3 * (number % 3)) for number in range(9)}
    played = Season(bots).play(HOUR)
    for name, bot in bots.items():
        edges = sorted(edge for game in played.of(name) for edge in ((game.began, 1), (game.ended, -1)))
        running = most = 0
        for _, step in edges:
            running += step
            most = max(most, running)
        assert bot.games - 1 <= most <= bot.games


def test_games_without_a_result_are_taken_out_of_the_balances() -> None:
    bots = {f"bot{number}": Bot(3.0 * (1 + number), 2) for number in range(6)}
    played = Season(bots, fails=lambda number: number % 3 == 0).play(2 * HOUR)
    for name in bots:
        counted: Counter[str] = Counter()
        for game in played.of(name):
            side = 1 if game.meeting.ivory == name else -1
            counted["sides"] += side
            counted["openers"] += side * (1 if game.meeting.opener.word == "ivory" else -1)
        assert all(abs(count) <= 4 for count in counted.values())


def test_a_season_is_played_again_exactly() -> None:
    one, other = (season(12, ROCK, 0.5) for _ in range(2))
    assert one.games == other.games and len(one.games) > 300
